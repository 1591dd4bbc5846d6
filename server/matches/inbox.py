"""The messages that a live match has still to handle, in the order in which they came."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from server.matches.messages import MatchMessage


class Inbox:
    __slots__ = ("_messages", "_rings", "_timer", "_waiter")

    def __init__(self) -> None:
        self._messages: deque[MatchMessage] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0
        """When the timer does (monotonic ns). One that rings too early does no harm, so most waits
        need no new one."""

    def put(self, message: MatchMessage) -> None:
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __bool__(self) -> bool:
        return bool(self._messages)

    def take(self, before: int | None = None) -> MatchMessage | None:
        """What is there already; with `before` (monotonic ns): if it came before that moment."""
        if not self._messages or (before is not None and self._messages[0].at >= before):
            return None
        return self._messages.popleft()

    async def wait(self, until: int) -> None:
        """Until something is there, or that moment (monotonic ns). Other tasks run in any case.

        The loop's own clock may be a ms off, so the time is checked again after waking.
        """
        left = until - time.monotonic_ns()
        if self._messages or left <= 0:
            await asyncio.sleep(0)
            return
        loop = asyncio.get_running_loop()
        while left > 0 and not self._messages:
            if self._timer is None or self._rings > until:
                self._wind(loop, until, left)
            self._waiter = loop.create_future()
            await self._waiter
            left = until - time.monotonic_ns()

    def close(self) -> None:
        """Cancel the timer; no one waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wind(self, loop: asyncio.AbstractEventLoop, until: int, left: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings = until
        self._timer = loop.call_later(left / 1e9, self._ring)

    def _ring(self) -> None:
        self._timer = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
