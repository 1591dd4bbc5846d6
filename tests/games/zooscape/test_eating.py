"""RULES §5: awards, streaks and pellets that come back."""

from __future__ import annotations

import pytest

from games.zooscape.board import BIG_MOOSE_JUICE, SCAVENGER
from tests.games.zooscape.table import at, eats, rows, sent, table, tick, ticks

JUICE = {"active": BIG_MOOSE_JUICE, "ticks_remaining": 9}


def scores(state, *each):
    found = []
    for draws in each:
        state = tick(state, *draws)
        found.append(state.animals[0].score)
    return found


def points(state):
    return state.animals[0].score


def test_a_streak_raises_the_value_of_pellets_up_to_the_cap():
    state = sent(table("4222221"), "right")

    assert scores(state, *[eats()] * 5) == [64, 64 + 134, 64 + 134 + 204, 658, 914]


def test_points_are_the_whole_part_of_base_times_multiplier():
    state = sent(table("422221", points_per_pellet=7, streak_growth=0.3, streak_max=2.5), "right")

    assert scores(state, *[eats()] * 4) == [7, 7 + 9, 7 + 9 + 11, 7 + 9 + 11 + 13]


def test_two_ticks_without_a_pellet_cost_nothing():
    state = ticks(sent(table("420021"), "right"), eats(), [], [], eats())

    assert (points(state), state.animals[0].streak_multiplier) == (64 + 134, 3.2)


def test_the_third_tick_without_a_pellet_ends_the_streak():
    state = ticks(sent(table("4200021"), "right"), eats(), [], [])
    assert state.animals[0].streak_multiplier == 2.1

    state = tick(state)
    assert (state.animals[0].streak_multiplier, state.animals[0].streak_missed) == (1.0, 0)
    assert points(tick(state, *eats())) == 128


def test_a_pellet_resets_the_count_of_misses():
    state = ticks(sent(table("4200200001"), "right"), eats(), [], [], eats(), [], [])

    assert (state.animals[0].streak_multiplier, state.animals[0].streak_missed) == (3.2, 2)


def test_a_power_pellet_is_worth_ten_pellets_and_counts_for_the_streak():
    state = ticks(sent(table("425521"), "right"), eats(), [], [], eats())

    assert 64 + int(640 * 2.1) + int(640 * 3.2) + 256 == points(state)


def test_a_power_pellet_never_comes_back():
    state = tick(sent(table("451"), "right"))

    assert (rows(state), state.respawns) == (("401",), ())


def test_misses_count_in_the_cage_too():
    state = ticks(table("41", animals=({"streak_multiplier": 3.2},)), [], [])
    assert state.animals[0].streak_multiplier == 3.2

    assert tick(state).animals[0].streak_multiplier == 1.0


def test_juice_triples_the_value_of_a_pellet_in_a_streak():
    state = sent(table("422221", animals=(JUICE,)), "right")

    assert scores(state, *[eats()] * 4) == [192, 192 + 403, 192 + 403 + 614, 192 + 403 + 614 + 768]


def test_juice_triples_a_power_pellet_too():
    assert points(tick(sent(table("451", animals=(JUICE,)), "right"))) == 1920


@pytest.mark.parametrize(("multiplier", "worth"), [(1.4, 126), (2.3, 207), (2.8, 252), (4.6, 414)])
def test_juice_multiplies_the_streaks_value(multiplier, worth):
    """In any other order of the two products the double lies just below these points."""
    state = table(
        "421",
        animals=(JUICE | {"streak_multiplier": multiplier},),
        points_per_pellet=30,
        streak_max=6.0,
    )

    assert worth == points(tick(sent(state, "right"), *eats()))


SQUARE = ("22222", "20002", "20502", "20002", "22222")


def scavenger(at, radius, duration=5, **more):
    return table(
        *SQUARE,
        animals=({"at": at, "cage": (2, 4), "active": SCAVENGER, "ticks_remaining": duration},),
        scavenger_radius=radius,
        **more,
    )


