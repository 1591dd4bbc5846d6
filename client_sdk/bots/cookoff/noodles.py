"""Serves noodles and sauce with one bot, without cooking, chopping or washing."""

from collections import Counter
from typing import Any

from client_sdk.api.cookoff import Bot, FoodType, Map, Plate, RobotController, ShopCosts
from client_sdk.bots.cookoff.hand import SIMPLE, Hand, plated
from client_sdk.bots.cookoff.ways import Cell, Ways


class Noodles(Bot):
    name = "noodles"

    def prepare(self, map_copy: Map) -> None:
        self.ways = Ways(map_copy)
        self.order: int | None = None
        counters, shops = self.ways.stations("COUNTER"), self.ways.stations("SHOP")
        self.spot: Cell | None = min(
            counters,
            key=lambda spot: min((self.ways.between(spot, shop) for shop in shops), default=0),
            default=None,
        )

    def play_turn(self, controller: RobotController) -> None:
        order = self.chosen(controller)
        if order is None or self.spot is None:
            return
        hand = Hand(controller, self.ways, controller.get_team_bot_ids()[0])
        plate, wanted = hand.item(self.spot), Counter(order["required"])
        if hand.kind == "Plate":
            foods = plated(hand.holding or {})
            if foods == wanted:
                hand.submit()
            elif foods is None or foods - wanted:
                hand.empty_out()
            elif plate is None:
                hand.do(self.spot, controller.place)
        elif hand.kind == "Food":
            hand.do(self.spot, controller.add_food_to_plate)
        elif not isinstance(plate, Plate):
            hand.buy(ShopCosts.PLATE)
        else:
            foods = plated(plate)
            missing = [] if foods is None or foods - wanted else [*(wanted - foods)]
            if missing:
                hand.buy(FoodType[missing[0]])
            else:
                hand.do(self.spot, controller.pickup)

    def chosen(self, controller: RobotController) -> dict[str, Any] | None:
        """The order that is worked on, as long as it is active; then the cheapest one that needs
        neither knife nor fire."""
        active = {
            order["order_id"]: order for order in controller.get_orders() if order["is_active"]
        }
        if self.order not in active:
            simple = [order for order in active.values() if SIMPLE.issuperset(order["required"])]
            cheapest = min(simple, key=lambda order: (cost(order), order["order_id"]), default=None)
            self.order = None if cheapest is None else cheapest["order_id"]
        return None if self.order is None else active[self.order]


def cost(order: dict[str, Any]) -> int:
    """What its foods cost."""
    return sum(FoodType[name].buy_cost for name in order["required"])


if __name__ == "__main__":
    Noodles().run()
