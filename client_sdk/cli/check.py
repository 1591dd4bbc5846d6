"""`botarena check-bot`: whether a bot keeps to the protocol, phase by phase, against a real
server."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from client_sdk.cli.play import parameters_of
from client_sdk.console import UserError, amount, out, say
from client_sdk.local.lookup import game_called
from client_sdk.running import running_s
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.local.players import PlayerSpec
    from client_sdk.local.relay import Passed
    from client_sdk.process import BotProcess
    from client_sdk.rest import RestClient

Grade = Literal["pass", "warn", "fail", "skip"]

TURNS: Final = 10
"""Answered turns that are checked before the messages become strange."""
SLOW: Final = 0.5
"""Share of the turn's time from which on an answer is called slow."""
EXIT_S: Final = 5.0
STARTUP_S: Final = 30.0
SAID_LINES: Final = 10
TRACE: Final = "Traceback (most recent call last)"

COLOURS: Final = {"pass": "green", "warn": "yellow", "fail": "bold red", "skip": "dim"}


def check_bot(
    bot: Annotated[
        str,
        typer.Argument(help="A house bot, a .py file, or a command in quotes.", show_default=False),
    ],
    game: Annotated[str, typer.Option("--game", help="Which game.", show_default=False)],
    against: Annotated[
        str | None, typer.Option(metavar="BOT", help="A house bot.", show_default="the best one")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the game."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the match.")] = 1,
) -> None:
    """Play one match with a bot and say of each phase: pass, warn or fail. Exit status 1 if one
    fails.

    \b
    botarena check-bot mybot.py --game pyrat
    botarena check-bot "node mybot.js" --game botstack
    """
    from client_sdk.bots import HOUSE
    from client_sdk.local.players import known, player_spec

    game_called(game)
    player = player_spec(game, bot)
    opponents = HOUSE.get(game, {})
    if not opponents:
        raise UserError(f"{game} has no house bot, and check-bot needs one to play against")
    opponent = against or [*opponents][-1]
    known(f"house bot of {game}", opponent, opponents)
    report = Report()
    if _loads(game, player, report):
        judged(_observed(game, player, opponent, parameters_of(set_ or []), seed), report)
    for phase in report.phases:
        out().print(f"{phase.grade:<5}", style=COLOURS[phase.grade], end="")
        say(f"{phase.name:<16}{phase.why}")
    worst = [phase for phase in report.phases if phase.grade == "fail"]
    say(f"{player.label}: {'not ready' if worst else 'ready'} for a match of {game}")
    if worst:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    grade: Grade
    why: str


@dataclass(slots=True)
class Report:
    """What was found, phase by phase."""

    phases: list[Phase] = field(default_factory=list)

    def add(self, name: str, grade: Grade, why: str) -> None:
        self.phases.append(Phase(name, grade, why))


def _loads(game: str, player: PlayerSpec, report: Report) -> bool:
    """Whether the bot's file can be read at all; of a command only its start can tell."""
    from client_sdk.bot import house, load
    from client_sdk.errors import BadBot

    if player.kind == "command":
        return True
    try:
        bot = house(game, player.spec) if player.kind == "house" else load(player.spec, game)
    except BadBot as fault:
        report.add("load", "fail", str(fault))
        return False
    report.add("load", "pass", f"{type(bot).__name__}, called {bot.name or player.label}")
    return True


