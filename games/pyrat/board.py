"""Cells, directions and maps: reading, checking and writing boards (RULES §3, §4).

A cell is [x, y], x to the right, y upwards, [0, 0] at the bottom left. Inside the engine it is the
number x*height + y, so that numbers sort as cells do; UP is +1, RIGHT is +height, and the mirror of
cell c is cells-1-c."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeGuard

from games.core.contract import BadSetup, Json

UP, RIGHT, DOWN, LEFT, STAY = range(5)
MOVES: Final = ("UP", "RIGHT", "DOWN", "LEFT", "STAY")
"""The moves' names by their code."""
DELTAS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))

SMALLEST, LARGEST = 2, 64
"""Limits of width and height, cells."""
CHEAPEST_MUD, DEAREST_MUD = 2, 255

Move: TypeAlias = int
Cell: TypeAlias = tuple[int, int]
Wall: TypeAlias = tuple[Cell, Cell]
Mud: TypeAlias = tuple[Cell, Cell, int]

CLOSED: Final = 0
"""The cost of a border that cannot be passed."""
FREE: Final = 1
"""The cost of a passage without mud."""


@dataclass(frozen=True, slots=True)
class Board:
    """A map, read: valid, borders with the smaller cell first, lists sorted. Without cheese or
    starts the rules place them."""

    width: int
    height: int
    walls: tuple[Wall, ...] = ()
    mud: tuple[Mud, ...] = ()
    cheese: tuple[Cell, ...] | None = None
    rat_start: Cell | None = None
    python_start: Cell | None = None


# What is wrong with a board: the checks of RULES §2 in the order of their codes.


def judge_starts(width: int, height: int, rat: Any, python: Any) -> None:
    """Both start cells or none, inside the board. Raises BadSetup `bad_position`."""
    if (rat is None) is not (python is None):
        missing = "rat_start" if rat is None else "python_start"
        why = f"{missing}: expected a cell, as the other start is given; got nothing"
        raise BadSetup("bad_position", why, field=missing)
    for field, cell in (("rat_start", rat), ("python_start", python)):
        if cell is not None and not _inside(cell, width, height):
            why = f"{field}: expected {_cell_of(width, height)}, got {_said(cell)}"
            raise BadSetup("bad_position", why, field=field)


def judge_maze(width: int, height: int, walls: Any, mud: Any) -> None:
    """Walls and mud lie between adjacent cells, once each, and never on the same border.

    Raises BadSetup `bad_wall`, `duplicate_wall`, `bad_mud`, `duplicate_mud` or `mud_on_wall`.
    """
    closed = set(_borders("walls", "wall", walls, width, height))
    muddy = _borders("mud", "mud", mud, width, height)
    for index, border in enumerate(muddy):
        if border in closed:
            why = f"mud[{index}]: expected a passage, got a wall: {_said(mud[index])}"
            raise BadSetup("mud_on_wall", why, field="mud")


def judge_connection(width: int, height: int, walls: Iterable[Wall]) -> None:
    """Every cell is reachable from [0, 0]. Raises BadSetup `not_connected`."""
    closed = {tidy(*wall) for wall in walls}
    reached = {(0, 0)}
    open_ends = [(0, 0)]
    while open_ends:
        x, y = open_ends.pop()
        for dx, dy in DELTAS:
            near = (x + dx, y + dy)
            if near in reached or not _inside(near, width, height):
                continue
            if tidy((x, y), near) not in closed:
                reached.add(near)
                open_ends.append(near)
    if len(reached) < width * height:
        lost = min((x, y) for x in range(width) for y in range(height) if (x, y) not in reached)
        why = f"walls: expected every cell reachable from [0, 0]; {_said(lost)} is not"
        raise BadSetup("not_connected", why, field="walls")


def judge_cheese(width: int, height: int, cheese: Any) -> None:
    """A list of distinct cells inside the board, at least one.

    Raises BadSetup `bad_cheese`, `duplicate_cheese` or `bad_cheese_count`.
    """
    if not _is_list(cheese):
        why = f"cheese: expected a list of cells, got {_said(cheese)}"
        raise BadSetup("bad_cheese", why, field="cheese")
    for index, cell in enumerate(cheese):
        if not _inside(cell, width, height):
            why = f"cheese[{index}]: expected {_cell_of(width, height)}, got {_said(cell)}"
            raise BadSetup("bad_cheese", why, field="cheese")
    seen: set[Cell] = set()
    for index, cell in enumerate(cheese):
        if tuple(cell) in seen:
            why = f"cheese[{index}]: {_said(cell)} has a cheese already"
            raise BadSetup("duplicate_cheese", why, field="cheese")
        seen.add(tuple(cell))
    if not cheese:
        why = "cheese: expected at least one cell, got an empty list"
        raise BadSetup("bad_cheese_count", why, field="cheese")


