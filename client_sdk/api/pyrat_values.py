"""The values of PyRat's views: cells, directions, players."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple

from games.pyrat.state import PYTHON, RAT


class Cell(NamedTuple):
    """A cell of the board. It is equal to the plain pair (x, y)."""

    x: int
    """The column, from 0 at the left."""
    y: int
    """The row, from 0 at the bottom."""


class Direction(IntEnum):
    """A move."""

    UP = 0
    """To the cell above, where y is greater."""
    RIGHT = 1
    """To the cell at the right, where x is greater."""
    DOWN = 2
    """To the cell below."""
    LEFT = 3
    """To the cell at the left."""
    STAY = 4
    """No move."""

    def apply_to(self, pos: tuple[int, int]) -> Cell:
        """The cell in this direction, even behind a wall or the border."""
        dx, dy = STEPS[self]
        return Cell(pos[0] + dx, pos[1] + dy)


STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0))


class Player(IntEnum):
    """One of the two players."""

    PLAYER1 = 0
    """Starts bottom left: the `python` of the rules."""
    PLAYER2 = 1
    """Starts top right: the `rat` of the rules."""


class GameResult(Enum):
    """Who won."""

    PLAYER1 = "player1"
    """Player 1."""
    PLAYER2 = "player2"
    """Player 2."""
    DRAW = "draw"
    """Neither."""


SEATS: Final = (PYTHON, RAT)
"""Our seat of player 1 and of player 2."""


class PathResult(NamedTuple):
    """A shortest way. A free passage costs 1, mud of cost N costs N."""

    target: Cell
    """The cell that the way leads to."""
    path: list[Direction]
    """The moves, one for each passage; in mud the bot waits without a move."""
    first_moves: list[Direction]
    """All moves that a shortest way begins with; none if the start is the target."""
    cost: int
    """The turns that the way takes."""
    cells: list[Cell]
    """The cells of the way, without the start."""
