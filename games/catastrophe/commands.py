"""What a bot may ask, and the checks in their order (RULES §6).

Each command is a function of its own: it returns the code of the first check that fails, or what the moment has become.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from games.catastrophe.advance import end_turn
from games.catastrophe.combat import attack
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
from games.catastrophe.scratch import Scratch
from games.catastrophe.state import BARE, Cell, Id, State, Structure, Unit, in_range, monument_mult
from games.core.contract import Json, Rejected, Reply, Seat, quoted, refused
from games.core.dice import Dice

END_TURN: Final = {"cmd": "end_turn"}

REFUSALS: Final[Mapping[str, Reply]] = {
    code: refused(code, why)
    for code, why in {
        "too_many_commands": "expected end_turn, the turn has had all its commands",
        "no_such_unit": "unit: expected a unit on the map, no unit has that id",
        "no_such_tile": "x, y: expected a tile of the map, got a place outside",
        "not_owner": "unit: expected a unit of yours",
        "already_acted": "expected a unit that has not acted this turn",
        "not_enough_energy": "expected more energy, the unit cannot pay for this",
        "tile_occupied": "x, y: expected a tile without a unit",
        "out_of_moves": "expected a unit with moves left",
        "not_adjacent": "x, y: expected a tile within reach of the unit",
        "structure_blocks_move": "x, y: expected no structure, a shelter or a road",
        "wrong_job": "expected a unit of the job that does this",
        "nothing_to_attack": "x, y: expected a unit or a structure there",
        "friendly_target": "x, y: expected no unit of yours there",
        "unknown_job": f"job: expected one of {', '.join(JOBS)}",
        "overlord_job": "expected neither the overlord nor its job",
        "same_job": "job: expected another job than the unit has",
        "energy_not_full": "expected a unit with full energy",
        "too_far_from_overlord": "expected a unit beside its overlord, diagonals too",
        "tile_has_structure": "x, y: expected a tile without structure or road",
        "unknown_structure": f"type: expected {WALL}, {SHELTER} or {MONUMENT}",
        "not_enough_materials": "x, y: expected the cost of the structure in materials on the tile",
        "no_unit_on_tile": "x, y: expected a unit there",
        "unit_already_owned": "x, y: expected a neutral unit there",
        "no_structure": "x, y: expected a structure there",
        "cannot_deconstruct_road": "x, y: expected a structure, a road stays for ever",
        "friendly_structure": "x, y: expected a structure that is not yours",
        "carry_full": "expected a unit that can carry more",
        "not_enemy_shelter": "x, y: expected a food tile or a shelter of the enemy",
        "no_food": "x, y: expected a tile with something to harvest",
        "harvest_not_ready": "x, y: expected a tile that was not harvested lately",
        "energy_full": "expected a unit that needs rest",
        "not_in_shelter_range": "expected a unit in range of a shelter of yours",
        "unknown_resource": "resource: expected food or materials",
        "enemy_shelter": "x, y: expected no shelter of the enemy",
        "shelter_food_only": "resource: expected food, a shelter takes nothing else",
        "structure_blocks_drop": "x, y: expected no structure but a shelter of yours or a road",
        "nothing_to_pickup": "x, y: expected some of the resource on the tile",
    }.items()
}
"""A refusal per code; those of a malformed command say more (`Malformed`)."""

_BUILDABLE: Final = (WALL, SHELTER, MONUMENT)
_LARGEST: Final = int(sys.float_info.max)
"""The largest number that is finite for every reader of JSON."""


class Order(NamedTuple):
    """A command, read. `word` is its job, type or resource; what its kind does not need is left at 0 or empty."""

    kind: Kind
    unit: Id
    x: int
    y: int
    word: str
    amount: int


class Malformed(NamedTuple):
    """A command that cannot be read: it counts all the same, and whose turn it is is asked before it (RULES §6)."""

    why: str


class EndTurn(NamedTuple):
    """The command that passes the lock."""


Command: TypeAlias = Order | Malformed | EndTurn
Fate: TypeAlias = Scratch | str
"""What a command does: what the moment has become, or the code of a refusal."""


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
    on = Scratch(state)
    on.put_unit(number, unit._replace(cell=cell, moves=unit.moves - 1))
    return on


def attacks(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    return attack(state, number, unit, cell)


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
    on = Scratch(state)
    on.put_unit(number, unit._replace(job=job, moves=0, acted=True, food=0, materials=0))
    on.spill(unit.cell, unit.food, unit.materials)
    return on


def construct(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground, kind = state.ground, order.word.lower()
    if unit.job != BUILDER:
        return "wrong_job"
    if cell in state.built or ground.road[cell]:
        return "tile_has_structure"
    if kind not in _BUILDABLE:
        return "unknown_structure"
    if cell in state.at and kind != SHELTER:
        return "tile_occupied"
    if cell not in ground.near[unit.cell]:
        return "not_adjacent"
    tile, cost = state.tiles.get(cell, BARE), ground.materials[kind]
    if tile.materials < cost:
        return "not_enough_materials"
    on = Scratch(state)
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
    on = Scratch(state)
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True))
    on.put_unit(
        other,
        target._replace(owner=unit.owner, energy=state.ground.full, moves=0, acted=True, turns_to_die=-1, target=None),
    )
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
    room = _room(unit)
    if room <= 0:
        return "carry_full"
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    taken = min(room, structure.materials)
    on = Scratch(state)
    on.damage(built, structure.materials - taken)
    on.put_unit(number, unit._replace(energy=_paid(on, unit), acted=True, materials=unit.materials + taken))
    return on


def harvest(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    ground, built = state.ground, state.built.get(cell)
    if unit.job != GATHERER and ground.rules.harvest_requires_gatherer:
        return "wrong_job"
    if cell not in ground.reach[unit.cell]:
        return "not_adjacent"
    tile, room, steals = state.tiles.get(cell, BARE), _room(unit), built is not None or ground.road[cell]
    if steals:
        if not _enemy_shelter(state, unit, built):
            return "not_enemy_shelter"
    elif tile.harvest_rate < 1:
        return "no_food"
    elif tile.turns_to_harvest > 0:
        return "harvest_not_ready"
    if room <= 0:
        return "carry_full"
    on = Scratch(state)
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
    gain = starving * beside * JOBS[unit.job].regen_rate
    on = Scratch(state)
    on.put_unit(number, unit._replace(energy=min(ground.full, unit.energy + gain), moves=0, acted=True))
    return on


def drop(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    resource = _resource(order)
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
    on = Scratch(state)
    on.put_unit(number, unit._replace(food=unit.food - food, materials=unit.materials - materials))
    if pool:
        on.add_food(state.current_player, food)
    else:
        on.spill(cell, food, materials)
    return on


def pickup(state: State, number: Id, unit: Unit, cell: Cell, order: Order) -> Fate:
    if cell not in state.ground.reach[unit.cell]:
        return "not_adjacent"
    resource = _resource(order)
    if resource is None:
        return "unknown_resource"
    strength = int(unit.energy)
    if strength <= 0:
        return "not_enough_energy"
    room = _room(unit)
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
    on = Scratch(state)
    on.put_tile(cell, tile._replace(food=tile.food - food, materials=tile.materials - materials))
    on.put_unit(
        number,
        unit._replace(energy=unit.energy - amount, food=unit.food + food, materials=unit.materials + materials),
    )
    return on


def _paid(on: Scratch, unit: Unit) -> float:
    """What an action leaves of the unit's energy, by the monuments that stand now."""
    return unit.energy - JOBS[unit.job].action_cost * monument_mult(on.ground, on.structures, unit)


