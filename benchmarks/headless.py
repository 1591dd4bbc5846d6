"""How many steps of a game a CPU-second holds: in the match core, and on the board that bots search
with (`Scratch`), of every game.

    python -m benchmarks.headless [GAME ...] [--rounds 5] [--seconds 0.5] [--peer PYTHON]
                                  [--json-file FILE]

A step is a turn of PyRat, a tick of Zooscape, a command of Catastrophe or Cookoff, a decision of
BotStack. A match of each game is played before the clock starts, of random moves in PyRat and of
house bots in the others, and each row plays it again. Time is the process's own CPU time;
rounds are interleaved; medians are shown. `--peer` is a Python that has `pyrat-game` installed,
which plays random PyRat in its simulation mode; without it this Python is tried."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, TypeAlias

from benchmarks.engines import Noted, Step
from client_sdk.bot import house, play_headless
from games import GAMES
from games.botstack.scratch import Scratch as BotstackScratch
from games.catastrophe.scratch import Scratch as CatastropheScratch
from games.cookoff.scratch import Scratch as CookoffScratch
from games.core.contract import Json
from games.core.dice import Seeded
from games.core.match import Match
from games.pyrat.board import MOVES
from games.pyrat.scratch import Scratch as PyratScratch
from games.zooscape.scratch import Scratch as ZooscapeScratch
from games.zooscape.state import SKIP

SEED = 1
MIDDLE = 800
"""The tick of Zooscape from which it is played again: four zookeepers are there."""

MATCHES: dict[str, tuple[dict[str, Json], tuple[str, ...]]] = {
    "pyrat": ({"preset": "medium", "mud_range": 9}, ()),
    "zooscape": ({"max_ticks": MIDDLE + 400}, ("greedy", "wary", "forager", "hunter")),
    "catastrophe": ({}, ("greedy", "gatherers")),
    "cookoff": ({}, ("greedy", "ready")),
    "botstack": ({}, ("greedy", "odds")),
}
"""The configuration of each game's match, and its bots; none: random moves."""

PEER_NAME = "pyrat-game, simulation mode"
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


@dataclass(frozen=True, slots=True)
class Sample:
    """A match, or the end of one: its first state, what is asked of it, and the same as moves for a
    board."""

    game: str
    rules: Any
    start: Any
    steps: Sequence[Step]
    moves: Sequence[tuple[Any, ...]]

    def again(self) -> Match:
        """The match, in its first state."""
        return Match(GAMES[self.game], self.rules, self.start, Seeded(SEED))


def sample_of(name: str) -> Sample:
    """The match of a game, played once."""
    config, bots = MATCHES[name]
    match = Noted.begin(GAMES[name], config, SEED)
    assert isinstance(match, Noted)
    match.steps = []
    if bots:
        play_headless(match, [house(name, bot) for bot in bots])
    else:
        chance = Random(SEED)
        while match.outcome is None:
            for seat in range(match.seats):
                match.apply(seat, chance.choice(MOVES))
            match.advance()
    steps = [step for step in match.steps if step[0] != "view"]
    start = Match.begin(GAMES[name], config, SEED)
    while name == "zooscape" and start.turn < MIDDLE:
        asked(start, steps.pop(0))
    return Sample(name, match.rules, start.state, steps, [*moves_of(match, steps)])


def asked(match: Match, step: Step) -> None:
    """Ask a match what it was asked before."""
    what, seat, raw = step
    if what == "advance":
        match.advance()
    else:
        match.apply(seat, raw)


def moves_of(match: Match, steps: Sequence[Step]) -> Iterator[tuple[Any, ...]]:
    """The moves that a board is to make. Where all seats move at once, they do when time passes."""
    at_once = match.game.name in ("pyrat", "zooscape")
    together: dict[int, Any] = {}
    for what, seat, raw in steps:
        if what == "apply":
            together[seat] = move_of(match, raw)
            if not at_once:
                yield (together[seat],)
        elif at_once:
            yield tuple(together.get(seat, SKIP) for seat in range(match.seats))
            together.clear()


