"""A bot is invited to no more games at a time than it declared, by ladders and tournaments
together, including its own joins."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from server.errors import Refusal
from server.store.store import FILE
from server.tournaments.attempts import Attempts
from server.tournaments.ladder import Ladder
from tests.accounts.people import person_of
from tests.server.live_server import LiveServer, eventually
from tests.stores import database
from tests.tournaments.stage import LOOKS, Guest, Stage, counted, rounds, staged
from tests.tournaments.test_waiting import waiting
from tests.workers.nodes import nodes

TABLE = {"format": "round-robin", "matches_per_pairing": 1, "check": False}
SETTINGS: dict[str, Any] = {"games_at_once": 16, "ladder": "pyrat", "ladder_pace_ms": 20}
LONG = {"preset": "tiny", "max_turns": 400, "move_timeout_ms": 60_000}


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A ladder that invites every present bot at once."""
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr("server.tournaments.scheduler.LOOK_S", 0.05)
    monkeypatch.setattr(Ladder, "_pair", counted(Ladder._pair))
    with staged(tmp_path, monkeypatch, **SETTINGS) as stage:
        yield stage


def climbs(guest: Guest) -> None:
    guest.stage.done("/ladders/pyrat", {"concurrency": guest.concurrency}, guest.person.key, 201)


def entered(guest: Guest, **options: Any) -> str:
    """A tournament that has begun, in which the guest meets a house bot."""
    id_ = guest.stage.made("greedy", **{"format": TABLE} | options)
    guest.enter(id_)
    guest.stage.led(id_, "start")
    return id_


def joined(live_server: LiveServer, lobby: str, guest: Guest) -> dict[str, Any]:
    """A seat that the account takes itself."""
    answer = live_server.post(f"/lobbies/{lobby}/join", {"name": guest.name}, guest.person.key)
    assert answer.status_code == 201, answer.text
    return answer.json()


def open_seats(live_server: LiveServer, account: str) -> list[str]:
    """The lobbies and matches that are not over in which the account has a seat, once for each."""
    lobbies = list(live_server.arena.matches.lobbies.unfinished.values())
    return [lobby.id for lobby in lobbies for seat in lobby.seats if seat.account == account]


def most_at_once(data: Path, account: str) -> int:
    """Of the account's matches that are over: how many lasted at the same moment, from their lobby
    on."""
    query = (
        "select created_ms, ended_ms from matches join seats on seats.match = id where account = ? "
        "and state = 'over'"
    )
    with closing(sqlite3.connect(data / FILE)) as db:
        lasted = db.execute(query, [account]).fetchall()
    return max(sum(begun <= at < ended for begun, ended in lasted) for at, _ in lasted)


@pytest.mark.parametrize("declared", [1, 2])
def test_a_ladder_and_four_tournaments_together_respect_the_limit(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: int
):
    take = Attempts.take_here

    async def slowly(*args: Any, **fields: Any) -> Any:
        """The ladder looks for players while a game is being taken."""
        ladder = stage.live_server.arena.tournaments.ladder
        end = LOOKS[ladder] + 2
        while LOOKS[ladder] < end:
            await asyncio.sleep(0.005)
        return await take(*args, **fields)

    monkeypatch.setattr(Attempts, "take_here", slowly)
    guest = stage.guest("Ada", concurrency=declared)
    climbs(guest)
    guest.plays()
    tournaments = [entered(guest) for _ in range(4)]

    for id_ in tournaments:
        stage.until(id_, "finished")

    assert most_at_once(tmp_path, guest.person.id) == declared


def test_a_seat_joined_by_the_account_itself_counts_and_is_not_refused(stage: Stage):
    guest = stage.guest("Ada")
    lobby = stage.live_server.create("pyrat")["lobby"]
    own = joined(stage.live_server, lobby, guest)
    climbs(guest)
    id_ = entered(guest)
    eventually(lambda: waiting(stage, "busy") == 1)
    guest.asked()
    rounds(stage)
    assert open_seats(stage.live_server, guest.person.id) == [lobby]

    stage.live_server.post(f"/lobbies/{lobby}/leave", None, own["token"])
    called = eventually(lambda: guest.asked(wait_s=1))
    assert joined(stage.live_server, lobby, guest)["seat"] == own["seat"]
    assert sorted(open_seats(stage.live_server, guest.person.id)) == sorted(
        [lobby, *(one["match"] for one in called)]
    )
    stage.led(id_, "cancel")


