"""Bots in the form of Kaggle's contests: a function of an observation and a configuration, the last
one in its file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from client_sdk.answers import whole_turn
from client_sdk.base import Bot
from client_sdk.start import Start
from games.core.contract import Json

ARGUMENTS: Final = 2
"""The observation and the configuration."""


class Observation(dict[str, Any]):
    """A JSON object whose fields are attributes too. A field goes before a method of a dict, such
    as `items`."""

    def __getattribute__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            return super().__getattribute__(name)


class Agent(Bot):
    """Asks the function for each view; its answer is one command, or all of them in a list."""

    def __init__(self, function: Callable[..., Json]) -> None:
        self._function = function
        self._takes = arguments(function)

    def on_start(self, start: Start) -> None:
        from games import GAMES

        self._game = GAMES[start.game]
        self._configuration = fields(start.config)

    def decide(self, view: Json) -> list[Json]:
        given = (fields(view), self._configuration)[: self._takes]
        return whole_turn(self._game, self._function(*given))


def fields(value: Json) -> Any:
    """The same value, each object of it as `Observation`."""
    if isinstance(value, dict):
        return Observation({name: fields(one) for name, one in value.items()})
    return [fields(one) for one in value] if isinstance(value, list) else value


def agent_of(module: ModuleType) -> tuple[FunctionType | None, str | None]:
    """The last function that the module defines, if it looks like an agent: by its name, or because
    its first argument is an observation; and why it cannot play. None: there is none such."""
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    if not own:
        return None, None
    names = [*inspect.signature(own[-1]).parameters]
    called = [function for function in own if "agent" in function.__name__.lower()]
    if own[-1] in called or (names and names[0].startswith("obs")):
        return own[-1], _flaw(own[-1])
    if not called:
        return None, None
    why = f"is followed by {own[-1].__name__}; the agent has to be the last function"
    return called[-1], f"{called[-1].__name__} {why}"


def arguments(function: Callable[..., object]) -> int:
    """How many of the two arguments it is called with."""
    positional = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    given = inspect.signature(function).parameters.values()
    if any(one.kind == inspect.Parameter.VAR_POSITIONAL for one in given):
        return ARGUMENTS
    return min(ARGUMENTS, sum(one.kind in positional for one in given))


def _flaw(function: FunctionType) -> str | None:
    """Why it cannot be called."""
    name = function.__name__
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return f"{name}: expected def, got async def: the agent is called, and returns its answer"
    try:
        inspect.signature(function).bind(*range(arguments(function)))
    except TypeError:
        expected = f"{name}(observation, configuration)"
        return f"{name}: expected {expected}, got {name}{inspect.signature(function)}"
    return None
