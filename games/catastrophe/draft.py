"""A moment to work on: a verb changes it, then freezes it and tells what has changed (RULES §7).

Whatever is written is written through the methods here, so the changes are complete: they are read
off what each unit, structure and tile was at its first touch."""

from __future__ import annotations

from games.catastrophe.rules import SEATS, SOLDIER
from games.catastrophe.state import (
    BARE,
    Cell,
    Id,
    Squad,
    State,
    Structure,
    Tile,
    Unit,
    as_state,
    squad_of,
)
from games.catastrophe.view import result_json, structure_json, unit_json
from games.core.contract import Json, Seat


class Tables:
    """What the rules write into: the fields of a state, and how each table is written."""

    __slots__ = (
        "at",
        "built",
        "cats",
        "current_player",
        "food",
        "ground",
        "next_id",
        "result",
        "structures",
        "texts",
        "tiles",
        "turn",
        "units",
        "upkeep",
    )

    def __init__(self, before: State) -> None:
        (
            self.ground,
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            self.cats,
            self.units,
            self.structures,
            self.tiles,
            self.at,
            self.built,
            _,
            _,
            self.result,
            self.texts,
        ) = before

    def put_unit(self, number: Id, unit: Unit) -> None:
        """The unit is this from now on, wherever it was."""
        raise NotImplementedError

    def remove_unit(self, number: Id) -> None:
        """The unit is gone."""
        raise NotImplementedError

    def put_structure(self, number: Id, structure: Structure | None) -> None:
        """The structure is this from now on; None: it is gone."""
        raise NotImplementedError

    def put_tile(self, cell: Cell, tile: Tile) -> None:
        """The tile is this from now on."""
        raise NotImplementedError

    def new_unit(self, unit: Unit) -> None:
        self.put_unit(self.next_id, unit)
        self.next_id += 1

    def new_structure(self, structure: Structure) -> None:
        self.put_structure(self.next_id, structure)
        self.next_id += 1

    def damage(self, number: Id, left: int) -> None:
        """Set what the structure has left; at zero it is gone."""
        was = self.structures[number]
        now = Structure(was.type, was.owner, was.cell, left) if left > 0 else None
        self.put_structure(number, now)

    def spill(self, cell: Cell, food: int, materials: int) -> None:
        """Goods fall on a tile, whatever stands there."""
        if food or materials:
            rate, turns, lying_food, lying_materials = self.tiles.get(cell, BARE)
            self.put_tile(cell, Tile(rate, turns, lying_food + food, lying_materials + materials))

    def add_food(self, seat: Seat, amount: int) -> None:
        """Into a seat's pool; out of it, if it is negative."""
        first, second = self.food
        self.food = (first + amount, second) if seat == 0 else (first, second + amount)


