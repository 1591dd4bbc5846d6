"""What a game is made of: the contract, the outcome, and the parameters of its rules.
`docs/games.md` builds one with it."""

from games.core.contract import (
    OK,
    SPECTATOR,
    AnyGame,
    BadSetup,
    Game,
    Outcome,
    Pacing,
    Rejected,
    Reply,
    SeatOutcome,
    duel,
    refused,
)
from games.core.dice import Dice
from games.core.parameters import choice, flag, number, whole

__all__ = [
    "OK",
    "SPECTATOR",
    "AnyGame",
    "BadSetup",
    "Dice",
    "Game",
    "Outcome",
    "Pacing",
    "Rejected",
    "Reply",
    "SeatOutcome",
    "choice",
    "duel",
    "flag",
    "number",
    "refused",
    "whole",
]
