"""Load on `botarena serve`, beside servers that do the same turns and nothing else.

    python -m benchmarks.load turns [--game pyrat,…|all] [--matches 1,10,100,500] [--rounds 3]
                                    [--once maze] [--twins websockets,asgi,node,workers]
                                    [--config JSON]
    python -m benchmarks.load viewers|idle [--count 2000] [--rounds 3]
    python -m benchmarks.load start [--rounds 7]
    python -m benchmarks.load quick
                                    each with [--json-file FILE] [--markdown FILE]

Servers have one core and the generator the other. Ratios of processor time hold on a machine that
has other work to do; turns per second and turn times do not."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.load import crowds, start
from benchmarks.load.servers import pin
from benchmarks.load.turns import CONFIGS, absent, compare, summary, table
from benchmarks.seats import SEED
from client_sdk.load.target import Load
from client_sdk.load.worker import allow_sockets

TWINS = ("websockets", "asgi", "node")


def note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def present(kinds: Sequence[str]) -> list[str]:
    """The twins that can be measured here; why the others cannot is printed."""
    for kind in kinds:
        if why := absent(kind):
            note(f"the twin {kind} is left out: {why}")
    return [kind for kind in kinds if absent(kind) is None]


def turns(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    kinds = present(asked.twins.split(","))
    games = list(CONFIGS) if asked.game == "all" else asked.game.split(",")
    hello = {"once": asked.once.split(",")} if asked.once else {}
    rows = []
    for game in games:
        load = Load(game, asked.config or CONFIGS[game], seed=SEED, hello=hello)
        counts = [int(count) for count in asked.matches.split(",")]
        rows += compare(load, counts, asked.rounds, kinds, note)
    lines = summary(rows)
    return table(lines), {"summary": lines, "rows": rows}


def viewers(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    rows = crowds.viewers(asked.count, asked.rounds, note)
    return crowds.viewers_table(rows, asked.count), {"rows": rows}


def idle(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    found = crowds.idle(asked.count, asked.rounds, note)
    return crowds.idle_table(found, asked.count), {"kb": found}


def starts(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    found = start.starts(asked.rounds, note)
    return start.starts_table(found), {"cpu_s": found}


def quick(asked: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """All of it, small."""
    asked.rounds, asked.matches, asked.count = 1, "1,10,50", 300
    asked.game, asked.config = "pyrat", {"max_turns": 50}
    parts = {"turns": turns(asked), "viewers": viewers(asked), "idle": idle(asked)}
    parts["start"] = starts(asked)
    text = "\n\n".join(text for text, _ in parts.values())
    return text, {name: figures for name, (_, figures) in parts.items()}


WHAT = {"turns": turns, "viewers": viewers, "idle": idle, "start": starts, "quick": quick}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", default="turns", choices=WHAT)
    parser.add_argument("--game", default="pyrat")
    parser.add_argument("--config", type=json.loads)
    parser.add_argument("--matches", default="1,10,100,500")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=2000, help="viewers, or idle connections")
    parser.add_argument("--once", default="", help="fields of the view in the start message only")
    parser.add_argument("--twins", default=",".join(TWINS))
    parser.add_argument("--json-file", type=Path, help="write the figures there too")
    parser.add_argument("--markdown", type=Path, help="write the table there too")
    asked = parser.parse_args()
    allow_sockets()
    pin(0, 1)
    text, figures = WHAT[asked.what](asked)
    figures |= {
        "benchmark": f"load {asked.what}",
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("websockets", "uvicorn", "uvloop")},
        "cpus": os.cpu_count(),
        "load": os.getloadavg(),
    }
    print(text)
    if asked.json_file:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if asked.markdown:
        asked.markdown.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
