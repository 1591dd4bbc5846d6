"""What plays files of the contest (RULES §10): a class `BotPlayer`, made with a map."""

from __future__ import annotations

from typing import Any

from client_sdk.api.cookoff import Bot, Map, RobotController


class OfPlayer(Bot):
    """A `BotPlayer`. It is made when the match is known, with a copy of its own kitchen."""

    _player: Any

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def prepare(self, map_copy: Map) -> None:
        self._player = self._cls(map_copy)

    def play_turn(self, controller: RobotController) -> None:
        self._player.play_turn(controller)
