"""Ratings: the fit, its precision, and what cannot be rated."""

from __future__ import annotations

import math
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contest.ratings import (
    AnchorNotFound,
    DisconnectedGraph,
    NoMaximum,
    NoRecords,
    Record,
    fit,
)
from games.contest.student import student_t
from tests.games.contest.simulated import STRENGTHS, round_robin, score
from tests.vectors.adapters.elo import elo

K = 400 / math.log(10)

PLAYERS = "abcd"
RECORDS = st.lists(
    st.builds(
        Record,
        st.just("a"),
        st.sampled_from("bcd"),
        wins=st.integers(0, 20),
        losses=st.integers(0, 20),
        draws=st.integers(0, 20),
    )
    | st.builds(
        Record,
        st.just("b"),
        st.sampled_from("cd"),
        wins=st.integers(0, 20),
        losses=st.integers(0, 20),
    ),
    min_size=1,
    max_size=8,
)


def test_ratings_differ_by_the_odds_of_the_score():
    fitted = fit([Record("a", "b", wins=7, losses=3)], anchor="a", prior_games=0)

    assert 400 * math.log10(3 / 7) == pytest.approx(fitted["b"].elo - 1000)
    assert pytest.approx(0.7) == fitted.expectancy("a", "b")
    assert pytest.approx(0.3) == fitted.expectancy("b", "a")


def test_the_anchor_has_its_given_rating_without_error():
    fitted = fit([Record("a", "b", wins=7, losses=3)], anchor="b", anchor_elo=1500)

    assert (fitted["b"].elo, fitted["b"].stderr) == (1500, 0)


def test_the_anchor_shifts_all_ratings_and_nothing_else():
    records = [Record("a", "b", 7, 3), Record("b", "c", 4, 6), Record("c", "a", 5, 5)]
    low, high = (fit(records, anchor="a", anchor_elo=elo) for elo in (0, 2000))

    for name in "abc":
        assert pytest.approx(2000) == high[name].elo - low[name].elo
        assert pytest.approx(low[name].stderr) == high[name].stderr


def test_a_draw_is_half_a_win_for_both():
    drawn = fit([Record("a", "b", draws=10)], anchor="a")
    split = fit([Record("a", "b", wins=5, losses=5)], anchor="a")

    assert pytest.approx(1000) == drawn["b"].elo
    assert (split.table, split.covariances) == (drawn.table, drawn.covariances)
    assert drawn.superiority("a", "b") == 0.5


def test_the_weight_of_a_draw_counts_on_each_side():
    records = [Record("a", "b", wins=6, losses=2, draws=4)]

    for weight, ratio in ((0.0, 6 / 2), (0.25, 7 / 3), (1.0, 10 / 6)):
        fitted = fit(records, anchor="b", prior_games=0, draw_weight=weight)
        assert pytest.approx(1000 + 400 * math.log10(ratio)) == fitted["a"].elo


def test_prior_games_are_half_won_against_the_anchor_and_not_counted_for_it():
    with_prior = fit([Record("a", "b", wins=7, losses=3)], anchor="a", prior_games=2)
    played = fit([Record("a", "b", wins=8, losses=4)], anchor="a", prior_games=0)

    assert pytest.approx(played["b"].elo) == with_prior["b"].elo
    assert (pytest.approx(12), pytest.approx(10)) == (
        with_prior["b"].effective_games,
        with_prior["a"].effective_games,
    )


def test_records_of_one_pair_add_up_from_either_side():
    apart = [
        Record("a", "b", wins=4, losses=1, draws=1),
        Record("b", "a", wins=2, losses=3, draws=0),
    ]

    assert fit([Record("a", "b", wins=7, losses=3, draws=1)], anchor="a") == fit(apart, anchor="a")


def test_a_perfect_score_has_a_finite_rating_with_prior_games():
    fitted = fit([Record("a", "b", wins=5)], anchor="a")

    assert pytest.approx(fitted["b"].elo, abs=0.001) == 688.739


def test_the_table_is_ordered_by_rating_then_name():
    records = [Record("m", "z", 1, 1), Record("m", "a", 1, 1), Record("m", "best", 0, 3)]

    assert [rating.player for rating in fit(records, anchor="m").table] == ["best", "a", "m", "z"]


