"""The time that a side of Catastrophe has left."""

from __future__ import annotations

import time

from client_sdk.start import Start


class Clock:
    """One's own bank: sent by a server with every turn, else counted here."""

    def __init__(self, start: Start) -> None:
        self._banked = bool(start.clock.bank_ms or start.clock.increment_ms)
        self._bank_s = start.clock.bank_ms / 1000
        self._increment_s = start.clock.increment_ms / 1000
        self._turns = 0
        self._since: float | None = None

    def begin(self, bank_s: float | None) -> None:
        """One's turn begins, with this bank if the server has sent it."""
        if self._turns:
            self._bank_s += self._increment_s
        self._turns += 1
        if bank_s is not None:
            self._bank_s = bank_s
        self._since = time.monotonic()

    def end(self) -> None:
        left = self.left()
        self._since = None
        if left is not None:
            self._bank_s = left

    def left(self) -> float | None:
        """Seconds, rather too few than too many: the server charges its own work to no seat."""
        if not self._banked:
            return None
        return max(
            0.0, self._bank_s - (0.0 if self._since is None else time.monotonic() - self._since)
        )
