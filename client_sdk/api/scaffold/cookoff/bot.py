"""My Cookoff bot: one bot of the team cooks the order that pays best, food by food."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from botarena.cookoff import Bot, Food, FoodType, Map, Pan, Plate, RobotController, ShopCosts

Cell = tuple[int, int]
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class MyBot(Bot):
    name = "mybot"

    def prepare(self, map_copy: Map) -> None:
        """Once, before turn 1: time to look at the kitchen."""
        self.kitchen = map_copy
        self.order = 0
        self.distances: dict[Cell, dict[Cell, int]] = {}

    def play_turn(self, controller: RobotController) -> None:
        self.controller = controller
        self.bot = controller.get_team_bot_ids()[0]
        state = controller.get_bot_state(self.bot)
        order = self.choose_order()
        if state is None or order is None:
            return
        self.here = (state["x"], state["y"])
        shop, cooker = self.nearest("SHOP")[0], self.nearest("COOKER")[0]
        # The plate lies on one counter, the other one is for chopping: the same two in every turn.
        counter, board = sorted(self.nearest("COUNTER"))[:2]
        wanted, holding = Counter(order["required"]), state["holding"]
        plate, on_board, pan = self.item(counter), self.item(board), self.item(cooker)
        if holding and holding["type"] == "Plate":
            served = Counter(food["food_name"] for food in holding["food"])
            if served - wanted:
                self.do(self.nearest("TRASH")[0], controller.trash)
            elif wanted - served:
                self.do(counter, controller.place)
            else:
                self.do(self.nearest("SUBMIT")[0], controller.submit)
        elif holding:
            kind = FoodType[holding["food_name"]]
            if holding["cooked_stage"] == 2:
                self.do(self.nearest("TRASH")[0], controller.trash)
            elif kind.can_chop and not holding["chopped"]:
                self.do(board, controller.place)
            elif kind.can_cook and holding["cooked_stage"] == 0:
                self.do(cooker, controller.start_cook)
            else:
                self.do(counter, controller.add_food_to_plate)
        elif not isinstance(plate, Plate):
            self.do(shop, controller.buy, ShopCosts.PLATE)
        elif isinstance(on_board, Food):
            self.do(board, controller.pickup if on_board.chopped else controller.chop)
        elif isinstance(pan, Pan) and pan.food:
            self.do(cooker, controller.take_from_pan if pan.food.cooked_stage else None)
        else:
            served = Counter(food.food_name for food in plate.food)
            missing = [*(wanted - served)]
            if missing and not served - wanted:
                self.do(shop, controller.buy, FoodType[missing[0]])
            else:
                self.do(counter, controller.pickup)

    def choose_order(self) -> dict[str, Any] | None:
        """The one in work while it is active, then the one that pays most for its time."""
        turn, money = self.controller.get_turn(), self.controller.get_team_money() or 0
        active = [order for order in self.controller.get_orders() if order["is_active"]]
        current = [order for order in active if order["order_id"] == self.order]
        possible = current or [
            order
            for order in active
            if cost(order) <= money and turn + time(order) <= order["expires_turn"]
        ]
        if not possible:
            return None
        best = max(possible, key=lambda order: (order["reward"] - cost(order)) / time(order))
        self.order = best["order_id"]
        return best

    def item(self, tile: Cell) -> Any:
        """What lies on a tile of our kitchen."""
        found = self.controller.get_tile(self.controller.get_team(), *tile)
        return found and found.item

    def nearest(self, name: str) -> list[Cell]:
        """The tiles of this name that can be reached, the nearest ones first."""
        tiles = [
            (x, y)
            for x in range(self.kitchen.width)
            for y in range(self.kitchen.height)
            if self.kitchen.tiles[x][y].tile_name == name
        ]
        reached = [tile for tile in tiles if self.here in self.steps(tile)]
        return sorted(reached, key=lambda tile: self.steps(tile)[self.here])

    def steps(self, tile: Cell) -> dict[Cell, int]:
        """From each cell the steps until the tile is in reach, other bots ignored."""
        if tile not in self.distances:
            found = {tile: -1}
            todo = [tile]
            for x, y in todo:
                for dx, dy in STEPS:
                    cell = (x + dx, y + dy)
                    if cell not in found and self.kitchen.is_tile_walkable(*cell):
                        found[cell] = found[x, y] + 1
                        todo.append(cell)
            self.distances[tile] = found
        return self.distances[tile]

    def do(self, tile: Cell, action: Callable[..., bool] | None, *about: object) -> None:
        """A step towards the tile, then the action if the tile is in reach; None: wait there."""
        steps, (x, y) = self.steps(tile), self.here
        if steps[self.here] > 0:
            free = [(dx, dy) for dx, dy in STEPS if self.controller.can_move(self.bot, dx, dy)]
            dx, dy = min(free, key=lambda step: steps[x + step[0], y + step[1]], default=(0, 0))
            if self.controller.move(self.bot, dx, dy):
                self.here = (x + dx, y + dy)
        if action and steps[self.here] <= 0:
            action(self.bot, *about, *tile)


def cost(order: dict[str, Any]) -> int:
    """What its foods cost."""
    return sum(FoodType[name].buy_cost for name in order["required"])


def time(order: dict[str, Any]) -> int:
    """The turns that it takes, roughly."""
    foods = [FoodType[name] for name in order["required"]]
    return 10 + sum(10 + 5 * food.can_chop + 25 * food.can_cook for food in foods)


if __name__ == "__main__":
    MyBot().run()
