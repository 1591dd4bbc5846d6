"""What plays Catastrophe bots of the contest (RULES §10): a class `AI` with `run_turn`."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

from client_sdk.api.catastrophe import AI

HELPERS = ("find_path", "get_setting")


class OfAI(AI):
    """An `AI` that does not derive from our class. Before `start` it gets `game` and `player`, and
    the helpers that it lacks. A constructor that needs the game is called when there is one."""

    def __init__(self, cls: type) -> None:
        self._cls = cls
        self._ai: Any = None if _needs_game(cls) else cls()

    def get_name(self) -> str:
        if not hasattr(self._cls, "get_name"):
            return ""
        if self._ai is not None:
            return str(self._ai.get_name())
        with contextlib.suppress(Exception):  # it is not constructed yet
            return str(object.__new__(self._cls).get_name())
        return ""

    def start(self) -> None:
        if self._ai is None:
            self._ai = self._cls(self.game)
        ai = self._ai
        for name, value in (("game", self.game), ("player", self.player)):
            setattr(ai, f"_{name}", value)
            with contextlib.suppress(AttributeError):  # a property that reads the attribute above
                setattr(ai, name, value)
        for helper in HELPERS:
            if not hasattr(ai, helper):
                setattr(ai, helper, getattr(self, helper))
        self._tell("start")

    def game_updated(self) -> None:
        self._tell("game_updated")

    def run_turn(self) -> bool:
        done: bool = self._ai.run_turn()
        return done

    def end(self, won: bool, reason: str) -> None:
        self._tell("end", won, reason)

    def invalid(self, message: str) -> None:
        super().invalid(message)
        self._tell("invalid", message)

    def _tell(self, hook: str, *about: object) -> None:
        if hasattr(self._ai, hook):
            getattr(self._ai, hook)(*about)


def _needs_game(cls: type) -> bool:
    try:
        inspect.signature(cls).bind()
    except TypeError:
        return True
    except ValueError:  # written in C: the signature is unknown
        return False
    return False
