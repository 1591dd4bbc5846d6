"""One bot of a team in one turn: where it stands, what it holds, and the step and the action that
it has left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from client_sdk.api.cookoff import Food, FoodType, Plate, RobotController, ShopCosts, Tile
from client_sdk.bots.cookoff.ways import Cell, Ways

Order = dict[str, Any]

SIMPLE: Final = frozenset(
    food.food_name for food in FoodType if not food.can_chop and not food.can_cook
)
"""Foods that are served as they are bought."""


class Hand:
    """It goes to a tile and does something there: at most one step, then at most one action, as all
    rule sets allow."""

    def __init__(self, controller: RobotController, ways: Ways, bot_id: int) -> None:
        state = controller.get_bot_state(bot_id)
        assert state is not None
        self.controller = controller
        self.ways = ways
        self.bot_id = bot_id
        self.here: Cell = (state["x"], state["y"])
        self.kitchen: str = state["map_team"]
        self.away: bool = state["team"] != self.kitchen
        self.money: int = state["team_money"]
        self.holding: Order | None = state["holding"]
        self.kind: str = self.holding["type"] if self.holding else ""

    def do(self, tile: Cell, action: Callable[..., bool], *about: object) -> bool:
        """Whether the tile was in reach and the action was done."""
        self.walk(tile)
        if self.ways.steps(self.here, tile) > 0:
            return False
        done: bool = action(self.bot_id, *about, *tile)
        return done

    def walk(self, tile: Cell) -> None:
        """One step towards a tile, if it is not in reach and the way is free."""
        step = self.ways.step(self.here, tile, self._taken())
        if step is not None and self.controller.move(self.bot_id, *step):
            self.here = (self.here[0] + step[0], self.here[1] + step[1])

    def buy(self, goods: FoodType | ShopCosts) -> None:
        """At the nearest shop, once there is the money."""
        shop = self.nearest("SHOP")
        if shop is not None:
            if self.money >= goods.buy_cost:
                self.do(shop, self.controller.buy, goods)
            else:
                self.walk(shop)

    def empty_out(self) -> None:
        """Throw away what is held, or what lies on the plate that is held."""
        trash = self.nearest("TRASH")
        if trash is not None:
            self.do(trash, self.controller.trash)

    def submit(self) -> None:
        out = self.nearest("SUBMIT")
        if out is not None:
            self.do(out, self.controller.submit)

    def nearest(self, name: str, suits: Callable[[Any], bool] | None = None) -> Cell | None:
        """The nearest tile of this name that suits."""
        tiles = self.ways.stations(name)
        if suits is not None:
            tiles = [cell for cell in tiles if suits(self.tile(cell))]
        return self.ways.nearest(self.here, tiles)

    def tile(self, cell: Cell) -> Tile | None:
        """In the kitchen where the bot stands."""
        return self.controller.get_tile(self.kitchen, *cell)

    def item(self, cell: Cell) -> Any:
        """What lies there in the kitchen where the bot stands."""
        tile = self.tile(cell)
        return None if tile is None else tile.item

    def _taken(self) -> set[Cell]:
        bots = [*self.controller.get_team_bot_ids("RED"), *self.controller.get_team_bot_ids("BLUE")]
        states = [state for bot_id in bots if (state := self.controller.get_bot_state(bot_id))]
        return {(state["x"], state["y"]) for state in states if state["map_team"] == self.kitchen}


def usable(food: Food | dict[str, Any]) -> bool:
    """Whether a food is, or can still become, as orders want it."""
    fields = food.to_dict() if isinstance(food, Food) else food
    kind = FoodType[fields["food_name"]]
    stage: int = fields["cooked_stage"]
    return stage <= int(kind.can_cook) and (fields["chopped"] or not kind.can_chop or not stage)


def served(food: Food | dict[str, Any]) -> bool:
    """Whether a food is as every order wants it."""
    fields = food.to_dict() if isinstance(food, Food) else food
    kind = FoodType[fields["food_name"]]
    return bool(fields["chopped"] == kind.can_chop and fields["cooked_stage"] == kind.can_cook)


def plated(plate: Plate | Order) -> Counter[str] | None:
    """The foods on a plate by name; None: something on it is not as any order wants it."""
    fields = plate.to_dict() if isinstance(plate, Plate) else plate
    if not all(map(served, fields["food"])):
        return None
    return Counter(food["food_name"] for food in fields["food"])
