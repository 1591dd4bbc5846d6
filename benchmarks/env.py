"""What a step of `botarena.env` costs beside the bare match, by game.

    python -m benchmarks.env [GAME ...] [--rounds 3] [--json-file FILE]

Seats that choose at random among their legal commands play the same seeds: on the match core, and
with the environments. Boards are made before the clock starts, except for what `BatchEnv` does in
its steps. Processor time of the process, rounds interleaved, the lowest of each. A step is one
answer of all awaited seats; µs per step of one match."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from botarena.env import ArrayEnv, BatchEnv, Env
from games import GAMES
from games.core.match import Match

CONFIGS: dict[str, dict[str, object]] = {
    "pyrat": {},
    "zooscape": {"max_ticks": 300, "seats": 2},
    "botstack": {},
    "catastrophe": {"max_turns": 20},
    "cookoff": {"total_turns": 20},
}
MATCHES = 64
"""Of a batch."""
STEPS = 300
"""Of a match, at most."""


def core(game: str, seed: int) -> tuple[float, int]:
    """The match core: legal commands, apply, advance."""
    match, chance, steps = Match.begin(GAMES[game], CONFIGS[game], seed), Random(seed), 0
    one_answer = match.game.end_turn is None
    begun = process_time()
    while match.outcome is None and steps < STEPS:
        turn = match.turn
        for seat in sorted(match.awaited):
            match.apply(seat, chance.choice(match.legal(seat) or [None]))
        steps += 1
        if match.outcome is None and match.turn == turn and (one_answer or not match.awaited):
            match.advance()
    return process_time() - begun, steps


def plain(game: str, seed: int) -> tuple[float, int]:
    """`Env`: the same, and a view for each awaited seat."""
    env, chance, steps = Env(game, config=CONFIGS[game]), Random(seed), 0
    env.reset(seed)
    begun = process_time()
    while not env.done and steps < STEPS:
        commands = {}
        for seat in env.awaited:
            env.observe(seat)
            commands[seat] = chance.choice(env.legal(seat))
        env.step(commands)
        steps += 1
    return process_time() - begun, steps


def arrays(game: str, seed: int) -> tuple[float, int]:
    """`ArrayEnv`: arrays and masks of each awaited seat."""
    env, chance, steps = ArrayEnv(game, config=CONFIGS[game]), np.random.default_rng(seed), 0
    env.reset(seed)
    begun = process_time()
    while not env.done and steps < STEPS:
        actions = {}
        for seat in env.awaited:
            env.arrays(seat)
            actions[seat] = int(chance.choice(np.flatnonzero(env.action_mask(seat))))
        env.act(actions)
        steps += 1
    return process_time() - begun, steps


def batch(game: str, seed: int) -> tuple[float, int]:
    """`BatchEnv` of 64 matches: arrays and masks of all seats; new boards are made in between."""
    env, chance, steps = BatchEnv(game, MATCHES, config=CONFIGS[game]), np.random.default_rng(1), 0
    seen = env.reset(MATCHES * seed)
    begun = process_time()
    while not seen.done.any() and steps < STEPS:
        likely = chance.random(seen.action_mask.shape, np.float32) * seen.action_mask
        seen = env.step(likely.argmax(axis=2))
        steps += 1
    return process_time() - begun, steps * MATCHES


ROWS: dict[str, Callable[[str, int], tuple[float, int]]] = {
    "match core": core,
    "Env": plain,
    "ArrayEnv": arrays,
    "BatchEnv": batch,
}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(CONFIGS)}")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args(words)
    figures: dict[str, dict[str, float]] = {}
    print(f"{'µs per step':<12}", *(f"{row:>12}" for row in ROWS))
    for game in asked.games or CONFIGS:
        lowest = dict.fromkeys(ROWS, float("inf"))
        for seed in range(1, asked.rounds + 1):
            for row, play in ROWS.items():
                spent, steps = play(game, seed)
                lowest[row] = min(lowest[row], spent / steps * 1e6)
        figures[game] = {row: round(value, 2) for row, value in lowest.items()}
        print(f"{game:<12}", *(f"{value:>12.1f}" for value in figures[game].values()), flush=True)
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
