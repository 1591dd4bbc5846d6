"""Records, seeds and plans are private to their owner with any umask, in local runs and on a
server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from client_sdk import private
from server.store.store import Store, sqlite_url
from tests.client_sdk.cli.conftest import environment
from tests.client_sdk.cli.test_tournament import toml
from tests.e2e.arena import started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no such modes there")
OPEN = "import os, sys\nos.umask(0)\nfrom client_sdk.cli import run\nsys.exit(run(sys.argv[1:]))"


def botarena(*words: object, cwd: Path) -> None:
    """The command with umask 0."""
    subprocess.run(
        [sys.executable, "-c", OPEN, *map(str, words)],
        cwd=cwd,
        env=environment(),
        check=True,
        capture_output=True,
    )


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
    with started(
        tmp_path, program=("-c", f"import os, sys\nos.umask(0)\n{SERVES}"), BOTARENA_DATA=str(data)
    ) as arena:
        lobby = arena.rest.create("botstack", bots=["trivial", "trivial"])
        arena.over(lobby["lobby"])
        subprocess.run(
            [
                sys.executable,
                "-c",
                OPEN,
                "store",
                "backup",
                str(tmp_path / "backup.tar.gz"),
                "--data-dir",
                str(data),
            ],
            env=environment(),
            check=True,
            capture_output=True,
        )

    assert {"botarena.sqlite3", "matches", "server.lock"} <= {path.name for path in data.iterdir()}
    assert list((data / "matches").glob("*.journal.jsonl"))
    assert shown_to_others(data) == []
    assert (tmp_path / "backup.tar.gz").stat().st_mode & 0o777 == 0o600


SERVES = """
at = sys.argv.index("--data-dir")
sys.argv[at + 1] = os.environ["BOTARENA_DATA"]
from client_sdk.cli import run
sys.exit(run(["serve", *sys.argv[1:]]))
"""


def test_an_existing_file_becomes_private_when_it_is_written(tmp_path: Path) -> None:
    database = tmp_path / "data" / "botarena.sqlite3"
    database.parent.mkdir()
    database.touch(0o644)
    Store(sqlite_url(database.parent)).migrate()
    log = tmp_path / "facts.jsonl"
    log.touch(0o666)
    private.opened(log, "ab").close()

    assert {0o600} == {path.stat().st_mode & 0o777 for path in (database, log)}
