"""Matches of `botarena.env` between seats that choose at random, and what each has answered."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from botarena.env import Env
from games.core.contract import Json
from games.core.journal import lines

SMALL: Mapping[str, Mapping[str, Any]] = {
    "botstack": {"decision_timeout_ms": 60_000},
    "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 16, "time_bank_s": 600},
    "cookoff": {"total_turns": 6, "turn_time_ms": 60_000},
    "pyrat": {"preset": "tiny", "max_turns": 40, "move_timeout_ms": 60_000},
    "zooscape": {"map_size": 9, "max_ticks": 25, "seats": 2, "tick_ms": 0},
}
"""Short matches, with so much time that no bot is ever late."""

Answers = list[list[list[Json]]]
"""By seat: the commands of each turn for which it was awaited."""


def random_episode(game: str, seed: int, config: Mapping[str, Any]) -> tuple[Env, Answers]:
    """A recorded match to its end."""
    env, chance = Env(game, config=config, record=True), Random(seed)
    env.reset(seed)
    answers: Answers = [[] for _ in range(env.seats)]
    open_turn: list[int | None] = [None] * env.seats
    while not env.done:
        turn = env.match.turn
        commands = {seat: chance.choice(env.legal(seat)) for seat in env.awaited}
        for seat, command in commands.items():
            if open_turn[seat] != turn:
                answers[seat].append([])
            open_turn[seat] = turn
            answers[seat][-1].append(command)
        step = env.step(commands)
        assert all(reply.ok for replies in step.replies.values() for reply in replies)
    return env, answers


class Scripted:
    """A seat of `games.core.play` with these answers."""

    def __init__(self, answers: list[list[Json]]) -> None:
        self._answers = iter(answers)

    def decide(self, view: Json) -> list[Json]:
        return next(self._answers)

    def on_results(self, results: object) -> None:
        pass


def history(journal: str) -> list[Json]:
    """Each command with its result, each turn with its hash, and the end with its own."""
    wanted = {"command": ("n", "s", "c", "r"), "turn": ("n", "h"), "end": ("outcome", "h")}
    return [
        [line.fields.get(key) for key in wanted[line.fields["k"]]]
        for line in lines(journal)
        if line.fields["k"] in wanted
    ]


def hashes(journal: str) -> list[str]:
    """Of each turn, and of the end."""
    return [line[-1] for line in history(journal) if len(line) == 2]
