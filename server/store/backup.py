"""Everything a server keeps, in one file, and back again.

A backup is a tar file: `backup.json` says what it is, `rows/<table>.jsonl` holds the rows,
`matches/` the journals and replays. The rows are the same whatever database they come from, so what
comes from SQLite goes into PostgreSQL, and the other way round.

The rows are read first, in one snapshot, and the files after them. What happens meanwhile is in the
journals, which are the source of truth: a server that starts on a restored backup imports it.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import shutil
import stat
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, func, insert, select

from client_sdk import private
from games.core.contract import Json
from games.core.journal import encode
from server.folder import record_files
from server.store import versions
from server.store.store import Store, StoreProblem
from server.wall_clock import wall_ms

FORMAT = 1
ABOUT = "backup.json"
ABOUT_BYTES = 64 << 10
END = "end"
"""The last entry: what stops at an earlier one was cut."""
NODE = "node"
_JOBS = "procrastinate_"
"""Tables of the workers' jobs: they are made again from the attempts."""
_ROWS = re.compile(r"rows/(\w+)\.jsonl")
_FILE = re.compile(r"matches/[\w~.-]+\.(journal|replay)\.jsonl")
_JOURNAL = re.compile(r"(matches|records)/[\w~.-]+\.journal\.jsonl")
"""What the row of a match may name, below the data directory."""
_BATCH = 500
_UNREADABLE = (
    tarfile.TarError,
    EOFError,
    zlib.error,
    gzip.BadGzipFile,
    ValueError,
    OverflowError,
    RecursionError,
)
"""What a file that is no backup, or one that was changed, raises."""
_PASSING = ("seeds",)
"""Tables of what lives no longer than the processes that run now: left out."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup holds."""

    path: Path
    rows: dict[str, int]
    files: int
    size: int


def backup(store: Store, data: Path, to: Path) -> Backup:
    """Write one, while a server may run. `to`: a new file, packed if it is called so (.gz), or a
    folder for one.

    Raises OSError, StoreProblem.
    """
    path = to / time.strftime("botarena-%Y%m%d-%H%M%S.tar.gz", time.gmtime()) if to.is_dir() else to
    if path.exists():
        raise FileExistsError(17, "File exists", str(path))
    scratch = path.with_name(f".{path.name}.part")
    try:
        packed = path.suffix in (".gz", ".tgz")
        with (
            private.opened(scratch, "wb") as out,
            tarfile.open(fileobj=out, mode="w:gz" if packed else "w") as tar,
        ):
            rows = _save_rows(store, tar)
            files = _save_files(data, tar)
            _add(tar, END, io.BytesIO(b""))
        scratch.replace(path)
    finally:
        scratch.unlink(missing_ok=True)
    return Backup(path, rows, files, path.stat().st_size)


def restore(store: Store, data: Path, path: Path) -> Backup:
    """Put a backup into an empty database and an empty data directory. Raises OSError,
    StoreProblem. Nothing is changed if one of them is not empty or the backup is not whole."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise StoreProblem(f"{path}: expected a file")
    try:
        with tarfile.open(path) as tar:
            about = _about(tar)
            for entry in tar:
                _read_through(_content(tar, entry))
            if tar.getnames()[-1] != END:
                raise StoreProblem(f"{path}: not whole: it stops before its end")
        with tarfile.open(path) as tar:
            _expect_empty_folder(data)
            store.migrate(about["schema"])
            with store.connected(writes=True) as connection:
                rows = _load_rows(connection, tar)
            files = _load_files(data, tar)
    except _UNREADABLE as fault:
        raise StoreProblem(f"{path}: no backup that can be read: {fault}") from None
    store.migrate()
    return Backup(path, rows, files, path.stat().st_size)


# --- out


def _save_rows(store: Store, tar: tarfile.TarFile) -> dict[str, int]:
    counts: dict[str, int] = {}
    with store.connected() as connection:
        schema = versions.current(connection)
        if schema is None:
            raise StoreProblem(f"database {store.shown}: no server has used it yet")
        about = {"format": FORMAT, "schema": schema, "made_ms": wall_ms()}
        _add(tar, ABOUT, io.BytesIO(json.dumps(about).encode()))
        for table in _tables(connection).sorted_tables:
            if table.name in _PASSING:
                continue
            with tempfile.TemporaryFile() as lines:
                counts[table.name] = 0
                reading = connection.execution_options(yield_per=_BATCH)
                for row in reading.execute(select(table)).mappings():
                    line = encode({name: _text(value) for name, value in row.items()})
                    lines.write(f"{line}\n".encode())
                    counts[table.name] += 1
                _add(tar, f"rows/{table.name}.jsonl", lines)
    return counts


def _save_files(data: Path, tar: tarfile.TarFile) -> int:
    """A journal that grows is cut where it ended when it was opened; one that is deleted meanwhile
    is left out."""
    count = 0
    for path in [data / NODE, *record_files(data, ".jsonl")]:
        name = path.relative_to(data).as_posix()
        if name != NODE and not _FILE.fullmatch(name):
            continue
        try:
            with path.open("rb") as file:
                tar.addfile(tar.gettarinfo(arcname=name, fileobj=file), file)
        except FileNotFoundError:
            continue
        count += name != NODE
    return count


def _add(tar: tarfile.TarFile, name: str, content: IO[bytes]) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime = content.seek(0, io.SEEK_END), wall_ms() // 1000
    content.seek(0)
    tar.addfile(entry, content)


def _text(value: Json) -> Json:
    """Bytes as base64, anything else as it is."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