def test_the_precision_follows_from_the_information():
    fitted = fit(
        [Record("a", "b", wins=7, losses=3), Record("b", "c", wins=9, losses=6)],
        anchor="a",
        prior_games=0,
    )

    held = [10 * 0.7 * 0.3, 15 * 0.6 * 0.4]
    assert pytest.approx(K / math.sqrt(sum(held))) == fitted["b"].stderr
    assert (
        pytest.approx(sum(held) ** 2 / (held[0] ** 2 / 10 + held[1] ** 2 / 15))
        == fitted["b"].effective_games
    )
    assert pytest.approx(K * math.sqrt(1 / held[0])) == fitted.error_between("a", "b")
    assert pytest.approx(K * math.sqrt(1 / held[0] + 1 / held[1])) == fitted.error_between("a", "c")
    assert pytest.approx(K * math.sqrt(1 / held[1])) == fitted.error_between("c", "b")


def test_superiority_uses_the_effective_games_of_its_player():
    fitted = fit([Record("a", "b", wins=7, losses=3)], anchor="a")
    t = (fitted["a"].elo - fitted["b"].elo) / fitted.error_between("a", "b")

    assert pytest.approx(student_t(t, 9)) == fitted.superiority("a", "b")
    assert pytest.approx(student_t(-t, 11)) == fitted.superiority("b", "a")


def test_one_game_has_one_degree_of_freedom():
    fitted = fit([Record("a", "b", wins=1)], anchor="a")

    t = (fitted["a"].elo - fitted["b"].elo) / fitted.error_between("a", "b")
    assert pytest.approx(0.5 + math.atan(t) / math.pi) == fitted.superiority("a", "b")


def test_no_player_is_superior_to_itself():
    assert fit([Record("a", "b", wins=1)], anchor="a").superiority("b", "b") == 0.5


def test_without_records_there_are_no_ratings():
    with pytest.raises(NoRecords):
        fit([], anchor="a")


def test_the_anchor_must_be_in_a_record():
    with pytest.raises(AnchorNotFound, match="'z'"):
        fit([Record("a", "b", 1, 1), Record("a", "y")], anchor="z")


@pytest.mark.parametrize("prior_games", [0, 2])
@pytest.mark.parametrize(
    ("records", "lonely"),
    [
        ([Record("a", "b")], "b"),
        ([Record("a", "b"), Record("b", "a")], "b"),
        ([Record("a", "b", 1, 1), Record("a", "c")], "c"),
        ([Record("a", "b", 1, 1), Record("b", "c"), Record("c", "d", 1, 1)], "c, d"),
        ([Record("b", "c", 1, 1), Record("a", "b")], "b, c"),
    ],
)
def test_a_pair_without_games_connects_no_players(records, lonely, prior_games):
    with pytest.raises(DisconnectedGraph, match=f"'a' with {lonely}$"):
        fit(records, anchor="a", prior_games=prior_games)


def test_a_record_without_games_changes_no_rating_of_connected_players():
    games = [Record("a", "b", 2, 1), Record("b", "c", 2, 1)]

    assert fit([*games, Record("a", "c")], anchor="a") == fit(games, anchor="a")


def test_players_without_a_chain_of_games_to_the_anchor_cannot_be_compared():
    with pytest.raises(DisconnectedGraph, match="c, d"):
        fit([Record("a", "b", 1, 1), Record("c", "d", 1, 0)], anchor="a", prior_games=2)


@pytest.mark.parametrize(
    "records",
    [
        [Record("a", "b", wins=5)],
        [Record("a", "b", losses=5)],
        [Record("a", "b", 1, 1), Record("b", "c", 2, 0), Record("a", "c", 1, 0)],
    ],
)
def test_without_prior_games_a_perfect_score_has_no_rating(records):
    with pytest.raises(NoMaximum):
        fit(records, anchor="a", prior_games=0)
    fit(records, anchor="a", prior_games=0.5)


@pytest.mark.parametrize(
    "record",
    [
        Record("a", "a", 1),
        Record("a", "b", -1),
        Record("a", "b", 1, -1),
        Record("a", "b", 1, 0, -1),
    ],
)
def test_an_impossible_record_is_an_error(record):
    with pytest.raises(ValueError, match="expected games of two players"):
        fit([record], anchor="a")


@pytest.mark.parametrize("wrong", [{"prior_games": -1}, {"draw_weight": -0.5}])
def test_negative_weights_are_an_error(wrong):
    with pytest.raises(ValueError, match="expected 0 or more"):
        fit([Record("a", "b", 1, 1)], anchor="a", **wrong)


@given(records=RECORDS, prior=st.sampled_from([0.5, 2, 10]))
def test_every_player_scores_what_its_rating_predicts(records, prior):
    """The mark of the most likely ratings: points scored and points expected are equal for all but
    the anchor."""
    try:
        fitted = fit(records, anchor="a", prior_games=prior)
    except (NoRecords, AnchorNotFound, DisconnectedGraph):
        return
    for name in (rating.player for rating in fitted.table if rating.player != "a"):
        surplus = prior / 2 - prior * fitted.expectancy(name, "a")
        for record in records:
            sides = (
                (record.first, record.second, record.wins),
                (record.second, record.first, record.losses),
            )
            for own, other, won in sides:
                if own == name:
                    games = record.wins + record.losses + record.draws
                    surplus += won + record.draws / 2 - games * fitted.expectancy(own, other)
        assert abs(surplus) < 1e-6


