"""When this process was held up: it read and sent nothing meanwhile, and no seat pays for it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from client_sdk.running import MS, Pause, RunningTime

BEAT_MS = 2
IDLE_MS = 50
"""The timer rings this often: while clocks run, and else, when only long stalls count."""
HELD_MS = 2
"""When the timer is later than this, something else was done, and what came lay unread."""
STALL_MS = 20
"""What comes later than this was held up by the process or the machine, and is no seat's time."""
PAUSE_MS = 1_000
"""A process whose timer has not rung for this long was paused, and clients may have left."""
REMEMBERED = 1_000


class Stall(NamedTuple):
    """From when to when (monotonic ns)."""

    begun: int
    ended: int


class Stalls:
    """The newest ones, by a timer that notes when it rings late: before any task goes on, so that
    none misses a stall that it was held up by."""

    __slots__ = (
        "_clocks",
        "_due",
        "_held",
        "_known",
        "_on_lag",
        "_timer",
        "count",
        "running",
        "total",
    )

    def __init__(
        self,
        recovery_ms: int = 0,
        *,
        on_lag: Callable[[int], None] = lambda late: None,
        on_pause: Callable[[Pause], None] | None = None,
    ) -> None:
        """`recovery_ms`: how long clients may take to come back after a pause. `on_lag` is called
        each time the timer rings, with how late it is (ns)."""
        self.running = RunningTime(gap_ms=PAUSE_MS, recovery_ms=recovery_ms, on_pause=on_pause)
        """The clock of every deadline that is not a seat's clock: it leaves pauses out."""
        self._known: deque[Stall] = deque(maxlen=REMEMBERED)
        self._held: deque[Stall] = deque(maxlen=REMEMBERED)
        """The short ones as well."""
        self._clocks = 0
        """Matches that are played by clocks now."""
        self.count = 0
        self.total = 0
        """Since the beginning: how many, and ns of them all."""
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0
        """When the timer is to ring (monotonic ns)."""
        self._on_lag = on_lag

    def watch(self) -> None:
        """In the running loop, until closed."""
        self.running.beat()
        beat = BEAT_MS if self._clocks else IDLE_MS
        self._due = time.monotonic_ns() + beat * MS
        self._timer = asyncio.get_running_loop().call_later(beat / 1000, self._ring)

    @contextmanager
    def clocks_running(self) -> Iterator[None]:
        """A match is played by clocks: the timer rings more often, from now on."""
        self._clocks += 1
        if self._clocks == 1 and self._timer is not None:
            self._timer.cancel()
            self._ring()
        try:
            yield
        finally:
            self._clocks -= 1

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self.running.stop()

    def _ring(self) -> None:
        self.rang(self._due, time.monotonic_ns())
        self.watch()

    def rang(self, due: int, at: int) -> None:
        """The timer was due then, and rang at that moment."""
        self._on_lag(at - due)
        if at - due > HELD_MS * MS:
            self._held.append(Stall(due, at))
        if at - due > STALL_MS * MS:
            self._known.append(Stall(due, at))
            self.count += 1
            self.total += at - due

    def any_since(self, at: int) -> bool:
        """Whether one, however short, ended at this moment or after it."""
        return bool(self._held) and self._held[-1].ended >= at

    def hiding(self, at: int) -> Stall | None:
        """The one in which what was read at this moment may have come, however short: it ended
        right then, or a moment before."""
        for held in reversed(self._held):
            if held.begun <= at:
                return held if at <= held.ended + HELD_MS * MS else None
        return None

    def following(self, at: int) -> Stall | None:
        """The one in which what was handed over at this moment may have lain: it began right then,
        or a moment later."""
        found = None
        for held in reversed(self._held):
            if held.ended <= at:
                break
            found = held
        return found if found is not None and found.begun <= at + BEAT_MS * MS else None

    def after(self, at: int) -> list[Stall]:
        """Those that began after this moment, oldest first."""
        if not self._known or self._known[-1].begun <= at:
            return []
        return list(takewhile(lambda stall: stall.begun > at, reversed(self._known)))[::-1]
