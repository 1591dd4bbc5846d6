"""The pauses of this process, as one match notices them.

A match keeps its deadlines as monotonic moments, so each is moved when a pause is noticed. What
clients did about the silence, they did in the pause: those that left come back first."""

from __future__ import annotations

from typing import NamedTuple

from client_sdk.running import RunningTime

SETTLE_MS = 250
"""It takes at most this long to read what was sent in a pause, closes of connections too."""


class Noticed(NamedTuple):
    """A pause (monotonic ns), and by how much it moves every deadline."""

    begun: int
    ended: int
    later: int


class Pauses:
    """`since`: no pause is noticed that ended before this moment (monotonic ns)."""

    __slots__ = ("_behind", "_running", "_seen")

    def __init__(self, running: RunningTime, since: int) -> None:
        self._running = running
        self._seen = since
        self._behind = running.behind

    def noticed(self, at: int) -> Noticed | None:
        """The newest pause, once, if it began before `at`."""
        self._running.now()
        pause = self._running.last
        if pause is None or pause.ended <= self._seen or pause.begun > at:
            return None
        self._seen = pause.ended
        before, self._behind = self._behind, self._running.behind
        return Noticed(pause.begun, pause.ended, self._behind - before)

    @property
    def resumed(self) -> int:
        """A connection that breaks before this moment may have been given up for our silence."""
        return self._running.resumed
