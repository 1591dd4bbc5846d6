"""A match that is set up, without its game, so that it can come from the child process."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core import maps
from games.core.contract import AnyGame, BadSetup, Json
from games.core.dice import Seeded
from games.core.match import Match
from games.core.parameters import MAX_SEED
from server.errors import Refusal, bad_setup


@dataclass(frozen=True, slots=True)
class Begun:
    seed: int
    rules: Any
    state: Any
    config: dict[str, Json]

    def match(self, game: AnyGame) -> Match:
        """The match. `game`: the one that it was begun with."""
        return Match(game, self.rules, self.state, Seeded(self.seed), self.config)


def map_text(game: str, name: str | None, text: str | None) -> str | None:
    """The text of the map that a client names, or its own. Raises Refusal."""
    if name is None:
        return text
    if text is not None:
        raise Refusal(422, "two_maps", "map and map_text: give one of the two", field="map")
    try:
        return maps.text(game, name)
    except BadSetup as fault:
        raise Refusal(404, fault.code, fault.why, field="map", allowed=fault.allowed) from None


def begun(
    game: AnyGame, config: Mapping[str, Json], seed: Json, map_text: str | None, *, uploaded: bool
) -> Begun:
    """Set a match up. `seed`: None for a random one. `uploaded`: the map is a client's.

    Raises Refusal."""
    chosen = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    try:
        if uploaded and map_text is not None:
            game.check_upload(game.parse_board(map_text))
        match = Match.begin(game, config, chosen, map_text)
    except BadSetup as fault:
        raise bad_setup(fault) from None
    return Begun(chosen, match.rules, match.state, match.config)
