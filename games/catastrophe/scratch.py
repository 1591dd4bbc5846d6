"""A moment to work on: a verb changes it, then freezes it and tells what has changed (RULES §7).

Whatever is written is written through the methods here, so the changes are complete: they are read
off what each unit, structure and tile was at its first touch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.catastrophe.rules import SEATS, SOLDIER
from games.catastrophe.state import BARE, Cell, Id, Squad, State, Structure, Tile, Unit, squads_of
from games.catastrophe.view import result_json, structure_json, unit_json
from games.core.contract import Json, Seat

_UNIT_FIELDS: Final = (
    *(
        ("energy", 3),
        ("moves", 4),
        ("acted", 5),
        ("food", 6),
        ("materials", 7),
        ("starving", 8),
        ("turns_to_die", 9),
    ),
    *(("owner", 0), ("job", 1)),
)
_TILE_FIELDS: Final = tuple(enumerate(Tile._fields))


class Scratch:
    """Private to one verb. Tables are copied at their first write."""

    __slots__ = (
        "_was_structures",
        "_was_tiles",
        "_was_units",
        "at",
        "before",
        "built",
        "current_player",
        "food",
        "ground",
        "next_id",
        "result",
        "structures",
        "tiles",
        "turn",
        "units",
        "upkeep",
    )

    def __init__(self, before: State) -> None:
        self.before = before
        (
            self.ground,
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            _,
            self.units,
            self.structures,
            self.tiles,
            self.at,
            self.built,
            _,
            _,
            self.result,
        ) = before
        self._was_units: dict[Id, Unit | None] = {}
        self._was_structures: dict[Id, Structure | None] = {}
        self._was_tiles: dict[Cell, Tile] = {}

    def put_unit(self, number: Id, unit: Unit) -> None:
        """The unit is this from now on, wherever it was."""
        if not self._was_units:
            self.units, self.at = self.units.copy(), self.at.copy()
        was = self.units.get(number)
        self._was_units.setdefault(number, was)
        self.units[number] = unit
        if was is None:
            self.at[unit.cell] = number
        elif was.cell != unit.cell:
            del self.at[was.cell]
            self.at[unit.cell] = number

    def remove_unit(self, number: Id) -> None:
        if not self._was_units:
            self.units, self.at = self.units.copy(), self.at.copy()
        was = self.units.pop(number)
        self._was_units.setdefault(number, was)
        del self.at[was.cell]

    def new_unit(self, unit: Unit) -> None:
        self.put_unit(self.next_id, unit)
        self.next_id += 1

    def new_structure(self, structure: Structure) -> None:
        self._own_structures()
        self._was_structures.setdefault(self.next_id, None)
        self.structures[self.next_id] = structure
        self.built[structure.cell] = self.next_id
        self.next_id += 1

    def damage(self, number: Id, left: int) -> None:
        """Set what the structure has left; at zero it is gone."""
        self._own_structures()
        was = self.structures[number]
        self._was_structures.setdefault(number, was)
        if left > 0:
            self.structures[number] = Structure(was.type, was.owner, was.cell, left)
        else:
            del self.structures[number]
            del self.built[was.cell]

    def _own_structures(self) -> None:
        if not self._was_structures:
            self.structures, self.built = self.structures.copy(), self.built.copy()

    def put_tile(self, cell: Cell, tile: Tile) -> None:
        if not self._was_tiles:
            self.tiles = self.tiles.copy()
        self._was_tiles.setdefault(cell, self.tiles.get(cell, BARE))
        if tile == BARE:
            self.tiles.pop(cell, None)
        else:
            self.tiles[cell] = tile

    def spill(self, cell: Cell, food: int, materials: int) -> None:
        """Goods fall on a tile, whatever stands there."""
        if food or materials:
            rate, turns, lying_food, lying_materials = self.tiles.get(cell, BARE)
            self.put_tile(cell, Tile(rate, turns, lying_food + food, lying_materials + materials))

    def add_food(self, seat: Seat, amount: int) -> None:
        """Into a seat's pool; out of it, if it is negative."""
        first, second = self.food
        self.food = (first + amount, second) if seat == 0 else (first, second + amount)

    def freeze(self, commands: int) -> tuple[State, Json]:
        """The state with this number of commands counted, and the change since `before`."""
        before = self.before
        squads, regrouped = self._squads()
        after = State(
            self.ground,
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            before.cats,
            self.units,
            self.structures,
            self.tiles,
            self.at,
            self.built,
            squads,
            commands,
            self.result,
        )
        changes: dict[str, Json] = {}
        if self._was_units:
            self._units_changed(squads, regrouped, changes)
        if self._was_structures:
            self._structures_changed(changes)
        if self._was_tiles:
            self._tiles_changed(changes)
        if self.food is not before.food or self.upkeep is not before.upkeep:
            self._players_changed(changes)
        if self.turn != before.turn:
            changes["turn"] = self.turn
            changes["current_player"] = self.current_player
        if self.next_id != before.next_id:
            changes["next_id"] = self.next_id
        if self.result is not None:
            changes["result"] = result_json(self.result)
        return after, changes

    def _squads(self) -> tuple[dict[Id, Squad], dict[Id, Squad]]:
        """The squads now, and those of them that differ from before.

        Who came, went, or changed side or job has another squad now; a soldier changes the squads
        that it left or joined, too."""
        ground, units, at, stale = self.ground, self.units, self.at, self.before.squads
        asked: set[Id] = set()
        gone: list[Id] = []
        for number, was in self._was_units.items():
            now = units.get(number)
            if was is not None and now is not None and was[:3] == now[:3]:
                continue
            if was is not None and was.job == SOLDIER and was.owner is not None:
                asked.update(other for other, squad in stale.items() if number in squad)
            if now is None:
                gone.append(number)
                continue
            asked.add(number)
            if now.job == SOLDIER and now.owner is not None:
                joined = squads_of(ground, units, at, (number,))[number]
                asked.update(
                    at[cell]
                    for one in joined
                    for cell in ground.near[units[one].cell]
                    if cell in at
                )
        if not asked and not gone:
            return stale, {}
        squads = stale.copy()
        for number in gone:
            squads.pop(number, None)
        asked.difference_update(gone)
        fresh = squads_of(ground, units, at, sorted(asked))
        squads.update(fresh)
        return squads, {
            number: squad for number, squad in fresh.items() if stale.get(number) != squad
        }

    def _units_changed(
        self, squads: Mapping[Id, Squad], regrouped: Mapping[Id, Squad], changes: dict[str, Json]
    ) -> None:
        ground, units = self.ground, self.units
        changed: dict[Id, dict[str, Json]] = {}
        new, removed = [], []
        for number, was in self._was_units.items():
            now = units.get(number)
            if now is None:
                if was is not None:
                    removed.append(number)
            elif was is None:
                new.append(unit_json(ground, number, now, squads[number]))
            elif was != now:
                changed[number] = _unit_change(ground.xy, was, now)
        for number, squad in regrouped.items():
            if self._was_units.get(number, True) is not None:
                changed.setdefault(number, {})["squad"] = [*squad]
        if changed:
            changes["units"] = {str(number): fields for number, fields in sorted(changed.items())}
        if new:
            changes["new_units"] = new
        if removed:
            changes["removed_units"] = sorted(removed)

    def _structures_changed(self, changes: dict[str, Json]) -> None:
        new, removed, changed = [], [], {}
        for number, was in self._was_structures.items():
            now = self.structures.get(number)
            if now is None:
                removed.append(number)
            elif was is None:
                new.append(structure_json(self.ground, number, now))
            elif was.materials != now.materials:
                changed[str(number)] = {"materials": now.materials}
        if changed:
            changes["structures"] = changed
        if new:
            changes["new_structures"] = new
        if removed:
            changes["removed_structures"] = removed

    def _tiles_changed(self, changes: dict[str, Json]) -> None:
        changed = []
        for cell, was in sorted(self._was_tiles.items()):
            now = self.tiles.get(cell, BARE)
            if now != was:
                x, y = self.ground.xy[cell]
                fields: dict[str, Json] = {"x": x, "y": y}
                fields.update(
                    (name, now[place]) for place, name in _TILE_FIELDS if now[place] != was[place]
                )
                changed.append(fields)
        if changed:
            changes["tiles"] = changed

    def _players_changed(self, changes: dict[str, Json]) -> None:
        players: dict[str, Json] = {}
        pools = (("food", self.before.food, self.food), ("upkeep", self.before.upkeep, self.upkeep))
        for seat in range(SEATS):
            fields = {name: now[seat] for name, was, now in pools if now[seat] != was[seat]}
            if fields:
                players[str(seat)] = fields
        if players:
            changes["players"] = players


def _unit_change(xy: list[tuple[int, int]], was: Unit, now: Unit) -> dict[str, Json]:
    """The fields that differ, under their names in the view."""
    fields: dict[str, Json] = {
        name: now[place] for name, place in _UNIT_FIELDS if now[place] != was[place]
    }
    if now.cell != was.cell:
        (x, y), (x_was, y_was) = xy[now.cell], xy[was.cell]
        if x != x_was:
            fields["x"] = x
        if y != y_was:
            fields["y"] = y
    if now.target != was.target:
        fields["movement_target"] = None if now.target is None else [*xy[now.target]]
    return fields
