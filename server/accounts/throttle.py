"""A limit on tries a minute, counted by key (an address, a lobby)."""

from __future__ import annotations

from collections import OrderedDict

MINUTE = 60_000_000_000
"""ns."""
MOST_KEYS = 10_000
"""Keys that are kept, at most; the one that tried longest ago is dropped first."""


class Throttle:
    """A bucket for each key: full at first, it refills evenly. Moments are monotonic ns."""

    def __init__(self, tries: int, period: int = MINUTE) -> None:
        self._tries = tries
        self._period = period
        self._buckets: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """What was left, and when."""

    def open(self, key: str, at: int) -> bool:
        """Whether another try is due."""
        return self._left(key, at) >= 1

    def spend(self, key: str, at: int) -> None:
        """One try is used up."""
        self._buckets[key] = max(0.0, self._left(key, at) - 1), at
        self._buckets.move_to_end(key)
        if len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)

    def _left(self, key: str, at: int) -> float:
        left, since = self._buckets.get(key, (float(self._tries), at))
        return min(self._tries, left + (at - since) * self._tries / self._period)
