"""RULES §4: boards from chance."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from games.core.contract import Json
from games.core.dice import Seeded
from games.core.parameters import configure
from games.pyrat import GAME
from games.pyrat.board import Board, Cell, judge_cheese, judge_connection, judge_maze, tidy, written
from games.pyrat.generate import filled
from games.pyrat.rules import PRESETS, Rules
from tests.games.pyrat.table import ODD_CONFIGS

ROOT = Path(__file__).parents[3]

EVERY_CONFIG: tuple[dict[str, Json], ...] = (
    *({"preset": preset} for preset in PRESETS),
    *ODD_CONFIGS,
)


def board(config: Mapping[str, Json], seed: int) -> Board:
    return filled(configure(GAME, config), Seeded(seed).at(0))


def mirror(board: Board, cell: Cell) -> Cell:
    return board.width - 1 - cell[0], board.height - 1 - cell[1]


def starts(board: Board) -> set[Cell]:
    assert board.rat_start is not None
    assert board.python_start is not None
    return {board.rat_start, board.python_start}


every_config = pytest.mark.parametrize("index", range(len(EVERY_CONFIG)), ids=lambda index: index)


@cache
def boards(index: int) -> tuple[Rules, list[Board]]:
    """The rules of one of EVERY_CONFIG, and a dozen boards."""
    config = EVERY_CONFIG[index]
    return configure(GAME, config), [board(config, seed) for seed in range(12)]


@every_config
def test_a_generated_board_is_connected_unless_that_is_switched_off(index: int) -> None:
    rules, made = boards(index)
    for one in made:
        judge_maze(one.width, one.height, one.walls, one.mud)
        if rules.connected:
            judge_connection(one.width, one.height, one.walls)


@every_config
def test_walls_and_mud_equal_their_mirror_if_symmetric(index: int) -> None:
    rules, made = boards(index)
    for one in made:
        walls = {tidy(mirror(one, cell), mirror(one, other)) for cell, other in one.walls}
        mud = {(*tidy(mirror(one, cell), mirror(one, other)), n) for cell, other, n in one.mud}
        if rules.symmetric:
            assert (walls, mud) == (set(one.walls), set(one.mud))


@every_config
def test_mud_is_on_passages_only_and_its_cost_within_the_limits(index: int) -> None:
    rules, made = boards(index)
    for one in made:
        assert not {(cell, other) for cell, other, _ in one.mud} & set(one.walls)
        assert all(rules.mud_min <= cost <= rules.mud_range for _, _, cost in one.mud)


@every_config
def test_the_exact_number_of_cheese_is_placed_and_mirrored_if_symmetric(index: int) -> None:
    rules, made = boards(index)
    for one in made:
        cheese = one.cheese or ()
        judge_cheese(one.width, one.height, cheese)
        assert len(set(cheese)) == rules.cheese_count
        if rules.cheese_symmetric:
            assert {mirror(one, cell) for cell in cheese} == set(cheese)


@every_config
def test_start_cells_and_their_mirrors_have_cheese_only_if_the_count_forces_it(index: int) -> None:
    rules, made = boards(index)
    for one in made:
        shunned = starts(one)
        if rules.cheese_symmetric:
            shunned |= {mirror(one, cell) for cell in starts(one)}
            if rules.cells % 2 and not rules.cheese_count % 2:
                shunned |= {(one.width // 2, one.height // 2)}
        if rules.cheese_count <= rules.cells - len(shunned):
            assert not shunned & set(one.cheese or ())


def test_orbits_of_cheese_are_drawn_uniformly() -> None:
    config = {"width": 3, "height": 3, "cheese_count": 2}
    drawn = [board(config, seed).cheese for seed in range(900)]

    assert {pair: drawn.count(pair) / 900 for pair in set(drawn)} == pytest.approx(
        {((0, 1), (2, 1)): 1 / 3, ((0, 2), (2, 0)): 1 / 3, ((1, 0), (1, 2)): 1 / 3}, abs=0.07
    )


def test_equal_seeds_give_equal_boards_and_others_do_not() -> None:
    boards = [board({"preset": "small"}, seed) for seed in range(30)]

    assert boards == [board({"preset": "small"}, seed) for seed in range(30)]
    assert len(set(boards)) == 30


PRINT_BOARDS = """
from hashlib import sha256
from tests.games.pyrat.test_generate import EVERY_CONFIG, board, written
print(sha256("".join(written(board(config, 5)) for config in EVERY_CONFIG).encode()).hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_every_process_generates_the_same_boards(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_BOARDS],
        cwd=ROOT,
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert (
        done.stdout.strip()
        == sha256(
            "".join(written(board(config, 5)) for config in EVERY_CONFIG).encode()
        ).hexdigest()
    )


def test_the_maze_does_not_depend_on_the_cheese() -> None:
    more, fewer = (board({"preset": "small", "cheese_count": count}, 3) for count in (21, 4))

    assert (more.walls, more.mud) == (fewer.walls, fewer.mud)


def test_the_cheese_does_not_depend_on_the_maze() -> None:
    walled, free = (
        board({"preset": "small", "wall_density": density}, 3) for density in (0.9, 0.1)
    )

    assert walled.walls != free.walls
    assert walled.cheese == free.cheese


@pytest.mark.parametrize(
    ("part", "fixed"),
    [
        ("maze_seed", ("walls", "mud")),
        ("cheese_seed", ("cheese",)),
        ("players_seed", ("rat_start", "python_start")),
    ],
)
def test_the_seed_of_one_part_fixes_only_that_part(part: str, fixed: tuple[str, ...]) -> None:
    config: dict[str, Json] = {
        "width": 13,
        "height": 11,
        "cheese_count": 6,
        "start_positions": "random",
        "symmetric": False,
        "cheese_symmetric": False,
    }
    boards = [board(config | {part: 9}, seed) for seed in range(8)]

    for name in ("walls", "mud", "cheese", "rat_start", "python_start"):
        values = {getattr(made, name) for made in boards}
        if name in fixed:
            assert len(values) == 1
        elif part != "players_seed" or name != "cheese":
            assert len(values) > 1


def test_corners_put_the_rat_top_right() -> None:
    made = board({"preset": "tiny"}, 1)

    assert (made.rat_start, made.python_start) == ((10, 8), (0, 0))


def test_random_symmetric_starts_mirror_each_other_and_reach_every_cell_but_the_centre() -> None:
    config = {"width": 3, "height": 3, "cheese_count": 1, "start_positions": "random_symmetric"}
    boards = [board(config, seed) for seed in range(200)]

    assert all(
        made.python_start == mirror(made, made.rat_start) for made in boards if made.rat_start
    )
    assert {made.rat_start for made in boards} == {(x, y) for x in range(3) for y in range(3)} - {
        (1, 1)
    }


def test_random_starts_are_two_cells_and_never_the_centre() -> None:
    config = {"width": 3, "height": 3, "cheese_count": 1, "start_positions": "random"}
    pairs = {
        (made.rat_start, made.python_start)
        for made in (board(config, seed) for seed in range(1500))
    }

    assert len(pairs) == 8 * 7
    assert (1, 1) not in {cell for pair in pairs for cell in pair}


@pytest.mark.parametrize("count", range(1, 26))
def test_every_count_that_parity_allows_is_possible(count: int) -> None:
    assert (
        len(set(board({"width": 5, "height": 5, "cheese_count": count}, count).cheese or ()))
        == count
    )


def test_an_odd_symmetric_count_includes_the_centre_and_an_even_one_does_not() -> None:
    for seed in range(20):
        assert (2, 2) in (board({"width": 5, "height": 5, "cheese_count": 3}, seed).cheese or ())
        assert (2, 2) not in (
            board({"width": 5, "height": 5, "cheese_count": 24}, seed).cheese or ()
        )


def test_full_walls_leave_nearly_a_spanning_tree() -> None:
    for seed in range(10):
        made = board({"width": 9, "height": 9, "cheese_count": 1, "wall_density": 1}, seed)
        passages = 2 * 9 * 8 - len(made.walls)
        assert 80 <= passages <= 88


def test_without_walls_the_board_is_open() -> None:
    assert board({"preset": "open"}, 1).walls == board({"preset": "open"}, 1).mud == ()


def test_walls_and_mud_are_as_frequent_as_their_densities() -> None:
    config = {
        "width": 20,
        "height": 20,
        "cheese_count": 2,
        "wall_density": 0.3,
        "connected": False,
        "mud_density": 0.25,
    }
    boards = [board(config, seed) for seed in range(40)]
    borders = 2 * 20 * 19 * 40
    walls = sum(len(made.walls) for made in boards)

    assert walls / borders == pytest.approx(0.3, abs=0.02)
    assert sum(len(made.mud) for made in boards) / (borders - walls) == pytest.approx(
        0.25, abs=0.02
    )


def test_mud_is_rolled_once_where_connecting_opens_a_wall() -> None:
    config = {"width": 12, "height": 12, "cheese_count": 2, "wall_density": 1, "mud_density": 0.3}
    boards = [board(config, seed) for seed in range(40)]
    passages = sum(2 * 12 * 11 - len(made.walls) for made in boards)

    assert sum(len(made.mud) for made in boards) / passages == pytest.approx(0.3, abs=0.03)


def test_borders_beside_the_centre_of_an_even_board_have_one_chance_to_open() -> None:
    config = {"width": 4, "height": 4, "wall_density": 0.5, "connected": False, "cheese_count": 2}
    boards = [board(config, seed) for seed in range(600)]

    for wall in (((1, 1), (2, 1)), ((1, 1), (1, 2))):
        assert sum(wall in made.walls for made in boards) / 600 == pytest.approx(0.5, abs=0.08)


def test_mud_costs_are_spread_over_their_range() -> None:
    config = {
        "width": 20,
        "height": 20,
        "cheese_count": 2,
        "wall_density": 0,
        "mud_density": 1,
        "mud_min": 4,
        "mud_range": 6,
    }
    costs = [cost for _, _, cost in board(config, 1).mud]

    assert [costs.count(cost) / len(costs) for cost in (4, 5, 6)] == pytest.approx(
        [1 / 3] * 3, abs=0.07
    )
