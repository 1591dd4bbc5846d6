"""A view is encoded once for all receivers, and an acknowledging client never acts on an old
one."""

from __future__ import annotations

import dataclasses
import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from client_sdk.bot import Bot
from client_sdk.live import play
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match
from tests.server.live_server import LiveServer, hosted

OLDEST = 5
"""Ticks."""


def test_a_view_is_encoded_once_for_all_seats_and_viewers(tmp_path: Path):
    """Each seat's own part is built in addition; the first one is sent with start and as the first
    view."""
    zooscape = GAMES["zooscape"]
    seen: Counter[tuple[int, Any]] = Counter()
    own: Counter[tuple[int, Any]] = Counter()

    def view(state: Any, viewer: Any) -> Any:
        seen[state.tick, viewer] += 1
        return zooscape.view(state, viewer)

    def private_fields(state: Any, seat: int) -> Any:
        own[state.tick, seat] += 1
        assert zooscape.private_fields is not None
        return zooscape.private_fields(state, seat)

    counted = dataclasses.replace(
        zooscape, view=view, private_fields=private_fields, quick_setup=True
    )  # set up in this process
    with hosted(tmp_path, {"zooscape": counted}) as live_server:
        live_server.create(
            "zooscape", seed=5
        )  # as long as it is open no replay is made, which would look as well
        lobby, taken = live_server.seated(
            "zooscape", seed=5, config={"tick_ms": 20, "max_ticks": 10}
        )
        clients = [
            live_server.viewer(lobby),
            live_server.viewer(lobby),
            *(live_server.seat(one) for one in taken),
        ]
        heard = [
            [message["turn"] for message in client.rest() if message["type"] == "view"]
            for client in clients
        ]
        assert [list(range(11))] * 6 == heard
        assert {(tick, SPECTATOR): 2 if tick == 0 else 1 for tick in range(11)} == seen
        assert {
            (tick, seat): 2 if tick == 0 else 1 for tick in range(11) for seat in range(4)
        } == own


class Thinker(Bot):
    """Takes eight ticks for a decision."""

    game = "zooscape"

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.ages: list[int] = []

    def decide(self, view: Any) -> list[Any]:
        self.ages.append(self.match.turn - view["tick"])
        time.sleep(0.4)
        return [{"action": "up"}]


def test_slow_bots_and_slow_readers_do_not_act_on_an_old_state(
    live_server: LiveServer,
):
    """The reader takes three ticks for a view and says then that it is done with it; its system
    keeps what came meanwhile."""
    lobby, taken = live_server.seated(
        "zooscape", config={"seats": 2, "tick_ms": 50, "max_ticks": 60}
    )
    match = live_server.arena.matches.lobbies.unfinished[lobby].setup.match
    thinker, slow = Thinker(match), live_server.seat(taken[0])
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(play, thinker, taken[1]["url"], taken[1]["token"])
        slow.expect("start")
        slow.say("seen", turn=0)
        ages = []
        while (message := slow.until("view", "end"))["type"] == "view":
            ages.append(match.turn - message["turn"])
            time.sleep(0.15)
            slow.raw(
                json.dumps({"type": "seen", "turn": message["turn"]})
            )  # the match may be over by now
        done.result()

    assert len(ages) > len(thinker.ages) > 3
    assert max(ages) <= OLDEST
    assert max(thinker.ages) <= OLDEST
