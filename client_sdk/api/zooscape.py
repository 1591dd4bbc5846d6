"""Zooscape as its competitors know it: a state every tick, an action or none in answer (RULES §10).

    class Mine(Bot):
        def on_state(self, state):
            way = state.way_to(CellContent.PELLET)
            return way.action if way else None

An animal goes on by itself in its last direction, so None is a fine answer. One command is played per tick and others wait: a bot
that sends more than one per state runs ever further behind. Cells are (x, y); (0, 0) is at the top left and y grows downwards.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
import weakref
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NotRequired, TypeAlias, TypedDict

import client_sdk.bot
from client_sdk.api.zooscape_paths import STEPS, UNREACHABLE, Grid, Number
from client_sdk.bot import Start
from client_sdk.options import Check, Combo, Spin, Str

__all__ = [
    "UNREACHABLE",
    "Action",
    "ActivePowerUp",
    "Animal",
    "Bot",
    "BotAction",
    "BotCommand",
    "Cell",
    "CellContent",
    "Check",
    "Combo",
    "GameState",
    "Me",
    "Position",
    "PowerUpType",
    "Spin",
    "Start",
    "Str",
    "View",
    "Way",
    "Zookeeper",
]

Json: TypeAlias = Any

log = logging.getLogger("botarena")

SKIP: Final = {"action": "SKIP"}
"""What answers a state where a match has no clock and would wait for a bot that has nothing to say."""


class Action(IntEnum):
    """What an animal can be told."""

    UP = 1
    DOWN = 2
    LEFT = 3
    RIGHT = 4
    USE_ITEM = 5
    """Use the power-up that is held. The animal also moves on in its direction."""


BotAction = Action

_DIRECTIONS: Final = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
"""By their places in STEPS."""


class CellContent(IntEnum):
    """What a cell holds; as text the digit on the map."""

    EMPTY = 0
    WALL = 1
    PELLET = 2
    ZOOKEEPER_SPAWN = 3
    ANIMAL_SPAWN = 4
    """A cage: nobody walks in; only the animal that starts or was put there leaves it."""
    POWER_PELLET = 5
    CHAMELEON_CLOAK = 6
    SCAVENGER = 7
    BIG_MOOSE_JUICE = 8


class PowerUpType(IntEnum):
    POWER_PELLET = 0
    """Never held: it is eaten at once."""
    CHAMELEON_CLOAK = 1
    SCAVENGER = 2
    BIG_MOOSE_JUICE = 3


class Position(NamedTuple):
    """A place on the board; equal to the plain pair (x, y)."""

    x: int
    y: int


class Cell(NamedTuple):
    """A place on the board and what it holds."""

    x: int
    y: int
    content: CellContent


class Way(NamedTuple):
    """A shortest way."""

    target: Position
    distance: int
    """Steps, one per tick; 0 on the target itself."""
    action: Action | None
    """The first step; None on the target itself."""
    cells: list[Position]
    """The cells of the way, without the start."""


class ActiveView(TypedDict):
    """A power-up in effect, as a view tells of it."""

    kind: str
    ticks_remaining: int
    value: float


class AnimalView(TypedDict):
    """One animal, as a view tells of it."""

    seat: int
    x: int
    y: int
    spawn_x: int
    spawn_y: int
    score: int
    captured_count: int
    distance_covered: int
    is_viable: bool
    held_power_up: str | None
    active_power_up: ActiveView | None


class ZookeeperView(TypedDict):
    """One zookeeper, as a view tells of it."""

    id: int
    name: str
    x: int
    y: int
    spawn_x: int
    spawn_y: int


class OwnView(TypedDict):
    """What only this seat sees."""

    seat: int
    direction: str
    streak_multiplier: float
    ticks_on_spawn: int
    power_ups_used: int
    queue_length: int
    events: list[str]


class View(TypedDict):
    """A seat's view (RULES §7)."""

    tick: int
    max_ticks: int
    game_over: bool
    width: NotRequired[int]
    height: NotRequired[int]
    map: list[str]
    animals: list[AnimalView]
    zookeepers: list[ZookeeperView]
    you: OwnView


