"""My Cookoff bot: serves the first order that needs neither knife nor fire, with one bot."""

from collections.abc import Callable
from typing import Any

from botarena.cookoff import Bot, FoodType, Map, Plate, RobotController, ShopCosts

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class MyBot(Bot):
    name = "mybot"

    def prepare(self, map_copy: Map) -> None:
        """Once, before turn 1: time to look at the kitchen."""
        self.kitchen = map_copy
        cells = [(x, y) for x in range(map_copy.width) for y in range(map_copy.height)]
        self.tiles = {(x, y): map_copy.tiles[x][y].tile_name for x, y in cells}
        self.counter = self.first("COUNTER")

    def play_turn(self, controller: RobotController) -> None:
        order = next(
            (
                order
                for order in controller.get_orders()
                if order["is_active"] and self.is_simple(order)
            ),
            None,
        )
        bot = controller.get_team_bot_ids()[0]
        state = controller.get_bot_state(bot)
        counter = controller.get_tile(controller.get_team(), *self.counter)
        if order is None or state is None or counter is None:
            return
        required, holding, plate = order["required"], state["holding"], counter.item
        if holding and holding["type"] == "Plate":
            if len(holding["food"]) == len(required):
                self.go(controller, state, self.first("SUBMIT"), controller.submit)
            else:
                self.go(controller, state, self.counter, controller.place)
        elif holding:
            self.go(controller, state, self.counter, controller.add_food_to_plate)
        elif not isinstance(plate, Plate):
            self.go(controller, state, self.first("SHOP"), controller.buy, ShopCosts.PLATE)
        elif len(plate.food) < len(required):
            self.go(
                controller,
                state,
                self.first("SHOP"),
                controller.buy,
                FoodType[required[len(plate.food)]],
            )
        else:
            self.go(controller, state, self.counter, controller.pickup)

    def is_simple(self, order: dict[str, Any]) -> bool:
        foods = [FoodType[name] for name in order["required"]]
        return not any(food.can_chop or food.can_cook for food in foods)

    def first(self, name: str) -> tuple[int, int]:
        """A tile of this name."""
        return next(cell for cell, found in self.tiles.items() if found == name)

    def go(
        self,
        controller: RobotController,
        state: dict[str, Any],
        tile: tuple[int, int],
        action: Callable[..., bool],
        *about: object,
    ) -> None:
        """One step towards a tile; once it is in reach, the action."""
        here = (state["x"], state["y"])
        step = self.step(here, tile)
        if step is None:
            action(state["bot_id"], *about, *tile)
        else:
            controller.move(state["bot_id"], *step)

    def step(self, here: tuple[int, int], tile: tuple[int, int]) -> tuple[int, int] | None:
        """The first step of a shortest way, bots in it ignored; None: the tile is in reach."""
        first: dict[tuple[int, int], tuple[int, int] | None] = {here: None}
        todo = [here]
        for x, y in todo:
            if abs(x - tile[0]) <= 1 and abs(y - tile[1]) <= 1:
                return first[x, y]
            for dx, dy in STEPS:
                if self.kitchen.is_tile_walkable(x + dx, y + dy) and (x + dx, y + dy) not in first:
                    first[x + dx, y + dy] = first[x, y] or (dx, dy)
                    todo.append((x + dx, y + dy))
        return None


if __name__ == "__main__":
    MyBot().run()
