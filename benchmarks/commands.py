"""What a command of Catastrophe costs without sockets, by kind, and who spends a match's time: the
engine or the bots.

`greedy` and `gatherers` play whole matches with the journal on. A command is timed around
`Match.apply`: judged, carried out, its changes returned, its line written. What is left of a match
is the bots and their mirrors. Prints a table and one line of JSON.

    python -m benchmarks.commands [--matches 5] [--json-file FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import defaultdict
from pathlib import Path
from time import process_time, process_time_ns
from typing import Any

from client_sdk.bot import house, play_headless
from games import GAMES
from games.core.contract import Reply
from games.core.journal import Journal
from games.core.match import Match

GAME = "catastrophe"
BOTS = ("greedy", "gatherers")


class Timed(Match):
    """A match that knows what its commands took: ns by kind."""

    __slots__ = ("took",)

    def apply(self, seat: int, raw: Any, stamps: Any = None) -> Reply:
        begun = process_time_ns()
        reply = super().apply(seat, raw, stamps)
        self.took[raw["cmd"]].append(process_time_ns() - begun)
        return reply


def played(seed: int, took: dict[str, list[int]]) -> tuple[float, float]:
    """One match; CPU seconds of all of it and of its commands."""
    match = Timed.begin(GAMES[GAME], {}, seed)
    assert isinstance(match, Timed)
    match.took = defaultdict(list)
    match.journal = Journal(len)
    begun = process_time()
    play_headless(match, [house(GAME, name) for name in BOTS])
    whole = process_time() - begun
    for kind, times in match.took.items():
        took[kind] += times
    return whole, sum(map(sum, match.took.values())) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=5)
    parser.add_argument("--json-file", type=Path)
    asked = parser.parse_args()
    took: dict[str, list[int]] = defaultdict(list)
    wholes, engines = zip(*(played(seed, took) for seed in range(asked.matches)), strict=True)
    print(f"{'command':<14}{'times':>8}{'mean µs':>10}{'median µs':>12}")
    kinds = {kind: statistics.fmean(times) / 1000 for kind, times in sorted(took.items())}
    for kind, mean in kinds.items():
        median = statistics.median(took[kind]) / 1000
        print(f"{kind:<14}{len(took[kind]):>8}{mean:>10.1f}{median:>12.1f}")
    every = statistics.fmean([time for times in took.values() for time in times]) / 1000
    whole, engine = statistics.median(wholes), statistics.median(engines)
    shares = f"a match: {whole:.2f} s of CPU, {engine:.2f} s for commands, the rest for bots"
    print(f"all commands, mean: {every:.1f} µs; {shares}")
    found = {
        "benchmark": "commands",
        "mean_us": every,
        "kinds_us": kinds,
        "match_cpu_s": whole,
        "commands_cpu_s": engine,
    }
    line = json.dumps(found)
    print(line)
    if asked.json_file is not None:
        asked.json_file.write_text(line + "\n")


if __name__ == "__main__":
    main()