@dataclass(slots=True)
class Seen:
    """One match of the bot, from outside."""

    passed: Passed
    seat: int
    launched: float
    status: int | None
    """The exit status; None: it did not end by itself."""
    output: str
    outcome: dict[str, Json] | None
    exit_s: float = 0.0

    def received(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that the bot got."""
        return [(at, message) for at, message in self.passed.to_bot if message.get("type") == kind]

    def sent(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that it sent."""
        return [
            (at, message)
            for at, message in self.passed.from_bot
            if message is not None and message.get("type") == kind
        ]


def _observed(
    game: str, player: PlayerSpec, opponent: str, config: dict[str, Json], seed: int
) -> Seen:
    """Let it play one match through a relay."""
    from client_sdk.local.players import command
    from client_sdk.local.relay import relay
    from client_sdk.local.server import local_server
    from client_sdk.process import BotProcess
    from client_sdk.rest import RestClient

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = stack.enter_context(local_server(Path(folder)))
        rest = stack.enter_context(RestClient(url))
        lobby = rest.create(game, config=config, seed=seed)
        seat = rest.join(lobby["lobby"], game, player.label, seat=0)
        address, passed = stack.enter_context(relay(seat["url"], TURNS))
        launched = running_s()
        try:
            process = stack.enter_context(
                BotProcess(command(game, player), url=address, token=seat["token"], game=game)
            )
        except OSError as fault:
            raise UserError(f"{player.spec} cannot be started: {fault}") from None
        _until(lambda: bool(passed.from_bot) or process.returncode is not None, STARTUP_S)
        for place in range(1, len(lobby["seats"])):
            rest.add_bot(lobby["lobby"], opponent, lobby["owner_token"], place)
        outcome = _outcome(rest, lobby["lobby"], seat["token"], process)
        status, exit_s = _ended(process)
        return Seen(passed, 0, launched, status, process.output, outcome, exit_s)


def _until(true: Callable[[], bool], patience_s: float) -> bool:
    until = running_s() + patience_s
    while not true():
        if running_s() > until:
            return False
        time.sleep(0.02)
    return True


def _outcome(
    rest: RestClient, match: str, token: str, process: BotProcess
) -> dict[str, Json] | None:
    """Until the match is over. A program that has ended before gives its seat up, so that the match
    does not wait for it."""
    left = False
    while True:
        lobby: dict[str, Json] = rest.lobby(match)
        if lobby["state"] in ("over", "cancelled"):
            outcome: dict[str, Json] | None = lobby["outcome"]
            return outcome
        if (
            process.returncode is not None
            and not left
            and not _until(lambda: rest.lobby(match)["state"] == "over", 1.0)
        ):
            left = True
            rest.leave(match, token)
            if lobby["state"] == "open":
                return None
        time.sleep(0.05)


def _ended(process: BotProcess) -> tuple[int | None, float]:
    begun = running_s()
    if _until(lambda: process.returncode is not None, EXIT_S):
        process.wait()
    return process.returncode, running_s() - begun


# --- judging --------------------------------------------------------------------------------------


def judged(seen: Seen, report: Report) -> None:
    """Every phase in order; the first one that cannot be passed ends the report."""
    for phase in (
        _connects,
        _hello,
        _start,
        _ready,
        _turns,
        _time,
        _frames,
        _strange,
        _end,
        _exit,
        _failed,
    ):
        if not phase(seen, report):
            said = "\n".join(seen.output.strip().splitlines()[-SAID_LINES:])
            if said:
                report.add("", "skip", f"it said:\n{said}")
            return


def _connects(seen: Seen, report: Report) -> bool:
    if seen.passed.connected is None:
        status = "it still runs" if seen.status is None else f"it ended with status {seen.status}"
        report.add("launch", "fail", f"never connected to BOTARENA_URL; {status}")
        return False
    report.add("launch", "pass", f"connected after {seen.passed.connected - seen.launched:.1f} s")
    return True


def _hello(seen: Seen, report: Report) -> bool:
    first = seen.passed.from_bot[0][1] if seen.passed.from_bot else None
    if first is None or first.get("type") != "hello":
        report.add("hello", "fail", f"the first frame has to be a hello, got {first}")
        return False
    if not seen.received("hello"):
        errors = [message["text"] for _, message in seen.received("error")]
        report.add(
            "hello", "fail", f"the server does not take it: {errors[-1] if errors else 'no answer'}"
        )
        return False
    report.add(
        "hello",
        "pass",
        f"protocol {first.get('protocol')}, client {first.get('client') or 'without a name'}",
    )
    return True


def _start(seen: Seen, report: Report) -> bool:
    if not seen.received("start"):
        report.add("start", "fail", "gone before the match started")
        return False
    report.add("start", "pass", "was there when the match started")
    return True


def _ready(seen: Seen, report: Report) -> bool:
    at, start = seen.received("start")[0]
    ready = seen.sent("ready")
    if start.get("within_ms") is None:
        report.add("ready", "skip", "no preprocessing in this game")
    elif not ready:
        report.add(
            "ready", "warn", f"never said ready: the first turn waited {start['within_ms']} ms"
        )
    elif (ready[0][0] - at) * 1000 > start["within_ms"]:
        report.add(
            "ready", "warn", f"after {(ready[0][0] - at) * 1000:.0f} ms, of {start['within_ms']} ms"
        )
    else:
        report.add(
            "ready", "pass", f"after {(ready[0][0] - at) * 1000:.0f} ms, of {start['within_ms']} ms"
        )
    return True


def _asked(seen: Seen) -> dict[int, tuple[float, int | None]]:
    """When each turn was put to the bot, and for how long."""
    asked: dict[int, tuple[float, int | None]] = {}
    for at, view in seen.received("view"):
        if view.get("act"):
            asked.setdefault(view["turn"], (at, view.get("within_ms")))
    return asked


def _answered(seen: Seen) -> dict[int, float]:
    """How long each answer took, s."""
    asked = _asked(seen)
    took: dict[int, float] = {}
    for at, message in seen.sent("commands"):
        turn = message.get("turn")
        if isinstance(turn, int) and turn in asked:
            took.setdefault(turn, at - asked[turn][0])
    return took


def _turns(seen: Seen, report: Report) -> bool:
    asked, took = _asked(seen), _answered(seen)
    order = sorted(asked)[:TURNS]
    if not order or order[0] not in took:
        report.add(
            "first turn",
            "fail",
            "was asked and did not answer"
            if order
            else "was never asked: gone before its first turn",
        )
        return False
    report.add("first turn", "pass", f"answered after {took[order[0]] * 1000:.1f} ms")
    silent = [turn for turn in order if turn not in took]
    if silent:
        report.add(
            "ten turns",
            "fail",
            f"no answer to {len(silent)} of the first {len(order)}, first to turn {silent[0]}",
        )
        return False
    report.add("ten turns", "pass", f"all of the first {len(order)} answered")
    return True


def _time(seen: Seen, report: Report) -> bool:
    took = _answered(seen)
    limits = [within for _, within in _asked(seen).values() if within]
    times = sorted(took.values())
    limit = min(limits, default=None)
    events = [message for _, message in seen.received("event")]
    late = [
        event for event in events if event["event"] == "timeout" and event.get("seat") == seen.seat
    ]
    summary = (
        f"median {statistics.median(times) * 1000:.1f} ms, longest {times[-1] * 1000:.1f} ms, "
        f"limit {limit or 'none'}"
    )
    if late:
        report.add(
            "answer time",
            "fail",
            f"{summary}; {amount(len(late), 'turn')} ran out of time, first turn {late[0]['turn']}",
        )
    elif limit is not None and times[-1] * 1000 > SLOW * limit:
        report.add("answer time", "warn", f"{summary}: little is left for a slow network")
    else:
        report.add("answer time", "pass", summary)
    return True


def _frames(seen: Seen, report: Report) -> bool:
    """Whether what it sends is understood and done."""
    errors = [message for _, message in seen.received("error")]
    codes: dict[str, int] = {}
    for _, message in seen.received("results"):
        for result in message["results"]:
            if result["code"] != "ok":
                codes[result["code"]] = codes.get(result["code"], 0) + 1
    if errors:
        were = amount(len(errors), "frame was", "frames were")
        report.add("messages", "fail", f"{were} no message of the protocol: {errors[0]['text']}")
    elif codes:
        report.add(
            "messages",
            "warn",
            "not carried out: "
            + ", ".join(f"{count} {code}" for code, count in sorted(codes.items())),
        )
    else:
        report.add("messages", "pass", "all understood, all commands carried out")
    return True


def _strange(seen: Seen, report: Report) -> bool:
    since = seen.passed.strange_since
    if since is None:
        report.add("unknown fields", "skip", "the match was over too soon")
        return True
    asked = [turn for turn, (at, _) in _asked(seen).items() if at >= since]
    took = _answered(seen)
    silent = [turn for turn in asked if turn not in took]
    if silent or not (asked or seen.received("end")):
        when = f"silent from turn {silent[0]} on" if silent else "gone"
        report.add(
            "unknown fields", "fail", f"{when}, where messages have a field that it does not know"
        )
        return False
    report.add("unknown fields", "pass", f"ignored, in {amount(len(asked), 'turn')}")
    return True


def _end(seen: Seen, report: Report) -> bool:
    if not seen.received("end") or seen.outcome is None:
        report.add("end", "fail", "gone before the match was over")
        return False
    outcome = seen.outcome
    mine = outcome["seats"][seen.seat]["outcome"]
    if outcome["outcome"] == "forfeit" and outcome["winner"] != seen.seat:
        report.add("end", "fail", f"lost by forfeit: {outcome['reason']}")
    else:
        report.add("end", "pass", f"{mine} ({outcome['reason']})")
    return True


def _exit(seen: Seen, report: Report) -> bool:
    if seen.status is None:
        report.add("exit", "fail", f"still runs {EXIT_S:.0f} s after the end")
        return False
    if seen.status:
        report.add(
            "exit",
            "warn",
            f"status {seen.status} after {seen.exit_s:.1f} s; 0 says that all is well",
        )
        return False
    report.add("exit", "pass", f"status 0 after {seen.exit_s:.1f} s")
    return True


def _failed(seen: Seen, report: Report) -> bool:
    """A Python bot whose code raises plays on in silence or with a harmless answer: only its output
    tells."""
    lines = seen.output.splitlines()
    traces = [at for at, line in enumerate(lines) if line.startswith(TRACE)]
    if traces:
        last = next((line for line in lines[traces[-1] + 1 :] if not line.startswith(" ")), "")
        report.add(
            "own errors", "warn", f"{len(traces)} tracebacks in its output; the last one: {last}"
        )
    return True
