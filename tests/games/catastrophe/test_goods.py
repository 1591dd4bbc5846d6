"""RULES §6: harvest, drop, pickup, rest and the change of jobs."""

from __future__ import annotations

import pytest

from games.catastrophe.state import Tile
from tests.games.catastrophe.table import (
    CAT,
    END,
    FIRST,
    HUMAN,
    after,
    code,
    command,
    lies,
    structure,
    table,
    unit,
)

MONUMENT = structure("monument", 4, 0)


def test_a_harvest_takes_the_rate_and_exhausts_the_tile():
    state = after(
        table(unit("gatherer", 5, 1), tiles={(6, 1): Tile(61)}), command("harvest", FIRST, 6, 1)
    )

    assert (
        state.units[FIRST].food,
        state.units[FIRST].energy,
        state.units[FIRST].acted,
        state.units[FIRST].moves,
    ) == (61, 25.0, True, 4)
    assert Tile(61, 10) == lies(state, 6, 1)


def test_a_harvest_takes_no_more_than_can_be_carried():
    state = after(
        table(unit("gatherer", 5, 1, food=70, materials=5), tiles={(6, 1): Tile(61)}),
        command("harvest", FIRST, 6, 1),
    )

    assert state.units[FIRST].food == 95


def test_a_harvested_tile_is_ready_ten_turns_later():
    state = after(
        table(unit("gatherer", 5, 1), tiles={(6, 1): Tile(61)}), command("harvest", FIRST, 6, 1)
    )
    for turn in range(2, 12):
        assert turn == state.turn
        if turn % 2 == 0 and turn > 2:
            assert code(state, command("harvest", FIRST, 6, 1)) == "not_enough_energy"
        state = after(state, END)

    assert lies(state, 6, 1).turns_to_harvest == 0


def test_a_gatherer_steals_from_the_pool_of_an_enemy_shelter():
    stolen = structure("shelter", 6, 1, 1)
    state = after(
        table(unit("gatherer", 5, 1), structures=[stolen], food=(50, 70)),
        command("harvest", FIRST + 1, 6, 1),
    )

    assert (state.food, state.units[FIRST + 1].food) == ((50, 0), 70)


@pytest.mark.parametrize(
    ("place", "built"),
    [
        ((5, 3), []),
        ((6, 2), [structure("wall", 6, 2, 1)]),
        ((6, 2), [structure("monument", 6, 2, 1)]),
        ((6, 2), [structure("neutral", 6, 2, None)]),
        ((6, 2), [structure("shelter", 6, 2)]),
    ],
)
def test_roads_and_all_but_enemy_shelters_give_a_thief_nothing(place, built):
    state = table(unit("gatherer", 5, 2), structures=built, tiles={(6, 2): Tile(harvest_rate=60)})

    assert code(state, command("harvest", FIRST + len(built), *place)) == "not_enemy_shelter"


def test_an_empty_pool_still_costs_the_thief_its_action():
    stolen = structure("shelter", 6, 1, 1)
    state = after(
        table(unit("gatherer", 5, 1), structures=[stolen], food=(50, 0)),
        command("harvest", FIRST + 1, 6, 1),
    )

    assert (
        state.units[FIRST + 1].food,
        state.units[FIRST + 1].energy,
        state.units[FIRST + 1].acted,
    ) == (0, 25.0, True)


def test_near_a_monument_an_action_costs_half():
    state = table(
        unit("gatherer", 5, 1, energy=37.5), structures=[MONUMENT], tiles={(6, 1): Tile(61)}
    )

    assert after(state, command("harvest", FIRST + 1, 6, 1)).units[FIRST + 1].energy == 0.0


@pytest.mark.parametrize(("x", "y"), [(8, 4), (9, 5), (6, 2), (5, 4), (9, 6)])
def test_the_range_of_a_structure_is_a_square_with_its_own_tile(x, y):
    built = [structure("monument", 8, 4), structure("shelter", 8, 5)]
    raw = command("harvest", FIRST + 2, x, y)
    near = table(unit("gatherer", x, y, energy=37.5), structures=built[:1], tiles={(x, y): Tile(9)})
    state = table(unit("gatherer", x, y, energy=37.5), structures=built)

    assert (code(near, raw | {"unit": FIRST + 1}) == "not_enough_energy") is (x < 5)
    in_shelter = max(abs(x - 8), abs(y - 5)) <= 1
    assert (code(state, command("rest", FIRST + 2)) == "ok") is in_shelter