class _Known:
    """Answers to the names of the contest's own messages too, for bots that were written for those."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name in _KNOWN:
                return getattr(self, _KNOWN[name])
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


_KNOWN: Final = {
    "activePowerUp": "active_power_up",
    "capturedCounter": "captured_count",
    "captured_counter": "captured_count",
    "distanceCovered": "distance_covered",
    "heldPowerUp": "held_power_up",
    "isViable": "is_viable",
    "nickname": "name",
    "spawnX": "spawn_x",
    "spawnY": "spawn_y",
    "ticksRemaining": "ticks_remaining",
    "timeStamp": "time_stamp",
}


@dataclass(frozen=True, slots=True)
class ActivePowerUp(_Known):
    type: PowerUpType
    ticks_remaining: int
    value: float
    """The factor of big moose juice, the radius of a scavenger, 0 for a cloak."""


@dataclass(frozen=True, slots=True)
class Animal(_Known):
    """One animal. Its id is its seat."""

    seat: int
    name: str
    x: int
    y: int
    spawn_x: int
    spawn_y: int
    score: int
    captured_count: int
    distance_covered: int
    is_viable: bool
    """A zookeeper may choose it as its target: it has left its cage and wears no cloak."""
    held_power_up: PowerUpType | None
    active_power_up: ActivePowerUp | None

    @property
    def id(self) -> int:
        return self.seat

    @property
    def position(self) -> Position:
        return Position(self.x, self.y)

    @property
    def in_cage(self) -> bool:
        return (self.x, self.y) == (self.spawn_x, self.spawn_y)


@dataclass(frozen=True, slots=True)
class Me(Animal):
    """One's own animal, with what no other seat knows."""

    direction: Action | None
    """Where it goes on to by itself; None: it stands still."""
    streak_multiplier: float
    ticks_on_spawn: int
    power_ups_used: int
    queue_length: int
    """Commands that wait. One is played per tick, so more than one makes the bot late."""
    events: tuple[str, ...]
    """What came of the last tick: `no_item` for USE_ITEM with nothing held."""


