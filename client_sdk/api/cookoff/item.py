"""Items as bots hold them in their hands: copies, of which a bot may do what it likes."""

from __future__ import annotations

from collections.abc import Iterable

from client_sdk.api.cookoff.game_constants import FoodType
from games.cookoff import state
from games.cookoff.view import item_json
from games.core.contract import Json


class Item:
    """A food, a plate or a pan."""

    def engine(self) -> state.Item:
        """The engine's own value of this item."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Json]:
        """As `item_to_public_dict` of a controller."""
        item: dict[str, Json] = item_json(self.engine())
        return item

    def __repr__(self) -> str:
        return repr(self.engine())


class Food(Item):
    """`cooked_stage`: 0 raw, 1 cooked, 2 burnt."""

    def __init__(self, food_type: FoodType, chopped: bool = False, cooked_stage: int = 0) -> None:
        self.food_name = food_type.food_name
        self.food_id = food_type.food_id
        self.can_chop = food_type.can_chop
        self.can_cook = food_type.can_cook
        self.buy_cost = food_type.buy_cost
        self.chopped = chopped
        self.cooked_stage = cooked_stage

    def engine(self) -> state.Food:
        return state.Food(self.food_name, self.chopped, self.cooked_stage)


class Plate(Item):
    def __init__(self, food: Iterable[Food] | None = None, dirty: bool = False) -> None:
        self.food: list[Food] = list(food or ())
        self.dirty = dirty

    def engine(self) -> state.Plate:
        return state.Plate(self.dirty, tuple(food.engine() for food in self.food))


class Pan(Item):
    def __init__(self, food: Food | None = None) -> None:
        self.food = food

    def engine(self) -> state.Pan:
        return state.Pan(None if self.food is None else self.food.engine())


def copied(item: state.Item | None) -> Item | None:
    """A copy of its own of what the engine has."""
    if item is None:
        return None
    if isinstance(item, state.Food):
        return _food(item)
    if isinstance(item, state.Plate):
        return Plate(map(_food, item.foods), item.dirty)
    return Pan(None if item.food is None else _food(item.food))


def _food(food: state.Food) -> Food:
    return Food(FoodType[food.name], food.chopped, food.stage)