def test_an_enemy_monument_helps_no_other_side():
    enemys = MONUMENT._replace(owner=1)
    state = table(
        unit("gatherer", 5, 1, energy=37.5), structures=[enemys], tiles={(6, 1): Tile(61)}
    )

    assert code(state, command("harvest", FIRST + 1, 6, 1)) == "not_enough_energy"


def test_every_job_can_harvest_if_the_rules_allow_it():
    config = {"harvest_requires_gatherer": False}
    state = after(
        table(unit("fresh human", 5, 1), tiles={(6, 1): Tile(61)}, config=config),
        command("harvest", FIRST, 6, 1),
    )

    assert (state.units[FIRST].food, state.units[FIRST].energy) == (10, 100.0)


OWN_TILE = [
    command("harvest", FIRST, 5, 1),
    command("drop", FIRST, 5, 1, resource="food"),
    command("pickup", FIRST, 5, 1, resource="food"),
]


@pytest.mark.parametrize("raw", OWN_TILE, ids=lambda raw: raw["cmd"])
def test_the_own_tile_is_in_range_unless_the_rules_exclude_it(raw):
    for counts, expected in ((True, "ok"), (False, "not_adjacent")):
        state = table(
            unit("gatherer", 5, 1),
            tiles={(5, 1): Tile(9, food=9)},
            config={"own_tile_counts": counts},
        )
        assert expected == code(state, raw)


def test_food_dropped_on_an_own_shelter_goes_into_the_pool():
    state = after(
        table(unit("gatherer", 1, 0, food=9)),
        command("drop", FIRST, 0, 0, resource="food", amount=4),
    )

    assert (state.food, state.units[FIRST].food) == ((54, 50), 5)


def test_resources_dropped_elsewhere_lie_on_the_tile():
    state = table(unit("builder", 1, 1, materials=30, food=2))
    state = after(
        state,
        command("drop", FIRST, 0, 1, resource="Mud"),
        command("drop", FIRST, 0, 1, resource="F", amount=-3),
    )

    assert Tile(food=2, materials=30) == lies(state, 0, 1)
    assert (
        state.units[FIRST].food,
        state.units[FIRST].materials,
        state.units[FIRST].acted,
        state.units[FIRST].energy,
    ) == (0, 0, False, 100.0)


def test_an_empty_drop_is_possible_on_a_road_too():
    state = table(unit("builder", 1, 3))

    assert state._replace(commands=1) == after(
        state, command("drop", FIRST, 1, 4, resource="food", amount=7)
    )


@pytest.mark.parametrize(
    ("amount", "energy", "lying", "carried", "taken"),
    [
        (0, 100.0, 30, 0, 30),
        (-1, 100.0, 30, 0, 30),
        (4, 100.0, 30, 0, 4),
        (99, 100.0, 30, 0, 30),
        (0, 12.9, 30, 0, 12),
        (0, 100.0, 90, 20, 55),
    ],
)
def test_a_pickup_is_limited_by_the_tile_capacity_and_strength(
    amount, energy, lying, carried, taken
):
    state = table(
        unit("builder", 1, 1, energy=energy, food=carried),
        tiles={(2, 1): Tile(materials=lying)},
        structures=[MONUMENT],
    )
    state = after(state, command("pickup", FIRST + 1, 2, 1, resource="materials", amount=amount))

    assert (taken, energy - taken) == (
        state.units[FIRST + 1].materials,
        state.units[FIRST + 1].energy,
    )
    assert Tile(materials=lying - taken) == lies(state, 2, 1)
    assert not state.units[FIRST + 1].acted


