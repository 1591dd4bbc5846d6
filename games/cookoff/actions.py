"""The actions of bots: per command the checks in their order and the effect (RULES §6), and the
questions that ask the same.

A check is a code and the condition that must hold; the first that fails is the refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from games.cookoff.moves import may_switch, move
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
    Bot,
    Food,
    Item,
    Pan,
    Plate,
    State,
    Tile,
    active,
    changed,
    with_bot,
    with_tile,
)
from games.core.contract import Seat


class Command(NamedTuple):
    """One command, read. Which fields it has is said in `commands.ARGUMENTS`."""

    kind: str
    bot_id: int = -1
    x: int | None = None
    """None: the bot's own."""
    y: int | None = None
    dx: int = 0
    dy: int = 0
    item: str = ""
    reason: str = ""


class Deed(NamedTuple):
    """A bot about to act: what all checks and effects look at."""

    state: State
    bot_id: int
    bot: Bot
    hand: Item | None
    near: bool
    """The target is at most one cell away."""
    cell: int
    """The target, or OUTSIDE."""
    kind: TileKind
    tile: Tile
    item: str
    """The name of what is to be bought."""

    @property
    def rules(self) -> Rules:
        return self.state.plan.rules


OUTSIDE: Final = -1

Check: TypeAlias = tuple[str, Callable[[Deed], bool]]


def deed(state: State, bot_id: int, command: Command) -> Deed:
    """The bot and its target. Off the map there is no tile: the checks for range come before those
    that look at it."""
    plan, bot = state.plan, state.bots[bot_id]
    here = plan.xy(bot.cell)
    x = here[0] if command.x is None else command.x
    y = here[1] if command.y is None else command.y
    near = abs(x - here[0]) <= 1 and abs(y - here[1]) <= 1
    cell = plan.cell(x, y) if plan.inside(x, y) else OUTSIDE
    kind, tile = plan.kinds[cell], state.kitchens[bot.kitchen][cell]
    return Deed(state, bot_id, bot, bot.holding, near, cell, kind, tile, command.item)


def refusal(about: Deed, checks: tuple[Check, ...]) -> str | None:
    """The code of the first check that fails; None: all hold."""
    for code, holds in checks:
        if not holds(about):
            return code
    return None


# --- checks ---------------------------------------------------------------------------------------

RANGE: Final[tuple[Check, ...]] = (
    ("out_of_range", lambda deed: deed.near),
    ("out_of_bounds", lambda deed: deed.cell != OUTSIDE),
)

HANDS_FREE: Final[Check] = ("hands_full", lambda deed: deed.hand is None)
HANDS_HOLD: Final[Check] = ("hands_empty", lambda deed: deed.hand is not None)
ITEM_THERE: Final[Check] = ("nothing_there", lambda deed: deed.tile.item is not None)
SOME_THERE: Final[Check] = ("nothing_there", lambda deed: deed.tile.amount > 0)
FOOD_THERE: Final[Check] = ("nothing_there", lambda deed: isinstance(deed.tile.item, Food))
PAN_FOOD_THERE: Final[Check] = ("nothing_there", lambda deed: holds_food(deed.tile.item))
DIRTY_IN_HAND: Final[Check] = (
    "no_dirty_plate",
    lambda deed: isinstance(deed.hand, Plate) and deed.hand.dirty,
)
CLEAN_IN_HAND: Final[Check] = (
    "no_clean_plate",
    lambda deed: isinstance(deed.hand, Plate) and not deed.hand.dirty,
)


def on(kind: TileKind) -> Check:
    return "wrong_tile", lambda deed: deed.kind is kind


def holds_food(pan: Item | None) -> bool:
    return isinstance(pan, Pan) and pan.food is not None


def can_be_placed(deed: Deed) -> bool:
    return deed.kind.placeable or deed.rules.placement == "anywhere"


def can_be_chopped(deed: Deed) -> bool:
    item = deed.tile.item
    return not isinstance(item, Food) or FOODS[item.name].can_chop


