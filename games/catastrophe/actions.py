"""What units do (RULES §6). Each action returns what the moment has become, or the code of the
first check that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.catastrophe.combat import attack
from games.catastrophe.draft import Tables, drafted
from games.catastrophe.rules import (
    BUILDER,
    CAT,
    GATHERER,
    JOBS,
    MISSIONARY,
    MONUMENT,
    SHELTER,
    WALL,
)
from games.catastrophe.state import (
    BARE,
    Cell,
    Ground,
    Id,
    State,
    Structure,
    Unit,
    as_unit,
    in_range,
    monument_mult,
)

BUILDABLE: Final = (WALL, SHELTER, MONUMENT)

_RESOURCES: Final[Mapping[str, Literal["food", "materials"]]] = {"f": "food", "m": "materials"}
"""By the first letter of the word for it."""


Fate: TypeAlias = Tables | str
"""What a command does: what the moment has become, or the code of a refusal."""


class Order(NamedTuple):
    """A command, read. `word` is its job, type or resource; what its kind does not need is left at
    0 or empty."""

    kind: Kind
    unit: Id
    x: int = 0
    y: int = 0
    word: str = ""
    amount: int = 0


as_order: Final[Callable[[Sequence[Any]], Order]] = partial(tuple.__new__, Order)
"""An order of all its fields in their order."""


class Kind(NamedTuple):
    """One row of the table of commands."""

    does: Callable[[State, Id, Unit, Cell, Order], Fate]
    needs: tuple[str, ...]
    """Its arguments but for `unit`, in the order in which they are read."""
    action: bool
    """A unit acts once a turn."""
    precheck: bool = False
    """Whether it needs the energy of its job's action before anything else of it is looked at."""


def move(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if cell in state.at:
        return "tile_occupied"
    if unit.moves < 1:
        return "out_of_moves"
    if cell not in state.ground.near[unit.cell]:
        return "not_adjacent"
    built = state.built.get(cell)
    if built is not None and state.structures[built].type != SHELTER:
        return "structure_blocks_move"
    on = drafted(state)
    on.put_unit(number, as_unit((*unit[:2], cell, unit.energy, unit.moves - 1, *unit[5:])))
    return on


def change_job(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground, job = state.ground, order.word.lower()
    if job not in JOBS:
        return "unknown_job"
    if CAT in (unit.job, job):
        return "overlord_job"
    if unit.job == job:
        return "same_job"
    if unit.energy < ground.full:
        return "energy_not_full"
    overlord = state.units[state.cats[state.current_player]]
    if ground.distance(unit.cell, overlord.cell) > 1:
        return "too_far_from_overlord"
    on = drafted(state)
    on.put_unit(number, unit._replace(job=job, moves=0, acted=True, food=0, materials=0))
    on.spill(unit.cell, unit.food, unit.materials)
    return on


def construct(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground, kind = state.ground, order.word.lower()
    if unit.job != BUILDER:
        return "wrong_job"
    if cell in state.built or ground.road[cell]:
        return "tile_has_structure"
    if kind not in BUILDABLE:
        return "unknown_structure"
    if cell in state.at and kind != SHELTER:
        return "tile_occupied"
    if cell not in ground.near[unit.cell]:
        return "not_adjacent"
    tile, cost = state.tiles.get(cell, BARE), ground.materials[kind]
    if tile.materials < cost:
        return "not_enough_materials"
    on = drafted(state)
    on.new_structure(Structure(kind, unit.owner, cell, cost))
    on.put_tile(cell, tile._replace(harvest_rate=0, materials=tile.materials - cost))
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True))
    return on


def convert(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if unit.job != MISSIONARY:
        return "wrong_job"
    if cell not in state.ground.near[unit.cell]:
        return "not_adjacent"
    other = state.at.get(cell)
    if other is None:
        return "no_unit_on_tile"
    target = state.units[other]
    if target.owner is not None:
        return "unit_already_owned"
    on = drafted(state)
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True))
    won = target._replace(owner=unit.owner, energy=state.ground.full, moves=0, acted=True)
    on.put_unit(other, won._replace(turns_to_die=-1, target=None))
    return on


def deconstruct(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    built = state.built.get(cell)
    if built is None:
        return "cannot_deconstruct_road" if state.ground.road[cell] else "no_structure"
    if unit.job != BUILDER:
        return "wrong_job"
    structure = state.structures[built]
    if structure.owner == unit.owner:
        return "friendly_structure"
    room = _room(state.ground, unit)
    if room <= 0:
        return "carry_full"
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    taken = min(room, structure.materials)
    on = drafted(state)
    on.damage(built, structure.materials - taken)
    carried = unit.materials + taken
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True, materials=carried))
    return on