def _room(unit: Unit) -> int:
    """How much more the unit can carry."""
    return JOBS[unit.job].carry_limit - unit.food - unit.materials


def _enemy_shelter(state: State, unit: Unit, built: Id | None) -> bool:
    if built is None:
        return False
    structure = state.structures[built]
    return structure.type == SHELTER and structure.owner != unit.owner


def _resource(order: Order) -> Literal["food", "materials"] | None:
    """The resource, by its first letter."""
    return _RESOURCES.get(order.word[:1].lower())


_RESOURCES: Final[Mapping[str, Literal["food", "materials"]]] = {"f": "food", "m": "materials"}


KINDS: Final[Mapping[str, Kind]] = {
    "move": Kind(move, ("x", "y"), action=False),
    "attack": Kind(attacks, ("x", "y"), action=True),
    "change_job": Kind(change_job, ("job",), action=True),
    "construct": Kind(construct, ("x", "y", "type"), action=True, precheck=True),
    "convert": Kind(convert, ("x", "y"), action=True, precheck=True),
    "deconstruct": Kind(deconstruct, ("x", "y"), action=True, precheck=True),
    "harvest": Kind(harvest, ("x", "y"), action=True, precheck=True),
    "rest": Kind(rest, (), action=True),
    "drop": Kind(drop, ("x", "y", "resource", "amount"), action=False),
    "pickup": Kind(pickup, ("x", "y", "resource", "amount"), action=False),
}


