"""The file of a SQLite database under a running server: is it there and sound, and its backups.

Everything here blocks and belongs in a thread: SQLite lets the interpreter go while it works.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import structlog

from client_sdk.locks import Taken, lock

BACKUPS: Final = "backups"
"""The folder beside the database."""
SUFFIX: Final = ".sqlite3"
BESIDE: Final = ("-wal", "-shm")
MAGIC: Final = b"SQLite format 3\0"
BUSY_S: Final = 5.0
CHECK_S: Final = 30.0
CHECK_SHARE: Final = 100
"""Every page is read once in CHECK_S, or less often: at most 1/CHECK_SHARE of the time."""
DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_log = structlog.get_logger()


class DatabaseFile:
    """The file that a server works on, from `open` to `close`.

    It is open all that time and is read through this one descriptor: closing any descriptor of the
    file would release the locks that SQLite holds on it for the whole process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None
        self._identity: tuple[int, int] | None = None
        self._checked = 0.0
        self._unsound: str | None = None

    @property
    def uri(self) -> str:
        """The file as SQLite's own URI."""
        return self.path.absolute().as_uri()

    def open(self) -> None:
        """Before any connection. Raises OSError."""
        self._file = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._identity = _identity(os.fstat(self._file))
        self._checked = time.monotonic() + CHECK_S

    def close(self) -> None:
        """After the last connection."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def replaced(self) -> str | None:
        """What has become of the file, if it is not the one that was opened any more."""
        try:
            same = _identity(self.path.stat()) == self._identity
        except FileNotFoundError:
            return f"the database file {self.path} is gone"
        except OSError as fault:
            return f"the database file {self.path} cannot be looked at: {fault.strerror or fault}"
        if same:
            return None
        return f"the database file {self.path} is not the one that this server opened"

    def problem(self) -> str | None:
        """What is wrong with the file now. It is read as a whole from time to time."""
        if (replaced := self.replaced()) is not None:
            return replaced
        if not self._begins():
            return f"the database file {self.path} is damaged: it is no database"
        if time.monotonic() >= self._checked:
            begun = time.monotonic()
            self._unsound = damage(self.path)
            took = time.monotonic() - begun
            self._checked = time.monotonic() + max(CHECK_S, took * CHECK_SHARE)
        if self._unsound is None:
            return None
        return f"the database file {self.path} is damaged: {self._unsound}"

    def _begins(self) -> bool:
        if self._file is None:
            return True
        os.lseek(self._file, 0, os.SEEK_SET)
        return os.read(self._file, len(MAGIC)) == MAGIC


def damage(path: Path) -> str | None:
    """What SQLite finds wrong with a database, in one line. None: it is sound, or is not to be had
    at the moment."""
    try:
        with closing(_connected(path)) as database:
            found: str = database.execute("pragma quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as fault:
        return str(fault) if is_damage(fault) else None
    return None if found == "ok" else found.splitlines()[-1]


def readable(path: Path) -> bool:
    """Whether there is a database with tables in it."""
    try:
        with closing(_connected(path)) as database:
            return bool(database.execute("select count(*) from sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError:
        return False


# --- backups


def backups(path: Path) -> list[Path]:
    """Newest first."""
    return sorted((path.with_name(BACKUPS)).glob(f"{path.stem}-*{SUFFIX}"), reverse=True)


def back_up(path: Path, every_s: float, keep: int) -> Path | None:
    """A copy of the database in one piece, if the last one is older than `every_s` and anything has
    changed since; the oldest beyond `keep` are deleted. None: nothing was to be done, or another
    process is at it.

    Raises OSError, sqlite3.Error.
    """
    folder = path.with_name(BACKUPS)
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / "lock").open("wb") as held:
        try:
            lock(held.fileno())
        except Taken:
            return None
        known = backups(path)
        if known and not _due(path, known[0], every_s):
            return None
        for part in folder.glob("*.part"):
            part.unlink()
        made = folder / f"{path.stem}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}{SUFFIX}"
        _copy(path, made)
        for old in backups(path)[keep:]:
            old.unlink()
    return made


def set_aside(path: Path) -> Path | None:
    """Move a damaged database out of the way, to be looked at by people. Raises OSError."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    moved = None
    for suffix in ("", *BESIDE):
        file = path.with_name(path.name + suffix)
        if file.exists():
            kept = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}{suffix}")
            file.rename(kept)
            moved = moved or kept
    return moved


def put_back(path: Path) -> Path | None:
    """Make the newest sound backup the database, where there is none; None: there is no such
    backup. Raises OSError."""
    for backup in backups(path):
        if (found := damage(backup)) is None:
            part = path.with_name(f".{path.name}.part")
            shutil.copyfile(backup, part)
            part.chmod(0o600)
            _sync(part)
            part.replace(path)
            return backup
        _log.warning("a backup is damaged", file=str(backup), why=found)
    return None


def _due(path: Path, last: Path, every_s: float) -> bool:
    made = last.stat().st_mtime
    files = (path, path.with_name(path.name + BESIDE[0]))
    changed = max(file.stat().st_mtime for file in files if file.exists())
    return changed > made and not 0 <= time.time() - made < every_s


def _copy(path: Path, to: Path) -> None:
    """All of it as at one moment, while others write. Raises OSError, sqlite3.Error."""
    part, begun = to.with_name(f"{to.name}.part"), time.time()
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with closing(_connected(path)) as database:
            database.execute("vacuum into ?", [str(part)])
        _sync(part)
        os.utime(part, (begun, begun))  # what is written from here on is not in it
        part.replace(to)
    finally:
        part.unlink(missing_ok=True)


def is_damage(fault: BaseException | None) -> bool:
    """Whether an error of SQLite's says that the file is damaged."""
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def _connected(path: Path) -> sqlite3.Connection:
    """For one statement, on a database that is there."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)


def _sync(file: Path) -> None:
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
