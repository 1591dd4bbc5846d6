"""Bots that play in our process neither end it without a word nor keep it from ending."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from os import _exit
from typing import Final, NoReturn

ENDING_S: Final = 5.0
"""How long threads and exit handlers of bots may hold up the end of the process."""
HELD_UP: Final = f"a thread or an exit handler still runs after {ENDING_S:.0f} s and is left behind"
CHANGED: Final = (
    "If a bot in this process has changed Python itself: --isolate gives it a process of its own."
)


@contextlib.contextmanager
def exits_raise() -> Iterator[None]:
    """Within it `os._exit` raises SystemExit, as `sys.exit` does, except in forked processes."""
    process, leave = os.getpid(), os._exit

    def raising(status: int) -> NoReturn:
        if os.getpid() != process:
            leave(status)
        raise SystemExit(status)

    os._exit = raising
    try:
        yield
    finally:
        os._exit = leave


@contextlib.contextmanager
def process_restored() -> Iterator[None]:
    """After it the process is as before where bots often change it: working directory, environment,
    recursion limit, where modules are looked for, and the standard channels."""
    deepest, places = sys.getrecursionlimit(), sys.path.copy()
    environment, modules = os.environ.copy(), sys.modules.copy()
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # it is gone
            stack.callback(os.chdir, os.getcwd())  # noqa: PTH109  as it is
        for channel in range(3):
            with contextlib.suppress(OSError):  # it is closed
                copy = os.dup(channel)
                stack.callback(os.close, copy)
                stack.callback(os.dup2, copy, channel)
        try:
            yield
        except Exception as fault:
            fault.add_note(CHANGED)
            raise
        finally:
            sys.setrecursionlimit(deepest)
            sys.path[:] = places
            if __name__ not in sys.modules:  # they were cleared
                sys.modules.update(modules)
            if os.environ != environment:
                os.environ.clear()
                os.environ.update(environment)


def end_soon(status: int) -> None:
    """The process is about to end: see that it does, with this status."""
    threading.Thread(target=_end, args=(status,), name="end-soon", daemon=True).start()


def end_after(thread: threading.Thread) -> None:
    """See that the process ends soon after this thread, the main thread: it is over before Python
    waits for the others and calls exit handlers."""
    thread.join()
    _end(0)


def _end(status: int) -> None:
    time.sleep(ENDING_S)
    with contextlib.suppress(Exception):  # such as streams that a bot has closed
        sys.stderr.write(f"botarena: {HELD_UP}\n")
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    _exit(status)
