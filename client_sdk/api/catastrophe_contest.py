"""What files of Catastrophe's contest import from the client that they were written for: the base
class of an `AI`, and the classes of the objects for annotations."""

from __future__ import annotations

from typing import Any

from client_sdk.api.catastrophe_base import GameObject
from client_sdk.api.catastrophe_game import Game
from client_sdk.api.catastrophe_objects import Player, Structure, Tile, Unit
from client_sdk.api.catastrophe_orders import Job

__all__ = ["BaseAI", "Game", "GameObject", "Job", "Player", "Structure", "Tile", "Unit"]

BaseGame = Game
BaseGameObject = DeltaMergeable = GameObject


class BaseAI:
    """The base class of an `AI`. `game` and `player` are set before `start`."""

    def __init__(self, game: Game | None = None) -> None:
        self.game: Any = game
        self.player: Any = None

    def get_name(self) -> str:
        """Empty: the name of the file."""
        return ""

    def start(self) -> None:
        """Does nothing."""

    def game_updated(self) -> None:
        """Does nothing."""

    def end(self, won: bool, reason: str) -> None:
        """Does nothing."""

    def invalid(self, message: str) -> None:
        """Does nothing: the message is logged in any case."""