def test_a_pickup_that_takes_the_last_energy_defeats_no_unit():
    state = table(unit("builder", 1, 1, energy=4.0), tiles={(2, 1): Tile(food=5)})
    state = after(state, command("pickup", FIRST, 2, 1, resource="food"), END)

    assert (state.units[FIRST].energy, state.units[FIRST].owner) == (0.0, 0)
    assert (state.units[FIRST].food, lies(state, 2, 1).food) == (4, 1)


def test_a_weak_unit_cannot_pick_up():
    state = table(unit("builder", 1, 1, energy=0.99), tiles={(2, 1): Tile(food=5)})

    assert code(state, command("pickup", FIRST, 2, 1, resource="food")) == "not_enough_energy"


@pytest.mark.parametrize(
    ("place", "starving", "expected"),
    [((1, 1), False, 100.0), ((1, 1), True, 35.0), ((8, 1), False, 60.0), ((8, 1), True, 22.5)],
)
def test_rest_is_doubled_with_the_overlord_and_quartered_while_starving(place, starving, expected):
    state = table(
        unit("gatherer", *place, energy=10.0, starving=starving),
        structures=[structure("shelter", 9, 2)],
    )
    state = after(state, command("rest", FIRST + 1))

    assert (expected, 0, True) == (
        state.units[FIRST + 1].energy,
        state.units[FIRST + 1].moves,
        state.units[FIRST + 1].acted,
    )


def test_resting_unit_and_overlord_must_be_in_range_of_one_shelter():
    shelters = [structure("shelter", 3, 1)]
    state = table(unit("gatherer", 4, 1, energy=10.0), structures=shelters)

    assert after(state, command("rest", FIRST + 1)).units[FIRST + 1].energy == 60.0
    beside = state._replace(units=state.units | {CAT: state.units[CAT]._replace(cell=2)})
    assert after(beside, command("rest", FIRST + 1)).units[FIRST + 1].energy == 100.0


def test_enemy_shelters_give_no_rest():
    state = table(unit("gatherer", 4, 1, energy=10.0), structures=[structure("shelter", 4, 2, 1)])

    assert code(state, command("rest", FIRST + 1)) == "not_in_shelter_range"


def test_a_new_job_costs_the_moves_and_no_energy_and_what_is_carried_falls():
    state = table(unit("gatherer", 1, 1, food=7, materials=5, energy=100.0))
    state = after(state, command("change_job", FIRST, job="SOLDIER"))

    found = state.units[FIRST]
    assert (found.job, found.moves, found.acted, found.food, found.materials, found.energy) == (
        "soldier",
        0,
        True,
        0,
        0,
        100.0,
    )
    assert Tile(food=7, materials=5) == lies(state, 1, 1)


def test_a_job_can_be_given_up():
    state = table(unit("soldier", 1, 1))

    assert (
        after(state, command("change_job", FIRST, job="fresh human")).units[FIRST].job
        == "fresh human"
    )


def test_the_upkeep_shows_a_new_job_at_the_end_of_the_turn():
    state = after(table(), command("change_job", HUMAN, job="soldier"))

    assert state.upkeep == (1, 1)
    assert after(state, END).upkeep == (3, 1)


FULL = [
    (unit("builder", 5, 1, materials=75), command("deconstruct", FIRST + 2, 6, 1)),
    (unit("gatherer", 5, 1, materials=60, food=40), command("harvest", FIRST + 2, 5, 0)),
    (unit("gatherer", 5, 1, food=100), command("harvest", FIRST + 2, 4, 1)),
    (unit("soldier", 5, 1, food=10), command("pickup", FIRST + 2, 5, 0, resource="food")),
]


@pytest.mark.parametrize(
    ("carrier", "raw"), FULL, ids=lambda value: value["cmd"] if isinstance(value, dict) else None
)
def test_a_unit_at_its_capacity_takes_nothing_more(carrier, raw):
    built = [structure("neutral", 6, 1, None, 200), structure("shelter", 4, 1, 1)]
    state = table(carrier, structures=built, tiles={(5, 0): Tile(61, food=5)})

    assert code(state, raw) == "carry_full"
