"""Watches what bounded programs use, each with all that it has started, and ends those that exceed
their bounds (Linux)."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from client_sdk.bounds import MB, Bounds

LOOK_S: Final = 0.1
"""How often the guard looks."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program and everything that it has started use together."""

    memory_bytes: int = 0
    cpu_s: float = 0.0
    processes: int = 0

    def beyond(self, bounds: Bounds) -> str | None:
        """The bound that is passed, in words."""
        if 0 < bounds.memory_bytes < self.memory_bytes:
            return f"more than {bounds.memory_bytes // MB} MB of memory"
        if 0 < bounds.processes < self.processes:
            return f"more than {bounds.processes} processes"
        if 0 < bounds.cpu_s < self.cpu_s:
            return f"more than {bounds.cpu_s} s of the processor"
        return None


@dataclass(slots=True)
class _Watched:
    bounds: Bounds
    end: Callable[[str], object]
    """Called once, in the guard's thread, with the bound that was passed."""


class Guard:
    """One thread that looks at all bounded programs, while there are any."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(self, pid: int, bounds: Bounds, end: Callable[[str], object]) -> None:
        """From now on. On systems that show no processes nothing happens."""
        if sys.platform != "linux":
            return
        with self._lock:
            self._watched[pid] = _Watched(bounds, end)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="guard-of-bots", daemon=True)
                self._thread.start()

    def leave(self, pid: int) -> None:
        with self._lock:
            self._watched.pop(pid, None)

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_S)
            with self._lock:
                if not self._watched:
                    self._thread = None
                    return
                watched = dict(self._watched)
            self.look(watched)

    def look(self, watched: Mapping[int, _Watched]) -> None:
        """Once at all of them."""
        used = usage(processes(), watched)
        for pid, one in watched.items():
            passed = used[pid].beyond(one.bounds)
            if passed is not None:
                self.leave(pid)
                one.end(passed)


guard = Guard()


@dataclass(frozen=True, slots=True)
class Process:
    parent: int
    session: int
    cpu_s: float
    memory_bytes: int


def processes() -> dict[int, Process]:
    """All that run (Linux)."""
    found: dict[int, Process] = {}
    if sys.platform != "linux":
        return found
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    for entry in os.listdir("/proc"):  # noqa: PTH208  ten times a second: names will do
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = Path("/proc", entry, "stat").read_text(errors="replace").rpartition(")")[2].split()
                cpu = sum(map(int, fields[11:15])) / ticks
                found[int(entry)] = Process(int(fields[1]), int(fields[3]), cpu, int(fields[21]) * page)
    return found


def usage(table: Mapping[int, Process], roots: Iterable[int]) -> dict[int, Usage]:
    """By root: what it, its descendants and whoever is in its session use. A process that has ended counts no more, but for the
    processor time that its parent has booked."""
    sums = {root: Usage() for root in roots}
    for pid in table:
        root = _root(pid, table, sums)
        if root is not None:
            one, so_far = table[pid], sums[root]
            sums[root] = replace(
                so_far,
                memory_bytes=so_far.memory_bytes + one.memory_bytes,
                cpu_s=so_far.cpu_s + one.cpu_s,
                processes=so_far.processes + 1,
            )
    return sums


def _root(pid: int, table: Mapping[int, Process], roots: Mapping[int, Usage]) -> int | None:
    """Whose this process is. Numbers may repeat while the table is read, so that a chain of parents may have no end."""
    session = table[pid].session
    for _ in range(len(table)):
        if pid in roots:
            return pid
        if pid not in table:
            break
        pid = table[pid].parent
    return session if session in roots else None
