"""What a moment of a match is (RULES §3): the ground, which never changes, and flat tuples.

This module is hot: a verb copies the tables that it changes and nothing else. Tables are dicts that
are not written into once their state has left a verb. Units and structures are in order of id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

from games.catastrophe.rules import (
    MONUMENT,
    NEUTRAL,
    SHELTER,
    SOLDIER,
    WALL,
    Job,
    Rules,
    job_table,
)
from games.core.contract import Seat
from games.core.shared import Shared, Texts

Cell: TypeAlias = int
"""A tile's number, x + y*width; x grows to the east, y to the south."""

Id: TypeAlias = int
"""Of a unit or a structure: one counter for both, never used again."""


class Unit(NamedTuple):
    owner: Seat | None
    """None: neutral."""
    job: str
    cell: Cell
    energy: float
    """0 to `max_energy`."""
    moves: int
    """Left this turn."""
    acted: bool = False
    food: int = 0
    materials: int = 0
    """Carried; food and materials together within the job's carry limit."""
    starving: bool = False
    turns_to_die: int = -1
    """-1: it stays."""
    target: Cell | None = None
    """Where a human on the road walks to."""

    def __repr__(self) -> str:
        return tuple.__repr__(self)


as_unit: Final[Callable[[tuple[Any, ...]], Unit]] = partial(tuple.__new__, Unit)
"""A unit of all its fields in their order, in half the time that `Unit` takes."""


class Structure(NamedTuple):
    """A shelter, monument, wall or neutral structure. Roads are part of the ground."""

    type: str
    owner: Seat | None
    cell: Cell
    materials: int
    """More than 0."""

    def __repr__(self) -> str:
        return tuple.__repr__(self)


class Tile(NamedTuple):
    """What there is to harvest on a tile, and what lies on it."""

    harvest_rate: int = 0
    turns_to_harvest: int = 0
    food: int = 0
    materials: int = 0

    def __repr__(self) -> str:
        return tuple.__repr__(self)


as_tile: Final[Callable[[tuple[int, int, int, int]], Tile]] = partial(tuple.__new__, Tile)
"""A tile of all its fields in their order, in half the time that `Tile` takes."""

BARE: Final = Tile()
"""A tile that is in no table."""


class Result(NamedTuple):
    winner: Seat
    reason: str
    via: str | None
    """What led to a tie-breaker; None: nothing did."""


