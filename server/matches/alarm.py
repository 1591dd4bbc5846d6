"""A timer that counts running time: a pause of this process does not bring its moment nearer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from client_sdk.running import MS, RunningTime


class Alarm:
    """Calls `ring` once, in the running loop, when `delay_ms` of running time have passed."""

    __slots__ = ("_due", "_ring", "_running", "_timer")

    def __init__(self, running: RunningTime, delay_ms: float, ring: Callable[[], object]) -> None:
        self._running = running
        self._due = running.now() + round(delay_ms * MS)
        self._ring = ring
        self._wind()

    def cancel(self) -> None:
        self._timer.cancel()

    @property
    def left_ms(self) -> int:
        """Whole ms until it rings, rounded down."""
        return max(0, self._due - self._running.now()) // MS

    def _wind(self) -> None:
        left_s = max(0, self._due - self._running.now()) / 1e9
        self._timer = asyncio.get_running_loop().call_later(left_s, self._look)

    def _look(self) -> None:
        """The loop's timer may ring before what came in a pause is read, and a moment too early."""
        if self._running.now() < self._due:
            self._wind()
        else:
            self._ring()


async def set_within(event: asyncio.Event, running: RunningTime, delay_ms: float) -> bool:
    """Wait for an event, at most this running time; whether it is set."""
    waiting = asyncio.ensure_future(event.wait())
    alarm = Alarm(running, delay_ms, waiting.cancel)
    try:
        await asyncio.wait([waiting])
    finally:
        alarm.cancel()
        waiting.cancel()
    return event.is_set()
