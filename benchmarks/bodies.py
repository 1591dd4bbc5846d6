"""How late the ticks of realtime matches come while strangers post large bodies.

    python -m benchmarks.bodies [--matches 20] [--bodies 50] [--seconds 6] [--json-file FILE]

The matches, their bots, the control and lateness are those of `benchmarks.ticks`. They are measured
alone, and then, for each kind of body, while another process posts that many of them to /lobbies
at once, from four addresses, and each again a second after its answer until the time is over.

    too long    1.8 MB of unknown parameters, which no route takes
    unknown     as many unknown parameters as are taken
    mud         a board's mud, too much of it
    map         the text of a map that is none
    legal       a legal board with all its mud, filled up with blanks
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Mapping
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.load.servers import pin
from benchmarks.seats import Walker, now, play
from benchmarks.ticks import (
    VOID_MS,
    WARM_UP_S,
    ServerProcess,
    beside,
    lateness,
    ring,
    serving,
    summed_up,
)
from client_sdk.load.worker import allow_sockets

ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5")
PAUSE_S = 1.0
"""Pause between an answer and the next body."""
GOAL_MS = 5.0
"""What p99 may be later than alone."""
LONGEST = 1 << 20
TOO_LONG = 1_800_000
SIDE = 64


def body(options: Mapping[str, Any]) -> bytes:
    return json.dumps(options).encode()


def bodies() -> dict[str, bytes]:
    """One of each kind."""
    unknown = {f"unknown parameter {number:07}": 0 for number in range(TOO_LONG // 32)}
    fewer = dict(list(unknown.items())[: LONGEST // 34])
    mud = [[[x, y], [x + 1, y], 9] for y in range(SIDE) for x in range(SIDE - 1)]
    legal = {"width": SIDE, "height": SIDE, "cheese_count": 40, "mud": mud}
    return {
        "too long": body({"game": "pyrat", "config": unknown}),
        "unknown": body({"game": "pyrat", "config": fewer}),
        "mud": body({"game": "pyrat", "config": legal | {"mud": mud * 9}}),
        "map": body({"game": "pyrat", "map_text": "1 " * (LONGEST // 2 - 100)}),
        "legal": body({"game": "pyrat", "config": legal}).ljust(LONGEST),
    }


def post(url: str, kind: str, at_once: int, pipe: Pipe) -> None:
    """The strangers' process: posts until the other end of the pipe says stop; then how often each
    status came."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(19)  # it takes what is left of a core, and not the control's time
    text = bodies()[kind]
    over = threading.Event()
    statuses: Counter[str] = Counter()
    server = urlsplit(url)

    def stranger(address: str) -> None:
        while not over.is_set():
            client = http.client.HTTPConnection(
                server.hostname or "", server.port, timeout=60, source_address=(address, 0)
            )
            try:
                client.request(
                    "POST", "/api/v1/lobbies", text, {"Content-Type": "application/json"}
                )
                statuses[str(client.getresponse().status)] += 1
            except OSError:
                statuses["closed"] += 1
            finally:
                client.close()
            over.wait(PAUSE_S)

    threads = [
        threading.Thread(target=stranger, args=(ADDRESSES[number % len(ADDRESSES)],))
        for number in range(at_once)
    ]
    for thread in threads:
        thread.start()
    pipe.send("posting")
    pipe.recv()
    over.set()
    for thread in threads:
        thread.join()
    pipe.send(dict(statuses))


def window(
    server: ServerProcess, control: Pipe, quiet: list[Path], seconds: float
) -> dict[str, Any]:
    begin, before = now(), {path: path.stat().st_size for path in quiet}
    time.sleep(seconds)
    end, after = now(), server.marks()
    control.send((begin, end))
    return {
        "late_ms": summed_up(lateness(before, after)),
        "control_p99": summed_up(control.recv())["p99"],
        "memory_mb": round(server.memory_mb(), 1),
    }


def measured(matches: int, at_once: int, seconds: float) -> dict[str, Any]:
    rows = {}
    print(f"{matches} matches, {at_once} bodies at once from {len(ADDRESSES)} addresses")
    with serving() as server:
        plan, _ = server.seated(matches)
        with beside(ring, matches) as control, beside(play, plan, [Walker] * 4) as bots:
            bots.recv()
            quiet = list(server.marks())
            time.sleep(WARM_UP_S)
            alone = window(server, control, quiet, seconds)
            print(
                f"alone: p99 {alone['late_ms']['p99']:.2f} ms, {alone['memory_mb']:.0f} MB",
                flush=True,
            )
            for kind in bodies():
                with beside(post, server.url, kind, at_once) as strangers:
                    strangers.recv()
                    row = window(server, control, quiet, seconds)
                    strangers.send("stop")
                    row["statuses"] = strangers.recv()
                row["difference_ms"] = round(row["late_ms"]["p99"] - alone["late_ms"]["p99"], 2)
                row["void"] = max(alone["control_p99"], row["control_p99"]) > VOID_MS
                rows[kind] = row
                print(
                    f"{kind}: p99 {row['late_ms']['p99']:.2f} ms, difference "
                    f"{row['difference_ms']:.2f} "
                    f"(goal {GOAL_MS}), max {row['late_ms']['max']:.2f}; control "
                    f"{row['control_p99']:.2f}; "
                    f"{row['memory_mb']:.0f} MB; answers "
                    f"{row['statuses']}{'   void' if row['void'] else ''}",
                    flush=True,
                )
    return {
        "benchmark": "bodies",
        "matches": matches,
        "seconds": seconds,
        "alone": alone,
        "with": rows,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=20, help="Zooscape matches at once")
    parser.add_argument("--bodies", type=int, default=50, help="bodies at once")
    parser.add_argument("--seconds", type=float, default=6.0, help="measured for each figure")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    allow_sockets()
    pin(0, 1)
    figures = measured(asked.matches, asked.bodies, asked.seconds)
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
