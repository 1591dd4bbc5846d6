"""What a moment of a match is (RULES §3): the plan, which never changes, and flat tuples.

A cell is the number x*height + y, so that numbers sort as the rules go through tiles: by x, then y.
Teams, seats and kitchens are numbers too: RED 0, BLUE 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from operator import is_not
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.cookoff.rules import (
    BLUE,
    BOX,
    BY_SYMBOL,
    COOKED,
    COOKER,
    COUNTER,
    FLOOR,
    FOODS,
    RAW,
    RED,
    SEATS,
    SINK,
    SINKTABLE,
    TEAMS,
    Rules,
    TileKind,
)
from games.core.contract import Json, Seat, Viewer
from games.core.shared import Shared, Texts


class Food(NamedTuple):
    name: str
    chopped: bool = False
    stage: int = RAW


class Plate(NamedTuple):
    dirty: bool = False
    foods: tuple[Food, ...] = ()
    """In the order in which they were added."""


class Pan(NamedTuple):
    food: Food | None = None


Item: TypeAlias = Food | Plate | Pan


class Tile(NamedTuple):
    """What changes about a tile."""

    item: Item | None = None
    """On a box: one of the `amount` equal ones."""
    amount: int = 0
    """COOKER: ticks of cooking, kept while no pan is on it. SINK: dirty plates. SINKTABLE: clean
    plates. BOX: items."""
    progress: int = 0
    """SINK: ticks of washing the plate in work."""
    using: bool = False
    """SINK: a bot has washed since the last tick."""


FIELDS: Final[dict[TileKind, tuple[tuple[str, str], ...]]] = {
    COUNTER: (),
    COOKER: (("cook_progress", "amount"),),
    SINK: (
        ("num_dirty_plates", "amount"),
        ("curr_dirty_plate_progress", "progress"),
        ("using", "using"),
    ),
    SINKTABLE: (("num_clean_plates", "amount"),),
    BOX: (("count", "amount"),),
}
"""The tiles that a view always tells of, and what it calls their fields (RULES §7)."""

BARE: Final = Tile()
WITH_PAN: Final = Tile(Pan())
"""A cooker as it is at the start."""

Kitchen: TypeAlias = tuple[Tile, ...]
"""One team's tiles by cell. A kitchen that nothing has changed is the same tuple as before."""


class Bot(NamedTuple):
    team: Seat
    kitchen: Seat
    """Whose kitchen it stands in."""
    cell: int
    holding: Item | None = None
    moved: bool = False
    """Its move of this turn is spent."""
    acted: bool = False
    """Its action of this turn is spent."""


class Order(NamedTuple):
    """What never changes about an order."""

    id: int
    required: tuple[str, ...]
    """Names of foods, repeats allowed."""
    created_turn: int
    expires_turn: int
    reward: int
    penalty: int

    @property
    def dish(self) -> tuple[Food, ...]:
        """The foods as they must lie on the plate, sorted."""
        return _dish(self.required)


@lru_cache
def _dish(required: tuple[str, ...]) -> tuple[Food, ...]:
    return tuple(sorted(map(wanted, required)))


def wanted(name: str) -> Food:
    """A food as every order wants it: chopped if it can be, cooked if it can be."""
    kind = FOODS[name]
    return Food(name, kind.can_chop, COOKED if kind.can_cook else RAW)


class Fate(NamedTuple):
    """What has become of an order."""

    completed_turn: int | None = None
    claimed_by: int | None = None
    """The bot that submitted the dish."""
    penalized: bool = False


OPEN: Final = Fate()

Reason = Literal["timeout", "disconnected", "bot_error", "init_failed"]
REASONS: Final[tuple[Reason, ...]] = ("timeout", "disconnected", "bot_error", "init_failed")
"""Why a team fails."""

OWN_REASONS: Final = REASONS[2:]
"""Those that a team gives itself."""

SILENCES: Final[dict[str, Reason]] = {"disconnect": "disconnected", "not_ready": "init_failed"}
"""What the referee's word for an absence is called here."""

STEPS: Final = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
"""How a bot may move, sorted."""

OUTSIDE: Final = -1
"""The cell of a step to where no bot can stand."""

NO_TEAM: Final = -1
"""No team's part of the turn is open: before turn 1, between two turns, and at the end."""


