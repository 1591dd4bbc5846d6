"""The table of stage 1: points per game, and what parts those that are level (T4, T5)."""

from __future__ import annotations

import pytest

from games.contest.result import GameResult
from games.contest.standings import standings
from tests.games.contest.events import BOTH_LOST, DRAWN, LOST, WON

POINTS = {"win": 3, "draw": 1, "loss": 0, "both_lost": -1}
NARROW = GameResult((1, 2), (2, 1), (False, False))
FORFEITED = GameResult((2, 1), (0, 2), (True, False))


def table(*games):
    """The entries, the best first, each with the criteria that parted it from others."""
    rows = standings(sorted({entry for seats, _ in games for entry in seats}), games, POINTS)
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    return [(row.entry, row.tie_break) for row in rows]


def against(entry, *results):
    """Games of an entry on seat 0 against the third one."""
    return [((entry, 3), result) for result in results]


def test_points_per_game_count_and_not_their_sum():
    found = table(*against(2, WON, WON, LOST), *[((1, 4), WON)])

    assert [entry for entry, _ in found] == [1, 2, 3, 4]


def test_a_bot_without_a_game_is_before_one_with_negative_points():
    rows = standings([1, 2, 3], [((1, 2), BOTH_LOST)], POINTS)

    assert [(row.entry, row.points, row.both_lost, row.losses) for row in rows] == [
        (3, 0, 0, 0),
        (1, -1, 1, 0),
        (2, -1, 1, 0),
    ]


@pytest.mark.parametrize(
    ("criterion", "games"),
    [
        ("head_to_head", [((1, 2), LOST), *against(1, WON, WON), *against(2, WON, LOST)]),
        ("wins", [*against(1, DRAWN, DRAWN, DRAWN), *against(2, WON, LOST, LOST)]),
        ("losses", [*against(1, WON, LOST, LOST), *against(2, WON, DRAWN, BOTH_LOST)]),
        ("score_diff", [*against(1, NARROW, LOST), *against(2, WON, LOST)]),
        ("forfeits", [*against(1, WON, FORFEITED), *against(2, WON, LOST)]),
    ],
)
def test_level_bots_are_parted_by_the_first_criterion_that_differs(criterion, games):
    """The second is better in this one and in none before it."""
    found = table(*games, *[((3, 4), WON)] * 4)
    places = {entry: place for place, (entry, _) in enumerate(found)}

    assert places[2] < places[1]
    assert dict(found)[1] == dict(found)[2] == (criterion,)


def test_bots_level_in_everything_stand_by_their_entry_numbers():
    assert table(((2, 1), DRAWN)) == [(1, ("entry",)), (2, ("entry",))]


def test_a_part_of_a_group_begins_again_with_its_own_head_to_head_table():
    """The first four are level with two wins each. Among them 2 and 3 have two wins, and 3 has
    beaten 2; 1 and 4 have one, and 1 has beaten 4."""
    among = [(1, 4), (3, 2), (2, 4), (3, 1), (2, 1), (4, 3)]
    others = [(6, 2), (5, 3), (1, 6), (4, 5), (5, 1), (6, 3), (5, 2), (6, 4), (5, 6)]
    found = table(*[(pair, WON) for pair in among + others])

    assert found[2:] == [(entry, ("head_to_head", "head_to_head")) for entry in (3, 2, 1, 4)]
