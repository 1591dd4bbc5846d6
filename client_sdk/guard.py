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

from client_sdk.bounds import Bounds, Usage

LOOK_S: Final = 0.1
"""How often the guard looks."""
FILE_BYTES: Final = 1024
"""What a file costs that is empty, where files are in memory."""


@dataclass(slots=True)
class _Watched:
    bounds: Bounds
    end: Callable[[str], object]
    """Called once, in the guard's thread, with the bound that was passed."""
    ours: int
    folder: int | None


class Guard:
    """One thread that looks at all bounded programs, while there are any."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def watch(
        self,
        pid: int,
        bounds: Bounds,
        end: Callable[[str], object],
        *,
        ours: int = 1,
        folder: int | None = None,
    ) -> None:
        """From now on. On systems that show no processes nothing happens.

        `pid`: of the process above all that the program starts. `ours`: how many processes from
        there on are not the program's but ours. `folder`: descriptor of its folder in memory."""
        if sys.platform != "linux":
            return
        with self._lock:
            self._watched[pid] = _Watched(bounds, end, ours, folder)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="guard-of-bots", daemon=True)
                self._thread.start()

    def leave(self, pid: int) -> None:
        """Nothing is asked of the folder's descriptor any more when this returns."""
        with self._lock:
            self._watched.pop(pid, None)

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_S)
            with self._lock:
                if not self._watched:
                    self._thread = None
                    return
                passed = self._look()
            for end, why in passed:
                end(why)

    def _look(self) -> list[tuple[Callable[[str], object], str]]:
        """Those that have passed a bound; they are not watched any more."""
        used = usage(processes(), self._watched)
        found = []
        for pid, one in list(self._watched.items()):
            written = 0 if one.folder is None else written_bytes(one.folder)
            its = replace(
                used[pid],
                memory_bytes=used[pid].memory_bytes + written,
                processes=used[pid].processes - one.ours,
                disk_bytes=written,
            )
            why = its.beyond(one.bounds)
            if why is not None:
                del self._watched[pid]
                found.append((one.end, why))
        return found


guard = Guard()


def written_bytes(folder: int) -> int:
    """What the files take of a file system in memory, by a descriptor of its folder (Linux)."""
    if sys.platform != "linux":
        return 0
    all_ = os.statvfs(folder)
    return (all_.f_blocks - all_.f_bfree) * all_.f_frsize + (
        all_.f_files - all_.f_ffree
    ) * FILE_BYTES


@dataclass(frozen=True, slots=True)
class Process:
    parent: int
    session: int
    cpu_s: float


def processes() -> dict[int, Process]:
    """All that run (Linux)."""
    found: dict[int, Process] = {}
    if sys.platform != "linux":
        return found
    ticks = os.sysconf("SC_CLK_TCK")
    for entry in os.listdir("/proc"):  # noqa: PTH208  ten times a second: names will do
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = (
                    Path("/proc", entry, "stat")
                    .read_text(errors="replace")
                    .rpartition(")")[2]
                    .split()
                )
                found[int(entry)] = Process(
                    int(fields[1]), int(fields[3]), sum(map(int, fields[11:15])) / ticks
                )
    return found


def memory_bytes(pid: int) -> int:
    """What a process holds that no file on a disk does (Linux); nothing if it has ended."""
    with contextlib.suppress(OSError):
        lines = Path("/proc", str(pid), "status").read_text(errors="replace").splitlines()
        held = (line.split() for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
        return sum(int(words[1]) << 10 for words in held)
    return 0


def usage(
    table: Mapping[int, Process], roots: Iterable[int], memory: Callable[[int], int] = memory_bytes
) -> dict[int, Usage]:
    """By root: the use of it, its descendants and its session's processes, without its own memory.

    A process that has ended counts no more, but for the processor time that its parent has booked.
    """
    sums = {root: Usage() for root in roots}
    for pid, one in table.items():
        root = _root(pid, table, sums)
        if root is not None:
            so_far = sums[root]
            sums[root] = replace(
                so_far,
                memory_bytes=so_far.memory_bytes + (0 if pid == root else memory(pid)),
                cpu_s=so_far.cpu_s + one.cpu_s,
                processes=so_far.processes + 1,
            )
    return sums


def _root(pid: int, table: Mapping[int, Process], roots: Mapping[int, Usage]) -> int | None:
    """Whose this process is. Numbers may repeat while the table is read, so that a chain of parents
    may have no end."""
    session = table[pid].session
    for _ in range(len(table)):
        if pid in roots:
            return pid
        if pid not in table:
            break
        pid = table[pid].parent
    return session if session in roots else None
