"""A match on the screen: redrawn in place on a terminal, one line a turn anywhere else."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from client_sdk.api import terminal
from client_sdk.console import out, say
from games.core.contract import Json

if TYPE_CHECKING:
    from games.core.contract import AnyGame
    from games.core.match import Match

ShowView = Callable[[str, Json, Sequence[str]], None]
"""Shows a game's view, with the names by seat."""


@contextlib.contextmanager
def showing() -> Iterator[ShowView]:
    """What shows views, as long as the context lasts."""
    if not out().is_terminal:
        yield lambda game, view, names: say(terminal.line(game, view, names))
        return
    from rich.live import Live

    memories: dict[str, terminal.Memory] = {}
    with Live(console=out(), auto_refresh=False, vertical_overflow="crop") as live:

        def show(game: str, view: Json, names: Sequence[str]) -> None:
            memory = memories.setdefault(game, terminal.Memory(game))
            live.update(terminal.draw(game, memory.whole(view), names), refresh=True)

        yield show


@contextlib.contextmanager
def showing_match(game: AnyGame, pace_ms: int) -> Iterator[Callable[[Match, Sequence[str]], None]]:
    """Shows headless matches as a spectator sees them, on a terminal `pace_ms` per turn."""
    from games.core.contract import SPECTATOR

    with showing() as show:

        def shown(match: Match, names: Sequence[str]) -> None:
            show(game.name, match.view(SPECTATOR), names)
            if out().is_terminal:
                time.sleep(pace_ms / 1000)

        yield shown
