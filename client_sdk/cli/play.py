"""`botarena play`: matches here and now."""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk import private
from client_sdk.console import UserError, note, out, progress, say
from client_sdk.local.lookup import game_called, map_text
from client_sdk.local.players import PlayerSpec, maker, player_specs, plays_apart
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.bot import Bot
    from client_sdk.bounds import Bounds
    from client_sdk.local.headless import Fault, FinishedGame, Origin, Schedule, Setting, ShowMatch
    from games.core.contract import AnyGame
    from games.core.match import Match


LINES = 20
"""Up to this number of games get a line each; for more there is the table only, without --lines."""


def play(
    game: Annotated[
        str, typer.Argument(help="Which game; botarena games lists them.", show_default=False)
    ],
    bots: Annotated[
        list[str],
        typer.Argument(
            help="One per seat: a house bot, a .py file, or a command in quotes.",
            show_default=False,
        ),
    ],
    seed: Annotated[
        int | None,
        typer.Option(help="Of the first game; the others count on from it.", show_default="random"),
    ] = None,
    map_: Annotated[
        str | None,
        typer.Option("--map", metavar="NAME|FILE", help="A map instead of a generated board."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A parameter of the game; may be repeated."
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many seeds.")] = 1,
    swap: Annotated[
        bool,
        typer.Option(
            "--swap", help="Play every seed once per seating, so that no seat is favoured."
        ),
    ] = False,
    replay_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write journal and replay of every game there."),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the games while they are played.")
    ] = False,
    pace: Annotated[
        int, typer.Option(min=0, metavar="MS", help="--watch: how long each turn is shown.")
    ] = 150,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE@N",
            help="Start where turn N of this journal was open.",
            show_default=False,
        ),
    ] = None,
    time_limit: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="MS", help="A slower answer is not played.", show_default="none here"
        ),
    ] = None,
    isolate: Annotated[
        bool | None,
        typer.Option(
            help="Every .py file in a process of its own, with the game's time limit.",
            show_default="by game",
        ),
    ] = None,
    wall: Annotated[
        bool | None,
        typer.Option(
            help="These processes see nothing of your machine: for files you do not trust.",
            show_default="with --isolate, where there can be one",
        ),
    ] = None,
    logs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the output of processes of their own goes.",
            show_default="a temporary folder",
        ),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help=f"A line for every game, also for more than {LINES}.")
    ] = False,
) -> None:
    """Play matches on this machine and print who won.

    Python bots play without a server, as fast as they can. If a player is a command, a server runs
    for as long as the games last and all players are programs that connect to it.

    \b
    botarena play pyrat greedy random
    botarena play pyrat mybot.py greedy --games 100 --swap
    botarena play pyrat mybot.py "node mybot.js" --set preset=tiny
    botarena play botstack mybot.py greedy --seed 7 --replay-dir replays
    botarena play pyrat mybot.py greedy --from pyrat-7-1.journal.jsonl@12 --watch
    botarena play cookoff mybot.py theirs.py --set rules=awap2026 --logs logs
    """
    chosen = game_called(game)
    if from_ is not None and (seed is not None or map_ is not None or set_):
        raise UserError(
            "--from takes seed, map and parameters from the journal; leave --seed, --map and "
            "--set away"
        )
    origin = None if from_ is None else _origin(from_)
    players = player_specs(game, bots)
    setting = _setting(
        chosen, players, origin, map_, set_ or [], time_limit, record=replay_dir is not None
    )
    schedule = _schedule(setting, len(players), seed, games, swap)
    if replay_dir is not None:
        made(replay_dir, "--replay-dir")
    if any(player.kind == "command" for player in players):
        from client_sdk.local.served import play_served

        if wall:
            raise UserError(
                "--wall is for .py files; commands play behind one in a tournament (botarena "
                "tournament run)"
            )
        if origin is not None or watch:
            raise UserError(
                "--from and --watch need players in Python; commands play on a server (botarena "
                "watch shows those)"
            )
        free: frozenset[int] = frozenset()
        finished = play_served(setting, players, schedule)
    else:
        apart = _apart(
            game,
            players,
            (wall or None) if isolate is None else isolate,
            logs,
            _bounds(isolate, wall),
        )
        free = frozenset(range(len(players))) - apart.players if time_limit is None else frozenset()
        finished = _play_headless(setting, players, schedule, _shown(chosen, watch, pace), apart)
    _report(chosen, players, finished, replay_dir, every_line=lines)
    for warning in _too_slow(setting, free, players, finished):
        note(warning)


