"""The checks of actions (RULES §6). A check is a code and the condition that must hold; the first
that fails is the refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from games.cookoff.deed import OUTSIDE, Deed
from games.cookoff.rules import FOODS, TileKind
from games.cookoff.state import Food, Item, Pan, Plate, active_orders

Check: TypeAlias = tuple[str, Callable[[Deed], bool]]


def refusal(about: Deed, checks: tuple[Check, ...]) -> str | None:
    """The code of the first check that fails; None: all hold."""
    for code, holds in checks:
        if not holds(about):
            return code
    return None


RANGE: Final[tuple[Check, ...]] = (
    ("out_of_range", lambda deed: deed.near),
    ("out_of_bounds", lambda deed: deed.cell != OUTSIDE),
)

HANDS_FREE: Final[Check] = ("hands_full", lambda deed: deed.hand is None)
HANDS_HOLD: Final[Check] = ("hands_empty", lambda deed: deed.hand is not None)
ITEM_THERE: Final[Check] = ("nothing_there", lambda deed: deed.tile.item is not None)
SOME_THERE: Final[Check] = ("nothing_there", lambda deed: deed.tile.amount > 0)
FOOD_THERE: Final[Check] = ("nothing_there", lambda deed: isinstance(deed.tile.item, Food))
PAN_FOOD_THERE: Final[Check] = ("nothing_there", lambda deed: holds_food(deed.tile.item))
DIRTY_IN_HAND: Final[Check] = ("no_dirty_plate", lambda deed: holds_plate(deed, dirty=True))
CLEAN_IN_HAND: Final[Check] = ("no_clean_plate", lambda deed: holds_plate(deed, dirty=False))


def on(kind: TileKind) -> Check:
    return "wrong_tile", lambda deed: deed.kind is kind


def holds_plate(deed: Deed, *, dirty: bool) -> bool:
    return isinstance(deed.hand, Plate) and deed.hand.dirty is dirty


def holds_food(pan: Item | None) -> bool:
    return isinstance(pan, Pan) and pan.food is not None


def can_be_placed(deed: Deed) -> bool:
    return deed.kind.placeable or deed.rules.placement == "anywhere"


def can_be_chopped(deed: Deed) -> bool:
    item = deed.tile.item
    return not isinstance(item, Food) or FOODS[item.name].can_chop


def can_be_cooked(deed: Deed) -> bool:
    return isinstance(deed.hand, Food) and FOODS[deed.hand.name].can_cook


def is_chopped_enough(deed: Deed) -> bool:
    food = deed.hand
    if not isinstance(food, Food) or not deed.rules.require_chop_before_cook:
        return True
    return food.chopped or not FOODS[food.name].can_chop


def matching_order(deed: Deed) -> int | None:
    """The index of the kitchen's first active order that the dish in hand fills (RULES §5.2)."""
    state, kitchen = deed.state, deed.bot.kitchen
    dish = tuple(sorted(deed.hand.foods)) if isinstance(deed.hand, Plate) else None
    for place in active_orders(state, kitchen):
        if state.orders[kitchen][place].dish == dish:
            return place
    return None


PLACEABLE: Final[Check] = ("not_placeable", can_be_placed)
CHOPPABLE: Final[Check] = ("not_choppable", can_be_chopped)
ORDERED: Final[Check] = ("no_matching_order", lambda deed: matching_order(deed) is not None)
COOKING: Final[tuple[Check, ...]] = (
    ("no_pan", lambda deed: isinstance(deed.tile.item, Pan)),
    ("pan_full", lambda deed: not holds_food(deed.tile.item)),
    ("not_cookable", can_be_cooked),
    ("not_chopped", is_chopped_enough),
)
