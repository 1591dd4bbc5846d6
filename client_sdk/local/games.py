"""One game in a process beside others: its players, its records, and who is to blame for none."""

from __future__ import annotations

import contextlib
import re
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from client_sdk import private
from client_sdk.bounds import Bounds
from client_sdk.errors import BadBot
from client_sdk.leaving import process_restored
from client_sdk.local.disk import write
from client_sdk.local.headless import FinishedGame, Setting, play_one
from client_sdk.local.limits import Watchdog
from client_sdk.local.players import PlayerSpec, bounds_of, opened, plays_apart
from client_sdk.local.seated import Fault, format_fault
from client_sdk.local.server import local_server
from client_sdk.remote import RemoteBot
from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX, from_journal
from games import GAMES
from games.core.contract import Json
from games.core.match import Match
from games.core.turns import turn_text

if TYPE_CHECKING:
    from client_sdk.bot import Bot


COMING_S: Final = 60.0
"""A program has to connect within this time."""
UNSAFE: Final = re.compile(r"[^\w\- ]")
"""Characters of a bot's name that are not taken into the name of a file."""
NAME_LONGEST: Final = 40
MAX_FAULTS: Final = 20
"""Faults of a game's bots that are written down, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A game to be played: all that a process needs to know, hence the fields. Players by seat."""

    record: str
    game: str
    config: Mapping[str, Json]
    map_text: str | None
    seed: int
    players: tuple[PlayerSpec, ...]
    limit_s: float | None
    games: Path | None
    """Where the records go; None: they are not kept."""
    logs: Path
    limits: Bounds | None = None
    """What each player that is a file or a program may use."""
    apart: bool | None = True
    """Whether a file that is no C file has a process of its own (None: by game): without one its
    games start sooner, but it is not kept from anything."""
    replay: bool = True
    """Whether there is a replay beside the journal; it can be made of that at any time."""
    server: tuple[str, Path] | None = None
    """Address and folder of the server, where a player is a program."""


