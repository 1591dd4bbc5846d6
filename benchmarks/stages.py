"""Where the processor time of a turn goes, stage by stage, without sockets.

Matches are played in this process by everything that the server has between the bytes of a socket
and the journal. Transports are replaced by ones whose clients answer at once, and journals are in
memory where the system has a file system for that. A profiling timer samples the stack (Linux and
macOS; every 4 ms of processor time, as often as the system's clock ticks), and each sample counts
for the innermost function that belongs to a stage. The total is measured without samples.

    python -m benchmarks.stages [--game pyrat] [--matches 10] [--rounds 10] [--json-file FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import random
import signal
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import structlog
from websockets.protocol import State

from benchmarks.seats import SEED, loops
from client_sdk.load.frames import frame
from client_sdk.wire.messages import ClientHello
from games import GAMES
from games.core.match import Match
from server.cli import COLLECT_AFTER
from server.matches.clock import MS, seat_clock
from server.matches.live_match import LiveMatch, MatchPlan
from server.matches.match_seat import Absence, FrameMemory, MatchSeat
from server.matches.record import JournalFile
from server.matches.referee import Limits
from server.matches.session import Session
from server.matches.stalls import Stalls
from server.metrics import Metrics
from server.net.limits import Crowd, Rates
from server.net.websocket import WebSocketProtocol
from server.settings import Settings

CONFIGS: dict[str, dict[str, Any]] = {
    "pyrat": {},
    "zooscape": {
        "tick_ms": 10,
        "max_ticks": 300,
        "zookeeper_interval": {"mean": 5, "std_dev": 0, "min": 5, "max": 5},
    },
}
CLIENTS = "the clients of the benchmark"
ONCE = {"pyrat": ("maze",), "zooscape": ()}
MOVES = {
    "pyrat": ("UP", "DOWN", "LEFT", "RIGHT"),
    "zooscape": ({"action": "up"}, {"action": "down"}, {"action": "left"}, {"action": "right"}),
}
STAGES = {
    "core/match.py:fingerprint": "state hash",
    "core/match.py": "judge and apply",
    "core/journal.py": "journal",
    "matches/broadcaster.py": "encode",
    "matches/client.py": "write",
    "matches/clock.py": "clocks",
    "matches/frames.py": "judge and apply",
    "matches/incoming.py": "parse",
    "matches/match_seat.py": "clocks",
    "matches/pauses.py": "clocks",
    "matches/presence.py": "clocks",
    "matches/record.py": "journal",
    "matches/referee.py": "judge and apply",
    "matches/session.py": "parse",
    "matches/snapshot.py": "encode",
    "matches/snapshot.py:view": "view",
    "matches/stalls.py": "clocks",
    "matches/timekeeper.py": "clocks",
    "matches/turns.py": "clocks",
    "net/latency.py": "clocks",
    "net/limits.py": "parse",
    "net/outbox.py": "write",
    "net/transport.py": "write",
    "net/transport.py:framed": "encode",
    "net/websocket.py": "parse",
    "server/metrics.py": "metrics",
    "server/tokens.py": "parse",
    "benchmarks/stages.py:write": CLIENTS,
}
"""By the end of the file's path, or that and the function."""
UNSAMPLED = nullcontext()
REST = "wake-ups"
"""The loop, and what waits in it: `inbox.py`, `dispatcher.py`, `course.py`."""


class Answering:
    """A transport whose client answers every view of an open turn at once."""

    def __init__(self, answers: Callable[[int], bytes]) -> None:
        self.protocol: WebSocketProtocol
        self._answers = answers
        self._loop = asyncio.get_running_loop()
        self._closing = False

    def get_extra_info(self, name: str) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self.protocol.connection_lost, None)

    abort = close

    def write(self, data: bytes) -> None:
        begin = data.rfind(b'{"type":"view","turn":')
        if begin >= 0 and b'"act":true' in data[-120:]:
            begin += len(b'{"type":"view","turn":')
            answer = self._answers(int(data[begin : data.index(b",", begin)]))
            self._loop.call_soon(self.protocol.data_received, answer)
        elif data[0] == 0x88:
            self.close()
        elif b'{"type":"start"' in data:
            self._loop.call_soon(self.protocol.data_received, frame(b'{"type":"ready"}'))


class Table:
    """A lobby as far as a session uses one; the match starts when all have said hello."""

    def __init__(self, name: str, match: Match, folder: str, context: Any) -> None:
        self.id, self.match, self.game = name, match, match.game
        self.setup = SimpleNamespace(match=match)
        self.live: LiveMatch | None = None
        self.over = asyncio.get_running_loop().create_future()
        self._clients: list[Any] = []
        self._file = JournalFile(Path(folder, f"{name}.journal.jsonl"))
        self._context = context

    def connect(self, client: Any, received: int) -> None:
        self._clients.append(client)
        if len(self._clients) == self.match.seats:
            self._task = asyncio.get_running_loop().create_task(self._play())

    def disconnect(self, client: Any, at: int) -> None: ...

    async def _play(self) -> None:
        match, pacing = self.match, self.match.pacing
        match.journal = self._file
        about = {"match": self.id, "config": match.config, "seed": SEED, "map_text": None}
        self._file.header(self.game, seats=[], **about)
        seats = [
            MatchSeat(
                client.seat,
                self.game.roles[client.seat],
                f"seat {client.seat}",
                "bot",
                seat_clock(pacing, "bot"),
                client,
                absence=Absence(pacing.absence_ms * MS),
                memory=FrameMemory({}),
            )
            for client in self._clients
        ]
        plan = MatchPlan(
            id=self.id,
            number=1,
            match=match,
            pacing=pacing,
            seats=seats,
            viewers=set(),
            commitment="",
            file=self._file,
            first_turn=match.turn,
        )
        limits = Limits(refusals_per_turn=100, infos_per_turn=10, idle_ms=60_000, lag_turn_ms=50)
        self.live = LiveMatch(plan, limits, self._context.stalls, self._context.metrics)
        await self.live.drive()
        self._file.close()
        self.over.set_result(match.turn)


