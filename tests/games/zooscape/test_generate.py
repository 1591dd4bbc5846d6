"""RULES §4: boards from chance."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from games.core.contract import BadSetup, Json
from games.core.dice import Seeded, Stream
from games.zooscape.board import (
    ANIMAL_SPAWN,
    BLOCKED,
    EMPTY,
    PELLET,
    WALL,
    ZOOKEEPER_SPAWN,
    Board,
    rows_of,
    validate_map,
    written,
)
from games.zooscape.generate import Quadrant, add_forks, generate, open_dead_ends, perfect_maze
from games.zooscape.rules import Rules

ROOT = Path(__file__).parents[3]

SIZES = (9, 11, 13, 15, 17, 21, 31, 51, 53, 73, 97, 99)
"""Of both kinds: the two centre lines are corridors where size mod 4 is 3."""

SETTINGS = (
    (6, 0, 0.5),
    (0, 0, 0),
    (0, 1, 0),
    (5, 1, 1),
    (20, 0.5, 0.5),
    (1, 0.5, 0.2),
    (2, 0.9, 0),
)
"""Teleports, smoothness, openness."""

CROWDED = {9: 8, 11: 8, 13: 12, 15: 12, 17: 16}
"""How many portal lines fit where twenty are asked for."""

LENGTHS = [pytest.param(4, id="short"), pytest.param(60, id="long", marks=pytest.mark.soak)]


def made(seed: int, **rules: Json) -> Board:
    return generate(Rules(**rules), Seeded(seed).at(0))


def portals(board: Board) -> tuple[int, int]:
    """Portal lines: columns, rows."""
    return sum(cell != WALL for cell in board.cells[: board.width]), sum(
        cell != WALL for cell in board.cells[:: board.width]
    )


def dead_ends(board: Board) -> Iterator[tuple[int, int]]:
    """The cells x, y with fewer than two ways out, portals counted."""
    width, height = board.width, board.height
    for cell, content in enumerate(board.cells):
        y, x = divmod(cell, width)
        around = (
            ((x - 1) % width, y),
            ((x + 1) % width, y),
            (x, (y - 1) % height),
            (x, (y + 1) % height),
        )
        if (
            content not in BLOCKED
            and sum(board.cells[nx + ny * width] not in BLOCKED for nx, ny in around) < 2
        ):
            yield x, y


@pytest.mark.parametrize("seeds", LENGTHS)
@pytest.mark.parametrize(("teleports", "smoothness", "openness"), SETTINGS)
def test_a_generated_board_is_valid(
    teleports: int, smoothness: float, openness: float, seeds: int
) -> None:
    for size in SIZES:
        for seed in range(seeds):
            board = made(
                seed,
                map_size=size,
                map_teleports=teleports,
                map_smoothness=smoothness,
                map_openness=openness,
            )
            validate_map(rows_of(board.cells, size))
            assert set(bytes((WALL, PELLET, ZOOKEEPER_SPAWN, ANIMAL_SPAWN))) == set(board.cells)
            assert list(dead_ends(board)) == []
            assert min(teleports, CROWDED.get(size, 20)) == sum(portals(board))


@pytest.mark.parametrize("size", range(9, 100, 2))
def test_every_odd_size_is_possible(size: int) -> None:
    board = made(size, map_size=size, map_openness=0.0, map_rooms="empty")

    validate_map(rows_of(board.cells, size))
    assert list(dead_ends(board)) == []


def test_a_board_is_symmetric_in_both_directions() -> None:
    rows = rows_of(made(4).cells, 51)

    assert rows == rows[::-1] == [row[::-1] for row in rows]


def test_equal_seeds_give_equal_boards_and_others_do_not() -> None:
    boards = [made(seed, map_size=21) for seed in range(60)]

    assert boards == [made(seed, map_size=21) for seed in range(60)]
    assert len(set(boards)) == 60


def digest() -> str:
    boards = (
        made(
            5,
            map_size=size,
            map_teleports=teleports,
            map_smoothness=smoothness,
            map_openness=openness,
        )
        for size in SIZES
        for teleports, smoothness, openness in SETTINGS
    )
    return sha256("".join(map(written, boards)).encode()).hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_every_process_generates_the_same_boards(hash_seed: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from tests.games.zooscape.test_generate import digest; print(digest())",
        ],
        cwd=ROOT,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert digest() == done.stdout.strip()


def test_a_parameter_changes_only_its_own_part() -> None:
    """What is drawn for the cage does not depend on the maze, nor the portals on how open it is."""
    narrow, wide = (made(7, map_openness=openness) for openness in (0.1, 0.9))

    assert narrow.spawns == wide.spawns
    assert [cell == WALL for cell in narrow.cells[:51]] == [
        cell == WALL for cell in wide.cells[:51]
    ]
    assert narrow.cells != wide.cells
    assert made(7).spawns == made(7, map_teleports=20).spawns


# The maze.


def test_a_perfect_maze_has_one_path_between_any_two_cells() -> None:
    maze = perfect_maze(9, 0.5, Stream(b"perfect"))
    inner = sum(
        maze.near(cell, side) is not None
        for cell, walls in enumerate(maze.walls)
        for side in range(4)
        if side not in walls
    )
    reached, ends = {0}, [0]
    while ends:
        cell = ends.pop()
        near = [maze.near(cell, side) for side in range(4) if side not in maze.walls[cell]]
        new = [there for there in near if there is not None and there not in reached]
        reached.update(new)
        ends += new

    assert len(reached) == 81
    assert inner == 2 * 80


def test_smooth_mazes_have_straight_corridors() -> None:
    def straight(smoothness: float) -> int:
        mazes = [perfect_maze(20, smoothness, Stream(bytes((number,)))) for number in range(10)]
        return sum(walls in ([0, 2], [1, 3]) for maze in mazes for walls in maze.walls)

    assert straight(0.0) < straight(0.5) < straight(1.0)
    assert 2 * straight(0.0) < straight(1.0)


def test_there_are_no_dead_ends() -> None:
    maze = perfect_maze(12, 0.0, Stream(b"dead ends"))
    assert maze.with_walls(3)

    open_dead_ends(maze, Stream(b"opened"))

    assert maze.with_walls(3) == []


@pytest.mark.parametrize("openness", [0.0, 0.25, 0.5, 1.0])
def test_forks_reach_their_share(openness: float) -> None:
    maze = perfect_maze(20, 0.0, Stream(b"forks"))
    open_dead_ends(maze, Stream(b"opened"))
    before, corridors = len(maze.with_walls(1)), len(maze.with_walls(2))

    add_forks(maze, openness, Stream(b"added"))

    lost = corridors - len(maze.with_walls(2))
    missing = max(int(400 * openness) - before, 0)
    assert lost == 0 if missing == 0 else min(missing, corridors) // 2 <= lost


# The places.


def test_six_teleports_are_two_lines_in_one_direction_and_four_in_the_other() -> None:
    assert {(2, 4), (4, 2)} == {portals(made(seed)) for seed in range(20)}


def test_an_odd_teleport_is_in_the_middle_with_the_cell_behind_it() -> None:
    for size in (13, 51):
        boards = [made(seed, map_size=size, map_teleports=1) for seed in range(20)]
        middle = size // 2
        for board in boards:
            rows = rows_of(board.cells, size)
            assert "22" in (rows[0][middle] + rows[1][middle], rows[middle][:2])
        assert {(1, 0), (0, 1)} == set(map(portals, boards))


def test_cages_are_placed_wherever_there_is_room() -> None:
    corners = {
        (board.spawns[0] % 51, board.spawns[0] // 51)
        for board in (made(seed) for seed in range(150))
    }

    assert {(at, at) for at in range(2, 14)} == corners


def test_empty_rooms_are_the_same_board_without_their_pellets() -> None:
    full, empty = (made(3, map_rooms=rooms) for rooms in ("pellets", "empty"))
    (x, y), middle = (full.spawns[0] % 51, full.spawns[0] // 51), 25
    ring = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    cages = [(x, y), (50 - x, y), (x, 50 - y), (50 - x, 50 - y)]
    rooms = {mx + dx + (my + dy) * 51 for mx, my in (*cages, (middle, middle)) for dx, dy in ring}

    assert rooms == {cell for cell, content in enumerate(empty.cells) if content == EMPTY}
    assert all(full.cells[cell] == PELLET for cell in rooms)
    assert all(
        full.cells[cell] == empty.cells[cell] for cell in range(51 * 51) if cell not in rooms
    )


def test_a_default_board_has_about_1480_pellets_outside_the_rooms() -> None:
    counts = [made(seed, map_rooms="empty").cells.count(PELLET) for seed in range(60)]

    assert 1470 < sum(counts) / 60 < 1490
    assert 1430 < min(counts) < max(counts) < 1530


# Mending.


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many walls each board had to lose to be one part, as they are made."""
    counts: list[int] = []
    mend = Quadrant.mend

    def counted(self: Quadrant, stream: Stream) -> None:
        before = self.cells.count(WALL)
        mend(self, stream)
        counts.append(before - self.cells.count(WALL))

    monkeypatch.setattr(Quadrant, "mend", counted)
    return counts


@pytest.mark.parametrize("size", [9, 11, 15, 31, 51])
def test_only_disconnected_sizes_need_repair(opened: list[int], size: int) -> None:
    for seed in range(25):
        made(seed, map_size=size, map_openness=0.0)

    assert opened == [0] * 25


def test_repair_opens_few_walls(opened: list[int]) -> None:
    for seed in range(40):
        made(seed, map_size=53, map_teleports=0, map_openness=0.0)

    assert sum(count > 0 for count in opened) > 20
    assert max(opened) <= 7


def test_without_repair_a_board_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Quadrant, "mend", lambda self, stream: None)
    codes = set()
    for seed in range(20):
        board = made(seed, map_size=53, map_teleports=0, map_openness=0.0)
        try:
            validate_map(rows_of(board.cells, 53))
        except BadSetup as fault:
            codes.add(fault.code)

    assert {"map_unreachable"} == codes
