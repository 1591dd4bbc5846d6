"""Searches on a Zooscape board: where one step leads, how far everything is, the way to the nearest
of many cells.

A cell is the number x*height + y, so a list with one entry per cell runs down the first column,
then down the second, like `GameState.cells`. A board's walls stand for the whole match: its `Grid`
is made once, and a search over 51x51 cells takes less than a millisecond."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

Number: TypeAlias = int
"""A cell: x*height + y."""

UNREACHABLE: Final = -1
"""The distance of a cell that no way leads to."""
BLOCKED: Final = "14"
"""Cells that cannot be entered: walls and cages. An animal leaves its cage and cannot go back."""
STEPS: Final = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""Up, down, left, right; y grows downwards."""

_AVOIDED: Final = -2


class Found(NamedTuple):
    """A shortest way. `cells` ends at the target without the start; on the target it is empty."""

    target: Number
    cells: list[Number]


class Grid:
    """The walls of a board. Both tables are by cell; nothing leads into a wall or a cage."""

    __slots__ = ("around", "beside", "height", "size", "width")

    def __init__(self, rows: Sequence[str], portals: bool = True) -> None:
        """`rows` as a view has them: `rows[y][x]`. `portals`: whether the border leads over to the
        opposite side."""
        self.width = width = len(rows[0])
        self.height = height = len(rows)
        self.size = width * height
        around, beside = [], []
        for x in range(width):
            for y in range(height):
                steps: list[Number | None] = []
                for dx, dy in STEPS if rows[y][x] != "1" else ():
                    inside = 0 <= x + dx < width and 0 <= y + dy < height
                    to_x, to_y = (x + dx) % width, (y + dy) % height
                    leads = (inside or portals) and rows[to_y][to_x] not in BLOCKED
                    steps.append(to_x * height + to_y if leads else None)
                around.append(tuple(steps) or (None,) * len(STEPS))
                beside.append(
                    tuple(
                        step
                        for step in steps
                        if step is not None
                        and abs(step // height - x) + abs(step % height - y) == 1
                    )
                )
        self.around: tuple[tuple[Number | None, ...], ...] = tuple(around)
        """Where up, down, left and right lead an animal, over the border too; None: it stays."""
        self.beside: tuple[tuple[Number, ...], ...] = tuple(beside)
        """Where a zookeeper gets in one step: the border stops it."""

    def number(self, x: int, y: int) -> Number:
        """Raises ValueError for what is no cell of this board."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            why = f"expected a cell of a board of {self.width}x{self.height}, got {(x, y)}"
            raise ValueError(why)
        return x * self.height + y

    def distances(self, starts: Iterable[Number], avoid: Iterable[Number] = ()) -> list[int]:
        """The steps of an animal from the nearest start to every cell, or UNREACHABLE."""
        found = [UNREACHABLE] * self.size
        for cell in avoid:
            found[cell] = _AVOIDED
        layer = [*starts]
        for cell in layer:
            found[cell] = 0
        around, steps = self.around, 0
        while layer:
            steps += 1
            following = []
            for cell in layer:
                for step in around[cell]:
                    if step is not None and found[step] == UNREACHABLE:
                        found[step] = steps
                        following.append(step)
            layer = following
        return [UNREACHABLE if distance == _AVOIDED else distance for distance in found]

    def reach(self, starts: Iterable[Number], most: int) -> dict[Number, int]:
        """The steps of a zookeeper from the nearest start, for cells in reach of `most` steps."""
        found = dict.fromkeys(starts, 0)
        layer, beside = [*found], self.beside
        for steps in range(1, most + 1):
            following = []
            for cell in layer:
                for step in beside[cell]:
                    if step not in found:
                        found[step] = steps
                        following.append(step)
            layer = following
        return found

    def nearest(
        self,
        start: Number,
        goals: Sequence[float],
        avoid: Iterable[Number] = (),
        first: int | None = None,
    ) -> Found | None:
        """An animal's shortest way to the nearest goal, None if there is none.

        `goals` is by cell, true where one is. Of several ways it is the one whose first step is
        `first` (a place in STEPS), else the one that STEPS has first."""
        if goals[start]:
            return Found(start, [])
        around = self.around
        before = {cell: cell for cell in avoid}
        before[start] = start
        layer, order = [start], [*range(len(STEPS))]
        if first is not None:
            order.insert(0, order.pop(first))
            layer = []
            for direction in order:
                step = around[start][direction]
                if step is not None and step not in before:
                    before[step] = start
                    if goals[step]:
                        return Found(step, [step])
                    layer.append(step)
        while layer:
            following = []
            for cell in layer:
                for step in around[cell]:
                    if step is not None and step not in before:
                        before[step] = cell
                        if goals[step]:
                            return Found(step, _traced(before, start, step))
                        following.append(step)
            layer = following
        return None


def _traced(before: dict[Number, Number], start: Number, cell: Number) -> list[Number]:
    cells = []
    while cell != start:
        cells.append(cell)
        cell = before[cell]
    return cells[::-1]
