"""What a stranger's program may use: memory, processor, processes, files; and what it may see of the machine.

    BotProcess(command, …, bounds=Bounds(memory_bytes=256 << 20))

Two things keep it within them. The system's own limits, set in the program before it is anything else, hold for each of its
processes (POSIX). One guard for all bounded programs looks at each with everything that it has started (Linux) and ends what uses
more together. With `wall="bubblewrap"` (Linux, where the program `bwrap` is installed) it sees the machine read-only, other
processes and temporary files not at all, and can write into its own folder only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

MB: Final = 1 << 20
LOOK_S: Final = 0.1
"""How often the guard looks."""
LAUNCHER: Final = Path(__file__).with_name("bounded_child.py")


@dataclass(frozen=True, slots=True)
class Bounds:
    """For one program with everything that it starts; 0: no bound. `file_bytes`: of one file that it writes."""

    memory_bytes: int = 1024 * MB
    cpu_s: int = 0
    processes: int = 64
    file_bytes: int = 64 * MB
    open_files: int = 256
    wall: Literal["none", "bubblewrap"] = "none"
    hidden: tuple[Path, ...] = ()
    """Folders that are empty to it behind the wall."""


class NoWall(OSError):
    """Bubblewrap is asked for and is not here, or may not be used."""


def bounded(command: Sequence[str], bounds: Bounds, cwd: Path | None) -> list[str]:
    """The command that starts this one within its bounds. Raises FileNotFoundError for a program that is not there, NoWall."""
    command = list(command)
    if shutil.which(command[0], path=None if cwd is None else f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{cwd}") is None:
        raise FileNotFoundError(2, "there is no such program", command[0])
    if os.name != "posix":
        return command
    limits = {
        "DATA": bounds.memory_bytes,
        "CPU": bounds.cpu_s,
        "FSIZE": bounds.file_bytes,
        "NOFILE": bounds.open_files,
        "NPROC": bounds.processes,
    }
    given = [f"{name}={value}" for name, value in limits.items() if value]
    started = [sys.executable, "-I", "-S", str(LAUNCHER), *given, "--", *command]
    return started if bounds.wall == "none" else [*_wall(bounds, cwd), *started]


def _wall(bounds: Bounds, cwd: Path | None) -> list[str]:
    program = shutil.which("bwrap")
    if program is None:
        raise NoWall(2, "the program bwrap (package bubblewrap) is not installed", "bwrap")
    seen = {Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[1]}
    arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]  # noqa: S108  the bot's own view of it
    for folder in bounds.hidden:
        arguments += ["--tmpfs", str(folder)]
    for folder in sorted(seen):
        arguments += ["--ro-bind", str(folder), str(folder)]
    if cwd is not None:
        arguments += ["--bind", str(cwd), str(cwd), "--chdir", str(cwd)]
    return [program, *arguments, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--"]


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
