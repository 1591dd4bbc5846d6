"""Seats over bare sockets, which cost as little as can be, and the process that plays them."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import platform
import random
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection as Pipe
from typing import Any

from client_sdk.load.clients import VIEW
from client_sdk.load.frames import FrameSocket, frame

HELD = 8
"""Views for which a bot keeps a direction, on the average."""
SEED = 20261127

now = time.monotonic_ns
MatchSeats = Sequence[tuple[str, int, Sequence[str]]]
"""Host, port and the seats' tokens of every match."""


def commanded(*actions: str) -> bytes:
    commands = [{"action": action} for action in actions]
    return frame(json.dumps({"type": "commands", "commands": commands}).encode())


WALKS = [commanded(action) for action in ("up", "down", "left", "right")]


class SeatConnection(FrameSocket):
    """A seat that is lost with the server, and nothing is missed then."""

    def __init__(self, url: str, token: str, lively: Callable[[], None]) -> None:
        """`lively` is called at the first view."""
        super().__init__(url)
        self.token = token
        self.lively = lively
        self.shown = False

    def opened(self) -> None:
        self.send(json.dumps({"type": "hello", "protocol": 1, "token": self.token}).encode())

    def received(self, text: bytes) -> None:
        if text.startswith(VIEW):
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
        self.write(self.walk)


class Deaf(SeatConnection):
    """Never reads again once the match goes on."""

    def seen(self) -> None:
        assert self.transport is not None
        self.transport.pause_reading()


class Flood(SeatConnection):
    """Writes as fast as it can, something else every time, and reconnects at once after a close
    frame."""

    CHUNKS = itertools.cycle(
        [
            commanded("up") * 1000,
            frame(b"x" * 60) * 1000,
            commanded(*["up"] * 2000) * 10,
            frame(b"[" * 2000) * 100,
        ]
    )
    times = 0
    """Number of connections that floods have made."""
    stubborn = False

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.chunk = next(self.CHUNKS)
        self.paused = self.over = False

    def opened(self) -> None:
        super().opened()
        Flood.times += 1
        self.pump()

    def closing(self) -> None:
        if not self.stubborn:
            self.abort()

    def pump(self) -> None:
        if not (self.paused or self.over):
            self.write(self.chunk)
            asyncio.get_running_loop().call_soon(self.pump)

    def pause_writing(self) -> None:
        self.paused = True

    def resume_writing(self) -> None:
        self.paused = False
        self.pump()

    def eof_received(self) -> None:
        self.abort()

    def closed(self) -> None:
        self.over = True
        asyncio.get_running_loop().create_task(self.again())

    async def again(self) -> None:
        await asyncio.sleep(0)
        await type(self)(self.url, self.token, self.lively).connect()


class Stubborn(Flood):
    """The same, but goes on until it is cut off."""

    stubborn = True


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
            seat = kind(
                f"ws://{host}:{port}/ws/play", token, lively if kind is Walker else lambda: None
            )
            await seat.connect()
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