class Ground(Shared):
    """The rules and the map's size, and tables made of them. Shared, never copied."""

    def __init__(self, rules: Rules, width: int, height: int) -> None:
        self.rules: Final = rules
        self.width = width
        self.height = height
        self.cells: Final = width * height
        self.road_rows: Final = (height // 2 - 1, height // 2)
        self.full: Final = float(rules.max_energy)
        """The energy of a unit that is new or rested."""
        self.jobs: Final[Mapping[str, Job]] = job_table(rules)
        self.materials: Final[Mapping[str, int]] = {
            SHELTER: rules.shelter_materials,
            MONUMENT: rules.monument_materials,
            WALL: rules.wall_materials,
            NEUTRAL: rules.neutral_materials,
        }
        """Of a new structure, by its type."""
        self.radius: Final[Mapping[str, int]] = {
            SHELTER: rules.shelter_radius,
            MONUMENT: rules.monument_radius,
            WALL: 0,
            NEUTRAL: 0,
        }
        self.xy: Final = [(cell % width, cell // width) for cell in range(self.cells)]
        self.road: Final = [y in self.road_rows for _, y in self.xy]
        """Per cell, whether it is road."""
        self.near: Final = [self._neighbours(x, y) for x, y in self.xy]
        """Per cell its neighbours: north, east, south, west."""
        self.reach: Final = [
            (*near, cell) if rules.own_tile_counts else near for cell, near in enumerate(self.near)
        ]
        """Per cell the tiles that harvest, pickup, drop and deconstruct get at."""

    def _neighbours(self, x: int, y: int) -> tuple[Cell, ...]:
        around = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        return tuple(
            near + far * self.width
            for near, far in around
            if 0 <= near < self.width and 0 <= far < self.height
        )

    def distance(self, one: Cell, other: Cell) -> int:
        """Tiles between two cells, diagonal steps counted as one."""
        (x, y), (x2, y2) = self.xy[one], self.xy[other]
        return max(abs(x - x2), abs(y - y2))

    @property
    def parts(self) -> tuple[Rules, int, int]:
        return self.rules, self.width, self.height

    def __reduce__(self) -> tuple[Any, ...]:
        return ground, self.parts


@lru_cache(maxsize=32)
def ground(rules: Rules, width: int, height: int) -> Ground:
    """The ground of these rules and this size, made once."""
    return Ground(rules, width, height)


Squad: TypeAlias = tuple[Id, ...]
"""Ascending ids."""


class State(NamedTuple):
    """One moment. `at`, `built` and `squads` follow from the units and structures."""

    ground: Ground
    turn: int
    current_player: Seat
    next_id: Id
    food: tuple[int, int]
    """The pools, by seat."""
    upkeep: tuple[int, int]
    """What the seats pay, as of the last turn boundary."""
    cats: tuple[Id, Id]
    units: dict[Id, Unit]
    structures: dict[Id, Structure]
    tiles: dict[Cell, Tile]
    """The tiles that are not bare."""
    at: dict[Cell, Id]
    """Who stands where."""
    built: dict[Cell, Id]
    """Which structure stands where."""
    squads: dict[Id, Squad]
    commands: int
    """Commands of the open turn so far, refused and malformed ones too."""
    result: Result | None
    texts: tuple[Texts, Texts]
    """Of the units and structures by id, and of the tiles by cell."""

    def __repr__(self) -> str:
        """All that changes and does not follow from the rest; equal moments have equal texts,
        whatever led to them."""
        texts, tile_texts = self.texts
        units = ", ".join(texts.of_items(self.units.items(), "%r: %r"))
        tiles = ", ".join(tile_texts.of_items(sorted(self.tiles.items()), "(%r, %r)"))
        return (
            f"State({self[1:7]!r}, units={{{units}}}, "
            f"structures={texts.of('structures', self.structures)}, "
            f"tiles=[{tiles}], {self[13:15]!r})"
        )


as_state: Final[Callable[[tuple[Any, ...]], State]] = partial(tuple.__new__, State)
"""A state of all its fields in their order, in half the time that `State` takes."""


def state_of(
    ground: Ground,
    *,
    turn: int,
    current_player: Seat,
    next_id: Id,
    food: tuple[int, int],
    upkeep: tuple[int, int],
    cats: tuple[Id, Id],
    units: Mapping[Id, Unit],
    structures: Mapping[Id, Structure],
    tiles: Mapping[Cell, Tile],
    result: Result | None = None,
) -> State:
    """A moment from its parts; what follows from them is made here. No command is counted yet."""
    at = {unit.cell: number for number, unit in units.items()}
    return State(
        ground,
        turn,
        current_player,
        next_id,
        food,
        upkeep,
        cats,
        dict(sorted(units.items())),
        dict(sorted(structures.items())),
        {cell: tile for cell, tile in sorted(tiles.items()) if tile != BARE},
        at,
        {structure.cell: number for number, structure in structures.items()},
        squads_of(ground, units, at, sorted(units)),
        0,
        result,
        (Texts(), Texts()),
    )


def squads_of(
    ground: Ground, units: Mapping[Id, Unit], at: Mapping[Cell, Id], asked: Iterable[Id]
) -> dict[Id, Squad]:
    """The squads of these units."""
    bands: dict[Id, Squad] = {}
    return {number: squad_of(ground, units, at, number, bands) for number in asked}


def squad_of(
    ground: Ground,
    units: Mapping[Id, Unit],
    at: Mapping[Cell, Id],
    number: Id,
    bands: dict[Id, Squad],
) -> Squad:
    """The squad of a unit, from the board (RULES §5.4); `bands` keeps those of soldiers.

    An owned unit's: itself and every soldier of its owner that is reached from it over soldiers of
    that owner. A neutral unit's: itself."""
    unit = units[number]
    if unit.owner is None:
        return (number,)
    if unit.job == SOLDIER:
        return bands.get(number) or _band(ground, units, at, number, bands)
    squad = {number}
    for cell in ground.near[unit.cell]:
        if cell in at:
            other = units[at[cell]]
            if other.job == SOLDIER and other.owner == unit.owner:
                squad.update(squad_of(ground, units, at, at[cell], bands))
    return (*sorted(squad),) if len(squad) > 1 else (number,)


def _band(
    ground: Ground,
    units: Mapping[Id, Unit],
    at: Mapping[Cell, Id],
    first: Id,
    bands: dict[Id, Squad],
) -> Squad:
    """The soldiers of one owner that are connected with this one; `bands` has them for each."""
    near, owner = ground.near, units[first].owner
    found, seen = [first], {first}
    for number in found:
        for cell in near[units[number].cell]:
            other = at.get(cell)
            if other is not None and other not in seen:
                seen.add(other)
                unit = units[other]
                if unit.job == SOLDIER and unit.owner == owner:
                    found.append(other)
    found.sort()
    band = tuple(found)
    bands.update(dict.fromkeys(found, band))
    return band


def in_range(
    ground: Ground, structures: Mapping[Id, Structure], kind: str, owner: Seat | None, cell: Cell
) -> list[Cell]:
    """Where the structures of this type and owner stand that have the cell in range, in the order
    of their ids."""
    radius = ground.radius[kind]
    return [
        structure.cell
        for structure in structures.values()
        if structure.type == kind
        and structure.owner == owner
        and ground.distance(structure.cell, cell) <= radius
    ]


def monument_mult(ground: Ground, structures: Mapping[Id, Structure], unit: Unit) -> float:
    """What the unit's energy costs and losses are multiplied by where it stands."""
    if unit.owner is None or not in_range(ground, structures, MONUMENT, unit.owner, unit.cell):
        return 1
    return ground.rules.monument_cost_mult


def awaited(state: State) -> frozenset[Seat]:
    """The seat whose turn it is; empty once the match is over."""
    return _AWAITED[state.current_player] if state.result is None else _NO_SEATS


def turn(state: State) -> int:
    return state.turn


_NO_SEATS: Final[frozenset[Seat]] = frozenset()
_AWAITED: Final = (frozenset({0}), frozenset({1}))