def test_a_cancelled_lobby_frees_its_place(stage: Stage):
    guest = stage.guest("Ada")
    lobby = stage.live_server.create("pyrat", start_timeout_ms=2_000)["lobby"]
    joined(stage.live_server, lobby, guest)
    entered(guest)
    eventually(lambda: waiting(stage, "busy") == 1)

    assert eventually(lambda: guest.asked(wait_s=1))
    assert stage.live_server.lobby(lobby)["state"] == "cancelled"


async def no_database(*args: Any, **fields: Any) -> Any:
    raise OperationalError("select", {}, Exception("gone"))


async def taken_already(*args: Any, **fields: Any) -> Any:
    return None


async def no_lobby(*args: Any, **fields: Any) -> Any:
    raise Refusal(503, "too_many_lobbies", "try again later")


@pytest.mark.parametrize(
    ("where", "fails"),
    [
        ("server.store.tournaments.take", no_database),
        ("server.store.tournaments.take", taken_already),
        ("server.lobbies.service.LobbyService.host", no_lobby),
    ],
)
def test_a_game_that_does_not_start_frees_its_places(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, where: str, fails: Callable[..., Any]
):
    monkeypatch.setattr("server.tournaments.results.RETRY_S", 0.05)
    monkeypatch.setattr("server.tournaments.scheduler.STORE_RETRY_S", 0.05)
    failed: list[None] = []
    with monkeypatch.context() as broken:
        broken.setattr(where, lambda *args, **fields: failed.append(None) or fails(*args, **fields))
        guest = stage.guest("Ada")
        entered(guest)
        eventually(lambda: len(failed) > 1)

    assert eventually(lambda: guest.asked(wait_s=1))


def test_a_game_resumed_after_a_restart_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr(Ladder, "_pair", counted(Ladder._pair))
    with staged(tmp_path, monkeypatch, **SETTINGS) as stage:
        guest = stage.guest("Ada")
        climbs(guest)
        (called,) = eventually(lambda: guest.asked(wait_s=1))
        stage.live_server.seat(called).until("start")
    with staged(tmp_path, monkeypatch, **SETTINGS) as stage:
        again = Guest(stage, guest.name, guest.person)
        again.asked()
        rounds(stage)

        assert open_seats(stage.live_server, guest.person.id) == [called["match"]]


def test_a_match_on_another_node_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.tournaments.scheduler.LOOK_S", 0.05)
    with database("sqlite", tmp_path) as url, ExitStack() as leave:
        both = leave.enter_context(nodes(tmp_path, url, "1", "2"))
        houses = [both.start(name) for name in "12"]
        calling, other = sorted(
            houses, key=lambda live_server: not live_server.arena.cluster.leader.leads
        )
        stage = Stage(calling, person_of(url, "organiser"), leave)
        guest = Guest(stage, "Ada", person_of(url, "bot", "Ada"))
        lobby = in_a_match(other, guest)
        entered(guest)
        eventually(lambda: waiting(stage, "busy") == 1)

        stage.done(f"/admin/matches/{lobby}/abort", {"reason": "rain"})
        assert eventually(lambda: guest.asked(wait_s=1))


def in_a_match(live_server: LiveServer, guest: Guest) -> str:
    """A long match of the guest's own."""
    lobby = live_server.create("pyrat", config=LONG)["lobby"]
    taken = [joined(live_server, lobby, guest), live_server.join(lobby, "Bob")]
    for client in [live_server.seat(one) for one in taken]:
        client.until("start")
    with closing(sqlite3.connect(live_server.data.parent / "test.sqlite3")) as db:
        eventually(
            lambda: db.execute(
                "select 1 from seats where account = ?", [guest.person.id]
            ).fetchone()
        )
        eventually(
            lambda: db.execute(
                "select 1 from matches where id = ? and state = 'running'", [lobby]
            ).fetchone()
        )
    return lobby
