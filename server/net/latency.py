"""How long the way to a client and back takes, measured by websocket pings."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable

NEWEST = 10
"""The newest measurements that count, and the pings that may be under way."""
BURST = 5
"""Pings that a new seat gets at once, so that its latency is known before the first turn."""


class Latency:
    """`send` sends a ping with this payload, unless the connection takes none now: False."""

    def __init__(self, send: Callable[[bytes], bool]) -> None:
        self.lag: int | None = None
        """The shortest of the newest round trips, ns. None: no pong has come yet."""
        self._send = send
        self._round_trips: deque[int] = deque(maxlen=NEWEST)
        self._pings: dict[bytes, int] = {}
        """When each unanswered ping was handed over (monotonic ns), oldest first."""
        self._burst = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self, interval_s: float) -> None:
        """Ping this often from now on."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(interval_s, self._ping_again, interval_s)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def measure(self) -> None:
        """Measure now, with a few pings."""
        self._burst = BURST
        self._ping()

    def pong(self, payload: bytes, received: int) -> bool:
        """Take a pong; False: it answers no ping.

        A client that skips pings has not answered them. One that delays pongs shows a longer way,
        and gains what a turn may be granted at most."""
        handed = self._pings.get(payload)
        if handed is None:
            return False
        while next(iter(self._pings)) != payload:
            del self._pings[next(iter(self._pings))]
        del self._pings[payload]
        self._round_trips.append(received - handed)
        self.lag = min(self._round_trips)
        if self._burst:
            self._burst -= 1
            if self._burst:
                self._ping()
        return True

    def _ping_again(self, interval_s: float) -> None:
        self._ping()
        self.start(interval_s)

    def _ping(self) -> None:
        """The payload is random, so that no client can answer a ping before it comes. A missing
        pong closes nothing."""
        payload = secrets.token_bytes(8)
        if not self._send(payload):
            return
        if len(self._pings) == NEWEST:
            del self._pings[next(iter(self._pings))]
        self._pings[payload] = time.monotonic_ns()
