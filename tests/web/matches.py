"""Matches of every game between house bots: on a server, and as files."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from itertools import cycle, islice
from typing import Any

from client_sdk import replay
from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE, default_opponent
from games import GAMES
from games.core.journal import Journal
from games.core.match import Match
from games.core.parameters import configure
from tests.e2e.arena import Arena

SHORT: Mapping[str, Mapping[str, Any]] = {
    "pyrat": {"max_turns": 80},
    "zooscape": {"seats": 2, "map_size": 21, "max_ticks": 60, "tick_ms": 50},
    "catastrophe": {"map_width": 16, "map_height": 10, "max_turns": 60},
    "cookoff": {"total_turns": 60},
    "botstack": {},
}
"""Matches that last a second or a few."""


def players(game: str, config: Mapping[str, Any]) -> list[str]:
    """The weakest house bot and the usual opponent, in turn."""
    two = (next(iter(HOUSE[game])), default_opponent(HOUSE[game]))
    return list(islice(cycle(two), GAMES[game].seats(configure(GAMES[game], dict(config)))))


def begun(arena: Arena, game: str, **config: Any) -> str:
    """A match between house bots that starts at once; its id."""
    config = dict(SHORT[game]) | config
    made = arena.rest.create(game, config=config, bots=players(game, config))
    return str(made["lobby"])


@functools.cache
def recorded(game: str, **config: Any) -> str:
    """The replay of a match that was played here, without a server."""
    config = dict(SHORT[game]) | config
    bots = players(game, config)
    lines: list[str] = []
    rules = GAMES[game]
    journal = Journal(lines.append)
    seats = [{"seat": seat, "name": name, "kind": "bot"} for seat, name in enumerate(bots)]
    journal.header(rules, match=f"{game}-file", config=config, seed=7, map_text=None, seats=seats)
    match = Match.begin(rules, config, 7, None)
    match.journal = journal
    play_headless(match, [house(game, name) for name in bots])
    return replay.from_journal("".join(lines), GAMES)
