"""Boards from chance: one quadrant made of a maze, mended, then mirrored in both axes (RULES §4).

Every stage has a draw of its own, also where it needs no chance, so that a parameter changes what
it is about: with another openness the first maze, the portals and the cages stay. Every choice is
made from a list in a fixed order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.core.dice import Dice, Stream
from games.zooscape.board import (
    ANIMAL_SPAWN,
    EMPTY,
    PELLET,
    WALL,
    ZOOKEEPER_SPAWN,
    Board,
    from_rows,
    neighbours,
)
from games.zooscape.rules import Rules

STRAIGHT: Final = 0.99
"""The probability of going straight on at full smoothness: some ways still bend early."""

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The four directions of the maze; the opposite one is two further."""


def generate(rules: Rules, dice: Dice) -> Board:
    """A map of `map_size` cells each way that `validate_map` has nothing to say against, whatever
    the dice say."""
    size = rules.map_size
    half = (size + 1) // 2
    maze = dice.draw(
        "map", lambda stream: perfect_maze((half + 1) // 2, rules.map_smoothness, stream)
    )
    dice.draw("map", lambda stream: open_dead_ends(maze, stream))
    dice.draw("map", lambda stream: add_forks(maze, rules.map_openness, stream))
    lines = rules.map_teleports if rules.portals else 0
    portals = dice.draw("map", lambda stream: portal_cells(maze.side, half, lines, stream))
    corner = 1 + dice.draw("map", lambda stream: stream.below(half // 2 - 1))
    floor = PELLET if rules.map_rooms == "pellets" else EMPTY
    quadrant = Quadrant(half, maze)
    quadrant.put(PELLET, portals)
    quadrant.put(floor, cage_room(corner))
    quadrant.put(ANIMAL_SPAWN, [(corner + 1, corner + 1)])
    quadrant.put(floor, zookeeper_room(half))
    quadrant.put(ZOOKEEPER_SPAWN, [(half - 1, half - 1)])
    dice.draw("map", quadrant.mend)
    return from_rows(quadrant.mirrored())


# The maze.


class Lattice:
    """A square maze while it is made. Cells are x + y*side; `walls` lists the closed sides of each,
    ascending: all, at first."""

    __slots__ = ("side", "walls")

    def __init__(self, side: int) -> None:
        self.side = side
        self.walls = [list(range(len(STEPS))) for _ in range(side * side)]

    def near(self, cell: int, direction: int) -> int | None:
        """The cell on this side, None beyond the outer edge."""
        y, x = divmod(cell, self.side)
        dx, dy = STEPS[direction]
        x, y = x + dx, y + dy
        return x + y * self.side if 0 <= x < self.side and 0 <= y < self.side else None

    def open(self, cell: int, direction: int) -> None:
        """Take away the wall between two cells."""
        near = self.near(cell, direction)
        assert near is not None
        self.walls[cell].remove(direction)
        self.walls[near].remove((direction + 2) % len(STEPS))

    def lose_wall(self, cell: int, stream: Stream) -> None:
        """Take away one inner wall of this cell, if it has any."""
        inner = [
            direction for direction in self.walls[cell] if self.near(cell, direction) is not None
        ]
        if inner:
            self.open(cell, inner[stream.below(len(inner))])

    def with_walls(self, count: int) -> list[int]:
        """The cells with `count` walls, row by row."""
        return [cell for cell, walls in enumerate(self.walls) if len(walls) == count]


def perfect_maze(side: int, smoothness: float, stream: Stream) -> Lattice:
    """A maze with exactly one way between any two cells, made depth first."""
    maze = Lattice(side)
    untried = [list(range(len(STEPS))) for _ in range(side * side)]
    start = stream.below(side * side)
    way = [start]
    joined = {start}
    straight = 0
    while way:
        cell = way[-1]
        left = untried[cell]
        if not left:
            way.pop()
            continue
        direction = left[stream.below(len(left))]
        if stream.chance(STRAIGHT * smoothness) and straight in left:
            direction = straight
        left.remove(direction)
        near = maze.near(cell, direction)
        if near is not None and near not in joined:
            maze.open(cell, direction)
            joined.add(near)
            way.append(near)
            straight = direction
    return maze


def open_dead_ends(maze: Lattice, stream: Stream) -> None:
    """Give every dead end a second way out; one of them may help the next."""
    for cell, walls in enumerate(maze.walls):
        if len(walls) == 3:
            maze.lose_wall(cell, stream)


def add_forks(maze: Lattice, openness: float, stream: Stream) -> None:
    """Turn corridor cells into forks until their share is `openness`, or nearly."""
    missing = int(len(maze.walls) * openness) - len(maze.with_walls(1))
    corridors = maze.with_walls(2)
    stream.shuffle(corridors)
    for cell in corridors[: max(missing, 0)]:
        if len(maze.walls[cell]) == 2:
            maze.lose_wall(cell, stream)


# The places that are cut out of it, as x, y.


def portal_cells(side: int, half: int, teleports: int, stream: Stream) -> list[tuple[int, int]]:
    """Openings in the top and the left edge: two lines of the finished map each, but for the middle
    one of an odd number."""
    openings = teleports // 2
    counts = [openings // 2, openings - openings // 2]
    stream.shuffle(counts)
    across, down = (
        [2 * column + 1 for column in _some(side - 1, count, stream)] for count in counts
    )
    cells = [(x, 0) for x in across] + [(0, y) for y in down]
    on_top = stream.below(2)
    if teleports % 2:
        middle = half - 1
        cells += [(middle, 0), (middle, 1)] if on_top else [(0, middle), (1, middle)]
    return cells


def _some(bound: int, count: int, stream: Stream) -> list[int]:
    """`count` different numbers of 0 .. bound-1, all if there are not enough."""
    numbers = list(range(bound))
    stream.shuffle(numbers)
    return numbers[:count]


def cage_room(corner: int) -> list[tuple[int, int]]:
    """Three by three cells from this corner, the cage in their middle."""
    return [(corner + dx, corner + dy) for dy in range(3) for dx in range(3)]


def zookeeper_room(half: int) -> list[tuple[int, int]]:
    """What lies in the quadrant of the three by three cells around the centre."""
    return [(x, y) for y in (half - 2, half - 1) for x in (half - 2, half - 1)]


# The map.


class Quadrant:
    """The top left quarter of a map with both centre lines: side*side cells, as on a Board."""

    __slots__ = ("cells", "side")

    def __init__(self, side: int, maze: Lattice) -> None:
        """Draw the maze: its cells two apart, passages between them, the outer wall on top and
        left; open on the other sides."""
        self.side = side
        self.cells = bytearray((WALL,)) * (side * side)
        for cell, walls in enumerate(maze.walls):
            y, x = divmod(cell, maze.side)
            passages = [step for direction, step in enumerate(STEPS) if direction not in walls]
            self.put(PELLET, [(2 * x + 1 + dx, 2 * y + 1 + dy) for dx, dy in ((0, 0), *passages)])
        last = 2 * maze.side - 1
        self.put(PELLET, [(along, last) for along in range(1, last + 1)])
        self.put(PELLET, [(last, along) for along in range(1, last + 1)])

    def put(self, content: int, places: list[tuple[int, int]]) -> None:
        """Put this into the cells x, y; what lies beyond the quadrant is cut off."""
        for x, y in places:
            if x < self.side and y < self.side:
                self.cells[x + y * self.side] = content

    def mend(self, stream: Stream) -> None:
        """Make the quadrant one part: open, in random order, every wall between maze cells that has
        two parts beside it.

        Without the maze's last row and column, cut off where size mod 4 is 1, the rest of the maze
        may have come apart."""
        side, cells = self.side, self.cells
        closed = (WALL, ANIMAL_SPAWN)
        part_of = _parts(side, lambda cell: cells[cell] not in closed)
        walls = [
            x + y * side
            for y in range(1, side)
            for x in range(1, side)
            if (x + y) % 2 and cells[x + y * side] == WALL
        ]
        stream.shuffle(walls)
        for wall in walls:
            parts = sorted(
                {part_of[near] for near in neighbours(wall, side, side) if part_of[near] >= 0}
            )
            if len(parts) > 1:
                cells[wall] = PELLET
                part_of = [parts[0] if part in parts else part for part in part_of]
                part_of[wall] = parts[0]

    def mirrored(self) -> list[str]:
        """The rows of the whole map; the centre lines are there once."""
        text = self.cells.decode()
        top = [text[start : start + self.side] for start in range(0, len(text), self.side)]
        top = [row + row[-2::-1] for row in top]
        return top + top[-2::-1]


def _parts(side: int, is_open: Callable[[int], bool]) -> list[int]:
    """The part to which each cell of a square belongs, by its first cell; -1 for closed cells."""
    part_of = [-1] * (side * side)
    for start in range(side * side):
        if part_of[start] >= 0 or not is_open(start):
            continue
        part_of[start] = start
        ends = [start]
        while ends:
            for near in neighbours(ends.pop(), side, side):
                if part_of[near] < 0 and is_open(near):
                    part_of[near] = start
                    ends.append(near)
    return part_of
