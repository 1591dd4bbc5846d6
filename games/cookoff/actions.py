"""The actions of bots: per command the checks in their order and the effect (RULES §6), and the
questions that ask the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from games.cookoff.checks import (
    CHOPPABLE,
    CLEAN_IN_HAND,
    COOKING,
    DIRTY_IN_HAND,
    FOOD_THERE,
    HANDS_FREE,
    HANDS_HOLD,
    ITEM_THERE,
    ORDERED,
    PAN_FOOD_THERE,
    PLACEABLE,
    RANGE,
    SOME_THERE,
    Check,
    holds_food,
    holds_plate,
    on,
    refusal,
)
from games.cookoff.deed import Command, Deed, deed
from games.cookoff.effects import (
    buy,
    chop,
    cook,
    lay,
    pick_up,
    put_in_sink,
    put_onto_plate,
    stack,
    submit,
    swap_pans,
    take_clean_plate,
    take_from_pan,
    take_onto_plate,
    throw_away,
    wash,
)
from games.cookoff.moves import may_switch, move
from games.cookoff.rules import (
    BOX,
    COOKER,
    COUNTER,
    PRICES,
    SHOP,
    SINK,
    SINKTABLE,
    SUBMIT,
    TRASH,
)
from games.cookoff.state import Food, Pan, Plate, State
from games.core.contract import Seat


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
    (("plate_dirty", lambda deed: holds_plate(deed, dirty=False)), FOOD_THERE), take_onto_plate
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
    onto_tile = isinstance(deed.hand, Food) and isinstance(deed.tile.item, Plate)
    return PLATE_ON_TILE if onto_tile else NO_PLATE


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
    "place": Way((HANDS_HOLD, *RANGE, PLACEABLE), placing),
    "trash": Way((HANDS_HOLD, *RANGE, on(TRASH)), throw_away),
    "buy": Way(BUYING, buy),
    "chop": Way((*RANGE, on(COUNTER), HANDS_FREE, CHOPPABLE, FOOD_THERE), chop),
    "start_cook": Way(START_COOKING, cook),
    "take_from_pan": Way((HANDS_FREE, *RANGE, on(COOKER), PAN_FOOD_THERE), take_from_pan),
    "take_clean_plate": Way((HANDS_FREE, *RANGE, on(SINKTABLE), SOME_THERE), take_clean_plate),
    "put_dirty_plate_in_sink": Way((DIRTY_IN_HAND, *RANGE, on(SINK)), put_in_sink),
    "wash_sink": Way((*RANGE, on(SINK), SOME_THERE), wash),
    "add_food_to_plate": Way(RANGE, plating),
    "submit": Way((*SUBMITTING, ORDERED), submit),
}
"""What spends a bot's action."""


# --- the questions --------------------------------------------------------------------------------


def can_move(state: State, bot_id: int, command: Command) -> bool:
    return move(state, state.bots[bot_id], command.dx, command.dy)[1] is None


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
