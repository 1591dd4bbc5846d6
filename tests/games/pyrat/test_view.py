"""RULES §7: the view."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from games.core.contract import SPECTATOR
from games.core.parameters import configure
from games.pyrat import GAME
from games.pyrat.board import MOVES
from games.pyrat.state import PYTHON, RAT, SEATS
from tests.games.pyrat.table import DICE, random_states, table, turn, turns

KEYS = {
    "turn",
    "max_turns",
    "you",
    "must_act",
    "moves",
    "rat",
    "python",
    "cheese",
    "collected",
    "total_cheese",
    "outcomes",
    "timeouts",
    "state_hash",
    "maze",
}
MUDDY = (((1, 0), (2, 0), 3),)


def test_a_view_has_the_documented_fields() -> None:
    state = turn(table("*..*", ".R.P", mud=MUDDY, walls=(((3, 0), (3, 1)),)), "RIGHT", None)
    seen = GAME.view(state, RAT)

    assert seen == {
        "turn": 1,
        "max_turns": 300,
        "you": "rat",
        "must_act": False,
        "moves": [],
        "rat": {
            "position": [2, 0],
            "mud_turns": 2,
            "mud_from": [1, 0],
            "score": 0.0,
            "misses": 0,
            "last_move": "RIGHT",
        },
        "python": {
            "position": [3, 0],
            "mud_turns": 0,
            "mud_from": None,
            "score": 0.0,
            "misses": 1,
            "last_move": "STAY",
        },
        "cheese": [[0, 1], [3, 1]],
        "collected": [],
        "total_cheese": 2,
        "outcomes": {"rat": "entered_mud", "python": "stayed"},
        "timeouts": ["python"],
        "state_hash": seen["state_hash"],
        "maze": {
            "width": 4,
            "height": 2,
            "walls": [[[3, 0], [3, 1]]],
            "mud": [[[1, 0], [2, 0], 3]],
        },
    }


def test_the_first_view_has_no_last_turn() -> None:
    seen = GAME.view(table("*..", "R.P"), PYTHON)

    assert seen["outcomes"] == {"rat": None, "python": None}
    assert (seen["collected"], seen["timeouts"], seen["must_act"]) == ([], [], True)
    assert seen["moves"] == ["UP", "LEFT"]


def test_a_spectator_has_no_seat() -> None:
    seen = GAME.view(table("*..", "R.P"), SPECTATOR)

    assert (seen["you"], seen["must_act"], seen["moves"]) == (None, False, [])


def test_a_seats_view_is_the_spectators_with_its_private_fields() -> None:
    assert GAME.private_fields is not None
    for state in random_states({"preset": "tiny", "max_turns": 15}, 5):
        for seat in SEATS:
            seen = GAME.view(state, SPECTATOR) | dict(GAME.private_fields(state, seat))
            assert GAME.view(state, seat) == seen


def test_collected_cells_are_shown_for_one_turn() -> None:
    state = turn(table("R**P", "****"), "RIGHT", "LEFT")

    assert GAME.view(state, RAT)["collected"] == [[1, 1], [2, 1]]
    assert GAME.view(turn(state), RAT)["collected"] == []


def test_scores_can_be_halves() -> None:
    assert GAME.view(turn(table("R*P", "***"), "RIGHT", "LEFT"), RAT)["python"]["score"] == 0.5


def test_moves_of_the_open_turn_are_hidden_from_all_others() -> None:
    for state in random_states({"preset": "tiny", "max_turns": 15}, 5):
        for seat in SEATS:
            blank = state._replace(sealed=(None, None))
            for move in range(len(MOVES)):
                sealed = state._replace(sealed=(move, None) if seat == RAT else (None, move))
                assert GAME.view(sealed, 1 - seat) == GAME.view(blank, 1 - seat)
                assert GAME.view(sealed, SPECTATOR) == GAME.view(blank, SPECTATOR)


def test_a_seat_sees_whether_it_has_moved_itself() -> None:
    state, _ = GAME.apply(table("*..", "R.P"), RAT, 0, DICE)

    assert (GAME.view(state, RAT)["must_act"], GAME.view(state, PYTHON)["must_act"]) == (
        False,
        True,
    )


def test_at_the_end_no_seat_must_act() -> None:
    state = turn(table("*..", "R.P", max_turns=1))

    assert [GAME.view(state, seat)["must_act"] for seat in SEATS] == [False, False]


def test_every_view_has_the_maze_but_it_can_be_sent_once() -> None:
    every, once = (configure(GAME, {"maze_every_turn": wanted}) for wanted in (True, False))

    assert GAME.start_only(every) == ()
    assert GAME.start_only(once) == ("maze",)
    assert set(GAME.view(turn(table("*..", "R.P", maze_every_turn=False)), RAT)) == KEYS


def test_a_view_survives_json() -> None:
    for state in random_states({"preset": "swamp", "max_turns": 12}, 2):
        for viewer in (RAT, PYTHON, SPECTATOR):
            seen = GAME.view(state, viewer)
            assert json.loads(json.dumps(seen)) == seen


def scribbled(value: Any) -> None:
    """Empty every list and object, from the inside."""
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        scribbled(inner)
    if isinstance(value, dict | list):
        value.clear()


@pytest.mark.parametrize("viewer", [RAT, PYTHON, SPECTATOR])
def test_changing_a_view_affects_no_other_viewer(viewer: int | None) -> None:
    state = turns(
        table("R*P", "***", mud=(((0, 0), (1, 0), 2),)), ("RIGHT", "LEFT"), ("DOWN", "STAY")
    )
    others = [one for one in (RAT, PYTHON, SPECTATOR) if one != viewer]
    seen = [json.dumps(GAME.view(state, other)) for other in others]
    own = GAME.view(state, viewer)
    kept = {key: json.dumps(own[key]) for key in KEYS - {"maze"}}
    following = repr(turn(state, "LEFT", "UP"))
    scribbled(own)

    assert [json.dumps(GAME.view(state, other)) for other in others] == seen
    assert {
        key: json.dumps(value) for key, value in GAME.view(state, viewer).items() if key != "maze"
    } == kept
    assert repr(turn(state, "LEFT", "UP")) == following


def test_the_state_hash_is_that_of_the_documented_text() -> None:
    state = turn(
        table("R*P", "*..", walls=(((1, 0), (0, 0)),), mud=(((2, 1), (2, 0), 3),)), "RIGHT", "DOWN"
    )
    text = "pyrat|3|2|300|exact|2|0,0-1,0|2,0-2,1:3|1|1,1,0,2|2,0,2,0|0,0"

    assert state.maze.canonical(state.now) == text
    assert GAME.view(state, RAT)["state_hash"] == sha256(text.encode()).hexdigest()[:16]


def test_numbers_are_sorted_as_numbers_in_the_hash() -> None:
    state = table("*" * 12, "R" + "." * 10 + "P", cheese=((10, 1), (2, 1)))

    assert state.maze.canonical(state.now).endswith("|2,1;10,1")


def test_misses_and_last_moves_are_not_part_of_the_hash() -> None:
    state = table("R*P", "*..")
    stayed, blocked = turn(state, "STAY", "STAY"), turn(state, "UP", None)

    assert stayed.now != blocked.now
    assert GAME.view(stayed, RAT)["state_hash"] == GAME.view(blocked, RAT)["state_hash"]
    assert GAME.view(state, RAT)["state_hash"] != GAME.view(stayed, RAT)["state_hash"]
