"""The objects of Catastrophe: tiles, structures, units and the two sides.

They refer to each other, so they are in one file. Each reads its values from the match's mirror."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

from client_sdk.api.catastrophe_base import GameObject, LiveList
from client_sdk.api.catastrophe_clock import Clock
from client_sdk.api.catastrophe_mirror import Mirror
from client_sdk.api.catastrophe_orders import Job, Orders
from client_sdk.api.catastrophe_parameters import Parameters
from games.catastrophe.rules import ROAD
from games.catastrophe.state import BARE, Cell, Id
from games.catastrophe.state import Structure as BuiltThere
from games.catastrophe.state import Tile as LyingThere
from games.catastrophe.state import Unit as StandingThere
from games.core.contract import Json

T = TypeVar("T")


class Tile(GameObject):
    """A tile of the board at (`x`, `y`), always the same object for the same place."""

    __slots__ = ("_cell", "_game", "_road", "x", "y")

    def __init__(self, game: Objects, number: Id, cell: Cell, x: int, y: int) -> None:
        super().__init__(number)
        self._game = game
        self._cell = cell
        self._road: Structure | None = None
        self.x: Final = x
        self.y: Final = y

    @property
    def _lying(self) -> LyingThere:
        return self._game.mirror.state.tiles.get(self._cell, BARE)

    @property
    def food(self) -> int:
        """The food on the ground."""
        return self._lying.food

    @property
    def materials(self) -> int:
        """The materials on the ground."""
        return self._lying.materials

    @property
    def harvest_rate(self) -> int:
        """The food that a harvest yields."""
        return self._lying.harvest_rate

    @property
    def turns_to_harvest(self) -> int:
        """The turns until it can be harvested; 0: it can be now."""
        return self._lying.turns_to_harvest

    @property
    def unit(self) -> Unit | None:
        """The unit on it."""
        number = self._game.mirror.state.at.get(self._cell)
        return None if number is None else self._game._unit(number)

    @property
    def structure(self) -> Structure | None:
        """The structure on it; on a road tile the road."""
        number = self._game.mirror.state.built.get(self._cell)
        return self._road if number is None else self._game._structure(number)

    @property
    def tile_north(self) -> Tile | None:
        """The tile above."""
        return self._game.get_tile_at(self.x, self.y - 1)

    @property
    def tile_east(self) -> Tile | None:
        """The tile at the right."""
        return self._game.get_tile_at(self.x + 1, self.y)

    @property
    def tile_south(self) -> Tile | None:
        """The tile below."""
        return self._game.get_tile_at(self.x, self.y + 1)

    @property
    def tile_west(self) -> Tile | None:
        """The tile at the left."""
        return self._game.get_tile_at(self.x - 1, self.y)

    def get_neighbors(self) -> list[Tile]:
        """The adjacent tiles: north, east, south, west."""
        game = self._game
        return [game.tiles[cell] for cell in game.mirror.state.ground.near[self._cell]]

    def has_neighbor(self, tile: Tile | None) -> bool:
        """Whether the other tile is adjacent."""
        return tile is not None and tile._cell in self._game.mirror.state.ground.near[self._cell]

    def is_pathable(self) -> bool:
        """Whether units can walk here: there is no unit, and no structure but a shelter or road."""
        return self._cell not in self._game.mirror.blocked

    def __repr__(self) -> str:
        return f"<Tile ({self.x}, {self.y})>"


class Structure(GameObject):
    """A shelter, monument, wall, neutral structure or road."""

    __slots__ = ("_game", "_seen")

    def __init__(self, game: Objects, number: Id, seen: BuiltThere) -> None:
        super().__init__(number)
        self._game = game
        self._seen = seen

    @property
    def _built(self) -> BuiltThere:
        """As it stands; if it is gone, as it was last seen, without materials."""
        if self._seen.type != ROAD:
            now = self._game.mirror.state.structures.get(self.id)
            self._seen = self._seen._replace(materials=0) if now is None else now
        return self._seen

    @property
    def _there(self) -> bool:
        return self._seen.type == ROAD or self.id in self._game.mirror.state.structures

    @property
    def type(self) -> str:
        """`shelter`, `monument`, `wall`, `neutral` or `road`."""
        return self._seen.type

    @property
    def owner(self) -> Player | None:
        """The player that owns it."""
        return self._game._player(self._seen.owner)

    @property
    def tile(self) -> Tile | None:
        """Its tile; None: it is gone."""
        return self._game.tiles[self._seen.cell] if self._there else None

    @property
    def materials(self) -> int:
        """The materials that are left of it; a road has none."""
        return self._built.materials

    @property
    def effect_radius(self) -> int:
        """Its range in tiles."""
        return self._game.mirror.state.ground.radius.get(self._seen.type, 0)

    def __repr__(self) -> str:
        return f"<Structure {self.id} {self.type}>"


class Unit(Orders):
    """A unit, always the same object for the same `id`. If it is gone, it keeps its last values."""

    __slots__ = ("_game", "_seen")

    def __init__(self, game: Objects, number: Id, seen: StandingThere) -> None:
        super().__init__(number)
        self._game = game
        self._seen = seen

    @property
    def _now(self) -> StandingThere:
        now = self._game.mirror.state.units.get(self.id)
        if now is not None:
            self._seen = now
        return self._seen

    @property
    def _there(self) -> bool:
        return self.id in self._game.mirror.state.units

    @property
    def owner(self) -> Player | None:
        """The player that owns it; None: it has no owner, or it is gone."""
        return self._game._player(self._now.owner) if self._there else None

    @property
    def job(self) -> Job:
        """Its job."""
        return self._game._jobs[self._now.job]

    @property
    def tile(self) -> Tile | None:
        """Its tile; None: it is gone."""
        return self._game.tiles[self._now.cell] if self._there else None

    @property
    def energy(self) -> float:
        """Its energy."""
        return self._now.energy

    @property
    def moves(self) -> int:
        """The moves that are left in this turn."""
        return self._now.moves

    @property
    def acted(self) -> bool:
        """Whether it has acted in this turn."""
        return self._now.acted

    @property
    def food(self) -> int:
        """The food that it carries."""
        return self._now.food

    @property
    def materials(self) -> int:
        """The materials that it carries."""
        return self._now.materials

    @property
    def starving(self) -> bool:
        """Whether its player could not feed it."""
        return self._now.starving

    @property
    def turns_to_die(self) -> int:
        """The turns until a neutral unit leaves; -1: it stays."""
        return self._now.turns_to_die

    @property
    def movement_target(self) -> Tile | None:
        """The tile that a neutral human on the road walks to."""
        target = self._now.target
        return None if target is None else self._game.tiles[target]

    @property
    def squad(self) -> list[Unit]:
        """This unit and the soldiers that are connected with it, by id."""
        game = self._game
        return game._live(
            lambda: [game._unit(number) for number in game.mirror.state.squads.get(self.id, ())]
        )

    def _called(self, command: Json) -> bool:
        fault = self._game.mirror.run(command)
        if fault is None:
            return True
        arguments = ", ".join(
            f"{name} {value}" for name, value in command.items() if name not in ("cmd", "unit")
        )
        self._game._invalid(f"{self!r}: {command['cmd']} {arguments}".rstrip() + f": {fault}")
        return False

    def __repr__(self) -> str:
        return f"<Unit {self.id} {self._seen.job}>"


class Player(GameObject):
    """One of the two players. `won`, `lost` and the reasons are set when the match is over."""

    def __init__(self, game: Objects, number: Id, seat: int, name: str) -> None:
        super().__init__(number)
        self._game = game
        self.seat: Final = seat
        self.name: Final = name
        self.client_type: Final = "Botarena"
        self.won = False
        self.lost = False
        self.reason_won = ""
        self.reason_lost = ""

    @property
    def cat(self) -> Unit:
        """Its overlord."""
        return self._game._unit(self._game.mirror.state.cats[self.seat])

    @property
    def units(self) -> list[Unit]:
        """Its units by id, the overlord included."""
        game, seat = self._game, self.seat
        return game._live(
            lambda: [
                game._unit(number)
                for number, unit in game.mirror.state.units.items()
                if unit.owner == seat
            ]
        )

    @property
    def structures(self) -> list[Structure]:
        """Its structures by id, without roads."""
        game, seat = self._game, self.seat
        return game._live(
            lambda: [
                game._structure(number)
                for number, built in game.mirror.state.structures.items()
                if built.owner == seat
            ]
        )

    @property
    def food(self) -> int:
        """The food in its pool."""
        return self._game.mirror.state.food[self.seat]

    @property
    def upkeep(self) -> int:
        """The food that its units cost per turn, as of the last end of a turn."""
        return self._game.mirror.state.upkeep[self.seat]

    @property
    def opponent(self) -> Player:
        """The other player."""
        return self._game.players[1 - self.seat]

    @property
    def time_remaining(self) -> float | None:
        """The bank in seconds. Of the opponent it is what the server sent with the newest view.
        None: there is no limit, or for the opponent no server that sends it."""
        clock = self._game.clock
        return clock.left() if self.seat == self._game.mirror.seat else clock.opponent_s

    def __repr__(self) -> str:
        return f"<Player {self.seat} {self.name}>"


class Objects(Parameters):
    """The objects of a match, each made once."""

    def __init__(
        self,
        names: Sequence[str],
        mirror: Mirror,
        clock: Clock,
        invalid: Any,
    ) -> None:
        super().__init__(mirror.rules)
        self.mirror: Final = mirror
        self.clock: Final = clock
        self._invalid = invalid
        numbers = itertools.count(-1, -1)
        ground = mirror.state.ground
        self._jobs: Final = {
            title: Job(title, next(numbers), job) for title, job in ground.jobs.items()
        }
        self.map_width: Final = ground.width
        """The width of the board in tiles."""
        self.map_height: Final = ground.height
        """The height of the board in tiles."""
        self.tiles: Final = [
            Tile(self, next(numbers), cell, x, y) for cell, (x, y) in enumerate(ground.xy)
        ]
        """All tiles, row by row."""
        self._roads: Final = [
            Structure(self, next(numbers), BuiltThere(ROAD, None, tile._cell, 0))
            for tile in self.tiles
            if ground.road[tile._cell]
        ]
        for road in self._roads:
            self.tiles[road._seen.cell]._road = road
        self.players: Final = [
            Player(self, next(numbers), seat, name) for seat, name in enumerate(names)
        ]
        """Both players, by seat."""
        fixed: list[GameObject] = [*self._jobs.values(), *self.tiles, *self._roads, *self.players]
        self._objects: Final = {one.id: one for one in fixed}

    def get_tile_at(self, x: int, y: int) -> Tile | None:
        """The tile at this place; None: it is outside the board."""
        inside = 0 <= x < self.map_width and 0 <= y < self.map_height
        return self.tiles[x + y * self.map_width] if inside else None

    def _unit(self, number: Id) -> Unit:
        known = self._objects.get(number)
        if known is None:
            known = self._objects[number] = Unit(self, number, self.mirror.state.units[number])
        return cast(Unit, known)

    def _structure(self, number: Id) -> Structure:
        known = self._objects.get(number)
        if known is None:
            built = self.mirror.state.structures[number]
            known = self._objects[number] = Structure(self, number, built)
        return cast(Structure, known)

    def _live(self, read: Callable[[], list[T]]) -> list[T]:
        return LiveList(lambda: self.mirror.state, read)

    def _player(self, seat: int | None) -> Player | None:
        return None if seat is None else self.players[seat]
