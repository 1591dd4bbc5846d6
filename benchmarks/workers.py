"""What a second process brings on two cores: a second worker, a second server process.

    python -m benchmarks.workers games [--database URL] [--games 120] [--rounds 3]
                                       [--json-file FILE]
    python -m benchmarks.workers matches [--matches 100,120,140,…] [--seconds 10] [--p99 10]
                                         [--json-file FILE]

`games`: a round robin of house bots is played by one `botarena worker --jobs 1` and then by two, on
the same PostgreSQL (a schema is made in it and dropped). Games per second from the first game that
ended to the last one, rounds interleaved; the bar: two workers at least 1.6 times one.

`matches`: realtime Zooscape matches as in ticks.py, on `botarena serve` and on `botarena serve
--workers 2`: the most of the given numbers whose ticks' p99 lateness is within the bound. The bots
are one process beside them, on the same cores. The bar: two processes at least 1.6 times one."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, func, select, text

from benchmarks.seats import SEED, Walker, play
from benchmarks.ticks import CONFIG, WARM_UP_S, beside, lateness, summed_up
from client_sdk.rest import RestClient
from server.store.store import known_url
from server.store.tables import matches as table

PLAN: dict[str, Any] = {
    "game": "pyrat",
    "config": {"max_turns": 300},
    "bots": [{"house": "greedy", "name": f"bot {number}"} for number in range(4)],
    "seed": SEED,
}
PAIRS = 6
PATIENCE_S = 30
"""Timeout: overloaded processes may never get all matches going."""
ALONE = {
    "BOTARENA_DRAIN_MS": "0",
    "BOTARENA_LOBBIES_PER_ADDRESS": "0",  # all of them are made and played from this machine
    "BOTARENA_CONNECTIONS_PER_ADDRESS": "0",
}


@contextmanager
def process(*words: str, folder: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A verb of the command, as long as the context lasts."""
    with Path(folder, f"{secrets.token_hex(4)}.err").open("w") as err:
        made = subprocess.Popen(
            [sys.executable, "-m", "client_sdk.cli", *words],
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            env=os.environ | environment,
        )
    try:
        yield made
    finally:
        made.terminate()
        made.wait()


def address(serving: subprocess.Popen[str]) -> str:
    assert serving.stdout is not None
    words = serving.stdout.readline().split()
    if not words:
        raise SystemExit("a server did not start")
    return words[-1]


# --- games ----------------------------------------------------------------------------------------


