"""What has changed since the last delta.

The writer holds the fields of every object as the client has them. A new moment is compared with
the last one table by table, so that a call costs no more than what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from client_sdk.gateway.cadre.messages import LENGTH
from client_sdk.gateway.cadre.objects import (
    JOB_ORDER,
    Fields,
    ObjectIds,
    WireId,
    job_fields,
    number,
    reference,
    road_fields,
    structure_fields,
    tile_fields,
    unit_fields,
)
from games.catastrophe.rules import SEATS, Rules
from games.catastrophe.state import State
from games.core.contract import Json, Seat

LOGS = 1_000
"""Messages that a bot may log within a match; further ones are dropped."""


@dataclass
class PlayerState:
    """What a client knows of a player beside the state of the match. Times in nanoseconds."""

    name: str
    client_type: str
    time_remaining: int
    won: bool = False
    lost: bool = False
    reason_won: str = ""
    reason_lost: str = ""


class DeltaWriter:
    """Writes the deltas of one client. The first one is the full state."""

    def __init__(
        self, rules: Rules, session: str, players: Sequence[PlayerState], ids: ObjectIds
    ) -> None:
        self.players = players
        self._ids = ids
        self._parameters = _parameters(rules) | {"session": session}
        self._state: State | None = None
        self._game: Fields = {}
        self._objects: dict[WireId, Fields] = {}
        self._lists: list[Fields] = []
        """The lists of the players, as the client has them."""
        self._logged = 0
        self._logs: dict[WireId, list[str]] = {}

    def log(self, id_: WireId, message: str) -> None:
        """Add a message to an object's log."""
        if self._logged < LOGS:
            self._logged += 1
            self._logs.setdefault(id_, [*self._objects[id_]["logs"]]).append(message)

    def knows(self, id_: WireId) -> bool:
        """Whether the client has an object of this id."""
        return id_ in self._objects

    def delta(self, state: State, *, between_turns: bool) -> dict[str, Json]:
        """What is different in this moment; empty: nothing.

        The lists of units and structures change `between_turns` only: bots iterate over them while
        they call."""
        ids, first = self._ids, self._state is None
        if first or between_turns:
            self._lists = [_lists(ids, state, seat) for seat in range(SEATS)]
        game: Fields = {
            "currentPlayer": reference(ids.player(state.current_player)),
            "currentTurn": state.turn,
        }
        if first:
            game |= self._parameters | {
                "jobs": [reference(ids.job(title)) for title in JOB_ORDER],
                "players": [reference(ids.player(seat)) for seat in range(SEATS)],
                "tiles": [reference(ids.tile(cell)) for cell in range(state.ground.cells)],
                "mapWidth": state.ground.width,
                "mapHeight": state.ground.height,
            }
        if first or between_turns:
            game |= _lists(ids, state, None)
        objects = {
            id_: changed
            for id_, name, fields in self._touched(state)
            if (changed := self._object(id_, name, fields))
        }
        self._state = state
        found = _merged(self._game, game)
        return found | {"gameObjects": objects} if objects else found

    def _touched(self, state: State) -> Iterable[tuple[WireId, str, Fields]]:
        """The objects that may have changed, with their classes and fields."""
        ids, old = self._ids, self._state
        for seat, player in enumerate(self.players):
            yield ids.player(seat), "Player", self._player(state, seat, player)
        if old is None:
            for title in JOB_ORDER:
                yield ids.job(title), "Job", job_fields(title, state.ground.jobs[title])
            for cell in ids.roads:
                yield ids.road(cell), "Structure", road_fields(ids, cell)
            cells: Iterable[int] = range(state.ground.cells)
            units: Iterable[int] = state.units
            structures: Iterable[int] = state.structures
        else:
            cells = {
                *_differing(old.tiles, state.tiles),
                *_differing(old.at, state.at),
                *_differing(old.built, state.built),
            }
            units = {
                *_differing(old.units, state.units),
                *_differing(old.squads, state.squads),
            }
            structures = _differing(old.structures, state.structures)
        for cell in sorted(cells):
            yield ids.tile(cell), "Tile", tile_fields(ids, state, cell)
        for one in sorted(structures):
            yield ids.thing(one), "Structure", structure_fields(ids, state, one)
        for one in sorted(units):
            yield ids.thing(one), "Unit", unit_fields(ids, state, one)
        for id_, messages in self._logs.items():
            yield id_, "", {"logs": messages}
        self._logs = {}

    def _object(self, id_: WireId, name: str, fields: Fields) -> Fields:
        """What has changed of an object; all of it, with its class, if the client has it not."""
        known = self._objects.get(id_)
        if known is not None:
            return _merged(known, fields)
        known = self._objects[id_] = {}
        return {"gameObjectName": name, "id": id_} | _merged(known, {"logs": []} | fields)

    def _player(self, state: State, seat: Seat, player: PlayerState) -> Fields:
        ids = self._ids
        return {
            "cat": reference(ids.thing(state.cats[seat])),
            "clientType": player.client_type,
            "food": state.food[seat],
            "lost": player.lost,
            "name": player.name,
            "opponent": reference(ids.player(1 - seat)),
            "reasonLost": player.reason_lost,
            "reasonWon": player.reason_won,
            "timeRemaining": player.time_remaining,
            "upkeep": state.upkeep[seat],
            "won": player.won,
        } | self._lists[seat]


def _parameters(rules: Rules) -> Fields:
    return {
        "catEnergyMult": number(rules.cat_energy_mult),
        "harvestCooldown": rules.turns_between_harvests,
        "lowerHarvestAmount": rules.lower_harvest_amount,
        "maxTurns": rules.max_turns,
        "monumentCostMult": number(rules.monument_cost_mult),
        "monumentMaterials": rules.monument_materials,
        "neutralMaterials": rules.neutral_materials,
        "shelterMaterials": rules.shelter_materials,
        "starvingEnergyMult": number(rules.starving_energy_mult),
        "turnsBetweenHarvests": rules.turns_between_harvests,
        "turnsToCreateHuman": rules.turns_to_create_human,
        "turnsToLowerHarvest": rules.turns_to_lower_harvest,
        "wallMaterials": rules.wall_materials,
    }


def _lists(ids: ObjectIds, state: State, seat: Seat | None) -> Fields:
    """The units and structures of a player; None: all of the game, roads first."""
    units = [n for n, one in state.units.items() if seat in (None, one.owner)]
    structures = [n for n, one in state.structures.items() if seat in (None, one.owner)]
    roads = [ids.road(cell) for cell in ids.roads] if seat is None else []
    return {
        "structures": [reference(one) for one in [*roads, *map(ids.thing, structures)]],
        "units": [reference(ids.thing(one)) for one in units],
    }


def _differing(old: dict[int, Any], new: dict[int, Any]) -> set[int]:
    """The keys under which two tables differ."""
    if old is new:
        return set()
    return {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}


def _merged(known: Fields, fields: Fields) -> Fields:
    """What has changed, as a delta has it; `known` has it from now on."""
    changed: Fields = {}
    for name, value in fields.items():
        if name in known and known[name] == value:
            continue
        changed[name] = _list_delta(known.get(name), value) if isinstance(value, list) else value
        known[name] = value
    return changed


def _list_delta(known: list[Json] | None, new: list[Json]) -> Json:
    """A list is an object with its length and what has changed, by index."""
    old = known or []
    return {LENGTH: len(new)} | {
        str(place): value
        for place, value in enumerate(new)
        if place >= len(old) or old[place] != value
    }
