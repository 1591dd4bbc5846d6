"""What a stranger's program may use: memory, processor, processes, files.

    BotProcess(command, …, bounds=Bounds(memory_bytes=256 << 20))

The system's own limits, set before the program starts, hold for each of its processes (POSIX). The
guard (`client_sdk.guard`) ends programs that use more, with all that they have started (Linux).
With `sandbox="bubblewrap"` they also see nothing of the machine (`client_sdk.sandbox`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

MB: Final = 1 << 20
LONGEST_MS: Final = 7 * 24 * 3_600_000
"""The longest time limit of a turn or a start: no timer takes those of years."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """For one program with everything that it starts; 0: no bound."""

    memory_bytes: int = 1024 * MB
    """In the sandbox with all that it has written."""
    cpu_s: int = 0
    processes: int = 64
    file_bytes: int = 64 * MB
    """Of one file that it writes."""
    disk_bytes: int = 128 * MB
    """Of all that it writes, its own files included; only in the sandbox."""
    open_files: int = 256
    """Of one process."""
    sandbox: Literal["none", "bubblewrap"] = "none"
    readable: tuple[Path, ...] = ()
    """Files and folders that it may read in the sandbox besides the system's."""

    def limits(self) -> list[str]:
        """The system's limits as the launcher takes them."""
        values = {
            "DATA": self.memory_bytes,
            "CPU": self.cpu_s,
            "FSIZE": self.file_bytes,
            "NOFILE": self.open_files,
            "NPROC": self.processes,
        }
        return [f"{name}={value}" for name, value in values.items() if value]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program and everything that it has started use together."""

    memory_bytes: int = 0
    cpu_s: float = 0.0
    processes: int = 0
    disk_bytes: int = 0

    def beyond(self, bounds: Bounds) -> str | None:
        """The bound that is passed, in words."""
        for bound, used, what in (
            (bounds.memory_bytes, self.memory_bytes, f"{bounds.memory_bytes // MB} MB of memory"),
            (bounds.disk_bytes, self.disk_bytes, f"{bounds.disk_bytes // MB} MB on disk"),
            (bounds.processes, self.processes, f"{bounds.processes} processes"),
            (bounds.cpu_s, self.cpu_s, f"{bounds.cpu_s} s of the processor"),
        ):
            if 0 < bound < used:
                return f"more than {what}"
        return None
