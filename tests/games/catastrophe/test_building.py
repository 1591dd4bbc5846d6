"""RULES §6: construct, deconstruct and convert."""

from __future__ import annotations

import pytest

from games.catastrophe.state import Tile
from tests.games.catastrophe.table import (
    FIRST,
    after,
    cell,
    code,
    command,
    lies,
    stranger,
    structure,
    table,
    unit,
)


@pytest.mark.parametrize(
    ("kind", "cost", "energy"), [("wall", 75, 25.0), ("Shelter", 50, 25.0), ("monument", 100, 62.5)]
)
def test_a_structure_costs_its_materials_and_a_monument_halves_its_own_price(kind, cost, energy):
    state = table(unit("builder", 5, 1), tiles={(6, 1): Tile(80, 4, 3, 120)})
    state = after(state, command("construct", FIRST, 6, 1, type=kind))

    built = state.structures[FIRST + 1]
    assert (kind.lower(), 0, cell(6, 1), cost) == tuple(built)
    assert (FIRST + 2, energy, True) == (
        state.next_id,
        state.units[FIRST].energy,
        state.units[FIRST].acted,
    )
    assert Tile(0, 4, 3, 120 - cost) == lies(state, 6, 1)


def test_the_builders_materials_are_checked_before_the_monument_stands():
    state = table(unit("builder", 5, 1, energy=70.0), tiles={(6, 1): Tile(materials=100)})

    assert code(state, command("construct", FIRST, 6, 1, type="monument")) == "not_enough_energy"


def test_only_a_shelter_can_be_built_around_a_unit():
    state = table(unit("builder", 5, 1), unit("soldier", 6, 1), tiles={(6, 1): Tile(materials=100)})

    assert code(state, command("construct", FIRST, 6, 1, type="wall")) == "tile_occupied"
    assert code(state, command("construct", FIRST, 6, 1, type="shelter")) == "ok"


def test_a_unit_cannot_build_under_itself_or_on_the_road():
    state = table(unit("builder", 5, 2), tiles={(5, 2): Tile(materials=100)})

    assert code(state, command("construct", FIRST, 5, 2, type="shelter")) == "not_adjacent"
    assert code(state, command("construct", FIRST, 5, 3, type="castle")) == "tile_has_structure"


def test_a_ruin_gives_what_can_be_carried():
    state = table(unit("builder", 5, 1, food=5), structures=[structure("neutral", 6, 1, None, 200)])
    state = after(state, command("deconstruct", FIRST + 1, 6, 1))

    assert (state.units[FIRST + 1].materials, state.structures[FIRST].materials) == (70, 130)
    assert (state.units[FIRST + 1].energy, state.units[FIRST + 1].acted) == (25.0, True)


def test_an_empty_structure_is_removed_and_its_tile_is_free():
    state = table(unit("builder", 5, 1), structures=[structure("wall", 6, 1, 1, 40)])
    state = after(state, command("deconstruct", FIRST + 1, 6, 1), command("move", FIRST + 1, 6, 1))

    assert FIRST not in state.structures
    assert (40, cell(6, 1)) == (state.units[FIRST + 1].materials, state.units[FIRST + 1].cell)


def test_an_enemy_shelter_is_taken_apart_from_within_unless_the_own_tile_is_excluded():
    for counts, expected in ((True, "ok"), (False, "not_adjacent")):
        state = table(
            unit("builder", 6, 1),
            structures=[structure("shelter", 6, 1, 1)],
            config={"own_tile_counts": counts},
        )
        assert expected == code(state, command("deconstruct", FIRST + 1, 6, 1))


def test_a_converted_unit_belongs_to_its_new_side_and_cannot_act_yet():
    walker = stranger(6, 3, turns_to_die=9, target=cell(11, 3), energy=40.0, food=2)
    state = after(table(unit("missionary", 5, 3), walker), command("convert", FIRST, 6, 3))

    found = state.units[FIRST + 1]
    assert (
        found.owner,
        found.energy,
        found.moves,
        found.acted,
        found.turns_to_die,
        found.target,
        found.food,
    ) == (0, 100.0, 0, True, -1, None, 2)
    assert (state.units[FIRST].energy, state.units[FIRST].acted) == (25.0, True)


def test_a_unit_cannot_convert_itself():
    assert code(table(unit("missionary", 5, 3)), command("convert", FIRST, 5, 3)) == "not_adjacent"


def test_a_shelter_of_either_seat_admits_every_unit():
    state = table(
        unit("soldier", 5, 1),
        unit("soldier", 8, 1),
        structures=[structure("shelter", 6, 1, 1), structure("shelter", 9, 1)],
    )

    state = after(state, command("move", FIRST + 2, 6, 1), command("move", FIRST + 3, 9, 1))
    assert (state.units[FIRST + 2].moves, state.units[FIRST + 3].moves) == (2, 2)
