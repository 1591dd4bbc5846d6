"""The state that a Zooscape bot gets every tick: animals, zookeepers, the board, searches on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

from client_sdk.api.zooscape_paths import Grid, Number
from client_sdk.api.zooscape_values import (
    DIRECTIONS,
    Action,
    Cell,
    CellContent,
    Position,
    PowerUpType,
    Spelled,
    Way,
)
from games.zooscape.json_types import View

Id: TypeAlias = int | str
"""A number, or a GUID for bots of the contest."""


def number_id(kind: str, number: int) -> Id:
    """The id of an animal or a zookeeper: its number."""
    return number


@dataclass(frozen=True, slots=True)
class ActivePowerUp(Spelled):
    """A power-up that works."""

    type: PowerUpType
    """Its kind."""
    ticks_remaining: int
    """The ticks that are left."""
    value: float
    """The factor of big moose juice, the radius of a scavenger, 0 for a cloak."""


@dataclass(frozen=True, slots=True)
class Animal(Spelled):
    """An animal. It has a field for each value of the view, hence their number."""

    seat: int
    """The seat of its player."""
    name: str
    """The player's name."""
    x: int
    """Its column."""
    y: int
    """Its row."""
    spawn_x: int
    """The column of its cage."""
    spawn_y: int
    """The row of its cage."""
    score: int
    """Its score."""
    captured_count: int
    """How often it was captured."""
    distance_covered: int
    """The steps that it has made."""
    is_viable: bool
    """Zookeepers may chase it: it has left its cage and wears no cloak."""
    held_power_up: PowerUpType | None
    """The power-up that it holds."""
    active_power_up: ActivePowerUp | None
    """The power-up that works."""
    id: Id
    """Its seat; a GUID for bots of the contest."""

    @property
    def position(self) -> Position:
        """Its cell."""
        return Position(self.x, self.y)

    @property
    def in_cage(self) -> bool:
        """Whether it is in its cage."""
        return (self.x, self.y) == (self.spawn_x, self.spawn_y)


@dataclass(frozen=True, slots=True)
class Me(Animal):
    """The bot's own animal, with what no other seat knows."""

    direction: Action | None
    """The direction in which it moves on by itself; None: it stands still."""
    streak_multiplier: float
    """The factor for the next pellet."""
    ticks_on_spawn: int
    """The ticks that it has spent in its cage."""
    power_ups_used: int
    """The power-ups that it has used."""
    queue_length: int
    """The commands that wait. One is played per tick: with more than one the bot falls behind."""
    events: tuple[str, ...]
    """What happened in the last tick: `no_item` for USE_ITEM without a held power-up."""


@dataclass(frozen=True, slots=True)
class Zookeeper(Spelled):
    """A zookeeper."""

    id: Id
    """Its number, in the order of appearance; a GUID for bots of the contest."""
    name: str
    """Its name."""
    x: int
    """Its column."""
    y: int
    """Its row."""
    spawn_x: int
    """The column where it appeared."""
    spawn_y: int
    """The row where it appeared."""

    @property
    def position(self) -> Position:
        """Its cell."""
        return Position(self.x, self.y)


