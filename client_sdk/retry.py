"""When a client tries again to reach a server: one policy for bots, viewers and the command line.

While the server holds a seat for a limited time (the grace), attempts are frequent: each waits
about a tenth of the time that the connection has been gone. Without a grace they back off up to
LONGEST_S. Both are jittered, so that clients of one server do not return at the same moment."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, TypeAlias

FIRST_S: Final = 0.05
"""Grace: the longest wait before the first attempt."""
SHORTEST_S: Final = 0.2
SHARE: Final = 0.1
"""Grace: the longest wait, as a share of the time that the connection has been gone."""
IN_GRACE_S: Final = 1.0
END: Final = 0.25
"""Grace: the longest wait, as a share of the time left, so that the last moments are used."""
GENTLE_S: Final = 0.5
"""No grace: the longest wait before the first attempt."""
LONGEST_S: Final = 5.0

Delay: TypeAlias = Callable[[int, float, float | None], float]
"""Takes what `delay_s` takes, but for the chance."""


def delay_s(attempt: int, gone_s: float, grace_s: float | None, chance: float) -> float:
    """How long to wait before this attempt (from 0), seconds.

    `gone_s`: since the connection was lost. `grace_s`: how long the server holds the seat from that
    moment on; None: it holds nothing. `chance`: 0 to 1, drawn for each attempt."""
    if grace_s is None or gone_s >= grace_s:
        return min(LONGEST_S, max(GENTLE_S, gone_s)) * chance
    if attempt == 0:
        return FIRST_S * chance
    longest = min(
        max(SHORTEST_S, SHARE * gone_s), IN_GRACE_S, max(FIRST_S, END * (grace_s - gone_s))
    )
    return longest * (1 + chance) / 2


def jittered() -> Delay:
    """`delay_s` with a generator of its own: the global one belongs to the bot."""
    chance = random.Random()  # noqa: S311  no secret
    return lambda attempt, gone_s, grace_s: delay_s(attempt, gone_s, grace_s, chance.random())
