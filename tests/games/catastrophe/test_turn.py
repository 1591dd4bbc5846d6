"""RULES §5.2, §5.3: what happens when a turn ends."""

from __future__ import annotations

import pytest

from games.catastrophe.rules import JOBS
from games.catastrophe.state import Tile
from games.catastrophe.view import view
from games.core.contract import BadSetup
from tests.games.catastrophe.table import (
    CAT,
    END,
    ENEMY_HUMAN,
    FIRST,
    HUMAN,
    after,
    cell,
    command,
    lies,
    rules,
    stranger,
    table,
    unit,
)

SPENT = {"acted": True, "moves": 0}


def test_own_and_neutral_units_are_ready_again():
    state = table(
        unit("soldier", 5, 1, **SPENT),
        unit("soldier", 6, 1, 1, **SPENT),
        stranger(7, 1, **SPENT, starving=True),
    )
    state = after(state, END)

    assert [(state.units[n].acted, state.units[n].moves) for n in (7, 8, 9)] == [
        (False, 3),
        (True, 0),
        (False, 4),
    ]
    assert not state.units[9].starving
    assert (state.turn, state.current_player) == (3, 1)


def test_the_acting_side_pays_upkeep():
    state = after(table(unit("soldier", 5, 1, 1), upkeep=(9, 9)), END)

    assert (state.food, state.upkeep) == ((50, 46), (1, 4))


def test_a_side_that_cannot_pay_everything_pays_nothing_and_starves():
    state = after(table(food=(0, 0)), END, END)

    assert state.food == (0, 0)
    assert all(state.units[number].starving for number in (CAT, HUMAN, ENEMY_HUMAN))


def test_a_side_that_pays_again_stops_starving():
    state = table(
        food=(0, 50),
        changed={
            CAT: {"starving": True},
            HUMAN: {"starving": True},
            ENEMY_HUMAN: {"starving": True},
        },
    )
    state = after(state, END)

    assert [state.units[number].starving for number in (CAT, HUMAN, ENEMY_HUMAN)] == [
        True,
        True,
        False,
    ]


def test_the_first_turn_of_each_seat_is_free():
    state = after(table(turn=0), END)
    assert state.food == (50, 50)
    assert after(state, END).food == (49, 50)


def test_a_side_can_pay_at_the_end_of_its_turn_instead():
    state = table(unit("soldier", 5, 1), config={"upkeep_phase": "turn_end"}, turn=0)

    assert (after(state, END).food, after(state, END).upkeep) == ((46, 50), (4, 1))


def test_rates_fall_every_sixty_turns_and_not_below_zero():
    tiles = {(5, 1): Tile(61), (6, 1): Tile(8)}

    assert [lies(after(table(turn=0, tiles=tiles), END), x, 1).harvest_rate for x in (5, 6)] == [
        51,
        0,
    ]
    assert [lies(after(table(turn=58, tiles=tiles), END), x, 1).harvest_rate for x in (5, 6)] == [
        61,
        8,
    ]
    assert lies(after(table(turn=60, tiles=tiles), END), 5, 1).harvest_rate == 51


@pytest.mark.parametrize(
    ("turn", "place", "turns_to_die", "target"),
    [(0, (0, 3), 12, (11, 3)), (1, (11, 4), 12, (0, 4)), (30, (0, 3), 12, (11, 3))],
)
def test_a_human_arrives_on_each_road_row_one_turn_apart_and_does_not_walk_yet(
    turn, place, turns_to_die, target
):
    state = after(table(turn=turn, current_player=turn % 2), END)

    came = state.units[FIRST]
    assert (None, "fresh human", cell(*place), turns_to_die, cell(*target)) == (
        came.owner,
        came.job,
        came.cell,
        came.turns_to_die,
        came.target,
    )


def test_with_a_human_every_turn_all_arrive_on_the_first_row():
    state = table(turn=5, current_player=1, config={"turns_to_create_human": 1})
    came = [one.cell for one in after(state, END, END).units.values() if one.owner is None]

    assert came == [cell(1, 3), cell(0, 3)]


def test_no_human_arrives_in_between():
    assert FIRST not in after(table(turn=2), END).units
    assert FIRST not in after(table(turn=29, current_player=1), END).units


def test_a_human_that_arrives_behind_another_has_a_shorter_way():
    state = after(table(unit("soldier", 0, 3), unit("soldier", 1, 3), turn=30), END)

    assert (cell(2, 3), 10) == (state.units[FIRST + 2].cell, state.units[FIRST + 2].turns_to_die)


def test_no_human_arrives_on_a_full_row():
    state = after(table(*(unit("soldier", x, 3) for x in range(12)), turn=30), END)

    assert state.next_id == FIRST + 12


def test_walkers_move_every_turn_and_leave_at_the_far_end():
    state = after(table(turn=30), END)
    places = []
    while FIRST in state.units:
        places.append(state.units[FIRST].cell)
        state = after(state, END)

    assert [cell(x, 3) for x in range(12)] == places


def test_a_walker_waits_behind_a_unit_while_its_time_runs():
    state = table(stranger(5, 3, turns_to_die=4, target=cell(11, 3)), unit("soldier", 6, 3))
    state = after(state, END)

    assert (cell(5, 3), 3) == (state.units[FIRST].cell, state.units[FIRST].turns_to_die)


def test_a_queue_moves_in_the_order_of_ids():
    first, second = (
        stranger(5, 3, turns_to_die=9, target=cell(11, 3)),
        stranger(6, 3, turns_to_die=9, target=cell(11, 3)),
    )

    assert [after(table(first, second), END).units[n].cell % 12 for n in (7, 8)] == [5, 7]
    assert [after(table(second, first), END).units[n].cell % 12 for n in (7, 8)] == [7, 6]


def test_a_converted_unit_acts_in_its_sides_next_turn():
    state = after(
        table(unit("missionary", 5, 3), stranger(6, 3)), command("convert", FIRST, 6, 3), END
    )

    assert (state.units[FIRST + 1].acted, state.units[FIRST + 1].moves) == (False, 4)


def test_a_fading_units_goods_disappear_with_it():
    state = after(table(stranger(6, 1, turns_to_die=1, food=5)), END)

    assert FIRST not in state.units
    assert Tile() == lies(state, 6, 1)


def test_a_match_may_have_its_own_numbers_for_jobs():
    """What is not given is as in the table."""
    jobs = {"gatherer": {"upkeep": 7, "moves": 9, "carry_limit": 3, "action_cost": 10}}
    tiles = {(5, 1): Tile(harvest_rate=50)}
    state = table(unit("gatherer", 6, 1), config={"jobs": jobs}, tiles=tiles)
    state = after(state, command("harvest", FIRST, 5, 1))
    assert (state.units[FIRST].food, state.units[FIRST].energy) == (3, 90.0)

    state = after(state, END, END)
    assert (state.units[FIRST].moves, state.upkeep[0]) == (9, 1 + 7)
    assert view(state, 0)["jobs"]["gatherer"] == jobs["gatherer"] | {"regen_rate": 50}
    assert view(state, 0)["jobs"]["soldier"] == JOBS["soldier"]._asdict()


@pytest.mark.parametrize(
    "jobs", [7, {"pope": {}}, {"soldier": 7}, {"soldier": {"pay": 1}}, {"soldier": {"moves": -1}}]
)
def test_a_table_of_jobs_that_is_none_is_refused(jobs):
    with pytest.raises(BadSetup) as refusal:
        rules(jobs=jobs)

    assert (refusal.value.code, refusal.value.field) == ("bad_jobs", "jobs")
