"""The time in which this process ran.

A process may not run for a while: a laptop's lid is closed, a virtual machine moves, or it is
stopped and continued. What others did meanwhile could not be read, so no deadline that we keep for
them may count that time. A `RunningTime` is a monotonic clock that leaves it out. It is used by
servers and clients alike.

Its owner calls `beat` at short intervals. A reading that comes much later than the last beat finds
that the process was paused, so a timer that fires right after the pause sees it too, whether or not
the next beat was earlier.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, NamedTuple

MS: Final = 1_000_000
"""ns in a ms."""
BEAT_S: Final = 0.02
"""How often the thread behind `running_s` beats."""
GAP_MS: Final = 100
"""Without a beat for longer than this, that thread was paused."""


class Pause(NamedTuple):
    """The process did not run between these moments (monotonic ns)."""

    begun: int
    """The last beat before it."""
    ended: int


class RunningTime:
    """Nanoseconds that stand still during a pause, and for a recovery time after it.

    `gap_ms`: without a beat for longer than this there was a pause. `recovery_ms`: how long others
    may take to come back after one. `cpu`: tells the processor time of this process (ns), which is
    time in which it ran although it did not beat; without it a process that computes for longer
    than the gap counts as paused. `read`: a monotonic clock (ns). `on_pause` is called when a pause
    is found, by the thread that finds it.

    Any thread may read it. There are no pauses before the first beat.
    """

    # fmt: off
    __slots__ = (
        "_base",
        "_beat",
        "_cpu",
        "_floor",
        "_gap",
        "_lock",
        "_lost",
        "_on_pause",
        "_read",
        "_recovery",
        "last",
        "resumed",
    )

    def __init__(
        self,
        *,
        gap_ms: int,
        recovery_ms: int = 0,
        cpu: Callable[[], int] | None = None,
        read: Callable[[], int] = time.monotonic_ns,
        on_pause: Callable[[Pause], None] | None = None,
    ) -> None:
        self._gap = gap_ms * MS
        self._recovery = recovery_ms * MS
        self._cpu = cpu
        self._read = read
        self._lock = threading.Lock()
        self._beat: int | None = None
        self._base = 0
        """The processor time at the last beat."""
        self._lost = 0
        """How far this clock is behind the monotonic one."""
        self._floor = 0
        """Where it stands since the last pause, until it goes on."""
        self.last: Pause | None = None
        """The newest pause."""
        self.resumed = 0
        """When the recovery after the newest pause ends (monotonic ns); 0: there was none."""
        self._on_pause = on_pause

    def beat(self) -> None:
        """The process runs."""
        self.now()
        self._ran()
        self._beat = self._read()

    def stop(self) -> None:
        """Beating ends: no pause is found until the next beat."""
        self._beat = None

    def now(self) -> int:
        """The running time (ns). Only differences mean something."""
        at = self._read()
        beat = self._beat
        if beat is not None and at - beat > self._gap:
            self._wake(beat, at)
        here = at - self._lost
        return here if here > self._floor else self._floor

    @property
    def behind(self) -> int:
        """How far it is behind the monotonic clock, or will be when the recovery ends (ns)."""
        return self._lost

    def recovering(self) -> bool:
        """Whether the clock stands, because a pause has just ended."""
        return self.now() == self._floor

    def _ran(self) -> int:
        """The processor time since this was asked last."""
        if self._cpu is None:
            return 0
        used, self._base = self._base, self._cpu()
        return max(0, self._base - used)

    def _wake(self, beat: int, at: int) -> None:
        with self._lock:
            if self._beat != beat:
                return  # another thread was here first
            begun = beat + self._ran()
            self._beat = at
            if at - begun <= self._gap:
                return
            self._floor = max(self._floor, begun - self._lost)
            self._lost = at + self._recovery - self._floor
            self.resumed = at + self._recovery
            self.last = pause = Pause(begun, at)
        if self._on_pause is not None:
            self._on_pause(pause)


_own = RunningTime(gap_ms=GAP_MS, cpu=time.process_time_ns)


def _watch() -> None:
    while True:
        _own.beat()
        time.sleep(BEAT_S)


_watchdog = threading.Thread()
_starting = threading.Lock()


def running_s() -> float:
    """Seconds for limits of other processes: they stand still while this one is paused, but not
    while it computes. The first call starts a thread that beats."""
    global _watchdog  # noqa: PLW0603  one for the process
    if not _watchdog.is_alive():
        with _starting:
            if not _watchdog.is_alive():
                _own.beat()
                _watchdog = threading.Thread(target=_watch, name="running-time", daemon=True)
                _watchdog.start()
    return _own.now() / 1e9
