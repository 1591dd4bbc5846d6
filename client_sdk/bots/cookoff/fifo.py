"""Cooks with all bots, serves the orders in the order in which they expire, and takes a new plate
for each.

The order that expires first is not always the one that pays best, nor one that can be done in time:
greedy looks at that."""

from client_sdk.api.cookoff import ShopCosts
from client_sdk.bots.cookoff.greedy import Greedy, expenses
from client_sdk.bots.cookoff.hand import Hand, Order
from client_sdk.bots.cookoff.places import Job


class Fifo(Greedy):
    name = "fifo"

    margin = 0.7
    """Below 1: it tries orders that should take longer than the time that is left."""

    def choose(self, hand: Hand, job: Job) -> Order | None:
        """The order of the job while it is active; then the first one to expire of those that are
        not hopeless and that the money is enough for."""
        active = [order for order in hand.controller.get_orders() if order["is_active"]]
        orders = {order["order_id"]: order for order in active}
        if job.order is not None and job.order["order_id"] in orders:
            return orders[job.order["order_id"]]
        others = [other.order for other in self.places.others(job) if other.order is not None]
        for order in others:
            orders.pop(order["order_id"], None)
        money, turn = hand.money - sum(map(expenses, others)), hand.controller.get_turn()
        for order in sorted(orders.values(), key=lambda order: int(order["expires_turn"])):
            in_time = turn + self.turns(hand, job, order) * self.margin <= order["expires_turn"]
            if in_time and expenses(order) <= money:
                return order
        return None

    def get_plate(self, hand: Hand) -> None:
        """A new one, also where a washed one is near."""
        hand.buy(ShopCosts.PLATE)


if __name__ == "__main__":
    Fifo().run()
