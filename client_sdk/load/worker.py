"""One process of the generator: it plays matches whose seats are taken, all at the same time."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from client_sdk.bots.cheap import CHEAP
from client_sdk.load.clients import LoadMatch, LoadSeat, LoadViewer, Waves

SILENCE_S = 90.0
"""Matches in which nothing happens for this long count as failed."""
LAST_VIEW_S = 5.0
"""Viewers have this long to get the last view of a match."""
OPENING = 100
"""Connections that are opened at the same time, at most."""

UrlAndHello: TypeAlias = tuple[str, bytes]
"""The URL of a connection, and its hello."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one process of the generator is to do."""

    game: str
    matches: Sequence[Sequence[UrlAndHello]]
    """The seats of each match."""
    viewers: Sequence[UrlAndHello] = ()
    idle: Sequence[UrlAndHello] = ()
    """Viewers of lobbies in which nothing happens."""
    think_s: float = 0.0
    seed: int = 0
    """Of what the seats answer."""


@dataclass(slots=True)
class Played:
    """What one process has seen. Times in ns."""

    turns: int = 0
    turn_ns: list[int] = field(default_factory=list)
    late_ns: list[int] = field(default_factory=list)
    views: int = 0
    """Of viewers."""
    fan_out_ns: list[int] = field(default_factory=list)
    """From the first viewer that had a view to the last one."""
    begun_ns: int = 0
    ended_ns: int = 0
    outcomes: list[dict[str, Any] | None] = field(default_factory=list)
    """By match; None: it failed."""
    failures: list[str] = field(default_factory=list)
    cpu_s: float = 0.0
    waited_s: float = 0.0
    """Time in which the process could have run and had no processor (Linux)."""
    wall_s: float = 0.0


class LoadWorker:
    """The matches of a share, on an event loop of its own."""

    def __init__(self, share: Share) -> None:
        self._share = share
        self._runner = asyncio.Runner(loop_factory=_loop_factory())
        self._left = len(share.matches)
        self._over = asyncio.Event()
        self._matches = [LoadMatch(len(seats), self._match_over) for seats in share.matches]
        waves = {hello: Waves() for _, hello in share.viewers}
        self._waves = [*waves.values()]
        self._viewers = [LoadViewer(url, hello, waves[hello]) for url, hello in share.viewers]
        self._idle = [LoadViewer(url, hello, Waves()) for url, hello in share.idle]
        self._seats: list[LoadSeat] = []

    def connect(self) -> None:
        """Open all connections, without a hello of the seats."""
        allow_sockets()
        self._runner.run(self._connect())

    def play(self) -> Played:
        """Play all matches to their ends."""
        gc.collect()
        gc.freeze()
        cpu, waited, wall = time.process_time(), _waited_s(), time.perf_counter()
        self._runner.run(self._play())
        played = self._played()
        played.cpu_s = time.process_time() - cpu
        played.waited_s = _waited_s() - waited
        played.wall_s = time.perf_counter() - wall
        return played

    def close(self) -> None:
        """Close what is still open."""
        self._runner.run(self._disconnect())
        self._runner.close()
        gc.unfreeze()

    async def _connect(self) -> None:
        answer = CHEAP[self._share.game]
        later = asyncio.get_running_loop().call_later
        for match, addresses in zip(self._matches, self._share.matches, strict=True):
            for url, hello in addresses:
                seat = LoadSeat(url, hello, match, answer, self._dice(), self._share.think_s, later)
                self._seats.append(seat)
        clients = [*self._idle, *self._viewers, *self._seats]
        for begin in range(0, len(clients), OPENING):
            await asyncio.gather(*(client.connect() for client in clients[begin : begin + OPENING]))

    def _dice(self) -> Random:
        """Of one seat: its own, so that it plays the same against any server."""
        number = len(self._seats)
        return Random(f"{self._share.seed} {number}")  # noqa: S311  moves of a game

    async def _play(self) -> None:
        for seat in self._seats:
            if seat.match.failure is None:
                seat.hello()
            else:
                seat.abort()
        seen = -1
        while self._left:
            try:
                await asyncio.wait_for(self._over.wait(), SILENCE_S)
            except TimeoutError:
                if seen == (seen := max(match.last_ns for match in self._matches)):
                    break
        until = time.monotonic() + LAST_VIEW_S
        while time.monotonic() < until and not all(viewer.is_over for viewer in self._viewers):
            await asyncio.sleep(0.01)

    async def _disconnect(self) -> None:
        for client in (*self._idle, *self._viewers, *self._seats):
            client.abort()
        await asyncio.sleep(0)

    def _match_over(self) -> None:
        self._left -= 1
        if not self._left:
            self._over.set()

    def _played(self) -> Played:
        found = Played()
        for match in self._matches:
            if match.outcome is None:
                match.fail("it never ended")
            if match.failure is not None:
                found.failures.append(match.failure)
            found.outcomes.append(None if match.failure else match.outcome)
            found.turns += match.turns
            found.turn_ns += match.turn_ns
            found.late_ns += match.late_ns
        firsts = [match.first_ns for match in self._matches if match.first_ns]
        found.begun_ns = min(firsts, default=0)
        found.ended_ns = max((match.last_ns for match in self._matches), default=0)
        found.views = sum(waves.views for waves in self._waves)
        found.fan_out_ns = [took for waves in self._waves for took in waves.took_ns]
        found.failures += [
            viewer.failure for viewer in (*self._viewers, *self._idle) if viewer.failure
        ]
        return found


def serve(pipe: Connection) -> None:
    """A further process: shares come through the pipe, one after the other, until it is closed."""
    while True:
        try:
            worker = LoadWorker(pipe.recv())
        except EOFError:
            return
        worker.connect()
        pipe.send(None)
        pipe.recv()
        pipe.send(worker.play())
        worker.close()


def allow_sockets() -> None:
    """Let this process, and those that it starts, open as many files as the system allows."""
    if sys.platform != "win32":
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        with suppress(OSError, ValueError):  # macOS names no limit, and takes none
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _loop_factory() -> Any:
    """uvloop where it is installed: it takes about half of the processor time."""
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _waited_s() -> float:
    try:
        return int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0