def parse(raw: Json) -> Command:
    """Read a command. Never raises: one that cannot be read is a `Malformed`, for it is counted (RULES §6)."""
    if not isinstance(raw, dict):
        return Malformed(f"expected an object with a cmd, got {quoted(raw)}")
    name = raw.get("cmd")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        if name == "end_turn":
            return _END
        return Malformed(f"cmd: expected one of {', '.join(KINDS)}, end_turn, got {quoted(name)}")
    unit = _whole(raw.get("unit"))
    if unit is None:
        return Malformed(f"unit: expected a whole number, got {quoted(raw.get('unit'))}")
    x = y = amount = 0
    word = ""
    for need in kind.needs:
        value = raw.get(need, 0) if need == "amount" else raw.get(need)
        if need in _WORDS:
            if not isinstance(value, str):
                return Malformed(f"{need}: expected a word, got {quoted(value)}")
            word = value
            continue
        number = _whole(value)
        if number is None:
            return Malformed(f"{need}: expected a whole number, got {quoted(value)}")
        if need == "x":
            x = number
        elif need == "y":
            y = number
        else:
            amount = number
    return Order(kind, unit, x, y, word, amount)


_END: Final = EndTurn()
_WORDS: Final = ("job", "type", "resource")


def _whole(value: Json) -> int | None:
    """A finite number with an integral value, however it was written; anything else is None."""
    if type(value) is int:
        return value if -_LARGEST <= value <= _LARGEST else None
    if type(value) is float and value.is_integer():
        return int(value)
    return None


def apply(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[State, Reply]:
    """Carry a command out at once; its reply tells what it has changed. Raises Rejected (`not_your_turn`).

    Every other no is a refusal: nothing changes but the turn's count of commands.
    """
    if seat != state.current_player:
        raise Rejected("not_your_turn", f"expected a command of seat {state.current_player}, whose turn it is, got one of {seat}")
    if isinstance(command, EndTurn):
        after, changes = end_turn(state, dice)
        return after, Reply(changes=changes)
    full = state.commands >= state.ground.rules.max_commands_per_turn
    if isinstance(command, Malformed):
        return _counted(state, full), refused("bad_command", command.why)
    fate = "too_many_commands" if full else _judged(state, command)
    if isinstance(fate, str):
        return _counted(state, full), REFUSALS[fate]
    after, changes = fate.freeze(state.commands + 1)
    return after, Reply(changes=changes)


def _counted(state: State, full: bool) -> State:
    """One command more; beyond the most, the number tells nothing any longer."""
    return state if full else state._replace(commands=state.commands + 1)


def _judged(state: State, order: Order) -> Fate:
    """The checks that all commands share, then those of its kind."""
    kind, number, x, y, _, _ = order
    ground, unit = state.ground, state.units.get(number)
    if unit is None:
        return "no_such_unit"
    if not (0 <= x < ground.width and 0 <= y < ground.height):
        return "no_such_tile"
    if unit.owner != state.current_player:
        return "not_owner"
    if kind.action and unit.acted:
        return "already_acted"
    if kind.precheck and unit.energy < JOBS[unit.job].action_cost * monument_mult(ground, state.structures, unit):
        return "not_enough_energy"
    return kind.does(state, number, unit, x + y * ground.width, order)
