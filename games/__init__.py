"""The games: rules of play, pure, standard library only. Everybody outside goes through GAMES."""

from __future__ import annotations

from games.botstack import GAME as BOTSTACK
from games.core.contract import AnyGame

GAMES: dict[str, AnyGame] = {
    "botstack": BOTSTACK,
}