# --- in


def _about(tar: tarfile.TarFile) -> dict[str, Json]:
    first = tar.next()
    file = None if first is None or first.name != ABOUT else _content(tar, first)
    if file is None:
        raise StoreProblem(f"no backup: expected {ABOUT} first")
    about = _read_object(file.read(ABOUT_BYTES))
    if (got := about.get("format")) != FORMAT:
        raise StoreProblem(f"a backup of format {got}; this version reads format {FORMAT}")
    if not isinstance(about.get("schema"), str):
        raise ValueError(f"expected the version of its tables as schema in {ABOUT}")
    return about


def _content(tar: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes] | None:
    """Of a plain file; None: it is something else. A link may lead nowhere or to itself, and a file
    with holes has any size."""
    return tar.extractfile(entry) if entry.isreg() and not entry.issparse() else None


def _read_object(text: bytes) -> dict[str, Json]:
    """Raises ValueError, RecursionError."""
    return msgspec.json.decode(text, type=dict[str, Any])


def _read_through(file: IO[bytes] | None) -> None:
    while file is not None and file.read(1 << 20):
        pass


def _expect_empty_folder(data: Path) -> None:
    if (data / "matches").exists() and any((data / "matches").iterdir()):
        raise StoreProblem(f"{data}: expected an empty data directory: there are matches in it")


def _load_rows(connection: Connection, tar: tarfile.TarFile) -> dict[str, int]:
    counts: dict[str, int] = {}
    tables = _tables(connection)
    for table in tables.sorted_tables:
        if connection.execute(select(func.count()).select_from(table)).scalar_one():
            raise StoreProblem(f"expected an empty database: there are rows in {table.name}")
    for entry in tar:
        if (match := _ROWS.fullmatch(entry.name)) is not None:
            file, known = _content(tar, entry), tables.tables.get(match[1])
            if file is None or known is None:
                raise StoreProblem(f"rows of an unknown table: {match[1]}")
            counts[known.name] = 0
            packed = [column.name for column in known.c if isinstance(column.type, LargeBinary)]
            for rows in _batches(file):
                for row in rows:
                    for name in packed:
                        if row.get(name) is not None:
                            row[name] = base64.b64decode(str(row[name]))
                    if known.name == "matches" and not _JOURNAL.fullmatch(str(row.get("journal"))):
                        raise ValueError(f"a match names a journal elsewhere: {row.get('journal')}")
                connection.execute(insert(known), rows)
                counts[known.name] += len(rows)
    if missing := sorted(tables.tables.keys() - counts.keys() - {*_PASSING}):
        raise StoreProblem(f"not whole: there are no rows of {missing[0]}")
    return counts


def _batches(file: IO[bytes]) -> Iterator[list[dict[str, Json]]]:
    rows: list[dict[str, Json]] = []
    for line in file:
        rows.append(_read_object(line))
        if len(rows) == _BATCH:
            yield rows
            rows = []
    if rows:
        yield rows


def _load_files(data: Path, tar: tarfile.TarFile) -> int:
    private.folder(data / "matches")
    count = 0
    for entry in tar:
        file = _content(tar, entry) if entry.name == NODE or _FILE.fullmatch(entry.name) else None
        if file is not None:
            with private.opened(data / entry.name, "wb") as copy:
                shutil.copyfileobj(file, copy)
            count += entry.name != NODE
    return count


def _tables(connection: Connection) -> MetaData:
    """The tables as they are there, of whatever version."""

    def is_ours(name: str, _: MetaData) -> bool:
        return name != versions.VERSIONS.name and not name.startswith(_JOBS)

    found = MetaData()
    found.reflect(connection, only=is_ours)
    return found
