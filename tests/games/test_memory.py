"""What a match keeps in memory: mazes of one size share what does not depend on their walls."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match

MATCHES = 4


@pytest.mark.parametrize(("name", "most"), [("pyrat", 45), ("zooscape", 130)])
def test_a_further_match_takes_little_memory(name: str, most: int) -> None:
    """KB of one more match that a server has shown for a turn, on a maze of its own."""

    def watched(seed: int) -> Match:
        match = Match.begin(GAMES[name], {}, seed)
        (match.game.read_only_view or match.game.view)(match.state, SPECTATOR)
        match.advance()
        return match

    first = watched(0)
    gc.collect()
    tracemalloc.start()
    try:
        matches = [watched(seed) for seed in range(1, 1 + MATCHES)]
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert first.outcome is None
    assert taken / len(matches) / 1024 < most
