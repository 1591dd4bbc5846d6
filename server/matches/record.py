"""What of a match reaches the disk: the journal while it is played, the replay when a client first
asks for it.

`<id>.journal.jsonl` is append-only. Its last line holds the result with the server's counts, so
that the database can be rebuilt from it. `<id>.replay.jsonl` is written whole or not at all."""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec

from client_sdk import private
from client_sdk.locks import Taken, lock
from games.core.contract import AnyGame, Json, Outcome, Seat
from games.core.journal import FORMAT, Chain, Journal, encode, fingerprint
from server.blame import BrokenOff
from server.folder import MATCHES
from server.match_record import JournalEnding

_encode_lines = msgspec.json.Encoder().encode_lines
_written_otherwise = re.compile(rb"e[0-9]{2,3}[,\]}]").search
"""A great number, which msgspec writes as 1e16 and the standard library as 1e+16; or a string."""

RECORDS = "records"
"""Where journals and replays are that were fetched from the database."""
NODE = "node"
"""The file that names a data directory, so that a database knows whose files are where."""
LAST_LINES = 64 * 1024
"""Bytes at a journal's end that hold its last lines, if those are the outcome."""


class Held(OSError):
    """Another process, or another match, writes this journal."""


def hold(path: Path, flags: int = 0) -> int:
    """Open a journal for exclusive writing and return its descriptor.

    A process that is held up, or stopped, keeps the lock; a killed one loses it. On a file system
    without such locks, and on Windows, where a locked file cannot be read, this only opens it.
    `flags`: to create it. Raises Held, OSError.
    """
    flags |= os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
    file = os.open(path, flags, private.FILE)
    if os.name == "posix":
        try:
            # a new one may be waited for: only `is_held` has it, and closes it at once
            lock(file, wait=bool(flags & os.O_CREAT))
        except Taken as taken:
            os.close(file)
            raise Held(taken.errno, "another process writes it", str(path)) from None
    return file


def is_held(path: Path) -> bool:
    """Whether this journal is open for writing. Raises OSError."""
    try:
        os.close(hold(path))
    except Held:
        return True
    return False


class JournalFile(Journal):
    """A match's journal on the disk. Once `flush` returned its lines are in the hands of the
    system: a killed process loses none.

    Lines are serialised only when they are flushed, so that no view waits for them. While the file
    is open it has no other writer (`hold`).
    """

    __slots__ = ("_dirty", "_file", "_last", "_late", "_lines", "_syncing", "path")

    def __init__(
        self, path: Path, *, file: int | None = None, head: str = "", format_: int = FORMAT
    ) -> None:
        """A new file; with the `file` that `hold` gave, its format and the `head` of its last line:
        one that is there. Raises OSError."""
        self.path = path
        self._file: int | None = hold(path, os.O_CREAT | os.O_EXCL) if file is None else file
        self._lines: list[str] = []
        self._dirty = False
        self._syncing = threading.Lock()
        self._last: tuple[Outcome, Any] | None = None
        super().__init__(self._lines.append, format_=format_)
        self._chain = self._late = LateChain(self._lines.append, head)

    @classmethod
    def again(cls, path: Path, file: int, head: str, size: int, format_: int) -> JournalFile:
        """Go on with a file that we `hold`, whose last whole line, named by `head`, ends at this
        byte. Raises OSError."""
        os.ftruncate(file, size)
        return cls(path, file=file, head=head, format_=format_)

    @property
    def head(self) -> str:
        self._late.settle()
        return self._late.head

    @property
    def waits(self) -> bool:
        """Whether `flush` has something to write."""
        return self._late.waits or bool(self._lines)

    def settle(self) -> None:
        """Do all that `flush` has to do but the writing."""
        self._late.settle()

    def size(self) -> int:
        """Bytes that were written. Raises OSError."""
        return 0 if self._file is None else os.fstat(self._file).st_size

    def end(self, outcome: Outcome, state: Any, house: Json = None) -> None:
        """Take no more lines. `seal` writes the last one, with the server's counts."""
        self._last = outcome, state
        self._ended = True

    def seal(self, house: Json) -> None:
        """Write the last line, with the server's counts. Raises OSError as `flush`."""
        if self._last is not None:
            self._ended = False
            super().end(*self._last, house)
            self._last = None
        self.flush()

    def flush(self, *, hashed: bool = True) -> None:
        """Write the lines, before clients are notified of what they say. Not `hashed`: the line of
        a turn that was closed just now may stay behind, since it follows from those before it.

        Raises OSError. Then the lines are kept until there is room, and no line is cut."""
        self._late.settle(hashed=hashed)
        if not self._lines or self._file is None:
            return
        text = "".join(self._lines).encode()
        data = memoryview(text)
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            if len(data) < len(text):
                os.ftruncate(self._file, os.fstat(self._file).st_size - (len(text) - len(data)))
            raise
        self._dirty = True  # not before: what is synced in between is not all of it
        self._lines.clear()

    def sync(self) -> None:
        """Sync to the disk what was written since the last call. On return it is there, whichever
        thread synced it. Blocks: not for the loop. Raises OSError; the next call tries again."""
        with self._syncing:
            file = self._file
            if file is None or not self._dirty:
                return
            self._dirty = False
            try:
                os.fsync(file)
            except OSError:
                self._dirty = True
                raise

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


