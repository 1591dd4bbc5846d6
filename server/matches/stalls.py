"""When this process was held up: nothing was read and nothing sent meanwhile, and no seat pays for that."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from itertools import takewhile
from typing import NamedTuple

from server.matches.clock import MS

BEAT_MS = 10
STALL_MS = 20
"""What comes later than this was held up by the process or the machine, and is no seat's time."""
REMEMBERED = 100


class Stall(NamedTuple):
    """From when to when (monotonic ns)."""

    begun: int
    ended: int


class Stalls:
    """The newest ones, by a timer that notes when it rings late: before any task goes on, so that none misses a stall that it
    was held up by."""

    __slots__ = ("_known", "_timer")

    def __init__(self) -> None:
        self._known: deque[Stall] = deque(maxlen=REMEMBERED)
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """In the running loop, until closed."""
        due = time.monotonic_ns() + BEAT_MS * MS
        self._timer = asyncio.get_running_loop().call_later(BEAT_MS / 1000, self._ring, due)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self, due: int) -> None:
        self.rang(due, time.monotonic_ns())
        self.watch()

    def rang(self, due: int, at: int) -> None:
        """The timer was due then, and rang at that moment."""
        if at - due > STALL_MS * MS:
            self._known.append(Stall(due, at))

    def after(self, at: int) -> list[Stall]:
        """Those that began after this moment, oldest first."""
        if not self._known or self._known[-1].begun <= at:
            return []
        return list(takewhile(lambda stall: stall.begun > at, reversed(self._known)))[::-1]
