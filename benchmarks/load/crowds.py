"""Viewers of one match, and connections in which nothing happens."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from benchmarks.load.servers import ServerUsage, TwinTarget, botarena, twin
from benchmarks.load.turns import OURS, PeerServers, measured, peers_for
from benchmarks.seats import SEED
from client_sdk.load.frames import FrameSocket
from client_sdk.load.target import Load, Target, hello

TURNS: Final = 20
THINK_S: Final = 0.2
"""Turns are so far apart that all viewers get every view."""
OPENING: Final = 100
"""Connections that are opened at the same time."""


def viewers(count: int, rounds: int, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """One match of PyRat with this number of viewers: the server's processor time for a view of a
    viewer, beside a bare server that uses `websockets.broadcast`."""
    load = Load("pyrat", {"max_turns": TURNS}, seed=SEED, viewers=count, think_s=THINK_S)
    rows = []
    with peers_for(load, ["websockets"]) as peers:
        for number in range(-1, rounds):
            for peer, (usage, target) in peers.items():
                row = measured(usage, target, load, 1)
                if row["failures"]:
                    raise SystemExit(f"{peer}: {row['failures']}")
                if number < 0:
                    continue  # warm-up
                row["us_per_view"] = row["server"]["us_per_turn"] * row["turns"] / row["views"]
                rows.append({"peer": peer, "round": number, **row})
                say(f"{count} viewers, {peer}: {row['us_per_view']:.1f} µs a view")
    return rows


def viewers_table(rows: Sequence[dict[str, Any]], count: int) -> str:
    ours, its = ([row for row in rows if row["peer"] == peer] for peer in (OURS, "websockets"))
    ratio = statistics.median(
        a["us_per_view"] / b["us_per_view"] for a, b in zip(ours, its, strict=True)
    )
    lines = [
        "| viewers of one match | µs a view | last viewer p50, p99 ms | views |",
        "|---|---|---|---|",
    ]
    for name, runs in (("botarena", ours), ("websockets.broadcast", its)):
        cost = statistics.median(run["us_per_view"] for run in runs)
        p50, p99 = (
            statistics.median(run["fan_out_ms"][of] for run in runs) for of in ("p50", "p99")
        )
        lines.append(
            f"| {count}, {name} | {cost:.1f} | {p50:.1f}, {p99:.1f} | {runs[0]['views']} |"
        )
    return "\n".join([*lines, "", f"Ours takes {ratio:.2f} times the processor time."])


# --- idle connections -----------------------------------------------------------------------------


class Idle(FrameSocket):
    """Says hello, gets one answer, and stays. It offers compression, as client libraries do."""

    HEADERS = ("Sec-WebSocket-Extensions: permessage-deflate",)

    def __init__(self, url: str, first: bytes) -> None:
        super().__init__(url)
        self.first = first
        self.answered = asyncio.Event()

    def opened(self) -> None:
        self.send(self.first)

    def received(self, text: bytes) -> None:
        self.answered.set()


async def _opened(addresses: Sequence[tuple[str, bytes]], usage: ServerUsage) -> float:
    """KB of memory that the server takes for each of the last half of these connections. The first
    half uses up what the server had free."""
    clients = [Idle(url, first) for url, first in addresses]
    half = len(clients) // 2
    for begin in range(0, len(clients), OPENING):
        if begin <= half:
            before, counted = usage.memory_kb(), len(clients) - begin
        several = clients[begin : begin + OPENING]
        await asyncio.gather(*(client.connect() for client in several))
        await asyncio.gather(*(client.answered.wait() for client in several))
    used = (usage.memory_kb() - before) / counted
    if any(client.transport is None or client.transport.is_closing() for client in clients):
        raise SystemExit("not all connections have stayed open")
    for client in clients:
        client.abort()
    return used


@contextmanager
def idle_peers() -> Iterator[PeerServers]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        command = [sys.executable, "-m", "benchmarks.load.twins", "default"]
        yield {
            OURS: stack.enter_context(botarena(folder)),
            "uvicorn's default": stack.enter_context(twin(folder, command)),
        }


def idle(count: int, rounds: int, say: Callable[[str], None]) -> dict[str, list[float]]:
    """KB a connection, by server and round; servers are started again for each round."""
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        with idle_peers() as peers:
            for peer, (usage, target) in peers.items():
                used = asyncio.run(_opened(_addresses(target, count), usage))
                found.setdefault(peer, []).append(round(used, 1))
                say(f"{count} idle connections, {peer}: {used:.1f} KB each")
    return found


def _addresses(target: Target, count: int) -> list[tuple[str, bytes]]:
    if isinstance(target, TwinTarget):
        return [(target.url, hello())] * count
    return target.seat(Load("pyrat", idle=count), 0).idle


def idle_table(found: dict[str, list[float]], count: int) -> str:
    lines = [f"| {count} idle connections | KB each |", "|---|---|"]
    lines += [f"| {peer} | {statistics.median(used):.1f} |" for peer, used in found.items()]
    ours, its = found.values()
    ratio = statistics.median(a / b for a, b in zip(ours, its, strict=True))
    return "\n".join([*lines, "", f"Ours takes {ratio:.2f} times the memory."])
