"""RULES §8: the end."""

from __future__ import annotations

import pytest

from games.core.contract import outcome_json
from games.pyrat import GAME
from games.pyrat.state import PYTHON, RAT
from tests.games.pyrat.table import ended, table, turn, turns


def test_more_than_half_of_the_cheese_ends_the_match() -> None:
    state = turns(table("R**P", "*..."), ("RIGHT", "STAY"), ("RIGHT", "STAY"))

    assert (ended(state).reason, ended(state).winner) == ("majority", RAT)


def test_exactly_half_of_the_cheese_does_not_end_the_match() -> None:
    state = turns(table("R**P", "*..*"), ("RIGHT", "STAY"), ("RIGHT", "STAY"))

    assert GAME.outcome(state) is None


def test_half_points_count_towards_the_majority() -> None:
    state = turn(table("R*P.", "...*"), "RIGHT", "LEFT")
    state = turns(state, (None, "DOWN"), (None, "RIGHT"), (None, "RIGHT"))

    assert (ended(state).reason, ended(state).winner) == ("majority", PYTHON)


def test_both_at_half_at_once_is_a_draw_by_all_cheese() -> None:
    state = turn(table("R*P"[:3], "..."), "RIGHT", "LEFT")

    assert (ended(state).kind, ended(state).reason, ended(state).winner) == (
        "draw",
        "all_cheese",
        None,
    )
    assert [seat.placement for seat in ended(state).seats] == [1, 1]


def test_the_turn_limit_ends_the_match_and_the_leader_wins() -> None:
    state = turns(table("R**P", "*..*", max_turns=2), ("STAY", "LEFT"), (None, None))

    assert (ended(state).reason, ended(state).winner) == ("max_turns", PYTHON)


def test_equal_scores_at_the_turn_limit_are_a_draw_without_a_tie_breaker() -> None:
    state = turns(table("R**P", "****", max_turns=2), ("UP", None), ("STAY", None))

    assert (ended(state).kind, ended(state).reason) == ("draw", "max_turns")
    assert [seat.placement for seat in ended(state).seats] == [1, 1]


def test_on_the_last_turn_majority_comes_before_the_last_cheese() -> None:
    state = turn(table("R*P", "...", max_turns=1), "RIGHT", "STAY")

    assert ended(state).reason == "majority"


def test_the_last_cheese_comes_before_the_turn_limit() -> None:
    state = turn(table("R*P", "...", max_turns=1), "RIGHT", "LEFT")

    assert ended(state).reason == "all_cheese"


def test_the_result_has_the_documented_fields() -> None:
    muddy = (((2, 1), (2, 0), 2),)
    state = table("R*P", "...", mud=muddy)
    state = turns(state, ("UP", "DOWN"), (None, None), ("RIGHT", "STAY"))

    assert outcome_json(ended(state)) == {
        "outcome": "win",
        "winner": 0,
        "reason": "majority",
        "result": "rat",
        "turns": 3,
        "seats": [
            {
                "seat": 0,
                "score": 1.0,
                "placement": 1,
                "outcome": "win",
                "role": "rat",
                "misses": 2,
                "blocked": 1,
                "stayed": 1,
                "mud_turns_spent": 0,
            },
            {
                "seat": 1,
                "score": 0.0,
                "placement": 2,
                "outcome": "loss",
                "role": "python",
                "misses": 2,
                "blocked": 0,
                "stayed": 1,
                "mud_turns_spent": 1,
            },
        ],
    }


@pytest.mark.parametrize("out", [RAT, PYTHON])
def test_a_forfeit_is_last_at_any_score(out: int) -> None:
    state = turn(table("R*P", "***"), "RIGHT", "STAY")
    outcome = GAME.forfeit(state, frozenset({out}), "disconnected")

    assert (outcome.kind, outcome.reason, outcome.winner) == ("forfeit", "disconnected", 1 - out)
    assert outcome.seats[out].placement == 2
    assert outcome.seats[1 - out].placement == 1
    assert [seat.score for seat in outcome.seats] == [1.0, 0.0]


@pytest.mark.parametrize("reason", ["abandoned", "timeout"])
def test_if_both_are_out_the_scores_decide_and_the_reason_is_given(reason: str) -> None:
    both = frozenset({RAT, PYTHON})
    ahead = GAME.forfeit(turn(table("R*P", "***"), "RIGHT", "STAY"), both, reason)
    equal = GAME.forfeit(turn(table("R*P", "***"), "STAY", "STAY"), both, reason)

    assert (ahead.kind, ahead.reason, ahead.winner) == ("win", reason, RAT)
    assert (equal.kind, equal.reason, equal.winner) == ("draw", reason, None)


@pytest.mark.parametrize("reason", ["abandoned", "not_ready"])
def test_both_out_before_the_first_turn_gives_no_result(reason: str) -> None:
    outcome = GAME.forfeit(table("R*P", "***"), frozenset({RAT, PYTHON}), reason)

    assert (outcome.kind, outcome.reason) == ("aborted", reason)
    assert [seat.placement for seat in outcome.seats] == [None, None]


def test_an_aborted_match_has_no_places_but_keeps_its_scores() -> None:
    state = turns(table("R*P", "***"), ("RIGHT", "UP"), ("RIGHT", "STAY"))
    result = outcome_json(GAME.no_result(state, 2, "server_fault"))

    assert (result["outcome"], result["winner"], result["reason"]) == (
        "aborted",
        None,
        "server_fault",
    )
    assert (result["result"], result["turns"]) == (None, 2)
    assert [(seat["placement"], seat["outcome"], seat["score"]) for seat in result["seats"]] == [
        (None, None, 0.0)
    ] * 2
    assert [(seat["role"], seat["stayed"]) for seat in result["seats"]] == [
        ("rat", 0),
        ("python", 1),
    ]


def test_every_kind_of_record_has_the_same_keys() -> None:
    state = table("R*P", "***")
    forfeited, broken_off = (
        outcome_json(booked)
        for booked in (GAME.forfeit(state, frozenset({RAT}), "x"), GAME.no_result(state, 2, "x"))
    )

    assert (forfeited.keys(), forfeited["seats"][0].keys()) == (
        broken_off.keys(),
        broken_off["seats"][0].keys(),
    )
