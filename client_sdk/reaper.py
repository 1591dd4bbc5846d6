"""A small process that ends the programs we have started when we die, even by SIGKILL (POSIX).

This file is also that process's program. It learns through a pipe which programs run. The pipe
closes when we die, and the process then ends what is left. Standard library only, because the
program runs without site-packages. On Windows nothing is done: programs of a killed process stay.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "BOTARENA_PROCESS"
"""The variable that marks programs which have left the process group of their parent."""
SWEEP_S = 2.0
"""How long what is left is looked for: a process may start another one while it is being ended, and
one that has just started shows its environment a moment later."""
NO_MARK = "-"
KERNEL_THREAD = 0x200000


class Reaper:
    """Keeps the list of programs to end after us. The process starts with the first program."""

    def __init__(self) -> None:
        self._left: dict[int, str] = {}
        self._expected = 0
        """The last number of a program that is about to start: they are negative."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def take(self, pid: int, mark: str = NO_MARK) -> None:
        """A program was started, the first of a group of its own, and perhaps with a mark for all
        that it starts."""
        if os.name != "posix":
            return
        with self._lock:
            self._left[pid] = mark
            if not self._tell(f"{pid} {mark}\n"):
                self._start()

    @contextlib.contextmanager
    def expecting(self, mark: str) -> Iterator[None]:
        """A program with this mark is started, and taken, within the context: were we killed in the
        middle, it is found by its mark."""
        with self._lock:
            self._expected -= 1
            number = self._expected
        self.take(number, mark)
        try:
            yield
        finally:
            self.leave(number)

    def leave(self, pid: int) -> None:
        """It has ended, or is being ended: later its number may be another's."""
        with self._lock:
            if self._left.pop(pid, None) is not None:
                self._tell(f"{pid}\n")

    def close(self) -> None:
        """End what is left, now."""
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                with contextlib.suppress(OSError):
                    self._process.stdin.close()
                self._process.wait()
            self._process = None

    def _start(self) -> None:
        """Start the process and send it every entry."""
        self._process = subprocess.Popen(  # noqa: S603  this file
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={
                name: value for name, value in os.environ.items() if name != MARK
            },  # keeps it out of its own sweep
            bufsize=0,
            start_new_session=True,
        )
        for pid, mark in self._left.items():
            self._tell(f"{pid} {mark}\n")

    def _tell(self, line: str) -> bool:
        """Whether it was there to hear it."""
        if self._process is None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(line.encode())
        except OSError:  # it was ended from outside
            return False
        return True


reaper = Reaper()
atexit.register(reaper.close)


def sweep(pid: int, mark: str = NO_MARK) -> None:
    """End a program with its group, and whatever carries its mark (POSIX). A negative number is
    that of no program."""
    if sys.platform == "win32":
        return
    if pid > 0:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    clean = 0 if mark != NO_MARK else 2
    until = time.monotonic() + SWEEP_S
    while clean < 2 and time.monotonic() < until:  # a second look finds what was started meanwhile
        left, unknown = marked(mark)
        clean = 0 if left or unknown else clean + 1
        if clean < 2 and not left:
            time.sleep(0.005)
        for one in left:
            with contextlib.suppress(OSError):
                os.kill(one, signal.SIGKILL)


def marked(mark: str) -> tuple[list[int], bool]:
    """The processes with this mark in their environment, and whether one of the others has an
    environment that the system does not show yet; none where the system shows no environments."""
    needle = f"{MARK}={mark}".encode()
    found = dict(_environments())
    left = [pid for pid, environment in found.items() if environment and needle in environment]
    return left, None in found.values()


def _environments() -> Iterator[tuple[int, list[bytes] | None]]:
    """Each process's environment; None while it becomes another program."""
    proc = Path("/proc")
    if sys.platform != "linux" or not proc.is_dir():
        return
    for entry in proc.iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                environment = (entry / "environ").read_bytes()
                new = not environment and becoming((entry / "stat").read_text())
                yield int(entry.name), None if new else environment.split(b"\0")


def becoming(stat: str) -> bool:
    """Whether a process, by its /proc/PID/stat, has a new program whose environment is not set up
    yet: its address is still 0, as with threads of the kernel and with those that have ended."""
    state, *fields = stat.rsplit(")", 1)[1].split()
    flags, environment_end = int(fields[5]), int(fields[47])
    return environment_end == 0 and state not in "ZX" and not flags & KERNEL_THREAD


def main() -> None:
    left: dict[int, str] = {}
    for line in sys.stdin:
        pid, *mark = line.split()
        if mark:
            left[int(pid)] = mark[0]
        else:
            left.pop(int(pid), None)
    for one, known in left.items():
        sweep(one, known)


if __name__ == "__main__":
    main()
