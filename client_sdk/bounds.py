"""What a stranger's program may use: memory, processor, processes, files; and what it may see of the machine.

    BotProcess(command, …, bounds=Bounds(memory_bytes=256 << 20))

Two things keep it within them. The system's own limits, set in the program before it is anything else, hold for each of its
processes (POSIX). One guard for all bounded programs looks at each with everything that it has started (Linux) and ends what uses
more together. With `wall="bubblewrap"` (Linux, where the program `bwrap` is installed) it sees the machine read-only, other
processes and temporary files not at all, and can write into its own folder only.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

MB: Final = 1 << 20
LAUNCHER: Final = Path(__file__).with_name("launcher.py")


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