def move_of(match: Match, raw: Json) -> Any:
    """A command as a board takes it."""
    if match.game.name != "botstack":
        return match.game.parse(raw)
    if raw["type"] == "shoot":
        return ("self", "opponent").index(raw["target"])
    return int(raw["slot"] if raw["type"] == "item" else raw["value"])


def core(sample: Sample) -> None:
    """The referee, without a journal."""
    match = sample.again()
    for step in sample.steps:
        asked(match, step)


def core_and_views(sample: Sample) -> None:
    """The referee, and every seat looks before each step."""
    match, parts = sample.again(), len(sample.steps) // len(sample.moves)
    for index, step in enumerate(sample.steps):
        if index % parts == 0:
            for seat in range(match.seats):
                match.view(seat)
        asked(match, step)


def make(board: Any, sample: Sample) -> None:
    """The match on a board; whether it is over is asked after every step."""
    for moves in sample.moves:
        board.make(*moves)
        if board.over:
            break


def search(board: Any, sample: Sample) -> None:
    """The same as a search plays it: make, unmake, make."""
    for moves in sample.moves:
        board.unmake(board.make(*moves))
        board.make(*moves)


BOARDS: dict[str, Callable[[Any], Any]] = {
    "pyrat": PyratScratch.of,
    "zooscape": ZooscapeScratch.of,
    "catastrophe": CatastropheScratch.of,
    "cookoff": CookoffScratch.of,
    "botstack": lambda state: BotstackScratch.of(state, Seeded(SEED)),
}

Row: TypeAlias = tuple[Callable[[Sample], None], int]
"""What is timed, and how often it plays each step."""


def rows(game: str) -> dict[str, Row]:
    """What is measured of a game."""
    of = BOARDS[game]
    measured: dict[str, Row] = {
        "match core": (core, 1),
        "Scratch, make": (lambda sample: make(of(sample.start), sample), 1),
        "Scratch, make and unmake": (lambda sample: search(of(sample.start), sample), 2),
    }
    if game == "zooscape":
        dice = Seeded(SEED)
        with_dice: Row = (lambda sample: make(ZooscapeScratch.of(sample.start, dice), sample), 1)
        measured["Scratch with dice, make"] = with_dice
    if game == "pyrat":
        measured["match core, two views a turn"] = (core_and_views, 1)
    return measured


def per_second(row: Row, sample: Sample, seconds: float) -> float:
    """Steps per CPU-second, over at least this many."""
    play, times = row
    steps, begun = 0, process_time()
    while process_time() - begun < seconds:
        play(sample)
        steps += times * len(sample.moves)
    return steps / (process_time() - begun)


def peer_per_second(python: str, seconds: float) -> float | None:
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
    parser.add_argument("games", nargs="*", help="by default all")
    parser.add_argument("--peer", default=sys.executable, help="a Python with pyrat-game installed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU time per figure and round")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    options = parser.parse_args()
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for game in options.games or MATCHES:
        sample, found = sample_of(game), dict[str, list[float]]()
        for _ in range(options.rounds):
            peer = peer_per_second(options.peer, options.seconds) if game == "pyrat" else None
            if peer is not None:
                found.setdefault(PEER_NAME, []).append(peer)
            for name, row in rows(game).items():
                found.setdefault(name, []).append(per_second(row, sample, options.seconds))
        base = median(found["match core"])
        figures[game] = {
            name: {
                "steps_per_cpu_second": round(median(values)),
                "lowest": round(min(values)),
                "highest": round(max(values)),
                "beside_the_match_core": round(median(values) / base, 2),
            }
            for name, values in found.items()
        }
        print(f"{game}: steps per CPU-second, median of {options.rounds} (lowest to highest)")
        for name, figure in figures[game].items():
            spread = f"({figure['lowest']:,} to {figure['highest']:,})"
            print(
                f"  {name:<30} {figure['steps_per_cpu_second']:>10,}  {spread:<26} "
                f"{figure['beside_the_match_core']:>8}x"
            )
        if game == "pyrat" and PEER_NAME not in found:
            print("  pyrat-game is not installed in that Python, so there is no peer")
    print(json.dumps(figures))
    if options.json_file is not None:
        options.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
