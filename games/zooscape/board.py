"""Cells and maps: reading and writing boards, and saying what is wrong with one (RULES §3, §4).

A cell is x, y with x to the right and y downwards, 0, 0 at the top left. Inside the engine it is
the number x + y*width, and a board's contents are one ASCII digit per cell, so a row of the file is
a slice of them. Faults count lines and columns from 1, as an editor does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.core.contract import BadSetup
from games.core.text import text_of

DIGITS: Final = "012345678"
"""What a cell may hold, as a map file and a view write it."""
(
    EMPTY,
    WALL,
    PELLET,
    ZOOKEEPER_SPAWN,
    ANIMAL_SPAWN,
    POWER_PELLET,
    CHAMELEON_CLOAK,
    SCAVENGER,
    BIG_MOOSE_JUICE,
) = DIGITS.encode()

BLOCKED: Final = bytes((WALL, ANIMAL_SPAWN))
"""Cells that cannot be entered: an animal only leaves its cage."""

GENERATOR: Final = ("map_size", "map_teleports", "map_smoothness", "map_openness")
"""The parameters in the order of the contest's `generate:51|6|0.0|0.5`."""

CAGES: Final = 4
"""How many a map has, whatever the number of seats."""

Cell: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Board:
    """A map, read. `cells` holds width*height ASCII digits, row by row from the top."""

    width: int
    height: int
    cells: bytes
    spawns: tuple[Cell, ...]
    """The cages by seat."""
    centre: Cell
    """Where zookeepers appear."""


def parse_board(text: str) -> Board:
    """A map file, read and judged. Raises BadSetup with the first fault of `validate_map`."""
    check_no_generator(text)
    rows = rows_in(text)
    validate_map(rows)
    return from_rows(rows)


def check_no_generator(text: str) -> None:
    """Raises BadSetup for the contest's way to say how a board is drawn, which names ours."""
    if text.startswith("generate:"):
        values = text.removeprefix("generate:").split("|")
        ours = ", ".join(f"{name}={value}" for name, value in zip(GENERATOR, values, strict=False))
        raise BadSetup("bad_map", f"a board is drawn with the parameters {ours}", field="map")


def rows_in(text: str) -> list[str]:
    """The rows of a map file's text; a byte order mark, CR LF and blank lines at the end are no
    matter. Not judged."""
    return text_of(text).replace("\r\n", "\n").rstrip("\n").split("\n")


def from_rows(rows: Sequence[str], centre: Cell | None = None) -> Board:
    """The board that the rows draw, not judged: they are equally long and hold digits, the rest is
    up to them.

    `centre` is for a board without a 3 on it; without either it is the middle cell.
    """
    width, height = len(rows[0]), len(rows)
    cells = "".join(rows).encode()
    if centre is None:
        centre = cells.find(ZOOKEEPER_SPAWN)
    if centre < 0:
        centre = width // 2 + height // 2 * width
    spawns = [cell for cell, content in enumerate(cells) if content == ANIMAL_SPAWN]
    spawns.sort(key=lambda cell: cell % width)  # stable: column by column, each from the top
    return Board(width, height, cells, tuple(spawns), centre)


def rows_of(cells: bytes, width: int) -> list[str]:
    """The contents as rows of digits, from the top."""
    text = cells.decode()
    return [text[start : start + width] for start in range(0, len(text), width)]


def written(board: Board) -> str:
    """The map as a file's text: what `parse_board` reads."""
    return "\n".join(rows_of(board.cells, board.width)) + "\n"


def neighbours(cell: Cell, width: int, height: int) -> Iterator[Cell]:
    """The cells beside this one on the board, without its portals: left, right, up, down."""
    y, x = divmod(cell, width)
    if x > 0:
        yield cell - 1
    if x < width - 1:
        yield cell + 1
    if y > 0:
        yield cell - width
    if y < height - 1:
        yield cell + width


# What is wrong with a map: the checks of RULES §4 in the order of their codes.

MAP_ERRORS: Final = (
    "map_empty",
    "map_not_rectangular",
    "map_bad_cell",
    "map_zookeeper_spawn_count",
    "map_animal_spawn_count",
    "map_even_size",
    "map_zookeeper_not_centre",
    "map_not_symmetric",
    "map_cage_distance",
    "map_unreachable",
)


