"""What never changes in a match: walls, cages, and tables made of them (RULES §3)."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.core.shared import Shared, by_size
from games.zooscape.board import BLOCKED, Board, Cell, neighbours, rows_of

IDLE, UP, DOWN, LEFT, RIGHT = range(5)
Direction: TypeAlias = int
DIRECTIONS: Final = ("idle", "up", "down", "left", "right")
"""The directions by number; where an animal or a zookeeper is headed."""

_SHIFTS: Final = ((0, -1), (0, 1), (-1, 0), (1, 0))
_KEPT: Final = 16
"""Mazes whose tables are kept, so that matches on one map share them."""


class Grid:
    """What mazes of one size have in common: tables by cell."""

    def __init__(self, width: int, height: int) -> None:
        cells = self.cells = tuple(range(width * height))
        """The numbers of the cells, of which all tables are made: each would take memory of its own
        in every maze."""
        self.xs = tuple(cell % width for cell in cells)
        self.ys = tuple(cell // width for cell in cells)
        self.beside = tuple(
            tuple(cells[other] for other in neighbours(cell, width, height)) for cell in cells
        )
        """By cell: its neighbours, without portals: left, right, up, down."""


grid_of: Final = by_size(Grid)


class Maze(Shared):
    """The walls and cages of a board, and tables by cell and direction, hence the number of
    attributes; `maze_of` makes it.

    `bits` is for searches: a whole number with a bit for each cell that can be walked on. A row
    takes `stride` bits, one more than it has cells, so that a shift by one never runs from one row
    into the next."""

    def __init__(
        self,
        width: int,
        height: int,
        walkable: bytes,
        spawns: tuple[Cell, ...],
        centre: Cell,
        portals: bool = True,
    ) -> None:
        self.width = width
        self.height = height
        self.area = width * height
        self.walkable = walkable
        """One byte per cell: 1 where one can walk."""
        self.portals = portals
        """Whether a step over the edge leads to the opposite side."""
        self.spawns = spawns
        self.centre = centre
        grid = self._grid = grid_of(width, height)
        self.xs, self.ys, self.beside = grid.xs, grid.ys, grid.beside
        self.steps = (grid.cells, *(self._steps(*shift) for shift in _SHIFTS))
        """By direction, then cell: where an animal comes to, through a portal too. Its own cell
        where the way is blocked."""
        self.stride = width + 1
        self.bits = sum(self.bit(cell) for cell in grid.cells if walkable[cell])
        self.first_steps: dict[int, Direction] = {}
        """What `paths` has found where it had to choose: start * area + goal -> direction."""
        self.sole_steps = array("I", bytes(4 * self.area))
        """By start, what `paths` found last where it had no choice: goal * 5 + direction, or 0."""
        self._last_rows: tuple[bytes, list[str]] = (b"", [])

    def _steps(self, right: int, down: int) -> tuple[Cell, ...]:
        cells, width, height = self._grid.cells, self.width, self.height

        def step(here: Cell) -> Cell:
            x, y = self.xs[here] + right, self.ys[here] + down
            ahead = cells[x % width + y % height * width]
            inside = 0 <= x < width and 0 <= y < height
            return ahead if self.walkable[ahead] and (inside or self.portals) else here

        return tuple(map(step, cells))

    def rows(self, cells: bytes) -> list[str]:
        """`rows_of` a board. The last answer is kept for the other viewers of the tick."""
        known = self._last_rows
        if known[0] is not cells:
            self._last_rows = known = (cells, rows_of(cells, self.width))
        return [*known[1]]

    def bit(self, cell: Cell) -> int:
        """The cell's bit in a number such as `bits`: x + y * stride from the lowest."""
        return 1 << cell + self.ys[cell]

    def cell(self, x: int, y: int) -> Cell:
        return x + y * self.width

    def xy(self, cell: Cell) -> tuple[int, int]:
        return self.xs[cell], self.ys[cell]

    @property
    def parts(self) -> tuple[Any, ...]:
        return self.width, self.height, self.walkable, self.spawns, self.centre, self.portals

    def __reduce__(self) -> tuple[Any, ...]:
        return _maze, self.parts


@lru_cache(maxsize=_KEPT)
def _maze(
    width: int,
    height: int,
    walkable: bytes,
    spawns: tuple[Cell, ...],
    centre: Cell,
    portals: bool,
) -> Maze:
    return Maze(width, height, walkable, spawns, centre, portals)


def maze_of(board: Board, portals: bool = True) -> Maze:
    """The maze of a board. `portals`: whether animals may leave it and come in opposite."""
    walkable = bytes(content not in BLOCKED for content in board.cells)
    return _maze(board.width, board.height, walkable, board.spawns, board.centre, portals)