class BotFault(NamedTuple):
    """What the bot at a seat did wrong. `turn`: as in messages."""

    seat: int
    turn: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult:
    """What became of it. `outcome` is None where nothing was played: `absent` seats did not come,
    or no seat is at fault."""

    outcome: dict[str, Json] | None
    turns: int = 0
    seconds: float = 0.0
    failed: tuple[int, ...] = ()
    """Per seat the turns on which it failed."""
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The same by kind (`late`, `crashed`, `illegal`)."""
    asked: tuple[int, ...] = ()
    """Per seat the turns on which it was asked."""
    absent: tuple[int, ...] = ()
    why: str = ""
    faults: tuple[BotFault, ...] = ()
    written: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """How many bytes each seat's log had at the end of a turn, and before the first one (an empty
    text); left out where nothing was written."""


def play(task: Task) -> TaskResult:
    """Play one game; its records are whole on the disk when this returns."""
    begun = time.perf_counter()
    faults: list[BotFault] = []
    written: list[tuple[str, tuple[int, ...]]] = []
    try:
        played = _served(task) if task.server is not None else _headless(task, faults, written)
    except _Absent as absent:
        return TaskResult(outcome=None, absent=absent.seats, why=str(absent))
    except Exception:  # noqa: BLE001  not a bot's fault: report the traceback; the game is played again
        return TaskResult(outcome=None, why=traceback.format_exc())
    if task.games is not None:
        assert played.journal is not None
        journal = played.journal.encode(
            "utf-8", "surrogatepass" if task.server is None else "surrogateescape"
        )
        write(task.games / f"{task.record}{JOURNAL_SUFFIX}", journal)
        if task.replay:
            replay = from_journal(journal, GAMES).encode("utf-8", "surrogatepass")
            write(task.games / f"{task.record}{REPLAY_SUFFIX}", replay)
    return TaskResult(
        outcome=played.outcome,
        turns=played.turns,
        seconds=time.perf_counter() - begun,
        failed=tuple(one.failed + one.illegal + one.late for one in played.stats),
        counts={
            "late": tuple(one.late for one in played.stats),
            "crashed": tuple(one.failed for one in played.stats),
            "illegal": tuple(one.illegal for one in played.stats),
        },
        asked=tuple(stats.turns for stats in played.stats),
        faults=tuple(faults),
        written=tuple(written),
    )


class _Interrupted(Exception):
    """The run is over."""


class _Absent(Exception):
    def __init__(self, why: str, seats: Sequence[int]) -> None:
        super().__init__(why)
        self.seats = tuple(seats)


def _setting(task: Task) -> Setting:
    return Setting(
        game=GAMES[task.game],
        config=task.config,
        map_text=task.map_text,
        names=[player.label for player in task.players],
        limit_s=task.limit_s,
        clocked=frozenset(seat for seat in range(len(task.players)) if _plays_here(task, seat)),
        record=task.games is not None,
    )


def _plays_here(task: Task, seat: int) -> bool:
    """Whether this player is a file that plays in this process."""
    player = task.players[seat]
    return player.kind == "file" and not plays_apart(task.game, player, task.apart)


def _headless(
    task: Task, faults: list[BotFault], written: list[tuple[str, tuple[int, ...]]]
) -> FinishedGame:
    """House bots in this very process, files as the task says. `faults` and `written` are
    filled, as in `TaskResult`."""
    logs = [log_of(task, seat) for seat in range(len(task.players))]
    sizes, turn = (0,) * len(logs), ""

    def look(match: Match, _: Sequence[str]) -> None:
        nonlocal sizes, turn
        for bot in bots:
            if isinstance(bot, RemoteBot):
                bot.settle()
        now = tuple(log.stat().st_size if log.exists() else 0 for log in logs)
        if now != sizes:
            sizes = now
            written.append((turn, now))
        turn = turn_text(match.game, match.turn)

    watch = Watchdog()
    setting = _setting(task)

    def tell(seat: int, what: str, fault: Fault, match: Match) -> None:
        if len(faults) < MAX_FAULTS:
            said = f"{task.players[seat].label} {what}\n{format_fault(fault)}\n"
            faults.append(BotFault(seat, turn_text(match.game, match.turn), said))

    with contextlib.ExitStack() as stack:
        stack.enter_context(process_restored())
        bots = [stack.enter_context(_bot(task, seat)) for seat in range(len(task.players))]
        if setting.clocked:
            stack.enter_context(_interruptible(setting, watch))
        played = play_one(
            setting,
            1,
            task.seed,
            tuple(range(len(task.players))),
            bots,
            tell=tell,
            shown=look if any(log.exists() for log in logs) else None,
            called=task.record,
            watch=watch,
        )
    if faults:
        for seat in sorted({fault.seat for fault in faults}):
            lines = [f"turn {one.turn}: {one.text}" for one in faults if one.seat == seat]
            with private.opened(_beside(task, seat, "faults.txt"), "wb") as file:
                file.write("\n".join(lines).encode("utf-8", "backslashreplace"))
    return played


@contextlib.contextmanager
def _interruptible(setting: Setting, watch: Watchdog) -> Iterator[None]:
    """Around a game with files in this process, which can be interrupted if one hangs. Raises
    _Absent then, and _Interrupted where it was Ctrl-C."""
    try:
        with watch:
            yield
    except KeyboardInterrupt:
        if watch.sentence is None:
            raise _Interrupted from None
        raise _Absent(watch.sentence, sorted(setting.clocked)) from None


@contextlib.contextmanager
def _bot(task: Task, seat: int) -> Iterator[Bot]:
    player, log = task.players[seat], log_of(task, seat)
    try:
        bot = opened(
            GAMES[task.game],
            player,
            log if plays_apart(task.game, player, task.apart) else None,
            apart=task.apart,
            limit_s=task.limit_s,
            bounds=bounds_of(player, task.limits),
        )
    except BadBot as fault:
        raise _Absent(str(fault), [seat]) from None
    with bot as playing:
        yield playing
    _tidy(log)


def log_of(task: Task, seat: int) -> Path:
    """What the bot at this seat has printed."""
    return _beside(task, seat, "log")


def _beside(task: Task, seat: int, kind: str) -> Path:
    """A file of what a bot did in a game, with its name where that is one of a file."""
    name = UNSAFE.sub("_", task.players[seat].label)[:NAME_LONGEST]
    return task.logs / f"{task.record}.{seat}.{name}.{kind}"


def _tidy(log: Path) -> None:
    """A bot that has printed nothing leaves no file."""
    if log.exists() and not log.stat().st_size:
        log.unlink()


def _served(task: Task) -> FinishedGame:
    """All players are programs that connect to the server."""
    from client_sdk.local.served import NotStarted, play_one_served
    from client_sdk.rest import RestClient

    assert task.server is not None
    url, folder = task.server
    with RestClient(url) as rest:
        try:
            return play_one_served(
                rest,
                url,
                folder,
                _setting(task),
                1,
                task.seed,
                tuple(range(len(task.players))),
                task.players,
                patience_s=COMING_S,
                bounds=task.limits,
                log=lambda seat: log_of(task, seat),
            )
        except NotStarted as absent:
            raise _Absent(str(absent), absent.seats) from None
        finally:
            for seat in range(len(task.players)):
                _tidy(log_of(task, seat))


@contextlib.contextmanager
def server_for(players: Iterable[PlayerSpec]) -> Iterator[tuple[str, Path] | None]:
    """The address and folder of one server for all games of these players; None if none of them
    connects to one. Raises UserError."""
    if not any(player.connects for player in players):
        yield None
        return
    with (
        TemporaryDirectory(prefix="botarena-server-", ignore_cleanup_errors=True) as folder,
        local_server(Path(folder)) as url,
    ):
        yield url, Path(folder)


def passed(done: TaskResult, seat: int) -> str | None:
    """Whether a bot has finished its check game: None, or why not (T2)."""
    if done.outcome is None:
        return done.why
    if done.outcome["outcome"] == "forfeit" and done.outcome["winner"] not in (None, seat):
        return f"lost by forfeit: {done.outcome['reason']}"
    if done.asked[seat] and done.failed[seat] >= done.asked[seat]:
        return "failed on every turn"
    return None
