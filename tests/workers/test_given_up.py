"""Games of tournaments on a node that went down: it resumes them, or they are given up; each counts
once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws

from tests.accounts.people import person_of
from tests.server.live_server import LiveServer, eventually
from tests.stores import database
from tests.tournaments.stage import Threaded
from tests.workers.nodes import nodes

PLAN: dict[str, Any] = {
    "name": "Spring",
    "game": "pyrat",
    "config": {"preset": "tiny", "max_turns": 4},
    "clock": {"turn_ms": 60_000},
    "format": {"format": "round-robin", "matches_per_pairing": 1, "check": False},
    "bots": [{"house": "greedy", "name": "a"}, {"house": "random", "name": "b"}],
}


class Waiting:
    """A house bot's process that comes to its match and does nothing."""

    all: list[Waiting]

    def __init__(self, command: Sequence[str], *, url: str, token: str, game: str) -> None:
        self.pid = 1
        self.url, self.token = url, token
        self._life = ExitStack()
        socket = self._life.enter_context(
            ws.connect(url, compression=None, proxy=None, close_timeout=1)
        )
        socket.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
        self.all.append(self)

    def end(self) -> None:
        self._life.close()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Waiting, "all", [], raising=False)
    monkeypatch.setattr("server.lobbies.bots.BotProcess", Waiting)
    monkeypatch.setattr("server.tournaments.scheduler.LOOK_S", 0.05)
    with database("sqlite", tmp_path) as url:
        yield url


def rows(folder: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "test.sqlite3")) as db:
        return db.execute(query).fetchall()


def begun(live_server: LiveServer, folder: Path, url: str) -> tuple[str, str]:
    """A tournament whose one game is played on this node, and its match."""
    key = person_of(url, "organiser").key
    id_ = live_server.post("/tournaments", PLAN, key).json()["tournament"]
    assert live_server.post(f"/tournaments/{id_}/start", {}, key).status_code == 200
    (match,) = eventually(lambda: rows(folder, "select id from matches where state = 'running'"))[0]
    return id_, match


def finished(live_server: LiveServer, id_: str) -> dict[str, Any]:
    return eventually(
        lambda: (
            (now := live_server.get(f"/tournaments/{id_}").json())["state"] == "finished" and now
        )
    )


def results(event: dict[str, Any]) -> int:
    return sum("result" in fact and fact["result"] is not None for fact in event["log"])


def test_a_game_of_a_node_that_stays_down_is_replayed_and_counts_once(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
):
    with nodes(tmp_path, url, "1", "2") as both:
        id_, match = begun(both.start("1"), tmp_path, url)
        both.stop("1")
        monkeypatch.setattr("server.lobbies.bots.BotProcess", Threaded)
        two = both.start("2")
        assert rows(tmp_path, "select taken_by, state from pairings") == [("1", "running")]
        monkeypatch.setattr("server.tournaments.attempts.GONE_S", 0.1)
        event = finished(two, id_)
        assert results(event) == 1
        one = both.start("1")
        eventually(
            lambda: rows(
                tmp_path, f"select id from matches where id = '{match}' and state = 'over'"
            )
        )
        for live_server in (one, two):
            again = live_server.get(f"/tournaments/{id_}").json()
            assert (again["log"], again["standings"]) == (event["log"], event["standings"])
    assert rows(tmp_path, "select taken_by, state from pairings") == [("2", "over")]


def test_a_game_continues_with_its_node_and_counts_once_with_any_leader(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
):
    with nodes(tmp_path, url, "1", "2") as both:
        id_, match = begun(both.start("1"), tmp_path, url)
        both.stop("1")
        Waiting.all.clear()
        two = both.start("2")
        assert two.arena.cluster.leader.leads
        one = both.start("1")
        assert not one.arena.cluster.leader.leads
        eventually(lambda: len(Waiting.all) == 2)
        assert rows(tmp_path, "select match, state from pairings") == [(match, "running")]
        for bot in Waiting.all:
            Threaded(["greedy"], url=bot.url, token=bot.token, game="pyrat")
        assert results(finished(two, id_)) == 1
    assert rows(tmp_path, "select match, state from pairings") == [(match, "over")]
