"""CPU work of the server in a child process, so that it does not delay the clocks of matches.

A thread would not do: it shares the interpreter with the event loop. What takes longer than a
millisecond or two goes through here::

    await offload.answer(write_replay, path, games)   # for a client: refused if too much waits
    order = await offload.run(ordered, found, games)  # the server needs it

Pass a function of a module that imports little, for the child imports it too. It depends on its
arguments and on files alone; what it caches in the child may be lost at any time. Arguments,
results and exceptions are pickled:

* Unpickling a result holds up the event loop. Return what is large as `bytes`: JSON as it is sent,
  or a pickle that is loaded when it is needed.
* An exception must survive `pickle.loads(pickle.dumps(fault))`. `Refusal` does.
* A `Game` is pickled by the names of its functions, so these are functions of modules.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

import structlog

from server.errors import Refusal
from server.offload_child import serve

P = ParamSpec("P")
T = TypeVar("T")

QUEUE = 256
"""With as many calls waiting, `answer` refuses more."""


class ChildDied(Exception):
    """The child process was ended from outside or could not be started, or the server stops."""


class TookTooLong(ChildDied):
    """The call took longer than the child gives to one."""


class Offload:
    """One child process, started by the first call. It runs one call at a time, in order.
    `most_s`: a call that takes longer is ended, with the child; None: no call is."""

    def __init__(self, most_s: float | None = None) -> None:
        self._most_s = most_s
        self._caller = ThreadPoolExecutor(1, "offload")
        """Its thread waits for the child."""
        self._child: tuple[BaseProcess, Connection] | None = None
        self._waiting = 0
        self.closed = False
        """Whether it was ended, and takes no call any more."""

    async def answer(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `work` in the child for a client. Raises Refusal if too many wait, if it takes too
        long, or if the child dies."""
        if self._waiting >= QUEUE:
            raise _overloaded()
        try:
            return await self._run(partial(work, *args, **kwargs))
        except TookTooLong:
            text = f"this takes more than {self._most_s:g} s; send something that is simpler"
            raise Refusal(422, "too_much_work", text) from None
        except ChildDied:
            raise _overloaded() from None

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `work` in the child; once more if that dies. Raises ChildDied."""
        try:
            return await self._run(partial(work, *args, **kwargs))
        except TookTooLong:
            raise
        except ChildDied:
            return await self._run(partial(work, *args, **kwargs))

    async def _run(self, work: partial[T]) -> T:
        if self.closed:
            raise ChildDied
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._caller, self._call, work)
        finally:
            self._waiting -= 1

    def _call(self, work: partial[Any]) -> Any:
        """In the caller's thread. Raises what `work` raises, and ChildDied."""
        call = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        try:
            if self._child is None and not self.closed:
                self._child = _start()
            if self._child is None or self.closed:
                raise EOFError
            _, calls = self._child
            calls.send_bytes(call)
            if not calls.poll(self._most_s):
                self._kill()
                structlog.get_logger().warning("a call took too long", most_s=self._most_s)
                raise TookTooLong
            answer = calls.recv_bytes()
        except (EOFError, OSError) as fault:
            self._kill()
            if not self.closed:
                log = structlog.get_logger()
                log.warning("the child process for CPU work died", why=repr(fault))
            raise ChildDied from None
        returned, raised = pickle.loads(answer)  # noqa: S301  our own process made it
        if raised is not None:
            raise raised
        return returned

    def _kill(self) -> None:
        if self._child is not None:
            process, calls = self._child
            self._child = None
            process.kill()
            process.join()
            calls.close()

    async def close(self) -> None:
        """End the child at once. Calls that wait raise ChildDied."""
        self.closed = True
        if self._child is not None:
            self._child[0].kill()
        await asyncio.to_thread(self._caller.shutdown)
        self._kill()


def _start() -> tuple[BaseProcess, Connection]:
    """A child, and the connection to it. Raises OSError."""
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(there,), name="offload", daemon=True)
    with there:
        process.start()
    return process, here


def _overloaded() -> Refusal:
    text = "the server cannot do this work at the moment; try again later"
    return Refusal(503, "overloaded", text)
