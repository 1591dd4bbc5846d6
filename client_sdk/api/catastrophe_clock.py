"""The time that the sides of Catastrophe have left."""

from __future__ import annotations

import time
from collections.abc import Sequence

from client_sdk.start import Start


class Clock:
    """The banks: sent by a server with every view. Where there is none, one's own is counted
    here."""

    def __init__(self, start: Start) -> None:
        self.opponent_s: float | None = None
        """The opponent's, as of the newest view; None: unknown, or there is none."""
        self._seat = start.seat
        self._banked = bool(start.clock.bank_ms or start.clock.increment_ms)
        self._bank_s = start.clock.bank_ms / 1000
        self._increment_s = start.clock.increment_ms / 1000
        self._turns = 0
        self._since: float | None = None

    def see(self, banks_s: Sequence[float | None] | None) -> None:
        """A view has come, with these banks if the server has sent them."""
        self.opponent_s = None if banks_s is None else banks_s[1 - self._seat]
        if banks_s is not None and (own_s := banks_s[self._seat]) is not None:
            self._bank_s = own_s

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
