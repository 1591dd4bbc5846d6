"""RULES §8: the end and the ranking."""

from __future__ import annotations

import pytest

from games.core.contract import outcome_json
from games.core.match import Match
from games.zooscape import GAME
from games.zooscape.outcome import merit, placements
from tests.games.zooscape.table import eats, ended, sent, table, tick, ticks


def test_the_last_pellet_ends_the_match_though_others_are_due_and_power_pellets_left():
    state = tick(sent(table("42501"), "right"), *eats())

    assert ended(state).reason == "no_pellets"


def test_a_pellet_that_returns_in_the_same_tick_continues_the_match():
    state = tick(sent(table("42001", respawns=[(1, 3, 0)]), "right"), *eats())

    assert GAME.outcome(state) is None


def test_the_tick_limit_ends_the_match():
    state = table("40021", max_ticks=2)
    assert GAME.outcome(tick(state)) is None

    assert ended(ticks(state, [], [])).reason == "max_ticks"


def test_the_pellets_are_checked_before_the_limit():
    state = tick(sent(table("4201", max_ticks=1), "right"), *eats())

    assert ended(state).reason == "no_pellets"


def test_no_match_ends_before_the_first_tick():
    state = table("4001")
    assert GAME.outcome(state) is None

    assert ended(tick(state)).reason == "no_pellets"


BASE = {
    "score": 500,
    "captured_count": 3,
    "ticks_on_spawn": 40,
    "distance_covered": 200,
    "first_command_seq": 9,
}


@pytest.mark.parametrize(
    "better",
    [
        {"score": 501, "captured_count": 9},
        {"captured_count": 2, "ticks_on_spawn": 99},
        {"ticks_on_spawn": 39, "distance_covered": 0},
        {"distance_covered": 201, "first_command_seq": None},
        {"first_command_seq": 8},
    ],
)
def test_score_captures_spawn_ticks_distance_and_first_seq_rank_in_this_order(better):
    assert placements([(False, merit(**BASE)), (False, merit(**(BASE | better)))]) == [2, 1]


def test_an_animal_without_commands_is_behind_one_with_commands():
    assert placements(
        [(False, merit(**(BASE | {"first_command_seq": None}))), (False, merit(**BASE))]
    ) == [2, 1]


def test_equal_animals_share_the_place_and_the_next_number_is_skipped():
    equal = (False, merit(**(BASE | {"first_command_seq": None})))

    assert placements([equal, equal, (False, merit(**(BASE | {"score": 1})))]) == [1, 1, 3]


def finished():
    """Seat 1 has eaten, seat 0 has moved, seats 2 and 3 have done nothing."""
    animals = ({"cage": (0, 0)}, {"cage": (0, 1)}, {"cage": (0, 2)}, {"cage": (0, 2)})
    state = table("40001", "42001", "40021", animals=animals, max_ticks=1)
    return tick(sent(sent(state, "right"), "right", seat=1), *eats())


def test_the_best_animal_wins_and_the_others_lose():
    record = ended(finished())

    assert (record.kind, record.winner, record.reason) == ("win", 1, "max_ticks")
    assert [(line.placement, line.outcome) for line in record.seats] == [
        (2, "loss"),
        (1, "win"),
        (3, "loss"),
        (3, "loss"),
    ]


def test_a_shared_first_place_is_a_draw():
    record = ended(
        tick(table("40", "40", animals=({"cage": (0, 0)}, {"cage": (0, 1)}), max_ticks=1))
    )

    assert (record.kind, record.winner, [line.outcome for line in record.seats]) == (
        "draw",
        None,
        ["draw", "draw"],
    )


def test_a_match_of_one_has_a_winner():
    assert ended(tick(table("4001", max_ticks=1))).winner == 0


def test_the_record_has_the_documented_fields():
    record = outcome_json(ended(finished()))

    assert {
        "outcome": "win",
        "winner": 1,
        "reason": "max_ticks",
        "ticks": 1,
    }.items() <= record.items()
    assert record["seats"][1] == {
        "seat": 1,
        "score": 64,
        "placement": 1,
        "outcome": "win",
        "captured_count": 0,
        "ticks_on_spawn": 0,
        "distance_covered": 1,
        "first_command_seq": 2,
        "power_ups_used": 0,
        "reason": "max_ticks",
    }


def test_a_forfeited_animal_is_behind_all_others():
    record = GAME.forfeit(finished(), frozenset({1}), "protocol")

    assert (record.kind, record.winner, record.reason) == ("forfeit", 0, "protocol")
    assert [line.placement for line in record.seats] == [1, 4, 2, 2]


def test_with_all_animals_forfeited_the_ranking_stays():
    record = GAME.forfeit(finished(), frozenset(range(4)), "abandoned")

    assert (record.kind, record.winner, record.reason) == ("win", 1, "abandoned")


def test_an_aborted_match_has_no_places_but_keeps_its_scores():
    match = Match.begin(GAME, {"map_size": 9, "seats": 2}, 1)
    match.advance()
    record = match.abort("platform")

    assert (record.kind, record.winner, record.details["ticks"]) == ("aborted", None, 1)
    assert [
        (line.placement, line.score, line.details["ticks_on_spawn"]) for line in record.seats
    ] == [(None, 0, 1)] * 2