@contextmanager
def schema(database: str) -> Iterator[str]:
    name = f"bench_{secrets.token_hex(4)}"
    engine = create_engine(known_url(database), isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(text(f"create schema {name}"))
    try:
        yield f"{database}?options=-csearch_path%3D{name}"
    finally:
        with engine.connect() as db:
            db.execute(text(f"drop schema {name} cascade"))
        engine.dispose()


def games_per_second(database: str, workers: int, games: int) -> float:
    with tempfile.TemporaryDirectory() as folder, schema(database) as url, ExitStack() as stack:
        about = {"BOTARENA_DATABASE_URL": url, "BOTARENA_HOUSE_GAMES": "workers"}
        serve = ("serve", "--port", "0", "--data-dir", f"{folder}/data", "--log-level", "warning")
        serving = stack.enter_context(process(*serve, folder=folder, **about))
        at = address(serving)
        make = [
            sys.executable,
            "-m",
            "client_sdk.cli",
            "account",
            "create",
            "bench",
            "--kind",
            "organiser",
        ]
        key = subprocess.run(
            make, env=os.environ | about, capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(workers):
            stack.enter_context(
                process("worker", "--jobs", "1", "--log-level", "warning", folder=folder, **about)
            )
        rest = stack.enter_context(RestClient(at, key=key))
        format_ = {"format": "round-robin", "matches_per_pairing": games // PAIRS, "check": False}
        rest.lead(rest.create_tournament("bench", **PLAN, format=format_)["tournament"], "start")
        while rest.tournaments()[0]["state"] != "finished":
            time.sleep(0.5)
        engine = create_engine(known_url(url))
        with engine.connect() as db:
            ended = func.min(table.c.ended_ms), func.max(table.c.ended_ms), func.count()
            first, last, count = db.execute(select(*ended)).one()
        engine.dispose()
    rate: float = (count - 1) / ((last - first) / 1000)
    return rate


def games(database: str, count: int, rounds: int) -> dict[str, Any]:
    rows = []
    for number in range(rounds):
        one, two = (games_per_second(database, workers, count) for workers in (1, 2))
        rows.append({"one": round(one, 2), "two": round(two, 2), "ratio": round(two / one, 2)})
        print(
            f"round {number + 1}: {one:.2f} games a second by one worker, {two:.2f} by two: "
            f"{two / one:.2f}x",
            flush=True,
        )
    ratio = statistics.median(row["ratio"] for row in rows)
    print(f"median {ratio:.2f}x")
    return {"benchmark": "games", "games": count, "rounds": rows, "ratio": ratio}


# --- matches --------------------------------------------------------------------------------------


def late(processes: int, matches: int, seconds: float) -> dict[str, Any]:
    """Lateness of the ticks of these matches on these processes, ms; None: they never all went on
    together."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        serve = ("serve", "--port", "0", "--data-dir", f"{folder}/data", "--log-level", "warning")
        several = ("--workers", str(processes)) if processes > 1 else ()
        serving = stack.enter_context(process(*serve, *several, folder=folder, **ALONE))
        at = address(serving)
        journals = Path(folder, "data", "matches")
        plan = []
        for number in range(matches):
            with RestClient(at) as rest:  # a new connection, which any process may take
                lobby = rest.create("zooscape", seed=SEED + number, config=CONFIG)["lobby"]
                seats = [rest.join(lobby, "zooscape", f"seat {seat}") for seat in range(4)]
            host, port = seats[0]["url"].removeprefix("ws://").removesuffix("/ws/play").split(":")
            plan.append((host, int(port), [seat["token"] for seat in seats]))
        found = None
        with beside(play, plan, [Walker] * 4) as bots:
            if bots.poll(PATIENCE_S):
                time.sleep(WARM_UP_S)
                before = {path: path.stat().st_size for path in journals.glob("*.journal.jsonl")}
                time.sleep(seconds)
                after = {path: path.stat().st_size for path in before}
                found = summed_up(lateness(before, after))
    shares = [sum(port == other for _, other, _ in plan) for port in {port for _, port, _ in plan}]
    return {"processes": processes, "matches": matches, "late_ms": found, "shares": sorted(shares)}


def most(
    processes: int, counts: Sequence[int], seconds: float, bound: float
) -> tuple[int, list[dict[str, Any]]]:
    """The most of these matches that are on time: the counts are halved until one is left. What is
    late once is tried again, for that may have been the machine."""
    rows: list[dict[str, Any]] = []

    def too_late(matches: int) -> bool:
        for _ in range(2):
            row = late(processes, matches, seconds)
            rows.append(row)
            found = row["late_ms"]
            how = (
                "not all began"
                if found is None
                else f"p99 {found['p99']:.2f} ms, max {found['max']:.2f}"
            )
            print(f"{processes} process(es), {matches} matches {row['shares']}: {how}", flush=True)
            if found is not None and found["p99"] <= bound:
                return False
        return True

    on_time = bisect_left(counts, True, key=too_late)
    return (counts[on_time - 1] if on_time else 0), rows


def matches(counts: Sequence[int], seconds: float, bound: float) -> dict[str, Any]:
    (one, ones), (two, twos) = (most(processes, counts, seconds, bound) for processes in (1, 2))
    ratio = round(two / one, 2) if one else None
    print(f"{one} matches within {bound} ms on one process, {two} on two: {ratio}x")
    return {
        "benchmark": "matches",
        "bound_ms": bound,
        "one": one,
        "two": two,
        "ratio": ratio,
        "rows": ones + twos,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("games", "matches"))
    parser.add_argument(
        "--database",
        default=os.environ.get(
            "BOTARENA_TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test"
        ),
    )
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", default=",".join(map(str, range(100, 421, 20))))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--p99", type=float, default=10, help="ms that the ticks may be late")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    if asked.what == "games":
        figures = games(asked.database, asked.games, asked.rounds)
    else:
        figures = matches(
            sorted(int(count) for count in asked.matches.split(",")), asked.seconds, asked.p99
        )
    if asked.json_file:
        asked.json_file.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