class Plan(Shared):
    """The floor plan that both kitchens share, the switch window and the rules; and tables made of
    them, hence the number of attributes. Shared, never copied.

    `rows` are the map's from the top, a spawn written as the floor that it is.
    """

    def __init__(
        self, rules: Rules, rows: tuple[str, ...], switch_turn: int, switch_duration: int
    ) -> None:
        self.rules = rules
        self.rows = rows
        self.switch_turn = switch_turn
        self.switch_duration = switch_duration
        self.width = len(rows[0])
        self.height = len(rows)
        self.kinds: Final[tuple[TileKind, ...]] = tuple(
            BY_SYMBOL[rows[self.height - 1 - y][x]]
            for x in range(self.width)
            for y in range(self.height)
        )
        """The kind of each cell."""
        self._xy: Final = tuple(divmod(cell, self.height) for cell in range(len(self.kinds)))
        self.walkable: Final = tuple(kind.walkable for kind in self.kinds)
        self.floors: Final = tuple(kind is FLOOR for kind in self.kinds)
        self.cookers: Final = self.cells_of(COOKER)
        self.sinks: Final = self.cells_of(SINK)
        self.pristine: Final[Kitchen] = tuple(
            WITH_PAN if kind is COOKER else BARE for kind in self.kinds
        )
        """A kitchen as it is at the start."""
        self.tile_records: Final[tuple[dict[str, Json], ...]] = tuple(
            {
                "x": cell // self.height,
                "y": cell % self.height,
                "tile_name": kind.name,
                "item": None,
                **{name: getattr(BARE, field) for name, field in FIELDS.get(kind, ())},
            }
            for cell, kind in enumerate(self.kinds)
        )
        """What a view tells of each cell while nothing is there."""
        self.fields: Final = tuple(FIELDS.get(kind, ()) for kind in self.kinds)
        """What a view tells besides, per cell."""
        self.stations: Final = tuple(cell for cell, kind in enumerate(self.kinds) if kind in FIELDS)
        """The cells that every view tells of; of others while something lies there."""
        self._beside: Final[dict[tuple[int, TileKind], int | None]] = {}
        self.texts: Final = (Texts(), Texts())
        """By kitchen, those of its tiles, by cell, and of its fates."""
        self.bot_texts: Final = Texts()
        self.first: Final = TEAMS.index(rules.first_team)
        """The team whose part of a turn comes first."""
        self._late: tuple[Book | None, dict[int, list[tuple[Seat, int]]]] = (None, {})
        self._looks: Final[list[Look | None]] = [None] * len(SEATS)
        self.order_records: Final[list[tuple[Any, list[dict[str, Json]]]]] = [(None, [])] * 2
        """By kitchen what the last view has of its orders, and what that was made of."""
        self.shown: Final[dict[Viewer, dict[str, Json]]] = {}
        """What every view repeats, per viewer: one that writes into it misleads only itself."""

    @property
    def switch_end(self) -> int:
        """The last turn of the switch window."""
        last = self.switch_turn + self.switch_duration
        return last if self.rules.switch_end_included else last - 1

    def cell(self, x: int, y: int) -> int:
        return x * self.height + y

    def xy(self, cell: int) -> tuple[int, int]:
        return self._xy[cell]

    def inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def cells_of(self, kind: TileKind) -> tuple[int, ...]:
        """The cells of one kind, by x, then y."""
        return tuple(cell for cell, here in enumerate(self.kinds) if here is kind)

    def around(self, x: int, y: int, reach: int) -> Iterator[int]:
        """The cells within reach of a point, the nearer ring first; in a ring by dx, then dy."""
        for ring in range(reach + 1):
            for dx in range(-ring, ring + 1):
                edge = range(-ring, ring + 1) if abs(dx) == ring else (-ring, ring)
                for dy in edge:
                    if self.inside(x + dx, y + dy):
                        yield self.cell(x + dx, y + dy)

    @cached_property
    def steps(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """By step, then cell: the cell that it leads to; OUTSIDE: no bot can stand there."""
        return {
            (dx, dy): tuple(
                self.cell(x + dx, y + dy)
                if self.inside(x + dx, y + dy) and self.walkable[self.cell(x + dx, y + dy)]
                else OUTSIDE
                for x, y in self._xy
            )
            for dx, dy in STEPS
        }

    def landing(self, cell: int, taken: Iterable[int]) -> int:
        """Where a bot lands that comes from these coordinates: the nearest free floor, else the
        nearest free walkable cell. Setup sees to it that there is one (RULES §4.3)."""
        taken = frozenset(taken)
        for landable in (self.floors, self.walkable):
            for near in self.around(*self.xy(cell), max(self.width, self.height) - 1):
                if landable[near] and near not in taken:
                    return near
        raise ValueError("no cell is left to land on")

    def beside(self, cell: int, kind: TileKind) -> int | None:
        """Where a plate goes from a cell: right, left, above, below, else the first of its kind on
        the map; None: nowhere."""
        key = (cell, kind)
        if key not in self._beside:
            x, y = self.xy(cell)
            sides = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            near = [self.cell(*side) for side in sides if self.inside(*side)]
            self._beside[key] = next(
                (c for c in (*near, *self.cells_of(kind)) if self.kinds[c] is kind), None
            )
        return self._beside[key]

    def late(self, orders: Book) -> dict[int, list[tuple[Seat, int]]]:
        """By turn the orders whose time is over as it begins, by kitchen and place; made once."""
        made_of, late = self._late
        if made_of is not orders:
            late = {}
            for seat in SEATS:
                for place, order in enumerate(orders[seat]):
                    late.setdefault(order.expires_turn + 1, []).append((seat, place))
            self._late = (orders, late)
        return late

    def look(self, seat: Seat, kitchen: Kitchen) -> Look:
        """What hashes and views need of this kitchen, made once until it changes."""
        look = self._looks[seat]
        if look is None or look.kitchen is not kitchen:
            self._looks[seat] = look = Look(self, kitchen, self.texts[seat])
        return look

    @property
    def parts(self) -> tuple[Any, ...]:
        return self.rules, self.rows, self.switch_turn, self.switch_duration


class Look:
    """A kitchen as hashes and views show it."""

    def __init__(self, plan: Plan, kitchen: Kitchen, texts: Texts) -> None:
        self.kitchen: Final = kitchen
        self._plan, self._texts = plan, texts
        touched = map(is_not, kitchen, plan.pristine)
        self._touched: Final = [*compress(range(len(kitchen)), touched)]

    @cached_property
    def text(self) -> str:
        """The tiles that are not as at the start: the text of a list of pairs, cell and tile."""
        kitchen, pristine, text = self.kitchen, self._plan.pristine, self._texts.of
        pairs = [
            f"({cell}, {text(cell, kitchen[cell])})"
            for cell in self._touched
            if kitchen[cell] != pristine[cell]
        ]
        return f"[{', '.join(pairs)}]"

    @cached_property
    def records(self) -> tuple[list[dict[str, Json]], list[tuple[int, Item]]]:
        """The stations, and what else holds something, by x, then y, as a view tells of them
        without their items; and the places in this list of those that hold one, with the item."""
        plan, kitchen = self._plan, self.kitchen
        records, items = [], []
        holding = {cell for cell in self._touched if kitchen[cell].item is not None}
        lying = holding.difference(plan.stations)
        for place, cell in enumerate(sorted((*plan.stations, *lying)) if lying else plan.stations):
            tile, record = kitchen[cell], plan.tile_records[cell]
            if tile is not BARE:
                record = record | {name: getattr(tile, field) for name, field in plan.fields[cell]}
                if tile.item is not None:
                    items.append((place, tile.item))
            records.append(record)
        return records, items


Book: TypeAlias = tuple[tuple[Order, ...], tuple[Order, ...]]
"""Each kitchen's orders, in the order in which they are matched."""


class State(NamedTuple):
    """A match between two verbs. Its repr leaves out what never changes, plan and orders, and tiles
    on which nothing was done."""

    plan: Plan
    orders: Book
    money: tuple[int, int]
    bots: tuple[Bot, ...]
    """By id: RED's first."""
    kitchens: tuple[Kitchen, Kitchen]
    fates: tuple[tuple[Fate, ...], tuple[Fate, ...]]
    """What has become of each kitchen's orders."""
    turn: int = 0
    """The game's turn, from 1; 0: none was played yet."""
    acting: Seat = NO_TEAM
    """Whose part of the turn is open."""
    parts: int = 0
    """How many parts were closed: two a turn."""
    counted: int = 0
    """Commands of the open part so far."""
    switched: tuple[bool, bool] = (False, False)
    """The team is away."""
    switch_used: tuple[bool, bool] = (False, False)
    """The team has had its one switch."""
    failed: tuple[Reason | None, Reason | None] = (None, None)
    """Why the team is out, from the turn in which it failed."""
    skips: tuple[int, int] = (0, 0)
    """Turns in a row that the team has skipped."""

    def __repr__(self) -> str:
        plan, (red, blue), (red_fates, blue_fates) = self.plan, self.kitchens, self.fates
        bots = ", ".join([plan.bot_texts.of(number, bot) for number, bot in enumerate(self.bots)])
        red_texts, blue_texts = plan.texts
        kitchens = f"({plan.look(RED, red).text}, {plan.look(BLUE, blue).text})"
        fates = f"({red_texts.of('fates', red_fates)}, {blue_texts.of('fates', blue_fates)})"
        return f"State({self.money!r}, ({bots}), {kitchens}, {fates}, {repr(self[6:])[1:]}"


def active_orders(orders: Sequence[Order], fates: Sequence[Fate], turn: int) -> list[int]:
    """The places of a kitchen's orders that can be filled in this turn; both ends of an order's
    time belong to it."""
    return [
        place
        for place, order in enumerate(orders)
        if order.created_turn <= turn <= order.expires_turn and fates[place].completed_turn is None
    ]


def other(seat: Seat) -> Seat:
    return 1 - seat
