"""The actions of bots on a board to search on: the checks and effects of `actions` once more, for
speed on plain lists. Each returns the code of its refusal, and what the bot holds after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.cookoff.deed import OUTSIDE, Command
from games.cookoff.effects import GOODS, heat
from games.cookoff.moves import STEPS
from games.cookoff.rules import (
    BOX,
    COOKER,
    COUNTER,
    FOODS,
    PRICES,
    SHOP,
    SINK,
    SINKTABLE,
    SUBMIT,
    TEAMS,
    TRASH,
    TileKind,
)
from games.cookoff.state import (
    BARE,
    Book,
    Fate,
    Food,
    Item,
    Pan,
    Plan,
    Plate,
    Tile,
    changed,
)
from games.core.contract import Seat

Position: TypeAlias = list[Any]
"""All that changes: the fields of a `State`, in their order, without plan and orders; bots as plain
tuples, kitchens as lists."""
(
    MONEY,
    BOTS,
    KITCHENS,
    FATES,
    TURN,
    ACTING,
    PARTS,
    COUNTED,
    SWITCHED,
    SWITCH_USED,
    FAILED,
    SKIPS,
) = range(12)

Cook: TypeAlias = tuple[Any, ...]
"""The fields of a `Bot`, in their order."""
TEAM, KITCHEN, CELL, HOLDING, MOVED, ACTED = range(6)

Late: TypeAlias = tuple[Seat, int, int]
"""A kitchen's order that may expire: team, place, penalty."""

Done: TypeAlias = tuple[str | None, Item | None]
"""The code of a refusal, and what is in the hand."""


class Table:
    """What never changes on a board: the plan, the orders, and tables made of them."""

    __slots__ = ("dishes", "first", "late", "most", "orders", "plan", "steps")

    def __init__(
        self,
        plan: Plan,
        orders: Book,
        fates: tuple[tuple[Fate, ...], tuple[Fate, ...]],
        turn: int,
    ) -> None:
        """The fates and the turn are those of the first position."""
        self.plan = plan
        self.orders = orders
        self.first = TEAMS.index(plan.rules.first_team)
        """The team whose part of a turn comes first."""
        self.most = plan.rules.max_commands_per_turn
        self.steps = _steps(plan)
        self.dishes = tuple([order.dish for order in book] for book in orders)
        """By kitchen and place: the foods as they must lie on the plate, sorted."""
        self.late: dict[int, list[Late]] = {}
        """By turn: the orders that expire as it begins, if they are still open."""
        for team, book in enumerate(orders):
            for place, order in enumerate(book):
                if not fates[team][place].penalized:
                    due = max(order.expires_turn, turn) + 1
                    self.late.setdefault(due, []).append((team, place, order.penalty))


@lru_cache(maxsize=8)
def _steps(plan: Plan) -> dict[tuple[int, int], tuple[int, ...]]:
    """By step, then cell: the cell that it leads to; OUTSIDE: no bot can stand there."""
    steps = {}
    for dx, dy in sorted(STEPS):
        ahead = [(x + dx, y + dy) for x in range(plan.width) for y in range(plan.height)]
        steps[dx, dy] = tuple(
            plan.cell(x, y) if plan.inside(x, y) and plan.walkable[plan.cell(x, y)] else OUTSIDE
            for x, y in ahead
        )
    return steps


def reached(table: Table, bot: Cook, command: Command) -> int | str:
    """The target's cell, or the code of what is wrong with it."""
    plan = table.plan
    here_x, here_y = divmod(bot[CELL], plan.height)
    x = here_x if command.x is None else command.x
    y = here_y if command.y is None else command.y
    if not (-1 <= x - here_x <= 1 and -1 <= y - here_y <= 1):
        return "out_of_range"
    return x * plan.height + y if plan.inside(x, y) else "out_of_bounds"


def reached_kind(table: Table, bot: Cook, command: Command, kind: TileKind) -> int | str:
    """The same, for a target that has to be of this kind."""
    cell = reached(table, bot, command)
    if isinstance(cell, int) and table.plan.kinds[cell] is not kind:
        return "wrong_tile"
    return cell


