"""How late ticks come while matches end all the time.

    python -m benchmarks.ends [--rounds 5] [--seconds 4] [--matches 8] [--check] [--json-file FILE]

A timer every 5 ms runs on the event loop of a server. In every round its lateness is measured while
the server is idle, and then while another process plays several rated Zooscape matches at once, in
step with their bots, and fetches after each of them the record of a seat, the replay and the
ratings. The two p99 are those of all rounds together.

With `--check` the status is 1 if the p99 beside match ends is more than twice the idle one.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

import httpx

from benchmarks.seats import Walker, loops, now
from benchmarks.ticks import beside, summed_up
from client_sdk.address import socket_url
from client_sdk.load.worker import allow_sockets
from client_sdk.rest import RestClient
from server import log
from server.app.arena import Arena, create_app
from server.cli import ArenaServer
from server.matches.clock import MS, TickGrid
from server.net.listening import listening
from server.settings import Settings

STEP_MS = 5
SEATS = 2
CONFIG = {"tick_ms": 0, "seats": SEATS, "max_ticks": 60}
ANSWER_S = 0.005
"""Delay before a bot answers: the ends are measured, not the ticks before them."""
MOST = 2.0
"""What p99 may be, in p99 of the idle server."""


class Ticking(ArenaServer):
    """A server with a timer on its loop. The pipe names windows and gets the lateness within them,
    in ms."""

    def __init__(self, arena: Arena, pipe: Pipe) -> None:
        super().__init__(arena)
        self._pipe = pipe
        self._late: list[tuple[int, float]] = []

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self._grid = TickGrid(now(), STEP_MS * MS)
        self._ring()
        self._answering = asyncio.create_task(self._answer())

    def _ring(self) -> None:
        at, due = now(), self._grid.due
        if at >= due:
            self._late.append((due, (at - due) / MS))
            self._grid.next(at)
        asyncio.get_running_loop().call_later((self._grid.due - now()) / 1e9, self._ring)

    async def _answer(self) -> None:
        while True:
            begin, end = await asyncio.to_thread(self._pipe.recv)
            self._pipe.send([late for due, late in self._late if begin <= due < end])


def serve(folder: str, pipe: Pipe) -> None:
    """The server's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log.configure("error", "logfmt")
    listener = listening("127.0.0.1", 0, 0)
    port = listener.getsockname()[1]
    arena = create_app(
        Settings(
            data_dir=Path(folder),
            port=port,
            sign_up=True,
            requests_per_second=0,
            lobbies_per_address=0,
        )
    )
    arena.storage.store.migrate()
    pipe.send(f"http://127.0.0.1:{port}")
    gc.freeze()
    Ticking(arena, pipe).run([listener])


class Answerer(Walker):
    """Answers after a while, and says when its match is over."""

    def __init__(self, *about: Any, over: Callable[[], None]) -> None:
        super().__init__(*about, lambda: None)
        self._over = over

    def seen(self) -> None:
        asyncio.get_running_loop().call_later(ANSWER_S, super().seen)

    def closed(self) -> None:
        self._over()


async def matches_of(
    url: str, rests: list[RestClient], at_once: int, playing: threading.Event, ended: list[str]
) -> None:
    """Matches that are played while `playing` is set."""
    numbers = count(1)

    def seated() -> tuple[str, list[str]]:
        lobby = rests[0].create("zooscape", config=CONFIG, rated=True, seed=next(numbers))["lobby"]
        return lobby, [rest.join(lobby, "zooscape", "player")["token"] for rest in rests]

    def fetched(lobby: str, token: str) -> None:
        record = httpx.get(
            f"{url}/api/v1/matches/{lobby}/seat",
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )
        record.raise_for_status()
        rests[0].replay(lobby)
        rests[0].ratings("zooscape")

    async def play_on() -> None:
        while True:
            while not playing.is_set():
                await asyncio.sleep(0.01)
            lobby, tokens = await asyncio.to_thread(seated)
            over = asyncio.Event()
            for token in tokens:
                await Answerer(socket_url(url), token, over=over.set).connect()
            await over.wait()
            await asyncio.to_thread(fetched, lobby, tokens[0])
            ended.append(lobby)

    await asyncio.gather(*[play_on() for _ in range(at_once)])


def play(url: str, at_once: int, pipe: Pipe) -> None:
    """The bots' process. The pipe says whether they play; the answer is how many matches have
    ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with RestClient(url) as stranger:
        rests = [
            RestClient(url, key=stranger.sign_up(f"player {seat}")["key"]) for seat in range(SEATS)
        ]
    playing = threading.Event()
    ended: list[str] = []

    def obey() -> None:
        while True:
            (playing.set if pipe.recv() else playing.clear)()
            pipe.send(len(ended))

    threading.Thread(target=obey, daemon=True).start()
    loops()(matches_of(url, rests, at_once, playing, ended))


def measured(rounds: int, seconds: float, matches: int) -> dict[str, Any]:
    late: dict[str, list[float]] = {"idle": [], "ends": []}
    ended = 0
    with tempfile.TemporaryDirectory() as folder, beside(serve, folder) as server:
        url = server.recv()
        time.sleep(2.0)
        with beside(play, url, matches) as bots:

            def window(name: str, *, wanted: bool) -> None:
                bots.send(wanted)
                bots.recv()
                time.sleep(seconds / 2)  # those that play end, or the first ones begin
                begin = now()
                time.sleep(seconds)
                server.send((begin, now()))
                late[name] += server.recv()

            for _ in range(rounds):
                window("idle", wanted=False)
                window("ends", wanted=True)
            bots.send(False)
            ended = bots.recv()
    rows = {name: summed_up(times) for name, times in late.items()}
    ratio = round(rows["ends"]["p99"] / rows["idle"]["p99"], 2)
    return {"benchmark": "ends", "rounds": rounds, "ended": ended, "ratio": ratio, **rows}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--seconds", type=float, default=4.0, help="measured for each figure in a round"
    )
    parser.add_argument("--matches", type=int, default=8, help="played at once")
    parser.add_argument(
        "--check", action="store_true", help=f"fail above {MOST} times the idle p99"
    )
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    allow_sockets()
    figures = measured(asked.rounds, asked.seconds, asked.matches)
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if asked.check and figures["ratio"] > MOST:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
