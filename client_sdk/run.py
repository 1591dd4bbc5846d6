"""The program that plays any bot: `python -m client_sdk.run WORD`. WORD is a file, `GAME/NAME` for
a house bot, or what `client_sdk.local.players` reads."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from client_sdk.api.adapters import FILES
from client_sdk.bot import Bot, house, load
from client_sdk.console import UserError, log_to_stderr
from client_sdk.errors import BadBot
from client_sdk.live import play
from client_sdk.local.lookup import game_called
from client_sdk.local.players import is_prefixed, opened, player_spec
from client_sdk.program import (
    BAD_BOT,
    INTERRUPTED,
    LOST,
    OVER,
    REFUSED,
    USAGE,
    run,
)

__all__ = ["BAD_BOT", "INTERRUPTED", "LOST", "OVER", "REFUSED", "USAGE", "main", "play", "run"]

log = logging.getLogger("botarena")


def main(argv: Sequence[str] | None = None) -> int:
    """`FILE`, `GAME/HOUSEBOT` or `--house GAME HOUSEBOT`, then what a bot's file takes. Returns
    the exit code."""
    log_to_stderr()
    given = list(sys.argv[1:] if argv is None else argv)
    with ExitStack() as stack:
        try:
            if given[:1] == ["--house"] and len(given) >= 3:
                bot, rest = house(given[1], given[2]), given[3:]
            elif given and not given[0].startswith("-"):
                bot, rest = _named(given[0], stack), given[1:]
            else:
                which = "FILE | GAME/HOUSEBOT | lines:COMMAND | --house GAME HOUSEBOT"
                log.error("usage: python -m client_sdk.run %s [options]", which)
                return USAGE
        except (BadBot, UserError) as fault:
            log.error("%s", fault)
            return BAD_BOT
        return run(bot, argv=rest)


def _named(what: str, stack: ExitStack) -> Bot:
    """Raises BadBot, UserError."""
    if is_prefixed(what):
        chosen = game_called(os.environ.get("BOTARENA_GAME", ""))
        return stack.enter_context(
            opened(chosen, player_spec(chosen.name, what), sys.stderr.buffer)
        )
    game, slash, name = what.partition("/")
    if what.endswith(FILES) or not slash:
        return load(what, os.environ.get("BOTARENA_GAME"))
    return house(game, name)


if __name__ == "__main__":
    sys.exit(main())
