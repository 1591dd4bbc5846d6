"""The module that bots of the contest import to name what they play in."""

from __future__ import annotations

from client_sdk.api.cookoff.game_constants import Team
from client_sdk.api.cookoff.robot_controller import RobotController

__all__ = ["GameState", "RobotController", "Team"]


class GameState:
    """The state of a match. Bots name it in annotations only: they see it through the
    controller."""
