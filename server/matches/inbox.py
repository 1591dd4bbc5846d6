"""What a match has still to hear, in the order in which it came. Sessions put in, the driver alone takes out."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple


class Call(NamedTuple):
    """Something to be done in the match, and when it came (monotonic ns)."""

    at: int
    do: Callable[..., None]
    args: tuple[Any, ...]


class Inbox:
    __slots__ = ("_calls", "_waiter")

    def __init__(self) -> None:
        self._calls: deque[Call] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def put(self, at: int, do: Callable[..., None], *args: Any) -> None:
        self._calls.append(Call(at, do, args))
        self._wake()

    def take(self) -> Call | None:
        """What is there already."""
        return self._calls.popleft() if self._calls else None

    async def next(self, until: int | None) -> Call | None:
        """The next call, or None at `until` (monotonic ns; None: wait for ever). What came before that moment is never missed.

        The loop's own clock may be a ms off, so the time is checked again after waking.
        """
        if self._calls:
            return self._calls.popleft()
        if until is not None and time.monotonic_ns() >= until:
            await asyncio.sleep(0)
            return self.take()
        loop = asyncio.get_running_loop()
        while not self._calls:
            left = None if until is None else until - time.monotonic_ns()
            if left is not None and left <= 0:
                return None
            self._waiter = loop.create_future()
            timer = None if left is None else loop.call_later(left / 1e9, self._wake)
            try:
                await self._waiter
            finally:
                self._waiter = None
                if timer is not None:
                    timer.cancel()
        return self._calls.popleft()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
