"""RULES §5.3, §5.6 and §6: power-ups on the board, in the slot, and at work."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core.dice import Seeded
from games.zooscape.advance import advance, power_up_candidates
from games.zooscape.board import BIG_MOOSE_JUICE, CHAMELEON_CLOAK, SCAVENGER, from_rows
from games.zooscape.chance import power_up_cell
from games.zooscape.maze import maze_of
from games.zooscape.state import NONE
from tests.games.zooscape.table import eats, rows, rules, sent, table, tick, ticks

KINDS = [CHAMELEON_CLOAK, SCAVENGER, BIG_MOOSE_JUICE]


def power_up(state, seat=0):
    animal = state.animals[seat]
    return animal.held, animal.active, animal.ticks_remaining


@pytest.mark.parametrize("kind", KINDS)
def test_walking_onto_a_power_up_picks_it_up(kind):
    state = tick(sent(table(f"40{chr(kind)}01", animals=({"at": (1, 0)},)), "right"))

    assert ((kind, NONE, 0), ("40001",)) == (power_up(state), rows(state))


def test_a_pick_up_replaces_the_held_item():
    assert power_up(tick(sent(table("471", animals=({"held": CHAMELEON_CLOAK},)), "right"))) == (
        SCAVENGER,
        NONE,
        0,
    )


def test_a_pick_up_ends_the_active_item():
    active = {"active": BIG_MOOSE_JUICE, "ticks_remaining": 3}

    assert power_up(tick(sent(table("471", animals=(active,)), "right"))) == (SCAVENGER, NONE, 0)


@pytest.mark.parametrize(
    ("kind", "lasts"), [(CHAMELEON_CLOAK, 20), (SCAVENGER, 5), (BIG_MOOSE_JUICE, 5)]
)
def test_a_used_item_is_active_for_its_duration_including_this_tick(kind, lasts):
    state = tick(sent(table("4001", animals=({"at": (1, 0), "held": kind},)), "use_item"))
    assert ((NONE, kind, lasts - 1), 1) == (power_up(state), state.animals[0].power_ups_used)

    state = ticks(state, *[[]] * (lasts - 2))
    assert (NONE, kind, 1) == power_up(state)
    assert power_up(tick(state)) == (NONE, NONE, 0)


def test_an_item_takes_effect_in_its_tick_and_the_animal_moves_on():
    state = sent(table("40021", animals=({"at": (1, 0), "held": BIG_MOOSE_JUICE},)), "right")
    state = tick(sent(tick(state), "use_item"), *eats())

    assert (state.animals[0].score, state.animals[0].distance_covered) == (192, 2)


def test_use_of_an_empty_slot_is_only_an_event():
    state = tick(sent(table("4001", animals=({"at": (1, 0)},)), "use_item"))
    assert state.animals[0].used_nothing
    assert state.animals[0].power_ups_used == 0

    assert not tick(state).animals[0].used_nothing


def test_use_item_is_not_repeated():
    state = tick(sent(table("400701", animals=({"at": (1, 0)},)), "right", "use_item"))
    state = tick(tick(state))

    assert power_up(state) == (SCAVENGER, NONE, 0)


def test_a_cloak_ends_one_tick_after_its_last():
    cloaked = {"at": (1, 0), "active": CHAMELEON_CLOAK, "ticks_remaining": 1}
    state = tick(table("4001", animals=(cloaked,)))
    assert (state.animals[0].is_viable, state.animals[0].active) == (False, NONE)

    assert tick(state).animals[0].is_viable


# candidates


def candidates(drawn, animals=(), **config):
    maze = maze_of(from_rows(drawn))
    cells = power_up_candidates(
        rules(**config), maze, from_rows(drawn).cells, [maze.cell(*animal) for animal in animals]
    )
    return [maze.xy(cell) for cell in cells]


OPEN = ("00000",) * 5


def near(animals=0, power_ups=0):
    return {
        "power_up_distance_from_animals": animals,
        "power_up_distance_from_power_ups": power_ups,
    }


def test_candidates_are_empty_cells_and_pellets_row_by_row():
    assert candidates(("012", "034"), **near()) == [(0, 0), (2, 0), (0, 1)]


def test_power_ups_appear_outside_a_circle_around_animals():
    found = candidates(OPEN, [(2, 2)], **near(animals=2))

    assert {(x, y) for x in range(5) for y in range(5) if (x - 2) ** 2 + (y - 2) ** 2 > 4} == set(
        found
    )


def test_an_animals_own_cell_is_no_candidate_even_at_distance_0():
    assert (2, 2) not in candidates(OPEN, [(2, 2)], **near())


def test_power_ups_appear_outside_a_square_around_others():
    found = candidates(("00000", "00000", "00000", "00000", "00005"), **near(power_ups=2))

    assert {(x, y) for x in range(5) for y in range(5) if x < 2 or y < 2} == set(found)


def test_distances_larger_than_the_board_leave_no_candidate():
    assert candidates(OPEN, [(0, 0)], **near(animals=1_000_000)) == []
    assert candidates(("00008",), **near(power_ups=1_000_000)) == []


# appearing


def test_a_power_up_appears_when_the_timer_runs_out_and_a_pellet_there_is_gone_for_good():
    state = table("4022001", power_up_timer=2, animals=({},), power_up_distance_from_animals=0)
    state = tick(state)
    assert (state.power_up_timer, rows(state)) == (1, ("4022001",))

    state = tick(
        state, ("power_up_cell", 3), ("power_up_kind", SCAVENGER), ("power_up_interval", 9)
    )
    assert (state.power_up_timer, rows(state)) == (9, ("4027001",))
    assert state.respawns == ()


def test_without_a_candidate_nothing_appears_and_no_kind_is_drawn():
    state = tick(table("4001", power_up_timer=1), ("power_up_cell", None), ("power_up_interval", 7))

    assert (state.power_up_timer, rows(state)) == (7, ("4001",))


def test_the_cell_of_a_power_up_is_drawn_uniformly_from_the_candidates():
    dice = Seeded(7)
    found = Counter(power_up_cell((3, 5, 8), dice.at(step)) for step in range(1, 1501))

    assert {3, 5, 8} == set(found)
    assert all(abs(count / 1500 - 1 / 3) < 0.05 for count in found.values())


def test_power_ups_can_be_switched_off():
    state = tick(table("4001", power_up_timer=1, power_up_spawning=False))

    assert rows(state) == ("4001",)


def test_a_power_up_appears_before_a_pellet_that_is_due_on_its_cell():
    state = table("40001", power_up_timer=1, respawns=[(1, 3, 0)], respawn_blocked_pellets=True)
    state = tick(
        state, ("power_up_cell", 3), ("power_up_kind", SCAVENGER), ("power_up_interval", 9)
    )

    assert (rows(state), len(state.respawns)) == (("40071",), 1)


def test_power_ups_keep_away_from_animals_after_the_zookeepers_moved():
    caught = {"at": (4, 0), "is_viable": True}
    state = table(
        "40000",
        animals=(caught,),
        zookeepers=({"at": (3, 0), "target": 0},),
        power_up_timer=1,
        **near(animals=3),
    )
    state = advance(state, Seeded(1).at(1))

    assert state.animals[0].captured_count == 1
    assert state.cells[4] in b"5678"


def test_an_animal_in_its_cage_keeps_power_ups_away_too():
    assert candidates(("4000",), [(0, 0)], **near(animals=2)) == [(3, 0)]