class GameState(Spelled):
    """The state after a tick. A position may be any pair (x, y).

    Its properties have the names of the contest, hence their number.
    """

    def __init__(
        self,
        view: View,
        grid: Grid,
        names: tuple[str, ...],
        skipped: int = 0,
        id_of: Callable[[str, int], Id] = number_id,
    ) -> None:
        self.view = view
        """The view as JSON."""
        self.grid = grid
        """The walls, and searches on cell numbers, which are faster (`zooscape_paths`)."""
        self.skipped = skipped
        """The ticks between the last state and this one, for which the bot was too slow."""
        self._names = names
        self._id_of = id_of

    @property
    def tick(self) -> int:
        """The number of ticks played."""
        return self.view["tick"]

    @property
    def max_ticks(self) -> int:
        """The match ends after this tick."""
        return self.view["max_ticks"]

    @property
    def game_over(self) -> bool:
        """Whether the match is over."""
        return self.view["game_over"]

    @property
    def map(self) -> list[str]:
        """The rows of the board: `map[y][x]` is the digit of a CellContent."""
        return self.view["map"]

    @property
    def width(self) -> int:
        """The width of the board in cells."""
        return self.grid.width

    @property
    def height(self) -> int:
        """The height of the board in cells."""
        return self.grid.height

    @cached_property
    def contents(self) -> bytes:
        """The digits of all cells by their numbers, which are x * height + y."""
        return "".join(map("".join, zip(*self.map, strict=True))).encode()

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, column by column, each from the top. `map` and `content` are faster."""
        height = self.height
        return [
            Cell(*divmod(number, height), _CONTENTS[digit])
            for number, digit in enumerate(self.contents)
        ]

    def cell(self, x: int, y: int) -> Cell:
        """A cell with its content. Raises ValueError for a position outside the board, as all
        methods do that take a position."""
        return Cell(x, y, self.content(x, y))

    def content(self, x: int, y: int) -> CellContent:
        """What a cell holds."""
        return _CONTENTS[self.contents[self.grid.number(x, y)]]

    @cached_property
    def animals(self) -> tuple[Animal, ...]:
        """All animals, by seat."""
        return tuple(
            self.me if seat == self.view["you"]["seat"] else Animal(**self._standing(seat))
            for seat in range(len(self._names))
        )

    @cached_property
    def me(self) -> Me:
        """The bot's own animal."""
        own = self.view["you"]
        return Me(
            **self._standing(own["seat"]),
            direction=None if own["direction"] == "idle" else Action[own["direction"].upper()],
            streak_multiplier=own["streak_multiplier"],
            ticks_on_spawn=own["ticks_on_spawn"],
            power_ups_used=own["power_ups_used"],
            queue_length=own["queue_length"],
            events=tuple(own["events"]),
        )

    @cached_property
    def zookeepers(self) -> tuple[Zookeeper, ...]:
        """All zookeepers, by id."""
        seen = self.view["zookeepers"]
        return tuple(
            Zookeeper(
                self._id_of("zookeeper", one["id"]),
                one["name"],
                one["x"],
                one["y"],
                one["spawn_x"],
                one["spawn_y"],
            )
            for one in seen
        )

    @cached_property
    def time_stamp(self) -> float:
        """The time on this machine when it was first read, in seconds since 1970."""
        return time.time()

    def is_open(self, x: int, y: int) -> bool:
        """Whether animals can enter the cell: it is neither a wall nor a cage."""
        return self.content(x, y) not in (CellContent.WALL, CellContent.ANIMAL_SPAWN)

    def neighbours(self, position: tuple[int, int] | None = None) -> list[tuple[Action, Position]]:
        """The cells one step away, over the border too; by default from the bot's own cell."""
        around = self.grid.around[self._number(position)]
        return [
            (DIRECTIONS[place], self._position(step))
            for place, step in enumerate(around)
            if step is not None
        ]

    def find(self, *contents: CellContent) -> list[Position]:
        """All cells that hold one of these, in the order of `cells`."""
        return [
            self._position(number) for number, found in enumerate(self._holding(contents)) if found
        ]

    def way_to(
        self,
        goals: CellContent | Iterable[CellContent] | Iterable[tuple[int, int]],
        start: tuple[int, int] | None = None,
        avoid: Iterable[tuple[int, int]] = (),
    ) -> Way | None:
        """A shortest way to the nearest of these positions or contents; None if there is none.

        It leads over the border where that is shorter, and never through `avoid`. Of equally near
        goals it prefers one straight ahead.
        """
        begin = self._number(start)
        direction = self.me.direction if start is None else None
        first = None if direction is None else DIRECTIONS.index(direction)
        found = self.grid.nearest(
            begin, self._goals(goals), [self._number(cell) for cell in avoid], first
        )
        if found is None:
            return None
        action = DIRECTIONS[self.grid.around[begin].index(found.cells[0])] if found.cells else None
        return Way(
            self._position(found.target),
            len(found.cells),
            action,
            [self._position(cell) for cell in found.cells],
        )

    def distances(
        self, start: tuple[int, int] | None = None, avoid: Iterable[tuple[int, int]] = ()
    ) -> list[int]:
        """The steps to every cell by its number (see `number`), UNREACHABLE where no way leads; by
        default from the bot's own cell."""
        return self.grid.distances([self._number(start)], [self._number(cell) for cell in avoid])

    def zookeeper_steps(self, most: int) -> dict[Position, int]:
        """The cells that the nearest zookeeper reaches in at most `most` steps, with those steps.
        Zookeepers do not cross the border."""
        starts = [self._number(zookeeper.position) for zookeeper in self.zookeepers]
        return {
            self._position(number): steps for number, steps in self.grid.reach(starts, most).items()
        }

    def near_zookeepers(self, radius: int) -> set[Position]:
        """The cells within `radius` of a zookeeper, as |dx| + |dy|, regardless of walls."""
        near = set()
        for zookeeper in self.zookeepers:
            for x in range(max(0, zookeeper.x - radius), min(self.width, zookeeper.x + radius + 1)):
                high = radius - abs(x - zookeeper.x)
                for y in range(
                    max(0, zookeeper.y - high), min(self.height, zookeeper.y + high + 1)
                ):
                    near.add(Position(x, y))
        return near

    def number(self, x: int, y: int) -> Number:
        """The index of a cell in `cells`, `contents` and `distances`."""
        return self.grid.number(x, y)

    def _standing(self, seat: int) -> dict[str, Any]:
        """The fields of an Animal."""
        seen = self.view["animals"][seat]
        held, active = seen["held_power_up"], seen["active_power_up"]
        return {
            **{field: seen[field] for field in _AS_SEEN},
            "id": self._id_of("animal", seat),
            "name": self._names[seat],
            "held_power_up": None if held is None else PowerUpType[held.upper()],
            "active_power_up": None
            if active is None
            else ActivePowerUp(
                PowerUpType[active["kind"].upper()], active["ticks_remaining"], active["value"]
            ),
        }

    def _number(self, position: tuple[int, int] | None) -> Number:
        x, y = self.me.position if position is None else position
        return self.grid.number(x, y)

    def _position(self, number: Number) -> Position:
        return Position(*divmod(number, self.grid.height))

    def _holding(self, contents: Iterable[CellContent]) -> bytes:
        wanted = bytearray(256)
        for content in contents:
            wanted[ord("0") + content] = 1
        return self.contents.translate(wanted)

    def _goals(
        self, goals: CellContent | Iterable[CellContent] | Iterable[tuple[int, int]]
    ) -> bytes | bytearray:
        """True for the cells that are one."""
        if isinstance(goals, CellContent):
            return self._holding([goals])
        marked = bytearray(self.grid.size)
        contents = []
        for goal in goals:
            if isinstance(goal, CellContent):
                contents.append(goal)
            else:
                marked[self._number(goal)] = 1
        return self._holding(contents) if contents else marked


_CONTENTS: Final = {ord(str(content.value)): content for content in CellContent}


_AS_SEEN: Final = (
    "seat",
    "x",
    "y",
    "spawn_x",
    "spawn_y",
    "score",
    "captured_count",
    "distance_covered",
    "is_viable",
)
