"""The text of a state, which its hash is taken of: that of its fields, whatever is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from client_sdk.bot import house, play_headless
from games import GAMES
from games.core.match import Match
from tests.games.checks import random_play
from tests.games.entries import ENTRIES


def catastrophe(state: Any) -> str:
    tables = [
        {key: tuple(part) for key, part in table.items()}
        for table in (state.units, state.structures, state.tiles)
    ]
    return (
        f"State({state[1:7]!r}, units={tables[0]!r}, structures={tables[1]!r}, "
        f"tiles={sorted(tables[2].items())!r}, {state[13:15]!r})"
    )


def cookoff(state: Any) -> str:
    touched = tuple(
        [(cell, tile) for cell, tile in enumerate(kitchen) if tile != state.plan.pristine[cell]]
        for kitchen in state.kitchens
    )
    return f"State{(state.money, state.bots, touched, *state[5:])!r}"


def zooscape(state: Any) -> str:
    animals = tuple(Dataclass(animal) for animal in state.animals)
    return f"State{(state.tick, state.cells, animals, *state[5:13])!r}"


class Dataclass:
    """Has the text that a dataclass has by default."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        named = [
            f"{field.name}={getattr(self.value, field.name)!r}" for field in fields(self.value)
        ]
        return f"{type(self.value).__name__}({', '.join(named)})"


PLAIN: dict[str, tuple[Callable[[Any], str], tuple[str, ...]]] = {
    "catastrophe": (catastrophe, ("greedy", "gatherers")),
    "cookoff": (cookoff, ("greedy", "ready")),
    "zooscape": (zooscape, ("greedy", "hunter", "wanderer", "forager")),
}
"""By game: the text by its definition, and the bots of a match."""


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_the_text_of_a_state_is_that_of_its_fields(name: str) -> None:
    plain, bots = PLAIN[name]
    match, states = Match.begin(GAMES[name], GAMES[name].short, 5), []

    play_headless(
        match,
        [house(name, bot) for bot in bots],
        shown=lambda match: states.append((match.state, repr(match.state))),
    )
    for config in ENTRIES[name].configs:
        chance = Random(7)
        states += [
            (shown.state, repr(shown.state))
            for shown in random_play(ENTRIES[name], Match.begin(GAMES[name], config, 7), chance, 40)
        ]

    assert len({text for _, text in states}) > 60
    for state, text in reversed(states):
        assert text == plain(state) == repr(state)
