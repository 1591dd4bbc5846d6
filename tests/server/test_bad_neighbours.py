"""One bot that stops reading and one that floods: the others are not affected, and memory stays
bounded."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
import websockets.sync.client as ws
from websockets.frames import Frame, Opcode

from tests.server.line import held_for
from tests.server.live_server import PATIENCE_S, LiveServer, SocketClient, eventually, hosted

TICKS = 120
CONFIG = {"seats": 2, "tick_ms": 20, "max_ticks": TICKS}
VIEW_BYTES = 4_500
HELD_BYTES = 64 * 1024 + 2 * VIEW_BYTES
"""What the server itself may hold for a client: the transport's own mark, and the frame that went
over it."""

FLOODS = {
    "commands": '{"type":"commands","commands":[{"action":"up"}]}',
    "long lists": json.dumps({"type": "commands", "commands": [{"action": "up"}] * 1000}),
    "what it has seen": '{"type":"seen","turn":0}',
}


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[LiveServer]:
    """A server whose system holds little for a client that does not read."""
    with hosted(tmp_path, send_buffer=8192) as running:
        yield running


def port(live_server: LiveServer) -> int:
    return int(live_server.url.rpartition(":")[2])


def deaf_seat(live_server: LiveServer, taken: dict) -> SocketClient:
    """A seat whose own system takes little as well, and that reads nothing for now."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port(live_server)))
    url = f"ws{live_server.url.removeprefix('http')}/ws/play"
    connecting = ws.connect(
        url, sock=line, compression=None, proxy=None, max_queue=1, close_timeout=1
    )
    client = SocketClient(live_server.sockets.enter_context(connecting))
    client.say("hello", protocol=1, token=taken["token"])
    client.expect("hello")
    return client


def turns(client: SocketClient) -> list[int]:
    """Of all views until the end."""
    return [message["turn"] for message in client.rest() if message["type"] == "view"]


def held_for_seat(live_server: LiveServer, lobby: str, seat: int) -> int:
    return held_for(live_server.arena.matches.lobbies.unfinished[lobby].live.seats[seat].client)


def test_a_slow_reader_holds_little_memory_and_gets_the_newest_state(
    narrow: LiveServer,
):
    lobby, taken = narrow.seated("zooscape", config=CONFIG)
    deaf, reader = deaf_seat(narrow, taken[0]), narrow.seat(taken[1])
    held = []
    heard = []
    while not heard or heard[-1] < TICKS - 20:
        heard.append(reader.until("view")["turn"])
        held.append(held_for_seat(narrow, lobby, 0))
    views = [message for message in deaf.rest() if message["type"] == "view"]

    assert max(held) <= HELD_BYTES
    assert heard + turns(reader) == list(range(TICKS + 1))
    skipped = [view["skipped"] for view in views]
    assert max(skipped) > 20
    assert views[-1]["turn"] == TICKS
    assert sum(skipped) + len(views) == TICKS + 1
    assert narrow.over(lobby)["seats"][0]["skipped"] == sum(skipped)
    assert narrow.verified(lobby).kind == "ok"


@contextlib.contextmanager
def reading(*clients: SocketClient) -> Iterator[list[Future[list[int]]]]:
    """The turns that each of these sees until the end, read meanwhile."""
    with ThreadPoolExecutor(len(clients)) as pool:
        yield [pool.submit(turns, client) for client in clients]


def sent(text: str) -> bytes:
    """A client's frame."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=True)


def unread(live_server: LiveServer, taken: dict) -> socket.socket:
    """A seat that reads nothing but the handshake."""
    line = live_server.sockets.enter_context(
        socket.create_connection(("127.0.0.1", port(live_server)), PATIENCE_S)
    )
    line.sendall(
        b"GET /ws/play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert line.recv(1024).startswith(b"HTTP/1.1 101 ")
    line.sendall(sent(json.dumps({"type": "hello", "protocol": 1, "token": taken["token"]})))
    return line


def pour(line: socket.socket, data: bytes) -> None:
    """Send this again and again, as long as it goes."""
    while True:
        line.sendall(data)


@pytest.mark.parametrize("frame", FLOODS.values(), ids=FLOODS.keys())
def test_a_flood_ends_its_own_connection_and_no_seat_misses_a_tick(
    live_server: LiveServer, frame: str
):
    lobby, taken = live_server.seated("zooscape", config=CONFIG)
    other, others = live_server.seated("zooscape", config=CONFIG)
    flood, *rest = [live_server.seat(one) for one in taken + others]
    with reading(*rest) as seen:
        flood.until("view")
        pouring = threading.Thread(target=flood.raw, args=(frame, 100_000))
        pouring.start()
        assert flood.refused() == (4429, "too_fast", True)
        pouring.join(PATIENCE_S)

    assert not pouring.is_alive()
    assert [list(range(TICKS + 1))] * 3 == [heard.result() for heard in seen]
    assert [seat["absences"] for seat in live_server.over(lobby)["seats"]] == [1, 0]
    assert [seat["absences"] for seat in live_server.over(other)["seats"]] == [0, 0]
    assert live_server.verified(lobby).kind == "ok"


def test_a_flood_that_never_reads_is_disconnected(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    """It goes on sending after the close frame, which it does not read, until the connection is
    lost."""
    monkeypatch.setattr("server.net.transport.PATIENCE_S", 0.2)
    monkeypatch.setattr("server.matches.client.HELD_S", 0.05)
    lobby, taken = live_server.seated("zooscape", config=CONFIG)
    neighbour, line = live_server.seat(taken[1]), unread(live_server, taken[0])
    with reading(neighbour) as seen:
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            pour(line, sent(FLOODS["commands"]) * 1000)
        assert eventually(lambda: not live_server.lobby(lobby)["seats"][0]["connected"])

    assert [list(range(TICKS + 1))] == [heard.result() for heard in seen]


def test_a_flooding_client_can_return_to_its_seat(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.matches.client.HELD_S", 0.01)
    lobby, taken = live_server.seated("zooscape", config=CONFIG)
    neighbour = live_server.seat(taken[1])
    with reading(neighbour) as seen:
        for _ in range(3):
            flood = live_server.seat(taken[0])
            flood.until("view")
            flood.raw(FLOODS["what it has seen"], times=1000)
            assert flood.refused() == (4429, "too_fast", True)

    assert [list(range(TICKS + 1))] == [heard.result() for heard in seen]
    assert live_server.over(lobby)["seats"][0]["absences"] == 3