@given(records=RECORDS)
def test_the_order_of_the_records_changes_no_rating(records):
    try:
        fitted = fit(records, anchor="a")
    except (NoRecords, AnchorNotFound, DisconnectedGraph):
        return
    turned = fit(reversed(records), anchor="a")

    for rating in fitted.table:
        assert pytest.approx(rating.elo) == turned[rating.player].elo
        assert pytest.approx(rating.effective_games) == turned[rating.player].effective_games


def test_a_long_one_sided_ladder_is_fitted():
    ladder = [
        Record(f"p{number:02}", f"p{number + 1:02}", wins=1_000_000, losses=1)
        for number in range(30)
    ]
    fitted = fit(ladder, anchor="p00", prior_games=0)

    assert (
        pytest.approx(-2400)
        == fitted["p01"].elo - 1000
        == pytest.approx(fitted["p30"].elo - fitted["p29"].elo)
    )


@pytest.mark.parametrize(
    ("t", "freedom", "expected"),
    [
        (0.0, 5, 0.5),
        (1.0, 1, 0.75),
        (-1.0, 1, 0.25),
        (2.0, 2, 0.5 + 1 / math.sqrt(6)),
        (-2.0, 2, 0.5 - 1 / math.sqrt(6)),
        (2.228138851964939, 10, 0.975),
        (1.812461122811676, 10, 0.95),
        (2.042272456301238, 30, 0.975),
    ],
)
def test_students_distribution_has_the_values_of_the_tables(t, freedom, expected):
    assert pytest.approx(expected, abs=1e-10) == student_t(t, freedom)


def test_students_distribution_approaches_the_normal_one():
    for t in (-3, -0.5, 0.1, 2):
        assert pytest.approx(NormalDist().cdf(t), abs=1e-5) == student_t(t, 1e5)


@given(t=st.floats(0, 50), freedom=st.floats(1, 500))
def test_students_distribution_is_symmetric(t, freedom):
    assert pytest.approx(1) == student_t(t, freedom) + student_t(-t, freedom)


@given(freedom=st.floats(1, 100), t=st.floats(-5, 5))
def test_students_distribution_is_the_integral_of_its_density(freedom, t):
    """Simpson's rule from 0 to t over the density."""
    front = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(
        freedom * math.pi
    )
    slices = 400
    width = t / slices
    total = sum(
        (1 if k in (0, slices) else 4 if k % 2 else 2)
        * front
        * (1 + (k * width) ** 2 / freedom) ** (-(freedom + 1) / 2)
        for k in range(slices + 1)
    )

    assert pytest.approx(0.5 + total * width / 3, abs=1e-8) == student_t(t, freedom)


def test_the_comparison_with_vectors_reports_values_out_of_tolerance():
    case = {
        "anchor": "a",
        "anchor_elo": 1000,
        "prior_games": 2,
        "draw_weight": 0.5,
        "records": [{"player_a": "a", "player_b": "b", "wins_a": 7, "wins_b": 3, "draws": 0}],
        "expect": {
            "ratings": [
                {"player": "a", "elo": 1000.4, "stderr": 0.0, "effective_games": 10.0},
                {"player": "b", "elo": 880.2, "stderr": 106.38, "effective_games": 12.0},
            ],
            "los_first_over_second": 0.86,
            "win_expectancy_first_over_second": 0.667,
        },
    }

    found = [
        difference.path
        for difference in elo({"cases": [case, case | {"expect": {"error": "NoRecords"}}]})
    ]

    assert found == ["cases[0].ratings[1].elo", "cases[0].los_first_over_second", "cases[1].error"]


@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_of_2000_intervals_95_percent_cover_the_true_rating(draws: float, capsys):
    dice, hits, intervals = Random(95), 0, 0
    for _ in range(400):
        fitted = fit(round_robin(dice, games=20, draws=draws), anchor="anchor")
        for name, true in STRENGTHS.items():
            if name != "anchor":
                low, high = fitted.interval(name)
                intervals += 1
                hits += low <= true <= high

    with capsys.disabled():
        print(
            f"\n{hits / intervals:.1%} of {intervals} intervals cover the true rating, draws "
            f"{draws}"
        )
    assert 0.93 <= hits / intervals <= 0.97