class LateChain(Chain):
    """Keeps lines as they come until they are settled, and hashes no state before."""

    __slots__ = ("_kept", "_unhashed")

    def __init__(self, write: Callable[[str], object], head: str = "") -> None:
        super().__init__(write, head)
        self._kept: list[dict[str, Json]] = []
        self._unhashed: tuple[dict[str, Json], Any] | None = None
        """The newest line, if it is one without the hash of its state."""

    @property
    def waits(self) -> bool:
        """Whether there are lines to settle."""
        return bool(self._kept) or self._unhashed is not None

    def put(self, line: dict[str, Json]) -> None:
        self._hash()
        self._kept.append(line)

    def put_hashed(self, line: dict[str, Json], state: Any) -> None:
        self._hash()
        self._unhashed = line, state

    def _hash(self) -> None:
        if self._unhashed is not None:
            line, state = self._unhashed
            self._unhashed = None
            self._kept.append(line | {"h": fingerprint(state)})

    def settle(self, *, hashed: bool = True) -> None:
        """Write what was kept; not `hashed`: all but a newest line that needs a hash."""
        if hashed:
            self._hash()
        if self._kept:
            for line in ascii_texts(self._kept):
                self.take(line)
            self._kept.clear()


def ascii_texts(values: list[dict[str, Json]]) -> list[str]:
    """JSON just as `games.core.journal.encode` writes each, for nearly all lines in a tenth of the
    time."""
    try:
        text = _encode_lines(values)
    except (TypeError, OverflowError, ValueError):
        return [encode(value) for value in values]
    if text.isascii() and 0x7F not in text and _written_otherwise(text) is None:
        return text.decode().splitlines()
    return [encode(value) for value in values]


def match_folder(data: Path) -> Path:
    """Where matches are written, in this data directory. Raises OSError."""
    folder = data / MATCHES
    private.folder(folder)
    return folder


def named(data: Path) -> str:
    """The data directory's own name, made when it is first used. Blocks. Raises OSError."""
    path = data / NODE
    if not path.exists():
        private.folder(data)
        write_whole(path, secrets.token_hex(6).encode())
    return path.read_text(encoding="ascii").strip()


def write_replay(journal: Path, replay: Path, games: Mapping[str, AnyGame]) -> None:
    """Make a replay of a journal, if there is none yet. Raises OSError, BrokenLine or Differs."""
    from client_sdk.replay import from_journal

    if not replay.exists():
        write_whole(replay, from_journal(journal.read_text(encoding="utf-8"), games).encode())


def write_whole(path: Path, data: bytes) -> None:
    """A file that is there with all of this or not at all. Blocks. Raises OSError."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.part")
    with private.opened(scratch, "wb") as file:
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


def ending(path: Path) -> JournalEnding | None:
    """How the match of this journal ended; None: the journal was cut before that. Blocks.

    Raises OSError, ValueError or LookupError for a file that is no journal.
    """
    with path.open("rb") as file:
        start = max(0, path.stat().st_size - LAST_LINES)
        file.seek(start)
        *whole, rest = file.read().split(b"\n")
    if start:
        del whole[:1]  # its beginning is missing, and what a client said may look like one
    if rest or not whole or not whole[-1].startswith(b'{"k":"end"'):
        return None
    end = json.loads(whole[-1])
    house = end.get("house") or {}
    ended_ms = house.get("ended") or path.stat().st_mtime_ns // 1_000_000
    result, broken = counted(end["outcome"], house), _broken(whole[:-1])
    return JournalEnding(end["chain"], result, ended_ms, broken)


def _broken(lines: list[bytes]) -> BrokenOff | None:
    """How the match was broken off, if it was, by the lines before the last one."""
    missing: list[Seat] = []
    broken: BrokenOff | None = None
    for raw in reversed(lines):
        if not raw.startswith((b'{"k":"break"', b'{"k":"event"', b'{"k":"turn"')):
            break
        line = json.loads(raw)
        if line["k"] == "break" and broken is None:
            broken = BrokenOff(line["r"], None if line["s"] is None else tuple(line["s"]))
        elif line["k"] == "event" and line["e"] == "missing":
            missing.append(line["s"])
    return None if broken is None else replace(broken, missing=tuple(missing))


def counted(outcome: Json, house: Json) -> dict[str, Json]:
    """The result: what the game says of each seat, with the server's counts."""
    tallies = house.get("seats") or repeat({})
    seats = [line | tally for line, tally in zip(outcome["seats"], tallies, strict=False)]
    more = {name: value for name, value in house.items() if name not in ("seats", "ended")}
    return {**outcome, "seats": seats} | more
