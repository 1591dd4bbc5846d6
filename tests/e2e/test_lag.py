"""Bots with a known thinking time, on slow connections, at a server that stalls: what are they
charged?

Bots and their proxies share one event loop. Stalls of the test itself and late proxies are measured
too, and excluded."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from client_sdk.cli.clock import TurnTimes, match_times
from tests.e2e.arena import Arena, started
from tests.e2e.stalling_server import stall

DELAYS_MS = (0, 40, 120)
JITTER_MS = 1.0
SLEEPS_MS = (5, 40)
CLOSE_MS = 5.0
"""Tolerance between a charge and the bot's own measurement."""
CLOCK = {"turn_ms": 220, "grace_ms": 60, "preprocessing_ms": 60_000}
"""Less than the longest line and back, and less than a stall with the grace."""
HOLD_MS = 300
PING_MS = 100
PINGS = 10
"""A player is ready after this number of pings: then the server knows its round trip."""
SLACK_S = 0.0015
"""The test's own loop was held up when it is later than this."""


@pytest.fixture(params=[0, HOLD_MS], ids=["undisturbed", "held up"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Arena]:
    prepare = partial(stall, request.param)
    with started(tmp_path, prepare=prepare, BOTARENA_PING_MS=str(PING_MS)) as running:
        yield running


@dataclass
class Watch:
    """When this process itself was late: from, to (monotonic s)."""

    late: list[tuple[float, float]] = field(default_factory=list)

    async def beat(self) -> None:
        while True:
            due = time.monotonic() + 0.002
            await asyncio.sleep(0.002)
            if time.monotonic() > due + SLACK_S:
                self.late.append((due, time.monotonic()))

    def within(self, begun: float, ended: float) -> float:
        """s of that time in which it was."""
        lost, at = 0.0, begun
        for since, to in sorted(self.late):
            lost += max(0.0, min(ended, to) - max(at, since))
            at = max(at, to)
        return lost


@dataclass
class Line:
    """A TCP proxy that brings every piece later, each way, by so much and a little jitter."""

    port: int
    delay_ms: float
    watch: Watch
    dice: random.Random

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Its port."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        await asyncio.gather(
            self._bring(reader, back), self._bring(there, writer), return_exceptions=True
        )

    async def _bring(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop, due = asyncio.get_running_loop(), 0.0
        while piece := await reader.read(1 << 16):
            due = max(
                due + 1e-6, loop.time() + (self.delay_ms + self.dice.uniform(0, JITTER_MS)) / 1000
            )
            loop.call_at(due, self._arrive, writer, piece, due)
        loop.call_at(max(due, loop.time()) + 1e-6, writer.close)

    def _arrive(self, writer: asyncio.StreamWriter, piece: bytes, due: float) -> None:
        writer.write(piece)
        if time.monotonic() > due + SLACK_S:
            self.watch.late.append((due, time.monotonic()))


@dataclass
class Player:
    """A seat that sleeps, then says 1."""

    line: Line
    url: str
    token: str
    seed: int
    thought: dict[int, tuple[float, float]] = field(default_factory=dict)
    """By turn: from the receipt of the view to the sending of the answer (monotonic s)."""
    outcome: dict[str, Any] = field(default_factory=dict)

    async def play(self) -> None:
        dice = random.Random(self.seed)
        async with (
            self.line.open() as port,
            connect(f"ws://127.0.0.1:{port}/ws/play", compression=None, proxy=None) as socket,
        ):
            await socket.send(json.dumps({"type": "hello", "protocol": 1, "token": self.token}))
            async for text in socket:
                begun = time.monotonic()
                message = json.loads(text)
                if message["type"] == "end":
                    self.outcome = message["outcome"]
                elif message["type"] == "ping" and message["n"] == PINGS:
                    await socket.send(json.dumps({"type": "ready"}))
                elif message["type"] == "view" and message["act"]:
                    await asyncio.sleep(dice.uniform(*SLEEPS_MS) / 1000)
                    frame = json.dumps(
                        {"type": "commands", "turn": message["turn"], "commands": [1]}
                    )
                    self.thought[message["turn"]] = begun, time.monotonic()
                    with contextlib.suppress(ConnectionClosed):  # the outcome says why
                        await socket.send(frame)


@dataclass(frozen=True)
class Checked:
    """One turn: by how much it was charged too much and too little, ms, beyond what the test or a
    known stall explains."""

    over: float
    under: float
    calm: bool
    """Nothing of the test's own was late in this turn."""


async def played(server: Arena, rounds: int, delays: list[int], seed: int) -> list[Checked]:
    """One match for each delay, all at once: a bot behind such a line against one that is near."""
    watch = Watch()
    beat = asyncio.create_task(watch.beat())
    port = int(server.url.rpartition(":")[2])
    matches: list[tuple[str, list[Player]]] = []
    for number, delay in enumerate(delays):
        lobby = server.rest.create("duel", config={"rounds": rounds}, clock=CLOCK)["lobby"]
        seats = [server.rest.join(lobby, "duel", name) for name in ("far", "near")]
        players = [
            Player(
                Line(port, way, watch, random.Random(seed + number)),
                seat["url"],
                seat["token"],
                seed + number,
            )
            for way, seat in zip((delay, 0), seats, strict=True)
        ]
        matches.append((lobby, players))
    await asyncio.gather(*(player.play() for _, players in matches for player in players))
    beat.cancel()
    checked = []
    for lobby, players in matches:
        await asyncio.to_thread(server.over, lobby)
        account = match_times(
            [json.loads(line) for line in server.record(lobby, "journal").splitlines()]
        )
        assert account.off < 2
        for player, other, seat in zip(players, players[::-1], account.seats, strict=True):
            assert player.outcome["reason"] == "rounds"
            assert rounds == len(seat.turns)
            checked += [check(player, other, turn, watch) for turn in seat.turns]
    return checked


def check(player: Player, other: Player, turn: TurnTimes, watch: Watch) -> Checked:
    """The view was handed over after both had answered the turn before, and the answer was there
    before anybody saw the next."""
    begun, sent = player.thought[turn.turn]
    before, after = (
        [one.thought[at] for one in (player, other) if at in one.thought]
        for at in (turn.turn - 1, turn.turn + 1)
    )
    since = max((answered for _, answered in before), default=begun - 1)
    until = min((seen for seen, _ in after), default=sent + 1)
    own = 1000 * watch.within(since, until)
    thought, charged, stalled = 1000 * (sent - begun), turn.parts[0], turn.parts[3]
    if turn.timeout:  # the test itself was too late for that, or we were wrong by what is missing
        return Checked(CLOCK["turn_ms"] + CLOCK["grace_ms"] - thought - own, 0, False)
    return Checked(charged - thought - own, thought - charged - stalled - own, own == 0)


def summary(checked: list[Checked]) -> str:
    """Worst of all turns; of those in which the test was calm the middle one too."""
    calm = [abs(one.over) for one in checked if one.calm]
    return (
        f"{len(checked)} turns: charged too much by {max(one.over for one in checked):.2f} ms at "
        "most, too little by "
        f"{max(one.under for one in checked):.2f} ms; {len(calm)} calm ones, off by "
        f"{statistics.median(calm or [0]):.2f} (median)"
    )


async def test_a_bot_is_charged_only_its_own_time_on_any_connection(
    server: Arena,
) -> None:
    checked = await played(server, 10, [*DELAYS_MS], 1)

    print(summary(checked))
    assert max(one.over for one in checked) < CLOSE_MS, summary(checked)
    assert max(one.under for one in checked) < CLOSE_MS, summary(checked)


@pytest.mark.soak
async def test_a_bot_is_charged_only_its_own_time_over_ten_thousand_turns(server: Arena) -> None:
    checked: list[Checked] = []
    while len(checked) < 10_000:
        checked += await played(server, 100, [*DELAYS_MS] * 2, len(checked))

    print(summary(checked))
    assert max(one.over for one in checked) < CLOSE_MS, summary(checked)
    assert max(one.under for one in checked) < CLOSE_MS, summary(checked)
