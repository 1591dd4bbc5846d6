"""Presence ends with the connection, and a bot that misses a game is not invited again until it
asks."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.core.contract import Pacing
from games.pyrat.rules import Rules
from server.tournaments.ladder import Ladder
from tests.accounts.people import person
from tests.forked_process import ForkedProcess
from tests.server.live_server import LiveServer, bearer, eventually
from tests.tournaments.stage import Guest, Stage, counted, played, rounds, staged
from tests.waiting import PATIENCE_S

PYRAT = GAMES["pyrat"]


def soon(rules: Rules) -> Pacing:
    return replace(PYRAT.pacing(rules), startup_ms=400)


IMPATIENT = {"pyrat": replace(PYRAT, pacing=soon)}
"""An invited bot has little time to connect."""
LADDER: dict[str, Any] = {"games_at_once": 4, "ladder": "pyrat", "ladder_pace_ms": 20}


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A ladder on which nothing is played."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(tmp_path_factory.mktemp("quiet"), monkeypatch, ladder="off") as stage,
    ):
        yield stage


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A ladder that invites every present bot at once, to games that start soon or never."""
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr(Ladder, "_pair", counted(Ladder._pair))
    with staged(tmp_path, monkeypatch, games=IMPATIENT, **LADDER) as stage:
        yield stage


def climbs(guest: Guest, concurrency: int = 1) -> None:
    guest.stage.done("/ladders/pyrat", {"concurrency": concurrency}, guest.person.key, 201)


def rung(live_server: LiveServer, account: str) -> dict[str, Any] | None:
    """The line of this account on the ladder."""
    bots = live_server.get("/ladders/pyrat").json()["bots"]
    return next((bot for bot in bots if bot["account"] == account), None)


def present(live_server: LiveServer, account: str) -> bool:
    line = rung(live_server, account)
    return line is not None and line["present"]


def seats_of(live_server: LiveServer, account: str) -> list[str]:
    """The matches in which this account has had a seat, those that are over last."""
    lobbies = live_server.arena.matches.lobbies
    every = [*lobbies.unfinished.values(), *lobbies.closed.values()]
    return [lobby.id for lobby in every if any(seat.account == account for seat in lobby.seats)]


@contextlib.contextmanager
def asking(
    live_server: LiveServer, key: str, *, after: int = 0, port: int | None = None
) -> Iterator[socket.socket]:
    """A connection on which an account waits for invitations with a number above `after`."""
    with socket.create_connection(("127.0.0.1", port or port_of(live_server))) as waiting:
        path = f"/api/v1/bots/me/invitations?wait_s=25&after={after}"
        waiting.sendall(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
        )
        yield waiting


def port_of(live_server: LiveServer) -> int:
    return int(live_server.url.rpartition(":")[2])


def closed(waiting: socket.socket) -> None:
    waiting.close()


def reset(waiting: socket.socket) -> None:
    waiting.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    waiting.close()


