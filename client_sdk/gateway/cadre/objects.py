"""The objects of a match as Cadre's clients hold them: their ids and their fields.

Ids follow from the match alone: a client that comes back finds every object under its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from games.catastrophe.rules import (
    BUILDER,
    CAT,
    FRESH,
    GATHERER,
    MISSIONARY,
    ROAD,
    SEATS,
    SOLDIER,
    Job,
)
from games.catastrophe.state import BARE, Cell, Ground, Id, State
from games.core.contract import Json, Seat

WireId: TypeAlias = str
Fields: TypeAlias = dict[str, Json]
"""The fields of an object by their names on the wire. References are `{"id": ...}`; a list is a
list here, and becomes an object in a delta."""
JOB_ORDER: Final = (FRESH, CAT, SOLDIER, GATHERER, BUILDER, MISSIONARY)
"""As the contest of 2017 listed them."""
Kind: TypeAlias = Literal["Player", "Job", "Tile", "Road", "Thing"]
"""Of an object; a thing is a unit or a structure."""


class Found(NamedTuple):
    """What an id means: for a player the seat, for a job its place in `JOB_ORDER`, for a tile or
    the road on it the cell, for a unit or structure its number in the match."""

    kind: Kind
    number: int


class ObjectIds:
    """The ids of a match: players from 0, then jobs, tiles, roads, and units and structures by
    their numbers in the match."""

    def __init__(self, ground: Ground) -> None:
        self._roads = [cell for cell, is_road in enumerate(ground.road) if is_road]
        self._road_at = {cell: place for place, cell in enumerate(self._roads)}
        counts = (SEATS, len(JOB_ORDER), ground.cells, len(self._roads))
        self._jobs, self._tiles, self._first_road, self._things = (
            sum(counts[: place + 1]) for place in range(len(counts))
        )

    def player(self, seat: Seat) -> WireId:
        return str(seat)

    def job(self, title: str) -> WireId:
        return str(self._jobs + JOB_ORDER.index(title))

    def tile(self, cell: Cell) -> WireId:
        return str(self._tiles + cell)

    def road(self, cell: Cell) -> WireId:
        return str(self._first_road + self._road_at[cell])

    def thing(self, number: Id) -> WireId:
        return str(self._things + number)

    def find(self, id_: str) -> Found | None:
        """What this id means; None: no object can have it."""
        if not (id_.isascii() and id_.isdecimal() and len(id_) < 19 and str(int(id_)) == id_):
            return None
        number = int(id_)
        if number < self._jobs:
            return Found("Player", number)
        if number < self._tiles:
            return Found("Job", number - self._jobs)
        if number < self._first_road:
            return Found("Tile", number - self._tiles)
        if number < self._things:
            return Found("Road", self._roads[number - self._first_road])
        return Found("Thing", number - self._things)

    @property
    def roads(self) -> Sequence[Cell]:
        """The cells of the road."""
        return self._roads


def reference(id_: WireId) -> Json:
    return {"id": id_}


def number(value: float) -> Json:
    """Integral values without a point: clients do not take another form for whole numbers."""
    return int(value) if float(value).is_integer() else value


def job_fields(title: str, job: Job) -> Fields:
    return {
        "actionCost": job.action_cost,
        "carryLimit": job.carry_limit,
        "moves": job.moves,
        "regenRate": job.regen_rate,
        "title": title,
        "upkeep": job.upkeep,
    }


def tile_fields(ids: ObjectIds, state: State, cell: Cell) -> Fields:
    ground = state.ground
    x, y = ground.xy[cell]
    lying = state.tiles.get(cell, BARE)
    unit, built = state.at.get(cell), state.built.get(cell)
    if built is not None:
        structure = reference(ids.thing(built))
    else:
        structure = reference(ids.road(cell)) if ground.road[cell] else None

    def tile(x: int, y: int) -> Json:
        inside = 0 <= x < ground.width and 0 <= y < ground.height
        return reference(ids.tile(x + y * ground.width)) if inside else None

    return {
        "food": lying.food,
        "harvestRate": lying.harvest_rate,
        "materials": lying.materials,
        "structure": structure,
        "tileEast": tile(x + 1, y),
        "tileNorth": tile(x, y - 1),
        "tileSouth": tile(x, y + 1),
        "tileWest": tile(x - 1, y),
        "turnsToHarvest": lying.turns_to_harvest,
        "unit": None if unit is None else reference(ids.thing(unit)),
        "x": x,
        "y": y,
    }


def road_fields(ids: ObjectIds, cell: Cell) -> Fields:
    return {
        "effectRadius": 0,
        "materials": 0,
        "owner": None,
        "tile": reference(ids.tile(cell)),
        "type": ROAD,
    }


def structure_fields(ids: ObjectIds, state: State, number: Id) -> Fields:
    """Empty for one that is gone, but for what shows that it is."""
    built = state.structures.get(number)
    if built is None:
        return {"materials": 0, "tile": None}
    return {
        "effectRadius": state.ground.radius[built.type],
        "materials": built.materials,
        "owner": _owner(ids, built.owner),
        "tile": reference(ids.tile(built.cell)),
        "type": built.type,
    }


def unit_fields(ids: ObjectIds, state: State, id_: Id) -> Fields:
    """Empty for one that is gone, but for what shows that it is."""
    unit = state.units.get(id_)
    if unit is None:
        return {"squad": [], "tile": None}
    return {
        "acted": unit.acted,
        "energy": number(unit.energy),
        "food": unit.food,
        "job": reference(ids.job(unit.job)),
        "materials": unit.materials,
        "movementTarget": None if unit.target is None else reference(ids.tile(unit.target)),
        "moves": unit.moves,
        "owner": _owner(ids, unit.owner),
        "squad": [reference(ids.thing(one)) for one in state.squads[id_]],
        "starving": unit.starving,
        "tile": reference(ids.tile(unit.cell)),
        "turnsToDie": unit.turns_to_die,
    }


def _owner(ids: ObjectIds, seat: Seat | None) -> Json:
    return None if seat is None else reference(ids.player(seat))
