"""One match of the bot that is checked, observed from outside."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client_sdk.bounds import Bounds
from client_sdk.console import UserError
from client_sdk.local.check.relay import Passed, relay
from client_sdk.local.lookup import known_game
from client_sdk.local.players import PlayerSpec, command
from client_sdk.process import BotProcess
from client_sdk.rest import RestClient
from client_sdk.running import running_s
from client_sdk.sandbox import NoSandbox
from games.core.contract import AnyGame, Json
from games.core.parameters import configure
from games.core.turns import turn_text

TURNS: Final = 10
"""Answered turns that are checked before the messages have unknown fields."""
EXIT_S: Final = 5.0
STARTUP_S: Final = 30.0
OUTPUT_BYTES: Final = 16 << 20
"""What is kept of the bot's output: a traceback for every turn."""
SILENT_S: Final = 10.0
"""A bot that has answered none of the first turns after this time is not watched any longer."""


@dataclass(slots=True)
class ObservedMatch:
    passed: Passed
    seat: int
    launched: float
    status: int | None
    """The exit status; None: it did not end by itself."""
    output: str
    outcome: dict[str, Json] | None
    exit_s: float = 0.0
    cut_s: float | None = None
    """The time after which the match was ended; None: it came to its end."""

    def received(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that the bot got."""
        return [(at, message) for at, message in self.passed.to_bot if message.get("type") == kind]

    def sent(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that it sent."""
        messages = [(at, message) for at, message in self.passed.from_bot if message is not None]
        return [(at, message) for at, message in messages if message.get("type") == kind]

    def asked(self) -> dict[int, tuple[float, int | None]]:
        """When each turn was put to the bot, and its limit, ms."""
        asked: dict[int, tuple[float, int | None]] = {}
        for at, view in self.received("view"):
            if view.get("act"):
                asked.setdefault(view["turn"], (at, view.get("within_ms")))
        return asked

    def turn_text(self, turn: int) -> str:
        """A turn as people read it."""
        games = [known_game(str(message.get("game"))) for _, message in self.received("start")]
        return turn_text(games[0] if games else None, turn)

    def realtime(self) -> bool:
        """Whether commands name no turn, and a bot may let turns pass."""
        clocks = [start.get("clock", {}) for _, start in self.received("start")]
        return any(clock.get("tick_ms") is not None or clock.get("lockstep") for clock in clocks)

    def answered(self) -> dict[int, float]:
        """How long each answer took, s. In a realtime game an answer belongs to the newest view."""
        asked = self.asked()
        realtime = self.realtime()
        took: dict[int, float] = {}
        for at, message in self.sent("commands"):
            turn = message.get("turn")
            if realtime:
                turn = max((n for n, (then, _) in asked.items() if then <= at), default=None)
            if isinstance(turn, int) and turn in asked:
                took.setdefault(turn, at - asked[turn][0])
        return took

    def refused(self) -> set[int]:
        """The turns that were answered in time with commands of which none was carried out: their
        time runs out all the same."""
        asked, took = self.asked(), self.answered()
        results = [message for _, message in self.received("results")]
        done = {message["turn"] for message in results if _any_is_ok(message)}
        return {
            turn
            for turn in {message["turn"] for message in results} - done
            if turn in took and took[turn] * 1000 < (asked[turn][1] or math.inf)
        }


def _any_is_ok(results: dict[str, Json]) -> bool:
    return any(result["code"] == "ok" for result in results["results"])


def observe(
    game: AnyGame,
    player: PlayerSpec,
    opponent: str,
    config: dict[str, Json],
    seed: int,
    most_s: float,
    progress: Callable[[str], object],
    url: str,
    bounds: Bounds | None = None,
) -> ObservedMatch:
    """Let the bot play one match through a relay to the server at `url`, for at most `most_s`
    seconds. `progress` is called often with what happens. `bounds`: what it may use. Raises
    UserError, BadSetup, NoSandbox."""
    clock = _clock(game, config)
    with ExitStack() as stack:
        rest = stack.enter_context(RestClient(url))
        lobby = rest.create(game.name, config=config, seed=seed, clock=clock)
        seat = rest.join(lobby["lobby"], game.name, player.label, seat=0)
        address, passed = stack.enter_context(relay(seat["url"], TURNS))
        launched = running_s()
        try:
            process = stack.enter_context(
                BotProcess(
                    command(game.name, player),
                    url=address,
                    token=seat["token"],
                    game=game.name,
                    log_bytes=OUTPUT_BYTES,
                    cwd=Path(player.home) if player.home else None,
                    bounds=bounds,
                )
            )
        except NoSandbox:
            raise
        except OSError as fault:
            raise UserError(f"{player.spec} cannot be started: {fault}") from None
        progress(f"waiting at most {STARTUP_S:.0f} s for the bot to connect")
        _until(lambda: bool(passed.from_bot) or process.returncode is not None, STARTUP_S)
        for place in range(1, len(lobby["seats"])):
            rest.add_bot(lobby["lobby"], opponent, lobby["owner_token"], place)
        watched = _Watched(rest, lobby["lobby"], seat["token"], process, passed)
        outcome, cut_s = watched.outcome(most_s, progress)
        status, exit_s = _ended(process)
        return ObservedMatch(passed, 0, launched, status, process.output, outcome, exit_s, cut_s)


def _clock(game: AnyGame, config: dict[str, Json]) -> dict[str, Json]:
    """A game of ticks that is checked in lockstep leaves a bot the time of a tick for its answer:
    only a bot that needs it takes it. Raises BadSetup."""
    tick_ms = game.pacing(game.rules()).tick_ms
    lockstep = game.pacing(configure(game, config)).lockstep
    return {"turn_ms": tick_ms} if lockstep and tick_ms else {}


def _until(condition: Callable[[], bool], timeout_s: float) -> bool:
    deadline = running_s() + timeout_s
    while not condition():
        if running_s() > deadline:
            return False
        time.sleep(0.02)
    return True


@dataclass(frozen=True, slots=True)
class _Watched:
    """The match, from the moment when its seats are taken."""

    rest: RestClient
    match: str
    token: str
    process: BotProcess
    passed: Passed

    def outcome(
        self, most_s: float, progress: Callable[[str], object]
    ) -> tuple[dict[str, Json] | None, float | None]:
        """Wait for the end of the match; with the time after which it was ended. The seat of a
        program that has ended is given up, so that the match does not wait for it, and so is that
        of a bot that answers nothing, or whose match takes longer than `most_s`."""
        begun = running_s()
        cut: float | None = None
        gone = False
        while True:
            lobby: dict[str, Json] = self.rest.lobby(self.match)
            if lobby["state"] in ("over", "cancelled"):
                return lobby["outcome"], cut
            after = running_s() - begun
            asked, answered = self._turns()
            progress(f"{answered} of {asked} turns answered, {after:.0f} s of at most {most_s:.0f}")
            if self.process.returncode is not None and not gone:
                if not _until(lambda: self.rest.lobby(self.match)["state"] == "over", 1.0):
                    gone = True
                    self.rest.leave(self.match, self.token)
                    if lobby["state"] == "open":
                        return None, None
            elif cut is None and not gone:
                silent = asked >= TURNS and not answered and after > SILENT_S
                if silent or after > most_s:
                    cut = after
                    self.rest.leave(self.match, self.token)
            time.sleep(0.05)

    def _turns(self) -> tuple[int, int]:
        """On how many turns the bot was asked, and on how many it has answered."""
        asked = {view["turn"] for _, view in list(self.passed.to_bot) if view.get("act")}
        sent = (message for _, message in list(self.passed.from_bot) if message is not None)
        answers = sum(message.get("type") == "commands" for message in sent)
        return len(asked), min(answers, len(asked))


def _ended(process: BotProcess) -> tuple[int | None, float]:
    """The exit status, and how long the end took."""
    begun = running_s()
    if _until(lambda: process.returncode is not None, EXIT_S):
        process.wait()
    return process.returncode, running_s() - begun