def half_closed(waiting: socket.socket) -> None:
    waiting.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def relay(port: int) -> Iterator[int]:
    """A proxy of one connection at a time: what one side says or ends, the other one hears. Its
    port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def pump() -> None:
        with contextlib.suppress(OSError):
            client, _ = listener.accept()
            with client, socket.create_connection(("127.0.0.1", port)) as server:
                while True:
                    for ready in select.select([client, server], [], [])[0]:
                        data = ready.recv(65536)
                        if not data:
                            return
                        (server if ready is client else client).sendall(data)

    thread = threading.Thread(target=pump)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


# --- being there


@pytest.mark.parametrize("end", [closed, reset, half_closed])
def test_presence_ends_with_the_waiting_connection(
    quiet: Stage, end: Callable[[socket.socket], None]
):
    guest = quiet.guest(f"Ada {end.__name__}")
    climbs(guest)
    with asking(quiet.live_server, guest.person.key) as waiting:
        eventually(lambda: present(quiet.live_server, guest.person.id))

        end(waiting)

        eventually(lambda: not present(quiet.live_server, guest.person.id))


def test_presence_ends_with_the_connection_through_a_proxy(quiet: Stage):
    guest = quiet.guest("Bob")
    climbs(guest)
    with (
        relay(port_of(quiet.live_server)) as port,
        asking(quiet.live_server, guest.person.key, port=port) as waiting,
    ):
        eventually(lambda: present(quiet.live_server, guest.person.id))

        waiting.close()

        eventually(lambda: not present(quiet.live_server, guest.person.id))


def test_a_bot_with_two_processes_is_present_until_both_are_gone(quiet: Stage):
    guest = quiet.guest("Cleo")
    climbs(guest)
    requests = quiet.live_server.arena.tournaments.invitations._waiting
    with (
        asking(quiet.live_server, guest.person.key) as one,
        asking(quiet.live_server, guest.person.key) as other,
    ):
        eventually(lambda: requests[guest.person.id] == 2)

        one.close()
        eventually(lambda: requests[guest.person.id] == 1)
        assert present(quiet.live_server, guest.person.id)

        other.close()
        eventually(lambda: not present(quiet.live_server, guest.person.id))


def test_a_bot_stays_present_for_a_moment_after_its_answer(
    quiet: Stage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.invitations.GRACE_S", 600.0)
    guest = quiet.guest("Dan")
    climbs(guest)
    guest.asked()
    assert present(quiet.live_server, guest.person.id)

    monkeypatch.setattr("server.tournaments.invitations.GRACE_S", 0.0)
    assert not present(quiet.live_server, guest.person.id)


def test_a_killed_bot_is_invited_to_no_further_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its matches are counted while the ladder looks for players; house bots alone play only so
    many games and then none."""
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr("server.tournaments.invitations.GRACE_S", 1.0)
    monkeypatch.setattr(Ladder, "_pair", counted(Ladder._pair))
    with staged(tmp_path, monkeypatch, **LADDER) as stage:
        live_server, ada = stage.live_server, person(tmp_path, "bot", "Ada")
        words = ("play-for", live_server.url, "greedy", "--game", "pyrat", "--ladder")
        bot = ForkedProcess(words, environment=os.environ | {"BOTARENA_KEY": ada.key})
        try:
            eventually(lambda: present(live_server, ada.id) and seats_of(live_server, ada.id))
        finally:
            bot.kill()
            bot.wait()
            bot.close()
        eventually(lambda: not present(live_server, ada.id))
        before = seats_of(live_server, ada.id)
        for id_ in live_server.arena.matches.lobbies.unfinished.keys() & set(
            before
        ):  # else it could have no further game anyway
            stage.done(f"/admin/matches/{id_}/abort", {"reason": "rain"})

        rounds(stage)

        assert set(seats_of(live_server, ada.id)) == set(before)


# --- not coming


def missed(guest: Guest) -> dict[str, Any]:
    """Ask until there is an invitation and ignore it; the game, once it is cancelled."""
    (called,) = eventually(lambda: guest.asked(wait_s=1))
    live_server = guest.stage.live_server
    assert live_server.over(called["match"])["reason"] == "no_show"
    live_server.row(called["match"])
    return called


def test_a_missed_game_is_not_rated(busy: Stage):
    guest = busy.guest("Ada")
    climbs(guest)
    before = busy.live_server.get("/ratings?game=pyrat").json()

    missed(guest)

    after = busy.live_server.get("/ratings?game=pyrat").json()
    assert (after["matches"], after["ratings"]) == (before["matches"], before["ratings"])


def test_a_bot_that_missed_a_game_is_not_invited_until_it_asks_again(busy: Stage):
    guest = busy.guest("Ada")
    climbs(guest, concurrency=2)
    with asking(busy.live_server, guest.person.key, after=10**15):
        called = eventually(
            lambda: len(ids := seats_of(busy.live_server, guest.person.id)) == 2 and ids
        )
        for id_ in called:
            assert busy.live_server.over(id_)["reason"] == "no_show"
        assert not present(busy.live_server, guest.person.id)
        rounds(busy)
        assert set(seats_of(busy.live_server, guest.person.id)) == set(called)

    assert eventually(lambda: guest.asked(wait_s=1))


