"""RULES §12: the profile `reference`."""

from __future__ import annotations

from games.zooscape.board import BIG_MOOSE_JUICE, SCAVENGER
from games.zooscape.maze import IDLE, RIGHT
from games.zooscape.state import NONE
from tests.games.zooscape.table import answered, at, eats, keeper_at, rows, sent, table, tick, ticks

JUICE = {"active": BIG_MOOSE_JUICE, "ticks_remaining": 9}


def reference(*drawn, **more):
    return table(*drawn, rules_profile="reference", **more)


def test_the_queue_holds_one_more_command():
    state = sent(reference("4000", command_queue_size=1), "right", "right")

    assert len(state.queues[0]) == 2
    assert answered(state, "up")[1].code == "queue_full"


def test_the_full_queue_is_answered_too():
    state = sent(reference("4000", command_queue_size=100), *["right"] * 100)

    assert answered(state, "up")[1].changes == {"queue_length": 101}


def test_a_continued_use_item_activates_a_later_pick_up():
    state = tick(sent(reference("4007001", animals=({"at": (1, 0)},)), "right", "use_item"))
    state = tick(state)
    assert (state.animals[0].held, state.animals[0].active) == (SCAVENGER, NONE)

    state = tick(state)
    assert (state.animals[0].held, state.animals[0].active, state.animals[0].power_ups_used) == (
        NONE,
        SCAVENGER,
        1,
    )


def test_a_continued_use_of_an_empty_slot_is_reported_once():
    state = tick(sent(reference("4001", animals=({"at": (1, 0)},)), "use_item"))
    assert state.animals[0].used_nothing

    assert not tick(state).animals[0].used_nothing


def test_a_capture_keeps_direction_and_viability():
    caught = {"at": (3, 0), "is_viable": True, "direction": RIGHT}
    state = tick(reference("4000000", animals=(caught,), zookeepers=({"at": (4, 0), "target": 0},)))
    assert (at(state), state.animals[0].direction, state.animals[0].is_viable) == (
        (0, 0),
        RIGHT,
        True,
    )

    assert not tick(state).animals[0].is_viable


def test_a_power_up_is_not_picked_up_while_one_is_held():
    state = tick(sent(reference("471", animals=({"held": BIG_MOOSE_JUICE},)), "right"))

    assert (state.animals[0].held, rows(state)) == (BIG_MOOSE_JUICE, ("471",))


def test_a_pick_up_keeps_the_active_item():
    state = tick(sent(reference("471", animals=(JUICE,)), "right"))

    assert (state.animals[0].held, state.animals[0].active) == (SCAVENGER, BIG_MOOSE_JUICE)


def test_juice_adds_a_part_without_the_streak():
    state = ticks(sent(reference("4221", animals=(JUICE,)), "right"), eats(), eats())

    assert state.animals[0].score == (192 + 64) + (192 + 134)


def test_juice_adds_the_value_of_a_power_pellet():
    state = tick(sent(reference("451", animals=(JUICE | {"streak_multiplier": 2.1},)), "right"))

    assert state.animals[0].score == 6400 + 1344


def test_a_streak_ends_in_the_fourth_tick_without_a_pellet():
    state = ticks(sent(reference("420000021"), "right"), eats(), [], [], [])
    assert state.animals[0].streak_multiplier == 2.1

    assert tick(state).animals[0].streak_multiplier == 1.0


def test_on_its_spawn_an_animal_misses_nothing():
    state = ticks(reference("41", animals=({"streak_multiplier": 3.2},)), *[[]] * 9)

    assert (state.animals[0].streak_multiplier, state.animals[0].streak_missed) == (3.2, 0)


def test_a_power_pellet_in_the_fourth_tick_comes_after_the_end_of_the_streak():
    state = tick(
        sent(reference("451", animals=({"streak_multiplier": 3.2, "streak_missed": 3},)), "right")
    )

    assert (state.animals[0].score, state.animals[0].streak_missed) == (640, 0)


def test_scavenged_pellets_stay_and_score_again():
    scavenger = {"at": (1, 0), "active": SCAVENGER, "ticks_remaining": 2, "streak_multiplier": 4.0}
    state = reference("40251", animals=(scavenger,))
    state = ticks(state, [], [])

    assert (rows(state), state.animals[0].score) == (("40251",), 2 * (256 + 2560))
    assert state.respawns == ()


def test_a_new_zookeeper_captures_no_animal():
    state = reference("40300", animals=({"at": (2, 0)},), zookeeper_timer=1)
    state = tick(state, ("zookeeper_interval", 250))

    assert state.animals[0].captured_count == 0


def test_a_tie_chooses_no_target_even_at_the_end_of_a_period():
    both = tuple({"at": (x, 0), "cage": (0, 0), "is_viable": True} for x in (4, 8))
    state = reference(
        "4000000000000",
        animals=both,
        zookeepers=({"at": (6, 0), "target": 1, "retarget_due": True},),
    )
    state = tick(state)

    assert (keeper_at(state), state.zookeepers[0].target, state.zookeepers[0].direction) == (
        (6, 0),
        None,
        IDLE,
    )
