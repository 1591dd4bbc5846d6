"""All games, imported at once for `games.GAMES`: the five of this project and installed ones.

A package offers a game with an entry point of the group `botarena.games`, which has the game's name
and leads to its `Game`:

    [project.entry-points."botarena.games"]
    nim = "nim:GAME"
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Final

from games.botstack import GAME as BOTSTACK
from games.catastrophe import GAME as CATASTROPHE
from games.cookoff import GAME as COOKOFF
from games.core.contract import AnyGame, Game
from games.pyrat import GAME as PYRAT
from games.zooscape import GAME as ZOOSCAPE

GROUP: Final = "botarena.games"

OURS: Final[dict[str, AnyGame]] = {
    "pyrat": PYRAT,
    "zooscape": ZOOSCAPE,
    "botstack": BOTSTACK,
    "catastrophe": CATASTROPHE,
    "cookoff": COOKOFF,
}


def installed() -> Iterator[tuple[str, AnyGame]]:
    """The games of other packages. One that cannot be used is logged and left out."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            game = entry.load()
        except Exception as fault:  # noqa: BLE001  a package of others: whatever it raises, the other games are there
            _left_out(entry.name, f"{entry.value}: {type(fault).__name__}: {fault}")
            continue
        if not isinstance(game, Game) or game.name != entry.name:
            _left_out(entry.name, f"{entry.value} is no Game of this name")
        elif entry.name in OURS:
            _left_out(entry.name, "a game of this name comes with botarena")
        else:
            yield entry.name, game


def _left_out(name: str, why: str) -> None:
    logging.getLogger("botarena").warning("the installed game %r is left out: %s", name, why)


GAMES: Final[dict[str, AnyGame]] = OURS | dict(installed())
"""All games by name: the five of this project, and those of installed packages."""
