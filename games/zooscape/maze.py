"""What never changes in a match: walls, cages, and tables made of them (RULES §3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.core.shared import Shared
from games.zooscape.board import BLOCKED, Board, Cell, neighbours

IDLE, UP, DOWN, LEFT, RIGHT = range(5)
Direction: TypeAlias = int
DIRECTIONS: Final = ("idle", "up", "down", "left", "right")
"""The directions by number; where an animal or a zookeeper is headed."""

_SHIFTS: Final = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0))
_KEPT: Final = 16
"""Mazes whose tables are kept, so that matches on one map share them."""


class Maze(Shared):
    """The walls and cages of a board, and tables by cell and direction; `maze_of` makes it.

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
        cells = tuple(
            range(self.area)
        )  # the same numbers in every table, or each would take memory of its own
        self.xs = tuple(cell % width for cell in cells)
        self.ys = tuple(cell // width for cell in cells)
        self.steps = tuple(tuple(map(cells.__getitem__, self._steps(*shift))) for shift in _SHIFTS)
        """By direction, then cell: where an animal comes to, through a portal too. Its own cell
        where the way is blocked."""
        self.near = tuple(
            tuple(cells[other] for other in neighbours(cell, width, height) if walkable[other])
            for cell in cells
        )
        """By cell: the walkable neighbours, without portals: left, right, up, down."""
        self.stride = width + 1
        self.bits = sum(self.bit(cell) for cell in cells if walkable[cell])
        self.first_steps: dict[int, Direction] = {}
        """What `paths` has found where it had to choose: start * area + goal -> direction."""

    def _steps(self, right: int, down: int) -> Iterator[Cell]:
        width, height = self.width, self.height
        for here, (x, y) in enumerate(zip(self.xs, self.ys, strict=True)):
            inside = 0 <= x + right < width and 0 <= y + down < height
            ahead = (x + right) % width + (y + down) % height * width
            yield ahead if self.walkable[ahead] and (inside or self.portals) else here

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
