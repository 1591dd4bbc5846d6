"""Processes that are stopped for a while (Linux)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client_sdk.guard import processes
from tests.e2e.arena import eventually


def state(pid: int) -> str:
    """What /proc says: R, S, T for stopped, …"""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def with_all(pid: int) -> list[int]:
    """This process and its descendants, the youngest last."""
    table, found = processes(), [pid]
    for parent in found:
        found += [one for one, known in table.items() if known.parent == parent]
    return found


def stop(*pids: int) -> None:
    """They do not run when this returns."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    eventually(lambda: all(state(pid) == "T" for pid in pids))


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    """These processes do not run meanwhile. The first is stopped last and continued first."""
    try:
        stop(*pids[::-1])
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
