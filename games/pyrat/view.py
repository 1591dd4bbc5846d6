"""Who may see what: everything but the moves of the open turn (RULES §7)."""

from __future__ import annotations

from games.core.contract import Json, Seat, Viewer
from games.pyrat.board import MOVES
from games.pyrat.commands import awaited
from games.pyrat.outcome import ending
from games.pyrat.state import (
    CHEESE,
    DEEDS,
    NOWHERE,
    PYTHON,
    PYTHON_DEED,
    RAT,
    RAT_DEED,
    ROLES,
    TURN,
    Maze,
    Position,
    State,
    body,
)


def view(state: State, viewer: Viewer) -> Json:
    """The position and what the last turn did. `maze` is read-only (`Maze.shown`); all other lists
    belong to the reader."""
    maze, now = state.maze, state.now
    turn = now[TURN]
    return {
        "turn": turn,
        "max_turns": maze.max_turns,
        "you": None if viewer is None else ROLES[viewer],
        "must_act": viewer is not None and viewer in awaited(state) and ending(maze, now) is None,
        "moves": [] if viewer is None else moves(maze, now, viewer),
        "rat": _player(maze, now, RAT),
        "python": _player(maze, now, PYTHON),
        "cheese": maze.listed(now[CHEESE]),
        "collected": [maze.xy(cell) for cell in state.collected],
        "total_cheese": maze.total_cheese,
        "outcomes": {"rat": DEEDS[now[RAT_DEED]], "python": DEEDS[now[PYTHON_DEED]]},
        "timeouts": [ROLES[seat] for seat in state.silent],
        "state_hash": maze.state_hash(now),
        "maze": maze.shown(viewer),
    }


def moves(maze: Maze, now: Position, seat: Seat) -> list[str]:
    """The directions that are open to this seat; none while it is in mud."""
    player = body(now, seat)
    return [] if player.mud else [*maze.moves[player.cell]]


def _player(maze: Maze, now: Position, seat: Seat) -> dict[str, Json]:
    cell, mud, mud_from, half_points, misses, last_move, _ = body(now, seat)
    return {
        "position": maze.xy(cell),
        "mud_turns": mud,
        "mud_from": None if mud_from == NOWHERE else maze.xy(mud_from),
        "score": half_points / 2,
        "misses": misses,
        "last_move": MOVES[last_move],
    }
