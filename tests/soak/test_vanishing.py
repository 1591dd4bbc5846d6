"""Clients that connect and vanish, in every way and at every point: the server keeps nothing of
them."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import pytest
from websockets.frames import Frame, Opcode

from tests.e2e.arena import Arena, hello, receive, started
from tests.soak.inside import at_rest, needs_proc, no_more, numbers

HANDSHAKE = (
    "GET /ws/{role} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
WARM_UP = 40
SLACK = 12 << 20
"""Bytes that may stay with the process: what the allocator has once taken it does not always give
back."""


class Vanishing:
    """A client that knows a running match and one that has not started."""

    def __init__(self, arena: Arena) -> None:
        host, _, port = arena.url.removeprefix("http://").rpartition(":")
        self._place = host, int(port)
        self.running = arena.rest.create(
            "pyrat",
            config={"preprocessing_timeout_ms": 0},
            clock={"turn_ms": 0, "absence_ms": 3_600_000},
        )["lobby"]
        self.waiting = arena.rest.create("pyrat", start_timeout_ms=3_600_000)["lobby"]
        self.seats = [arena.rest.join(self.running, "pyrat", "here") for _ in range(2)]
        self.chair = arena.rest.join(self.waiting, "pyrat", "there")
        self.ways: list[Callable[[], None]] = [
            lambda: self.vanish(b""),
            lambda: self.vanish(b"GET /api/v1/lobbies HT"),
            lambda: self.vanish(b"GET /api/v1/lobbies HTTP/1.1\r\nHost: x\r\n\r\n"),
            lambda: self.shake("play"),
            lambda: self.shake("watch", match=self.running),
            lambda: self.shake("watch", match=self.waiting),
            lambda: self.shake("play", token=self.seats[0]["token"]),
            lambda: self.shake("play", token=self.seats[1]["token"]),
            lambda: self.shake("play", token=self.chair["token"]),
            lambda: self.shake("play", half=True, token=self.seats[0]["token"]),
            lambda: self.shake("play", token="s_unknown"),
        ]

    def vanish(self, *sent: bytes, heard: bytes = b"") -> None:
        """Send these, each after an answer to the previous one, wait for `heard`, and disconnect
        with a reset, so without a close frame."""
        with socket.create_connection(self._place, 60) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            got = b""
            for number, words in enumerate(sent):
                got += line.recv(65536) if number else b""
                line.sendall(words)
            while heard not in got:
                more = line.recv(65536)
                if not more:
                    return
                got += more

    def shake(self, role: str, *, half: bool = False, **hello: str) -> None:
        handshake = HANDSHAKE.format(role=role).encode()
        if not hello:
            self.vanish(handshake, heard=b"\r\n\r\n")
            return
        rest = framed({"type": "info", "data": "x" * 1000})[:500] if half else b""
        self.vanish(
            handshake, framed({"type": "hello", "protocol": 1, **hello}) + rest, heard=b'"type":'
        )

    def begin(self, arena: Arena) -> None:
        """Both seats connect and then vanish."""
        with arena.socket("play") as left, arena.socket("play") as right:
            for client, seat in zip((left, right), self.seats, strict=True):
                hello(client, token=seat["token"])
            receive(left, "view")


def framed(message: dict[str, object]) -> bytes:
    return Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True)


@needs_proc
@pytest.mark.parametrize("cycles", [50, pytest.param(1_000, marks=pytest.mark.soak)])
def test_vanished_clients_leak_no_task_file_or_memory(
    tmp_path: Path, cycles: int, capsys: pytest.CaptureFixture[str]
):
    with started(tmp_path) as arena:
        visitor = Vanishing(arena)
        visitor.begin(arena)

        def quiet() -> bool:
            return numbers(arena)["botarena_connections"] == 0

        for vanish in islice(cycle(visitor.ways), WARM_UP):
            vanish()
        before = at_rest(arena, quiet)
        for vanish in islice(cycle(visitor.ways), cycles):
            vanish()
        after = no_more(arena, before, quiet, memory=SLACK)

        assert arena.rest.lobby(visitor.waiting)["state"] == "open"
        assert not [line for line in arena.log if "Traceback" in line]
    with capsys.disabled():
        print(f"\n{cycles} that vanished: before {before}; after {after}")
