"""A seed with which another process still plays, or will, keeps the records of its other matches
secret."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from server.store.store import Store
from server.store.tables import seeds
from tests.server.live_server import LiveServer, eventually
from tests.stores import KINDS, database
from tests.workers.nodes import Nodes
from tests.workers.test_homes import ended

LONG = {"turn_ms": 60_000, "absence": "plays"}


@pytest.fixture(params=KINDS)
def nodes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Nodes]:
    with database(request.param, tmp_path) as url, closing(Nodes(tmp_path, url, "1", "2")) as nodes:
        yield nodes


def played(live_server: LiveServer) -> str:
    """A match that is over, under seed 7."""
    lobby, taken = live_server.seated("duel", clock=LONG, config={"rounds": 1}, seed=7)
    clients = [live_server.seat(one) for one in taken]
    for client in clients:
        client.until("view")
    ended(*clients)
    eventually(lambda: live_server.get(f"/matches/{lobby}").json()["state"] == "over")
    return lobby


def released(live_server: LiveServer, match: str) -> bool:
    return live_server.get(f"/replays/{match}").status_code == 200


def kept(nodes: Nodes) -> list[int]:
    with Store(nodes.settings["1"]["database_url"]).connected() as db:
        return list(db.execute(select(seeds.c.seed)).scalars())


def test_while_a_node_has_an_open_lobby_with_the_seed_no_node_releases_it(nodes: Nodes):
    one, two = (nodes.start(name) for name in "12")
    made = two.create("duel", seed=7, clock=LONG, config={"rounds": 1})
    match = played(one)
    answer = one.get(f"/replays/{match}")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_released")
    assert match not in [one["match"] for one in two.get("/replays").json()]
    taken = [two.join(made["lobby"], name) for name in ("a", "b")]
    ended(*[two.seat(seat) for seat in taken])

    eventually(lambda: released(one, match) and released(two, match))
    eventually(lambda: kept(nodes) == [])


def test_a_seed_is_released_when_its_lobby_is_cancelled_or_its_game_never_starts(nodes: Nodes):
    one, two = (nodes.start(name, empty_lobby_ms=60_000) for name in "12")
    lobby = two.arena.matches.lobbies.get(two.create("duel", seed=7)["lobby"])
    assert lobby is not None
    on(two, two.arena.matches.lobbies.reserve(7))
    match = played(one)
    eventually(lambda: kept(nodes) == [7, 7])
    two.loop.call_soon_threadsafe(two.arena.matches.lobbies.let_go, 7)
    eventually(lambda: kept(nodes) == [7])
    assert not released(one, match)
    two.loop.call_soon_threadsafe(lobby.cancel, "rain")
    eventually(lambda: released(one, match))
    assert kept(nodes) == []


def on(live_server: LiveServer, work: object) -> None:
    """Done by the server itself."""
    asyncio.run_coroutine_threadsafe(work, live_server.loop).result(20)


def test_a_starting_node_clears_its_own_seeds_and_those_of_removed_nodes(
    nodes: Nodes,
):
    one, two = (nodes.start(name) for name in "12")
    two.create("duel", seed=7)
    match = played(one)
    on(two, two.arena.matches.lobbies._seeds._store.close())  # it ends without a word
    nodes.stop("2")
    assert kept(nodes) == [7]
    assert not released(one, match)
    nodes.start("2")
    assert kept(nodes) == []
    assert released(one, match)


def test_a_server_of_one_process_stores_no_seed(tmp_path: Path):
    with closing(Nodes(tmp_path, f"sqlite:///{tmp_path / 'test.sqlite3'}", "1")) as nodes:
        live_server = nodes.start("1", node=None, peers=None)
        live_server.create("duel", seed=7)
        assert kept(nodes) == []