def can_be_cooked(deed: Deed) -> bool:
    return isinstance(deed.hand, Food) and FOODS[deed.hand.name].can_cook


def is_chopped_enough(deed: Deed) -> bool:
    food = deed.hand
    return not (
        deed.rules.require_chop_before_cook
        and isinstance(food, Food)
        and FOODS[food.name].can_chop
        and not food.chopped
    )


def matching_order(deed: Deed) -> int | None:
    """The place in the kitchen's list of the first active order that the dish in hand fills (RULES
    §5.2)."""
    state, kitchen = deed.state, deed.bot.kitchen
    dish = tuple(sorted(deed.hand.foods)) if isinstance(deed.hand, Plate) else None
    for place, (order, fate) in enumerate(
        zip(state.orders[kitchen], state.fates[kitchen], strict=True)
    ):
        if active(order, fate, state.turn) and order.dish == dish:
            return place
    return None


COOKING: Final[tuple[Check, ...]] = (
    ("no_pan", lambda deed: isinstance(deed.tile.item, Pan)),
    ("pan_full", lambda deed: not holds_food(deed.tile.item)),
    ("not_cookable", can_be_cooked),
    ("not_chopped", is_chopped_enough),
)


# --- effects --------------------------------------------------------------------------------------


def done(deed: Deed, *, hand: Item | None, tile: Tile | None = None, **changes: Any) -> State:
    """The state with this in the bot's hand, and the target's tile replaced."""
    state = deed.state
    if tile is not None:
        changes["kitchens"] = with_tile(state, deed.bot.kitchen, deed.cell, tile)
    return state._replace(
        bots=with_bot(state, deed.bot_id, deed.bot._replace(holding=hand)), **changes
    )


def heat(rules: Rules, food: Food | None) -> int:
    """Where cooking starts: at the beginning of the food's stage, so partial progress is lost
    (RULES §5.1)."""
    return (
        0
        if food is None
        else {RAW: 0, COOKED: rules.cook_progress, BURNT: rules.burn_progress}[food.stage]
    )


def one_less(tile: Tile) -> Tile:
    """A box without one of its items."""
    return tile._replace(amount=tile.amount - 1) if tile.amount > 1 else BARE


def taken(deed: Deed) -> Tile:
    """The tile without the item that leaves it; a stack has more of the kind."""
    return one_less(deed.tile) if deed.kind is BOX else deed.tile._replace(item=None)


def pick_up(deed: Deed) -> State:
    return done(deed, hand=deed.tile.item, tile=taken(deed))


def lay(deed: Deed) -> State:
    return done(deed, hand=None, tile=deed.tile._replace(item=deed.hand))


def stack(deed: Deed) -> State:
    return done(deed, hand=None, tile=Tile(deed.hand, deed.tile.amount + 1))


def swap_pans(deed: Deed) -> State:
    assert isinstance(deed.hand, Pan)
    return done(deed, hand=deed.tile.item, tile=Tile(deed.hand, heat(deed.rules, deed.hand.food)))


def cook(deed: Deed) -> State:
    assert isinstance(deed.hand, Food)
    return done(deed, hand=None, tile=Tile(Pan(deed.hand), heat(deed.rules, deed.hand)))


def throw_away(deed: Deed) -> State:
    """The food vanishes; a plate or a pan stays in hand, empty and clean."""
    return done(deed, hand=None if isinstance(deed.hand, Food) else type(deed.hand)())  # type: ignore[misc]


def buy(deed: Deed) -> State:
    """Always with the money of the bot's own team."""
    team, money = deed.bot.team, deed.state.money
    return done(
        deed, hand=GOODS[deed.item], money=changed(money, team, money[team] - PRICES[deed.item])
    )


GOODS: Final[dict[str, Item]] = {
    "PLATE": Plate(),
    "PAN": Pan(),
    **{name: Food(name) for name in FOODS},
}
"""What the shop hands out."""


