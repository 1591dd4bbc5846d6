"""The clock of every turn of every game, from a real server's journals: its parts sum to the
elapsed time."""

from __future__ import annotations

import json
import threading

import pytest

import client_sdk.cli
from client_sdk.bot import house
from client_sdk.bots import HOUSE
from client_sdk.cli.clock import MatchTimes, match_times
from client_sdk.run import play
from tests.e2e.arena import PATIENCE_S, QUICK, Arena

SHORT = QUICK | {
    "pyrat": {"preset": "tiny"},
    "zooscape": {"seats": 4, "map_size": 15, "max_ticks": 60, "tick_ms": 0},
    "catastrophe": {**QUICK["catastrophe"], "max_turns": 20},
}


def played(arena: Arena, game: str) -> tuple[str, MatchTimes]:
    """The match, and its account."""
    config = SHORT.get(game, {})
    lobby = arena.rest.create(game, config=config, seed=7)["lobby"]
    seats = [
        arena.rest.join(lobby, game, f"player {seat}") for seat in range(config.get("seats", 2))
    ]
    threads = [
        threading.Thread(
            target=play, args=(house(game, "greedy"), seat["url"], seat["token"]), daemon=True
        )
        for seat in seats
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    arena.over(lobby)
    return lobby, match_times(
        [json.loads(line) for line in arena.record(lobby, "journal").splitlines()]
    )


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_the_parts_of_every_turn_sum_to_the_elapsed_time(
    game: str, arena: Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    lobby, account = played(arena, game)
    journal = arena.data / "matches" / f"{lobby}.journal.jsonl"

    turns = account.turns()
    print(f"{game}: {len(turns)} turns, the worst is {account.off:.3f} ms off")
    assert len(turns) >= 20
    assert {turn.seat for turn in turns} == set(range(len(account.seats)))
    assert account.off < 2
    assert all(min(turn.parts) >= 0 for turn in turns)
    assert client_sdk.cli.run(["clock", str(journal), "--turns"]) == 0
    assert f"{len(turns)} turns; the sum of the parts" in capsys.readouterr().out