@dataclass(frozen=True, slots=True)
class Zookeeper(_Known):
    id: int
    name: str
    x: int
    y: int
    spawn_x: int
    spawn_y: int

    @property
    def position(self) -> Position:
        return Position(self.x, self.y)


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What `process_state` of a `BotService` returns; an action alone does as well."""

    action: Action


class GameState(_Known):
    """The world after a tick. Whatever takes a position takes any pair (x, y)."""

    def __init__(self, view: View, grid: Grid, names: tuple[str, ...], skipped: int = 0) -> None:
        self.view = view
        self.grid = grid
        """The walls, and searches on cell numbers: faster, in its own terms (`client_sdk.api.zooscape_paths`)."""
        self.skipped = skipped
        """Ticks between the last state that the bot saw and this one: it was slower than the world."""
        self._names = names

    @property
    def tick(self) -> int:
        """Ticks played."""
        return self.view["tick"]

    @property
    def max_ticks(self) -> int:
        return self.view["max_ticks"]

    @property
    def game_over(self) -> bool:
        return self.view["game_over"]

    @property
    def map(self) -> list[str]:
        """The board row by row, `map[y][x]`, a digit of CellContent per cell."""
        return self.view["map"]

    @property
    def width(self) -> int:
        return self.grid.width

    @property
    def height(self) -> int:
        return self.grid.height

    @cached_property
    def contents(self) -> bytes:
        """The digits of all cells by their numbers, x*height + y."""
        return "".join(map("".join, zip(*self.map, strict=True))).encode()

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, first those of x = 0 from the top. Made when first asked for; `map` and `content` are cheaper."""
        height = self.height
        return [Cell(*divmod(number, height), _CONTENTS[digit]) for number, digit in enumerate(self.contents)]

    def cell(self, x: int, y: int) -> Cell:
        """Raises ValueError for what is no cell of the board, as everything does that takes a position."""
        return Cell(x, y, self.content(x, y))

    def content(self, x: int, y: int) -> CellContent:
        return _CONTENTS[self.contents[self.grid.number(x, y)]]

    @cached_property
    def animals(self) -> tuple[Animal, ...]:
        """By seat."""
        return tuple(self.me if seat == self.view["you"]["seat"] else self._animal(seat) for seat in range(len(self._names)))

    @cached_property
    def me(self) -> Me:
        own = self.view["you"]
        return Me(
            **_standing(self.view["animals"][own["seat"]], self._names),
            direction=None if own["direction"] == "idle" else Action[own["direction"].upper()],
            streak_multiplier=own["streak_multiplier"],
            ticks_on_spawn=own["ticks_on_spawn"],
            power_ups_used=own["power_ups_used"],
            queue_length=own["queue_length"],
            events=tuple(own["events"]),
        )

    @cached_property
    def zookeepers(self) -> tuple[Zookeeper, ...]:
        """By id: the order of their appearance."""
        seen = self.view["zookeepers"]
        return tuple(Zookeeper(one["id"], one["name"], one["x"], one["y"], one["spawn_x"], one["spawn_y"]) for one in seen)

    @cached_property
    def time_stamp(self) -> float:
        """Seconds since 1970 by this machine's clock, when first asked for."""
        return time.time()

    def is_open(self, x: int, y: int) -> bool:
        """Whether animals walk there: no wall and no cage."""
        return self.content(x, y) not in (CellContent.WALL, CellContent.ANIMAL_SPAWN)

    def neighbours(self, position: tuple[int, int] | None = None) -> list[tuple[Action, Position]]:
        """Where one step leads, over the border too; without a position: from one's own."""
        around = self.grid.around[self._number(position)]
        return [(_DIRECTIONS[place], self._position(step)) for place, step in enumerate(around) if step is not None]

    def find(self, *contents: CellContent) -> list[Position]:
        """All cells that hold one of these, in the order of `cells`."""
        return [self._position(number) for number, found in enumerate(self._holding(contents)) if found]

    def way_to(
        self,
        goals: CellContent | Iterable[CellContent] | Iterable[tuple[int, int]],
        start: tuple[int, int] | None = None,
        avoid: Iterable[tuple[int, int]] = (),
    ) -> Way | None:
        """The shortest way to the nearest of these positions or contents; None if there is none.

        It leads over the border where that is shorter, and never through `avoid`. Of equally near goals it is one straight on.
        """
        begin = self._number(start)
        direction = self.me.direction if start is None else None
        first = None if direction is None else _DIRECTIONS.index(direction)
        found = self.grid.nearest(begin, self._goals(goals), [self._number(cell) for cell in avoid], first)
        if found is None:
            return None
        action = _DIRECTIONS[self.grid.around[begin].index(found.cells[0])] if found.cells else None
        return Way(self._position(found.target), len(found.cells), action, [self._position(cell) for cell in found.cells])

    def distances(self, start: tuple[int, int] | None = None, avoid: Iterable[tuple[int, int]] = ()) -> list[int]:
        """Steps to every cell by its number (`number`), UNREACHABLE where no way leads; without a start: from one's own."""
        return self.grid.distances([self._number(start)], [self._number(cell) for cell in avoid])

    def zookeeper_steps(self, most: int) -> dict[Position, int]:
        """The cells that the nearest zookeeper reaches in at most so many steps. The border stops it."""
        starts = [self._number(zookeeper.position) for zookeeper in self.zookeepers]
        return {self._position(number): steps for number, steps in self.grid.reach(starts, most).items()}

    def near_zookeepers(self, radius: int) -> set[Position]:
        """The cells at most so far from a zookeeper, |dx| + |dy|, walls or not."""
        near = set()
        for zookeeper in self.zookeepers:
            for x in range(max(0, zookeeper.x - radius), min(self.width, zookeeper.x + radius + 1)):
                high = radius - abs(x - zookeeper.x)
                for y in range(max(0, zookeeper.y - high), min(self.height, zookeeper.y + high + 1)):
                    near.add(Position(x, y))
        return near

    def number(self, x: int, y: int) -> Number:
        """A cell's place in `cells`, `contents` and `distances`."""
        return self.grid.number(x, y)

    def _animal(self, seat: int) -> Animal:
        return Animal(**_standing(self.view["animals"][seat], self._names))

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

    def _goals(self, goals: CellContent | Iterable[CellContent] | Iterable[tuple[int, int]]) -> bytes | bytearray:
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


