"""How much longer a turn takes with the whole referee around it than on a bare websocket server.

Two clients without the SDK play PyRat, once over `botarena serve` and once over a minimal
`websockets` server that runs the same engine and sends the same view bytes, but keeps no clock, no
journal and no results. Each server has a process of its own, rounds are interleaved, a turn is the
time from one view to the next at seat 0. Prints a table and one line of JSON.

    python -m benchmarks.turns [--rounds 7] [--once] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from client_sdk.rest import RestClient
from client_sdk.wire.messages import View
from games import GAMES
from games.core.match import Match

SEED = 20261127
SERVE = "import typer, server.cli; typer.run(server.cli.serve)"


class Shown(msgspec.Struct):
    """What a bare client reads of a view."""

    moves: list[str]


class ViewFrame(msgspec.Struct):
    type: str
    turn: int = 0
    act: bool = False
    view: Shown | None = None


# --- the bare server ------------------------------------------------------------------------------


async def bare(port: int) -> None:
    """Two connections, one match, as few lines as it takes."""
    seats: list[ServerConnection] = []
    encode = msgspec.json.Encoder().encode

    async def match_of(connection: ServerConnection) -> None:
        once = json.loads(await connection.recv()).get("once", [])
        seat = len(seats)
        seats.append(connection)
        if seat == 0:
            await connection.wait_closed()
            return
        pair = seats[:]
        seats.clear()
        match = Match.begin(GAMES["pyrat"], {}, SEED)
        inbox: asyncio.Queue[tuple[int, str | bytes]] = asyncio.Queue()

        async def read(seat: int) -> None:
            async for frame in pair[seat]:
                inbox.put_nowait((seat, frame))

        readers = [asyncio.create_task(read(seat)) for seat in (0, 1)]
        while True:
            awaited = match.awaited
            for seat, connection in enumerate(pair):
                view = {key: value for key, value in match.view(seat).items() if key not in once}
                message = View(match.turn, match.turn, view, act=seat in awaited, within_ms=1000)
                await connection.send(encode(message), text=True)
            if match.outcome is not None:
                break
            while match.awaited:
                seat, frame = await inbox.get()
                message = json.loads(frame)
                if message["turn"] == match.turn:
                    match.apply(seat, message["commands"][0])
            match.advance()
        for reader in readers:
            reader.cancel()
        for connection in pair:
            await connection.close()

    async with serve(match_of, "127.0.0.1", port, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


# --- the clients ----------------------------------------------------------------------------------


async def client(url: str, token: str | None, seat: int, once: list[str]) -> list[int]:
    """Play to the end; returns when each view came (ns)."""
    dice = random.Random(seat)
    decode = msgspec.json.Decoder(ViewFrame).decode
    views = []
    async with connect(url, compression=None) as socket:
        await socket.send(
            json.dumps({"type": "hello", "protocol": 1, "token": token, "once": once})
        )
        async for text in socket:
            if text.startswith('{"type":"view"'):
                views.append(time.perf_counter_ns())
                frame = decode(text)
                if frame.act and frame.view is not None:
                    await socket.send(
                        f'{{"type":"commands","turn":{frame.turn},"commands":["{dice.choice(frame.view.moves)}"]}}'
                    )
            elif text.startswith('{"type":"start"') and '"within_ms"' in text:
                await socket.send('{"type":"ready"}')
    return views


async def played(url: str, tokens: list[str | None], once: list[str]) -> list[float]:
    """The turns of one match, µs."""
    gc.collect()
    views, _ = await asyncio.gather(
        *(client(url, token, seat, once) for seat, token in enumerate(tokens))
    )
    return [(after - before) / 1000 for before, after in pairwise(views)]


def ours(url: str, once: list[str]) -> list[float]:
    with RestClient(url) as rest:
        lobby = rest.create("pyrat", seed=SEED)["lobby"]
        seats = [rest.join(lobby, "pyrat", name) for name in ("one", "two")]
    return asyncio.run(played(seats[0]["url"], [seat["token"] for seat in seats], once))


def started(arguments: list[str], folder: str) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and the last word of what it says when it listens."""
    with Path(folder, f"{len(list(Path(folder).iterdir()))}.err").open("w") as err:
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=err, text=True
        )
    pin(process.pid, 0)
    assert process.stdout is not None
    words = process.stdout.readline().split()
    if not words:
        raise SystemExit(f"a server did not start; see {folder}")
    return process, words[-1]


def pin(pid: int, core: int) -> None:
    """Servers on one core and clients on another, where the system lets us choose and there are
    two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--once",
        action="store_true",
        help="the maze in the start message only, as the SDK asks for it",
    )
    parser.add_argument("--json", type=Path, help="write the figures there too")
    parser.add_argument("--bare", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bare is not None:
        run = asyncio.run
        if platform.system() != "Windows":
            import uvloop

            run = uvloop.run
        run(bare(asked.bare))
        return
    once = ["maze"] if asked.once else []
    pin(0, 1)
    servers = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            arena, url = started(
                [
                    "-c",
                    SERVE,
                    "--port",
                    "0",
                    "--data-dir",
                    f"{folder}/data",
                    "--log-level",
                    "warning",
                ],
                folder,
            )
            servers.append(arena)
            twin, port = started(["-m", "benchmarks.turns", "--bare", "0"], folder)
            servers.append(twin)
            figures = measured(url, f"ws://127.0.0.1:{port}", once, asked.rounds)
        finally:
            for server in servers:
                server.terminate()
                server.wait(10)
    print(json.dumps(figures))
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=2) + "\n")


def measured(url: str, twin_url: str, once: list[str], rounds: int) -> dict[str, Any]:
    print(
        f"{'round':>5} {'turns':>6} {'botarena p50 µs':>16} {'bare p50 µs':>12} {'ratio':>6}   "
        "p99 µs"
    )
    rows = []
    for number in range(-1, rounds):
        here = ours(url, once)
        there = asyncio.run(played(twin_url, [None, None], once))
        if number < 0:
            continue  # warm-up
        row = {
            "turns": len(here),
            "botarena_p50_us": statistics.median(here),
            "bare_p50_us": statistics.median(there),
            "botarena_p99_us": statistics.quantiles(here, n=100)[98],
            "bare_p99_us": statistics.quantiles(there, n=100)[98],
        }
        row["ratio"] = row["botarena_p50_us"] / row["bare_p50_us"]
        rows.append(row)
        print(
            f"{number + 1:>5} {row['turns']:>6} {row['botarena_p50_us']:>16.0f} "
            f"{row['bare_p50_us']:>12.0f} {row['ratio']:>6.2f}"
            f"   {row['botarena_p99_us']:.0f} against {row['bare_p99_us']:.0f}"
        )
    ratio = statistics.median(row["ratio"] for row in rows)
    print(f"p50 ratio, median of {rounds} rounds: {ratio:.2f}")
    return {
        "benchmark": "turns",
        "ratio_p50": round(ratio, 3),
        "rounds": rows,
        "once": once,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("websockets", "uvicorn", "msgspec")},
        "cpus": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
    }


if __name__ == "__main__":
    main()
