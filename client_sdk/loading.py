"""Find a bot and make it: the one that a file holds, or a house bot."""

from __future__ import annotations

import difflib
import importlib
import inspect
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from client_sdk import botfile
from client_sdk.api.adapters import (
    ADAPTERS,
    COMPILED,
    FoundBot,
    bound,
    line_of,
    own_classes,
    takes,
)
from client_sdk.api.agents import Agent, agent_of
from client_sdk.base import Bot
from client_sdk.errors import BadBot
from client_sdk.leaving import exits_raise, process_restored

ALIKE: Final = 0.75
SURELY: Final = 0.8
"""How alike two names are, from 0 to 1, of which one may be a misspelling of the other: where a
bot lacks a method, and where it lacks none."""
SHORTEST: Final = 5
"""Shorter names are like too many others."""


def load(path: str | Path, game: str | None = None, name: str | None = None) -> Bot:
    """Load the bot of a file: a subclass of a `Bot` of botarena, or a bot of a contest's API. A C
    file is compiled; if it crashes, this process ends.

    Every call reads the file again, so that two bots share nothing.

    Arguments:
        path: the file.
        game: the game that the bot has to play; None: any.
        name: the name of its module.

    Raises BadBot if the file holds no bot, or more than one.
    """
    file = Path(path)
    if not file.is_file():
        raise BadBot(f"{path}: there is no such file")
    if file.suffix in COMPILED:
        return _fitting(_compiled(file.resolve()), game, str(path))
    module = botfile.read(file.resolve(), game, name)
    try:
        bot = _made(module, game, file)
    except BaseException:
        botfile.forget(module)
        raise
    weakref.finalize(bot, botfile.forget, module)
    return _fitting(bot, game, str(path))


def own_game(path: str) -> str:
    """The game that a file's bot says it plays; empty: it plays any. Raises BadBot as `load`."""
    if (compiled := COMPILED.get(Path(path).suffix)) is None:
        with exits_raise(), process_restored():
            return load(path).game
    place, _, name = compiled.partition(":")
    game: str = getattr(importlib.import_module(place), name).game
    return game


def _made(module: ModuleType, game: str | None, file: Path) -> Bot:
    """Raises BadBot."""
    found = _chosen(module, game, str(file))
    try:
        bot: Bot = found.make()
    except SystemExit as left:
        raise BadBot(f"{file}: {found.what} leaves the program while it is created") from left
    except KeyboardInterrupt:  # Ctrl-C
        raise
    except BaseException as fault:
        raise BadBot(botfile.format_error(file.resolve(), fault)) from fault
    return bot


def _compiled(file: Path) -> Bot:
    """Raises BadBot."""
    place, _, name = COMPILED[file.suffix].partition(":")
    bot: Bot = getattr(importlib.import_module(place), name)(file)
    return bot


def _chosen(module: ModuleType, game: str | None, path: str) -> FoundBot:
    """The one bot of a module; of several the one that is called as the file. Raises BadBot."""
    classes: list[type[Bot]] = own_classes(module, Bot)
    ours = [FoundBot(cls.__name__, cls, _flaw(cls)) for cls in classes]
    kinds = [
        adapter
        for name, adapters in ADAPTERS.items()
        for adapter in adapters
        if game in (None, "", name)
    ]
    found = [*ours, *(bot for kind in kinds for bot in kind.found(module, bool(ours)))]
    agent, flaw = (None, None) if found else agent_of(module)
    if agent is not None:
        found = [FoundBot(agent.__name__, lambda: Agent(agent), flaw, line_of(agent))]
    able = [bot for bot in found if bot.flaw is None]
    if len(able) == 1:
        return able[0]
    named = [bot for bot in able if _plain(bot.what) == _plain(Path(path).stem)]
    if len(named) == 1:
        return named[0]
    if able:
        raise BadBot(
            f"{path}: {len(able)} bots in this file ({', '.join(bot.what for bot in able)}); "
            "leave one of them"
        )
    needed = [cls._required for cls in classes] + [kind.needed for kind in kinds]
    if found:
        where = path if found[0].line is None else f"{path}, line {found[0].line}"
        raise BadBot(f"{where}: {found[0].flaw}{_meant(module, needed)}")
    accepted = ["a class that inherits from a Bot of botarena", *(kind.about for kind in kinds)]
    accepted.append("a last function agent(observation, configuration)")
    what = f"no bot in this file; a bot is {', or '.join(accepted)}"
    raise BadBot(f"{path}: {what}{_meant(module, needed)}")


def _flaw(cls: type[Bot]) -> str | None:
    """Why a class of ours cannot play: it lacks the method that decides, or the method takes other
    arguments."""
    base = next(one for one in cls.__mro__ if "_required" in vars(one))
    name = cls._required
    required, own = getattr(base, name), getattr(cls, name)
    arguments = ", ".join(list(inspect.signature(required).parameters)[1:])
    if own is required:
        if cls.decide is not vars(base).get("decide", Bot.decide):
            return None
        return f"{cls.__name__} has no method {name}({arguments})"
    if callable(own) and not takes(bound(cls, name), arguments):
        return f"{cls.__name__}.{name}: expected {name}({arguments}), got {name}{_signature(own)}"
    return None


def misspelt(bot: Bot) -> Iterator[tuple[str, str]]:
    """The methods of a bot that no one calls, each with the one that is called and alike."""
    base = next(one for one in type(bot).__mro__ if "_required" in vars(one))
    hooks = {name for name in dir(base) if not name.startswith("_") and len(name) >= SHORTEST}
    for name, value in vars(type(bot)).items():
        if inspect.isfunction(value) and name not in hooks:
            close = difflib.get_close_matches(name, hooks - vars(type(bot)).keys(), 1, SURELY)
            yield from ((name, hook) for hook in close)


def _signature(method: Callable[..., object]) -> str:
    """Without `self`."""
    return f"({', '.join(map(str, list(inspect.signature(method).parameters.values())[1:]))})"


def _meant(module: ModuleType, needed: Iterable[str]) -> str:
    """What a function or a method of the module may be a misspelling of."""
    names = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    for cls in own_classes(module):
        names += [name for name, value in vars(cls).items() if inspect.isfunction(value)]
    return next(filter(None, (_nearest(name, names) for name in dict.fromkeys(needed))), "")


def _nearest(needed: str, names: Iterable[str]) -> str:
    names = list(names)
    close = [] if needed in names else difflib.get_close_matches(needed, names, 1, ALIKE)
    return f". Is {close[0]} meant to be {needed}?" if close else ""


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def house(game: str, name: str) -> Bot:
    """Create a house bot. Raises BadBot if the game has none of this name."""
    from client_sdk.bots import HOUSE

    if game not in HOUSE:
        why = f"no house bots for a game called {game!r}; there are some for {', '.join(HOUSE)}"
        raise BadBot(why)
    if name not in HOUSE[game]:
        why = f"no house bot of {game} is called {name!r}; there are {', '.join(HOUSE[game])}"
        raise BadBot(why)
    entry = HOUSE[game][name]
    bot: Bot = getattr(importlib.import_module(entry.module), entry.cls)()
    return bot


def _fitting(bot: Bot, game: str | None, path: str) -> Bot:
    if game and bot.game and bot.game != game:
        raise BadBot(f"{path}: this bot plays {bot.game}, not {game}")
    bot.name = bot.name or Path(path).stem
    return bot
