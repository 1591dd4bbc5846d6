"""RULES §8: the endings and what they book."""

from __future__ import annotations

import pytest

from games.catastrophe import GAME
from games.core.contract import outcome_json
from games.core.dice import Seeded
from tests.games.catastrophe.table import (
    CAT,
    END,
    ENEMY_CAT,
    ENEMY_HUMAN,
    FIRST,
    HUMAN,
    after,
    cell,
    command,
    structure,
    table,
    unit,
)

DEAD = {"energy": 0.0}
LOST = {"owner": None, "turns_to_die": 5}
LAST = {"max_turns": 3}


def result(state, *draws):
    return after(state, END, draws=draws).result


def test_a_dead_overlord_loses():
    assert result(table(changed={CAT: DEAD})) == (1, "cat_defeated", None)
    assert result(table(changed={ENEMY_CAT: DEAD})) == (0, "cat_defeated", None)


def test_an_overlord_dies_of_its_own_pickups_unless_it_rests():
    state = table(unit("soldier", 1, 1), changed={CAT: DEAD})

    assert after(state, command("rest", CAT), END).result is None


def test_an_overlord_without_humans_loses():
    assert result(table(changed={HUMAN: LOST})) == (1, "humans_defeated", None)
    assert result(table(changed={ENEMY_HUMAN: LOST})) == (0, "humans_defeated", None)


def test_a_unit_converted_in_the_same_turn_counts():
    missionary = unit("missionary", 5, 3, energy=75.0)
    walker = unit("fresh human", 6, 3, None, turns_to_die=4)

    assert (
        after(
            table(missionary, walker, changed={HUMAN: LOST}), command("convert", FIRST, 6, 3), END
        ).result
        is None
    )


def test_a_unit_defeated_in_the_same_turn_does_not_count():
    state = table(unit("soldier", 11, 5), changed={ENEMY_HUMAN: {"energy": 25.0}})

    assert after(state, command("attack", FIRST, 11, 6), END).result == (
        0,
        "humans_defeated",
        None,
    )


def test_overlords_are_checked_before_humans():
    assert result(table(changed={ENEMY_CAT: DEAD, HUMAN: LOST})) == (0, "cat_defeated", None)


def test_overlords_and_humans_are_checked_on_the_last_turn_too():
    assert result(table(unit("soldier", 5, 1), changed={CAT: DEAD}, config=LAST)) == (
        1,
        "cat_defeated",
        None,
    )
    assert result(table(food=(99, 0), changed={HUMAN: LOST}, config=LAST)) == (
        1,
        "humans_defeated",
        None,
    )


BOTH = {
    "both_cats_defeated": {CAT: DEAD, ENEMY_CAT: DEAD},
    "both_humans_defeated": {HUMAN: LOST, ENEMY_HUMAN: LOST},
    "max_turns": {},
}


@pytest.mark.parametrize("via", BOTH)
def test_tie_breakers_are_units_then_food_then_structures_then_a_coin(via):
    config = LAST if via == "max_turns" else {}

    def ended(*units, draws=(), **words):
        return result(table(*units, changed=BOTH[via], config=config, **words), *draws)

    if via != "both_humans_defeated":
        assert (1, "more_units", via) == ended(unit("soldier", 5, 1, 1), food=(99, 0))
    assert (0, "more_food", via) == ended(food=(51, 50), structures=[structure("wall", 5, 1, 1)])
    assert (1, "more_structures", via) == ended(
        structures=[structure("wall", 5, 1, 1), structure("neutral", 6, 1, None)]
    )
    for seat in (0, 1):
        assert (seat, "coin_flip", via) == ended(draws=[("coin", seat)])


def test_neutral_units_and_structures_count_for_no_side():
    state = table(
        unit("fresh human", 5, 1, None), structures=[structure("neutral", 6, 1, None)], config=LAST
    )

    assert result(state, ("coin", 1)).reason == "coin_flip"


def test_the_coin_is_fair():
    state = table(config=LAST)
    tossed = [
        GAME.apply(state, 0, GAME.parse(END), Seeded(seed).at(1))[0].result.winner
        for seed in range(400)
    ]

    assert 150 < sum(tossed) < 250


def test_at_the_end_turn_and_player_stay_as_they_are():
    state = after(table(config=LAST), END, draws=[("coin", 1)])

    assert (2, 0, frozenset()) == (state.turn, state.current_player, GAME.awaited(state))


def test_an_ended_match_has_a_record():
    state = after(table(unit("soldier", 5, 1), food=(7, 9), config=LAST), END)

    assert {
        "outcome": "win",
        "winner": 0,
        "reason": "more_units",
        "via": "max_turns",
        "turns": 2,
        "seats": [
            {"reason": "more_units"} | line
            for line in (
                {
                    "seat": 0,
                    "score": 1,
                    "placement": 1,
                    "outcome": "win",
                    "won": True,
                    "units": 3,
                    "food": 7,
                    "structures": 1,
                },
                {
                    "seat": 1,
                    "score": 0,
                    "placement": 2,
                    "outcome": "loss",
                    "won": False,
                    "units": 2,
                    "food": 9,
                    "structures": 1,
                },
            )
        ],
    } == outcome_json(GAME.outcome(state))


def test_silence_loses_by_timeout():
    state = GAME.advance(table(), Seeded(0).at(1))
    found = GAME.outcome(state)

    assert (found.kind, found.winner, found.reason) == ("forfeit", 1, "timeout")
    assert state.result == (1, "timeout", None)


@pytest.mark.parametrize("reason", ["timeout", "disconnect", "protocol"])
def test_a_seat_that_is_out_loses_at_any_score(reason):
    found = GAME.forfeit(table(unit("soldier", 5, 1)), frozenset({0}), reason)

    assert ("forfeit", 1, reason, [2, 1]) == (
        found.kind,
        found.winner,
        found.reason,
        [seat.placement for seat in found.seats],
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_with_both_out_at_one_instant_the_acting_seat_loses(seat):
    """RULES §9.2"""
    found = GAME.forfeit(table(turn=2 + seat, current_player=seat), frozenset({0, 1}), "disconnect")

    lines = [(one.placement, one.score, one.details["won"]) for one in found.seats]
    assert ("forfeit", 1 - seat, "disconnect") == (found.kind, found.winner, found.reason)
    assert (lines[seat], lines[1 - seat]) == ((2, 0, False), (1, 1, True))


def test_a_dead_overlord_keeps_its_place_on_the_map():
    state = after(table(changed={CAT: DEAD}), END)

    assert state.at[cell(0, 0)] == CAT
