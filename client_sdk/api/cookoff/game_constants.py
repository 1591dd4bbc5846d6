"""The contest's enums, and the numbers of the match that is played (RULES §2, §10)."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from games.cookoff import rules

TileFields = tuple[str, int, bool, bool, bool, bool]


def _tile(kind: rules.TileKind) -> TileFields:
    return kind.name, kind.id, kind.walkable, False, kind.placeable, kind.interactable


class Team(Enum):
    RED = rules.RED
    BLUE = rules.BLUE


class TileType(Enum):
    """Kinds of tiles and what may be done with them. No tile is dangerous."""

    FLOOR = _tile(rules.FLOOR)
    WALL = _tile(rules.WALL)
    COUNTER = _tile(rules.COUNTER)
    BOX = _tile(rules.BOX)
    SINK = _tile(rules.SINK)
    SINKTABLE = _tile(rules.SINKTABLE)
    COOKER = _tile(rules.COOKER)
    TRASH = _tile(rules.TRASH)
    SUBMIT = _tile(rules.SUBMIT)
    SHOP = _tile(rules.SHOP)

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
        self.tile_id = tile_id
        self.is_walkable = is_walkable
        self.is_dangerous = is_dangerous
        self.is_placeable = is_placeable
        self.is_interactable = is_interactable


class FoodType(Enum):
    """Foods; `FoodType[name]` finds one."""

    EGG = ("EGG", *rules.FOODS["EGG"])
    ONIONS = ("ONIONS", *rules.FOODS["ONIONS"])
    MEAT = ("MEAT", *rules.FOODS["MEAT"])
    NOODLES = ("NOODLES", *rules.FOODS["NOODLES"])
    SAUCE = ("SAUCE", *rules.FOODS["SAUCE"])

    def __init__(
        self, food_name: str, food_id: int, can_chop: bool, can_cook: bool, buy_cost: int
    ) -> None:
        self.food_name = food_name
        self.food_id = food_id
        self.can_chop = can_chop
        self.can_cook = can_cook
        self.buy_cost = buy_cost


class ShopCosts(Enum):
    """What the shop sells besides foods."""

    PLATE = ("PLATE", rules.EQUIPMENT["PLATE"])
    PAN = ("PAN", rules.EQUIPMENT["PAN"])

    def __init__(self, item_name: str, buy_cost: int) -> None:
        self.item_name = item_name
        self.buy_cost = buy_cost


class _ReadOnly(type):
    def __setattr__(cls, name: str, value: object) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be written: the match sets it")

    def __delattr__(cls, name: str) -> None:
        raise AttributeError(f"{cls.__name__}.{name} cannot be deleted")


_DEFAULTS: Final = rules.Rules()


class GameConstants(metaclass=_ReadOnly):
    """Numbers of the match; until one has begun, the defaults."""

    TOTAL_TURNS = _DEFAULTS.total_turns
    STARTING_MONEY = _DEFAULTS.starting_money
    MONEY_PER_TURN = _DEFAULTS.money_per_turn
    COOK_PROGRESS = _DEFAULTS.cook_progress
    BURN_PROGRESS = _DEFAULTS.burn_progress
    PLATE_WASH_PROGRESS = _DEFAULTS.plate_wash_progress
    MIDGAME_SWITCH_TURN = rules.SWITCH_TURN
    MIDGAME_SWITCH_DURATION = rules.SWITCH_DURATION


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
