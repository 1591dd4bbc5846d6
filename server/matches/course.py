"""How a match is played from its first turn on: turn by turn, or tick by tick."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial

from games.core.contract import Json
from games.core.match import Match
from server.matches.broadcaster import Broadcaster
from server.matches.clock import MS, Lateness, TickGrid, phase
from server.matches.dispatcher import Dispatcher
from server.matches.inbox import Steps
from server.matches.stalls import Stalls
from server.matches.timekeeper import Timekeeper
from server.matches.turns import Turns
from server.metrics import Metrics

now = time.monotonic_ns

SPREAD_MS = 1_000
"""Realtime matches begin at most this long apart, however long their ticks are: nothing is handled
before they begin."""


@dataclass(slots=True, eq=False)
class TurnCourse:
    """A turn is closed when no seat is waited for any more."""

    _match: Match
    _turns: Turns
    _dispatcher: Dispatcher
    _stalls: Stalls

    async def align(self) -> None:
        """A match by turns begins at once."""

    def play(self) -> Steps[None]:
        match, turns = self._match, self._turns
        with self._stalls.clocks_running():
            while match.outcome is None:
                turn = match.turn
                turns.open()
                if turns.waiting(turn):
                    yield from self._dispatcher.handle_turn(partial(turns.waiting, turn))
                else:
                    yield 0
                turns.close(turn)

    def counts(self) -> dict[str, Json]:
        """What the result says of the course."""
        return {}


@dataclass(slots=True, eq=False)
class TickCourse:
    """Realtime: only the grid closes a turn."""

    _match: Match
    _turns: Turns
    _dispatcher: Dispatcher
    _timekeeper: Timekeeper
    _broadcaster: Broadcaster
    _metrics: Metrics
    _tick_ms: int
    _number: int
    """Which match of this process it is."""
    _lateness: Lateness = field(default_factory=Lateness, init=False)

    async def align(self) -> None:
        """Matches begin at different points of the period, so that their ticks are spread."""
        step = min(self._tick_ms, SPREAD_MS) * MS
        while (left := (phase(self._number, step) - now()) % step) > MS:
            await asyncio.sleep(left / 1e9)

    def play(self) -> Steps[None]:
        match, grid = self._match, TickGrid(now(), self._tick_ms * MS)
        while match.outcome is None:
            self._turns.open()
            yield from self._dispatcher.handle_before(grid.due)
            while match.outcome is None and now() < (held := self._timekeeper.held):
                yield from self._dispatcher.handle_next(held)
            if match.outcome is None:
                ticked = now()
                self._metrics.tick(ticked - grid.due)
                match.advance({"late": self._lateness.of(ticked - grid.due)})
                grid.next(ticked)
            self._broadcaster.release()

    def counts(self) -> dict[str, Json]:
        """What the result says of the course."""
        return {"lateness_ms": self._lateness.json()}
