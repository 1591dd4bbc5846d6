"""How late the ticks of many realtime matches come, and whether one bad client makes those of
others later.

    python -m benchmarks.ticks [--matches 1,50,100,200] [--seconds 20] [--json-file FILE]
    python -m benchmarks.ticks --neighbours [--rounds 5] [--seconds 6] [--json-file FILE]

Zooscape with four bots and four zookeepers, a tick every 200 ms, over `botarena serve` in a process
of its own. All bots are in one other process and cost as little as can be: each answers a view with
one command and reads nothing of it. Lateness is what the journals say of the ticks within the
measured seconds, after a warm-up. The control is a third process with a bare timer for every match,
on the same grid and with the same phases, and nothing to do: what it shows is the machine's own
lateness, and where its p99 is over 5 ms the run is void. Loop share is the CPU time of the server's
process per second (Linux).

With `--neighbours` one server plays quiet matches all the time. In every round they are measured
alone, and then while one more match has a seat that stops reading and two that send as fast as they
can, commands, junk and long lists, and come back: one as soon as it gets a close frame, one when it
is cut off."""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from benchmarks.load.servers import pin, serve_command, started
from benchmarks.seats import SEED, Deaf, Flood, MatchSeats, Stubborn, Walker, loops, now, play
from client_sdk.load.worker import allow_sockets
from client_sdk.rest import RestClient
from server.matches.clock import MS, TickGrid, phase

TICK_MS = 200
CONFIG = {"tick_ms": TICK_MS, "zookeeper_interval": {"mean": 5, "std_dev": 0, "min": 5, "max": 5}}
"""All zookeepers are there after 15 ticks."""
WARM_UP_S = 4.0
"""Longer than that."""
GOALS_MS = {100: 5.0, 200: 10.0}
"""What p99 may be above the control's."""
VOID_MS = 5.0


# --- the control ----------------------------------------------------------------------------------


class Bare:
    """A timer on the grid that a match would have, with nothing to do."""

    def __init__(self, number: int, loop: asyncio.AbstractEventLoop) -> None:
        step = TICK_MS * MS
        start = now()
        self.grid = TickGrid(start + (phase(number, step) - start) % step, step)
        self.loop = loop
        self.late: list[tuple[int, int]] = []
        """When it was due, and how late it was (ns)."""
        self.wind()

    def wind(self) -> None:
        self.loop.call_later((self.grid.due - now()) / 1e9, self.ring)

    def ring(self) -> None:
        at, due = now(), self.grid.due
        if at >= due:
            self.late.append((due, at - due))
            self.grid.next(at)
        self.wind()


async def ringing(matches: int, pipe: Pipe) -> None:
    """The lateness within the window that the other end of the pipe names."""
    loop = asyncio.get_running_loop()
    timers = [Bare(number, loop) for number in range(1, matches + 1)]
    while (window := await loop.run_in_executor(None, pipe.recv)) is not None:
        begin, end = window
        pipe.send([late / MS for timer in timers for due, late in timer.late if begin <= due < end])


