"""The first state. Boards from chance: three independent draws, for the maze, the start cells and
the cheese (RULES §4).

Every choice is made from a list in a fixed order, so equal seeds give equal boards in every process
and on every platform."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from games.core.dice import Dice, Stream
from games.pyrat.board import CLOSED, FREE, Board, Cell, tidy_mud, tidy_walls
from games.pyrat.rules import Rules, check_rules
from games.pyrat.state import State, maze_of, opening

Borders = list[tuple[int, int]]
T = TypeVar("T")


def setup(rules: Rules, board: Board | None, dice: Dice) -> State:
    """The first state. Configured values win over the map, the map over chance. Raises BadSetup."""
    if board is not None:
        rules = with_map(rules, board)
        check_rules(rules)
    made = filled(rules, dice)
    maze = maze_of(
        made,
        total_cheese=rules.cheese_count,
        max_turns=rules.max_turns,
        mud_timing=rules.mud_timing,
    )
    assert made.cheese is not None
    assert made.rat_start is not None
    assert made.python_start is not None
    return State(maze, opening(maze, made.rat_start, made.python_start, made.cheese))


def with_map(rules: Rules, board: Board) -> Rules:
    """The rules with the map as if its parts were configured; parts that are configured win."""
    changes: dict[str, Any] = {"width": board.width, "height": board.height}
    if not rules.explicit:
        changes |= {"walls": board.walls, "mud": board.mud}
    if rules.cheese is None and board.cheese is not None:
        changes |= {"cheese": board.cheese, "cheese_count": len(board.cheese)}
    if rules.rat_start is None:
        changes |= {"rat_start": board.rat_start, "python_start": board.python_start}
    return replace(rules, **changes)


def filled(rules: Rules, dice: Dice) -> Board:
    """The whole board of a match: what the rules give, and the rest from chance."""
    walls, mud = (rules.walls or (), rules.mud or ())
    if not rules.explicit:
        walls, mud = _drawn(dice, "maze", rules.maze_seed, lambda stream: maze(rules, stream))
    rat, python = rules.rat_start, rules.python_start
    if rat is None or python is None:
        rat, python = (rules.width - 1, rules.height - 1), (0, 0)
        if rules.start_positions != "corners":
            rat, python = _drawn(
                dice, "players", rules.players_seed, lambda stream: starts(rules, stream)
            )
    cheese = rules.cheese
    if cheese is None:
        cheese = _drawn(
            dice,
            "cheese",
            rules.cheese_seed,
            lambda stream: cheese_cells(rules, (rat, python), stream),
        )
    return Board(
        rules.width,
        rules.height,
        tidy_walls(walls),
        tidy_mud(mud),
        tuple(sorted(cheese)),
        rat,
        python,
    )


def _drawn(dice: Dice, purpose: str, part_seed: int | None, sample: Callable[[Stream], T]) -> T:
    """A draw from the match's dice, or from the part's own seed."""
    if part_seed is None:
        return dice.draw(purpose, sample)
    return sample(Stream(f"{part_seed}|{purpose}".encode()))


def maze(
    rules: Rules, stream: Stream
) -> tuple[tuple[tuple[Cell, Cell], ...], tuple[tuple[Cell, Cell, int], ...]]:
    """Walls and mud of a random maze."""
    borders, orbits, orbit_of = _orbits(rules)
    costs = [CLOSED] * len(borders)

    def opened(orbit: list[int]) -> None:
        cost = FREE
        if stream.chance(rules.mud_density):
            cost = rules.mud_min + stream.below(rules.mud_range - rules.mud_min + 1)
        for border in orbit:
            costs[border] = cost

    for orbit in orbits:
        if not stream.chance(rules.wall_density):
            opened(orbit)
    if rules.connected:
        _connect(rules, borders, orbit_of, costs, opened, stream)

    def xy(cell: int) -> Cell:
        return divmod(cell, rules.height)

    walls = tuple(
        (xy(one), xy(other))
        for (one, other), cost in zip(borders, costs, strict=True)
        if cost == CLOSED
    )
    mud = tuple(
        (xy(one), xy(other), cost)
        for (one, other), cost in zip(borders, costs, strict=True)
        if cost > FREE
    )
    return walls, mud


def _orbits(rules: Rules) -> tuple[Borders, list[list[int]], list[list[int]]]:
    """All inner borders in order, the orbits in order of appearance, and the orbit of each border.

    An orbit is a border and its mirror if the maze is symmetric (some are their own), else one."""
    borders: Borders = []
    for cell in range(rules.cells):
        if cell + rules.height < rules.cells:
            borders.append((cell, cell + rules.height))
        if (cell + 1) % rules.height:
            borders.append((cell, cell + 1))
    if not rules.symmetric:
        single = [[border] for border in range(len(borders))]
        return borders, single, single
    number = {border: index for index, border in enumerate(borders)}
    last = rules.cells - 1
    orbits: list[list[int]] = []
    orbit_of: list[list[int]] = []
    for index, (one, other) in enumerate(borders):
        mirror = number[last - other, last - one]
        if mirror >= index:
            orbits.append([index] if mirror == index else [index, mirror])
            orbit_of.append(orbits[-1])
        else:
            orbit_of.append(orbit_of[mirror])
    return borders, orbits, orbit_of


def _connect(
    rules: Rules,
    borders: Borders,
    orbit_of: list[list[int]],
    costs: list[int],
    opened: Callable[[list[int]], None],
    stream: Stream,
) -> None:
    """Open walls around the part that hangs together with cell 0, one orbit at a time, until
    nothing is outside."""
    around: list[list[tuple[int, int]]] = [[] for _ in range(rules.cells)]
    for border, (one, other) in enumerate(borders):
        around[one].append((other, border))
        around[other].append((one, border))
    inside = bytearray(rules.cells)
    rim: list[int] = []  # the walls with one side inside, in the order of the borders

    def taken(border: int) -> bool:
        """Take a wall off the rim, if it is on it."""
        place = bisect_left(rim, border)
        if place == len(rim) or rim[place] != border:
            return False
        del rim[place]
        return True

    def flood(start: int) -> None:
        inside[start] = 1
        ends = [start]
        while ends:
            for near, border in around[ends.pop()]:
                if costs[border] == CLOSED:
                    if not taken(border):  # seen from its second side, a wall is within
                        insort(rim, border)
                elif not inside[near]:
                    inside[near] = 1
                    ends.append(near)

    flood(0)
    while rim:
        orbit = orbit_of[rim[stream.below(len(rim))]]
        opened(orbit)
        for border in orbit:
            taken(border)
        for border in orbit:
            one, other = borders[border]
            if inside[one] != inside[other]:
                flood(one if inside[other] else other)


def starts(rules: Rules, stream: Stream) -> tuple[Cell, Cell]:
    """Random start cells of the Rat and the Python, never the centre cell."""
    cells = list(range(rules.cells))
    if rules.cells % 2:
        cells.remove(rules.cells // 2)
    rat = cells[stream.below(len(cells))]
    if rules.start_positions == "random_symmetric":
        python = rules.cells - 1 - rat
    else:
        cells.remove(rat)
        python = cells[stream.below(len(cells))]
    return divmod(rat, rules.height), divmod(python, rules.height)


def cheese_cells(rules: Rules, players: tuple[Cell, Cell], stream: Stream) -> tuple[Cell, ...]:
    """Random cheese, sorted; start cells and their mirrors only if nothing else is left."""
    taken = {x * rules.height + y for x, y in players}
    last = rules.cells - 1
    cheese: list[int] = []
    orbits: list[tuple[int, ...]]
    if rules.cheese_symmetric:
        orbits = [(cell, last - cell) for cell in range(rules.cells // 2)]
        if rules.cheese_count % 2:
            cheese.append(last // 2)
    else:
        orbits = [(cell,) for cell in range(rules.cells)]
    stream.shuffle(orbits)
    orbits.sort(
        key=lambda orbit: not taken.isdisjoint(orbit)
    )  # stable: other starts change no more than they must
    for orbit in orbits:
        if len(cheese) >= rules.cheese_count:
            break
        cheese.extend(orbit)
    return tuple(divmod(cell, rules.height) for cell in sorted(cheese))
