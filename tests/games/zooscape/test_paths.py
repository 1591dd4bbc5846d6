"""RULES §5.5: shortest ways, and which of several."""

from __future__ import annotations

from random import Random

import pytest

from games.core.dice import Seeded
from games.zooscape import paths
from games.zooscape.board import Board, from_rows
from games.zooscape.generate import generate
from games.zooscape.maze import DIRECTIONS, IDLE, Maze, maze_of
from games.zooscape.paths import first_step, path
from games.zooscape.rules import Rules


def by_the_letter(maze: Maze, start: int, goal: int) -> list[int] | None:
    """The search of RULES §5.5 over one plain list, sorted after every expansion."""
    if not maze.walkable[goal]:
        return None
    height = {
        cell: abs(maze.xs[cell] - maze.xs[goal]) + abs(maze.ys[cell] - maze.ys[goal])
        for cell in range(maze.area)
    }
    listed, closed, cost, parent = [start], set(), {start: 0}, {}
    while listed:
        cell = listed.pop(0)
        if cell == goal:
            way = [cell]
            while cell in parent:
                cell = parent[cell]
                way.insert(0, cell)
            return way
        closed.add(cell)
        fresh = 0
        x, y = maze.xy(cell)
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if not (0 <= x + right < maze.width and 0 <= y + down < maze.height):
                continue
            other = maze.cell(x + right, y + down)
            if not maze.walkable[other] or other in closed:
                continue
            if other not in listed:
                listed.insert(len(listed) if fresh else 0, other)
                fresh += 1
            elif cost[other] <= cost[cell] + 1:
                continue
            cost[other], parent[other] = cost[cell] + 1, cell
        listed.sort(key=lambda cell: cost[cell] + height[cell])
    return None


def drawn(chance: Random) -> Board:
    """Noise, from an open room to a thicket, or a board as they are played."""
    if chance.random() < 0.3:
        rules = Rules(
            map_size=chance.choice((9, 15, 21)), map_openness=chance.choice((0.0, 0.5, 1.0))
        )
        return generate(rules, Seeded(chance.randrange(1000)).at(0))
    width, height, walls = (
        chance.randint(1, 20),
        chance.randint(1, 20),
        chance.choice((0.0, 0.1, 0.25, 0.4)),
    )
    return from_rows(
        [
            "".join("1" if chance.random() < walls else "2" for _ in range(width))
            for _ in range(height)
        ]
    )


def compare(seed: int) -> int:
    """How many pairs of cells of one board agree with the letter; raises at the first that does
    not."""
    chance = Random(seed)
    maze = maze_of(drawn(chance))
    for _ in range(20):
        start, goal = (chance.randrange(maze.area) for _ in range(2))
        expected = by_the_letter(maze, start, goal)
        step = first_step(maze, start, goal)
        assert expected == path(maze, start, goal)
        assert (None if expected is None else expected[min(1, len(expected) - 1)]) == (
            None if step is None else maze.steps[step][start]
        )
    return 20


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_every_path_is_that_of_the_reference(first: int) -> None:
    assert sum(compare(seed) for seed in range(first, first + 10)) == 200


def chase(seed: int) -> int:
    """How many first steps of three zookeepers that chase one animal equal those of a search that
    remembers nothing; raises at the first that does not."""
    chance = Random(seed)
    maze = maze_of(drawn(chance))
    free = [cell for cell in range(maze.area) if maze.walkable[cell]]
    chasing, goal = [chance.choice(free) for _ in range(3)], chance.choice(free)
    for _ in range(50):
        beside = [cell for cell in maze.beside[goal] if maze.walkable[cell]]
        goal = chance.choice(free if chance.random() < 0.05 else [goal, *beside * 3])
        for number, cell in enumerate(chasing):
            step, way = first_step(maze, cell, goal), path(maze, cell, goal)
            if step is None:
                assert way is None
                chasing[number] = chance.choice(free)
            else:
                chasing[number] = maze.steps[step][cell]
                assert way is not None
                assert chasing[number] == way[min(1, len(way) - 1)]
    return 150


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_a_step_that_follows_from_the_one_before_is_that_of_a_search(first: int) -> None:
    assert sum(chase(seed) for seed in range(first, first + 10)) == 1500


def test_in_a_corridor_no_step_is_searched_for_after_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    maze = room("00000", "01110", "01110", "00000")
    assert DIRECTIONS[first_step(maze, 1, 9) or IDLE] == "right"
    monkeypatch.delattr(paths, "_flooded")

    for cell, goal, step in ((2, 14, "right"), (3, 19, "right"), (4, 19, "down"), (9, 18, "down")):
        assert DIRECTIONS[first_step(maze, cell, goal) or IDLE] == step


@pytest.mark.soak
def test_every_path_is_that_of_the_reference_on_many_boards() -> None:
    assert sum(compare(seed) for seed in range(1_000, 4_000)) == 60_000


def room(*rows: str) -> Maze:
    return maze_of(from_rows(rows))


def test_on_the_goal_there_is_no_step() -> None:
    maze = room("00", "00")

    assert (first_step(maze, 3, 3), path(maze, 3, 3)) == (IDLE, [3])


@pytest.mark.parametrize("goal", ["1", "4"])
def test_no_path_leads_into_a_wall_or_a_cage(goal: str) -> None:
    maze = room(f"00{goal}")

    assert (first_step(maze, 0, 2), path(maze, 0, 2)) == (None, None)


def test_no_path_leads_through_a_portal() -> None:
    assert (first_step(room("010"), 0, 2), path(room("010"), 0, 2)) == (None, None)


def test_a_row_does_not_continue_in_the_next() -> None:
    maze = room("001", "111", "100")

    assert first_step(maze, 1, 7) is None


@pytest.mark.parametrize(
    ("rows", "step"),
    [
        (("000", "010", "000"), "right"),
        (("000", "000", "000"), "right"),
        (("000", "011", "000"), "down"),
        (("0000", "0110", "0000"), "right"),
    ],
)
def test_of_equally_short_paths_the_first_in_the_list_is_chosen(
    rows: tuple[str, ...], step: str
) -> None:
    maze = room(*rows)
    found = first_step(maze, 0, maze.area - 1)

    assert found is not None
    assert step == DIRECTIONS[found]


def test_a_cached_path_equals_the_calculated_one(monkeypatch: pytest.MonkeyPatch) -> None:
    maze = Maze(9, 9, b"\1" * 81, (), 40)
    once = [first_step(maze, 0, goal) for goal in range(81)]
    assert len(maze.first_steps) > 3
    assert once == [first_step(maze, 0, goal) for goal in range(81)]

    monkeypatch.setattr(paths, "REMEMBERED", 3)
    forgetful = Maze(9, 9, b"\1" * 81, (), 40)
    for goal in range(81):
        assert once[goal] == first_step(forgetful, 0, goal)
        assert len(forgetful.first_steps) <= 3
