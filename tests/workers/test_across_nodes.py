"""Lobbies, matches and records, requested from their own node and from another: the answer is the
same or a redirect."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.wire.messages import MatchStart
from tests.accounts.people import person_of
from tests.server.live_server import LiveServer, SocketClient, eventually
from tests.stores import database
from tests.workers.nodes import Nodes
from tests.workers.nodes import nodes as nodes_of

COUNTDOWN = re.compile(r'"countdown_ms":\d+,')
LONG = {"turn_ms": 60_000, "absence": "plays"}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    folder = tmp_path_factory.mktemp("nodes")
    with database("sqlite", folder) as url, nodes_of(folder, url, "1", "2") as nodes:
        for name in ("1", "2"):
            nodes.start(name)
        nodes.organiser = person_of(url, "organiser").key
        yield nodes


@pytest.fixture
def one(nodes: Nodes) -> LiveServer:
    """It has what is asked for."""
    return nodes.houses["1"]


@pytest.fixture
def two(nodes: Nodes) -> LiveServer:
    return nodes.houses["2"]


def socket_url(live_server: LiveServer, role: str) -> str:
    return f"ws{live_server.url.removeprefix('http')}/ws/{role}"


def same(
    path: str, *houses: LiveServer, token: str | None = None, body: Any = None
) -> httpx.Response:
    """The answer, which is the same from all."""
    asked = [
        live_server.get(path, token) if body is None else live_server.post(path, body, token)
        for live_server in houses
    ]
    for answer in asked:
        assert (answer.status_code, COUNTDOWN.sub("", answer.text)) == (
            asked[0].status_code,
            COUNTDOWN.sub("", asked[0].text),
        )
    return asked[0]


def playing(
    live_server: LiveServer, **options: Any
) -> tuple[str, list[dict[str, Any]], list[SocketClient], str]:
    """A match of one round, its seats, who sits there, and its owner's token."""
    made = live_server.create("duel", clock=LONG, config={"rounds": 1}, **options)
    taken = [live_server.join(made["lobby"], name, invite=made["invite"]) for name in ("a", "b")]
    clients = [live_server.seat(one) for one in taken]
    for client in clients:
        client.until("view")
    eventually(lambda: known(live_server, made["lobby"]))
    return made["lobby"], taken, clients, made["owner_token"]


def known(live_server: LiveServer, match: str) -> bool:
    """Whether the database knows it."""
    with closing(sqlite3.connect(live_server.data.parent / "test.sqlite3")) as db:
        return db.execute("select id from matches where id = ?", [match]).fetchone() is not None


def played(clients: list[SocketClient]) -> dict[str, Any]:
    for bid, client in enumerate(clients):
        client.answer(0, bid)
    first, _ = (client.until("end")["outcome"] for client in clients)
    return first


def test_a_lobby_can_be_joined_left_and_started_from_any_node(one: LiveServer, two: LiveServer):
    made = one.create("duel", name="across", clock=LONG)
    lobby, owner = made["lobby"], made["owner_token"]
    assert same(f"/lobbies/{lobby}", one, two).json()["watch_url"] == socket_url(one, "watch")
    assert same("/lobbies/across", one, two).json()["lobby"] == lobby
    taken = two.join(lobby)
    assert taken["url"] == socket_url(one, "play")
    assert two.post(f"/lobbies/{lobby}/leave", token=taken["token"]).json() == {
        "lobby": lobby,
        "seat": taken["seat"],
    }
    taken = two.join("across")
    assert (taken["lobby"], taken["url"]) == (lobby, socket_url(one, "play"))
    assert (
        same(f"/lobbies/{lobby}/bots", one, two, body={"bot": "unknown"}, token=owner).json()[
            "code"
        ]
        == "unknown_bot"
    )
    assert (
        same(f"/lobbies/{lobby}/start", one, two, body={}, token=owner).json()["code"] == "no_bots"
    )
    assert same(f"/lobbies/{lobby}/start", one, two, body={}).status_code == 403
    two.join(lobby)
    assert (
        same(f"/lobbies/{lobby}/join", one, two, body={"name": "late"}).json()["code"]
        == "lobby_full"
    )
    assert same(f"/lobbies/{lobby}/start", one, two, body={}, token=owner).json()[
        "watch_url"
    ] == socket_url(one, "watch")
    assert same("/lobbies/nowhere", one, two).json()["code"] == "no_such_lobby"


