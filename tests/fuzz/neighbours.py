"""Matches that go on while a server is fuzzed: they are repeated, and each is the same as without
disturbance."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

from tests.e2e.arena import PATIENCE_S, Arena, hello, receive, send

CONFIG = {"preset": "tiny", "max_turns": 40, "cheese_count": 13, "preprocessing_timeout_ms": 0}
CLOCK = {"turn_ms": 20_000}
MOVES = ("UP", "RIGHT", "DOWN", "LEFT")


def play_one(arena: Arena) -> dict[str, Any]:
    """A match of two scripted seats; what came of it, without the times and without what no two
    matches share."""
    lobby = arena.rest.create("pyrat", config=CONFIG, clock=CLOCK, seed=7, name="neighbours")[
        "lobby"
    ]
    seats = [arena.rest.join(lobby, "pyrat", f"neighbour {seat}") for seat in range(2)]
    with contextlib.ExitStack() as sockets:
        clients = [sockets.enter_context(arena.socket("play")) for _ in seats]
        for client, seat in zip(clients, seats, strict=True):
            hello(client, token=seat["token"])
        while True:
            views = [receive(client, "view", "end") for client in clients]
            if views[0]["type"] == "end":
                break
            for seat, (client, view) in enumerate(zip(clients, views, strict=True)):
                if view["act"]:
                    move = MOVES[(view["turn"] * 7 + seat * 3) % 4]
                    send(client, type="commands", turn=view["turn"], commands=[move])
    outcome = arena.over(lobby)["outcome"]
    lines = [json.loads(line) for line in arena.record(lobby, "journal").splitlines()]
    seat_results = [
        {key: value for key, value in seat.items() if "_ms" not in key} for seat in outcome["seats"]
    ]
    hashes = [line["h"] for line in lines if line["k"] == "turn"]
    return {
        "outcome": outcome["outcome"],
        "reason": outcome["reason"],
        "seats": seat_results,
        "states": hashes,
    }


@contextlib.contextmanager
def undisturbed(arena: Arena) -> Iterator[list[dict[str, Any]]]:
    """Neighbours play for as long as the context lasts, and a last match is played to its end. Each
    has to come to the same."""
    before = play_one(arena)
    assert before["states"]
    assert [seat["timeouts"] + seat["absences"] + seat["rejects"] for seat in before["seats"]] == [
        0,
        0,
    ]
    results: list[dict[str, Any]] = []
    over = threading.Event()

    def play() -> None:
        while True:
            results.append(play_one(arena))
            if over.is_set():
                return

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield results
    finally:
        over.set()
        thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the neighbours' match does not end"
    assert results
    for result in results:
        assert result == before
