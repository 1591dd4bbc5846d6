"""Items as bots see them: copies, which a bot may change."""

from __future__ import annotations

from collections.abc import Iterable

from client_sdk.api.cookoff.game_constants import FoodType
from games.cookoff import state
from games.cookoff.view import item_json
from games.core.contract import Json


class Item:
    """A food, a plate or a pan."""

    def engine(self) -> state.Item:
        """The engine's value of this item."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Json]:
        """The item as JSON, as in `holding` of a bot."""
        item: dict[str, Json] = item_json(self.engine())
        return item

    def __repr__(self) -> str:
        return repr(self.engine())


class Food(Item):
    """A food."""

    def __init__(self, food_type: FoodType, chopped: bool = False, cooked_stage: int = 0) -> None:
        self.food_name = food_type.food_name
        """Its name."""
        self.food_id = food_type.food_id
        """Its number."""
        self.can_chop = food_type.can_chop
        """Whether it can be chopped."""
        self.can_cook = food_type.can_cook
        """Whether it can be cooked."""
        self.buy_cost = food_type.buy_cost
        """Its price."""
        self.chopped = chopped
        """Whether it is chopped."""
        self.cooked_stage = cooked_stage
        """0 raw, 1 cooked, 2 burnt."""

    def engine(self) -> state.Food:
        """The engine's value of this food."""
        return state.Food(self.food_name, self.chopped, self.cooked_stage)


class Plate(Item):
    """A plate."""

    def __init__(self, food: Iterable[Food] | None = None, dirty: bool = False) -> None:
        self.food: list[Food] = list(food or ())
        """The foods on it."""
        self.dirty = dirty
        """Whether it is dirty."""

    def engine(self) -> state.Plate:
        """The engine's value of this plate."""
        return state.Plate(self.dirty, tuple(food.engine() for food in self.food))


class Pan(Item):
    """A pan."""

    def __init__(self, food: Food | None = None) -> None:
        self.food = food
        """The food in it."""

    def engine(self) -> state.Pan:
        """The engine's value of this pan."""
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