def test_the_interval_of_a_lead_covers_the_true_lead():
    dice, hits = Random(5), 0
    for _ in range(400):
        low, high = fit(round_robin(dice, games=20, draws=0.2), anchor="anchor").interval(
            "best", "worse"
        )
        hits += low <= 350 <= high

    assert 0.92 * 400 <= hits <= 0.98 * 400


def test_draws_make_an_interval_narrower():
    drawn = fit([Record("a", "b", wins=5, losses=5, draws=10)], anchor="a")
    fought = fit([Record("a", "b", wins=10, losses=10)], anchor="a")

    assert drawn["b"].elo == fought["b"].elo
    assert drawn.interval("b")[1] < fought.interval("b")[1]


# --- the worth of the first seat


@settings(max_examples=25)
@given(records=RECORDS, games=st.sampled_from([1, 50]))
def test_results_that_are_the_same_from_both_seats_give_the_ratings_without_seats(records, games):
    mirrored = [Record(one.second, one.first, one.losses, one.wins, one.draws) for one in records]
    swapped = [
        Record(one.second, one.first, one.wins, one.losses, one.draws)
        for one in [*records, *mirrored]
    ]
    balanced = [*records, *mirrored, *swapped]
    try:
        without = fit(balanced, anchor="a")
    except (NoRecords, AnchorNotFound, DisconnectedGraph):
        return
    seated = fit(balanced, anchor="a", seat_games=games)

    assert pytest.approx(0, abs=1e-6) == seated.seat.elo
    assert without.seat is None
    for rating in without.table:
        found = seated[rating.player]
        assert pytest.approx(rating.elo) == found.elo
        assert pytest.approx(rating.stderr) == found.stderr
        assert pytest.approx(rating.effective_games) == found.effective_games
        for other in (one.player for one in without.table if one.player != rating.player):
            error = without.error_between(rating.player, other)
            assert pytest.approx(error) == seated.error_between(rating.player, other)


@pytest.mark.parametrize("true", [-60.0, 0.0, 40.0])
def test_the_worth_of_the_first_seat_is_recovered_and_its_interval_covers_it(true: float, capsys):
    dice, hits, found = Random(7), 0, []
    for _ in range(100):
        records = round_robin(dice, games=10, draws=0.2, seat=true, both_ways=True)
        seat = fit(records, anchor="anchor", seat_games=5).seat
        low, high = seat.interval()
        hits += low <= true <= high
        found.append(seat.elo)
    mean = sum(found) / len(found)

    with capsys.disabled():
        print(f"\nseat worth {true:+.0f}: {mean:+.1f} found, {hits} of 100 intervals cover it")
    assert abs(mean - true) < 4.5
    assert hits >= 90


def test_a_player_that_always_has_the_better_seat_is_not_rated_above_its_strength():
    """Bob only ever sat first, where 100 points come for nothing."""
    dice, seat = Random(3), 100.0
    others = round_robin(dice, games=200, draws=0.0, seat=seat, both_ways=True)
    scores = [score(dice, seat) for _ in range(2000)]
    bob = Record("bob", "anchor", wins=scores.count(1.0), losses=scores.count(0.0))

    plain = fit([*others, bob], anchor="anchor")["bob"].elo
    seated = fit([*others, bob], anchor="anchor", seat_games=50)["bob"].elo

    assert abs(seated - 1000) < 30 < 70 < plain - 1000


def test_few_games_say_little_of_the_first_seat():
    few = fit([Record("a", "b", 2, 0), Record("b", "a", 2, 0)], anchor="a", seat_games=50).seat
    many = fit(
        [Record("a", "b", 2000, 0), Record("b", "a", 2000, 0)], anchor="a", seat_games=50
    ).seat

    assert 0 < few.elo < 30 < 300 < many.elo
    assert few.stderr > 40 > many.stderr


@settings(max_examples=25)
@given(records=RECORDS)
def test_who_sits_where_is_shifted_to_the_other_seat_with_the_sign_of_its_worth(records):
    try:
        found = fit(records, anchor="a", seat_games=10)
    except (NoRecords, AnchorNotFound, DisconnectedGraph):
        return
    turned = [Record(one.second, one.first, one.losses, one.wins, one.draws) for one in records]
    other = fit(turned, anchor="a", seat_games=10)

    assert pytest.approx(-found.seat.elo, abs=1e-6) == other.seat.elo
    for rating in found.table:
        assert pytest.approx(rating.elo) == other[rating.player].elo


def test_the_evidence_of_the_first_seat_is_more_than_nothing():
    with pytest.raises(ValueError, match="seat_games"):
        fit([Record("a", "b", 1, 1)], anchor="a", seat_games=0)
