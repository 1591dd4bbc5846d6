"""Settings that a bot declares as class attributes: `depth = Spin(3)`, read as `self.depth`.

They are set as text before the match: `python mybot.py --set depth=5`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from client_sdk.errors import BadBot

T = TypeVar("T")


class Option(Generic[T]):
    """A setting of a bot. It has its default until it is set."""

    def __init__(self, default: T) -> None:
        self.default = default
        """The value if it is not set."""
        self.name = ""
        """The name of the attribute."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, bot: None, owner: type) -> Option[T]: ...
    @overload
    def __get__(self, bot: object, owner: type) -> T: ...
    def __get__(self, bot: object | None, owner: type) -> Option[T] | T:
        if bot is None:
            return self
        value: T = bot.__dict__.get(self.name, self.default)
        return value

    def __set__(self, bot: object, value: T) -> None:
        bot.__dict__[self.name] = value

    def read(self, text: str) -> T:
        """The value of a text. The ValueError that it raises says what is expected."""
        raise NotImplementedError


class Spin(Option[int]):
    """A setting that is a whole number from `min` to `max`."""

    def __init__(self, default: int, min: int, max: int) -> None:  # noqa: A002  the names competitors know
        super().__init__(default)
        self.min = min
        """The least value."""
        self.max = max
        """The greatest value."""

    def read(self, text: str) -> int:
        """The number. Raises ValueError."""
        expected = f"a whole number, {self.min} to {self.max}"
        try:
            value = int(text)
        except ValueError:
            raise ValueError(expected) from None
        if not self.min <= value <= self.max:
            raise ValueError(expected)
        return value


class Check(Option[bool]):
    """A setting that is true or false."""

    def read(self, text: str) -> bool:
        """The value of `true` or `false`. Raises ValueError."""
        if text.lower() not in ("true", "false"):
            raise ValueError("true or false")
        return text.lower() == "true"


class Combo(Option[str]):
    """A setting that is one of a few words."""

    def __init__(self, default: str, choices: Sequence[str]) -> None:
        super().__init__(default)
        self.choices = tuple(choices)
        """The words."""

    def read(self, text: str) -> str:
        """The word. Raises ValueError."""
        if text not in self.choices:
            raise ValueError("one of " + ", ".join(self.choices))
        return text


class Str(Option[str]):
    """A setting that is any text."""

    def read(self, text: str) -> str:
        """The text."""
        return text


def options(bot: object) -> dict[str, Option[Any]]:
    """The settings that this bot declares, by name."""
    found: dict[str, Option[Any]] = {}
    for cls in reversed(type(bot).__mro__):
        found |= {name: value for name, value in vars(cls).items() if isinstance(value, Option)}
    return found


def set_options(bot: object, values: Mapping[str, str]) -> None:
    """Set some of them from text. Raises BadBot for an unknown name or a wrong value."""
    known = options(bot)
    for name, text in values.items():
        if name not in known:
            raise BadBot(f"no option is called {name!r}; this bot has {', '.join(known) or 'none'}")
        try:
            setattr(bot, name, known[name].read(text))
        except ValueError as fault:
            raise BadBot(f"option {name}: expected {fault}, got {text!r}") from None
