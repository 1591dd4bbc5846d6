"""How much of this server one seat, one address and all together may have. docs/hosting.md has the
table of all limits.

A refusal affects only the client that exceeds a limit.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Hashable

from client_sdk.running import Pause

FULL_NS = 2_000_000_000
"""After this time a bucket is full again, whatever was taken from it."""


class Rate:
    """A token bucket: `per_second` in the long run, twice as many in a burst."""

    __slots__ = ("_extra", "_left", "_most", "_pardoned", "_per_ns", "at")

    def __init__(self, per_second: int, at: int) -> None:
        self._per_ns = per_second / 1e9
        self._most = self._left = 2.0 * per_second
        self._extra = 0.0
        """What was sent in a pause of this process may have lain unread."""
        self._pardoned = at
        """No pause that ended before this is pardoned any more."""
        self.at = at
        """When something was taken last (monotonic ns)."""

    def allows(self, at: int, cost: int = 1) -> bool:
        """Take `cost` at this moment (monotonic ns), if the bucket holds it; whether it does."""
        self._left = min(self._most, self._left + (at - self.at) * self._per_ns)
        self.at = at
        if self._left >= cost:
            self._left -= cost
        elif self._extra >= cost:
            self._extra -= cost
        else:
            return False
        return True

    def pardon(self, pause: Pause) -> None:
        """Allow as much more as was to be sent while this process was paused, once."""
        if pause.ended > self._pardoned:
            self._pardoned = pause.ended
            self._extra = (pause.ended - pause.begun) * self._per_ns


class Rates:
    """A bucket for each of many, of whom those that were quiet for a while are forgotten: their
    buckets are full."""

    def __init__(self, per_second: int) -> None:
        self._per_second = per_second
        self._rates: dict[Hashable, Rate] = {}
        self._swept = 0

    def __len__(self) -> int:
        return len(self._rates)

    def of(self, whose: Hashable, at: int) -> Rate:
        """A client that comes back soon finds its bucket as it left it."""
        if at - self._swept > FULL_NS:
            self._swept = at
            rates = self._rates.items()
            self._rates = {key: rate for key, rate in rates if at - rate.at <= FULL_NS}
        rate = self._rates.get(whose)
        if rate is None:
            rate = self._rates[whose] = Rate(self._per_second, at)
        return rate


class PerAddress:
    """How many of something each address has now. A limit of 0 limits nothing."""

    def __init__(self, most: int) -> None:
        self._per_address = most
        self._from: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """One more from there; False: too many, and not counted."""
        if 0 < self._per_address <= self._from[address]:
            return False
        self._from[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._from[address] -= 1
        if not self._from[address]:
            del self._from[address]


class Crowd(PerAddress):
    """Connections: how many from each address, and how many viewers in all."""

    def __init__(self, *, per_address: int, viewers: int) -> None:
        super().__init__(per_address)
        self._most_viewers = viewers
        self.viewers = 0

    @property
    def crowded(self) -> bool:
        """No more viewers, whatever they want to watch."""
        return self.viewers >= self._most_viewers


def neighbourhood(address: str) -> str:
    """Who shares a limit with this address: itself, or its /64 network, for that is what one host
    of IPv6 has."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or ipaddress.ip_network((parsed, 64), strict=False))