def tidy(one: Cell, other: Cell) -> Wall:
    """A border's two cells, the smaller one first (x, then y)."""
    return (one, other) if one < other else (other, one)


def tidy_walls(walls: Iterable[Wall]) -> tuple[Wall, ...]:
    return tuple(sorted(tidy(one, other) for one, other in walls))


def tidy_mud(mud: Iterable[Mud]) -> tuple[Mud, ...]:
    return tuple(sorted((*tidy(one, other), cost) for one, other, cost in mud))


def _borders(field: str, word: str, entries: Any, width: int, height: int) -> list[Wall]:
    """The borders that a list of walls or mud names, in its order. Raises BadSetup."""
    cost = "" if word == "wall" else f", cost {CHEAPEST_MUD} to {DEAREST_MUD}"
    shape = f"[cell, cell{cost}]"
    if not _is_list(entries):
        raise BadSetup(
            f"bad_{word}", f"{field}: expected a list of {shape}, got {_said(entries)}", field=field
        )
    borders = []
    for index, entry in enumerate(entries):
        if not _is_border(entry, word, width, height):
            why = f"expected {shape} with two adjacent cells of the board, got {_said(entry)}"
            raise BadSetup(f"bad_{word}", f"{field}[{index}]: {why}", field=field)
        borders.append(tidy(tuple(entry[0]), tuple(entry[1])))
    seen: set[Wall] = set()
    for index, border in enumerate(borders):
        if border in seen:
            why = f"{field}[{index}]: the border {_said(border)} is listed already"
            raise BadSetup(f"duplicate_{word}", why, field=field)
        seen.add(border)
    return borders


def _is_border(entry: Any, word: str, width: int, height: int) -> bool:
    if not _is_list(entry) or len(entry) != (2 if word == "wall" else 3):
        return False
    if word == "mud" and not (_is_whole(entry[2]) and CHEAPEST_MUD <= entry[2] <= DEAREST_MUD):
        return False
    one, other = entry[:2]
    if not (_inside(one, width, height) and _inside(other, width, height)):
        return False
    return _adjacent(one, other)


