"""Who meets whom: every pair as often, seats balanced, no schedule that depends on anything but its
arguments."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contest.pairings import (
    Gauntlet,
    RoundRobin,
    heats,
    match_seed,
    rounds,
    swiss_games,
    swiss_round,
    swiss_rounds,
)
from tests.vectors.adapters.tournament import without_game

FIELDS = range(2, 14)


def test_seeds_follow_the_rules():
    """T3"""
    assert match_seed(7, "rr", 1, 4, 0) == 38985614078758825
    assert 0 <= match_seed(2**63 - 1, "ko", "QF1", 0) < 2**63


def test_another_attempt_has_another_seed():
    assert len({match_seed(7, "rr", 1, 4, 0, again=again) for again in range(3)}) == 3
    assert match_seed(7, "rr", 1, 4, 0) == match_seed(7, "rr", 1, 4, 0, again=0)


def test_four_bots_meet_by_the_circle_method_and_five_have_their_byes_in_its_order():
    """T3: the two examples."""
    games = RoundRobin(range(1, 5), 1)

    assert [game.seats for game in games] == [(1, 4), (2, 3), (3, 1), (4, 2), (1, 2), (3, 4)]
    assert [entry for _, entry in without_game(range(1, 6))] == [1, 4, 2, 5, 3]


@pytest.mark.parametrize("entrants", FIELDS)
def test_in_a_cycle_every_pair_meets_once_and_each_bot_plays_once_a_round(entrants):
    field = range(1, entrants + 1)
    games = RoundRobin(field, 1)

    assert sorted(combinations(field, 2)) == sorted(tuple(sorted(game.seats)) for game in games)
    assert list(range(1, len(games) + 1)) == [game.number for game in games]
    for pairs in rounds(field):
        seated = [entry for pair in pairs for entry in pair if entry is not None]
        assert len(seated) == len(set(seated))


@pytest.mark.parametrize("entrants", FIELDS)
def test_seats_are_balanced_over_a_cycle_and_exactly_over_two(entrants):
    """T3"""
    field = range(1, entrants + 1)
    for cycles, most in ((1, entrants % 2 == 0), (2, 0), (4, 0)):
        seats = [Counter(game.seats[seat] for game in RoundRobin(field, cycles)) for seat in (0, 1)]
        assert {abs(seats[0][entry] - seats[1][entry]) for entry in field} == {int(most)}


@pytest.mark.parametrize("entrants", FIELDS)
def test_the_two_games_of_a_pair_of_cycles_share_a_seed_with_seats_swapped(entrants):
    games = RoundRobin(range(1, entrants + 1), 4)
    by_seed: dict[int, list[tuple[int, ...]]] = {}
    for game in games:
        by_seed.setdefault(game.seed(7), []).append(game.seats)

    assert {2} == {len(seats) for seats in by_seed.values()}
    assert all(one == other[::-1] for one, other in by_seed.values())


@pytest.mark.parametrize("entrants", FIELDS)
def test_in_an_odd_field_every_bot_has_one_bye_per_cycle(entrants):
    found = without_game(range(1, entrants + 1))

    assert ([] if entrants % 2 == 0 else list(range(1, entrants + 1))) == sorted(
        entry for _, entry in found
    )
    assert len(found) == len({number for number, _ in found})


def test_in_a_gauntlet_only_the_challengers_meet_the_others():
    games = Gauntlet(range(1, 7), 2, 2)
    met = Counter(frozenset(game.seats) for game in games)

    assert {frozenset((one, other)): 2 for one in (1, 2) for other in (3, 4, 5, 6)} == met
    assert {4} == {sum(game.seats[0] == one for game in games) for one in (1, 2)}


@pytest.mark.parametrize("entrants", range(2, 12))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_heats_go_on_until_every_pair_has_met(entrants, seats):
    """T11"""
    found = heats(range(1, entrants + 1), seats, 2)
    met = Counter(frozenset(pair) for heat in found for pair in combinations(heat.seats, 2))

    assert min(met.values()) >= 2
    assert entrants * (entrants - 1) // 2 == len(met)
    assert {min(seats, entrants)} == {len(set(heat.seats)) for heat in found}
    before = Counter(frozenset(pair) for heat in found[:-1] for pair in combinations(heat.seats, 2))
    assert min(before[pair] for pair in met) < 2


@settings(max_examples=30, deadline=None)
@given(
    entrants=st.integers(2, 13), order=st.randoms(use_true_random=False), extra=st.integers(0, 3)
)
def test_a_swiss_avoids_repeats_while_that_is_possible(entrants, order, extra):
    met: Counter[frozenset[int]] = Counter()
    first: Counter[int] = Counter()
    had_bye: list[int] = []
    field = list(range(1, entrants + 1))
    for number in range(1, (entrants - 1) // 2 + 1 + extra):
        order.shuffle(field)
        pairs, bye = swiss_round(field, met, first, had_bye)
        seated = [entry for pair in pairs for entry in pair] + ([] if bye is None else [bye])
        assert sorted(field) == sorted(seated)
        assert (entrants % 2 == 1) == (bye is not None)
        met.update(frozenset(pair) for pair in pairs)
        first.update(pair[0] for pair in pairs)
        had_bye += [] if bye is None else [bye]
        if number <= (entrants - 1) // 2:  # this many rounds can always be paired without a repeat
            assert max(met.values()) == 1
    assert (
        max(Counter(had_bye).values(), default=1) - min(Counter(had_bye)[entry] for entry in field)
        <= 1
        or entrants % 2 == 0
    )


def test_a_swiss_pairs_neighbours_and_gives_the_bye_to_the_last_without_one():
    assert swiss_round([1, 2, 3, 4, 5], {}, {1: 1, 3: 1}, []) == ([(2, 1), (4, 3)], 5)
    assert swiss_round([1, 2, 3, 4, 5], {frozenset((1, 2)): 1}, {1: 1, 2: 1}, []) == (
        [(3, 1), (4, 2)],
        5,
    )
    assert swiss_round([1, 2, 3, 4, 5], {}, {}, [5]) == ([(2, 1), (5, 3)], 4)


def test_a_swiss_repeats_a_meeting_only_if_it_must():
    met = {frozenset(pair): 1 for pair in combinations((1, 2, 3, 4), 2)}

    pairs, _ = swiss_round([1, 2, 3, 4], met, {}, [])
    assert pairs == [(2, 1), (4, 3)]


@pytest.mark.parametrize(
    ("entrants", "expected"), [(2, 1), (3, 3), (4, 3), (8, 4), (9, 5), (16, 5)]
)
def test_a_swiss_has_one_round_more_than_a_knockout(entrants, expected):
    assert expected == swiss_rounds(entrants)


def test_the_games_of_a_swiss_pair_swap_seats_under_one_seed():
    one, other, third, *_ = swiss_games(2, [(5, 3), (1, 2)], 3, 6)

    assert [game.seats for game in (one, other, third)] == [(5, 3), (3, 5), (5, 3)]
    assert [game.number for game in (one, other, third)] == [7, 8, 9]
    assert one.seed(1) == other.seed(1) != third.seed(1)
    assert one.seed(1) != swiss_games(3, [(5, 3)], 1, 0)[0].seed(1)
