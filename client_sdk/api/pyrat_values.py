"""The values of PyRat's views: cells, directions, players."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple

from games.pyrat.state import PYTHON, RAT


class Cell(NamedTuple):
    """A place on the board; equal to the plain pair (x, y)."""

    x: int
    y: int


class Direction(IntEnum):
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3
    STAY = 4

    def apply_to(self, pos: tuple[int, int]) -> Cell:
        """The cell that lies in this direction, whether or not one can go there."""
        dx, dy = STEPS[self]
        return Cell(pos[0] + dx, pos[1] + dy)


STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0))


class Player(IntEnum):
    PLAYER1 = 0
    """Starts bottom left: our `python`."""
    PLAYER2 = 1
    """Starts top right: our `rat`."""


class GameResult(Enum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    DRAW = "draw"


SEATS: Final = (PYTHON, RAT)
"""Our seat of player 1 and of player 2."""


class PathResult(NamedTuple):
    """A shortest way. Free passages cost 1, mud of cost N costs N."""

    target: Cell
    path: list[Direction]
    """The moves, one per passage; in mud the following turns are waited, not moved."""
    first_moves: list[Direction]
    """All moves that some shortest way begins with; none on the target itself."""
    cost: int
    cells: list[Cell]
    """The cells of the way, without the start."""
