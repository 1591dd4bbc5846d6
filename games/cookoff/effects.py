"""The effects of actions: the state after one whose checks all hold (RULES §5, §6)."""

from __future__ import annotations

from typing import Any, Final

from games.cookoff.checks import matching_order
from games.cookoff.deed import Deed
from games.cookoff.rules import BOX, BURNT, COOKED, FOODS, PRICES, RAW, SINK, Rules
from games.cookoff.state import (
    BARE,
    Food,
    Item,
    Pan,
    Plate,
    State,
    Tile,
    changed,
    with_bot,
    with_tile,
)


def done(deed: Deed, *, hand: Item | None, tile: Tile | None = None, **changes: Any) -> State:
    """The state with this in the bot's hand, and the target's tile replaced."""
    state = deed.state
    if tile is not None:
        changes["kitchens"] = with_tile(state, deed.bot.kitchen, deed.cell, tile)
    bots = with_bot(state, deed.bot_id, deed.bot._replace(holding=hand))
    return state._replace(bots=bots, **changes)


def heat(rules: Rules, food: Food | None) -> int:
    """Where cooking starts: at the beginning of the food's stage (RULES §5.1)."""
    if food is None:
        return 0
    return {RAW: 0, COOKED: rules.cook_progress, BURNT: rules.burn_progress}[food.stage]


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
    left = money[team] - PRICES[deed.item]
    return done(deed, hand=GOODS[deed.item], money=changed(money, team, left))


GOODS: Final[dict[str, Item]] = {
    "PLATE": Plate(),
    "PAN": Pan(),
    **{name: Food(name) for name in FOODS},
}
"""What the shop hands out."""


def chop(deed: Deed) -> State:
    assert isinstance(deed.tile.item, Food)
    chopped = deed.tile.item._replace(chopped=True)
    return done(deed, hand=None, tile=deed.tile._replace(item=chopped))


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
    plate = Plate(foods=(*deed.tile.item.foods, deed.hand))
    return done(deed, hand=None, tile=deed.tile._replace(item=plate))


def submit(deed: Deed) -> State:
    """The kitchen's order is filled, and its team is paid; the plate becomes a dirty one, in a sink
    or in the hand (RULES §5.2, §5.3)."""
    state, kitchen, place = deed.state, deed.bot.kitchen, matching_order(deed)
    assert place is not None
    fates = state.fates[kitchen]
    fate = fates[place]._replace(completed_turn=state.turn, claimed_by=deed.bot_id)
    paid = state.money[kitchen] + state.orders[kitchen][place].reward
    kept = deed.rules.submitted_plate == "hand"
    sink = None if kept else state.plan.beside(deed.cell, SINK)
    kitchens = state.kitchens
    if sink is not None:
        tile = kitchens[kitchen][sink]
        kitchens = with_tile(state, kitchen, sink, tile._replace(amount=tile.amount + 1))
    return done(
        deed,
        hand=Plate(dirty=True) if kept else None,
        kitchens=kitchens,
        money=changed(state.money, kitchen, paid),
        fates=changed(state.fates, kitchen, (*fates[:place], fate, *fates[place + 1 :])),
    )
