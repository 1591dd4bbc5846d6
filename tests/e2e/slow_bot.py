"""A house bot that thinks for PACE_MS over every turn, so that its match is long enough to be
interrupted.

python -m tests.e2e.slow_bot GAME
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Any

from client_sdk.bot import Bot, house
from client_sdk.program import run

PACE_MS = 40


def slow(game: str, pace_ms: float = PACE_MS) -> Bot:
    bot = house(game, "greedy")
    decide = bot.decide

    def slowly(view: Any) -> Iterable[Any]:
        time.sleep(pace_ms / 1000)
        return decide(view)

    bot.decide = slowly
    return bot


if __name__ == "__main__":
    sys.exit(run(slow(sys.argv[1]), argv=[]))
