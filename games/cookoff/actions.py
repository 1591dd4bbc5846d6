"""The actions of bots: per command the checks in their order and the effect (RULES §6), and the
questions that ask the same.

An action changes a position. It returns the code of its refusal, and what the bot holds then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from games.cookoff.moves import may_switch, move
from games.cookoff.position import (
    CELL,
    FATES,
    HOLDING,
    KITCHEN,
    KITCHENS,
    MONEY,
    ORDERS,
    PLAN,
    TEAM,
    TURN,
    Cook,
    Position,
    changed,
)
from games.cookoff.rules import (
    BOX,
    BURNT,
    COOKED,
    COOKER,
    COUNTER,
    FOODS,
    PRICES,
    RAW,
    SHOP,
    SINK,
    SINKTABLE,
    SUBMIT,
    TRASH,
    Rules,
    TileKind,
)
from games.cookoff.state import (
    BARE,
    Fate,
    Food,
    Item,
    Pan,
    Plate,
    State,
    Tile,
    active_orders,
)
from games.core.contract import Seat


class Command(NamedTuple):
    """One command, read; `commands.NEEDS` and `commands.MAY_HAVE` list its fields."""

    kind: str
    bot_id: int = -1
    x: int | None = None
    """None: the bot's own."""
    y: int | None = None
    dx: int = 0
    dy: int = 0
    item: str = ""
    reason: str = ""


Done: TypeAlias = tuple[str | None, Item | None]
"""The code of a refusal, and what is in the hand."""

Action: TypeAlias = Callable[[Position, Cook, Command], Done]

GOODS: Final[dict[str, Item]] = {
    "PLATE": Plate(),
    "PAN": Pan(),
    **{name: Food(name) for name in FOODS},
}
"""What the shop hands out."""

NO_ORDER: Final = "no_matching_order"


def heat(rules: Rules, food: Food | None) -> int:
    """Where cooking starts: at the beginning of the food's stage (RULES §5.1)."""
    if food is None:
        return 0
    return {RAW: 0, COOKED: rules.cook_progress, BURNT: rules.burn_progress}[food.stage]


def reached(now: Position, bot: Cook, command: Command) -> int | str:
    """The target's cell, or the code of what is wrong with it."""
    plan = now[PLAN]
    here_x, here_y = divmod(bot[CELL], plan.height)
    x = here_x if command.x is None else command.x
    y = here_y if command.y is None else command.y
    if not (-1 <= x - here_x <= 1 and -1 <= y - here_y <= 1):
        return "out_of_range"
    return x * plan.height + y if plan.inside(x, y) else "out_of_bounds"


def reached_kind(now: Position, bot: Cook, command: Command, kind: TileKind) -> int | str:
    """The same, for a target that has to be of this kind."""
    cell = reached(now, bot, command)
    if isinstance(cell, int) and now[PLAN].kinds[cell] is not kind:
        return "wrong_tile"
    return cell


def put_tile(now: Position, kitchen: Seat, cell: int, tile: Tile) -> None:
    """Replace a tile."""
    tiles = list(now[KITCHENS][kitchen])
    tiles[cell] = tile
    now[KITCHENS] = changed(now[KITCHENS], kitchen, tuple(tiles))


def without_item(now: Position, cell: int, tile: Tile) -> Tile:
    """The tile without the item that leaves it; a box has more of the kind."""
    if now[PLAN].kinds[cell] is not BOX:
        return tile._replace(item=None)
    return tile._replace(amount=tile.amount - 1) if tile.amount > 1 else BARE


def pick_up(now: Position, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached(now, bot, command)
    if isinstance(cell, str):
        return cell, None
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.item is None:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, without_item(now, cell, tile))
    return None, tile.item


def place(now: Position, bot: Cook, command: Command) -> Done:
    hand, plan = bot[HOLDING], now[PLAN]
    if hand is None:
        return "hands_empty", None
    cell = reached(now, bot, command)
    if isinstance(cell, str):
        return cell, hand
    kind, tile = plan.kinds[cell], now[KITCHENS][bot[KITCHEN]][cell]
    if not kind.placeable and plan.rules.placement != "anywhere":
        return "not_placeable", hand
    if kind is COOKER:
        return put_on_cooker(now, bot, cell, tile)
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


def put_on_cooker(now: Position, bot: Cook, cell: int, tile: Tile) -> Done:
    hand = bot[HOLDING]
    if isinstance(hand, Food):
        return put_in_pan(now, bot, cell, tile)
    if isinstance(hand, Plate):
        return "not_placeable", hand
    if isinstance(tile.item, Pan) and tile.item.food is not None:
        return "cooker_busy", hand
    assert isinstance(hand, Pan)
    put_tile(now, bot[KITCHEN], cell, Tile(hand, heat(now[PLAN].rules, hand.food)))
    return None, tile.item


def put_in_pan(now: Position, bot: Cook, cell: int, tile: Tile) -> Done:
    """The checks and the effect of cooking what the bot holds."""
    hand, rules = bot[HOLDING], now[PLAN].rules
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


def throw_away(now: Position, bot: Cook, command: Command) -> Done:
    """The food vanishes; a plate or a pan stays in hand, empty and clean."""
    hand = bot[HOLDING]
    if hand is None:
        return "hands_empty", None
    cell = reached_kind(now, bot, command, TRASH)
    if isinstance(cell, str):
        return cell, hand
    if isinstance(hand, Food):
        return None, None
    return None, Plate() if isinstance(hand, Plate) else Pan()


