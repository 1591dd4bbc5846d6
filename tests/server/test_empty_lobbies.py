"""Lobbies without a taken seat: their number per creator is limited, and they expire soon."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from client_sdk.bounds import LONGEST_MS
from tests.server.live_server import eventually, hosted

WEEK = {"start_timeout_ms": LONGEST_MS}


def test_a_lobby_without_a_taken_seat_expires_soon(tmp_path):
    with hosted(tmp_path, empty_lobby_ms=100) as live_server:
        made = live_server.create(**WEEK)
        gone = eventually(
            lambda: (shown := live_server.lobby(made["lobby"]))["state"] == "cancelled" and shown
        )

        assert made["countdown_ms"] <= 100
        assert gone["reason"] == "no_seat_taken"


def test_a_taken_seat_keeps_a_lobby_open_until_it_is_given_back(tmp_path):
    with hosted(tmp_path, empty_lobby_ms=1000) as live_server:
        made = live_server.create(**WEEK)
        seat = live_server.join(made["lobby"])
        assert live_server.lobby(made["lobby"])["countdown_ms"] > LONGEST_MS // 2

        live_server.post(f"/lobbies/{made['lobby']}/leave", token=seat["token"])
        assert live_server.lobby(made["lobby"])["countdown_ms"] <= 1000
        assert eventually(lambda: live_server.lobby(made["lobby"])["reason"]) == "no_seat_taken"


def test_a_lobby_can_have_a_shorter_start_timeout(tmp_path):
    with hosted(tmp_path, empty_lobby_ms=10_000) as live_server:
        made = live_server.create(start_timeout_ms=50)

        assert eventually(lambda: live_server.lobby(made["lobby"])["reason"]) == "start_timeout"


def test_lobbies_without_a_taken_seat_are_limited_per_creator(tmp_path):
    with hosted(tmp_path, empty_lobbies=2, proxies="127.0.0.1") as live_server:
        lobbies = [live_server.create()["lobby"] for _ in range(2)]
        refused = live_server.post("/lobbies", {"game": "duel"})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_empty_lobbies")
        assert (
            live_server.post(
                "/lobbies", {"game": "duel"}, **{"X-Forwarded-For": "192.0.2.7"}
            ).status_code
            == 201
        )

        live_server.join(lobbies[0])
        live_server.create()


def test_concurrent_requests_count_towards_the_limit(tmp_path):
    with hosted(tmp_path, empty_lobbies=3) as live_server, ThreadPoolExecutor(12) as pool:
        statuses = list(
            pool.map(
                lambda _: live_server.post("/lobbies", {"game": "duel"}).status_code, range(12)
            )
        )

        assert statuses.count(201) == 3


def test_a_lobby_created_with_its_first_seat_is_never_empty(tmp_path):
    with hosted(tmp_path, empty_lobbies=1) as live_server, ThreadPoolExecutor(8) as pool:
        assert (
            list(pool.map(lambda _: live_server.join("new", game="duel")["seat"], range(8)))
            == [0] * 8
        )
        assert live_server.create()["state"] == "open"


def test_a_full_table_is_visible_in_readyz(tmp_path):
    with hosted(tmp_path, lobbies=2) as live_server:
        live_server.create()
        live_server.create(start_timeout_ms=1500)
        reason = eventually(
            lambda: live_server.http.get("/readyz").json()["reasons"].get("lobbies")
        )
        assert reason.startswith("too_many_lobbies: ")

        eventually(lambda: live_server.http.get("/readyz").status_code == 200)
