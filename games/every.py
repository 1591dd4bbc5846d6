"""The five games, imported all at once: `games.GAMES`."""

from __future__ import annotations

from typing import Final

from games.botstack import GAME as BOTSTACK
from games.catastrophe import GAME as CATASTROPHE
from games.cookoff import GAME as COOKOFF
from games.core.contract import AnyGame
from games.pyrat import GAME as PYRAT
from games.zooscape import GAME as ZOOSCAPE

GAMES: Final[dict[str, AnyGame]] = {
    "pyrat": PYRAT,
    "zooscape": ZOOSCAPE,
    "botstack": BOTSTACK,
    "catastrophe": CATASTROPHE,
    "cookoff": COOKOFF,
}
