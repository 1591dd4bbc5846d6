"""How many PyRat turns a CPU-second holds, beside the `pyrat-game` package (its simulation mode),
in one run.

    python benchmarks/headless.py [--peer PYTHON] [--rounds 5] [--seconds 1.0] [--json FILE]

Both sides play random moves on 21x15 boards with 41 cheeses, mud of 2 to 9 turns and at most 300
turns, and pay for choosing them. Boards are made before the clock starts. Time is the process's own
CPU time; rounds are interleaved; medians are shown. `--peer` is a Python that has `pyrat-game`
installed; without it this Python is tried."""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from games.core.dice import Seeded  # noqa: E402
from games.core.match import Match  # noqa: E402
from games.pyrat import GAME  # noqa: E402
from games.pyrat.board import MOVES  # noqa: E402
from games.pyrat.scratch import Scratch  # noqa: E402

CONFIG = {"preset": "medium", "mud_range": 9}
CODES = range(len(MOVES))
STEP = 300
"""Moves chosen at once: a match's longest."""

PEER = """
import random, sys
from time import process_time
from pyrat import Action, Game, GameMode, Player

class Anyhow(Player):
    def turn(self, maze, game_state):
        return random.choice(list(Action))

turns, spent, seed = 0, 0.0, 0
while spent < float(sys.argv[1]):
    seed += 1
    game = Game(random_seed=seed, maze_width=21, maze_height=15, nb_cheese=41,
                cell_percentage=100.0, mud_range=(2, 9), game_mode=GameMode.SIMULATION)
    for name in ("rat", "python"):
        game.add_player(Anyhow(name), team=name)
    begun = process_time()
    turns += game.start()["turns"]
    spent += process_time() - begun
print(turns, spent)
"""


class FreshMatches:
    """Fresh matches on one board, made outside the clock."""

    def __init__(self) -> None:
        self.match = Match.begin(GAME, CONFIG, seed=1)

    def again(self) -> Match:
        return Match(GAME, self.match.rules, self.match.state, Seeded(1))


def scratch(board: FreshMatches) -> int:
    """A match on the mutable board, made and not taken back."""
    play = Scratch.of(board.match.state)
    make = play.make
    turns = 0
    for rat, python in zip(
        random.choices(CODES, k=STEP), random.choices(CODES, k=STEP), strict=True
    ):
        make(rat, python)
        turns += 1
        if play.ending is not None:
            break
    return turns


def search(board: FreshMatches) -> int:
    """The same board as a search uses it: make, unmake, make."""
    play = Scratch.of(board.match.state)
    make, unmake = play.make, play.unmake
    for rat, python in zip(
        random.choices(CODES, k=STEP), random.choices(CODES, k=STEP), strict=True
    ):
        unmake(make(python, rat))
        make(rat, python)
    return 2 * STEP


def core(board: FreshMatches) -> int:
    """The referee: apply, apply, advance; no journal."""
    match = board.again()
    for rat, python in zip(
        random.choices(MOVES, k=STEP), random.choices(MOVES, k=STEP), strict=True
    ):
        match.apply(0, rat)
        match.apply(1, python)
        match.advance()
        if match.outcome is not None:
            break
    return match.turn


def core_and_views(board: FreshMatches) -> int:
    """The referee, and both seats look every turn."""
    match = board.again()
    for rat, python in zip(
        random.choices(MOVES, k=STEP), random.choices(MOVES, k=STEP), strict=True
    ):
        match.view(0)
        match.view(1)
        match.apply(0, rat)
        match.apply(1, python)
        match.advance()
        if match.outcome is not None:
            break
    return match.turn


OURS: dict[str, Callable[[FreshMatches], int]] = {
    "Scratch, make": scratch,
    "Scratch, make and unmake": search,
    "Match core": core,
    "Match core, two views a turn": core_and_views,
}
PEER_NAME = "pyrat-game, simulation mode"


def measured(play: Callable[[FreshMatches], int], board: FreshMatches, seconds: float) -> float:
    """Turns per CPU-second, over at least this many."""
    turns, begun = 0, process_time()
    while process_time() - begun < seconds:
        turns += play(board)
    return turns / (process_time() - begun)


def peer_measured(python: str, seconds: float) -> float | None:
    """The package's turns per CPU-second; None where it is not installed."""
    done = subprocess.run(
        [python, "-c", PEER, str(seconds)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return None
    turns, spent = done.stdout.split()[-2:]
    return int(turns) / float(spent)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer", default=sys.executable, help="a Python with pyrat-game installed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time per figure and round")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    random.seed(1)
    board = FreshMatches()
    rounds: dict[str, list[float]] = {}
    for _ in range(asked.rounds):
        peer = peer_measured(asked.peer, asked.seconds)
        if peer is not None:
            rounds.setdefault(PEER_NAME, []).append(peer)
        for name, play in OURS.items():
            rounds.setdefault(name, []).append(measured(play, board, asked.seconds))
    base = median(rounds[PEER_NAME]) if PEER_NAME in rounds else None
    figures = {
        name: {
            "turns_per_cpu_second": round(median(values)),
            "lowest": round(min(values)),
            "highest": round(max(values)),
            "ratio": None if base is None else round(median(values) / base, 1),
        }
        for name, values in rounds.items()
    }
    print(
        f"turns per CPU-second, median of {asked.rounds} rounds (lowest to highest); beside "
        f"{PEER_NAME}"
    )
    for name, figure in figures.items():
        ratio = "" if figure["ratio"] is None else f"{figure['ratio']:>8}x"
        print(
            f"{name:<30} {figure['turns_per_cpu_second']:>10,}  ({figure['lowest']:,} to "
            f"{figure['highest']:,}){ratio}"
        )
    if base is None:
        print("pyrat-game is not installed in that Python, so there is no ratio")
    print(json.dumps(figures))
    if asked.json is not None:
        asked.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
