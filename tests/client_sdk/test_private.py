"""Records, seeds and plans are private to their owner with any umask, in local runs and on a
server."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from client_sdk import private
from server.store.store import Store, sqlite_url
from tests.client_sdk.cli.conftest import environment
from tests.client_sdk.cli.test_tournament import toml
from tests.e2e.arena import started
from tests.forked_process import ForkedProcess

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
open_to_all = partial(os.umask, 0)


def botarena(*words: object, cwd: Path) -> None:
    """The command with umask 0."""
    process = ForkedProcess(words, cwd, environment(), prepare=open_to_all)
    said, _ = process.communicate(timeout=60)
    assert process.wait() == 0, said


def shown_to_others(folder: Path) -> list[str]:
    """Paths that others than the owner can read or enter."""
    return [str(path) for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


def test_a_tournaments_folder_is_private(tmp_path: Path) -> None:
    botarena(
        "tournament",
        "run",
        toml(tmp_path, "greedy", "trivial", format="knock-out"),
        "--jobs",
        1,
        cwd=tmp_path,
    )

    assert {"tournament.toml", "facts.jsonl", "games", "logs", "lock"} == {
        path.name for path in (tmp_path / "spring").iterdir()
    }
    assert list((tmp_path / "spring" / "games").glob("*.journal.jsonl"))
    assert shown_to_others(tmp_path / "spring") == []


def test_records_of_a_local_run_are_private(tmp_path: Path) -> None:
    botarena(
        "play",
        "botstack",
        "trivial",
        "trivial",
        "--replay-dir",
        "records",
        "--seed",
        1,
        cwd=tmp_path,
    )

    assert len(list((tmp_path / "records").iterdir())) == 2
    assert shown_to_others(tmp_path / "records") == []


def test_a_servers_data_is_private(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with started(tmp_path, words=("--data-dir", str(data)), prepare=open_to_all) as arena:
        lobby = arena.rest.create("botstack", bots=["trivial", "trivial"])
        arena.over(lobby["lobby"])
        botarena("store", "backup", tmp_path / "backup.tar.gz", "--data-dir", data, cwd=tmp_path)

    assert {"botarena.sqlite3", "matches", "server.lock"} <= {path.name for path in data.iterdir()}
    assert list((data / "matches").glob("*.journal.jsonl"))
    assert shown_to_others(data) == []
    assert (tmp_path / "backup.tar.gz").stat().st_mode & 0o777 == 0o600


def test_an_existing_file_becomes_private_when_it_is_written(tmp_path: Path) -> None:
    database = tmp_path / "data" / "botarena.sqlite3"
    database.parent.mkdir()
    database.touch(0o644)
    Store(sqlite_url(database.parent)).migrate()
    log = tmp_path / "facts.jsonl"
    log.touch(0o666)
    private.opened(log, "ab").close()

    assert {0o600} == {path.stat().st_mode & 0o777 for path in (database, log)}


def test_a_pipe_or_device_that_is_written_stays_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    private.opened(pipe, "wb").close()
    os.close(reader)

    assert pipe.stat().st_mode & 0o777 == 0o666