def _too_slow(
    setting: Setting,
    free: frozenset[int],
    players: Sequence[PlayerSpec],
    finished: Sequence[FinishedGame],
) -> Iterator[str]:
    """Who is too slow for a server, of the players whom no limit held here: on the average, for any
    machine is held up at times. Of a bank nothing can be said."""
    from client_sdk.local.headless import results_row
    from games.core.parameters import configure

    pacing = setting.game.pacing(configure(setting.game, setting.config))
    limit_ms = pacing.tick_ms or pacing.turn_ms
    if not limit_ms or pacing.bank_ms:
        return
    for who in sorted(free):
        mean_ms = results_row(finished, who).mean_s * 1000
        if mean_ms > limit_ms:
            what = "a tick comes every" if pacing.tick_ms else "a turn has"
            yield (
                f"{players[who].label} took {mean_ms:.0f} ms for a turn. Here the clock is not "
                f"enforced; on a server {what}"
                f" {limit_ms} ms (--time-limit {limit_ms} plays by it)"
            )


def _setting(
    game: AnyGame,
    players: Sequence[PlayerSpec],
    origin: Origin | None,
    map_: str | None,
    set_: Sequence[str],
    limit: int | None,
    *,
    record: bool,
) -> Setting:
    from client_sdk.local.headless import Setting

    header = None if origin is None else origin.header()
    if header is not None and header["game"] != game.name:
        raise UserError(f"that journal is of {header['game']}, not of {game.name}")
    return Setting(
        game=game,
        config=parameters_of(set_) if header is None else header["config"],
        map_text=(None if map_ is None else map_text(game.name, map_))
        if header is None
        else header["map"],
        names=[player.label for player in players],
        limit_s=None if limit is None else limit / 1000,
        record=record,
        origin=origin,
    )


def _schedule(setting: Setting, players: int, seed: int | None, games: int, swap: bool) -> Schedule:
    """Every seed, once or once per seating. Raises UserError, BadSetup."""
    from dataclasses import fields

    from games.core.parameters import MAX_SEED, configure

    seats = setting.game.seats(configure(setting.game, setting.config))
    if players != seats:
        fewer = any(field.name == "seats" for field in fields(setting.game.rules))
        hint = f"; --set seats={players} makes it as many" if fewer else ""
        raise UserError(
            f"{setting.game.name} has {seats} seats and needs as many players, got {players}{hint}"
        )
    if setting.origin is not None:
        seeds = [setting.origin.header()["seed"]] * games
    else:
        first = secrets.randbelow(10**9) if seed is None else seed
        if not 0 <= first <= MAX_SEED - games:
            raise UserError(
                f"--seed: expected a whole number, 0 to {MAX_SEED - games}, got {first}"
            )
        seeds = list(range(first, first + games))
    seatings = [
        tuple((seat + turned) % seats for seat in range(seats))
        for turned in range(seats if swap else 1)
    ]
    return [(one, seating) for one in seeds for seating in seatings]


def parameters_of(pairs: Sequence[str]) -> dict[str, Json]:
    """`key=value` pairs; a value is read as JSON where it is JSON, else as the word it is. Raises
    UserError."""
    config: dict[str, Json] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UserError(f"--set: expected KEY=VALUE, got {pair!r}")
        try:
            config[key] = json.loads(value)
        except ValueError:
            config[key] = value
    return config


def _origin(text: str) -> Origin:
    from client_sdk.local.headless import Origin
    from client_sdk.local.records import journal_text

    file, at, turn = text.rpartition("@")
    if not at or not turn.isdecimal():
        raise UserError(f"--from: expected FILE@N, such as game.journal.jsonl@12, got {text!r}")
    return Origin(journal_text(Path(file)), int(turn))


@dataclass(frozen=True, slots=True)
class _Apart:
    """The players that get processes of their own, and where their output goes."""

    players: frozenset[int]
    logs: Path
    temporary: bool = False
    bounds: Bounds | None = None

    def log(self, game: str, number: int, seed: int, seat: int, label: str) -> Path:
        """One file per match and seat."""
        return self.logs / f"{game}-{seed}-{number}-{seat}-{label}.log"

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """At the end print where the output is. A temporary folder without any is removed."""
        try:
            yield
        finally:
            if self.players and any(log.stat().st_size for log in self.logs.glob("*.log")):
                note(f"what the bots printed is in {self.logs}")
            elif self.players and self.temporary:
                shutil.rmtree(self.logs, ignore_errors=True)


def _bounds(isolate: bool | None, wall: bool | None) -> Bounds | None:
    """What files in processes of their own may use: yours anything, unless there is to be a wall.
    Raises UserError."""
    from client_sdk.bounds import Bounds
    from client_sdk.wall import missing

    if not (isolate if wall is None else wall):
        return None
    if (why := missing()) is None:
        return Bounds(wall="bubblewrap")
    if wall:
        raise UserError(f"--wall: there can be no wall: {why}")
    note(f"no wall ({why}): what plays can do all that you can")
    return None


