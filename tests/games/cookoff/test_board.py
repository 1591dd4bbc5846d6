"""RULES §4.1: map files, and what is wrong with one."""

from __future__ import annotations

import pytest

from games.cookoff.board import Board, OrderLine, check_upload, parse_board
from games.core import maps
from games.core.contract import BadSetup

EXAMPLE = maps.text("cookoff", "example")


def fault(text: str) -> str:
    with pytest.raises(BadSetup) as refused:
        parse_board(text)
    assert refused.value.code == "bad_map"
    return refused.value.why


def test_a_map_is_read_from_the_top() -> None:
    read = parse_board(EXAMPLE)

    assert (read.width, read.height) == (16, 6)
    assert read.rows[1] == "#...C.....$....#"
    assert read.spawns == ((14, 4), (7, 1))
    assert (read.switch_turn, read.switch_duration) == (250, 100)
    assert read.orders == (OrderLine(0, 200, ("NOODLES", "MEAT"), 10_000, 3),)


def test_all_line_ends_are_accepted() -> None:
    assert (
        parse_board(EXAMPLE.replace("\n", "\r\n"))
        == parse_board(EXAMPLE)
        == parse_board(EXAMPLE.replace("\n", "  \n"))
    )


def test_comments_and_empty_lines_are_ignored() -> None:
    assert parse_board("// a kitchen\n\nb.U\n  // more\n...\n") == parse_board("b.U\n...")


def test_a_window_can_be_anywhere_and_the_last_one_counts() -> None:
    read = parse_board(
        "SWITCH: turn=9\nb.U\nORDERS:\nstart=1 duration=2 required=EGG\n  switch: soon "
        "DURATION=4 turn=7 x=1"
    )

    assert (read.switch_turn, read.switch_duration) == (7, 4)
    assert len(read.orders) == 1


def test_fields_missing_in_an_order_come_from_the_rules() -> None:
    assert parse_board("b.U\nORDERS:\nstart=1 duration=2 required=EGG").orders == (
        OrderLine(1, 2, ("EGG",)),
    )


def test_keys_and_foods_may_have_any_case_a_prefix_and_empty_parts() -> None:
    line = "START=+1 Duration=2 required=FoodType.egg,,Sauce, reward=7 mood=good"

    assert parse_board(f"b.U\norders:\n{line}").orders == (OrderLine(1, 2, ("EGG", "SAUCE"), 7),)
    assert parse_board("b.U\nORDERS:\nstart=1 duration=-2 required=").orders == (
        OrderLine(1, -2, ()),
    )


def test_an_order_ends_at_a_comment_and_without_a_heading_there_are_none() -> None:
    text = "b.U\nORDERS:\n# none\nstart=1 duration=2 required=EGG # reward=7\n"

    assert parse_board(text).orders == (OrderLine(1, 2, ("EGG",)),)
    assert parse_board(text.replace(" # reward", " //reward")).orders == parse_board(text).orders
    assert parse_board("b.U\n").orders == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1: expected a row of tiles; got none"),
        ("// nothing\nORDERS:\n", "line 2, column 1: expected a row of tiles; got none"),
        ("b.U\n\n..\n", "line 3, column 3: expected 3 tiles, as many as in line 1; got 2"),
        ("b.U\n....\n", "line 2, column 4: expected 3 tiles, as many as in line 1; got 4"),
        ("b.U\n..X\n", "line 2, column 3: expected a tile, one of . # C B S T K R U $ b; got 'X'"),
        (" b.U\n", "line 1, column 1: expected a tile, one of . # C B S T K R U $ b; got a blank"),
        (
            "b.U\nSWITCH: turn=x\n",
            "line 2, column 14: expected a whole number of at most 9 digits; got 'x'",
        ),
        (
            "b.U\nSWITCH: turn=\n",
            "line 2, column 14: expected a whole number of at most 9 digits; got nothing",
        ),
    ],
)
def test_an_invalid_layout_is_reported_with_its_place(text: str, why: str) -> None:
    assert fault(text) == why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "start=1 duration=2 required=EGG soon",
            "column 33: expected key=value without blanks; got 'soon'",
        ),
        (
            "start=1 duration=2 required=EGG, SAUCE",
            "column 34: expected key=value without blanks; got 'SAUCE'",
        ),
        (
            "start=1 required=EGG",
            "column 1: expected an order with start, duration and required; no duration is given",
        ),
        (
            " sstart=0 duration=2 required=EGG",
            "column 2: expected an order with start, duration and required; no start is given",
        ),
        (
            "start=one duration=2 required=EGG",
            "column 7: expected a whole number of at most 9 digits; got 'one'",
        ),
        (
            "start=1.5 duration=2 required=EGG",
            "column 7: expected a whole number of at most 9 digits; got '1.5'",
        ),
        (
            "start=1 duration=1234567890 required=EGG",
            "column 18: expected a whole number of at most 9 digits; got '1234567890'",
        ),
        (
            "start=1 duration=2 required=EGG,BUNS",
            "column 33: expected a food, one of EGG, ONIONS, MEAT, NOODLES, SAUCE; got 'BUNS'",
        ),
        (
            "start=1 duration=2 required=EGG reward=",
            "column 40: expected a whole number of at most 9 digits; got nothing",
        ),
    ],
)
def test_an_invalid_order_is_reported_with_its_place(line: str, why: str) -> None:
    assert fault(f"b.U\n\nORDERS:\nstart=1 duration=2 required=EGG\n{line}\n").startswith(
        f"line 5, {why}"
    )


def test_a_missing_key_is_reported_with_the_present_ones() -> None:
    assert "got an order with duration, required, sstart only" in fault(
        "b.U\nORDERS:\nsstart=0 duration=2 required=EGG"
    )


def test_a_long_value_is_shortened_in_the_message() -> None:
    assert len(fault("b.U\nORDERS:\nstart=1 duration=2 required=" + "x" * 10_000)) < 200


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["$U..."] * 6, "width: expected 6 to 48, got 5"),
        (["$U...."] * 49, "height: expected 6 to 48, got 49"),
        (["U....."] * 6, r"layout: expected at least one SHOP \(\$\), got none"),
        (["$....."] * 6, r"layout: expected at least one SUBMIT \(U\), got none"),
    ],
)
def test_an_uploaded_map_has_a_size_a_shop_and_a_submit_tile(rows: list[str], why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        check_upload(parse_board("\n".join(rows)))


@pytest.mark.parametrize("rows", [["$U...."] * 6, ["$U" + "." * 46] * 48])
def test_an_uploaded_map_has_a_smallest_and_a_largest_size(rows: list[str]) -> None:
    check_upload(parse_board("\n".join(rows)))


def test_the_engine_plays_any_size() -> None:
    assert parse_board("bb") == Board(("..",), ((0, 0), (1, 0)))
