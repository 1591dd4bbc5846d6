"""RULES §5.4, §6.1: squads and attacks."""

from __future__ import annotations

import pytest

from games.catastrophe.state import Tile
from tests.games.catastrophe.table import (
    CAT,
    END,
    ENEMY_CAT,
    FIRST,
    after,
    cell,
    command,
    lies,
    stranger,
    structure,
    table,
    unit,
)

NEXT = FIRST + 1


def energies(state, *numbers):
    return [state.units[number].energy for number in numbers]


def test_a_squad_is_a_group_of_connected_soldiers():
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 5, 1),
        unit("soldier", 6, 2),
        unit("soldier", 5, 2, 1),
        unit("soldier", 6, 1),
    )

    assert (7, 8, 9, 11) == state.squads[7] == state.squads[11]
    assert state.squads[10] == (10,)


def test_a_unit_that_is_no_soldier_is_in_no_squad():
    state = table(
        unit("soldier", 4, 1),
        unit("builder", 5, 1),
        unit("soldier", 6, 1),
        unit("builder", 5, 2),
        stranger(4, 2),
    )

    assert state.squads[8] == (7, 8, 9)
    assert [state.squads[number] for number in (7, 9, 10, 11)] == [(7,), (9,), (10,), (11,)]


def test_four_soldiers_attack_two_as_one():
    """One with 25 energy gives all and falls; who is no soldier is not hurt."""
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 4, 2),
        unit("soldier", 3, 1, energy=25.0, materials=4),
        unit("soldier", 3, 2, energy=26.0),
        unit("soldier", 5, 1, 1, energy=50.0, food=7, materials=2),
        unit("soldier", 6, 1, 1, energy=50.5),
        unit("gatherer", 5, 2, 1),
    )
    state = after(state, command("attack", 7, 5, 1))

    assert energies(state, *range(7, 14)) == [75.0, 75.0, 100.0, 1.0, 100.0, 0.5, 100.0]
    assert [state.units[number].owner for number in range(7, 14)] == [0, 0, None, 0, None, 1, 1]
    assert Tile(food=7, materials=2) == lies(state, 5, 1)
    assert Tile(materials=4) == lies(state, 3, 1)
    assert (
        state.units[9].acted,
        state.units[9].moves,
        state.units[9].job,
        state.units[9].turns_to_die,
    ) == (True, 0, "fresh human", 10)
    assert (state.units[11].acted, state.units[11].moves) == (False, 3)


def test_a_unit_that_has_acted_does_not_attack_but_is_attacked():
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 3, 1, acted=True),
        unit("soldier", 5, 1, 1, acted=True),
    )
    state = after(state, command("attack", 7, 5, 1))

    assert energies(state, 7, 8, 9) == [75.0, 100.0, 75.0]


@pytest.mark.parametrize(
    ("energy", "monuments", "left"),
    [(10.0, [], 90.0), (10.0, [(4, 0)], 80.0), (12.5, [(4, 0)], 75.0), (0.0, [], 100.0)],
)
def test_the_last_energy_of_an_attacker_counts_twice_near_a_monument(energy, monuments, left):
    built = [structure("monument", *place) for place in monuments]
    number = FIRST + len(built)
    state = table(unit("soldier", 4, 1, energy=energy), unit("soldier", 5, 1, 1), structures=built)
    state = after(state, command("attack", number, 5, 1))

    assert left == state.units[number + 1].energy
    assert state.units[number].owner is None


def test_where_a_monument_takes_the_whole_cost_no_attacker_falls():
    state = table(
        unit("soldier", 4, 1, energy=0.0),
        unit("soldier", 5, 1, 1),
        structures=[structure("monument", 4, 0)],
        config={"monument_cost_mult": 0},
    )
    state = after(state, command("attack", NEXT, 5, 1))

    assert (state.units[NEXT].owner, state.units[NEXT + 1].energy) == (None, 75.0)


def test_near_its_monument_a_defender_loses_half():
    state = table(
        unit("soldier", 4, 1), unit("soldier", 5, 1, 1), structures=[structure("monument", 8, 1, 1)]
    )

    assert after(state, command("attack", NEXT, 5, 1)).units[NEXT + 1].energy == 87.5


def test_damage_is_shared_evenly_and_an_overlord_has_its_guards():
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 6, 1, 1),
        unit("soldier", 5, 0, 1),
        changed={ENEMY_CAT: {"cell": cell(5, 1)}},
    )
    state = after(state, command("attack", 7, 5, 1))

    assert [pytest.approx(100 - 25 / 3)] * 3 == energies(state, ENEMY_CAT, 8, 9)


def test_a_structure_takes_the_damage_for_the_unit_on_it():
    state = table(
        unit("soldier", 4, 1), unit("soldier", 5, 1, 1), structures=[structure("shelter", 5, 1, 1)]
    )
    state = after(state, command("attack", NEXT, 5, 1))

    assert (state.structures[FIRST].materials, state.units[NEXT + 1].energy) == (25, 100.0)


def test_a_destroyed_structure_leaves_nothing_and_protects_no_unit():
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 5, 2),
        unit("soldier", 5, 1, 1),
        structures=[structure("shelter", 5, 1, 1, 25)],
    )
    state = after(state, command("attack", NEXT, 5, 1), command("attack", NEXT + 1, 5, 1))

    assert FIRST not in state.structures
    assert state.units[NEXT + 2].energy == 75.0
    assert Tile() == lies(state, 5, 1)


def test_a_fraction_of_a_structures_health_is_lost():
    weak = structure("wall", 5, 1, None, 30)
    state = table(unit("soldier", 4, 1, energy=10.5), structures=[weak])

    assert after(state, command("attack", NEXT, 5, 1)).structures[FIRST].materials == 19


def test_own_structures_can_be_attacked_but_own_units_on_them_are_safe():
    state = table(unit("soldier", 1, 0))
    state = after(state, command("attack", FIRST, 0, 0))

    assert (state.structures[1].materials, state.units[CAT].energy) == (25, 100.0)


def test_an_overlord_without_energy_stays_and_the_match_ends_with_the_turn():
    state = table(
        unit("soldier", 4, 1), changed={ENEMY_CAT: {"cell": cell(5, 1), "energy": 20.0, "food": 3}}
    )
    state = after(state, command("attack", FIRST, 5, 1))

    assert (
        state.units[ENEMY_CAT].energy,
        state.units[ENEMY_CAT].owner,
        state.units[ENEMY_CAT].food,
    ) == (0.0, 1, 0)
    assert state.result is None
    assert after(state, END).result == (0, "cat_defeated", None)


def test_a_neutral_unit_is_a_squad_of_its_own_and_without_energy_removed_at_once():
    state = table(unit("soldier", 4, 1), stranger(5, 1, energy=25.0, food=4))
    state = after(state, command("attack", 7, 5, 1))

    assert 8 not in state.units
    assert cell(5, 1) not in state.at
    assert Tile(food=4) == lies(state, 5, 1)


def test_a_defeated_unit_stays_for_ten_turns():
    state = after(
        table(unit("soldier", 4, 1), unit("soldier", 5, 1, 1, energy=1.0)),
        command("attack", 7, 5, 1),
    )
    while 8 in state.units:
        last = state.turn
        state = after(state, END)

    assert last == 2 + 9