def _adjacent(one: Sequence[int], other: Sequence[int]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _inside(cell: Any, width: int, height: int) -> bool:
    if not (_is_list(cell) and len(cell) == 2 and all(_is_whole(part) for part in cell)):
        return False
    x, y = cell
    return bool(0 <= x < width and 0 <= y < height)


def _is_list(value: Any) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _cell_of(width: int, height: int) -> str:
    return f"a cell [0..{width - 1}, 0..{height - 1}]"


def _said(value: Any) -> str:
    """A wrong value as its author wrote it, cut to a readable length."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 80 else f"{text[:77]}..."


# Reading and writing.

KEYS: Final = ("width", "height", "walls", "mud", "cheese", "rat_start", "python_start")


def parse_board(text: str) -> Board:
    """A map file's text: our JSON, or the course's `.maze` lines.

    Raises BadSetup: `bad_map` for what cannot be read, else the code of what is wrong in it.
    """
    if not text.lstrip().startswith("{"):
        return from_maze_text(text)
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadSetup("bad_map", f"map: expected JSON, got {fault}") from None
    return from_json(given)


def from_json(given: Mapping[str, Json]) -> Board:
    """The map format of RULES §4: only `width` and `height` must be there. Raises BadSetup."""
    for key in given:
        if key not in KEYS:
            why = f"map: expected the keys {', '.join(KEYS)}; got {key!r}"
            raise BadSetup("bad_map", why, field=key)
    for key in ("width", "height"):
        size = given.get(key)
        if not (_is_whole(size) and SMALLEST <= size <= LARGEST):
            why = f"{key}: expected a whole number, {SMALLEST} to {LARGEST}, got {_said(size)}"
            raise BadSetup("bad_dimensions", why, field=key)
    width, height = given["width"], given["height"]
    rat, python, cheese = given.get("rat_start"), given.get("python_start"), given.get("cheese")
    walls: Json = [] if given.get("walls") is None else given["walls"]
    mud: Json = [] if given.get("mud") is None else given["mud"]
    judge_starts(width, height, rat, python)
    judge_maze(width, height, walls, mud)
    if cheese is not None:
        judge_cheese(width, height, cheese)
    return Board(
        width,
        height,
        tidy_walls((tuple(one), tuple(other)) for one, other in walls),
        tidy_mud((tuple(one), tuple(other), cost) for one, other, cost in mud),
        None if cheese is None else tuple(sorted(tuple(cell) for cell in cheese)),
        None if rat is None else tuple(rat),
        None if python is None else tuple(python),
    )


def from_costs(costs: Mapping[Cell, Mapping[Cell, int]], cheese: Iterable[Cell] = ()) -> Board:
    """The course's dict {(x, y): {(x2, y2): cost}}: a missing neighbour is a wall, cost 1 is free.

    The board is as large as its largest cell; a cell that is missing altogether is walled in.
    Raises BadSetup.
    """
    if not costs:
        raise BadSetup("bad_map", "map: expected cells, got an empty dict")
    width, height = (max(cell[axis] for cell in costs) + 1 for axis in (0, 1))
    mud = []
    for cell, around in costs.items():
        for near, cost in around.items():
            inside = _inside(cell, width, height) and _inside(near, width, height)
            if not inside or not _adjacent(cell, near):
                why = f"expected two adjacent cells of the board, got {cell} and {near}"
                raise BadSetup("bad_map", f"map: {why}")
            back = costs.get(near, {}).get(cell)
            if back != cost:
                why = f"expected one cost both ways, got {cost} and {back}"
                raise BadSetup("bad_map", f"map: from {cell} to {near} {why}")
            if cell < near and cost != FREE:
                mud.append((cell, near, cost))
    borders = [
        ((x, y), near)
        for x in range(width)
        for y in range(height)
        for near in ((x, y + 1), (x + 1, y))
        if _inside(near, width, height)
    ]
    walls = [(cell, near) for cell, near in borders if near not in costs.get(cell, {})]
    listed = [list(cell) for cell in cheese]
    return from_json(
        {"width": width, "height": height, "walls": walls, "mud": mud, "cheese": listed or None}
    )


def from_maze_text(text: str) -> Board:
    """The course's `.maze` lines: width, height, per cell (x fastest, from the bottom) the costs
    up, down, left and right (0 wall), at last the cheese as x + y*width. Raises BadSetup."""
    rows = [
        (number, line.split())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    width, height = _numbers(rows, 0, 1, "the width")[0], _numbers(rows, 1, 1, "the height")[0]
    for field, size in (("width", width), ("height", height)):
        if not SMALLEST <= size <= LARGEST:
            why = f"{field}: expected a whole number, {SMALLEST} to {LARGEST}, got {size}"
            raise BadSetup("bad_dimensions", why, field=field)
    costs: dict[Cell, dict[Cell, int]] = {}
    for index in range(width * height):
        x, y = index % width, index // width
        up, down, left, right = _numbers(rows, 2 + index, 4, f"the four costs of cell [{x}, {y}]")
        near = {(x, y + 1): up, (x, y - 1): down, (x - 1, y): left, (x + 1, y): right}
        costs[x, y] = {cell: cost for cell, cost in near.items() if cost != CLOSED}
    cheese_row = 2 + width * height
    cheese = []
    if len(rows) > cheese_row:
        cheese = _numbers(rows, cheese_row, None, "the cells with cheese")
    if len(rows) > cheese_row + 1:
        raise BadSetup("bad_map", f"line {rows[cheese_row + 1][0]}: expected the end of the map")
    return from_costs(costs, [(index % width, index // width) for index in cheese])


def _numbers(
    rows: Sequence[tuple[int, list[str]]], row: int, count: int | None, what: str
) -> list[int]:
    """The whole numbers of one line. Raises BadSetup `bad_map`, with the line's number from 1."""
    if row >= len(rows):
        raise BadSetup("bad_map", f"map: expected {what}, got the end of the text")
    number, words = rows[row]
    whole = all(word.isascii() and word.isdigit() and len(word) <= 6 for word in words)
    if not whole or count not in (None, len(words)):
        numbers = "whole numbers" if count is None else f"{count} whole number{'s' * (count > 1)}"
        why = f"expected {what} ({numbers}), got {_said(' '.join(words))}"
        raise BadSetup("bad_map", f"line {number}: {why}")
    return [int(word) for word in words]


def written(board: Board) -> str:
    """The map as JSON text in its one canonical form: one line, lists sorted as a Board holds them,
    absent parts left out."""
    shown: dict[str, Json] = {
        "width": board.width,
        "height": board.height,
        "walls": board.walls,
        "mud": board.mud,
        "cheese": board.cheese,
        "rat_start": board.rat_start,
        "python_start": board.python_start,
    }
    given = {key: value for key, value in shown.items() if value is not None}
    return json.dumps(given, separators=(",", ":"))
