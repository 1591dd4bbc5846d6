"""The messages that a live match has still to handle, in the order in which they came."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Generator
from typing import TypeAlias, TypeVar

from server.matches.messages import MatchMessage

Given = TypeVar("Given")
Steps: TypeAlias = Generator[int, None, Given]
"""Steps of a match: the next one is taken when a message is there, or at the moment that was
yielded (monotonic ns), and after other tasks in any case."""


class Inbox:
    """It also runs the steps of the match, by callbacks of the loop: one costs a quarter of what a
    task takes to be woken."""

    __slots__ = ("_done", "_due", "_loop", "_messages", "_rings", "_scheduled", "_steps", "_timer")

    def __init__(self) -> None:
        self._messages: deque[MatchMessage] = deque()
        self._loop = asyncio.get_running_loop()
        self._steps: Steps[None] | None = None
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._due = 0
        self._scheduled = False
        self._timer: asyncio.TimerHandle | None = None
        self._rings = 0
        """When the timer does (monotonic ns). One that rings too early does no harm, so most waits
        need no new one."""

    def put(self, message: MatchMessage) -> None:
        self._messages.append(message)
        self._schedule()

    def __bool__(self) -> bool:
        return bool(self._messages)

    def take(self, before: int | None = None) -> MatchMessage | None:
        """What is there already; with `before` (monotonic ns): if it came before that moment."""
        if not self._messages or (before is not None and self._messages[0].at >= before):
            return None
        return self._messages.popleft()

    async def run(self, steps: Steps[None]) -> None:
        """Take these steps. Raises what it raises."""
        self._steps, self._done = steps, self._loop.create_future()
        self._go_on()
        try:
            await self._done
        finally:
            self._steps = None
            steps.close()

    def close(self) -> None:
        """Cancel the timer; no one waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        if self._steps is not None and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._wake)

    def _wake(self) -> None:
        self._scheduled = False
        if self._messages or time.monotonic_ns() >= self._due:
            self._go_on()
        else:
            self._wait()  # the timer was wound for an earlier moment, or rang a ms early

    def _go_on(self) -> None:
        if self._steps is None:
            return
        try:
            self._due = next(self._steps)
        except StopIteration:
            self._end(None)
        except Exception as fault:  # noqa: BLE001  it is the task's that runs this
            self._end(fault)
        else:
            self._wait()

    def _end(self, fault: Exception | None) -> None:
        self._steps = None
        if self._done.done():
            return  # the task was cancelled
        if fault is None:
            self._done.set_result(None)
        else:
            self._done.set_exception(fault)

    def _wait(self) -> None:
        left = self._due - time.monotonic_ns()
        if self._messages or left <= 0:
            self._schedule()
        elif self._timer is None or self._rings > self._due:
            if self._timer is not None:
                self._timer.cancel()
            self._rings = self._due
            self._timer = self._loop.call_later(left / 1e9, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self._schedule()
