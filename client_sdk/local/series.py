"""A series of games without a server: who plays in a process of its own, where the output of these
goes, and what bots do wrong."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from client_sdk.bot_files import owned
from client_sdk.console import UserError, note, progress
from client_sdk.leaving import process_restored
from client_sdk.local.headless import (
    FinishedGame,
    Schedule,
    Setting,
    ShowMatch,
    play_one,
)
from client_sdk.local.limits import CALL_S, OpenCall, Watchdog
from client_sdk.local.players import PlayerSpec, opened, placed
from client_sdk.local.seated import Fault, format_fault
from client_sdk.running import running_s

if TYPE_CHECKING:
    from client_sdk.bot import Bot
    from client_sdk.bounds import Bounds
    from games.core.match import Match


@dataclass(frozen=True, slots=True)
class Isolation:
    """The players that get processes of their own, and where their output goes."""

    players: frozenset[int]
    logs: Path
    temporary: bool = False
    bounds: Bounds | None = None

    def log(self, game: str, number: int, seed: int, seat: int, label: str) -> Path:
        """One file per match and seat."""
        return self.logs / f"{game}-{seed}-{number}-{seat}-{label}.log"

    @contextlib.contextmanager
    def reporting(self) -> Iterator[None]:
        """At the end print where the output is. A temporary folder without any is removed."""
        try:
            yield
        finally:
            if self.players and any(log.stat().st_size for log in self.logs.glob("*.log")):
                note(f"what the bots printed is in {self.logs}")
            elif self.players and self.temporary:
                shutil.rmtree(self.logs, ignore_errors=True)


def play_series(
    setting: Setting,
    players: Sequence[PlayerSpec],
    schedule: Schedule,
    shown: contextlib.AbstractContextManager[ShowMatch | None],
    isolation: Isolation,
) -> list[FinishedGame]:
    """All games of the schedule, in its order. Raises BadBot, BadSetup, NoSandbox, UserError."""
    game, players = setting.game, placed(players)
    files = [Path(player.spec).resolve() for player in players if player.kind == "file"]

    def seated(stack: contextlib.ExitStack, number: int, seed: int, seat: int, who: int) -> Bot:
        player, apart = players[who], who in isolation.players
        log = isolation.log(game.name, number, seed, seat, player.label) if apart else None
        bounds = own = None
        if player.kind == "file" and isolation.bounds is not None:
            file, bounds = Path(player.spec).resolve(), isolation.bounds
            own = owned(file.parent, [file], files)
        watch.call = OpenCall(player.label, "loading", f"seed {seed}", running_s(), CALL_S)
        bot = opened(
            game, player, log, apart=apart, limit_s=setting.limit_s, bounds=bounds, own=own
        )
        watch.call = None
        return stack.enter_context(bot)

    tell = _FirstFaults(players)
    finished = []
    watch = Watchdog()
    try:
        with (
            # a bot may put others in their place, to print into a file, or nowhere
            contextlib.redirect_stdout(sys.stdout),
            contextlib.redirect_stderr(sys.stderr),
            isolation.reporting(),
            shown as show,
            progress(len(schedule)) as advance,
            watch if setting.clocked else contextlib.nullcontext(),
        ):
            for number, (seed, seating) in enumerate(schedule, start=1):
                with contextlib.ExitStack() as stack:
                    stack.enter_context(process_restored())
                    bots = [seated(stack, number, seed, *at) for at in enumerate(seating)]
                    tell.begin(seed, seating)
                    done = play_one(
                        setting, number, seed, seating, bots, tell=tell, shown=show, watch=watch
                    )
                finished.append(done)
                advance()
    except KeyboardInterrupt:
        if watch.sentence is None:
            raise
        raise UserError(watch.sentence) from None
    return finished


class _FirstFaults:
    """Reports the first fault of each kind of each bot; the table counts them all."""

    def __init__(self, players: Sequence[PlayerSpec]) -> None:
        self._players = players
        self._reported: set[tuple[int, str]] = set()
        self._seed = 0
        self._seating: tuple[int, ...] = ()
        self._stderr = sys.stderr

    def begin(self, seed: int, seating: tuple[int, ...]) -> None:
        self._seed, self._seating = seed, seating

    def __call__(self, seat: int, what: str, fault: Fault, match: Match) -> None:
        who = self._seating[seat]
        if (who, what) in self._reported:
            return
        self._reported.add((who, what))
        when = f"seed {self._seed}, turn {match.turn}"
        text = f"{self._players[who].label} {what} ({when})"
        with contextlib.redirect_stderr(self._stderr):
            note(f"{text}. Reported once, then only counted.\n{format_fault(fault)}")
