"""Connections of the hub whose clients break HTTP or the websocket protocol, or do not read."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Iterator

import pytest

from client_sdk.gateway.signalr import app, client, http
from tests.client_sdk.gateway.signalr.hubs import running_hub
from tests.client_sdk.gateway.signalr.sockets import END
from tests.client_sdk.gateway.signalr.test_hub import ScriptedSeats
from tests.waiting import PATIENCE_S, eventually

UPGRADE = (
    b"Host: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
HELLO = json.dumps({"protocol": "json", "version": 1}).encode() + END.encode()
TEXT, PING = 0x81, 0x89


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_hub(ScriptedSeats()) as found:
        yield found


@contextlib.contextmanager
def connection(url: str, head: bytes, *, buffer: int | None = None) -> Iterator[socket.socket]:
    """A connection that has sent this. `buffer`: bytes that the system takes without a reader."""
    with socket.socket() as bare:
        if buffer is not None:
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        bare.settimeout(PATIENCE_S)
        bare.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        bare.sendall(head)
        yield bare


def rest(bare: socket.socket) -> bytes:
    """Everything up to the end of the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while chunk := bare.recv(65536):
            found += chunk
    return found


def opened(bare: socket.socket) -> None:
    """Read the answer to the upgrade, and nothing behind it."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += bare.recv(1)
    assert head.startswith(b"HTTP/1.1 101 ")


def frame(first: int, payload: bytes) -> bytes:
    """A client's frame of less than 126 bytes, with a mask of zeros."""
    return bytes([first, 0x80 | len(payload), 0, 0, 0, 0]) + payload


UPGRADES = {
    "a long address": b"GET /bothub?" + b"a" * 30_000 + b" HTTP/1.1\r\n" + UPGRADE + b"\r\n",
    "a long header": b"GET /bothub HTTP/1.1\r\n"
    + UPGRADE
    + b"Cookie: "
    + b"a" * 30_000
    + b"\r\n\r\n",
    "many headers": b"GET /bothub HTTP/1.1\r\n" + UPGRADE + b"X: 1\r\n" * 300 + b"\r\n",
    "a body": b"POST /bothub HTTP/1.1\r\n" + UPGRADE + b"Content-Length: 5\r\n\r\nhello",
}


@pytest.mark.parametrize("name", UPGRADES)
def test_a_websocket_that_cannot_be_opened_is_closed(url: str, name: str) -> None:
    with connection(url, UPGRADES[name]) as bare:
        assert b" 101 " not in rest(bare)


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /bothub/negotiate HTTP/1.1\r\nHost: hub\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"no request\r\n\r\n",
        b"POST /bothub/negotiate HTTP/1.1\r\nHost: hub\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
)
def test_a_broken_request_is_answered_and_fills_no_log(
    url: str, request_: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with connection(url, request_) as bare:
        assert rest(bare).startswith(b"HTTP/1.1 400 ")

    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


def test_a_body_of_a_negotiation_is_ignored(url: str) -> None:
    head = b"POST /bothub/negotiate HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n"
    with connection(url, head + b"Content-Length: 2\r\n\r\n{") as bare:
        bare.sendall(b"}")
        assert rest(bare).startswith(b"HTTP/1.1 200 ")


def test_text_that_is_not_utf_8_is_answered_with_an_error_and_fills_no_log(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with connection(url, b"GET /bothub HTTP/1.1\r\n" + UPGRADE + b"\r\n") as bare:
        opened(bare)
        bare.sendall(frame(TEXT, HELLO) + frame(TEXT, b"\xff"))
        bare.sendall(frame(0x88, b"\x03\xe8"))

        assert b"the hub reads JSON in UTF-8" in rest(bare)

    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


def test_a_broken_frame_behind_a_good_one_closes_the_connection_and_fills_no_log(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with connection(url, b"GET /bothub HTTP/1.1\r\n" + UPGRADE + b"\r\n") as bare:
        opened(bare)
        bare.sendall(frame(TEXT, HELLO) + frame(0x83, b""))

        assert b"invalid opcode" in rest(bare)

    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]


def test_pings_of_a_client_that_does_not_read_pile_no_answers_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting: list[int] = []
    received = http.HubWebsocket.data_received

    def measured(self: http.HubWebsocket, data: bytes) -> None:
        received(self, data)
        waiting.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(http.HubWebsocket, "data_received", measured)
    pings = frame(PING, b"x" * 125) * 1_000
    head = b"GET /bothub HTTP/1.1\r\n" + UPGRADE + b"\r\n"
    with running_hub(ScriptedSeats()) as url, connection(url, head, buffer=4096) as bare:
        opened(bare)
        for _ in range(100):
            bare.sendall(pings)

        assert eventually(lambda: len(waiting) > 1 and max(waiting))
    assert max(waiting) < 1_000_000


def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.05)
    monkeypatch.setattr(app, "CLOSE_S", 0.05)
    monkeypatch.setattr(http, "CLOSE_S", 0.05)
    lost = threading.Event()
    connection_lost = http.HubWebsocket.connection_lost

    def noted(self: http.HubWebsocket, exc: Exception | None) -> None:
        connection_lost(self, exc)
        lost.set()

    monkeypatch.setattr(http.HubWebsocket, "connection_lost", noted)
    call = {"type": 1, "target": "", "arguments": [], "invocationId": "x" * 60_000}
    long = (json.dumps(call) + END).encode()
    head = b"GET /bothub HTTP/1.1\r\n" + UPGRADE + b"\r\n"
    with running_hub(ScriptedSeats()) as url, connection(url, head, buffer=4096) as bare:
        opened(bare)
        bare.sendall(frame(TEXT, HELLO))
        with contextlib.suppress(ConnectionError):
            while not lost.is_set():
                bare.sendall(b"\x81\xfe" + len(long).to_bytes(2, "big") + bytes(4) + long)
        assert lost.wait(PATIENCE_S)