def answers(game: str, seat: int) -> Callable[[int], bytes]:
    dice = random.Random(seat)
    turns = [dice.choice(MOVES[game]) for _ in range(1000)]
    named = [
        frame(json.dumps({"type": "commands", "turn": turn, "commands": [move]}).encode())
        for turn, move in enumerate(turns)
    ]
    return named.__getitem__


async def played(
    game: str,
    matches: int,
    folder: str,
    context: Any,
    samples: AbstractContextManager[object] = UNSAMPLED,
) -> float:
    """µs of processor time a turn of this number of matches, which are set up before."""
    tables = []
    for number in range(matches):
        match = Match.begin(GAMES[game], CONFIGS[game], SEED + number % 10)
        table = Table(f"{time.monotonic_ns()}-{number}", match, folder, context)
        tables.append(table)
        for seat in range(match.seats):
            sit_down(table, seat, answers(game, seat), ONCE[game], context)
    begun = time.process_time_ns()
    with samples:
        turns = await asyncio.gather(*(table.over for table in tables))
    return (time.process_time_ns() - begun) / 1e3 / sum(turns)


def sit_down(
    table: Any, seat: int, answer: Callable[[int], bytes], once: tuple[str, ...], context: Any
) -> None:
    """A connection after its handshake, and its client's hello."""
    transport: Any = Answering(answer)
    state: Any = SimpleNamespace(connections=set())
    nowhere: Any = None
    protocol = WebSocketProtocol(None, state, None, endpoint=nowhere, settings=context.settings)
    transport.protocol = protocol
    protocol.connection_made(transport)
    handshake = protocol._protocol
    handshake.state = State.OPEN
    handshake.parser = handshake.parse()
    next(handshake.parser)
    session = Session(
        protocol.connection,
        context,
        role="play",
        address="",
        elsewhere=nowhere,
        on_end=lambda session: None,
    )
    protocol._listener = session
    session._greeting.end()
    protocol.connection.start(session, 60.0)
    session.welcome(table, ClientHello(1, once=once), seat, time.monotonic_ns())


class Samples:
    """Processor time by stage, while it is entered; any number of times."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()

    def __enter__(self) -> Samples:
        signal.signal(signal.SIGPROF, self._take)
        signal.setitimer(signal.ITIMER_PROF, 0.001, 0.001)
        return self

    def __exit__(self, *exc: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _take(self, number: int, running: FrameType | None) -> None:
        while running is not None:
            file = "/".join(running.f_code.co_filename.split("/")[-2:])
            stage = STAGES.get(f"{file}:{running.f_code.co_name}") or STAGES.get(file)
            if stage is not None:
                self.stages[stage] += 1
                return
            running = running.f_back
        self.stages[REST] += 1


async def measured(game: str, matches: int, rounds: int, folder: str) -> dict[str, Any]:
    metrics = Metrics()
    stalls = Stalls(on_lag=metrics.lag)
    context = SimpleNamespace(
        settings=Settings(),
        metrics=metrics,
        stalls=stalls,
        running=stalls.running,
        crowd=Crowd(per_address=0, viewers=0),
        rates=Rates(1_000_000_000),
        server="",
        lobbies=None,
        tokens=None,
    )
    await played(game, matches, folder, context)
    totals = [await played(game, matches, folder, context) for _ in range(rounds)]
    samples = Samples()
    for _ in range(rounds):
        await played(game, matches, folder, context, samples)
    total, count = statistics.median(totals), sum(samples.stages.values())
    shares = {name: number / count for name, number in samples.stages.most_common()}
    print(f"{game}, {matches} matches: {total:.0f} µs a turn, least {min(totals):.0f}")
    for name, share in shares.items():
        print(f"{share * total:8.1f} µs {share:6.1%}  {name}")
    return {
        "benchmark": "stages",
        "game": game,
        "matches": matches,
        "us_per_turn": round(total, 1),
        "us_least": round(min(totals), 1),
        "stages_us": {name: round(share * total, 2) for name, share in shares.items()},
        "samples": count,
        "load": os.getloadavg(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=sorted(CONFIGS), default="pyrat")
    parser.add_argument("--matches", type=int, default=10, help="matches at once")
    parser.add_argument("--rounds", type=int, default=10, help="with, and without samples")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        figures: dict[str, Any] = {}

        async def run() -> None:
            figures.update(await measured(asked.game, asked.matches, asked.rounds, folder))

        loops()(run())
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