@pytest.mark.parametrize("private", [False, True])
def test_a_match_and_its_record_are_the_same_from_any_node(
    one: LiveServer, two: LiveServer, private: bool
):
    match, taken, clients, owner = playing(one, private=private)
    asked = [
        f"/matches/{match}",
        f"/matches/{match}/journal",
        f"/replays/{match}",
        f"/matches/{match}/seats/0",
    ]
    running = [same(path, one, two, token=owner) for path in asked]
    assert running[0].json()["watch_url"] == socket_url(one, "watch")
    assert [answer.status_code for answer in running[1:]] == [404] * 3
    assert same(asked[0], one, two).status_code == (403 if private else 200)
    assert same(f"/matches/{match}/seat", one, two, token=taken[1]["token"]).text.startswith(
        '{"k":"seat"'
    )
    assert same(f"/matches/{match}/seat", one, two, token=owner).status_code == 403
    outcome = played(clients)
    eventually(lambda: two.get(f"/matches/{match}/journal", owner).status_code == 200)
    over = [same(path, one, two, token=owner) for path in asked]

    assert over[0].json()["outcome"] == outcome
    assert over[1].text == one.journal_text(match)
    assert [answer.status_code for answer in over] == [200] * 4
    assert same(f"/matches/{match}/seat", one, two, token=taken[1]["token"]).status_code == 200
    for path in asked:
        assert same(path, one, two).status_code == (403 if private else 200)


def test_an_organiser_aborts_a_match_from_any_node(nodes: Nodes, one: LiveServer, two: LiveServer):
    match, _, clients, _ = playing(one)
    answer = two.post(f"/admin/matches/{match}/abort", {"reason": "thunder"}, nodes.organiser)

    assert answer.status_code == 200, answer.text
    assert [client.until("end")["outcome"]["reason"] for client in clients] == ["thunder"] * 2
    eventually(lambda: two.get(f"/matches/{match}").json()["state"] == "over")
    assert same(f"/matches/{match}", one, two).json()["outcome"]["reason"] == "thunder"


def sent_away(client: SocketClient) -> tuple[int | None, str, bool, str | None]:
    last = [message for message in client.rest() if message["type"] == "error"][-1]
    return client.close_code, last["code"], last["retry"], last.get("url")


def says_hello(live_server: LiveServer, role: str, **hello: Any) -> SocketClient:
    client = live_server.socket(role)
    client.say("hello", protocol=1, **hello)
    return client


def test_a_hello_to_another_node_is_redirected(nodes: Nodes, one: LiveServer, two: LiveServer):
    match, taken, clients, owner = playing(one)
    for hello in ({}, {"token": nodes.organiser}):
        assert sent_away(says_hello(two, "watch", match=match, **hello)) == (
            4421,
            "elsewhere",
            True,
            socket_url(one, "watch"),
        )
    assert sent_away(says_hello(two, "play", token=taken[0]["token"])) == (
        4421,
        "elsewhere",
        True,
        socket_url(one, "play"),
    )
    assert sent_away(says_hello(two, "play", token="s_unknown's")) == (
        4401,
        "bad_token",
        False,
        None,
    )
    assert sent_away(says_hello(two, "play", token=owner)) == (4401, "bad_token", False, None)
    assert sent_away(says_hello(two, "watch", match="nowhere")) == (
        4404,
        "no_such_match",
        False,
        None,
    )
    played(clients)
    eventually(lambda: two.get(f"/matches/{match}/journal").status_code == 200)
    assert sent_away(says_hello(two, "watch", match=match))[:2] == (4421, "elsewhere")


def test_the_sdk_follows_redirects(one: LiveServer, two: LiveServer):
    _, taken, clients, _ = playing(one)
    clients[1].vanish()
    client = Conversation(token=taken[1]["token"])
    with Connection(socket_url(two, "play"), client) as connection:
        while not isinstance(connection.next(20), MatchStart):
            pass
    clients[0].until("event", event="back")


def test_while_a_node_is_down_the_others_say_so(
    tmp_path: Path,
):
    with database("sqlite", tmp_path) as url, nodes_of(tmp_path, url, "1", "2") as nodes:
        one, two = (nodes.start(name) for name in ("1", "2"))
        over, seats, clients, _ = playing(one)
        outcome = played(clients)
        eventually(lambda: two.get(f"/replays/{over}").status_code == 200)
        match, taken, _, _ = playing(one)
        nodes.stop("1")
        for path, token in (
            (f"/matches/{match}", None),
            (f"/lobbies/{match}", None),
            (f"/matches/{match}/seat", taken[0]["token"]),
            (f"/matches/{match}/journal", None),
            (f"/replays/{match}", None),
            (f"/matches/{over}/journal", None),
            (f"/replays/{over}", None),
            (f"/matches/{over}/seats/0", None),
            (f"/matches/{over}/seat", seats[0]["token"]),
        ):
            answer = two.get(path, token)
            assert (path, answer.status_code, answer.json()["code"]) == (path, 503, "node_down")
        assert two.get(f"/matches/{over}").json()["outcome"] == outcome
        assert sent_away(says_hello(two, "watch", match=match)) == (1012, "restart", True, None)
        assert sent_away(says_hello(two, "play", token=taken[0]["token"])) == (
            1012,
            "restart",
            True,
            None,
        )
        one = nodes.start("1")

        assert sent_away(says_hello(two, "play", token=taken[0]["token"]))[3] == socket_url(
            one, "play"
        )
        assert played([one.seat(seat) for seat in taken])["outcome"] in ("win", "draw")
        for path in (f"/matches/{over}/journal", f"/replays/{over}", f"/matches/{match}"):
            assert same(path, one, two).status_code == 200