def _standing(seen: AnimalView, names: tuple[str, ...]) -> dict[str, Any]:
    """The fields of an Animal."""
    held, active = seen["held_power_up"], seen["active_power_up"]
    return {
        **{field: seen[field] for field in _AS_SEEN},
        "name": names[seen["seat"]],
        "held_power_up": None if held is None else PowerUpType[held.upper()],
        "active_power_up": None
        if active is None
        else ActivePowerUp(PowerUpType[active["kind"].upper()], active["ticks_remaining"], active["value"]),
    }


class Bot(client_sdk.bot.Bot):
    """Is shown every state and answers with an action or with None. What it keeps in itself stays for the whole match.

    A bot that takes longer than a tick is shown the newest state next, never an old one.
    """

    game = "zooscape"

    _grid: Grid | None = None
    _outbox: _Outbox | None = None
    _names: tuple[str, ...] = ()
    _lockstep = False
    _tick: int | None = None
    _runner: asyncio.Runner | None = None

    def on_state(self, state: GameState) -> Action | Awaitable[Action | None] | None:
        """The command of this tick; None: the animal goes on as it does. `async def` works as well.

        An exception or anything that is no action counts as None.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what it does: define on_state")

    def prepare(self, state: GameState) -> None:
        """Once, before the first tick, with the state as the match begins (or as it stands when the bot comes back)."""

    def send(self, *actions: Action) -> None:
        """Send commands beside the answer, at any moment and from any thread. They wait in the animal's queue, one per tick.

        Without a server they are played with the next answer. Raises ValueError for what is no action.
        """
        if self._outbox is None:
            raise RuntimeError("on_start comes before the first command")
        commands = [_command(action) for action in actions]
        if self.link.now(commands):
            self._outbox.sent = True
        else:
            self._outbox.add(commands)

    def on_start(self, start: Start) -> None:
        self._outbox = _Outbox()
        self._grid = Grid(start.view["map"])
        self._names = start.names
        self._lockstep = start.clock.lockstep
        self._tick = None
        try:
            self.prepare(GameState(start.view, self._grid, self._names))
        except Exception:
            log.exception("the bot failed in prepare")

    def decide(self, view: Json) -> Iterable[Json]:
        if self._grid is None or self._outbox is None:
            raise RuntimeError("on_start comes before the first state")
        skipped = 0 if self._tick is None else max(0, view["tick"] - self._tick - 1)
        self._tick = view["tick"]
        self._outbox.sent = False
        answer = self._answer(GameState(view, self._grid, self._names, skipped))
        commands = self._outbox.taken()
        if answer is not None:
            commands.append(_command(answer))
        if not commands and self._lockstep and not self._outbox.sent:
            commands.append(SKIP)
        return commands

    def meant(self, answer: object) -> Action | None:
        """The action that an answer of `on_state` stands for. Raises ValueError if it stands for none."""
        return None if answer is None else _action(answer)

    def _answer(self, state: GameState) -> Action | None:
        try:
            answer: object = self.on_state(state)
            if inspect.isawaitable(answer):
                answer = self._awaited(answer)
        except Exception:
            log.exception("tick %s: the bot failed in on_state and says nothing", state.tick)
            return None
        try:
            return self.meant(answer)
        except ValueError as fault:
            log.warning("tick %s: %s; the bot says nothing", state.tick, fault)
            return None

    def _awaited(self, answer: Awaitable[object]) -> object:
        """What it comes to. The bot's loop runs while a state waits for its answer, and stays for the whole match."""
        if self._runner is None:
            self._runner = asyncio.Runner()
            weakref.finalize(self, self._runner.close)

        async def whole() -> object:
            return await answer

        return self._runner.run(whole())


class _Outbox:
    """Commands that wait for the next answer, because no server takes them at once. Any thread may add some."""

    def __init__(self) -> None:
        self.sent = False
        """Something went out since the present state came."""
        self._waiting: list[Json] = []
        self._lock = threading.Lock()

    def add(self, commands: Iterable[Json]) -> None:
        with self._lock:
            self._waiting += commands

    def taken(self) -> list[Json]:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting


def _action(answer: object) -> Action:
    if isinstance(answer, int) and not isinstance(answer, bool) and answer in _NUMBERS:
        return Action(answer)
    raise ValueError(f"expected an Action or None, got {answer!r}")


def _command(action: object) -> Json:
    return {"action": _action(action).name}


_NUMBERS: Final = frozenset(Action)

assert len(_DIRECTIONS) == len(STEPS)
