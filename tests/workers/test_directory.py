"""Which node has what, in either database."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import delete, select, update

from server.matches.record import wall_ms
from server.nodes.directory import DEAD_MS, Directory
from server.settings import Settings
from server.store.store import Store, StoreProblem
from server.store.tables import lobbies, nodes
from tests.stores import KINDS, database


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    with database(request.param, tmp_path) as url:
        store = Store(url)
        await store.open()
        try:
            yield store
        finally:
            await store.close()


def node(store: Store, name: str | None, data: Path) -> Directory:
    data.mkdir(exist_ok=True)
    return Directory(store, Settings(data_dir=data, node=name), f"http://{name}.example", lambda id_: None)


def room(id_: str, **fields: Any) -> Any:
    setup = SimpleNamespace(name=None, private=False, seed=7)
    game = SimpleNamespace(name="duel")
    return SimpleNamespace(
        **{"id": id_, "setup": setup, "game": game, "locked": False, "state": "open", "free": [0], "created_ms": 5} | fields
    )


async def silent(store: Store, name: str) -> None:
    """Nothing was heard of a node for long."""
    async with store.write() as db:
        await db.execute(update(nodes).where(nodes.c.name == name).values(beat_ms=nodes.c.beat_ms - 2 * DEAD_MS))


async def there(store: Store) -> list[str]:
    async with store.read() as db:
        return list((await db.execute(select(lobbies.c.id).order_by(lobbies.c.id))).scalars())


async def test_a_match_is_taken_up_by_one_node_and_by_none_while_its_own_lives(store: Store, tmp_path: Path):
    one, two, three = (node(store, name, tmp_path / "data") for name in ("1", "2", "3"))
    for each in (one, two, three):
        await each.open()
    await one.told(room("running", state="running"))

    assert not await two.claim("running")
    assert await one.claim("running")
    await silent(store, "1")
    assert [await each.claim("running") for each in (two, three, one)] == [True, False, False]
    assert [await each.claim("unknown") for each in (three, two)] == [True, False]


async def test_at_its_start_a_node_takes_up_what_went_by_its_own_name_and_leaves_the_others_time(store: Store, tmp_path: Path):
    one, two = (node(store, name, tmp_path / "data") for name in ("1", "2"))
    for each in (one, two):
        await each.open()
    await one.told(room("running", state="running"))
    await silent(store, "1")
    again = node(store, "1", tmp_path / "data")
    await again.open()

    assert [await each.claim("running", own=True) for each in (two, again)] == [False, True]


async def test_whoever_wakes_finds_out_what_others_have_claimed_and_takes_nothing_back(store: Store, tmp_path: Path):
    """The other one may go by the same name: it has another life."""
    for name in ("2", "1"):
        one, two = node(store, "1", tmp_path / "data"), node(store, name, tmp_path / "data")
        lost: list[str] = []
        one._lost = lost.append
        taken, kept = room("taken", state="running"), room("kept", state="running")
        await one.open()
        for each in (taken, kept):
            await one.told(each)
        await silent(store, "1")
        await two.open()
        assert await two.claim("taken")
        await two.told(taken)
        one.changed(taken)
        with contextlib.suppress(StoreProblem):
            await one.beat()
        await one.told(kept)
        async with store.read() as db:
            assert [await each.holds(db, "taken") for each in (one, two)] == [False, True]
            assert [await each.holds(db, "kept") for each in (one, two)] == [True, False]

        assert lost == ["taken"]
        assert await there(store) == ["kept", "taken"]
        async with store.write() as db:
            await db.execute(delete(lobbies))
            await db.execute(delete(nodes))


async def test_whoever_counted_as_gone_tells_anew_what_it_has(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    one, two = (node(store, name, tmp_path / name) for name in ("1", "2"))
    await one.open()
    await one.told(room("open"))
    reserved = await one.reserve(7)
    await silent(store, "1")
    await two.open()
    assert await there(store) == []
    later = wall_ms() + 2 * DEAD_MS
    monkeypatch.setattr("server.nodes.directory.wall_ms", lambda: later)
    await one.beat()
    await one.told(room("new"))

    assert await there(store) == sorted(["open", reserved, "new"])


async def test_of_two_processes_with_one_name_the_newer_one_has_it(store: Store, tmp_path: Path):
    one, two = (node(store, "1", tmp_path) for _ in range(2))
    await one.open()
    await one.told(room("open"))
    await two.open()
    for _ in range(2):
        await two.beat()
        with pytest.raises(StoreProblem, match="goes by the name '1'"):
            await one.beat()
    await one.told(room("new"))
    assert await there(store) == []
    await silent(store, "1")
    await one.beat()
    await one.told(room("new"))

    assert await there(store) == ["new", "open"]


async def test_another_node_finds_a_lobby_by_its_id_and_may_join_while_it_is_open_to_all(store: Store, tmp_path: Path):
    one, two = (node(store, name, tmp_path / name) for name in ("1", "2"))
    await one.open()
    await two.open()
    private = SimpleNamespace(name=None, private=True, seed=8)
    for each in (
        room("b"),
        room("a", created_ms=4),
        room("full", free=[]),
        room("locked", locked=True),
        room("p", setup=private),
    ):
        await one.told(each)

    place = await two.place("full")
    assert place is not None
    assert place.node == "1"
    assert await two.place("nowhere") is None
    assert [lobby for lobby, _ in await two.open_ones("duel")] == ["a", "b"]
    assert await one.host("2") is not None  # which came after it had looked around
    assert [each.chosen("any duel") is None for each in (one, two)] in ([True, False], [False, True])


async def test_what_a_node_had_is_gone_with_it_but_what_it_left_running(store: Store, tmp_path: Path):
    one, two = (node(store, name, tmp_path / name) for name in ("1", "2"))
    await one.open()
    await one.told(room("open"))
    await one.told(room("running", state="running"))
    await two.open()
    assert await there(store) == ["open", "running"]
    await silent(store, "1")
    await node(store, "2", tmp_path / "2").open()

    assert await there(store) == ["running"]


async def test_two_servers_cannot_have_one_name_unless_one_of_them_is_gone(store: Store, tmp_path: Path):
    await node(store, "1", tmp_path / "here").open()
    with pytest.raises(StoreProblem, match="goes by the name '1'"):
        await node(store, "1", tmp_path / "there").open()
    await node(store, "1", tmp_path / "here").open()
    await silent(store, "1")
    await node(store, "1", tmp_path / "there").open()


async def test_a_server_that_is_alone_writes_nothing_and_clears_what_was_left(store: Store, tmp_path: Path):
    one = node(store, "1", tmp_path)
    await one.open()
    await one.told(room("open"))
    alone = node(store, None, tmp_path)
    await alone.open()
    await alone.told(room("mine"))

    assert await there(store) == []
    assert await alone.claim("mine")
    async with store.read() as db:
        assert (await db.execute(select(nodes))).all() == []
