"""python -m tests.games.histories SEED … : the histories of random matches as JSON, for comparing
processes."""

from __future__ import annotations

import json
import sys

from tests.games.checks import history
from tests.games.entries import ENTRIES, Entry
from tests.games.faulty import FAULTY


def histories(seeds: list[int]) -> dict[str, list[list[str]]]:
    known: dict[str, Entry] = {**ENTRIES, "ordered_by_a_set": FAULTY["ordered_by_a_set"]}
    return {name: [history(entry, seed) for seed in seeds] for name, entry in known.items()}


if __name__ == "__main__":
    print(json.dumps(histories([int(seed) for seed in sys.argv[1:]])))
