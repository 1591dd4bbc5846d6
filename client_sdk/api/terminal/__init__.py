"""The games in a terminal: a picture of a view, a line about it, and its question to a person.

The registry is `SCREENS`; a game without a screen is shown as the JSON that it is.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, cast

from games.core.contract import Json

if TYPE_CHECKING:
    from rich.text import Text


SCREENS: Final = {
    "pyrat": "client_sdk.api.terminal.pyrat",
    "botstack": "client_sdk.api.terminal.botstack",
    "zooscape": "client_sdk.api.terminal.zooscape",
    "catastrophe": "client_sdk.api.terminal.catastrophe",
    "cookoff": "client_sdk.api.terminal.cookoff",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer a person can give. `keys`: what they may type; `command`: what is sent."""

    keys: tuple[str, ...]
    words: str
    command: Json


@dataclass(frozen=True, slots=True)
class Question:
    """What a view asks of the person at its seat."""

    text: str
    choices: tuple[Choice, ...]
    orders: Callable[[str], list[Json] | None] | None = None
    """Reads what is none of the choices: the commands of the turn; None if it means nothing."""

    def answer(self, typed: str) -> Json | None:
        """The command that was typed, or a list of them; None if it means nothing here."""
        typed = typed.strip().lower()
        for choice in self.choices:
            if typed in choice.keys:
                return choice.command
        return None if self.orders is None else self.orders(typed)


class Screen(Protocol):
    """What a module of this package has. Views are a spectator's or a seat's; `names` by seat."""

    START_ONLY: tuple[str, ...]
    """Fields of a view that may come in the start message only."""

    def draw(self, view: Json, names: Sequence[str]) -> Text: ...

    def line(self, view: Json, names: Sequence[str]) -> str: ...

    def question(self, view: Json) -> Question: ...


def screen(game: str) -> Screen | None:
    """The game's screen, imported when it is first needed."""
    module = SCREENS.get(game)
    return None if module is None else cast(Screen, importlib.import_module(module))


class Memory:
    """Puts what a game has shown once into the views that come after."""

    def __init__(self, game: str) -> None:
        found = screen(game)
        self._start_only = () if found is None else found.START_ONLY
        self._kept: dict[str, Json] = {}

    def whole(self, view: Json) -> Json:
        """The view with everything that a picture needs."""
        self._kept |= {name: view[name] for name in self._start_only if name in view}
        return {**self._kept, **view} if self._kept else view


def draw(game: str, view: Json, names: Sequence[str]) -> Text:
    """A picture of a view."""
    from rich.text import Text

    found = screen(game)
    return Text(json.dumps(view, indent=1)) if found is None else found.draw(view, names)


def line(game: str, view: Json, names: Sequence[str]) -> str:
    """A view in one line."""
    found = screen(game)
    return json.dumps(view) if found is None else found.line(view, names)