def harvest(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground, built = state.ground, state.built.get(cell)
    if unit.job != GATHERER and ground.rules.harvest_requires_gatherer:
        return "wrong_job"
    if cell not in ground.reach[unit.cell]:
        return "not_adjacent"
    tile, room = state.tiles.get(cell, BARE), _room(state.ground, unit)
    steals = built is not None or ground.road[cell]
    if steals:
        if not _enemy_shelter(state, unit, built):
            return "not_enemy_shelter"
    elif tile.harvest_rate < 1:
        return "no_food"
    elif tile.turns_to_harvest > 0:
        return "harvest_not_ready"
    if room <= 0:
        return "carry_full"
    on = drafted(state)
    if steals:
        enemy = 1 - state.current_player
        taken = min(state.food[enemy], room)
        on.add_food(enemy, -taken)
    else:
        taken = min(tile.harvest_rate, room)
        on.put_tile(cell, tile._replace(turns_to_harvest=ground.rules.turns_between_harvests))
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True, food=unit.food + taken))
    return on


def rest(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground = state.ground
    if unit.energy >= ground.full:
        return "energy_full"
    shelters = in_range(ground, state.structures, SHELTER, unit.owner, unit.cell)
    if not shelters:
        return "not_in_shelter_range"
    overlord, radius = state.units[state.cats[state.current_player]].cell, ground.radius[SHELTER]
    together = any(ground.distance(shelter, overlord) <= radius for shelter in shelters)
    starving = ground.rules.starving_energy_mult if unit.starving else 1
    beside = ground.rules.cat_energy_mult if together else 1
    gain = starving * beside * ground.jobs[unit.job].regen_rate
    on = drafted(state)
    on.put_unit(
        number, unit._replace(energy=min(ground.full, unit.energy + gain), moves=0, acted=True)
    )
    return on


def drop(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    resource = _RESOURCES.get(order.word[:1].lower())
    if resource is None:
        return "unknown_resource"
    built = state.built.get(cell)
    pool = False
    if built is not None:
        if _enemy_shelter(state, unit, built):
            return "enemy_shelter"
        if state.structures[built].type != SHELTER:
            return "structure_blocks_drop"
        if resource != "food":
            return "shelter_food_only"
        pool = True
    carried = unit.food if resource == "food" else unit.materials
    amount = carried if order.amount < 1 else min(order.amount, carried)
    food, materials = (amount, 0) if resource == "food" else (0, amount)
    on = drafted(state)
    on.put_unit(number, unit._replace(food=unit.food - food, materials=unit.materials - materials))
    if pool:
        on.add_food(state.current_player, food)
    else:
        on.spill(cell, food, materials)
    return on


def pickup(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    resource = _RESOURCES.get(order.word[:1].lower())
    if resource is None:
        return "unknown_resource"
    strength = int(unit.energy)
    if strength <= 0:
        return "not_enough_energy"
    room = _room(state.ground, unit)
    if room <= 0:
        return "carry_full"
    tile = state.tiles.get(cell, BARE)
    lying = tile.food if resource == "food" else tile.materials
    if not lying:
        return "nothing_to_pickup"
    amount = min(lying, room, strength)
    if order.amount > 0:
        amount = min(amount, order.amount)
    food, materials = (amount, 0) if resource == "food" else (0, amount)
    on = drafted(state)
    on.put_tile(cell, tile._replace(food=tile.food - food, materials=tile.materials - materials))
    on.put_unit(
        number,
        unit._replace(
            energy=unit.energy - amount, food=unit.food + food, materials=unit.materials + materials
        ),
    )
    return on


def _paid(on: Tables, unit: Unit) -> float:
    """What an action leaves of the unit's energy, by the monuments that stand now."""
    cost = on.ground.jobs[unit.job].action_cost
    return unit.energy - cost * monument_mult(on.ground, on.structures, unit)


def _room(ground: Ground, unit: Unit) -> int:
    """How much more the unit can carry."""
    return ground.jobs[unit.job].carry_limit - unit.food - unit.materials


def _enemy_shelter(state: State, unit: Unit, built: Id | None) -> bool:
    if built is None:
        return False
    structure = state.structures[built]
    return structure.type == SHELTER and structure.owner != unit.owner


KINDS: Final[Mapping[str, Kind]] = {
    "move": Kind(move, ("x", "y"), action=False),
    "attack": Kind(attack, ("x", "y"), action=True),
    "change_job": Kind(change_job, ("job",), action=True),
    "construct": Kind(construct, ("x", "y", "type"), action=True, precheck=True),
    "convert": Kind(convert, ("x", "y"), action=True, precheck=True),
    "deconstruct": Kind(deconstruct, ("x", "y"), action=True, precheck=True),
    "harvest": Kind(harvest, ("x", "y"), action=True, precheck=True),
    "rest": Kind(rest, (), action=True),
    "drop": Kind(drop, ("x", "y", "resource", "amount"), action=False),
    "pickup": Kind(pickup, ("x", "y", "resource", "amount"), action=False),
}