def _apart(
    game: str,
    players: Sequence[PlayerSpec],
    wanted: bool | None,
    logs: Path | None,
    bounds: Bounds | None,
) -> _Apart:
    """Raises UserError."""
    found = frozenset(
        who for who, player in enumerate(players) if plays_apart(game, player, wanted)
    )
    if not found:
        return _Apart(found, Path())
    if logs is not None:
        made(logs, "--logs")
        return _Apart(found, logs, bounds=bounds)
    return _Apart(
        found, Path(tempfile.mkdtemp(prefix="botarena-logs-")), temporary=True, bounds=bounds
    )


def _play_headless(
    setting: Setting,
    players: Sequence[PlayerSpec],
    schedule: Schedule,
    shown: contextlib.AbstractContextManager[ShowMatch | None],
    apart: _Apart,
) -> list[FinishedGame]:
    from client_sdk.bot_files import owned
    from client_sdk.isolated import Isolated
    from client_sdk.local.headless import play_one

    game = setting.game
    files = [Path(player.spec).resolve() for player in players if player.kind == "file"]
    makers = {
        who: maker(game.name, player)
        for who, player in enumerate(players)
        if who not in apart.players
    }

    def seated(stack: contextlib.ExitStack, number: int, seed: int, seat: int, who: int) -> Bot:
        if who not in apart.players:
            return makers[who]()
        log, file = (
            apart.log(game.name, number, seed, seat, players[who].label),
            Path(players[who].spec).resolve(),
        )
        own = None if apart.bounds is None else owned(file.parent, [file], files)
        return stack.enter_context(
            Isolated(file, game, log, limit_s=setting.limit_s, bounds=apart.bounds, own=own)
        )

    tell = _Faults(players)
    finished = []
    with apart.telling(), shown as show, progress(len(schedule)) as advance:
        for number, (seed, seating) in enumerate(schedule, start=1):
            with contextlib.ExitStack() as stack:
                bots = [seated(stack, number, seed, seat, who) for seat, who in enumerate(seating)]
                tell.begin(seed, seating)
                finished.append(
                    play_one(setting, number, seed, seating, bots, tell=tell, shown=show)
                )
            advance()
    return finished


class _Faults:
    """Reports a bot's first fault; the table counts them all."""

    def __init__(self, players: Sequence[PlayerSpec]) -> None:
        self._players = players
        self._reported: set[int] = set()
        self._seed = 0
        self._seating: tuple[int, ...] = ()

    def begin(self, seed: int, seating: tuple[int, ...]) -> None:
        self._seed, self._seating = seed, seating

    def __call__(self, seat: int, where: str, fault: Fault, match: Match) -> None:
        from client_sdk.local.headless import format_fault

        who = self._seating[seat]
        if who in self._reported:
            return
        self._reported.add(who)
        when = f"seed {self._seed}, turn {match.turn}"
        note(
            f"{self._players[who].label} failed in {where} ({when}). Reported once, then only "
            f"counted.\n{format_fault(fault)}"
        )


def _shown(
    game: AnyGame, watch: bool, pace_ms: int
) -> contextlib.AbstractContextManager[ShowMatch | None]:
    if not watch:
        return contextlib.nullcontext()
    from client_sdk.cli.screen import showing_match

    return showing_match(game, pace_ms)


def _report(
    game: AnyGame,
    players: Sequence[PlayerSpec],
    finished: Sequence[FinishedGame],
    replay_dir: Path | None,
    *,
    every_line: bool,
) -> None:
    from client_sdk.local import results

    labels = [player.label for player in players]
    if every_line or len(finished) <= LINES:
        for one in finished:
            say(results.line(game, labels, one))
    else:
        say(f"{len(finished)} games, seeds {finished[0].seed} to {finished[-1].seed}")
    out().print(results.table(game, labels, finished))
    if replay_dir is not None:
        _write_records(replay_dir, game, finished)


def made(folder: Path, option: str) -> None:
    """Have the folder before the first game is played. Raises UserError."""
    try:
        private.folder(folder)
    except OSError as fault:
        raise UserError(f"{option}: {folder}: {fault.strerror or fault}") from None


def _write_records(folder: Path, game: AnyGame, finished: Sequence[FinishedGame]) -> None:
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX, from_journal

    try:
        for one in finished:
            assert one.journal is not None
            stem = f"{game.name}-{one.seed}-{one.number}"
            replay = from_journal(one.journal, {game.name: game})
            for suffix, text in ((JOURNAL_SUFFIX, one.journal), (REPLAY_SUFFIX, replay)):
                with private.opened(folder / f"{stem}{suffix}", "wb") as file:
                    file.write(text.encode("utf-8", "surrogatepass"))
    except OSError as fault:
        raise UserError(f"--replay-dir: {folder}: {fault.strerror or fault}") from None
    say(
        f"{len(finished)} journal{'s' * (len(finished) > 1)} and "
        f"replay{'s' * (len(finished) > 1)} in {folder}"
    )