def test_a_scavenger_takes_the_square_around_it_through_walls():
    state = tick(scavenger((1, 1), 1), *eats(5))

    assert rows(state) == ("00022", "00002", "00002", "20002", "22222")


def test_a_scavenger_stops_at_the_border():
    state = tick(scavenger((0, 0), 1), *eats(3))

    assert rows(state) == ("00222", "00002", "20502", "20002", "22222")


def test_a_scavenger_goes_column_by_column_from_the_left():
    state = tick(scavenger((1, 1), 1), *[("pellet_delay", delay) for delay in (10, 20, 30, 40, 50)])

    due = [(respawn // 25, *state.maze.xy(respawn % 25)) for respawn in state.respawns]
    assert due == [(11, 0, 0), (21, 0, 1), (31, 0, 2), (41, 1, 0), (51, 2, 0)]


def test_pellets_due_together_return_in_the_order_of_their_collection():
    state = tick(scavenger((1, 1), 1), *eats(5))

    assert [state.maze.xy(respawn % 25) for respawn in state.respawns] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (2, 0),
    ]


def test_a_scavenger_eats_power_pellets_which_never_come_back():
    state = tick(sent(scavenger((2, 1), 1), "down"), *eats(0))
    assert (points(state), rows(state), state.respawns) == (
        640,
        ("22222", "20002", "20002", *SQUARE[3:]),
        (),
    )


def test_scavenged_pellets_are_one_streak():
    state = tick(scavenger((0, 0), 1), *eats(3))

    assert (points(state), state.animals[0].streak_multiplier) == (64 + 134 + 204, 4.0)


def test_a_scavenger_works_in_the_cage_and_keeps_the_streak():
    state = tick(scavenger((2, 4), 1), *eats(3))

    assert (points(state), state.animals[0].streak_missed) == (402, 0)


def test_a_pellet_returns_after_its_delay():
    state = ticks(sent(table("42001"), "right"), eats(delay=2), [])
    assert rows(state) == ("40001",)

    assert rows(tick(state)) == ("42001",)


def test_without_a_delay_a_pellet_returns_in_the_same_tick_unless_the_eater_is_on_it():
    state = sent(
        table(
            "42021",
            animals=({}, {"at": (3, 0), "cage": (0, 0), "active": SCAVENGER, "ticks_remaining": 1}),
        ),
        "right",
    )
    state = tick(state, ("pellet_delay", 0), ("pellet_delay", 0))

    assert rows(state) == ("40001",)
    assert state.respawns == ()


def test_a_due_pellet_is_lost_under_an_animal():
    state = tick(table("4001", animals=({"at": (1, 0)},), respawns=[(1, 1, 0), (1, 2, 0)]))

    assert (rows(state), state.respawns) == (("4021",), ())


def test_a_due_pellet_is_lost_under_a_power_up():
    assert (
        rows(state := tick(table("4081", respawns=[(1, 2, 0)]))),
        state.respawns,
    ) == (("4081",), ())


def test_a_due_pellet_waits_for_its_cell_if_the_rules_say_so():
    state = table(
        "4001", animals=({"at": (1, 0)},), respawns=[(1, 1, 0)], respawn_blocked_pellets=True
    )
    state = tick(state)
    assert rows(state) == ("4001",)

    assert rows(tick(sent(state, "right"))) == ("4201",)


def test_a_zookeeper_on_its_cell_does_not_block_a_pellet():
    state = tick(table("40001", zookeepers=({"at": (2, 0)},), respawns=[(1, 2, 0)]))

    assert rows(state) == ("40201",)


def test_a_later_animal_finds_the_pellet_gone():
    state = table("40200", animals=({"at": (1, 0)}, {"at": (3, 0), "cage": (0, 0)}))
    state = tick(sent(sent(state, "right"), "left", seat=1), *eats())

    assert (at(state, 1), state.animals[1].score, state.animals[1].streak_missed) == ((2, 0), 0, 1)
