"""The commands that a seat may send now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.botstack.advance import TARGETS
from games.botstack.commands import ABSTAIN, ITEM, SHOOT
from games.botstack.rules import Rules
from games.botstack.state import Phase, State
from games.core.contract import Json, Seat


def legal(state: State, seat: Seat) -> list[Json]:
    """All answers to the open decision, for the seat that owns it. Not listed: a resignation."""
    return ANSWERS[state.phase](state.rules) if seat == state.acting else []


def _abstain(rules: Rules) -> list[Json]:
    return [{"type": ABSTAIN, "value": value} for value in (False, True)]


def _item(rules: Rules) -> list[Json]:
    return [{"type": ITEM, "slot": slot} for slot in range(rules.item_slots + 1)]


def _shoot(rules: Rules) -> list[Json]:
    return [{"type": SHOOT, "target": target} for target in TARGETS]


ANSWERS: Final[dict[Phase, Callable[[Rules], list[Json]]]] = {
    "abstain_request": _abstain,
    "abstain_reply": _abstain,
    "item": _item,
    "shoot": _shoot,
}
