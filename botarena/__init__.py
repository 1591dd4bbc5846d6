"""Botarena for Python programs: play matches, verify records, write and load bots.

    import botarena

    result = botarena.play("pyrat", "mybot.py", "greedy", seed=1)
    print(result.outcome["winner"], result.turns)

The base class and the types of each game are in a module of its name:

    from botarena.pyrat import Bot, Direction

Every exception that is meant to be caught is a `BotarenaError`. Names are imported when they are
first used.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Final

_ROOT: Final = Path(__file__).resolve().parents[1]


def _check_not_hidden() -> None:
    """Raises ImportError if another module on `sys.path` hides one of our packages."""
    for name in ("client_sdk", "games"):
        found = sys.modules.get(name)
        spec = PathFinder.find_spec(name) if found is None else found.__spec__
        places = [] if spec is None else [spec.origin, *(spec.submodule_search_locations or ())]
        files = [Path(place).resolve() for place in places if place is not None]
        if files and not any(file.is_relative_to(_ROOT / name) for file in files):
            text = (
                f"{files[0]} hides the package {name!r} that botarena is made of: give it another "
                "name"
            )
            raise ImportError(text, name=name, path=str(files[0]))


_check_not_hidden()

if TYPE_CHECKING:
    from botarena._play import Result, play
    from client_sdk.base import Bot
    from client_sdk.errors import BadBot, ConnectionLost, ServerRefused
    from client_sdk.headless import play_headless
    from client_sdk.loading import house as house_bot
    from client_sdk.loading import load as load_bot
    from client_sdk.local.records import verify
    from client_sdk.moment import Moment
    from client_sdk.start import Start
    from games.core.contract import BadSetup, Game, Rejected
    from games.core.errors import BotarenaError
    from games.core.match import Match
    from games.core.rerun import Verdict
    from games.every import GAMES

_HOMES: Final = {
    "GAMES": ("games.every", "GAMES"),
    "BadBot": ("client_sdk.errors", "BadBot"),
    "BadSetup": ("games.core.contract", "BadSetup"),
    "Bot": ("client_sdk.base", "Bot"),
    "BotarenaError": ("games.core.errors", "BotarenaError"),
    "ConnectionLost": ("client_sdk.errors", "ConnectionLost"),
    "Game": ("games.core.contract", "Game"),
    "Match": ("games.core.match", "Match"),
    "Moment": ("client_sdk.moment", "Moment"),
    "Rejected": ("games.core.contract", "Rejected"),
    "Result": ("botarena._play", "Result"),
    "ServerRefused": ("client_sdk.errors", "ServerRefused"),
    "Start": ("client_sdk.start", "Start"),
    "Verdict": ("games.core.rerun", "Verdict"),
    "house_bot": ("client_sdk.loading", "house"),
    "load_bot": ("client_sdk.loading", "load"),
    "play": ("botarena._play", "play"),
    "play_headless": ("client_sdk.headless", "play_headless"),
    "verify": ("client_sdk.local.records", "verify"),
}
"""Each public name, the module that defines it, and its name there."""

__all__ = [
    "GAMES",
    "BadBot",
    "BadSetup",
    "Bot",
    "BotarenaError",
    "ConnectionLost",
    "Game",
    "Match",
    "Moment",
    "Rejected",
    "Result",
    "ServerRefused",
    "Start",
    "Verdict",
    "house_bot",
    "load_bot",
    "play",
    "play_headless",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = globals()[name] = getattr(importlib.import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
