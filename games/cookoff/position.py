"""A state while the rules write into it, on plain lists and tuples for speed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from games.cookoff.rules import BLUE, RED
from games.cookoff.state import Bot, State
from games.core.contract import Seat

Position: TypeAlias = list[Any]
"""The fields of a state in their order, private to one verb: what the rules write into."""
(
    PLAN,
    ORDERS,
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
) = range(14)

Cook: TypeAlias = tuple[Any, ...]
"""The fields of a `Bot` in their order, as the rules write them: a plain tuple takes half the
time."""
TEAM, KITCHEN, CELL, HOLDING, MOVED, ACTED = range(6)


def changed(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    """The two values, with one of them replaced."""
    return (value, pair[BLUE]) if seat == RED else (pair[RED], value)


def state_of(now: Position) -> State:
    """A state in this position."""
    bots = tuple([bot if type(bot) is Bot else Bot(*bot) for bot in now[BOTS]])
    return _as_state((*now[:BOTS], bots, *now[BOTS + 1 :]))


_as_state: Final[Callable[[tuple[Any, ...]], State]] = partial(tuple.__new__, State)
"""A state of all its fields in their order, in half the time that `State` takes."""
