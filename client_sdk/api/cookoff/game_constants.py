"""The contest's enums, and the numbers of the match that is played (RULES §2, §10)."""

from __future__ import annotations

from enum import Enum, EnumType
from typing import Any, Final

from games.cookoff import rules

TileFields = tuple[str, int, bool, bool, bool, bool]


def _tile(kind: rules.TileKind) -> TileFields:
    return kind.name, kind.id, kind.walkable, False, kind.placeable, kind.interactable


class TeamName(str):
    """The name of a team. It is equal to the member of Team, also as a key of dicts and sets, and
    counts as an instance of it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other.name if isinstance(other, Enum) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    @property
    def name(self) -> str:
        """The name as a plain text."""
        return str(self)

    @property
    def value(self) -> int:
        """The number of the team."""
        return Team[self].value


class _TeamType(EnumType):
    def __instancecheck__(cls, instance: object) -> bool:
        return super().__instancecheck__(instance) or isinstance(instance, TeamName)


class Team(Enum, metaclass=_TeamType):
    """A team."""

    RED = rules.RED
    """Seat 0."""
    BLUE = rules.BLUE
    """Seat 1."""


class TileType(Enum):
    """The types of tiles, with what can be done at them. No tile is dangerous."""

    FLOOR = _tile(rules.FLOOR)
    """A floor, on which bots walk."""
    WALL = _tile(rules.WALL)
    """A wall."""
    COUNTER = _tile(rules.COUNTER)
    """A counter, on which food is chopped."""
    BOX = _tile(rules.BOX)
    """A box with a stack of equal items."""
    SINK = _tile(rules.SINK)
    """A sink, in which plates are washed."""
    SINKTABLE = _tile(rules.SINKTABLE)
    """A table with clean plates."""
    COOKER = _tile(rules.COOKER)
    """A cooker with a pan."""
    TRASH = _tile(rules.TRASH)
    """A trash can."""
    SUBMIT = _tile(rules.SUBMIT)
    """A window for finished dishes."""
    SHOP = _tile(rules.SHOP)
    """A shop."""

    def __init__(
        self,
        tile_name: str,
        tile_id: int,
        is_walkable: bool,
        is_dangerous: bool,
        is_placeable: bool,
        is_interactable: bool,
    ) -> None:
        self.tile_name = tile_name
        """Its name."""
        self.tile_id = tile_id
        """Its number."""
        self.is_walkable = is_walkable
        """Whether bots can walk on it."""
        self.is_dangerous = is_dangerous
        """Always false."""
        self.is_placeable = is_placeable
        """Whether things can be put on it."""
        self.is_interactable = is_interactable
        """Whether it has a use of its own."""


class FoodType(Enum):
    """The foods. `FoodType[name]` finds one."""

    EGG = ("EGG", *rules.FOODS["EGG"])
    """Eggs."""
    ONIONS = ("ONIONS", *rules.FOODS["ONIONS"])
    """Onions."""
    MEAT = ("MEAT", *rules.FOODS["MEAT"])
    """Meat."""
    NOODLES = ("NOODLES", *rules.FOODS["NOODLES"])
    """Noodles."""
    SAUCE = ("SAUCE", *rules.FOODS["SAUCE"])
    """Sauce."""

    def __init__(
        self, food_name: str, food_id: int, can_chop: bool, can_cook: bool, buy_cost: int
    ) -> None:
        self.food_name = food_name
        """Its name."""
        self.food_id = food_id
        """Its number."""
        self.can_chop = can_chop
        """Whether it can be chopped."""
        self.can_cook = can_cook
        """Whether it can be cooked."""
        self.buy_cost = buy_cost
        """Its price."""


class ShopCosts(Enum):
    """What the shop sells beside foods."""

    PLATE = ("PLATE", rules.EQUIPMENT["PLATE"])
    """A plate."""
    PAN = ("PAN", rules.EQUIPMENT["PAN"])
    """A pan."""

    def __init__(self, item_name: str, buy_cost: int) -> None:
        self.item_name = item_name
        """Its name."""
        self.buy_cost = buy_cost
        """Its price."""


class _ReadOnly(type):
    def __setattr__(cls, name: str, value: object) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be written: the match sets it")

    def __delattr__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be deleted")


_DEFAULTS: Final = rules.Rules()


class GameConstants(metaclass=_ReadOnly):
    """The numbers of the match; until one has begun, the defaults."""

    TOTAL_TURNS = _DEFAULTS.total_turns
    """The turns of the match."""
    STARTING_MONEY = _DEFAULTS.starting_money
    """The money of a team at the start."""
    MONEY_PER_TURN = _DEFAULTS.money_per_turn
    """The money that a team gets per turn."""
    COOK_PROGRESS = _DEFAULTS.cook_progress
    """The ticks until raw food is cooked."""
    BURN_PROGRESS = _DEFAULTS.burn_progress
    """The ticks until food is burnt."""
    PLATE_WASH_PROGRESS = _DEFAULTS.plate_wash_progress
    """The ticks of washing until a plate is clean."""
    MIDGAME_SWITCH_TURN = rules.SWITCH_TURN
    """The turn in which the window for the switch opens."""
    MIDGAME_SWITCH_DURATION = rules.SWITCH_DURATION
    """The turns for which the window is open."""


def set_constants(match: rules.Rules, switch_turn: int, switch_duration: int) -> None:
    """Make GameConstants tell of this match."""
    numbers: dict[str, Any] = {
        "TOTAL_TURNS": match.total_turns,
        "STARTING_MONEY": match.starting_money,
        "MONEY_PER_TURN": match.money_per_turn,
        "COOK_PROGRESS": match.cook_progress,
        "BURN_PROGRESS": match.burn_progress,
        "PLATE_WASH_PROGRESS": match.plate_wash_progress,
        "MIDGAME_SWITCH_TURN": switch_turn,
        "MIDGAME_SWITCH_DURATION": switch_duration,
    }
    for name, number in numbers.items():
        type.__setattr__(GameConstants, name, number)
