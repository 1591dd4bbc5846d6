"""The first moment; and maps from chance (RULES §4).

Every choice is made from a list in a fixed order, so equal seeds give equal maps in every process
and on every platform."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from games.catastrophe.advance import pay
from games.catastrophe.board import Board, turned
from games.catastrophe.draft import Draft
from games.catastrophe.entries import Place, StructurePlan, TilePlan, UnitPlan
from games.catastrophe.rules import CAT, FRESH, NEUTRAL, SEATS, SHELTER, Rules
from games.catastrophe.state import Ground, State, Structure, Tile, Unit, ground, state_of
from games.core.contract import BadSetup
from games.core.dice import Dice, Stream

TRIES: Final = 1000
"""Maps that are drawn before the generator gives up."""


def setup(rules: Rules, board: Board | None, dice: Dice) -> State:
    """Turn 0. Without a board one is drawn. Raises BadSetup."""
    if board is None:
        board = dice.draw("map", lambda stream: drawn(rules, stream))
    width = board.width
    if (width, board.height) != (rules.map_width, rules.map_height):
        rules = replace(rules, map_width=width, map_height=board.height)
    land = ground(rules, width, board.height)
    structures = {
        number: Structure(
            plan.type,
            plan.owner,
            plan.x + plan.y * width,
            plan.materials or land.materials[plan.type],
        )
        for number, plan in enumerate(board.structures, start=1)
    }
    units = {
        number: _unit(f"units[{index}]", plan, land)
        for index, (number, plan) in enumerate(enumerate(board.units, start=1 + len(structures)))
    }
    cats = {unit.owner: number for number, unit in units.items() if unit.job == CAT}
    first, second = (
        sum(land.jobs[unit.job].upkeep for unit in units.values() if unit.owner == seat)
        for seat in range(SEATS)
    )
    first_moment = state_of(
        land,
        turn=0,
        current_player=0,
        next_id=1 + len(structures) + len(units),
        food=(rules.starting_food, rules.starting_food),
        upkeep=(first, second),
        cats=(cats[0], cats[1]),
        units=units,
        structures=structures,
        tiles={plan.x + plan.y * width: Tile(*plan[2:]) for plan in board.tiles},
    )
    if not (rules.first_turn_upkeep and rules.upkeep_phase == "turn_start"):
        return first_moment
    on = Draft(first_moment)
    pay(on, first_moment.current_player)
    return on.freeze(0)[0]


def _unit(where: str, plan: UnitPlan, land: Ground) -> Unit:
    full, job = land.full, land.jobs[plan.job]
    energy = full if plan.energy is None else float(plan.energy)
    if energy > full:
        why = f"{where}.energy: expected at most max_energy ({full:g}), got {energy:g}"
        raise BadSetup("bad_unit", why, field="map")
    moves = job.moves if plan.moves is None else plan.moves
    if plan.food + plan.materials > job.carry_limit:
        carried = plan.food + plan.materials
        why = f"{where}: expected at most {job.carry_limit} carried, got {carried}"
        raise BadSetup("bad_unit", why, field="map")
    target = plan.movement_target
    return Unit(
        plan.owner,
        plan.job,
        plan.x + plan.y * land.width,
        energy,
        moves,
        plan.acted,
        plan.food,
        plan.materials,
        plan.starving,
        plan.turns_to_die,
        None if target is None else target[0] + target[1] * land.width,
    )


def drawn(rules: Rules, stream: Stream) -> Board:
    """A map from chance; one that breaks a promise is drawn again. Raises BadSetup `no_map` when
    all tries have failed."""
    for _ in range(TRIES):
        made = _try(rules, stream)
        if made is not None:
            return made
    raise BadSetup("no_map", f"no map keeps these rules: {TRIES} were drawn, and each broke one")


def food_chance(rules: Rules, x: int, y: int) -> float:
    """The probability of food on a tile of the left half that is no road."""
    hw, hh = rules.map_width / 2, rules.map_height / 2
    nearness = ((hw - abs(x - hw)) ** 2 + (hh - abs(y - hh)) ** 2) / (hw**2 + hh**2)
    return rules.min_food_chance + nearness * (rules.max_food_chance - rules.min_food_chance)


def harvest_rate(rules: Rules, x: int, y: int) -> int:
    """What a food tile of the left half yields."""
    hw, hh = rules.map_width / 2, rules.map_height / 2
    share = 1 - math.sqrt((x - hw) ** 2 + (y - hh) ** 2) / math.sqrt(hw**2 + hh**2)
    return rules.min_harvest_rate + math.ceil(
        (rules.max_harvest_rate - rules.min_harvest_rate) * share
    )


def _try(rules: Rules, stream: Stream) -> Board | None:
    """One map, or None if it breaks a promise."""
    width, height = rules.map_width, rules.map_height
    half = width // 2
    road = (height // 2 - 1, height // 2)
    food: dict[Place, int] = {}
    ruins: list[Place] = []
    for x in range(half):
        for y in range(height):
            if y not in road:
                if stream.chance(food_chance(rules, x, y)):
                    food[x, y] = harvest_rate(rules, x, y)
                elif stream.chance(rules.structure_chance):
                    ruins.append((x, y))
    if len(food) < rules.min_food_tiles_per_half or len(ruins) < rules.min_neutral_per_half:
        return None
    taken = {*food, *ruins}
    free = [
        (x, y) for x in range(half) for y in range(height) if y not in road and (x, y) not in taken
    ]
    homes = [
        (x, y)
        for x, y in free
        if x < half / 2 and (rules.start_rows == "any" or y < half / 2 or height - y < half / 2)
    ]
    if not homes:
        return None
    cat = homes[stream.below(len(homes))]
    ring = [
        (x, y) for x, y in free if (x, y) != cat and abs(x - cat[0]) <= 1 and abs(y - cat[1]) <= 1
    ]
    if len(ring) < rules.starting_humans:
        return None
    humans = [ring.pop(stream.below(len(ring))) for _ in range(rules.starting_humans)]
    walls = {*ruins, *((width - 1 - x, height - 1 - y) for x, y in ruins)}
    if not all(_reaches_road(place, walls, width, height) for place in (cat, *humans)):
        return None
    tiles = [TilePlan(x, y, rate) for (x, y), rate in food.items()]
    structures = [StructurePlan(NEUTRAL, None, x, y) for x, y in ruins] + [
        StructurePlan(SHELTER, 0, *cat)
    ]
    units = [UnitPlan(CAT, 0, *cat), *(UnitPlan(FRESH, 0, *place) for place in humans)]
    return Board(
        width,
        height,
        (*tiles, *(turned(plan, width, height) for plan in tiles)),
        (*structures, *(turned(plan, width, height) for plan in structures)),
        (*units, *(turned(plan, width, height) for plan in units)),
    )


def _reaches_road(start: Place, walls: Collection[Place], width: int, height: int) -> bool:
    """Whether there is a way from here to a road tile, units ignored."""
    seen = {start}
    ends = [start]
    for x, y in ends:
        if y in (height // 2 - 1, height // 2):
            return True
        for near in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            inside = 0 <= near[0] < width and 0 <= near[1] < height
            if inside and near not in seen and near not in walls:
                seen.add(near)
                ends.append(near)
    return False
