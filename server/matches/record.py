"""What of a match reaches the disk: the journal while it is played, the result when it is over.

`<id>.journal.jsonl` is only ever appended to. `<id>.result.json` is written whole or not at all, after the journal's last line is
safe, and names the journal's head.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from games.core.journal import Chain, Journal, encode

Json = Any

_encode = msgspec.json.Encoder().encode

JOURNAL = ".journal.jsonl"
RESULT = ".result.json"
REPLAY = ".replay.jsonl"


class JournalFile(Journal):
    """A match's journal on the disk. Once `flush` returned its lines are in the hands of the system: a killed process loses none.

    Lines become text when they are flushed and not before, so that no view waits for them.
    """

    __slots__ = ("_dirty", "_file", "_late", "_lines", "path")

    def __init__(self, path: Path, *, head: str | None = None) -> None:
        """A new file; with the `head` of its last line: one that is there. Raises OSError."""
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0) | (os.O_CREAT | os.O_EXCL if head is None else 0)
        self._file: int | None = os.open(path, flags, 0o640)
        self._lines: list[str] = []
        self._dirty = False
        super().__init__(self._lines.append)
        self._chain = self._late = LateChain(self._lines.append, head or "")

    @classmethod
    def again(cls, path: Path, head: str, size: int) -> JournalFile:
        """Go on with a file whose last whole line, named by `head`, ends at this byte. Raises OSError."""
        os.truncate(path, size)
        return cls(path, head=head)

    @property
    def head(self) -> str:
        self._late.settle()
        return self._late.head

    def flush(self) -> None:
        """Before anybody is told of what the lines say. Raises OSError; the file takes nothing more then."""
        self._late.settle()
        if not self._lines or self._file is None:
            return
        data = memoryview("".join(self._lines).encode())
        self._lines.clear()
        self._dirty = True
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            self.close()
            raise

    def sync(self) -> None:
        """To the disk itself, if anything was written since the last time. Blocks: not for the loop."""
        if self._dirty and self._file is not None:
            self._dirty = False
            os.fsync(self._file)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


class LateChain(Chain):
    """Keeps lines as they come until they are settled."""

    __slots__ = ("_kept",)

    def __init__(self, write: Callable[[str], object], head: str = "") -> None:
        super().__init__(write, head)
        self._kept: list[dict[str, Json]] = []

    def line(self, kind: str, **fields: Json) -> None:
        self._kept.append({"k": kind, **fields})

    def settle(self) -> None:
        """Write what was kept."""
        for line in self._kept:
            self.take(ascii_text(line))
        self._kept.clear()


def ascii_text(value: Json) -> str:
    """JSON as `games.core.journal.encode` writes it, in a fifth of the time for nearly every line."""
    try:
        text = _encode(value)
    except (TypeError, OverflowError, ValueError):
        return encode(value)
    return text.decode() if text.isascii() else encode(value)


def write_whole(path: Path, data: bytes) -> None:
    """A file that is there with all of this or not at all. Blocks: not for the loop. Raises OSError."""
    scratch = path.with_name(f".{path.name}.part")
    with scratch.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def write_result(folder: Path, match: str, result: dict[str, Json]) -> None:
    write_whole(folder / f"{match}{RESULT}", msgspec.json.encode(result))