def test_three_missed_games_in_a_row_remove_a_bot_from_the_ladder_until_it_joins_again(busy: Stage):
    guest = busy.guest("Ada")
    climbs(guest)
    for _ in range(3):
        missed(guest)
    eventually(lambda: rung(busy.live_server, guest.person.id) is None)
    rounds(busy)
    assert guest.asked() == []

    climbs(guest)
    assert eventually(lambda: guest.asked(wait_s=1))


def test_a_bot_that_plays_a_game_in_between_stays_on_the_ladder(busy: Stage):
    guest = busy.guest("Ada")
    climbs(guest)
    for _ in range(2):
        for _ in range(2):
            missed(guest)
        (called,) = eventually(lambda: guest.asked(wait_s=1))
        played("pyrat", "greedy", called["url"], called["token"])
        busy.live_server.row(called["match"])

    rounds(busy)
    assert rung(busy.live_server, guest.person.id) is not None


def test_the_second_game_of_a_pair_waits_for_an_absent_bot_but_not_for_ever(
    busy: Stage, monkeypatch: pytest.MonkeyPatch
):
    guest = busy.guest("Ada")
    climbs(guest)
    (first,) = eventually(lambda: guest.asked(wait_s=1))
    monkeypatch.setattr("server.tournaments.invitations.GRACE_S", 0.0)
    played("pyrat", "greedy", first["url"], first["token"])
    busy.live_server.row(first["match"])
    rounds(busy)
    assert seats_of(busy.live_server, guest.person.id) == [first["match"]]
    assert (
        busy.live_server.get(f"/matches/{first['match']}/journal").json()["code"] == "not_released"
    )

    monkeypatch.setattr("server.tournaments.ladder.WAITS_S", 0.0)

    eventually(lambda: busy.live_server.get(f"/matches/{first['match']}/journal").is_success)


def test_a_bot_that_left_the_ladder_is_not_invited_to_the_second_game_of_a_pair(busy: Stage):
    guest = busy.guest("Ada")
    climbs(guest)
    (first,) = eventually(lambda: guest.asked(wait_s=1))
    busy.live_server.http.delete(
        "/api/v1/ladders/pyrat", headers={"Authorization": f"Bearer {guest.person.key}"}
    )
    played("pyrat", "greedy", first["url"], first["token"])
    busy.live_server.row(first["match"])
    with asking(busy.live_server, guest.person.key):
        rounds(busy)

    assert seats_of(busy.live_server, guest.person.id) == [first["match"]]


@pytest.mark.parametrize("how", ["disable", "revoke"])
def test_a_request_that_waits_gets_no_seat_after_its_key_was_revoked(quiet: Stage, how: str):
    organiser = person(quiet.live_server.data, "organiser").key
    guest = quiet.guest(f"Ada {how}")
    key = guest.person
    id_ = quiet.made(
        "greedy", format={"format": "round-robin", "matches_per_pairing": 1, "check": False}
    )
    guest.enter(id_)
    accounts = f"{quiet.live_server.url}/api/v1/accounts/{key.id}"
    with asking(quiet.live_server, key.key) as waiting:
        invitations = quiet.live_server.arena.tournaments.invitations
        eventually(lambda: invitations._waiting[key.id] == 1)
        http = quiet.live_server.http
        if how == "disable":
            answer = http.post(f"{accounts}/disable", headers=bearer(organiser))
        else:
            answer = http.delete(f"{accounts}/keys/{key.key_id}", headers=bearer(organiser))
        assert answer.status_code in (200, 204)
        quiet.led(id_, "start")
        waiting.settimeout(PATIENCE_S)
        found = waiting.recv(1 << 16)

    assert found.startswith(b"HTTP/1.1 401 ")
    assert b"bad_key" in found


def test_a_tournament_invites_an_absent_bot_which_then_forfeits(busy: Stage):
    """By the tournament's own rules."""
    guest = busy.guest("Ada")
    id_ = busy.made(
        "greedy", format={"format": "round-robin", "matches_per_pairing": 1, "check": False}
    )
    guest.enter(id_)
    busy.led(id_, "start")

    (game,) = busy.until(id_, "finished")["games"]

    assert game["result"]["forfeit"] == [seat == "Ada" for seat in game["seats"]]
