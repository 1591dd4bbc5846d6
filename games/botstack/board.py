"""BotStack has no map: the table is always the same."""

from __future__ import annotations

from typing import NoReturn

from games.core.contract import BadSetup


def parse_board(text: str) -> NoReturn:
    """Raises BadSetup: there is no map to read."""
    raise BadSetup("no_maps", "expected no map, BotStack is played without one", field="map")
