"""Seats over bare sockets, which cost as little as can be, and the process that plays them."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import platform
import random
import signal
import struct
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection as Pipe
from typing import Any

HELD = 8
"""Views for which a bot keeps a direction, on the average."""
SEED = 20261127

now = time.monotonic_ns
MatchSeats = Sequence[tuple[str, int, Sequence[str]]]
"""Host, port and the seats' tokens of every match."""


def masked(text: str | bytes) -> bytes:
    """A client's text frame. Its mask is zeros, so masking is free."""
    payload = text.encode() if isinstance(text, str) else text
    length = len(payload)
    size = struct.pack("!B", 128 | length) if length < 126 else struct.pack("!BH", 254, length)
    return b"\x81" + size + bytes(4) + payload


def commanded(*actions: str) -> bytes:
    return masked(
        json.dumps({"type": "commands", "commands": [{"action": action} for action in actions]})
    )


CLOSE = b"\x88"
"""The first byte of a close frame, and of nothing else that is sent here."""
WALKS = [commanded(action) for action in ("up", "down", "left", "right")]


class SeatConnection(asyncio.Protocol):
    """A connection from the handshake on. It is lost with the server, and nothing is missed
    then."""

    def __init__(self, host: str, port: int, token: str, lively: Callable[[], None]) -> None:
        """`lively` is called at the first view."""
        self.host, self.port, self.token = host, port, token
        self.lively = lively
        self.greeted = self.shown = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        request = (
            "GET /ws/play HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
        )
        transport.write(("\r\n".join(request) + "\r\n\r\n").encode())

    def data_received(self, data: bytes) -> None:
        if not self.greeted:
            self.greeted = True
            self.transport.write(
                masked(json.dumps({"type": "hello", "protocol": 1, "token": self.token}))
            )
        elif b'{"type":"view"' in data:
            if not self.shown:
                self.shown = True
                self.lively()
            self.seen()

    def seen(self) -> None:
        """A view has come."""


class Walker(SeatConnection):
    """Goes straight on, and then some other way."""

    walk = WALKS[0]

    def seen(self) -> None:
        if random.randrange(HELD) == 0:
            self.walk = random.choice(WALKS)
        self.transport.write(self.walk)


class Deaf(SeatConnection):
    """Never reads again once the match goes on."""

    def seen(self) -> None:
        self.transport.pause_reading()


class Flood(SeatConnection):
    """Writes as fast as it can, something else every time, and reconnects at once after a close
    frame."""

    CHUNKS = itertools.cycle(
        [
            commanded("up") * 1000,
            masked("x" * 60) * 1000,
            commanded(*["up"] * 2000) * 10,
            masked("[" * 2000) * 100,
        ]
    )
    times = 0
    """Number of connections that floods have made."""
    stubborn = False

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.chunk = next(self.CHUNKS)
        self.paused = self.over = False

    def data_received(self, data: bytes) -> None:
        first = not self.greeted
        super().data_received(data)
        if first:
            Flood.times += 1
            self.pump()
        elif CLOSE in data and not self.stubborn:
            self.transport.abort()

    def pump(self) -> None:
        if not (self.paused or self.over or self.transport.is_closing()):
            self.transport.write(self.chunk)
            asyncio.get_running_loop().call_soon(self.pump)

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        self.pump()

    def eof_received(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.over = True
        asyncio.get_running_loop().create_task(self.again())

    async def again(self) -> None:
        await asyncio.sleep(0)
        await connected(type(self), self.host, self.port, self.token, self.lively)


class Stubborn(Flood):
    """The same, but goes on until it is cut off."""

    stubborn = True


async def connected(
    kind: type[SeatConnection], host: str, port: int, token: str, lively: Callable[[], None]
) -> None:
    await asyncio.get_running_loop().create_connection(
        lambda: kind(host, port, token, lively), host, port
    )


async def playing(plan: MatchSeats, kinds: Sequence[type[SeatConnection]], pipe: Pipe) -> None:
    """Sit down on every seat, say when all matches go on, and play until the other end of the pipe
    says stop."""
    loop = asyncio.get_running_loop()
    all_playing = asyncio.Event()
    waiting = len(plan) * kinds.count(Walker)

    def lively() -> None:
        nonlocal waiting
        waiting -= 1
        if waiting == 0:
            all_playing.set()

    for host, port, tokens in plan:
        for kind, token in zip(kinds, tokens, strict=True):
            await connected(kind, host, port, token, lively if kind is Walker else lambda: None)
    await all_playing.wait()
    pipe.send("playing")
    await loop.run_in_executor(None, pipe.recv)
    pipe.send(Flood.times)


def play(plan: MatchSeats, kinds: Sequence[type[SeatConnection]], pipe: Pipe) -> None:
    """The bots' process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if Flood in kinds and hasattr(os, "nice"):
        os.nice(19)  # it takes what is left of a core, and not the control's time
    random.seed(SEED)
    loops()(playing(plan, kinds, pipe))


def loops() -> Callable[..., None]:
    """What runs a coroutine, as fast as the server's own loop."""
    if platform.system() == "Windows":
        return asyncio.run
    import uvloop

    return uvloop.run
