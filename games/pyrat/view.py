"""Who may see what: everything but the moves of the open turn (RULES §7)."""

from __future__ import annotations

from typing import Final

from games.core.contract import Json, Seat, Viewer
from games.pyrat.board import DELTAS, MOVES
from games.pyrat.outcome import ending
from games.pyrat.state import (
    DEEDS,
    NOWHERE,
    PYTHON_CELL,
    PYTHON_MUD,
    RAT,
    RAT_CELL,
    RAT_MUD,
    ROLES,
    State,
)

_EXITS: Final = [
    [MOVES[move] for move in range(len(DELTAS)) if exits >> move & 1]
    for exits in range(1 << len(DELTAS))
]
"""Names of directions, by `Maze.exits`."""


def view(state: State, viewer: Viewer) -> Json:
    """The position and what the last turn did. `maze` is read-only (`Maze.shown`); all other lists
    belong to the reader."""
    seen = read_only_view(state, viewer)
    seen["cheese"] = [*map(list.copy, seen["cheese"])]
    seen["maze"] = state.maze.shown(viewer)
    return seen


def read_only_view(state: State, viewer: Viewer) -> dict[str, Json]:
    """The same, but all views of the same cheese share its list: copying it would take a third of
    the time. Mazes of one size share their cells and walls (`Maze.read_only_shown`)."""
    maze, now, _, _, taken, silent = state
    (
        turn,
        rat,
        rat_mud,
        rat_from,
        rat_half_points,
        rat_misses,
        rat_move,
        rat_deed,
        python,
        python_mud,
        python_from,
        python_half_points,
        python_misses,
        python_move,
        python_deed,
        cheese,
    ) = now
    corners = maze.corners
    must_act, moves = (False, []) if viewer is None else _open(state, viewer)
    return {
        "turn": turn,
        "max_turns": maze.max_turns,
        "you": None if viewer is None else ROLES[viewer],
        "must_act": must_act,
        "moves": moves,
        "rat": {
            "position": [*corners[rat]],
            "mud_turns": rat_mud,
            "mud_from": None if rat_from == NOWHERE else [*corners[rat_from]],
            "score": rat_half_points / 2,
            "misses": rat_misses,
            "last_move": MOVES[rat_move],
        },
        "python": {
            "position": [*corners[python]],
            "mud_turns": python_mud,
            "mud_from": None if python_from == NOWHERE else [*corners[python_from]],
            "score": python_half_points / 2,
            "misses": python_misses,
            "last_move": MOVES[python_move],
        },
        "cheese": maze.listed(cheese),
        "collected": [[*corners[cell]] for cell in taken] if taken else [],
        "total_cheese": maze.total_cheese,
        "outcomes": {"rat": DEEDS[rat_deed], "python": DEEDS[python_deed]},
        "timeouts": [ROLES[seat] for seat in silent] if silent else [],
        "state_hash": maze.state_hash(now),
        "maze": maze.read_only_shown,
    }


def private_fields(state: State, seat: Seat) -> dict[str, Json]:
    """What a seat's view has in place of the spectators'."""
    must_act, moves = _open(state, seat)
    return {"you": ROLES[seat], "must_act": must_act, "moves": moves}


def _open(state: State, seat: Seat) -> tuple[bool, list[str]]:
    """Whether the seat owes a move, and the directions that are open to it; none in mud."""
    maze, now = state.maze, state.now
    if now[RAT_MUD] if seat == RAT else now[PYTHON_MUD]:
        return False, []
    cell = now[RAT_CELL] if seat == RAT else now[PYTHON_CELL]
    return state.sealed[seat] is None and ending(maze, now) is None, [*_EXITS[maze.exits[cell]]]
