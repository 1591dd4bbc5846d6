"""The output of a bot's process: read as it comes, and capped."""

from __future__ import annotations

import select
import sys
import threading
from pathlib import Path
from typing import IO, Final, TypeAlias

from client_sdk import private

LogFile: TypeAlias = Path | IO[bytes]
"""Where a bot's output goes: a file that is made, or a stream that is open."""

TAIL_BYTES: Final = 16 * 1024
"""What is kept in memory beside a file."""


def await_bytes(pipe: IO[bytes]) -> None:
    """Wait until something can be read, or the other side is closed; on Windows reading waits."""
    if sys.platform != "win32":
        _polled(pipe, None)


def has_bytes(pipe: IO[bytes]) -> bool:
    """Whether something waits to be read; on Windows that is not known. Raises OSError,
    ValueError."""
    if sys.platform == "win32":
        return False
    return bool(_polled(pipe, 0) & select.POLLIN)


def _polled(pipe: IO[bytes], within_ms: int | None) -> int:
    """What `poll` says of it within this time; None: any time."""
    assert sys.platform != "win32"
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return next((event for _, event in poll.poll(within_ms)), 0)


class Output:
    """A bot's output, capped: the first bytes in a file or a stream, or the last in memory."""

    def __init__(self, log: LogFile | None, most: int) -> None:
        self._path = log if isinstance(log, Path) else None
        self._file = private.opened(log, "wb") if isinstance(log, Path) else log
        self._most = most
        self._written = 0
        self._tail = bytearray()
        self._kept = most if log is None else TAIL_BYTES
        self._lock = threading.Lock()

    def add(self, chunk: bytes) -> bool:
        """Whether it is all kept for good."""
        with self._lock:
            self._tail += chunk
            del self._tail[: -self._kept]
            if self._file is not None:
                self._file.write(chunk[: self._most - self._written])
                self._file.flush()
            self._written = min(self._most, self._written + len(chunk))
            return not self.full

    @property
    def full(self) -> bool:
        """Whether no more is kept for good."""
        return self._written >= self._most

    def text(self) -> str:
        with self._lock:
            kept = bytes(self._tail) if self._path is None else self._path.read_bytes()
        return kept.decode(errors="replace")

    def tail(self) -> str:
        with self._lock:
            return self._tail.decode(errors="replace")

    def close(self) -> None:
        with self._lock:
            if self._file is not None and self._path is not None:
                self._file.close()
            self._file = None