def chop(deed: Deed) -> State:
    assert isinstance(deed.tile.item, Food)
    return done(
        deed, hand=None, tile=deed.tile._replace(item=deed.tile.item._replace(chopped=True))
    )


def take_from_pan(deed: Deed) -> State:
    assert isinstance(deed.tile.item, Pan)
    return done(deed, hand=deed.tile.item.food, tile=Tile(Pan()))


def take_clean_plate(deed: Deed) -> State:
    return done(deed, hand=Plate(), tile=deed.tile._replace(amount=deed.tile.amount - 1))


def put_in_sink(deed: Deed) -> State:
    return done(deed, hand=None, tile=deed.tile._replace(amount=deed.tile.amount + 1))


def wash(deed: Deed) -> State:
    """It takes effect in the next tick."""
    return done(deed, hand=deed.hand, tile=deed.tile._replace(using=True))


def take_onto_plate(deed: Deed) -> State:
    """Food from the tile onto the plate in hand; from a box one unit."""
    assert isinstance(deed.hand, Plate)
    assert isinstance(deed.tile.item, Food)
    return done(deed, hand=Plate(foods=(*deed.hand.foods, deed.tile.item)), tile=taken(deed))


def put_onto_plate(deed: Deed) -> State:
    """Food from the hand onto the plate on the tile."""
    assert isinstance(deed.hand, Food)
    assert isinstance(deed.tile.item, Plate)
    return done(
        deed,
        hand=None,
        tile=deed.tile._replace(item=Plate(foods=(*deed.tile.item.foods, deed.hand))),
    )


def submit(deed: Deed) -> State:
    """The kitchen's order is filled, and its team is paid; the plate becomes a dirty one in a sink
    (RULES §5.2, §5.3)."""
    state, kitchen, place = deed.state, deed.bot.kitchen, matching_order(deed)
    assert place is not None
    fates = state.fates[kitchen]
    fate = fates[place]._replace(completed_turn=state.turn, claimed_by=deed.bot_id)
    sink = state.plan.beside(deed.cell, SINK)
    kitchens = state.kitchens
    if sink is not None:
        tile = kitchens[kitchen][sink]
        kitchens = with_tile(state, kitchen, sink, tile._replace(amount=tile.amount + 1))
    return done(
        deed,
        hand=None,
        kitchens=kitchens,
        money=changed(
            state.money, kitchen, state.money[kitchen] + state.orders[kitchen][place].reward
        ),
        fates=changed(state.fates, kitchen, (*fates[:place], fate, *fates[place + 1 :])),
    )


# --- the commands ---------------------------------------------------------------------------------


class Way(NamedTuple):
    """Checks in their order; then the effect, or the way that goes on from here."""

    checks: tuple[Check, ...]
    then: Callable[[Deed], State | Way]


def carry_out(about: Deed, way: Way) -> State | str:
    """What follows, or the code of the refusal."""
    while True:
        code = refusal(about, way.checks)
        if code is not None:
            return code
        follows = way.then(about)
        if not isinstance(follows, Way):
            return follows
        way = follows


def refused_always(code: str) -> Way:
    return Way(((code, lambda deed: False),), lambda deed: deed.state)


ON_COOKER: Final[dict[type, Way]] = {
    Pan: Way((("cooker_busy", lambda deed: not holds_food(deed.tile.item)),), swap_pans),
    Food: Way(COOKING, cook),
    Plate: refused_always("not_placeable"),
}
INTO_BOX: Final = Way((("box_mismatch", lambda deed: deed.tile.item in (None, deed.hand)),), stack)
ELSEWHERE: Final = Way((("tile_occupied", lambda deed: deed.tile.item is None),), lay)

