"""A server to be fuzzed, with high limits, and what must hold afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.arena import Arena, eventually, not_ready, started
from tests.soak.inside import numbers

GENEROUS = {
    "LOBBIES": "1000000",
    "LOBBIES_PER_ADDRESS": "0",
    "EMPTY_LOBBIES": "0",
    "REQUESTS_PER_SECOND": "0",
    "CONNECTIONS_PER_ADDRESS": "0",
    "HOUSE_BOT_PROCESSES": "4",
}


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Arena]:
    """Afterwards it is ready, nothing of ours has failed, and only house bots in open lobbies are
    connected."""
    with started(
        tmp_path, **{f"BOTARENA_{name}": value for name, value in GENEROUS.items()}
    ) as arena:
        yield arena
        reasons = not_ready(arena.url)
        assert reasons.keys() <= {"loop"}, (
            "the machine may have been too busy, but nothing else may be wrong"
        )
        eventually(
            lambda: (now := numbers(arena))["botarena_connections"] == now["botarena_house_bots"]
        )
        ended = {(match["outcome"] or {}).get("reason") for match in arena.rest.matches()}
        assert "server_fault" not in ended
    assert [line for line in arena.log if "Traceback" in line or "level=error" in line] == []