def put_tile(now: Position, kitchen: Seat, cell: int, tile: Tile) -> None:
    """Replace a tile, in a kitchen of this position's own."""
    tiles = now[KITCHENS][kitchen].copy()
    tiles[cell] = tile
    now[KITCHENS] = changed(now[KITCHENS], kitchen, tiles)


def without_item(table: Table, cell: int, tile: Tile) -> Tile:
    """The tile without the item that leaves it; a box has more of the kind."""
    if table.plan.kinds[cell] is not BOX:
        return tile._replace(item=None)
    return tile._replace(amount=tile.amount - 1) if tile.amount > 1 else BARE


def pick_up(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached(table, bot, command)
    if isinstance(cell, str):
        return cell, None
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.item is None:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, without_item(table, cell, tile))
    return None, tile.item


def place(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand, plan = bot[HOLDING], table.plan
    if hand is None:
        return "hands_empty", None
    cell = reached(table, bot, command)
    if isinstance(cell, str):
        return cell, hand
    kind, tile = plan.kinds[cell], now[KITCHENS][bot[KITCHEN]][cell]
    if not kind.placeable and plan.rules.placement != "anywhere":
        return "not_placeable", hand
    if kind is COOKER:
        return put_on_cooker(table, now, bot, cell, tile)
    if kind is BOX:
        if tile.item is not None and tile.item != hand:
            return "box_mismatch", hand
        tile = Tile(hand, tile.amount + 1)
    elif tile.item is not None:
        return "tile_occupied", hand
    else:
        tile = tile._replace(item=hand)
    put_tile(now, bot[KITCHEN], cell, tile)
    return None, None


def put_on_cooker(table: Table, now: Position, bot: Cook, cell: int, tile: Tile) -> Done:
    hand = bot[HOLDING]
    if isinstance(hand, Food):
        return put_in_pan(table, now, bot, cell, tile)
    if isinstance(hand, Plate):
        return "not_placeable", hand
    if isinstance(tile.item, Pan) and tile.item.food is not None:
        return "cooker_busy", hand
    put_tile(now, bot[KITCHEN], cell, Tile(hand, heat(table.plan.rules, hand.food)))
    return None, tile.item


def put_in_pan(table: Table, now: Position, bot: Cook, cell: int, tile: Tile) -> Done:
    """The checks and the effect of cooking what the bot holds."""
    hand, rules = bot[HOLDING], table.plan.rules
    if not isinstance(tile.item, Pan):
        return "no_pan", hand
    if tile.item.food is not None:
        return "pan_full", hand
    if not isinstance(hand, Food) or not FOODS[hand.name].can_cook:
        return "not_cookable", hand
    if rules.require_chop_before_cook and FOODS[hand.name].can_chop and not hand.chopped:
        return "not_chopped", hand
    put_tile(now, bot[KITCHEN], cell, Tile(Pan(hand), heat(rules, hand)))
    return None, None


def throw_away(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    if hand is None:
        return "hands_empty", None
    cell = reached_kind(table, bot, command, TRASH)
    if isinstance(cell, str):
        return cell, hand
    if isinstance(hand, Food):
        return None, None
    return None, Plate() if isinstance(hand, Plate) else Pan()


def buy(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand, team = bot[HOLDING], bot[TEAM]
    cell = reached_kind(table, bot, command, SHOP)
    if isinstance(cell, str):
        return cell, hand
    if hand is not None:
        return "hands_full", hand
    price = PRICES.get(command.item)
    if price is None:
        return "unknown_item", None
    if now[MONEY][team] < price:
        return "no_money", None
    now[MONEY] = changed(now[MONEY], team, now[MONEY][team] - price)
    return None, GOODS[command.item]


def chop(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    cell = reached_kind(table, bot, command, COUNTER)
    if isinstance(cell, str):
        return cell, hand
    if hand is not None:
        return "hands_full", hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if not isinstance(tile.item, Food):
        return "nothing_there", None
    if not FOODS[tile.item.name].can_chop:
        return "not_choppable", None
    put_tile(now, bot[KITCHEN], cell, tile._replace(item=tile.item._replace(chopped=True)))
    return None, None


def start_cook(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    cell = reached_kind(table, bot, command, COOKER)
    if isinstance(cell, str):
        return cell, bot[HOLDING]
    return put_in_pan(table, now, bot, cell, now[KITCHENS][bot[KITCHEN]][cell])


def take_from_pan(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached_kind(table, bot, command, COOKER)
    if isinstance(cell, str):
        return cell, None
    pan = now[KITCHENS][bot[KITCHEN]][cell].item
    if not isinstance(pan, Pan) or pan.food is None:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, Tile(Pan()))
    return None, pan.food


def take_clean_plate(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached_kind(table, bot, command, SINKTABLE)
    if isinstance(cell, str):
        return cell, None
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.amount <= 0:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, tile._replace(amount=tile.amount - 1))
    return None, Plate()


def put_in_sink(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    if not isinstance(hand, Plate) or not hand.dirty:
        return "no_dirty_plate", hand
    cell = reached_kind(table, bot, command, SINK)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    put_tile(now, bot[KITCHEN], cell, tile._replace(amount=tile.amount + 1))
    return None, None


def wash(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    cell = reached_kind(table, bot, command, SINK)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.amount <= 0:
        return "nothing_there", hand
    put_tile(now, bot[KITCHEN], cell, tile._replace(using=True))
    return None, hand


def add_to_plate(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    cell = reached(table, bot, command)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if isinstance(hand, Plate):
        if hand.dirty:
            return "plate_dirty", hand
        if not isinstance(tile.item, Food):
            return "nothing_there", hand
        put_tile(now, bot[KITCHEN], cell, without_item(table, cell, tile))
        return None, Plate(foods=(*hand.foods, tile.item))
    if not isinstance(hand, Food) or not isinstance(tile.item, Plate):
        return "bad_combination", hand
    if tile.item.dirty:
        return "plate_dirty", hand
    if tile.amount > 1:
        return "box_stack", hand
    plate = Plate(foods=(*tile.item.foods, hand))
    put_tile(now, bot[KITCHEN], cell, tile._replace(item=plate))
    return None, None


def submit(table: Table, now: Position, bot_id: int, bot: Cook, command: Command) -> Done:
    hand, kitchen, plan = bot[HOLDING], bot[KITCHEN], table.plan
    cell = reached_kind(table, bot, command, SUBMIT)
    if isinstance(cell, str):
        return cell, hand
    if not isinstance(hand, Plate) or hand.dirty:
        return "no_clean_plate", hand
    number = ordered(table, now, kitchen, tuple(sorted(hand.foods)))
    if number is None:
        return "no_matching_order", hand
    fates = now[FATES][kitchen]
    fate = Fate(now[TURN], bot_id, fates[number].penalized)
    fates = (*fates[:number], fate, *fates[number + 1 :])
    paid = now[MONEY][kitchen] + table.orders[kitchen][number].reward
    now[MONEY] = changed(now[MONEY], kitchen, paid)
    now[FATES] = changed(now[FATES], kitchen, fates)
    if plan.rules.submitted_plate == "hand":
        return None, Plate(dirty=True)
    sink = plan.beside(cell, SINK)
    if sink is not None:
        tile = now[KITCHENS][kitchen][sink]
        put_tile(now, kitchen, sink, tile._replace(amount=tile.amount + 1))
    return None, None


def ordered(table: Table, now: Position, kitchen: Seat, dish: Sequence[Food]) -> int | None:
    """The index of the kitchen's first active order that the dish fills."""
    turn, fates = now[TURN], now[FATES][kitchen]
    for number, order in enumerate(table.orders[kitchen]):
        if (
            table.dishes[kitchen][number] == dish
            and order.created_turn <= turn <= order.expires_turn
            and fates[number].completed_turn is None
        ):
            return number
    return None


ACTIONS: Final[Mapping[str, Callable[[Table, Position, int, Cook, Command], Done]]] = {
    "pickup": pick_up,
    "place": place,
    "trash": throw_away,
    "buy": buy,
    "chop": chop,
    "start_cook": start_cook,
    "take_from_pan": take_from_pan,
    "take_clean_plate": take_clean_plate,
    "put_dirty_plate_in_sink": put_in_sink,
    "wash_sink": wash,
    "add_food_to_plate": add_to_plate,
    "submit": submit,
}
"""What spends a bot's action."""
