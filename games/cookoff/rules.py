"""Every number of Carnegie Cookoff: foods, tiles, prices, parameters, rule sets, and what they mean
for the clocks (RULES §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from games.core.contract import Json, Pacing
from games.core.parameters import choice, flag, milliseconds, rule_set, whole

RED, BLUE = range(2)
TEAMS: Final = ("RED", "BLUE")
"""The teams by seat; a team's kitchen has its number."""
SEATS: Final = (RED, BLUE)


class FoodKind(NamedTuple):
    """What never changes about a food."""

    id: int
    can_chop: bool
    can_cook: bool
    cost: int


FOODS: Final[dict[str, FoodKind]] = {
    "EGG": FoodKind(0, False, True, 20),
    "ONIONS": FoodKind(1, True, False, 30),
    "MEAT": FoodKind(2, True, True, 80),
    "NOODLES": FoodKind(3, False, False, 40),
    "SAUCE": FoodKind(4, False, False, 10),
}

EQUIPMENT: Final = {"PLATE": 2, "PAN": 4}
"""What the shop sells besides, with its price."""

PRICES: Final[dict[str, int]] = {name: food.cost for name, food in FOODS.items()} | EQUIPMENT

RAW, COOKED, BURNT = range(3)
"""The stages of a food."""


class TileKind(NamedTuple):
    """A kind of tile and what may be done with it. `interactable` is shown to bots and has no
    effect of its own."""

    symbol: str
    name: str
    id: int
    walkable: bool
    placeable: bool
    interactable: bool


FLOOR: Final = TileKind(".", "FLOOR", 0, True, False, False)
WALL: Final = TileKind("#", "WALL", 1, False, False, False)
COUNTER: Final = TileKind("C", "COUNTER", 2, False, True, False)
BOX: Final = TileKind("B", "BOX", 3, False, True, True)
SINK: Final = TileKind("S", "SINK", 4, False, True, True)
SINKTABLE: Final = TileKind("T", "SINKTABLE", 5, False, False, True)
COOKER: Final = TileKind("K", "COOKER", 6, False, True, True)
TRASH: Final = TileKind("R", "TRASH", 9, False, True, False)
SUBMIT: Final = TileKind("U", "SUBMIT", 10, True, True, True)
SHOP: Final = TileKind("$", "SHOP", 11, False, False, True)

KINDS: Final = (FLOOR, WALL, COUNTER, BOX, SINK, SINKTABLE, COOKER, TRASH, SUBMIT, SHOP)
BY_SYMBOL: Final[dict[str, TileKind]] = {kind.symbol: kind for kind in KINDS}
SPAWN: Final = "b"
"""A map's symbol for a floor on which a bot starts."""

SWITCH_TURN, SWITCH_DURATION = 250, 100
"""The window of the one switch, where a map says nothing."""

MOST_BOTS: Final = 8
"""As many bots a team can be asked for; a map may mark more."""

SMALLEST, LARGEST = 6, 48
"""Limits of width and height of a map that a lobby takes, cells; the engine plays any size."""

POOL: Final = ("canteen", "galley", "island", "pantry", "rush_hour", "tandem", "terrace")
"""The bundled maps that a match without a map draws from. A longer list, or another map under one
of these names, is another `rules_version`: records of matches without a map hold the seed only."""

_CONTEST: Final[dict[str, Json]] = {
    "move_order": "any",
    "placement": "anywhere",
    "orders_visible": "all",
    "require_chop_before_cook": False,
}

RULE_SETS: Final[dict[str, dict[str, Json]]] = {
    "seed": {},
    "contest": _CONTEST,
    "awap2026": _CONTEST,
    "document": {"submitted_plate": "hand", "switch_end_included": True, "bots_per_team": 2},
}

CONFIG_ERRORS: Final = ("unknown_option", "bad_choice", "bad_number", "bad_flag", "bad_time")
"""Configuration error codes in the order in which they are checked."""

_ANY: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The configuration of one match; times in ms, 0 = no limit unless stated otherwise."""

    rules: Literal["seed", "contest", "awap2026", "document"] = rule_set(
        "seed",
        RULE_SETS,
        "contest, also called awap2026: what bots of the contest are used to; document: the plate "
        "of an order stays in the hand, two bots per team",
    )
    total_turns: int = whole(500, "the last turn", low=1, high=100_000)
    starting_money: int = whole(150, "what each team has before turn 1", low=0, high=_ANY)
    money_per_turn: int = whole(1, "what each team gets every turn", low=0, high=_ANY)
    bots_per_team: int | None = whole(
        None, "bots of each team; null: as many as the map marks", low=1, high=MOST_BOTS
    )
    cook_progress: int = whole(20, "ticks until a raw food is cooked", low=1, high=_ANY)
    burn_progress: int = whole(40, "ticks until a food is burnt", low=1, high=_ANY)
    plate_wash_progress: int = whole(2, "ticks of washing per plate", low=1, high=_ANY)
    switch_turn: int | None = whole(
        None, "first turn of the switch window; null: the map's", low=0, high=_ANY
    )
    switch_duration: int | None = whole(
        None, "turns that the switch window lasts; null: the map's", low=0, high=_ANY
    )
    switch_end_included: bool = flag(
        False, "the switch window lasts one turn longer: through switch_turn + switch_duration"
    )
    submitted_plate: Literal["sink", "hand"] = choice(
        "sink",
        "where the dirty plate of a submitted order goes: to a sink, or it stays in the hand",
        ("sink", "hand"),
    )
    order_default_reward: int = whole(
        5, "what an order pays that names no reward", low=0, high=_ANY
    )
    order_default_penalty: int = whole(
        2, "what an order costs that names no penalty", low=0, high=_ANY
    )
    move_order: Literal["move_first", "any"] = choice(
        "move_first",
        "move_first: a bot that has acted moves no more this turn; any: either order",
        ("move_first", "any"),
    )
    placement: Literal["placeable_only", "anywhere"] = choice(
        "placeable_only",
        "where things may be put: on the placeable tiles, or on any",
        ("placeable_only", "anywhere"),
    )
    orders_visible: Literal["active", "all"] = choice(
        "active",
        "which orders are shown: the active ones, or past and future ones too",
        ("active", "all"),
    )
    require_chop_before_cook: bool = flag(
        True, "a cooker refuses a food that can be chopped and is not"
    )
    first_team: Literal["BLUE", "RED"] = choice(
        "BLUE", "who plays first in each turn", ("BLUE", "RED")
    )
    turn_time_ms: int = milliseconds(500, "thinking time per team and turn")
    init_time_ms: int = milliseconds(5_000, "time to prepare before turn 1; 0: none")
    failure_policy: Literal["forfeit", "skip"] = choice(
        "forfeit",
        "a timeout, crash or absence: loses the match, or skips the turn",
        ("forfeit", "skip"),
    )
    max_skips: int = whole(
        10,
        "with skip: this many skipped turns in a row lose the match all the same",
        low=1,
        high=_ANY,
    )
    max_commands_per_turn: int = whole(
        200, "commands beyond these of one team and turn are not executed", low=1, high=10_000
    )


def seats(rules: Rules) -> int:
    return len(SEATS)


def pacing(rules: Rules) -> Pacing:
    """An alternating turn lock; a seat that is away misses its turns at once, and what that means
    is the game's (RULES §9)."""
    return Pacing(
        preprocessing_ms=rules.init_time_ms,
        turn_ms=rules.turn_time_ms,
        grace_ms=0,
        late_ready="forfeits" if rules.failure_policy == "forfeit" else "plays",
        absence="misses",
    )
