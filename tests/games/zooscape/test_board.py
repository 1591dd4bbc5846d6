"""RULES §4: maps, read and judged."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from games.core.contract import BadSetup
from games.zooscape.board import (
    MAP_ERRORS,
    PELLET,
    from_rows,
    parse_board,
    rows_of,
    validate_map,
    written,
)

EXAMPLE = ("1112111", "1422241", "1212121", "2223222", "1212121", "1422241", "1112111")


def fault_of(rows: Sequence[str]) -> BadSetup:
    with pytest.raises(BadSetup) as fault:
        validate_map(rows)
    return fault.value


def changed(*lines: tuple[int, str]) -> list[str]:
    """The example with other rows, by their index."""
    return [dict(lines).get(y, row) for y, row in enumerate(EXAMPLE)]


def test_the_example_of_the_rules_is_read() -> None:
    read = parse_board("\n".join(EXAMPLE))

    assert (read.width, read.height) == (7, 7)
    assert "".join(EXAMPLE).encode() == read.cells
    assert read.centre == 24
    assert read.cells.count(PELLET) == 20


def test_seats_are_counted_down_the_left_side_first() -> None:
    read = from_rows(EXAMPLE)

    assert [(spawn % 7, spawn // 7) for spawn in read.spawns] == [(1, 1), (1, 5), (5, 1), (5, 5)]


def test_cages_in_one_column_are_seated_from_the_top() -> None:
    read = from_rows(("142", "422", "242"))

    assert [(spawn % 3, spawn // 3) for spawn in read.spawns] == [(0, 1), (1, 0), (1, 2)]


@pytest.mark.parametrize("text", ["\ufeff{}", "{}\n", "{}\n\n", "\ufeff{}\r\n\r\n"])
def test_a_byte_order_mark_and_blank_lines_at_the_end_are_ignored(text: str) -> None:
    assert from_rows(EXAMPLE) == parse_board(text.format("\n".join(EXAMPLE)))


def test_windows_line_ends_are_accepted() -> None:
    assert from_rows(EXAMPLE) == parse_board("\r\n".join(EXAMPLE))


def test_a_written_file_is_read_back_and_written_alike() -> None:
    text = "\n".join(EXAMPLE) + "\n"

    assert text == written(parse_board(text))


def test_width_and_height_can_differ() -> None:
    wide = ("112111211", "142222241", "222131222", "142222241", "112111211")
    read = parse_board("\n".join(wide))

    assert (read.width, read.height) == (9, 5)
    assert list(wide) == rows_of(read.cells, 9)


def test_a_map_can_have_power_ups() -> None:
    validate_map(changed((1, "1452541"), (5, "1452541")))


@pytest.mark.parametrize(
    ("code", "rows", "message"),
    [
        ("map_empty", (), "got none"),
        ("map_empty", ("",), "got none"),
        (
            "map_not_rectangular",
            changed((6, "11121111")),
            "line 7: expected 7 cells as in line 1, got 8",
        ),
        (
            "map_bad_cell",
            changed((2, "12a2121")),
            "line 3, column 3: expected a digit from 0 to 8, got 'a'",
        ),
        ("map_bad_cell", changed((2, "1٢12121")), "line 3, column 2"),
        ("map_bad_cell", changed((2, "12 2121")), "got ' '"),
        ("map_bad_cell", changed((0, "9112111")), "line 1, column 1"),
        ("map_zookeeper_spawn_count", changed((3, "2222222")), "got 0"),
        ("map_zookeeper_spawn_count", changed((3, "2233322")), "got 3"),
        ("map_animal_spawn_count", changed((1, "1222241")), "got 3"),
        ("map_animal_spawn_count", changed((1, "1442241")), "got 5"),
        ("map_even_size", [row + "1" for row in EXAMPLE], "got 8 x 7"),
        ("map_even_size", [*EXAMPLE, "1112111"], "got 7 x 8"),
        ("map_zookeeper_not_centre", changed((1, "1423241"), (3, "2222222")), "line 2, column 4"),
        (
            "map_not_symmetric",
            changed((1, "1412241")),
            "line 2, column 3: expected 2 as at line 2, column 5, got 1",
        ),
        (
            "map_not_symmetric",
            changed((0, "1211121")),
            "line 1, column 2: expected 1 as at line 7, column 2, got 2",
        ),
        ("map_not_symmetric", changed((1, "1452241")), "got 5"),
        (
            "map_cage_distance",
            (
                "111111111",
                "122242221",
                "121222121",
                "142232241",
                "121222121",
                "122242221",
                "111111111",
            ),
            "got 3, 2, 2, 3 steps",
        ),
        (
            "map_unreachable",
            ("1112111", "1412141", "1112111", "2223222", "1112111", "1412141", "1112111"),
            "line 2, column 2: expected a way out of the cage",
        ),
        (
            "map_unreachable",
            ("1211121", "1111111", "1142411", "1123211", "1142411", "1111111", "1211121"),
            "line 1, column 2: expected a way from the zookeeper spawn (3) without portals",
        ),
    ],
)
def test_a_faulty_map_has_the_code_and_place_of_its_fault(
    code: str, rows: Sequence[str], message: str
) -> None:
    fault = fault_of(rows)

    assert (code, "map") == (fault.code, fault.field)
    assert message in fault.why


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ("map_empty", "map_not_rectangular", ("", "1")),
        ("map_not_rectangular", "map_bad_cell", changed((0, "9"))),
        ("map_bad_cell", "map_zookeeper_spawn_count", changed((3, "222x222"))),
        (
            "map_zookeeper_spawn_count",
            "map_animal_spawn_count",
            changed((1, "1222221"), (3, "2222222")),
        ),
        ("map_animal_spawn_count", "map_even_size", [*EXAMPLE, "4112111"]),
        (
            "map_even_size",
            "map_zookeeper_not_centre",
            [row + "11" for row in (*EXAMPLE, "1111111")],
        ),
        ("map_zookeeper_not_centre", "map_not_symmetric", changed((3, "2232222"))),
        ("map_not_symmetric", "map_cage_distance", changed((1, "1242241"))),
        (
            "map_cage_distance",
            "map_unreachable",
            (
                "111111111",
                "111141111",
                "111111111",
                "141131141",
                "111111111",
                "111141111",
                "111111111",
            ),
        ),
    ],
)
def test_of_two_faults_the_earlier_check_is_reported(
    first: str, second: str, rows: Sequence[str]
) -> None:
    assert MAP_ERRORS.index(first) < MAP_ERRORS.index(second)
    assert first == fault_of(rows).code


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\n1\n"])
def test_a_text_without_a_first_row_is_an_empty_map(text: str) -> None:
    with pytest.raises(BadSetup) as fault:
        parse_board(text)

    assert fault.value.code == "map_empty"


def test_unused_rows_can_contain_anything() -> None:
    read = from_rows(("2222", "2422"))

    assert (read.width, read.height) == (4, 2)
    assert read.spawns == (5,)
    assert read.centre == 6


def test_the_zookeeper_spawn_can_be_marked() -> None:
    assert from_rows(("222", "222"), centre=1).centre == 1
    assert from_rows(("222", "223")).centre == 5
