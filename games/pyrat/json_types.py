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
    """One of the two players."""

    position: Cell
    """Its cell; in mud: the cell that it moves to."""
    mud_turns: int
    """The turns that it still has to wait in mud; 0: it is free."""
    mud_from: Cell | None
    """The cell that it left for the mud."""
    score: float
    """Its score."""
    misses: int
    """The number of turns in which it did not change its cell."""
    last_move: Move
    """Its last move."""


class Maze(TypedDict):
    """The maze."""

    width: int
    """The width in cells."""
    height: int
    """The height in cells."""
    walls: list[tuple[Cell, Cell]]
    """The borders that are closed, each as two cells."""
    mud: list[tuple[Cell, Cell, int]]
    """The muddy passages, each as two cells and its cost in turns."""


class Outcomes(TypedDict):
    """What the last move of each player did."""

    rat: Deed
    """The move of the rat."""
    python: Deed
    """The move of the python."""


class View(TypedDict):
    """What a seat or a viewer sees."""

    turn: int
    """The number of turns played."""
    max_turns: int
    """The maximum of turns."""
    you: Role | None
    """The role of the seat; null: a viewer."""
    must_act: bool
    """The seat is to send a move."""
    moves: list[Move]
    """The directions that no wall or border closes for the seat; empty in mud and for viewers."""
    rat: Player
    """The rat."""
    python: Player
    """The python."""
    cheese: list[Cell]
    """The cells that have cheese, sorted."""
    collected: list[Cell]
    """The cells whose cheese was collected in the last turn."""
    total_cheese: int
    """The number of cheeses at the start."""
    outcomes: Outcomes
    """What the last moves did."""
    timeouts: list[Role]
    """The roles that sent no move for the last turn."""
    state_hash: str
    """The hash of the state, as in the record."""
    maze: NotRequired[Maze]
    """The maze; it may come in the start message only."""
