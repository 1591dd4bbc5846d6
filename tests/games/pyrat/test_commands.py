"""RULES §6: commands."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.contract import Rejected
from games.core.dice import Seeded
from games.core.match import Match
from games.core.parameters import configure
from games.pyrat import GAME
from games.pyrat.board import MOVES
from games.pyrat.state import PYTHON, RAT
from tests.games.pyrat.table import at, table, turn

MUD_3 = (((1, 0), (2, 0), 3),)


def begun(**config: Any) -> Match:
    return Match.begin(GAME, {"preset": "tiny"} | config, 1)


def test_every_name_is_read_as_its_code() -> None:
    assert [GAME.parse(name) for name in MOVES] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "raw",
    [
        "up",
        "FLY",
        "",
        " UP",
        0,
        1,
        4.0,
        True,
        None,
        [],
        ["UP"],
        {},
        {"move": "UP"},
        1e300,
        "U" * 10**5,
    ],
)
def test_anything_else_is_a_bad_action(raw: Any) -> None:
    with pytest.raises(Rejected) as fault:
        GAME.parse(raw)

    assert fault.value.code == "bad_action"
    assert len(fault.value.why) < 200


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (0, "UP"),
        (4, "STAY"),
        ("LEFT", "LEFT"),
        ({"move": "UP"}, "UP"),
        ({"move": 3}, "LEFT"),
        ({"move": "UP", "think_ms": 3}, "UP"),
        (5, 5),
        (-1, -1),
        (True, True),
        (1.0, 1.0),
        ({"move": True}, True),
        ({"turn": 1}, {"turn": 1}),
        (None, None),
    ],
)
def test_codes_and_objects_are_accepted(given: Any, meant: Any) -> None:
    spoken = GAME.from_shorthand(given)

    assert spoken == meant
    assert type(spoken) is type(meant)


def test_the_first_valid_move_of_a_turn_is_final() -> None:
    match = begun()
    match.apply(RAT, "DOWN")
    reply = match.apply(RAT, "LEFT")

    assert (reply.verdict, reply.code) == ("refused", "already_acted")
    assert match.state.sealed[RAT] == 2


def test_an_invalid_move_leaves_the_turn_open() -> None:
    match = begun()
    before = match.state

    assert match.apply(RAT, "FLY").code == "bad_action"
    assert match.state is before
    assert match.apply(RAT, "DOWN").ok


def test_no_move_is_a_bad_action_in_mud_too() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT", "STAY")
    match = Match(GAME, configure(GAME, {}), state, Seeded(0))

    assert match.apply(RAT, "FLY").code == "bad_action"
    assert match.state is state


def test_a_move_into_a_wall_is_accepted() -> None:
    assert begun().apply(RAT, "UP").ok


def test_seats_are_awaited_until_they_move() -> None:
    match = begun()
    assert match.awaited == {RAT, PYTHON}

    match.apply(PYTHON, "UP")
    assert match.awaited == {RAT}

    match.apply(RAT, "STAY")
    assert match.awaited == frozenset()

    match.advance()
    assert match.awaited == {RAT, PYTHON}


def test_a_seat_in_mud_is_not_awaited() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT", "STAY")

    assert GAME.awaited(state) == {PYTHON}
    assert GAME.awaited(turn(turn(state))) == {RAT, PYTHON}


def test_with_both_in_mud_no_seat_is_awaited() -> None:
    state = turn(
        table("*..", "R.P", mud=(((0, 0), (1, 0), 3), ((1, 0), (2, 0), 3))), "RIGHT", "LEFT"
    )

    assert GAME.awaited(state) == frozenset()


def test_a_move_in_mud_is_accepted_ignored_and_final() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT", "STAY")
    state, first = GAME.apply(state, RAT, GAME.parse("UP"), None)
    _, second = GAME.apply(state, RAT, GAME.parse("UP"), None)

    assert first.ok
    assert second.code == "already_acted"
    assert at(turn(state), RAT) == (2, 0)


def test_after_the_end_every_command_is_game_over_and_changes_nothing() -> None:
    match = begun(max_turns=1)
    match.advance()
    ended = match.state

    for raw in ("UP", "FLY", None):
        reply = match.apply(RAT, raw)
        assert (reply.verdict, reply.code) == ("rejected", "game_over")
    assert match.state is ended
    assert match.awaited == frozenset()


def test_a_move_of_one_turn_does_not_affect_the_next() -> None:
    match = begun()
    match.apply(RAT, "DOWN")
    match.advance()

    assert match.state.sealed == (None, None)