def buy(now: Position, bot: Cook, command: Command) -> Done:
    """Always with the money of the bot's own team."""
    hand, team = bot[HOLDING], bot[TEAM]
    cell = reached_kind(now, bot, command, SHOP)
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


def chop(now: Position, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    cell = reached_kind(now, bot, command, COUNTER)
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


def start_cook(now: Position, bot: Cook, command: Command) -> Done:
    cell = reached_kind(now, bot, command, COOKER)
    if isinstance(cell, str):
        return cell, bot[HOLDING]
    return put_in_pan(now, bot, cell, now[KITCHENS][bot[KITCHEN]][cell])


def take_from_pan(now: Position, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached_kind(now, bot, command, COOKER)
    if isinstance(cell, str):
        return cell, None
    pan = now[KITCHENS][bot[KITCHEN]][cell].item
    if not isinstance(pan, Pan) or pan.food is None:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, Tile(Pan()))
    return None, pan.food


def take_clean_plate(now: Position, bot: Cook, command: Command) -> Done:
    if bot[HOLDING] is not None:
        return "hands_full", bot[HOLDING]
    cell = reached_kind(now, bot, command, SINKTABLE)
    if isinstance(cell, str):
        return cell, None
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.amount <= 0:
        return "nothing_there", None
    put_tile(now, bot[KITCHEN], cell, tile._replace(amount=tile.amount - 1))
    return None, Plate()


def put_in_sink(now: Position, bot: Cook, command: Command) -> Done:
    hand = bot[HOLDING]
    if not isinstance(hand, Plate) or not hand.dirty:
        return "no_dirty_plate", hand
    cell = reached_kind(now, bot, command, SINK)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    put_tile(now, bot[KITCHEN], cell, tile._replace(amount=tile.amount + 1))
    return None, None


def wash(now: Position, bot: Cook, command: Command) -> Done:
    """It takes effect in the next tick."""
    hand = bot[HOLDING]
    cell = reached_kind(now, bot, command, SINK)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if tile.amount <= 0:
        return "nothing_there", hand
    put_tile(now, bot[KITCHEN], cell, tile._replace(using=True))
    return None, hand


def add_to_plate(now: Position, bot: Cook, command: Command) -> Done:
    """Food from the tile, of a box one unit, onto the plate in hand; or from the hand onto the
    plate on the tile."""
    hand = bot[HOLDING]
    cell = reached(now, bot, command)
    if isinstance(cell, str):
        return cell, hand
    tile = now[KITCHENS][bot[KITCHEN]][cell]
    if isinstance(hand, Plate):
        if hand.dirty:
            return "plate_dirty", hand
        if not isinstance(tile.item, Food):
            return "nothing_there", hand
        put_tile(now, bot[KITCHEN], cell, without_item(now, cell, tile))
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


def submit(now: Position, bot: Cook, command: Command) -> Done:
    """The kitchen's first active order that wants the dish is filled, and its team is paid; the
    plate becomes a dirty one, in a sink or in the hand (RULES §5.2, §5.3)."""
    hand, kitchen, plan = bot[HOLDING], bot[KITCHEN], now[PLAN]
    cell = reached_kind(now, bot, command, SUBMIT)
    if isinstance(cell, str):
        return cell, hand
    if not isinstance(hand, Plate) or hand.dirty:
        return "no_clean_plate", hand
    dish, orders, fates = tuple(sorted(hand.foods)), now[ORDERS][kitchen], now[FATES][kitchen]
    active = active_orders(orders, fates, now[TURN])
    number = next((one for one in active if orders[one].dish == dish), None)
    if number is None:
        return NO_ORDER, hand
    fate = Fate(now[TURN], command.bot_id, fates[number].penalized)
    fates = (*fates[:number], fate, *fates[number + 1 :])
    now[MONEY] = changed(now[MONEY], kitchen, now[MONEY][kitchen] + orders[number].reward)
    now[FATES] = changed(now[FATES], kitchen, fates)
    if plan.rules.submitted_plate == "hand":
        return None, Plate(dirty=True)
    sink = plan.beside(cell, SINK)
    if sink is not None:
        tile = now[KITCHENS][kitchen][sink]
        put_tile(now, kitchen, sink, tile._replace(amount=tile.amount + 1))
    return None, None


ACTIONS: Final[Mapping[str, Action]] = {
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


# --- the questions --------------------------------------------------------------------------------

QUESTIONS: Final[Mapping[str, Action]] = {
    "can_buy": buy,
    "can_start_cook": start_cook,
    "can_submit": submit,
}
"""The action that a bot asks about, whatever is left of its budgets."""


def answer(state: State, seat: Seat, command: Command) -> bool:
    """The answer to a question; False for a bot that is unknown or another team's. Whether an order
    wants the dish is not asked."""
    if command.kind == "can_switch_maps":
        return may_switch([*state], seat)
    if not (0 <= command.bot_id < len(state.bots) and state.bots[command.bot_id].team == seat):
        return False
    now, bot = [*state], state.bots[command.bot_id]
    if command.kind == "can_move":
        return move(now, bot, command.dx, command.dy)[1] is None
    return QUESTIONS[command.kind](now, bot, command)[0] in (None, NO_ORDER)
