"""Whichever part of the server notices first that the database is lost, `/readyz` names the file
and the remedy."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import DatabaseError

from server.health import Health
from server.store.store import FILE
from tests.server.live_server import LiveServer, eventually, hosted
from tests.store.test_archive import LONG, STEP


def gone(data: Path) -> None:
    for file in data.glob(f"{FILE}*"):
        file.unlink()


def overwritten(data: Path) -> None:
    (data / FILE).write_bytes(b"something else" * 10_000)


def damaged_within(data: Path) -> None:
    """Its first page and its size are as they were."""
    size = (data / FILE).stat().st_size
    with (data / FILE).open("rb+") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))


def a_match_ends(live_server: LiveServer) -> None:
    lobby, (red, blue) = live_server.started("walk", clock=LONG, config={"turns": 1})
    red.until("view")
    red.answer(0, STEP, end_turn=True)
    blue.rest()
    live_server.over(lobby)


def nothing(live_server: LiveServer) -> None:
    """The server asks the database by itself."""


@pytest.mark.parametrize("happens", [gone, overwritten, damaged_within])
@pytest.mark.parametrize(("notices", "look_ms"), [(a_match_ends, 600_000), (nothing, 20)])
def test_every_reason_names_the_file_and_the_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    happens: Callable[[Path], None],
    notices: Callable[[LiveServer], None],
    look_ms: int,
):
    problems: list[str] = []
    report = Health.report

    def noted(health: Health, name: str, problem: str | None) -> None:
        if name == "store" and problem is not None:
            problems.append(problem)
        report(health, name, problem)

    monkeypatch.setattr(Health, "report", noted)
    monkeypatch.setattr("server.watch.STORE_MS", look_ms)
    monkeypatch.setattr("server.store.sqlite_file.CHECK_S", 0.0)

    def noticed() -> bool:
        if not problems:
            happens(tmp_path)  # again: SQLite may have written its log over it
        return len(problems) > 1

    with hosted(tmp_path) as live_server:
        happens(tmp_path)
        notices(live_server)
        eventually(noticed)
        reasons = live_server.http.get("/readyz").json()["reasons"]

    assert reasons["store"].startswith(f"the database file {tmp_path / FILE} is")
    remedy = f": stop the server and run botarena store rebuild --data-dir {tmp_path}"
    assert [
        reason
        for reason in problems
        if str(tmp_path / FILE) not in reason or not reason.endswith(remedy)
    ] == []


def test_the_drivers_message_suffices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Until the file is read as a whole again, which takes up to half a minute."""

    async def malformed(*_: object) -> None:
        fault = sqlite3.DatabaseError("database disk image is malformed")
        fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise DatabaseError("insert", {}, fault)

    monkeypatch.setattr("server.watch.STORE_MS", 600_000)
    with hosted(tmp_path) as live_server:
        monkeypatch.setattr("server.store.matches.finish", malformed)
        a_match_ends(live_server)
        reason = eventually(lambda: live_server.http.get("/readyz").json()["reasons"].get("store"))
        monkeypatch.undo()

    lost = f"the database file {tmp_path / FILE} is damaged: database disk image is malformed"
    assert reason == f"{lost}: stop the server and run botarena store rebuild --data-dir {tmp_path}"
