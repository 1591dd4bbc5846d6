"""Short words for moments of a match and what is done in them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.core.contract import Json, Seat
from games.core.dice import Seeded
from games.core.match import Match
from games.pyrat import GAME
from games.pyrat.board import MOVES, Cell, Mud, Wall
from games.pyrat.state import DEEDS, SEATS, State, body

DICE = Seeded(0)

ODD_CONFIGS: tuple[dict[str, Json], ...] = (
    {"preset": "tiny"},
    {"preset": "asymmetric", "width": 9, "height": 8, "cheese_count": 9},
    {"width": 2, "height": 2, "cheese_count": 2},
    {"width": 2, "height": 9, "cheese_count": 18, "wall_density": 1},
    {"width": 9, "height": 2, "cheese_count": 4, "mud_density": 1, "mud_min": 5, "mud_range": 5},
    {"width": 5, "height": 5, "cheese_count": 25, "start_positions": "random"},
    {
        "width": 7,
        "height": 6,
        "cheese_count": 10,
        "start_positions": "random_symmetric",
        "wall_density": 0.95,
    },
    {"width": 7, "height": 7, "cheese_count": 48, "connected": False, "wall_density": 0.9},
    {
        "width": 6,
        "height": 5,
        "cheese_count": 11,
        "cheese_symmetric": False,
        "mud_density": 0.5,
        "mud_range": 255,
    },
    {"width": 5, "height": 3, "cheese_count": 5, "rat_start": [1, 1], "python_start": [1, 1]},
    {"width": 5, "height": 3, "cheese_count": 15, "rat_start": [2, 1], "python_start": [0, 0]},
    {"preset": "swamp", "mud_timing": "plus_one"},
)


def table(
    *rows: str,
    mud: tuple[Mud, ...] = (),
    walls: tuple[Wall, ...] = (),
    cheese: tuple[Cell, ...] | None = None,
    **config: Json,
) -> State:
    """A first state drawn in rows from the top: R and P the players (B both), * cheese, .
    nothing."""
    height, width = len(rows), len(rows[0])
    marks = {(x, height - 1 - y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    where = {mark: list(cell) for cell, mark in marks.items()}
    drawn = {
        "width": width,
        "height": height,
        "rat_start": where.get("R", where.get("B")),
        "python_start": where.get("P", where.get("B")),
        "cheese": [list(cell) for cell, mark in marks.items() if mark == "*"]
        if cheese is None
        else cheese,
        "walls": walls,
        "mud": mud,
        "connected": False,
    }
    state: State = Match.begin(GAME, drawn | config, 1).state
    return state


def turn(state: State, rat: str | None = None, python: str | None = None) -> State:
    """Play one turn the way the server does."""
    for seat, move in enumerate((rat, python)):
        if move is not None:
            state, reply = GAME.apply(state, seat, GAME.parse(move), DICE)
            assert reply.ok
    return GAME.advance(state, DICE)


def turns(state: State, *moves: tuple[str | None, str | None]) -> State:
    for rat, python in moves:
        state = turn(state, rat, python)
    return state


def at(state: State, seat: Seat) -> Cell:
    x, y = state.maze.xy(body(state.now, seat).cell)
    return x, y


def scores(state: State) -> tuple[float, float]:
    rat, python = (body(state.now, seat).half_points / 2 for seat in SEATS)
    return rat, python


def mud_turns(state: State, seat: Seat) -> int:
    return body(state.now, seat).mud


def deed(state: State, seat: Seat) -> str | None:
    return DEEDS[body(state.now, seat).deed]


def left(state: State) -> int:
    """Cheeses left."""
    return sum(state.now[-1])


def random_states(config: dict[str, Json], seed: int) -> Iterator[State]:
    """A match of random commands, also missing ones, to its end: every state on the way."""
    chance = Random(seed)
    match = Match.begin(GAME, config, seed)
    yield match.state
    while match.outcome is None:
        for seat in SEATS:
            match.apply(seat, chance.choice((*MOVES, None)))
            yield match.state
        match.advance()
        yield match.state


def ended(state: State) -> Any:
    """The outcome, which must be there."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome
