"""What a server stores in its database about matches, and how it uses that after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.accounts.authentication import Requester
from server.blame import BlameVerdict, BrokenOff, verdict
from server.match_record import MatchEnded, MatchRecord, SeatedPlayer
from server.matches import writer
from server.matches.archive import Archive
from server.matches.messages import Resign
from server.store.matches import begin, finish, found, page, state_of
from server.store.store import Store
from server.store.tables import attempts, matches, seats
from tests.server.live_server import LiveServer, eventually, hosted

STEP = {"do": "step", "by": 1}
LONG = {"turn_ms": 60_000, "absence": "plays"}


def played(live_server: LiveServer, **options: object) -> str:
    """A match that is over."""
    lobby, taken = live_server.seated("walk", clock=LONG, config={"turns": 1}, **options)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    red.raw("nonsense")
    red.answer(0, STEP, end_turn=True)
    blue.rest()
    return lobby


def shown(live_server: LiveServer, lobby: str) -> dict[str, object]:
    return live_server.get(f"/matches/{lobby}").json()


def rows(url: str, query: str) -> list[tuple[object, ...]]:
    with Store(url).connected() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def test_a_result_is_the_same_after_a_restart(tmp_path: Path, store_url: str):
    with hosted(tmp_path, database_url=store_url) as live_server:
        lobby = played(live_server)
        before = shown(live_server, lobby)
    with hosted(tmp_path, database_url=store_url) as live_server:
        assert shown(live_server, lobby) == before
        assert [one["match"] for one in live_server.get("/matches").json()] == [lobby]
    assert before["outcome"]["seats"][0]["bad_frames"] == 1
    assert rows(store_url, "select seat, placement, outcome from seats order by seat") == [
        (0, 1, "win"),
        (1, 2, "loss"),
    ]


def test_the_results_can_be_restored_from_the_journals(tmp_path: Path):
    with hosted(tmp_path / "one") as live_server:
        lobby = played(live_server)
        before = shown(live_server, lobby)
    shutil.copytree(tmp_path / "one" / "matches", tmp_path / "other" / "matches")
    with hosted(tmp_path / "other") as live_server:
        assert shown(live_server, lobby) == before


def test_results_that_an_early_version_wrote_beside_the_journal_are_imported(tmp_path: Path):
    with hosted(tmp_path / "one") as live_server:
        lobby = played(live_server)
        before = shown(live_server, lobby)
    folder = tmp_path / "other" / "matches"
    shutil.copytree(tmp_path / "one" / "matches", folder)
    early = before | {
        "created_ms": 1,
        "started_ms": 2,
        "ended_ms": 3,
        "outcome": before["outcome"] | {"counted": "then"},
    }
    (folder / f"{lobby}.result.json").write_bytes(msgspec.json.encode(early))
    with hosted(tmp_path / "other") as live_server:
        assert shown(live_server, lobby)["outcome"]["counted"] == "then"
        assert shown(live_server, lobby)["ended_ms"] == 3


def test_a_resumed_match_is_another_attempt_and_the_first_is_no_bots_fault(
    tmp_path: Path, store_url: str
):
    with hosted(tmp_path, database_url=store_url) as live_server:
        lobby, taken = live_server.seated("walk", clock=LONG, config={"turns": 1})
        red, _ = (live_server.seat(one) for one in taken)
        red.until("view")
    with hosted(tmp_path, database_url=store_url) as live_server:
        red, blue = (live_server.seat(one) for one in taken)
        red.until("view", act=True)
        red.answer(0, STEP, end_turn=True)
        blue.rest()
        tried = shown(live_server, lobby)["attempts"]
    assert [
        (one["number"], one["state"], one["blame"], one["blamed"], one["reason"]) for one in tried
    ] == [
        (1, "interrupted", "infrastructure", ["infrastructure", "infrastructure"], "interrupted"),
        (2, "over", None, None, "max_turns"),
    ]


def test_a_match_that_cannot_resume_is_over(tmp_path: Path):
    with hosted(tmp_path) as live_server:
        lobby, (red, _) = live_server.started("duel", clock=LONG)
        red.expect("view")
        path = tmp_path / "matches" / f"{lobby}.journal.jsonl"
        whole = live_server.journal_text(lobby)
    path.write_text(whole.replace('"rules_version":3', '"rules_version":2'))
    with hosted(tmp_path) as live_server:
        before = shown(live_server, lobby)
        assert before["outcome"]["reason"] == "interrupted"
    path.write_text(whole)
    with hosted(tmp_path) as live_server:
        assert shown(live_server, lobby) == before
        assert before["attempts"][-1]["blame"] == "infrastructure"


def test_nothing_is_released_while_another_server_of_the_database_uses_the_seed(
    tmp_path: Path, store_url: str
):
    with hosted(tmp_path / "one", database_url=store_url) as one:
        _, taken = one.seated("walk", clock=LONG, config={"turns": 1}, seed=5)
        red, _ = (one.seat(who) for who in taken)
        red.until("view")
        eventually(lambda: rows(store_url, "select id from matches"))
        with hosted(tmp_path / "other", database_url=store_url) as other:
            lobby = played(other, seed=5)
            assert not shown(other, lobby)["released"]
            assert other.get("/replays").json() == []
            assert other.get(f"/replays/{lobby}").json()["code"] == "not_released"
    with hosted(tmp_path / "other", database_url=store_url) as other:
        assert not shown(other, lobby)["released"], (
            "the server that plays it is down, and may come back"
        )
        with hosted(tmp_path / "one", database_url=store_url) as one:
            red, blue = (one.seat(who) for who in taken)
            red.until("view", act=True)
            red.answer(0, STEP, end_turn=True)
            blue.rest()
            eventually(lambda: shown(other, lobby)["released"])
            assert [found["match"] for found in other.get("/replays").json()][-1] == lobby
            assert other.get(f"/replays/{lobby}").status_code == 200


def test_a_private_match_is_in_no_list(tmp_path: Path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("walk", config={"turns": 1}, private=True)
        red, blue = (
            live_server.seat(live_server.join(made["lobby"], invite=made["invite"]))
            for _ in range(2)
        )
        red.until("view")
        red.answer(0, STEP, end_turn=True)
        blue.rest()
        live_server.row(made["lobby"])
        assert live_server.get("/matches").json() == live_server.get("/replays").json() == []
        assert live_server.get(f"/matches/{made['lobby']}", made["owner_token"]).status_code == 200


# --- pages


def over(
    id_: str, ended_ms: int, game: str = "walk", blamed: BlameVerdict | None = None
) -> MatchEnded:
    """A match without players."""
    players = [SeatedPlayer(seat, "red", "someone", "bot") for seat in range(2)]
    result = [{"seat": seat, "score": 0.5, "placement": 1, "outcome": "draw"} for seat in range(2)]
    record = MatchRecord(
        id=id_,
        name=None,
        game=game,
        rules_version=1,
        state="over",
        private=False,
        rated=False,
        players=players,
        config={},
        map=None,
        faults=None,
        seed=ended_ms,
        salt="00",
        doors=[],
        commitment="00",
        created_ms=0,
        started_ms=0,
        ended_ms=ended_ms,
        head="00",
        outcome={"outcome": "draw", "winner": None, "reason": "max_turns", "seats": result},
        file=f"matches/{id_}.journal.jsonl",
    )
    return MatchEnded(record, blamed)


async def test_pages_list_all_matches_newest_first(store: Store):
    async with store.write() as db:
        for number in range(10):
            await finish(db, over(f"m{number}", number // 2), "here")
        await finish(db, over("other", 3, game="duel"), "here")
    async with store.read() as db:
        seen: list[str] = []
        before = None
        while found := await page(db, limit=3, game="walk", before=before):
            seen += [record.id for record in found]
            before = found[-1].age

        assert seen == [f"m{number}" for number in reversed(range(10))]


async def test_storing_a_result_twice_changes_nothing(store: Store):
    for _ in range(2):
        async with store.write() as db:
            await finish(db, over("m", 1, blamed=verdict(BrokenOff("timeout", (1,)), 2)), "here")
    async with store.read() as db:
        counts = [
            (await db.execute(select(func.count()).select_from(table))).scalar_one()
            for table in (matches, seats, attempts)
        ]
        ledger = (await db.execute(select(attempts.c.blame, attempts.c.blamed))).one()

        assert counts == [1, 2, 1]
        assert tuple(ledger) == ("bot", ["peer", "bot"])


async def stored(store: Store, writer: SimpleNamespace, ended: MatchEnded) -> None:
    """The database takes a result, and no one waits for it any more."""
    async with store.write() as db:
        await finish(db, ended, "here")
    writer.unstored.clear()


@pytest.fixture
async def two_of_a_seed(store: Store) -> tuple[Archive, SimpleNamespace, MatchEnded]:
    """A match in the database, and one that is over and about to be stored: both played with the
    same seed."""
    first, second = over("first", 1), over("second", 1)
    async with store.write() as db:
        await finish(db, first, "here")
        await begin(db, replace(second.record, state="running"), "here", 0)
    writer = SimpleNamespace(unstored={"second": second.record})
    return Archive(store, writer, set), writer, second


async def test_a_match_stored_while_another_is_looked_up_is_over(
    store: Store,
    two_of_a_seed: tuple[Archive, SimpleNamespace, MatchEnded],
    monkeypatch: pytest.MonkeyPatch,
):
    archive, writer, second = two_of_a_seed

    async def found_and_then_stored(db: AsyncConnection, id_: str) -> MatchRecord | None:
        record = await found(db, id_)
        await stored(store, writer, second)
        return record

    monkeypatch.setattr("server.store.matches.found", found_and_then_stored)

    assert (await archive.released("first", Requester())).id == "first"


async def test_a_match_stored_while_a_page_is_read_is_listed_once(
    store: Store,
    two_of_a_seed: tuple[Archive, SimpleNamespace, MatchEnded],
    monkeypatch: pytest.MonkeyPatch,
):
    archive, writer, second = two_of_a_seed
    read = store.read

    @contextlib.asynccontextmanager
    async def read_when_stored() -> AsyncIterator[AsyncConnection]:
        await stored(store, writer, second)
        async with read() as db:
            yield db

    monkeypatch.setattr(store, "read", read_when_stored)

    assert sorted(str(one["match"]) for one in await archive.page(limit=9)) == ["first", "second"]


def test_a_page_continues_where_the_previous_one_ended(tmp_path: Path):
    with hosted(tmp_path) as live_server:
        lobbies = [played(live_server) for _ in range(3)]
        _, (red, _) = live_server.started("duel", clock=LONG)
        red.expect("view")
        first = live_server.get("/matches?limit=2").json()
        rest = live_server.get(f"/matches?limit=2&before={first[-1]['match']}").json()

        assert [one["state"] for one in first] == ["running", "over", "over"]
        assert [one["match"] for one in first[1:] + rest] == lobbies[::-1]
        assert (
            live_server.get(f"/replays?limit=1&before={lobbies[1]}").json()[0]["match"]
            == lobbies[0]
        )
        assert live_server.get("/matches?before=nowhere").json()["code"] == "no_such_match"
        assert (
            live_server.get("/matches?limit=0").status_code
            == live_server.get("/matches?limit=9999").status_code
            == 422
        )


def test_a_match_whose_process_is_down_is_not_unknown(tmp_path: Path, store_url: str):
    with hosted(tmp_path, database_url=store_url) as live_server:
        lobby = played(live_server)
        assert shown(live_server, lobby)["state"] == "over"
    with Store(store_url).connected(writes=True) as connection:
        connection.execute(update(matches).values(node="another", state="running"))
    with hosted(tmp_path / "elsewhere", database_url=store_url) as live_server:
        answer = live_server.get(f"/matches/{lobby}")
        assert (answer.status_code, answer.json()["code"]) == (503, "node_down")
        assert live_server.get("/matches/nowhere").status_code == 404


# --- a database that fails


@contextlib.asynccontextmanager
async def failing(self: Store) -> AsyncIterator[None]:
    raise OperationalError("insert", {}, Exception("the disk is on fire"))
    yield


def test_a_failing_database_does_not_disturb_matches_and_is_updated_later(tmp_path: Path):
    with hosted(tmp_path) as live_server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "write", failing)
        lobby = played(live_server)

        assert shown(live_server, lobby)["outcome"]["reason"] == "max_turns"
        assert live_server.get(f"/replays/{lobby}").status_code == 200
        eventually(lambda: live_server.http.get("/readyz").status_code == 503)
        assert "store" in live_server.http.get("/readyz").json()["reasons"]
        patch.undo()
        assert live_server.row(lobby)["head"] == live_server.verified(lobby).head
        eventually(lambda: live_server.http.get("/readyz").status_code == 200)


def test_results_missing_in_the_database_are_stored_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(writer, "SETTLE_S", 0.05)
    with pytest.MonkeyPatch.context() as patch, hosted(tmp_path) as live_server:
        patch.setattr(Store, "write", failing)
        lobby = played(live_server)
        before = shown(live_server, lobby)
    with hosted(tmp_path) as live_server:
        assert shown(live_server, lobby) == before | {
            "attempts": shown(live_server, lobby)["attempts"]
        }


def test_a_database_that_does_not_answer_gives_a_clear_error(tmp_path: Path):
    with hosted(tmp_path) as live_server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "read", failing)

        assert (
            live_server.get("/matches").status_code,
            live_server.get("/matches").json()["code"],
        ) == (
            503,
            "no_store",
        )
        viewer = live_server.socket("watch")
        viewer.say("hello", protocol=1, match="nowhere")
        assert viewer.refused()[1:] == ("too_fast", True)


# --- who is to blame


@pytest.mark.parametrize(
    ("broken", "blame", "seats"),
    [
        (BrokenOff("timeout", (1,)), "bot", ["peer", "bot"]),
        (BrokenOff("disconnect", (1, 0)), "bot", ["bot", "bot"]),
        (BrokenOff("no_show", missing=(0,)), "bot", ["bot", "peer"]),
        (BrokenOff("idle"), "bot", ["bot", "bot"]),
        (BrokenOff("server_fault"), "infrastructure", ["infrastructure"] * 2),
        (BrokenOff("disk_full"), "infrastructure", ["infrastructure"] * 2),
        (BrokenOff("cheating"), "organiser", ["organiser"] * 2),
    ],
)
def test_an_aborted_match_names_the_seat_at_fault(broken: BrokenOff, blame: str, seats: list[str]):
    found = verdict(broken, 2)
    assert found is not None
    assert (found.blame, found.by_seat(2)) == (blame, seats)


def test_a_match_that_ended_by_its_rules_has_no_one_at_fault():
    assert verdict(None, 2) is None


def test_the_ledger_names_absent_and_leaving_seats(tmp_path: Path):
    with hosted(tmp_path) as live_server:
        lobby, _ = live_server.seated("walk", clock={"startup_ms": 50})
        live_server.over(lobby)
        resigned, (_, blue) = live_server.started("duel", clock=LONG)
        blue.until("view")
        live_server.arena.matches.lobbies.unfinished[resigned].live.post(Resign(1))
        live_server.over(resigned)

        no_show, left = (shown(live_server, one)["attempts"][-1] for one in (lobby, resigned))
        assert (no_show["reason"], no_show["blame"], no_show["blamed"]) == (
            "no_show",
            "bot",
            ["bot", "bot"],
        )
        assert (left["blame"], left["blamed"]) == ("bot", ["peer", "bot"])


# --- retention


def test_a_server_forgets_only_matches_that_ended_too_long_ago(tmp_path: Path, store_url: str):
    with hosted(tmp_path, database_url=store_url) as live_server:
        old, new = played(live_server), played(live_server)
    with Store(store_url).connected(writes=True) as connection:
        connection.execute(update(matches).where(matches.c.id == old).values(ended_ms=1))
    with hosted(tmp_path, database_url=store_url, keep_days=1) as live_server:
        eventually(lambda: live_server.get(f"/matches/{old}").status_code == 404)
        assert shown(live_server, new)["state"] == "over"
    assert not list(tmp_path.glob(f"matches/{old}*"))
    assert list(tmp_path.glob(f"matches/{new}*"))
    assert rows(store_url, "select distinct match from attempts") == [(new,)]


@pytest.mark.parametrize(
    "stops", [False, True], ids=["the server goes on", "the server stops meanwhile"]
)
def test_a_client_that_leaves_during_a_query_does_not_cancel_it(
    tmp_path: Path, store_url: str, stops: bool, monkeypatch: pytest.MonkeyPatch
):
    with hosted(tmp_path, database_url=store_url) as live_server:
        lobby = played(live_server)
        eventually(lambda: live_server.get(f"/matches/{lobby}").is_success)
    begun: list[str] = []
    ended: list[str] = []

    async def slowly(db: AsyncConnection, id_: str) -> str | None:
        begun.append(id_)
        await asyncio.sleep(0.2)
        state = await state_of(db, id_)
        ended.append(id_)
        return state

    monkeypatch.setattr("server.store.matches.state_of", slowly)
    with hosted(tmp_path, database_url=store_url) as live_server:
        viewer = live_server.socket("watch")
        viewer.say("hello", protocol=1, match=lobby)
        eventually(lambda: lobby in begun)
        viewer.socket.socket.shutdown(socket.SHUT_RDWR)
        eventually(lambda: not live_server.arena.http.sockets._sessions)
        if not stops:
            eventually(lambda: lobby in ended)
    assert lobby in ended
