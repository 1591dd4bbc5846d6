"""The database's file: what has become of it, and the backups of it."""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.store import sqlite_file
from server.store.sqlite_file import DatabaseFile, back_up, backups, damage, put_back, set_aside
from server.store.store import Store, StoreLost, StoreProblem
from server.store.tables import accounts


def made(path: Path, rows: int = 1000) -> Path:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("pragma journal_mode = wal")
        database.execute("create table notes (id integer primary key, words text)")
        database.executemany("insert into notes (words) values (?)", [["x" * 200]] * rows)
    return path


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("select count(*) from notes").fetchone()[0]


def spoil(path: Path, at: int, size: int = 4096) -> None:
    with path.open("rb+") as file:
        file.seek(at)
        file.write(b"\xa5" * size)


# --- what has become of it


def test_a_valid_file_has_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sqlite_file, "CHECK_S", 0.0)
    file = DatabaseFile(made(tmp_path / "b.sqlite3"))
    file.open()

    assert file.problem() is None
    assert damage(file.path) is None


@pytest.mark.parametrize("becomes", ["gone", "another", "text", "empty", "damaged within"])
def test_a_file_that_is_no_longer_the_database_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, becomes: str
):
    monkeypatch.setattr(sqlite_file, "CHECK_S", 0.0)
    file = DatabaseFile(made(tmp_path / "b.sqlite3"))
    file.open()
    if becomes in ("gone", "another"):
        file.path.rename(tmp_path / "aside")
    if becomes == "another":
        made(file.path)
    if becomes in ("text", "empty"):
        file.path.write_text("no database" * (becomes == "text"))
    if becomes == "damaged within":
        spoil(file.path, 20 * 4096)

    found = file.problem()
    assert found is not None
    assert found.startswith(f"the database file {file.path} is ")
    assert {"gone": "gone", "another": "not the one"}.get(becomes, "damaged") in found


def test_full_checks_of_the_file_are_rare_in_proportion_to_their_duration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    now, read = 1000.0, []
    monkeypatch.setattr(sqlite_file, "time", SimpleNamespace(monotonic=lambda: now))

    def slow(path: Path) -> None:
        nonlocal now
        read.append(now)
        now += 2

    monkeypatch.setattr(sqlite_file, "damage", slow)
    file = DatabaseFile(made(tmp_path / "b.sqlite3"))
    file.open()
    while now < 1500:
        file.problem()
        now += 1

    assert [round(second - first) for first, second in itertools.pairwise(read)] == [202, 202]
    assert read[0] == 1030


def test_checking_the_file_keeps_sqlites_locks(tmp_path: Path):
    """POSIX releases a process's locks on a file when it closes any descriptor of it. Then another
    process that ends its last connection takes itself for the only one, and deletes the log that
    this one works with."""
    path = made(tmp_path / "b.sqlite3")
    file = DatabaseFile(path)
    file.open()
    alone = (
        f"import sqlite3; sqlite3.connect({str(path)!r}, timeout=0).execute('pragma journal_mode = "
        "delete')"
    )
    with closing(sqlite3.connect(path)) as database:
        database.execute("select * from notes").fetchone()
        for _ in range(2):
            assert file.problem() is None
        back_up(path, 0, 1)
        other = subprocess.run([sys.executable, "-c", alone], capture_output=True, text=True)
    assert "database is locked" in other.stderr
    file.close()


async def test_a_store_whose_file_is_gone_fails_and_creates_no_other(
    tmp_path: Path,
):
    store = Store(f"sqlite:///{tmp_path / 'b.sqlite3'}")
    await store.open()
    assert store.file is not None
    store.file.path.unlink()

    with pytest.raises(StoreLost):
        async with store.write() as db:
            await db.execute(accounts.delete())
    assert await store.examine() == f"the database file {store.file.path} is gone"
    with pytest.raises(StoreLost):
        async with store.read():
            pass
    assert not store.file.path.exists()
    await store.close()


# --- backups


def test_a_backup_during_writes_is_complete_and_private(tmp_path: Path):
    path = made(tmp_path / "b.sqlite3")
    stop = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(path, timeout=20)) as database:
            while not stop.is_set():
                with database:
                    database.execute("insert into notes (words) values ('a'), ('b')")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        backup = back_up(path, 0, 3)
    finally:
        stop.set()
        writer.join()

    assert backup is not None
    assert damage(backup) is None
    assert count(backup) % 2 == 0
    assert 1000 <= count(backup) <= count(path)
    assert backup.stat().st_mode & 0o777 == 0o600
    assert backup.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(one.name for one in backup.parent.iterdir()) == [backup.name, "lock"]


def test_a_backup_is_made_when_due_and_something_has_changed(tmp_path: Path):
    path = made(tmp_path / "b.sqlite3")
    first = back_up(path, 100, 3)
    assert first is not None
    assert back_up(path, 100, 3) is None, "one was made a moment ago"
    os.utime(first, (time.time() - 50, time.time() - 50))
    assert back_up(path, 100, 3) is None, "it is not old enough"
    os.utime(first, (time.time() - 200, time.time() - 200))
    for file in tmp_path.glob("b.sqlite3*"):
        os.utime(file, (time.time() - 300, time.time() - 300))
    assert back_up(path, 100, 3) is None, "nothing has changed"
    os.utime(path)
    first.rename(first.with_stem("b-20000101-000000"))
    assert back_up(path, 100, 3) in backups(path)


def test_the_oldest_backups_and_leftovers_of_a_killed_process_are_deleted(tmp_path: Path):
    path = made(tmp_path / "b.sqlite3")
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"b-2020010{day}-000000.sqlite3").touch()
        os.utime(folder / f"b-2020010{day}-000000.sqlite3", (day, day))
    (folder / "b-20200106-000000.sqlite3.part").touch()
    newest = back_up(path, 1, 3)

    assert newest is not None
    assert [one.name for one in backups(path)] == [
        newest.name,
        "b-20200105-000000.sqlite3",
        "b-20200104-000000.sqlite3",
    ]
    assert not list(folder.glob("*.part"))


def test_the_newest_valid_backup_is_restored(tmp_path: Path):
    path = made(tmp_path / "b.sqlite3", rows=2000)
    old = back_up(path, 0, 9)
    assert old is not None
    new = old.rename(old.with_stem("b-20990101-000000"))
    good = made(old.with_stem("b-20980101-000000"), rows=7)
    spoil(new, 20 * 4096)
    spoil(path, 0)

    assert set_aside(path) is not None
    assert put_back(path) == good
    assert count(path) == 7
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_server_does_not_start_empty_if_a_backup_could_be_restored(tmp_path: Path):
    store = Store(f"sqlite:///{tmp_path / 'b.sqlite3'}")
    store.migrate()
    assert store.file is not None
    back_up(store.file.path, 0, 1)
    store.file.path.unlink()
    with pytest.raises(StoreProblem, match="botarena store rebuild"):
        store.migrate()
    assert not store.file.path.exists()


def test_a_server_that_finds_a_damaged_database_names_the_command(tmp_path: Path):
    path = tmp_path / "b.sqlite3"
    path.write_text("no database" * 1000)
    with pytest.raises(StoreProblem, match="not a database: run botarena store rebuild"):
        Store(f"sqlite:///{path}").migrate()
