"""RULES §7: ways through a maze."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.core.match import Match
from games.pyrat import GAME
from games.pyrat.board import DOWN, LEFT, RIGHT, STAY, UP
from games.pyrat.paths import (
    UNREACHABLE,
    cheese_matrix,
    distances_from,
    effective_actions,
    movement_matrix,
    nearest_cheeses,
    shortest_path,
)
from games.pyrat.state import CHEESE, PYTHON, RAT, Maze
from tests.games.pyrat.table import ODD_CONFIGS, table, turn


def slowly(maze: Maze, start: int) -> list[int]:
    """Distances by relaxing every passage until nothing changes: no queue, no order."""
    best = {start: 0}
    changed = True
    while changed:
        changed = False
        for cell in sorted(best):
            for move, cost in enumerate(maze.costs[cell]):
                near = maze.near(cell, move) if cost else cell
                if cost and best[cell] + cost < best.get(near, 10**9):
                    best[near] = best[cell] + cost
                    changed = True
    return [best.get(cell, UNREACHABLE) for cell in range(maze.cells)]


@given(
    st.sampled_from([config for config in ODD_CONFIGS if config.get("preset") != "swamp"]),
    st.integers(0, 500),
    st.data(),
)
def test_distances_and_paths_are_shortest(
    config: dict[str, object], seed: int, data: st.DataObject
) -> None:
    maze = Match.begin(GAME, config, seed).state.maze
    start, target = (data.draw(st.integers(0, maze.cells - 1)) for _ in range(2))
    distances, to_target = slowly(maze, start), slowly(maze, target)
    path = shortest_path(maze, start, target)

    assert distances_from(maze, start) == distances
    if distances[target] == UNREACHABLE:
        assert path is None
        return
    assert path is not None
    walked, cell = 0, start
    for near in path.cells:
        walked += next(
            cost
            for move, cost in enumerate(maze.costs[cell])
            if cost and maze.near(cell, move) == near
        )
        cell = near
    assert (cell, walked, path.cost) == (target, distances[target], distances[target])
    assert set(path.first_moves) == {
        move
        for move in range(4)
        if (cost := maze.costs[start][move])
        and cost + to_target[maze.near(start, move)] == to_target[start]
    }


def test_mud_costs_its_turns_and_a_detour_can_be_shorter() -> None:
    maze = table("...*", "R..P", mud=(((0, 0), (1, 0), 4),)).maze
    path = shortest_path(maze, maze.cell(0, 0), maze.cell(1, 0))

    assert path is not None
    assert (path.cost, path.first_moves, [maze.xy(cell) for cell in path.cells]) == (
        3,
        (UP,),
        [[0, 1], [1, 1], [1, 0]],
    )


def test_all_first_moves_of_equal_paths_are_returned() -> None:
    maze = table("...", "R.P", cheese=((1, 1),)).maze
    path = shortest_path(maze, maze.cell(0, 0), maze.cell(1, 1))

    assert path is not None
    assert (path.cost, path.first_moves) == (2, (UP, RIGHT))


def test_a_cell_has_no_path_to_itself() -> None:
    maze = table("*..", "R.P").maze
    path = shortest_path(maze, 0, 0)

    assert path is not None
    assert (path.cost, path.first_moves, path.cells) == (0, (), ())


def test_a_path_may_not_exist() -> None:
    state = table("*..", "R.P", walls=(((0, 0), (1, 0)), ((0, 0), (0, 1))))

    assert shortest_path(state.maze, 0, state.maze.cell(1, 0)) is None
    assert distances_from(state.maze, 0).count(UNREACHABLE) == 5
    assert nearest_cheeses(state.maze, state.now[CHEESE], 0) == []


def test_all_nearest_cheeses_are_returned_in_order() -> None:
    state = table("*.*", "*R*", "..P", cheese=((2, 1), (0, 1), (0, 2), (2, 2)))
    paths = nearest_cheeses(state.maze, state.now[CHEESE], state.maze.cell(1, 1))

    assert [(state.maze.xy(path.target), path.cost, path.first_moves) for path in paths] == [
        ([0, 1], 1, (LEFT,)),
        ([2, 1], 1, (RIGHT,)),
    ]


def test_the_matrices_are_indexed_by_x_then_y() -> None:
    state = table("*..", "R.P", walls=(((0, 0), (1, 0)),), mud=(((1, 0), (2, 0), 3),))

    assert movement_matrix(state.maze)[0] == [[0, -1, -1, -1], [-1, 0, 0, -1]]
    assert movement_matrix(state.maze)[1][0] == [0, 3, -1, -1]
    assert cheese_matrix(state.maze, state.now[CHEESE]) == [[0, 1], [0, 0], [0, 0]]


def test_a_closed_direction_stays_and_so_does_every_move_in_mud() -> None:
    state = table("*..", "R.P", walls=(((0, 0), (1, 0)),), mud=(((1, 0), (2, 0), 3),))

    assert effective_actions(state.maze, state.now, RAT) == [UP, STAY, STAY, STAY, STAY]
    assert effective_actions(state.maze, state.now, PYTHON) == [UP, STAY, STAY, LEFT, STAY]
    assert effective_actions(state.maze, turn(state, None, "LEFT").now, PYTHON) == [STAY] * 5
    assert DOWN not in effective_actions(state.maze, state.now, RAT)
