"""What is seen: every viewer sees everything (RULES §7); and a moment read back from it, for
vectors and for a bot's mirror."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.catastrophe.rules import SEATS, Rules
from games.catastrophe.state import (
    Ground,
    Result,
    Squad,
    State,
    Structure,
    Tile,
    Unit,
    ground,
    state_of,
)
from games.core.contract import Json, Viewer

CONSTANT_FIELDS: Final = ("map", "jobs", "structure_types")


def start_only(rules: Rules) -> tuple[str, ...]:
    """What never changes is sent in the start message only."""
    return CONSTANT_FIELDS


def view(state: State, viewer: Viewer) -> Json:
    """The whole moment: nothing of the board is hidden. All lists belong to the reader."""
    land, units, squads = state.ground, state.units, state.squads
    tiles = sorted(state.tiles.items())
    return {
        "turn": state.turn,
        "current_player": state.current_player,
        "next_id": state.next_id,
        "players": [
            {
                "seat": seat,
                "food": state.food[seat],
                "upkeep": state.upkeep[seat],
                "cat": state.cats[seat],
            }
            for seat in range(SEATS)
        ],
        "units": [unit_json(land, number, unit, squads[number]) for number, unit in units.items()],
        "structures": [
            structure_json(land, number, structure)
            for number, structure in state.structures.items()
        ],
        "tiles": [tile_json(land, cell, tile) for cell, tile in tiles],
        "result": result_json(state.result),
        "map": {"width": land.width, "height": land.height, "road_rows": [*land.road_rows]},
        "jobs": {name: job._asdict() for name, job in land.jobs.items()},
        "structure_types": {
            name: {"materials": materials, "effect_radius": land.radius[name]}
            for name, materials in land.materials.items()
        },
    }


def unit_json(land: Ground, number: int, unit: Unit, squad: Squad) -> dict[str, Json]:
    owner, job, cell, energy, moves, acted, food, materials, starving, turns_to_die, target = unit
    x, y = land.xy[cell]
    return {
        "id": number,
        "owner": owner,
        "job": job,
        "x": x,
        "y": y,
        "energy": energy,
        "moves": moves,
        "acted": acted,
        "food": food,
        "materials": materials,
        "starving": starving,
        "turns_to_die": turns_to_die,
        "movement_target": None if target is None else [*land.xy[target]],
        "squad": [*squad],
    }


def structure_json(land: Ground, number: int, structure: Structure) -> dict[str, Json]:
    x, y = land.xy[structure.cell]
    return {
        "id": number,
        "type": structure.type,
        "owner": structure.owner,
        "x": x,
        "y": y,
        "materials": structure.materials,
        "effect_radius": land.radius[structure.type],
    }


def tile_json(land: Ground, cell: int, tile: Tile) -> dict[str, Json]:
    x, y = land.xy[cell]
    return {
        "x": x,
        "y": y,
        "harvest_rate": tile.harvest_rate,
        "turns_to_harvest": tile.turns_to_harvest,
        "food": tile.food,
        "materials": tile.materials,
    }


def result_json(result: Result | None) -> Json:
    return None if result is None else result._asdict()


def loaded(rules: Rules, seen: Mapping[str, Any]) -> State:
    """The moment that a view shows, ids and `next_id` included; the size stands under `map`.
    Nothing in it is judged."""
    land = ground(rules, seen["map"]["width"], seen["map"]["height"])
    width = land.width

    def target(place: Sequence[int] | None) -> int | None:
        return None if place is None else place[0] + place[1] * width

    units = {
        one["id"]: Unit(
            owner=one["owner"],
            job=one["job"],
            cell=one["x"] + one["y"] * width,
            energy=float(one["energy"]),
            moves=one["moves"],
            acted=one["acted"],
            food=one["food"],
            materials=one["materials"],
            starving=one["starving"],
            turns_to_die=one["turns_to_die"],
            target=target(one["movement_target"]),
        )
        for one in seen["units"]
    }
    structures = {
        one["id"]: Structure(
            one["type"], one["owner"], one["x"] + one["y"] * width, one["materials"]
        )
        for one in seen["structures"]
    }
    tiles = {
        one["x"] + one["y"] * width: Tile(
            one["harvest_rate"], one["turns_to_harvest"], one["food"], one["materials"]
        )
        for one in seen["tiles"]
    }
    first, second = seen["players"]
    result = seen["result"]
    return state_of(
        land,
        turn=seen["turn"],
        current_player=seen["current_player"],
        next_id=seen["next_id"],
        food=(first["food"], second["food"]),
        upkeep=(first["upkeep"], second["upkeep"]),
        cats=(first["cat"], second["cat"]),
        units=units,
        structures=structures,
        tiles=tiles,
        result=None if result is None else Result(**result),
    )
