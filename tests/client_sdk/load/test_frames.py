"""Frames of the load generator's own websockets."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as websockets_serve

from client_sdk.load.frames import CLOSE, PING, FrameSocket, frame

HEAD = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"


class Transport:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.written += b"ABORT"


class Socket(FrameSocket):
    def __init__(self) -> None:
        super().__init__("ws://127.0.0.1:8000/ws/play")
        self.texts: list[bytes] = []
        self.why: str | None = None

    def received(self, text: bytes) -> None:
        self.texts.append(text)

    def failed(self, why: str) -> None:
        self.why = why


def connected() -> tuple[Socket, Transport]:
    socket, transport = Socket(), Transport()
    made: Any = transport
    socket.connection_made(made)
    transport.written = b""
    return socket, transport


def sent(text: bytes, opcode: int = 1) -> bytes:
    """A server's frame."""
    size = len(text)
    if size < 126:
        return struct.pack("!BB", 128 | opcode, size) + text
    if size < 1 << 16:
        return struct.pack("!BBH", 128 | opcode, 126, size) + text
    return struct.pack("!BBQ", 128 | opcode, 127, size) + text


TEXTS = [b"", b"a" * 125, b"b" * 126, b"c" * 65_535, b"d" * 65_536, b"e"]


@pytest.mark.parametrize("size", [1, 7, 4096, 10**6])
def test_texts_of_every_size_arrive_in_pieces_of_any_size(size: int) -> None:
    socket, _ = connected()
    texts = TEXTS[:3] if size == 1 else TEXTS
    data = HEAD + b"".join(map(sent, texts))
    for begin in range(0, len(data), size):
        socket.data_received(data[begin : begin + size])

    assert socket.texts == texts


def test_a_ping_is_answered_and_a_close_returned() -> None:
    socket, transport = connected()
    socket.data_received(HEAD + sent(b"hi", PING) + sent(b"\x10\x92", CLOSE))

    assert transport.written == frame(b"hi", 10) + frame(b"", CLOSE)
    assert socket.close_code == 4242


def test_a_refused_handshake_is_a_failure() -> None:
    socket, transport = connected()
    socket.data_received(b"HTTP/1.1 429 Too Many Requests\r\n\r\n{}")

    assert (socket.why, transport.written) == (
        "the handshake was refused: HTTP/1.1 429 Too Many Requests",
        b"ABORT",
    )


async def test_another_implementation_reads_and_closes_it() -> None:
    seen = []

    async def handler(connection: ServerConnection) -> None:
        async for text in connection:
            seen.append(text)
            await connection.send(text)
            if len(seen) == len(TEXTS):
                return

    class Echoed(Socket):
        over = asyncio.Event()

        def closed(self) -> None:
            self.over.set()

    async with websockets_serve(handler, "127.0.0.1", 0, compression=None) as server:
        socket = Echoed()
        socket.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws/play"
        await socket.connect()
        for text in TEXTS:
            socket.send(text)
        await asyncio.wait_for(socket.over.wait(), 20)

    assert [text.encode() for text in seen] == TEXTS == socket.texts
    assert socket.close_code == 1000


async def test_a_server_that_never_answers_the_handshake_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("client_sdk.load.frames.HANDSHAKE_S", 0.01)
    ended = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionResetError):
            await reader.read()
        writer.close()
        ended.set()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        socket = Socket()
        socket.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws/play"
        await socket.connect()
        await asyncio.wait_for(ended.wait(), 20)

    assert socket.why == "no answer to the handshake within 0.01 s"
