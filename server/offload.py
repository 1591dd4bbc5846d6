"""Work that would hold the event loop up, in a process of its own that starts when it is first
needed.

A thread would not do: it shares the interpreter with the clocks of all matches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

import structlog

from server.errors import Refusal
from server.low_priority import begin

P = ParamSpec("P")
T = TypeVar("T")

PROCESSES = 1


class Offload:
    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._starting = asyncio.Lock()

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What a module's function returns or raises. Arguments and results are pickled.

        Raises Refusal if the process cannot be started, or is killed.
        """
        pool = None
        try:
            async with self._starting:
                if self._pool is None:
                    self._pool = _pool()
                pool = self._pool
                future: Future[T] = await asyncio.to_thread(pool.submit, work, *args, **kwargs)
            return await asyncio.wrap_future(future)
        except (BrokenProcessPool, OSError) as fault:
            structlog.get_logger().warning("the process for large bodies failed", why=str(fault))
            if self._pool is pool:
                self._pool = None
            text = "the server cannot check large bodies at the moment; try again later"
            raise Refusal(503, "overloaded", text) from None

    async def close(self) -> None:
        if self._pool is not None:
            await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn"), initializer=begin)
