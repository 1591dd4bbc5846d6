"""Cookoff in a terminal: two kitchens side by side, hands, orders, and how wide all that is."""

from __future__ import annotations

import pytest

from client_sdk.api.terminal import cookoff
from games import GAMES
from games.cookoff.state import NO_TEAM
from games.core import maps
from games.core.contract import SPECTATOR
from games.core.match import Match
from tests.client_sdk.cookoff_bots import KITCHEN

NAMES = ("ann", "bob")


@pytest.fixture
def columns(monkeypatch):
    """Sets the terminal's width."""

    def wide(number):
        monkeypatch.setenv("COLUMNS", str(number))

    wide(100)
    return wide


def view(*commands, viewer=SPECTATOR, turn=1, **config):
    """A moment in BLUE's part of a turn: BLUE has given one of these commands in each of its turns
    so far."""
    match = Match.begin(GAMES["cookoff"], {"rules": "awap2026", **config}, 1, KITCHEN)
    for number in range(1, turn + 1):
        while match.state.turn < number:
            match.advance() if match.state.acting == NO_TEAM else match.apply(
                match.state.acting, {"type": "end_turn"}
            )
        for command in commands[number - 1 : number]:
            assert match.apply(1, command).ok
    return match.view(viewer)


def drawn(seen, names=NAMES):
    return cookoff.draw(seen, names).plain.splitlines()


BOUGHT = {"type": "buy", "bot_id": 2, "item": "EGG", "x": 1, "y": 4}
COOKED = {"type": "start_cook", "bot_id": 2, "x": 2, "y": 4}
LAID = {"type": "place", "bot_id": 2, "x": 3, "y": 4}


def test_the_kitchens_stand_side_by_side_with_their_bots(columns):
    lines = drawn(view())

    assert lines[0] == "turn 1, BLUE plays"
    assert lines[1][:13] == "RED ann  $151"
    assert lines[1][51:] == "BLUE bob  $151"
    assert [line[:16] + "   " for line in lines[2:8]] == [
        "################   ",
        "##$ K + ##· + ##   ",
        "##S 0 + T · K ##   ",
        "##U · R · · $ ##   ",
        "##· 1 · · · · ##   ",
        "################   ",
    ]
    assert lines[4][51:] == "##S 2 + T · K ## 3"
    assert lines[8][:16].split() == ["0", "5"]


def test_hands_and_open_orders_are_shown_below(columns):
    lines = drawn(view(BOUGHT, turn=1))

    assert lines[9][:15] == "0 holds nothing"
    assert lines[9][51:] == "2 holds egg"
    assert [line[:50].rstrip() for line in lines[11:13]] == ["$40 in 59: sauce", "$90 in 79: egg"]


@pytest.mark.parametrize(("turn", "sign"), [(21, "e"), (22, "E"), (41, "E"), (42, "x")])
def test_food_on_the_cooker_is_shown_raw_then_ready_then_burnt(columns, turn, sign):
    assert f"##$ {sign} + ##" in drawn(view(BOUGHT, COOKED, turn=turn))[3][51:]


def test_items_on_counters_are_shown(columns):
    plate = BOUGHT | {"item": "PLATE"}

    assert "##$ K o ##" in drawn(view(plate, LAID, turn=2))[3][51:]


def test_a_cell_has_one_column_in_a_narrow_terminal(columns):
    columns(34)
    lines = drawn(view())

    assert lines[2][:8] == "########"
    assert lines[4][:8] == "#S0+T·K#"
    assert lines[4][18:] == "#S2+T·K# 3"


@pytest.mark.parametrize("number", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(columns, number):
    columns(number)
    for name in ("terrace", "galley", "island"):
        match = Match.begin(GAMES["cookoff"], {}, 1, maps.text("cookoff", name))
        match.advance()
        assert (
            max(map(len, drawn(match.view(0), ["a name that is much too long for its place"] * 2)))
            <= number
        )


def test_seats_that_are_away_or_failed_are_marked(columns):
    away = view(turn=41) | {
        "switched": {"RED": True, "BLUE": False},
        "failed": {"RED": None, "BLUE": "timeout"},
    }
    lines = drawn(away)

    assert lines[0].endswith("the switch window is open")
    assert lines[1].startswith("RED ann (away)")
    assert "BLUE bob (failed)" in lines[1]


def test_one_line_has_the_money():
    assert cookoff.line(view(), NAMES) == "turn 1, BLUE plays: ann 151, bob 151"


def test_a_person_can_skip_a_turn():
    question = cookoff.question(view(viewer=1))

    assert question.text.startswith("Your bots are 2, 3. Say what they do in this turn: 2 right,")
    assert question.answer("") == {"type": "end_turn"}
    GAMES["cookoff"].parse(question.answer("."))


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("0 right", [{"type": "move", "bot_id": 0, "dx": 1, "dy": 0}]),
        ("0 Buy plate 4 2", [{"type": "buy", "bot_id": 0, "item": "PLATE", "x": 4, "y": 2}]),
        ("0 submit, switch_maps", [{"type": "submit", "bot_id": 0}, {"type": "switch_maps"}]),
        ("0 chop downleft", [{"type": "chop", "bot_id": 0, "x": 2, "y": 4}]),
        ("", None),
        *((wrong, False) for wrong in ("9 right", "0", "0 fly", "0 chop 1", "0 buy", "0 up, x")),
    ],
)
def test_a_person_says_what_the_bots_do_in_a_turn(typed, commands):
    bots = [{"bot_id": 0, "x": 3, "y": 5}, {"bot_id": 9, "x": 3, "y": 3}]
    answer = cookoff.question({"bot_ids": [0], "bots": bots}).answer(typed)
    end = {"type": "end_turn"}

    assert answer == (None if commands is False else [*commands, end] if commands else end)