def ring(matches: int, pipe: Pipe) -> None:
    """The control's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    loops()(ringing(matches, pipe))


# --- processes ------------------------------------------------------------------------------------


@contextmanager
def beside(work: Callable[..., None], *args: Any) -> Iterator[Pipe]:
    """A process that does this work as long as the context lasts."""
    context = multiprocessing.get_context("spawn")
    ours, its = context.Pipe()
    process: BaseProcess = context.Process(target=work, args=(*args, its))
    process.start()
    its.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()


class ServerProcess:
    """A server in a process of its own, with a folder for its journals."""

    def __init__(self, folder: str) -> None:
        self.journals = Path(folder, "data", "matches")
        self.process, self.url = started(serve_command(folder), folder)
        self.rest = RestClient(self.url)
        self.seed = SEED

    def seated(self, matches: int) -> tuple[MatchSeats, list[tuple[str, str]]]:
        """Lobbies whose seats are all taken; and of each its id and a token."""
        plan, doors = [], []
        host, port = self.url.removeprefix("http://").split(":")
        for _ in range(matches):
            self.seed += 1
            lobby = self.rest.create("zooscape", seed=self.seed, config=CONFIG)["lobby"]
            tokens = [
                self.rest.join(lobby, "zooscape", f"seat {seat}")["token"] for seat in range(4)
            ]
            plan.append((host, int(port), tokens))
            doors.append((lobby, tokens[0]))
        return plan, doors

    def settled(self, match: str) -> None:
        """Wait until this match is over."""
        while self.rest.match(match)["state"] != "over":
            time.sleep(0.05)

    def marks(self) -> dict[Path, int]:
        """How long the journals are by now."""
        return {path: path.stat().st_size for path in self.journals.glob("*.journal.jsonl")}

    def cpu_s(self) -> float:
        """CPU time of the process so far, seconds; nan where the system does not report it."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return float("nan")
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


@contextmanager
def serving() -> Iterator[ServerProcess]:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(folder)
        try:
            yield server
        finally:
            server.rest.close()
            server.process.kill()  # its matches are not over, and their records are not needed
            server.process.wait()


LATE = re.compile(rb'^\{"k":"advance",.*"late":([0-9.]+)', re.MULTILINE)


def lateness(before: dict[Path, int], after: dict[Path, int]) -> list[float]:
    """The ticks' between two marks, ms."""
    late = []
    for path, begin in before.items():
        with path.open("rb") as file:
            file.seek(begin)
            late += [float(found) for found in LATE.findall(file.read(after[path] - begin))]
    return late


def summed_up(late: Sequence[float]) -> dict[str, float]:
    cut = statistics.quantiles(late, n=100, method="inclusive")
    return {"p50": round(cut[49], 2), "p99": round(cut[98], 2), "max": round(max(late), 2)}


# --- the measurements -----------------------------------------------------------------------------


def measured(matches: int, seconds: float) -> dict[str, Any]:
    """Measure this number of matches on one server."""
    with serving() as server:
        plan, _ = server.seated(matches)
        with beside(ring, matches) as control, beside(play, plan, [Walker] * 4) as bots:
            bots.recv()
            time.sleep(WARM_UP_S)
            begin, before, cpu = now(), server.marks(), server.cpu_s()
            time.sleep(seconds)
            end, after, cpu = now(), server.marks(), server.cpu_s() - cpu
            memory = server.memory_mb()
            late = lateness(before, after)
            control.send((begin, end))
            bare = control.recv()
    ours, its = summed_up(late), summed_up(bare)
    above = round(ours["p99"] - its["p99"], 2)
    return {
        "matches": matches,
        "ticks": len(late),
        "missed": max(0, round(matches * seconds * 1000 / TICK_MS) - len(late) - matches),
        "late_ms": ours,
        "control_ms": its,
        "above_ms": above,
        "loop_share": round(cpu / ((end - begin) / 1e9), 3),
        "us_per_tick": round(cpu / len(late) * 1e6),
        "memory_mb": round(memory),
        "goal_ms": GOALS_MS.get(matches),
        "void": its["p99"] > VOID_MS,
    }


def many(counts: Sequence[int], seconds: float) -> dict[str, Any]:
    print(
        f"{'matches':>7} {'ticks':>6} {'p50 ms':>7} {'p99 ms':>7} {'max ms':>7}   "
        f"{'control p99':>11} {'max':>6}   {'above':>6} "
        f"{'goal':>5} {'loop share':>11} {'µs a tick':>10}"
    )
    rows = []
    for matches in counts:
        row = measured(matches, seconds)
        rows.append(row)
        ours, its = row["late_ms"], row["control_ms"]
        print(
            f"{matches:>7} {row['ticks']:>6} {ours['p50']:>7.2f} {ours['p99']:>7.2f} "
            f"{ours['max']:>7.2f}   {its['p99']:>11.2f} "
            f"{its['max']:>6.2f}   {row['above_ms']:>6.2f} {row['goal_ms'] or '':>5} "
            f"{row['loop_share']:>11.0%} "
            f"{row['us_per_tick']:>10}{'   void' if row['void'] else ''}",
            flush=True,
        )
    return {"benchmark": "ticks", "seconds": seconds, "rows": rows}


