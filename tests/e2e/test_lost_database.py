"""A database that is lost under a running server: the server reports it and plays on, and
everything is restored from backup and journals."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import client_sdk.cli
from client_sdk.errors import ServerRefused
from client_sdk.rest import RestClient
from server.store.sqlite_file import backups
from server.store.store import FILE
from tests.accounts.people import person
from tests.e2e.arena import (
    Arena,
    eventually,
    everything,
    hello,
    not_ready,
    receive,
    send,
    started,
)
from tests.e2e.test_full_disk import readiness

Verb = Callable[..., tuple[int, str, str]]
CONFIG = {"preset": "tiny", "max_turns": 3, "move_timeout_ms": 60_000}
BACKUPS = {"BOTARENA_BACKUP_MS": "200"}


@pytest.fixture
def botarena(capfd: pytest.CaptureFixture[str]) -> Verb:
    """A verb of the command: its status, and what it says on stdout and stderr."""

    def run(*words: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = client_sdk.cli.run([*map(str, words)])
        return status, *capfd.readouterr()

    return run


def saved(data: Path, query: str) -> int:
    """What the newest backup says."""
    for file in backups(data / FILE):
        with contextlib.closing(sqlite3.connect(file)) as database:
            return database.execute(query).fetchone()[0]
    return 0


def lose(data: Path) -> None:
    for file in data.glob(f"{FILE}*"):
        file.unlink()


def garble(data: Path) -> None:
    """As a program does that writes to the wrong file."""
    (data / FILE).write_bytes(b"something else" * 10_000)


@pytest.mark.parametrize("happens", [lose, garble])
def test_a_database_lost_at_run_time_is_reported_and_created_again(
    tmp_path: Path, botarena: Verb, happens: Callable[[Path], None]
) -> None:
    with started(tmp_path, **BACKUPS) as arena:
        organiser = person(tmp_path, "organiser", "Ann")
        with RestClient(arena.url, key=organiser.key) as rest:
            tournament = rest.create_tournament(
                name="Spring", game="pyrat", bots=[{"house": "greedy"}]
            )["tournament"]
        played = arena.rest.create("pyrat", config=CONFIG, bots=["random", "greedy"])["lobby"]
        arena.over(played)
        eventually(
            lambda: saved(
                tmp_path,
                "select (select count(*) from accounts) * (select count(*) from tournaments)",
            )
        )
        running = arena.rest.create("pyrat", config=CONFIG)["lobby"]
        tokens = [arena.rest.join(running, "pyrat", name)["token"] for name in ("one", "two")]
        with arena.socket("play") as one, arena.socket("play") as two:
            for socket, token in zip((one, two), tokens, strict=True):
                hello(socket, token=token)
            for socket in (one, two):
                receive(socket, "start")
                send(socket, type="ready")
            receive(one, "view")
            happens(tmp_path)
            eventually(lambda: readiness(arena) == ["store"])

            reason = not_ready(arena.url)["store"]
            assert str(tmp_path / FILE) in reason
            assert reason.endswith(
                f"stop the server and run botarena store rebuild --data-dir {tmp_path}"
            )
            with pytest.raises(ServerRefused, match="no_store"):
                arena.rest.sign_up("anyone")
            for turn in range(3):
                for socket in (one, two):
                    send(socket, type="commands", turn=turn, commands=["STAY"])
                receive(one, "view")
            assert everything(one)[-1]["outcome"]["turns"] == 3
        assert arena.rest.lobby(running)["state"] == "over"
        assert "a server works in it" in botarena("store", "rebuild", "--data-dir", tmp_path)[2]
        arena.process.terminate()
        assert arena.process.wait(60) == 0

    status, _, why = botarena("serve", "--port", "0", "--data-dir", tmp_path)
    assert (status, "run botarena store rebuild" in why) == (1, True)
    status, _, noted = botarena("store", "rebuild", "--data-dir", tmp_path)
    assert (status, "made from the backup" in noted) == (0, True)
    assert botarena("store", "check", "--data-dir", tmp_path)[0] == 0
    with started(tmp_path) as again:
        assert {one["match"] for one in again.rest.matches()} >= {played, running}
        assert again.rest.match(running)["outcome"]["turns"] == 3
        assert [one["tournament"] for one in again.rest.tournaments()] == [tournament]
        with RestClient(again.url, key=organiser.key) as rest:
            assert rest.account()["name"] == "Ann"
        assert readiness(again) == []


def test_without_a_backup_matches_are_restored_from_journals(
    own_arena: Arena, botarena: Verb
) -> None:
    data = own_arena.data
    played = own_arena.rest.create("pyrat", config=CONFIG, bots=["random", "greedy"])["lobby"]
    own_arena.over(played)
    own_arena.process.terminate()
    own_arena.process.wait(60)
    garble(data)

    status, output, noted = botarena("store", "rebuild", "--data-dir", data)
    assert (status, output) == (0, "1 match from journals\n")
    assert "there is no sound backup: accounts and tournaments are lost" in noted
    assert len(list(data.glob("*.damaged-*"))) == 1
    assert botarena("store", "rebuild", "--data-dir", data) == (
        0,
        "0 matches from journals\n",
        "the database is sound: it stays as it is\n",
    )
