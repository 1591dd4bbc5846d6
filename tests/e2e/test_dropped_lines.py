"""Bots of the SDK whose connection breaks again and again lose no turn."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterable
from typing import Any

import pytest

from client_sdk.bot import Bot, Start, house
from client_sdk.bots import HOUSE
from client_sdk.run import play
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, QUICK, Arena

PATIENT = {
    "pyrat": {"turn_ms": 10_000},
    "botstack": {"turn_ms": 10_000, "absence_ms": 60_000},
    "zooscape": {},
    "catastrophe": {"absence_ms": 60_000},
    "cookoff": {"turn_ms": 10_000, "absence": "plays"},
}
"""So that time does not matter."""
EVERY = 4
"""After this number of decisions the connection drops while the bot thinks."""


class Unlucky(Bot):
    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.start_only = inner.start_only
        self.decisions = 0
        self.starts = 0
        self.outcome: dict[str, Any] | None = None

    def on_start(self, start: Start) -> None:
        self.starts += 1
        self.inner.on_start(start)

    def decide(self, view: Any) -> Iterable[Any]:
        self.decisions += 1
        if self.decisions % EVERY == 0:
            line = self.link._connection._socket
            if line is not None:
                with contextlib.suppress(OSError):  # broken already
                    line.socket.shutdown(socket.SHUT_RDWR)
        return self.inner.decide(view)

    def on_end(self, outcome: dict[str, Any]) -> None:
        self.outcome = outcome


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_a_connection_that_drops_every_few_turns_costs_nothing(game: str, arena: Arena) -> None:
    rest = arena.rest
    lobby = rest.create(
        game,
        config={"preset": "tiny"} if game == "pyrat" else QUICK.get(game, {}),
        clock=PATIENT.get(game, {}),
        seed=7,
    )["lobby"]
    seats = [rest.join(lobby, game, name) for name in ("left", "right")]
    bots = [Unlucky(house(game, "greedy")) for _ in seats]
    threads = [
        threading.Thread(target=play, args=(bot, seat["url"], seat["token"]), daemon=True)
        for bot, seat in zip(bots, seats, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    ended = arena.over(lobby)["outcome"]

    assert [bot.starts for bot in bots] == [1, 1]
    assert all(bot.decisions >= EVERY for bot in bots)
    outcomes = [bot.outcome for bot in bots]
    if game == "zooscape":  # it goes on without a bot that is away, and may end then
        outcomes = [ended if outcome is None else outcome for outcome in outcomes]
    assert outcomes == [ended, ended]
    assert [seat["timeouts"] for seat in ended["seats"]] == [0, 0]
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"