def validate_map(rows: Sequence[str]) -> None:
    """Judge a supplied map. Raises BadSetup with the first of `MAP_ERRORS` that applies."""
    _judge_shape(rows)
    _judge_counts(rows)
    _judge_size(rows)
    read = from_rows(rows)
    _judge_centre(read)
    _judge_symmetry(rows)
    _judge_cages(read)
    _judge_reach(read)


def _judge_shape(rows: Sequence[str]) -> None:
    if not rows or not rows[0]:
        raise _fault("map_empty", "expected rows of digits, got none")
    width = len(rows[0])
    for y, row in enumerate(rows):
        if len(row) != width:
            why = f"line {y + 1}: expected {width} cells as in line 1, got {len(row)}"
            raise _fault("map_not_rectangular", why)
    for y, row in enumerate(rows):
        for x, digit in enumerate(row):
            if digit not in DIGITS:
                why = f"{_place(x, y)}: expected a digit from 0 to 8, got {digit!r}"
                raise _fault("map_bad_cell", why)


def _judge_counts(rows: Sequence[str]) -> None:
    zookeepers, cages = (sum(row.count(digit) for row in rows) for digit in "34")
    if zookeepers != 1:
        why = f"expected one zookeeper spawn (3), got {zookeepers}"
        raise _fault("map_zookeeper_spawn_count", why)
    if cages != CAGES:
        raise _fault("map_animal_spawn_count", f"expected {CAGES} cages (4), got {cages}")


def _judge_size(rows: Sequence[str]) -> None:
    width, height = len(rows[0]), len(rows)
    if width % 2 == 0 or height % 2 == 0:
        why = f"expected an odd width and an odd height, got {width} x {height}"
        raise _fault("map_even_size", why)


def _judge_centre(board: Board) -> None:
    middle = board.width // 2, board.height // 2
    y, x = divmod(board.centre, board.width)
    if (x, y) != middle:
        why = f"{_place(x, y)}: expected the zookeeper spawn (3) at {_place(*middle)}"
        raise _fault("map_zookeeper_not_centre", why)


def _judge_symmetry(rows: Sequence[str]) -> None:
    last = len(rows) - 1
    for y, row in enumerate(rows):
        for mirror, other_y, flipped in ((row[::-1], y, True), (rows[last - y], last - y, False)):
            if row == mirror:
                continue
            x = next(x for x, digit in enumerate(row) if digit != mirror[x])
            other = _place(len(row) - 1 - x if flipped else x, other_y)
            why = f"{_place(x, y)}: expected {mirror[x]} as at {other}, got {row[x]}"
            raise _fault("map_not_symmetric", why)


def _judge_cages(board: Board) -> None:
    centre_y, centre_x = divmod(board.centre, board.width)
    distances = []
    for spawn in board.spawns:
        y, x = divmod(spawn, board.width)
        distances.append(abs(x - centre_x) + abs(y - centre_y))
    if len(set(distances)) > 1:
        listed = ", ".join(map(str, distances))
        why = f"expected all cages (4) equally far from the zookeeper spawn (3), got {listed} steps"
        raise _fault("map_cage_distance", why)


def _judge_reach(board: Board) -> None:
    """Every cell is reached without a portal, as zookeepers have none."""
    width, height = board.width, board.height
    blocked = bytearray(content in BLOCKED for content in board.cells)
    reached = bytearray(len(blocked))
    reached[board.centre] = 1
    open_ends = [board.centre]
    while open_ends:
        for near in neighbours(open_ends.pop(), width, height):
            if not (reached[near] or blocked[near]):
                reached[near] = 1
                open_ends.append(near)
    for cell, content in enumerate(board.cells):
        y, x = divmod(cell, width)
        if not (reached[cell] or blocked[cell]):
            why = f"{_place(x, y)}: expected a way from the zookeeper spawn (3) without portals"
            raise _fault("map_unreachable", why)
        if content == ANIMAL_SPAWN and not any(
            reached[near] for near in neighbours(cell, width, height)
        ):
            raise _fault("map_unreachable", f"{_place(x, y)}: expected a way out of the cage (4)")


def _place(x: int, y: int) -> str:
    return f"line {y + 1}, column {x + 1}"


def _fault(code: str, why: str) -> BadSetup:
    return BadSetup(code, f"map: {why}", field="map")
