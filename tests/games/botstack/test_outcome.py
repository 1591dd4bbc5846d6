"""RULES §8"""

from __future__ import annotations

import pytest

from games.botstack import GAME
from games.core.contract import outcome_json
from tests.games.botstack.table import AT_OPPONENT, NEW_ROUND, NO, RESIGN, YES, after, table


def record(state):
    ended = GAME.outcome(state)
    assert ended is not None
    return outcome_json(ended)


def by_seat(result, key):
    return [seat[key] for seat in result["seats"]]


def accepted(**words):
    return table("LBB", phase="abstain_reply", windows=(False, True), pending_request=0, **words)


def test_one_round_win_does_not_end_the_match():
    state = after(table("LB", health=(3, 1)), AT_OPPONENT, *NEW_ROUND)

    assert GAME.outcome(state) is None


def test_two_round_wins_win_the_match():
    result = record(after(table("LB", health=(3, 1), rounds_won=(1, 1)), AT_OPPONENT))

    assert (result["outcome"], result["winner"], result["reason"]) == ("win", 0, "two_wins")
    assert (by_seat(result, "score"), by_seat(result, "points"), by_seat(result, "placement")) == (
        [2, 1],
        [3, 0],
        [1, 2],
    )
    assert (
        by_seat(result, "outcome"),
        by_seat(result, "rounds_won"),
        by_seat(result, "forfeit"),
    ) == (["win", "loss"], [2, 1], [False, False])


def test_two_draw_credits_draw_the_match():
    result = record(after(accepted(draws=1, rounds_won=(1, 0)), YES))

    assert (result["outcome"], result["winner"], result["reason"]) == ("draw", None, "two_draws")
    assert (by_seat(result, "score"), by_seat(result, "points"), by_seat(result, "placement")) == (
        [1, 0],
        [1, 1],
        [1, 1],
    )
    assert by_seat(result, "outcome") == ["draw", "draw"]


def test_three_rounds_without_a_decision_are_lost_by_both_even_if_one_is_ahead():
    result = record(after(table("B", load=3, round=3, rounds_won=(1, 0)), AT_OPPONENT))

    assert (result["outcome"], result["winner"], result["reason"]) == (
        "both_lost",
        None,
        "three_rounds",
    )
    assert (by_seat(result, "score"), by_seat(result, "points"), by_seat(result, "placement")) == (
        [1, 0],
        [-1, -1],
        [2, 2],
    )
    assert by_seat(result, "outcome") == ["both_lost", "both_lost"]


def test_a_decision_in_the_third_round_counts():
    assert (
        record(after(table("LB", health=(3, 1), round=3, rounds_won=(1, 0)), AT_OPPONENT))["reason"]
        == "two_wins"
    )
    assert record(after(accepted(round=3, draws=1), YES))["reason"] == "two_draws"


def test_the_record_lists_the_finished_rounds():
    state = after(table("LB", health=(3, 1)), AT_OPPONENT, *NEW_ROUND)
    result = record(after(state, RESIGN))

    assert result["rounds"] == [
        {"round": 1, "starter": 0, "result": "win", "winner": 0, "reason": "death"}
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_is_a_forfeit_and_counts_as_two_to_nothing_whatever_was_played(seat):
    result = record(after(table("LB", rounds_won=(1, 1)), RESIGN, seat=seat))

    flip = slice(None, None, -1 if seat == 0 else 1)
    assert ("forfeit", 1 - seat, "resignation") == (
        result["outcome"],
        result["winner"],
        result["reason"],
    )
    assert ([2, 0][flip], [3, 0][flip], [1, 2][flip]) == (
        by_seat(result, "score"),
        by_seat(result, "points"),
        by_seat(result, "placement"),
    )
    assert ([1, 1], [False, True][flip]) == (
        by_seat(result, "rounds_won"),
        by_seat(result, "forfeit"),
    )
    assert ["win", "loss"][flip] == by_seat(result, "outcome")


@pytest.mark.parametrize("reason", ["timeout", "disconnect", "no_show"])
def test_a_forfeit_by_the_host_counts_as_a_resignation(reason):
    state = table("LB", rounds_won=(1, 0))
    result = outcome_json(GAME.forfeit(state, frozenset({0}), reason))

    assert record(after(state, RESIGN)) | {"reason": reason} == result


def test_if_both_are_out_both_lose_by_nothing_to_nothing():
    result = outcome_json(
        GAME.forfeit(table("LB", rounds_won=(1, 0)), frozenset({0, 1}), "disconnect")
    )

    assert (result["outcome"], result["winner"], result["reason"]) == (
        "both_lost",
        None,
        "disconnect",
    )
    assert (by_seat(result, "score"), by_seat(result, "points"), by_seat(result, "placement")) == (
        [0, 0],
        [-1, -1],
        [2, 2],
    )
    assert (by_seat(result, "rounds_won"), by_seat(result, "forfeit")) == ([1, 0], [True, True])


def test_points_come_from_the_configuration():
    config = {"points_win": 10, "points_loss": -5, "points_draw": 4, "points_both_lost": -7}
    won = record(after(table("LB", config=config), RESIGN))
    drawn = record(after(accepted(draws=1, config=config), YES))
    lost = record(after(table("B", load=3, round=3, config=config), AT_OPPONENT))

    assert (by_seat(won, "points"), by_seat(drawn, "points"), by_seat(lost, "points")) == (
        [-5, 10],
        [4, 4],
        [-7, -7],
    )


def test_a_declined_request_earns_nothing():
    state = after(accepted(draws=1), NO)

    assert state.draws == 1
    assert GAME.outcome(state) is None


def test_an_aborted_match_has_no_places_and_points_but_keeps_its_rounds():
    state = after(table("LB", health=(3, 1)), AT_OPPONENT, *NEW_ROUND)
    result = outcome_json(GAME.no_result(state, 2, "server_fault"))

    assert (result["outcome"], result["winner"], result["reason"]) == (
        "aborted",
        None,
        "server_fault",
    )
    assert (by_seat(result, "score"), by_seat(result, "points"), by_seat(result, "placement")) == (
        [0, 0],
        [0, 0],
        [None, None],
    )
    assert (
        by_seat(result, "outcome"),
        by_seat(result, "rounds_won"),
        by_seat(result, "forfeit"),
    ) == ([None, None], [1, 0], [False, False])
    assert result["rounds"] == [
        {"round": 1, "starter": 0, "result": "win", "winner": 0, "reason": "death"}
    ]


def test_every_kind_of_record_has_the_same_keys():
    state = table("LB")
    played, broken_off = (
        record(after(state, RESIGN)),
        outcome_json(GAME.no_result(state, 2, "server_fault")),
    )

    assert (played.keys(), played["seats"][0].keys()) == (
        broken_off.keys(),
        broken_off["seats"][0].keys(),
    )