PLATE_IN_HAND: Final = Way(
    (
        ("plate_dirty", lambda deed: not deed.hand.dirty),  # type: ignore[union-attr]
        FOOD_THERE,
    ),
    take_onto_plate,
)
PLATE_ON_TILE: Final = Way(
    (
        ("plate_dirty", lambda deed: not deed.tile.item.dirty),  # type: ignore[union-attr]
        ("box_stack", lambda deed: deed.tile.amount <= 1),
    ),
    put_onto_plate,
)
NO_PLATE: Final = refused_always("bad_combination")


def placing(deed: Deed) -> Way:
    """What putting something down means, by the tile."""
    if deed.kind is COOKER:
        return ON_COOKER[type(deed.hand)]
    return INTO_BOX if deed.kind is BOX else ELSEWHERE


def plating(deed: Deed) -> Way:
    """Which of the two, hand or tile, holds the plate."""
    if isinstance(deed.hand, Plate):
        return PLATE_IN_HAND
    return (
        PLATE_ON_TILE
        if isinstance(deed.hand, Food) and isinstance(deed.tile.item, Plate)
        else NO_PLATE
    )


BUYING: Final[tuple[Check, ...]] = (
    *RANGE,
    on(SHOP),
    HANDS_FREE,
    ("unknown_item", lambda deed: deed.item in PRICES),
    ("no_money", lambda deed: deed.state.money[deed.bot.team] >= PRICES[deed.item]),
)
START_COOKING: Final[tuple[Check, ...]] = (*RANGE, on(COOKER), *COOKING)
SUBMITTING: Final[tuple[Check, ...]] = (*RANGE, on(SUBMIT), CLEAN_IN_HAND)

ACTIONS: Final[dict[str, Way]] = {
    "pickup": Way((HANDS_FREE, *RANGE, ITEM_THERE), pick_up),
    "place": Way((HANDS_HOLD, *RANGE, ("not_placeable", can_be_placed)), placing),
    "trash": Way((HANDS_HOLD, *RANGE, on(TRASH)), throw_away),
    "buy": Way(BUYING, buy),
    "chop": Way(
        (*RANGE, on(COUNTER), HANDS_FREE, ("not_choppable", can_be_chopped), FOOD_THERE), chop
    ),
    "start_cook": Way(START_COOKING, cook),
    "take_from_pan": Way((HANDS_FREE, *RANGE, on(COOKER), PAN_FOOD_THERE), take_from_pan),
    "take_clean_plate": Way((HANDS_FREE, *RANGE, on(SINKTABLE), SOME_THERE), take_clean_plate),
    "put_dirty_plate_in_sink": Way((DIRTY_IN_HAND, *RANGE, on(SINK)), put_in_sink),
    "wash_sink": Way((*RANGE, on(SINK), SOME_THERE), wash),
    "add_food_to_plate": Way(RANGE, plating),
    "submit": Way(
        (*SUBMITTING, ("no_matching_order", lambda deed: matching_order(deed) is not None)), submit
    ),
}
"""What spends a bot's action."""


# --- the questions --------------------------------------------------------------------------------


def can_move(state: State, bot_id: int, command: Command) -> bool:
    return not isinstance(move(state, bot_id, command.dx, command.dy), str)


def asking(checks: tuple[Check, ...]) -> Callable[[State, int, Command], bool]:
    """A question that is answered by these checks."""
    return lambda state, bot_id, command: refusal(deed(state, bot_id, command), checks) is None


QUESTIONS: Final[dict[str, Callable[[State, int, Command], bool]]] = {
    "can_move": can_move,
    "can_buy": asking(BUYING),
    "can_start_cook": asking(START_COOKING),
    "can_submit": asking(SUBMITTING),
}
"""What a bot may ask about itself, whatever is left of its budgets."""


def answer(state: State, seat: Seat, command: Command) -> bool:
    """The answer to a question; False for a bot that is unknown or another team's."""
    if command.kind == "can_switch_maps":
        return may_switch(state, seat)
    own = 0 <= command.bot_id < len(state.bots) and state.bots[command.bot_id].team == seat
    return own and QUESTIONS[command.kind](state, command.bot_id, command)