def neighbours(matches: int, rounds: int, seconds: float) -> dict[str, Any]:
    """Quiet matches with and without a bad one beside them."""
    rows = []
    print(f"{matches} quiet matches: p99 ms alone and beside a bad match")
    with serving() as server:
        plan, _ = server.seated(matches)
        with beside(ring, matches) as control, beside(play, plan, [Walker] * 4) as bots:
            bots.recv()
            quiet = server.marks()
            time.sleep(WARM_UP_S)

            def window() -> dict[str, Any]:
                begin, before, cpu = (
                    now(),
                    {path: path.stat().st_size for path in quiet},
                    server.cpu_s(),
                )
                time.sleep(seconds)
                end, after, cpu = now(), server.marks(), server.cpu_s() - cpu
                control.send((begin, end))
                return {
                    "late_ms": summed_up(lateness(before, after)),
                    "control_p99": summed_up(control.recv())["p99"],
                    "loop_share": round(cpu / seconds, 3),
                    "memory_mb": round(server.memory_mb(), 1),
                }

            for number in range(rounds):
                alone = window()
                bad, ((lobby, token),) = server.seated(1)
                with beside(play, bad, [Walker, Deaf, Flood, Stubborn]) as strangers:
                    strangers.recv()
                    time.sleep(1)
                    with_bad = window()
                    strangers.send("stop")
                    connections = strangers.recv()
                server.rest.leave(lobby, token)
                server.settled(lobby)
                row = {
                    "alone": alone,
                    "with_bad": with_bad,
                    "connections": connections,
                    "difference_ms": round(with_bad["late_ms"]["p99"] - alone["late_ms"]["p99"], 2),
                    "void": max(alone["control_p99"], with_bad["control_p99"]) > VOID_MS,
                }
                rows.append(row)
                print(
                    f"round {number + 1}: {alone['late_ms']['p99']:.2f} and "
                    f"{with_bad['late_ms']['p99']:.2f}, "
                    f"difference {row['difference_ms']:.2f}; control {alone['control_p99']:.2f} "
                    "and "
                    f"{with_bad['control_p99']:.2f}; loop share {alone['loop_share']:.0%} and "
                    f"{with_bad['loop_share']:.0%}; "
                    f"memory {alone['memory_mb']:.0f} and {with_bad['memory_mb']:.0f} MB; "
                    f"{connections} connections of the flood"
                    f"{'   void' if row['void'] else ''}",
                    flush=True,
                )
    valid = [row["difference_ms"] for row in rows if not row["void"]]
    difference = statistics.median(valid) if valid else None
    print(f"median of {len(valid)} differences: {difference} ms")
    return {
        "benchmark": "neighbours",
        "matches": matches,
        "seconds": seconds,
        "difference_ms": difference,
        "rounds": rows,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--matches",
        help="how many at once, several with commas between (default 1,50,100,200; neighbours: 50)",
    )
    parser.add_argument(
        "--seconds", type=float, help="measured for each figure (default 20; neighbours: 6)"
    )
    parser.add_argument(
        "--neighbours",
        action="store_true",
        help="quiet matches with and without a bad one beside them",
    )
    parser.add_argument("--rounds", type=int, default=5, help="with and without a bad match")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    allow_sockets()
    pin(0, 1)
    if asked.neighbours:
        figures = neighbours(int(asked.matches or 50), asked.rounds, asked.seconds or 6.0)
    else:
        figures = many(
            [int(matches) for matches in (asked.matches or "1,50,100,200").split(",")],
            asked.seconds or 20.0,
        )
    figures |= {
        "cpus": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
    }
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
