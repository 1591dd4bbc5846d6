"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Role: TypeAlias = Literal["rat", "python"]
Cell: TypeAlias = tuple[int, int]
"""x and y, from the bottom-left corner."""
Move: TypeAlias = Literal["UP", "RIGHT", "DOWN", "LEFT", "STAY"]
MoveCode: TypeAlias = Literal[0, 1, 2, 3, 4]
Deed: TypeAlias = Literal["moved", "entered_mud", "in_mud", "left_mud", "blocked", "stayed"] | None


class MoveObject(TypedDict):
    """A move as an object."""

    move: Move | MoveCode


Command: TypeAlias = Move | MoveCode | MoveObject


class Player(TypedDict):
    """One of the two; in mud it stands where it goes to."""

    position: Cell
    mud_turns: int
    mud_from: Cell | None
    score: float
    misses: int
    last_move: Move


class Maze(TypedDict):
    """Walls are pairs of cells, mud is two cells and the turns that it costs."""

    width: int
    height: int
    walls: list[tuple[Cell, Cell]]
    mud: list[tuple[Cell, Cell, int]]


class Outcomes(TypedDict):
    """What became of each one's last move."""

    rat: Deed
    python: Deed


class View(TypedDict):
    """What a seat or a viewer sees. `maze` may come in the start message only."""

    turn: int
    max_turns: int
    you: Role | None
    must_act: bool
    moves: list[Move]
    rat: Player
    python: Player
    cheese: list[Cell]
    collected: list[Cell]
    total_cheese: int
    outcomes: Outcomes
    timeouts: list[Role]
    state_hash: str
    maze: NotRequired[Maze]
