"""RULES §4: maps, and the older forms of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.core.contract import BadSetup
from games.core.match import Match
from games.pyrat import GAME
from games.pyrat.board import Board, from_costs, parse_board, written

MAPS = sorted((Path(__file__).parents[3] / "maps" / "pyrat").glob("*.json"))

EXAMPLE = (
    '{"width":3,"height":2,"walls":[[[0,0],[1,0]]],"mud":[[[1,0],[1,1],3]],'
    '"cheese":[[1,1]],"rat_start":[2,1],"python_start":[0,0]}'
)

MAZE_LINES = """3
2
1 0 0 0
3 0 0 1
1 0 1 0
0 1 0 1
0 3 1 1
0 1 1 0
4 2
"""


def code_of(text: str) -> str:
    with pytest.raises(BadSetup) as fault:
        parse_board(text)
    return fault.value.code


def why(text: str) -> str:
    with pytest.raises(BadSetup) as fault:
        parse_board(text)
    return fault.value.why


def test_the_example_of_the_rules_is_read() -> None:
    assert parse_board(EXAMPLE) == Board(
        3, 2, (((0, 0), (1, 0)),), (((1, 0), (1, 1), 3),), ((1, 1),), (2, 1), (0, 0)
    )


def test_a_written_file_is_read_back_and_written_alike() -> None:
    assert written(parse_board(EXAMPLE)) == EXAMPLE
    assert (
        written(parse_board('{"width":2,"height":2}'))
        == '{"width":2,"height":2,"walls":[],"mud":[]}'
    )


def test_pairs_are_unordered_when_read_and_sorted_when_written() -> None:
    text = (
        '{"width":3,"height":2,"walls":[[[2,0],[1,0]],[[1,0],[0,0]]],'
        '"mud":[[[1,1],[1,0],3]],"cheese":[[2,0],[0,1]]}'
    )
    shown = json.loads(written(parse_board(text)))

    assert shown["walls"] == [[[0, 0], [1, 0]], [[1, 0], [2, 0]]]
    assert shown["mud"] == [[[1, 0], [1, 1], 3]]
    assert shown["cheese"] == [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("bad_dimensions", {"width": 1}),
        ("bad_dimensions", {"height": None}),
        ("bad_dimensions", {"height": 65}),
        ("bad_dimensions", {"width": 3.0}),
        ("bad_position", {"rat_start": None}),
        ("bad_position", {"rat_start": [3, 0]}),
        ("bad_wall", {"walls": [[[0, 0], [1, 1]]]}),
        ("duplicate_wall", {"walls": [[[0, 0], [1, 0]], [[1, 0], [0, 0]]]}),
        ("bad_mud", {"mud": [[[0, 0], [0, 1], 1]]}),
        ("duplicate_mud", {"mud": [[[0, 0], [0, 1], 2], [[0, 1], [0, 0], 2]]}),
        ("mud_on_wall", {"mud": [[[1, 0], [0, 0], 2]]}),
        ("bad_cheese", {"cheese": [[1, 2]]}),
        ("duplicate_cheese", {"cheese": [[1, 1], [1, 1]]}),
        ("bad_cheese_count", {"cheese": []}),
        ("bad_map", {"holes": []}),
    ],
)
def test_a_faulty_map_has_the_code_of_its_fault(code: str, change: dict[str, Any]) -> None:
    assert code_of(json.dumps(json.loads(EXAMPLE) | change)) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"width":',
        "[]",
        "hello",
        "{" * 100_000,
        '{"a":' * 100_000,
        "3\n",
        "3\nx",
        "\0",
        "٣\n٣",
    ],
)
def test_an_invalid_map_is_refused_with_a_reason(text: str) -> None:
    assert code_of(text) == "bad_map"


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_our_maps_are_canonical_symmetric_and_playable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    read = parse_board(text)

    def mirror(cell: tuple[int, int]) -> tuple[int, int]:
        return read.width - 1 - cell[0], read.height - 1 - cell[1]

    assert text == written(read) + "\n"
    assert {tuple(sorted((mirror(one), mirror(other)))) for one, other in read.walls} == set(
        read.walls
    )
    assert {mirror(cell) for cell in read.cheese or ()} == set(read.cheese or ())
    assert read.rat_start == mirror(read.python_start or (0, 0))
    assert Match.begin(GAME, {}, 1, text).state.maze.total_cheese == len(read.cheese or ())


def test_maps_exist() -> None:
    assert {"learning", "swamp", "open", "classic"} <= {path.stem for path in MAPS}


def test_the_courses_maze_lines_are_read() -> None:
    read = parse_board(MAZE_LINES)

    assert (read.width, read.height) == (3, 2)
    assert read.walls == (((0, 0), (1, 0)),)
    assert read.mud == (((1, 0), (1, 1), 3),)
    assert read.cheese == ((1, 1), (2, 0))
    assert read.rat_start is None


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (3, "1 0 0", "line 3"),
        (4, "3 0 0 x", "line 4"),
        (4, "2 0 0 1", "one cost both ways"),
        (3, "1 1 0 0", "two adjacent cells"),
        (1, "300", "width"),
        (9, "4 6", "cheese"),
        (9, "4 2\n7", "line 10"),
    ],
)
def test_a_faulty_maze_line_is_reported(line: int, text: str, message: str) -> None:
    lines = MAZE_LINES.splitlines()
    lines[line - 1] = text

    assert message in why("\n".join(lines))


def test_maze_lines_can_end_without_cheese_but_not_without_cells() -> None:
    lines = MAZE_LINES.splitlines()

    assert parse_board("\n".join(lines[:8])).cheese is None
    assert "end of the text" in why("\n".join(lines[:7]))


def test_a_dict_of_costs_is_read() -> None:
    read = from_costs(
        {(0, 0): {(0, 1): 1}, (0, 1): {(0, 0): 1, (1, 1): 4}, (1, 1): {(0, 1): 4}}, [(1, 1)]
    )

    assert (read.width, read.height) == (2, 2)
    assert read.walls == (((0, 0), (1, 0)), ((1, 0), (1, 1)))
    assert read.mud == (((0, 1), (1, 1), 4),)
    assert read.cheese == ((1, 1),)


@pytest.mark.parametrize(
    "costs",
    [
        {},
        {(0, 0): {(1, 0): 1}, (1, 0): {}},
        {(0, 0): {(1, 1): 1}, (1, 1): {(0, 0): 1}},
        {(0, 0): {(-1, 0): 1}, (-1, 0): {(0, 0): 1}, (1, 1): {}},
    ],
    ids=["empty", "one way", "not adjacent", "outside"],
)
def test_an_invalid_dict_of_costs_is_refused(
    costs: dict[tuple[int, int], dict[tuple[int, int], int]],
) -> None:
    with pytest.raises(BadSetup) as fault:
        from_costs(costs)

    assert fault.value.code == "bad_map"
