"""Cooks as greedy does, and prepares for orders that are yet to come.

Where greedy stands still for want of an order, this bot fetches a plate: the next order begins with
it. And it takes on orders that it can just about serve in time."""

from typing import Final

from client_sdk.bots.cookoff.greedy import Greedy
from client_sdk.bots.cookoff.hand import Hand
from client_sdk.bots.cookoff.places import Job

LAST: Final = 60
"""Last turns of the match, in which it buys no plate in advance."""


class Ready(Greedy):
    name = "ready"

    margin = 1.0

    def tidy(self, hand: Hand, job: Job) -> None:
        if self.prepares(hand, job):
            self.get_plate(hand)
        else:
            super().tidy(hand, job)

    def prepares(self, hand: Hand, job: Job) -> bool:
        """Whether all orders are in work, nothing is left to tidy or wash, and the place of the
        plate is empty."""
        assert self._plan is not None
        left = self._plan.rules.total_turns - hand.controller.get_turn()
        in_work = {one.order["order_id"] for one in self.places.others(job) if one.order}
        orders = [order for order in hand.controller.get_orders() if order["is_active"]]
        return (
            left >= LAST
            and in_work.issuperset(order["order_id"] for order in orders)
            and not hand.kind
            and not job.fires
            and job.board is None
            and job.spot is not None
            and hand.item(job.spot) is None
            and hand.nearest("SINK", lambda tile: tile.num_dirty_plates > 0) is None
        )


if __name__ == "__main__":
    Ready().run()
