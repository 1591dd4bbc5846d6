"""What a process forwards to a peer, what it believes of one, and what it answers when a peer does
not."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from server.cluster.client import ANSWER_S, PeerClient
from server.cluster.peers import Peer, Peers
from server.tokens import home_name, new_id
from tests.server.live_server import LiveServer
from tests.stores import database
from tests.workers.nodes import Nodes
from tests.workers.nodes import nodes as nodes_of

FORWARDED = {
    "x-botarena-peer": "secret",
    "x-forwarded-for": "192.0.2.7",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "arena.x",
}


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    with database("sqlite", tmp_path) as url, nodes_of(tmp_path, url, "1", "2") as nodes:
        yield nodes


@pytest.fixture
def both(nodes: Nodes) -> tuple[LiveServer, LiveServer]:
    return nodes.start("1"), nodes.start("2")


def asked(live_server: LiveServer, path: str, **headers: str) -> httpx.Response:
    return live_server.http.get(f"/api/v1{path}", headers=headers)


def test_a_forwarded_request_is_answered_where_it_arrives(both: tuple[LiveServer, LiveServer]):
    """Also if its match is at home elsewhere: no request goes in circles."""
    one, two = both
    lobby = one.create("duel", name="across")["lobby"]

    assert two.get(f"/lobbies/{lobby}").json()["lobby"] == lobby
    assert asked(two, f"/lobbies/{lobby}", **FORWARDED).json()["code"] == "no_such_lobby"
    assert asked(two, "/lobbies", **FORWARDED).json() == []
    assert two.get("/lobbies").json()[0]["lobby"] == lobby


def test_only_a_peer_can_name_the_client_of_a_request(both: tuple[LiveServer, LiveServer]):
    one, _ = both
    lobby = one.create("duel")["lobby"]
    port = one.url.rpartition(":")[2]

    def watch_url(**headers: str) -> str:
        return str(asked(one, f"/lobbies/{lobby}", **headers).json()["watch_url"])

    assert watch_url(**FORWARDED) == f"wss://arena.x:{port}/ws/watch"
    for secret in ("", "secre", "another"):
        assert (
            watch_url(**FORWARDED | {"x-botarena-peer": secret})
            == f"ws{one.url.removeprefix('http')}/ws/watch"
        )


def test_a_peer_gets_the_client_s_key_and_body_and_its_errors_are_passed_on(
    both: tuple[LiveServer, LiveServer],
):
    one, two = both
    made = one.create("duel", private=True)

    assert two.get(f"/lobbies/{made['lobby']}").json()["code"] == "private"
    assert (
        two.get(f"/lobbies/{made['lobby']}", made["owner_token"]).json()["lobby"] == made["lobby"]
    )
    assert (
        two.post(f"/lobbies/{made['lobby']}/join", {"name": "a", "seat": "x"}).json()["field"]
        == "seat"
    )
    big = {"name": "x" * 100_000}
    assert two.post(f"/lobbies/{made['lobby']}/join", big).status_code == 413


def test_one_idempotency_key_creates_one_lobby_on_the_same_process(
    both: tuple[LiveServer, LiveServer],
):
    for number in range(6):
        made = [
            live_server.post(
                "/lobbies", {"game": "duel"}, **{"Idempotency-Key": f"key {number}"}
            ).json()
            for live_server in both
        ]
        assert made[0]["lobby"] == made[1]["lobby"]


def test_while_a_peer_does_not_answer_only_its_lobbies_are_down(nodes: Nodes):
    one = nodes.start("1")
    theirs = new_id("2")
    assert [
        one.get(f"/lobbies/{theirs}").json()["code"],
        one.get(f"/matches/{theirs}").json()["code"],
    ] == [
        "node_down",
        "no_such_match",
    ]
    assert one.get(f"/lobbies/{theirs}").status_code == 503
    assert one.get("/lobbies/nowhere").json()["code"] == "no_such_lobby"
    made = [one.create("duel") for _ in range(3)]
    assert {home_name(lobby["lobby"]) for lobby in made} == {"1"}
    assert len(one.get("/lobbies").json()) == 3
    seats = [
        one.post("/lobbies/*/join", {"game": game, "name": "a"}).json()
        for game in ("duel", "pyrat", "botstack")
    ]
    assert {home_name(seat["lobby"]) for seat in seats} == {"1"}
    two = nodes.start("2")
    assert one.get(f"/lobbies/{theirs}").json()["code"] == "no_such_lobby"
    assert two.get(f"/lobbies/{made[0]['lobby']}").json()["lobby"] == made[0]["lobby"]


def test_a_peer_that_accepts_but_does_not_answer_times_out(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.cluster.forward.ANSWER_S", 0.3)
    monkeypatch.setattr("server.cluster.client.LIST_S", 0.3)
    one = nodes.start("1")
    with socket.create_server(("127.0.0.1", nodes.settings["2"]["port"])):
        assert one.get(f"/lobbies/{new_id('2')}").json()["code"] == "node_down"
        assert one.get("/lobbies").json() == []
        assert one.get("/lobbies/nowhere").json()["code"] == "no_such_lobby"
    assert ANSWER_S > 1


def test_an_answer_that_a_peer_breaks_off_is_broken_off_for_the_client(
    nodes: Nodes, caplog: pytest.LogCaptureFixture
):
    one = nodes.start("1")

    def half(peer: socket.socket) -> None:
        connection, _ = peer.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf")

    with socket.create_server(("127.0.0.1", nodes.settings["2"]["port"])) as peer:
        answering = threading.Thread(target=half, args=(peer,))
        answering.start()
        with pytest.raises(httpx.RemoteProtocolError):
            one.get(f"/lobbies/{new_id('2')}")
        answering.join()
    assert not [record for record in caplog.records if record.exc_info]


def test_a_peer_that_accepts_but_does_not_answer_decides_nothing(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
):
    """It would carry a request out when it goes on."""
    monkeypatch.setattr("server.cluster.client.LIST_S", 0.1)
    port = nodes.settings["1"]["port"]
    one = nodes.start("1", front_port=port)
    with socket.create_server(("127.0.0.1", nodes.settings["2"]["port"])):
        made = [one.create("duel") for _ in range(2)]
        made += [
            one.post("/lobbies/*/join", {"game": game, "name": "a"}).json()
            for game in ("duel", "pyrat", "botstack")
        ]
    assert {home_name(lobby["lobby"]) for lobby in made} == {"1"}


def test_new_lobbies_at_the_shared_port_are_created_by_each_process_in_turn(nodes: Nodes):
    port = nodes.settings["1"]["port"]
    one = nodes.start(
        "1", front_port=port
    )  # to it every request seems to have come to the shared port
    nodes.start("2")
    homes = [home_name(one.create("duel")["lobby"]) for _ in range(6)]
    assert homes == ["1", "2"] * 3
    nodes.stop("2")
    assert {home_name(one.create("duel")["lobby"]) for _ in range(4)} == {"1"}


def test_joining_by_name_finds_a_free_seat_at_the_peers(tmp_path: Path):
    with database("sqlite", tmp_path) as url, nodes_of(tmp_path, url, "1", "2", "3") as three:
        one, two, other = (three.start(name) for name in "123")
        full = two.create("duel", name="spring")["lobby"]
        for name in ("a", "b"):
            two.join(full, name)
        free = other.create("duel", name="spring")["lobby"]
        assert one.get("/lobbies/spring").json()["lobby"] == free
        assert one.join("spring")["lobby"] == free
        assert two.get("/lobbies/spring").json()["lobby"] == full
        assert Peer("1", one.url) in three.houses["2"].arena.cluster.peers.all


def raw(live_server: LiveServer, head: str) -> bytes:
    """The answer to a request that no client would send."""
    port = int(live_server.url.rpartition(":")[2])
    with closing(socket.create_connection(("127.0.0.1", port), 10)) as client:
        client.sendall(f"{head}\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        found = b""
        while part := client.recv(1 << 16):
            found += part
    return found


@pytest.mark.parametrize("path", ["/matches/../games", "/lobbies/abcdefghjkmn~1/../../games"])
def test_a_peer_reads_the_same_path_as_the_process_that_forwards_it(
    both: tuple[LiveServer, LiveServer], path: str
):
    """Whatever dots it has: else a request would be judged by one route and answered by another."""
    for live_server in both:
        found = raw(live_server, f"GET /api/v1{path} HTTP/1.1")
        assert found.startswith(b"HTTP/1.1 404 ")


def test_the_longest_path_and_headers_with_blanks_are_forwarded(
    both: tuple[LiveServer, LiveServer],
):
    path = f"/api/v1/lobbies/{new_id('1')}?x="
    path += "x" * (65_535 - len(path))
    found = raw(both[1], f"GET {path} HTTP/1.1\r\nAccept:\t*/*\t")
    assert found.startswith(b"HTTP/1.1 404 ")
    assert b"no_such_lobby" in found


async def test_many_requests_that_wait_for_one_peer_hold_up_no_other_request():
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    with socket.create_server(("127.0.0.1", 0), backlog=256) as silent:
        urls = {"2": silent.getsockname(), "3": server.sockets[0].getsockname()}
        peers = Peers("1", {name: f"http://{at[0]}:{at[1]}" for name, at in urls.items()}, "secret")
        client = PeerClient(peers)
        waits, answers = peers.others
        waiting = [asyncio.create_task(client.send(waits, "GET", "/")) for _ in range(120)]
        silent.setblocking(False)
        async with asyncio.timeout(20):
            accepted = [(await asyncio.get_running_loop().sock_accept(silent))[0] for _ in waiting]
        assert await client.reaches(answers)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for one in accepted:
            one.close()
    await client.close()
    server.close()


def test_connections_of_peers_are_not_counted_as_those_of_one_client(nodes: Nodes):
    """They carry the requests of many clients, and all peers on one machine have one address."""
    one = nodes.start("1", http_connections_per_address=3)
    port = int(one.url.rpartition(":")[2])

    def statuses(*headers: str) -> list[bytes]:
        with ExitStack() as stack:
            found = []
            for _ in range(6):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
                head = ("GET /healthz HTTP/1.1", "Host: x", *headers, "\r\n")
                client.sendall("\r\n".join(head).encode())
                found.append(client.recv(1 << 16).split(b" ")[1])
            return found

    assert {*statuses("x-botarena-peer: secret")} == {b"200"}
    assert statuses("x-botarena-peer: wrong")[-1] == b"429"
