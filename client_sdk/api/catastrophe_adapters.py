"""What plays Catastrophe bots of the contest (RULES §10): a class `AI` with `run_turn`."""

from __future__ import annotations

from client_sdk.api.catastrophe import AI

HELPERS = ("find_path", "get_setting")


class OfAI(AI):
    """An `AI` that does not derive from our class. Before `start` it gets `game` and `player`, and
    the helpers that it lacks."""

    def __init__(self, cls: type) -> None:
        self._ai = cls()
        for helper in HELPERS:
            if not hasattr(self._ai, helper):
                setattr(self._ai, helper, getattr(self, helper))

    def get_name(self) -> str:
        return str(self._ai.get_name()) if hasattr(self._ai, "get_name") else ""

    def start(self) -> None:
        self._ai.game, self._ai.player = self.game, self.player
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
