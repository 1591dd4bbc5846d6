"""A bot as a program: its command line, and the one match that it plays on a server.

Server and seat come from the arguments of `run`, else from the command line, else from BOTARENA_URL
and BOTARENA_TOKEN. Without a token a seat is taken in a lobby first."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from client_sdk.address import LOCAL, socket_url
from client_sdk.console import log_to_stderr
from client_sdk.errors import BadBot, BotGone, ConnectionLost, ServerRefused
from client_sdk.live import play

if TYPE_CHECKING:
    from client_sdk.link import LiveBot

OVER: Final = 0
"""Exit code: the match was played."""
BAD_BOT: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
LOST: Final = 4
INTERRUPTED: Final = 130

log = logging.getLogger("botarena")


def run(
    bot: LiveBot,
    url: str | None = None,
    token: str | None = None,
    argv: Sequence[str] | None = None,
) -> int:
    """Play one match; returns the exit code. `argv`: the command line after the program's name, by
    default the real one."""
    log_to_stderr()
    bot.name = bot.name or type(bot).__name__
    given = sys.argv[1:] if argv is None and url is None else list(argv or ())
    asked = _read(given) if given else Asked()
    url = url or asked.url or os.environ.get("BOTARENA_URL") or LOCAL
    token = token or asked.token or os.environ.get("BOTARENA_TOKEN")
    try:
        if asked.options:
            from client_sdk.options import set_options

            set_options(bot, dict(asked.options))
        if token is None:
            url, token = _join(bot, url, asked)
        play(bot, socket_url(url), token)
    except (BadBot, ValueError) as fault:
        log.error("%s", fault)
        return USAGE
    except ServerRefused as fault:
        log.error("the server refuses: %s", fault)
        return REFUSED
    except ConnectionLost as fault:
        log.error("%s", fault)
        return LOST
    except BotGone:
        return BAD_BOT
    except KeyboardInterrupt:
        log.info("interrupted; the seat stays taken until the server gives it up")
        return INTERRUPTED
    return OVER


def _join(bot: LiveBot, url: str, asked: Asked) -> tuple[str, str]:
    """Take a seat in a lobby; returns where to play and the token. Raises BadBot, ConnectionLost,
    ServerRefused."""
    from client_sdk.rest import RestClient

    game = asked.game or bot.game or os.environ.get("BOTARENA_GAME")
    if not game:
        raise BadBot("this bot plays any game: say which one with --game")
    with RestClient(url, key=asked.key or os.environ.get("BOTARENA_KEY")) as rest:
        seat = rest.join(
            asked.lobby, game, asked.name or bot.name, invite=asked.invite, password=asked.password
        )
    log.info("took seat %s in lobby %s of %s", seat["seat"], seat["lobby"], url)
    return seat["url"], seat["token"]


@dataclass
class Asked:
    """What a command line says: a field per option, hence their number."""

    url: str | None = None
    token: str | None = None
    lobby: str = "*"
    name: str | None = None
    game: str | None = None
    invite: str | None = None
    password: str | None = None
    key: str | None = None
    options: list[tuple[str, str]] = field(default_factory=list)
    verbose: bool = False


def _read(argv: Sequence[str]) -> Asked:
    """The command line of a bot's file. One that is wrong ends the program with status 2."""
    import argparse

    def option(pair: str) -> tuple[str, str]:
        name, equals, value = pair.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {pair!r}")
        return name, value

    parser = argparse.ArgumentParser(description="Play one match on a Botarena server.")
    add = parser.add_argument
    add("--url", help=f"the server, such as {LOCAL} (default: BOTARENA_URL, else that)")
    lobby = "id or name of a lobby, * for any open one (default), new for a new one"
    add("--lobby", help=lobby)
    add("--name", help="what the others see (default: the bot's own name)")
    add("--game", help="for bots that play any game")
    add("--invite", help="for a private lobby")
    add("--password", help="for a lobby that asks for one")
    add("--key", help="of your account (better: BOTARENA_KEY)")
    add("--token", help="a seat that is taken already (better: BOTARENA_TOKEN)")
    declared = "set an option that the bot declares"
    add("--set", dest="options", action="append", type=option, metavar="NAME=VALUE", help=declared)
    add("--verbose", action="store_true", help="log every turn")
    asked = parser.parse_args(argv, namespace=Asked())
    if asked.verbose:
        log.setLevel(logging.DEBUG)
    return asked
