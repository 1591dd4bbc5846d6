"""Cooks: every bot works on the order that pays best for its time, starts the fire first and plates
while it burns.

A bot that has nothing to do washes plates. Once there is nothing left to win at home, and the
others are ahead, all go over and clear the other kitchen."""

from __future__ import annotations

from collections import Counter
from typing import Final

from client_sdk.api.cookoff import Bot, Food, FoodType, Map, Pan, RobotController, ShopCosts
from client_sdk.bots.cookoff import sabotage
from client_sdk.bots.cookoff.hand import Hand, Order, plated, served, usable
from client_sdk.bots.cookoff.places import Job, Places
from client_sdk.bots.cookoff.ways import FAR, Cell, Ways

CHOPPING: Final = 4
"""Turns that it takes to lay a food down, chop it and take it up again."""


class Greedy(Bot):
    name = "greedy"

    margin = 1.1
    """An order is begun if the turns left are at least this many times those that it should
    take."""

    def prepare(self, map_copy: Map) -> None:
        self.ways = Ways(map_copy)
        self.places = Places(self.ways)

    def play_turn(self, controller: RobotController) -> None:
        jobs = self.places.jobs
        for bot_id in controller.get_team_bot_ids():
            hand = Hand(controller, self.ways, bot_id)
            job = jobs.setdefault(bot_id, Job())
            if hand.away:
                sabotage.clear(hand)
            else:
                self.work(hand, job)
        if all(job.order is None for job in jobs.values()) and sabotage.pays(controller):
            controller.switch_maps()

    # --- which order ------------------------------------------------------------------------------

    def choose(self, hand: Hand, job: Job) -> Order | None:
        """The order of the job while it is active; then the one that pays best per turn, if any."""
        active = [order for order in hand.controller.get_orders() if order["is_active"]]
        orders = {order["order_id"]: order for order in active}
        if job.order is not None and job.order["order_id"] in orders:
            return orders[job.order["order_id"]]
        others = [other.order for other in self.places.others(job) if other.order is not None]
        taken = {order["order_id"] for order in others}
        money = hand.money - sum(map(expenses, others))
        best, most = None, 0.0
        for number, order in orders.items():
            turns = self.turns(hand, job, order)
            cost = expenses(order)
            left = order["expires_turn"] - hand.controller.get_turn()
            gain = (order["reward"] + order["penalty"] - cost) / turns
            if (
                number not in taken
                and turns * self.margin <= left
                and cost <= money
                and gain > most
            ):
                best, most = order, gain
        return best

    def turns(self, hand: Hand, job: Job, order: Order) -> int:
        """About how long it takes."""
        spot = job.spot or self.places.free_spot(hand, job)
        if spot is None:
            return FAR
        shop, fire, out = self.places.far[spot]
        kinds = [FoodType[name] for name in order["required"]]
        cooked = [kind for kind in kinds if kind.can_cook]
        plain = [kind for kind in kinds if not kind.can_cook]
        nearest = hand.nearest("SHOP")
        first = FAR if nearest is None else self.ways.steps(hand.here, nearest)
        fetched = first + 2 * shop + out + 3
        fetched += sum(2 * shop + 2 + CHOPPING * kind.can_chop for kind in plain)
        lit = sum(2 * self.places.fetching + 2 + CHOPPING * kind.can_chop for kind in cooked)
        waited = max(0, self.cooking_turns - fetched) if cooked else 0
        return fetched + lit + waited + len(cooked) * (2 * fire + 2)

    @property
    def cooking_turns(self) -> int:
        assert self._plan is not None
        return self._plan.rules.cook_progress

    # --- at home ----------------------------------------------------------------------------------

    def work(self, hand: Hand, job: Job) -> None:
        job.order = self.choose(hand, job)
        if job.spot is None:
            job.spot = self.places.free_spot(hand, job)
        if job.order is None or job.spot is None:
            self.tidy(hand, job)
            return
        lying = None if job.board == job.spot else hand.item(job.spot)
        plate = hand.holding if hand.kind == "Plate" else lying
        if isinstance(plate, Food | Pan):
            job.spot = None
            return
        wanted = Counter[str](job.order["required"])
        foods = Counter[str]() if plate is None else plated(plate)
        if foods is None or foods - wanted:
            self.clean_plate(hand, job)
            return
        missing = wanted - foods
        todo = missing.copy()
        kept = self.counted(hand, job, todo)
        if hand.kind == "Plate":
            board = None if job.board is None else hand.item(job.board)
            needed = isinstance(board, Food) and served(board) and missing[board.food_name]
            if not missing:
                hand.submit()
            elif job.board is not None and needed:
                hand.do(job.board, hand.controller.add_food_to_plate)
            elif hand.item(job.spot) is None:
                hand.do(job.spot, hand.controller.place)
            else:
                job.spot = None
        elif hand.kind == "Food":
            self.hold_food(hand, job, wanted=kept, plate=plate is not None)
        elif hand.kind == "Pan":
            hand.empty_out()
        else:
            self.fetch(hand, job, todo, missing, plate=plate is not None)

    def counted(self, hand: Hand, job: Job, todo: Counter[str]) -> bool:
        """Subtract from `todo` what is in work already. True: the food in hand is part of that.

        A fire whose pan is empty is out: another bot was there.
        """
        kept = False
        if hand.kind == "Food" and hand.holding is not None:
            food = hand.holding
            kept = todo[food["food_name"]] > 0 and usable(food)
            todo[food["food_name"]] -= kept
        for cell in [*job.fires]:
            pan = hand.item(cell)
            if not isinstance(pan, Pan) or pan.food is None:
                del job.fires[cell]
            elif usable(pan.food) and todo[pan.food.food_name] > 0:
                todo[pan.food.food_name] -= 1
        if job.board is not None:
            lying = hand.item(job.board)
            if not isinstance(lying, Food):
                job.board = None
            elif usable(lying) and todo[lying.food_name] > 0:
                todo[lying.food_name] -= 1
        return kept

    def hold_food(self, hand: Hand, job: Job, *, wanted: bool, plate: bool) -> None:
        """What to do with the food in hand: the knife, the fire, the plate or the trash."""
        controller, food = hand.controller, hand.holding
        assert food is not None
        assert job.spot is not None
        kind = FoodType[food["food_name"]]
        if not wanted:
            hand.empty_out()
        elif kind.can_chop and not food["chopped"]:
            job.board = job.board or self.places.free_board(hand, job)
            if job.board is not None and hand.item(job.board) is None:
                hand.do(job.board, controller.place)
        elif kind.can_cook and not food["cooked_stage"]:
            cooker = free_cooker(hand)
            if cooker is not None and hand.do(cooker, controller.start_cook):
                job.fires[cooker] = kind.food_name
        elif plate:
            hand.do(job.spot, controller.add_food_to_plate)
        else:
            hand.empty_out()

    def fetch(
        self, hand: Hand, job: Job, todo: Counter[str], missing: Counter[str], *, plate: bool
    ) -> None:
        """What to fetch with empty hands: what is chopped, what goes on the fire, a plate, the
        rest, what is done."""
        controller = hand.controller
        assert job.spot is not None
        board = None if job.board is None else hand.item(job.board)
        if job.board is not None and isinstance(board, Food):
            if not board.chopped:
                hand.do(job.board, controller.chop)
                return
            if plate or board.can_cook:
                hand.do(job.board, controller.pickup)
                return
        todo = +todo
        fire = [name for name in todo if FoodType[name].can_cook]
        plain = [name for name in todo if not FoodType[name].can_cook]
        done, burnt = self.ready(hand, job, missing)
        if burnt is not None:
            hand.do(burnt, controller.take_from_pan)
        elif fire and free_cooker(hand) is not None:
            hand.buy(FoodType[fire[0]])
        elif not plate:
            self.get_plate(hand)
        elif done is not None:
            hand.do(done, controller.take_from_pan)
        elif plain:
            hand.buy(FoodType[plain[0]])
        elif job.fires:
            hand.walk(next(iter(job.fires)))
        elif not missing:
            hand.do(job.spot, controller.pickup)

    def ready(self, hand: Hand, job: Job, missing: Counter[str]) -> tuple[Cell | None, Cell | None]:
        """A fire with a food that is done, and one with a food that is not needed."""
        done = useless = None
        for cell in job.fires:
            pan = hand.item(cell)
            assert isinstance(pan, Pan)
            assert pan.food is not None
            if not usable(pan.food) or not missing[pan.food.food_name]:
                useless = useless or cell
            elif served(pan.food):
                done = done or cell
        return done, useless

    def get_plate(self, hand: Hand) -> None:
        """A washed one if it is as near as the shop, else a new one."""
        shop = hand.nearest("SHOP")
        table = hand.nearest("SINKTABLE", lambda tile: tile.num_clean_plates > 0)
        if table is not None and self.ways.nearest(hand.here, [table, shop or table]) == table:
            hand.do(table, hand.controller.take_clean_plate)
        else:
            hand.buy(ShopCosts.PLATE)

    def clean_plate(self, hand: Hand, job: Job) -> None:
        """The plate holds what the order does not want."""
        assert job.spot is not None
        if hand.kind:
            hand.empty_out()
        else:
            hand.do(job.spot, hand.controller.pickup)

    def tidy(self, hand: Hand, job: Job) -> None:
        """Nothing pays: put things away, let nothing burn, wash plates."""
        controller = hand.controller
        dirty = hand.nearest("SINK", lambda tile: tile.num_dirty_plates > 0)
        self.counted(hand, job, Counter())
        if hand.kind == "Food":
            hand.empty_out()
        elif hand.kind == "Plate" and job.spot is not None and hand.item(job.spot) is None:
            hand.do(job.spot, controller.place)
        elif hand.kind == "Plate":
            hand.empty_out()
        elif job.fires:
            hand.do(next(iter(job.fires)), controller.take_from_pan)
        elif job.board is not None:
            hand.do(job.board, controller.pickup)
        elif dirty is not None:
            hand.do(dirty, controller.wash_sink)


def free_cooker(hand: Hand) -> Cell | None:
    """The nearest one with an empty pan."""
    return hand.nearest("COOKER", lambda tile: isinstance(tile.item, Pan) and not tile.item.food)


def expenses(order: Order) -> int:
    """What it costs to serve it."""
    return ShopCosts.PLATE.buy_cost + sum(FoodType[name].buy_cost for name in order["required"])


if __name__ == "__main__":
    Greedy().run()
