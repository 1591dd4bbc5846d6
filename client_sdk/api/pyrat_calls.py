"""How PyRat bots of the course are made and called: an error ends a turn, never the program."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, Final, TypeVar

from client_sdk.api import pyrat_course as course
from client_sdk.api.adapters import FIRST_COURSE

log = logging.getLogger("botarena")

T = TypeVar("T")


def call(function: Callable[..., T], *about: Any) -> T:
    """Call a function of the bot. `sys.exit` in it is a failure like any other."""
    try:
        return function(*about)
    except SystemExit as left:
        raise RuntimeError("the bot called sys.exit") from left


@contextmanager
def logged(what: str) -> Iterator[None]:
    """Log an exception."""
    try:
        yield
    except Exception:
        log.exception("the bot failed in %s", what)


@contextmanager
def imported(module: ModuleType) -> Iterator[None]:
    """Meanwhile a module that is called as in the first course can be imported by this name."""
    if module.__name__ != FIRST_COURSE:
        yield
        return
    before = sys.modules.get(FIRST_COURSE)
    sys.modules[FIRST_COURSE] = module
    try:
        yield
    finally:
        if before is None:
            sys.modules.pop(FIRST_COURSE, None)
        else:
            sys.modules[FIRST_COURSE] = before


def package_of(cls: type) -> Any:
    """The package whose classes a bot's class expects: its base's if installed, else ours."""
    names = [base.__module__.partition(".")[0] for base in cls.__mro__[1:]]
    packages: list[Any] = [sys.modules.get(name) for name in (*names, "pyrat")]
    for base in cls.__mro__[
        1:
    ]:  # one that lay beside the bot is forgotten, but its methods have it
        functions = filter(inspect.isfunction, vars(base).values())
        packages += [SimpleNamespace(**function.__globals__) for function in functions]
    for package in packages:
        if all(isinstance(getattr(package, name, None), type) for name in _NEEDED):
            return package
    return course


_NEEDED: Final = ("Action", "GameState", "Maze")


def mixed(ours: type[T], theirs: type, **attributes: Any) -> type[T]:
    """A class that is also one of an installed package, for bots that check what they get. All that
    it can do is ours."""
    if theirs is ours:
        return ours
    attributes |= {
        name: _getter(name.removeprefix("get_"))
        for name in dir(theirs)
        if name.startswith("get_")
        and not hasattr(ours, name)
        and hasattr(ours, name.removeprefix("get_"))
    }
    try:
        cls = type(theirs.__name__, (ours, theirs), attributes)
    except TypeError:  # a class that cannot be mixed: a bot rarely checks
        return ours
    cls.__abstractmethods__ = frozenset()  # type: ignore[attr-defined]
    return cls


def _getter(name: str) -> Callable[[object], Any]:
    return lambda self: getattr(self, name)


def arguments(cls: type) -> list[Any]:
    """What the constructor requires: a name, and how the player looks."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except ValueError:  # written in C: the signature is unknown
        return []
    required = [
        parameter
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return [cls.__name__, getattr(package_of(cls), "PlayerSkin", course.PlayerSkin).RAT][
        : len(required)
    ]