class Draft(Tables):
    """Private to one verb. Tables are copied at their first write."""

    __slots__ = ("_was_structures", "_was_tiles", "_was_units", "before")

    def __init__(self, before: State) -> None:
        super().__init__(before)
        self.before = before
        self._was_units: dict[Id, Unit | None] = {}
        self._was_structures: dict[Id, Structure | None] = {}
        self._was_tiles: dict[Cell, Tile] = {}

    def put_unit(self, number: Id, unit: Unit) -> None:
        if not self._was_units:
            self.units, self.at = self.units.copy(), self.at.copy()
        was = self.units.get(number)
        if number not in self._was_units:
            self._was_units[number] = was
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

    def put_structure(self, number: Id, structure: Structure | None) -> None:
        if not self._was_structures:
            self.structures, self.built = self.structures.copy(), self.built.copy()
        was = self.structures.get(number)
        self._was_structures.setdefault(number, was)
        if structure is not None:
            self.structures[number] = structure
            self.built[structure.cell] = number
        elif was is not None:
            del self.structures[number]
            del self.built[was.cell]

    def put_tile(self, cell: Cell, tile: Tile) -> None:
        if not self._was_tiles:
            self.tiles = self.tiles.copy()
        if cell not in self._was_tiles:
            self._was_tiles[cell] = self.tiles.get(cell, BARE)
        if tile == BARE:
            self.tiles.pop(cell, None)
        else:
            self.tiles[cell] = tile

    def freeze(self, commands: int) -> tuple[State, Json]:
        """The state with this number of commands counted, and the change since `before`."""
        before = self.before
        changes: dict[str, Json] = {}
        squads = self._units_changed(changes) if self._was_units else before.squads
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
        after = (
            self.ground,
            self.turn,
            self.current_player,
            self.next_id,
            self.food,
            self.upkeep,
            self.cats,
            self.units,
            self.structures,
            self.tiles,
            self.at,
            self.built,
            squads,
            commands,
            self.result,
            self.texts,
        )
        return as_state(after), changes

    def _units_changed(self, changes: dict[str, Json]) -> dict[Id, Squad]:
        """Add what has become of the units to the changes. Returns the squads now."""
        xy, units, squads = self.ground.xy, self.units, self.before.squads
        changed: dict[Id, dict[str, Json]] = {}
        new, removed, moved = [], [], []
        for number, was in self._was_units.items():
            now = units.get(number)
            if now is None:
                removed.append(number)
            elif was is None:
                new.append(number)
            elif was == now:
                continue
            else:
                changed[number] = _unit_change(xy, was, now)
                if was.cell == now.cell and was.owner == now.owner and was.job == now.job:
                    continue
            moved.append(number)
        regrouped = self._regrouped(moved) if moved else {}
        if regrouped or removed:
            squads = squads | regrouped
            for number in removed:
                del squads[number]
            for number, squad in regrouped.items():
                if number not in new:
                    changed.setdefault(number, {})["squad"] = [*squad]
        if changed:
            changes["units"] = {str(number): fields for number, fields in sorted(changed.items())}
        if new:
            changes["new_units"] = [
                unit_json(self.ground, number, units[number], squads[number]) for number in new
            ]
        if removed:
            changes["removed_units"] = sorted(removed)
        return squads

    def _regrouped(self, moved: list[Id]) -> dict[Id, Squad]:
        """The squads that differ from before, after these units came, went, moved, or changed side
        or job: their own, and those that a soldier among them left or joined."""
        ground, units, at, stale = self.ground, self.units, self.at, self.before.squads
        asked: list[Id] = []
        bands: dict[Id, Squad] = {}
        for number in moved:
            was, now = self._was_units[number], units.get(number)
            if was is not None and was.job == SOLDIER:
                asked += [one for one, squad in stale.items() if number in squad and one in units]
            if now is not None:
                asked.append(number)
                if now.job == SOLDIER:
                    for one in squad_of(ground, units, at, number, bands):
                        asked += [at[cell] for cell in ground.near[units[one].cell] if cell in at]
        regrouped = {}
        for number in asked:
            squad = squad_of(ground, units, at, number, bands)
            if squad != stale.get(number):
                regrouped[number] = squad
        return regrouped

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
        xy, tiles, changed = self.ground.xy, self.tiles, []
        for cell, was in sorted(self._was_tiles.items()):
            now = tiles.get(cell, BARE)
            if now != was:
                changed.append(_tile_change(xy[cell], was, now))
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
    """The fields that differ, under their names in the view.

    Written out, as it is made for every command: a loop over the fields takes twice the time."""
    owner, job, cell, energy, moves, acted, food, materials, starving, dies, target = now
    fields: dict[str, Json] = {}
    if owner != was[0]:
        fields["owner"] = owner
    if job != was[1]:
        fields["job"] = job
    if energy != was[3]:
        fields["energy"] = energy
    if moves != was[4]:
        fields["moves"] = moves
    if acted != was[5]:
        fields["acted"] = acted
    if food != was[6]:
        fields["food"] = food
    if materials != was[7]:
        fields["materials"] = materials
    if starving != was[8]:
        fields["starving"] = starving
    if dies != was[9]:
        fields["turns_to_die"] = dies
    if cell != was[2]:
        (x, y), (x_was, y_was) = xy[cell], xy[was[2]]
        if x != x_was:
            fields["x"] = x
        if y != y_was:
            fields["y"] = y
    if target != was[10]:
        fields["movement_target"] = None if target is None else [*xy[target]]
    return fields


def _tile_change(place: tuple[int, int], was: Tile, now: Tile) -> dict[str, Json]:
    """Where a tile is and its fields that differ."""
    x, y = place
    rate, turns, food, materials = now
    fields: dict[str, Json] = {"x": x, "y": y}
    if rate != was[0]:
        fields["harvest_rate"] = rate
    if turns != was[1]:
        fields["turns_to_harvest"] = turns
    if food != was[2]:
        fields["food"] = food
    if materials != was[3]:
        fields["materials"] = materials
    return fields


def drafted(state: State) -> Tables:
    """What the rules write into when they change this state: a draft. A board to search on, which
    takes the place of a state, is written into itself."""
    return state if isinstance(state, Tables) else Draft(state)
