"""The clocks of a match turn by turn, as REST has them once it is released."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.live_server import LiveServer, SocketClient, eventually

BANKS = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 1_000}
SHORT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "walk": ({"turns": 4}, {"commands": [], "end_turn": True}),
    "duel": ({"rounds": 3}, {"commands": [1]}),
    "cookoff": ({"total_turns": 4, "init_time_ms": 0}, {"commands": [], "end_turn": True}),
}
"""By game: parameters of a short match, and the answer to every turn."""


def play(clients: list[SocketClient], **answer: Any) -> None:
    while True:
        shown = [client.until("view", "end") for client in clients]
        if shown[0]["type"] == "end":
            return
        for client, view in zip(clients, shown, strict=True):
            if view["act"]:
                client.say("commands", turn=view["turn"], **answer)


def clocks(live_server: LiveServer, match: str) -> dict[int, dict[str, Any]]:
    """By turn, once the match is released."""
    answer = eventually(
        lambda: (found := live_server.get(f"/matches/{match}/clocks")).is_success and found
    )
    return {clock.pop("turn"): clock for clock in answer.json()}


@pytest.mark.parametrize("game", SHORT)
def test_the_clocks_are_those_that_viewers_saw_and_add_up_to_the_result(
    live_server: LiveServer, game
):
    config, answer = SHORT[game]
    match, taken = live_server.seated(game, config=config, clock=BANKS)
    watcher = live_server.viewer(match)
    play([live_server.seat(one) for one in taken], **answer)
    seen = {
        message["turn"]: message["data"]
        for message in watcher.rest()
        if message["type"] == "event" and message["event"] == "clock"
    }
    found = clocks(live_server, match)
    seats = live_server.over(match)["seats"]

    assert len(seen) >= 3
    for turn, data in seen.items():
        assert found[turn]["within_ms"] == data["within_ms"]
        assert found[turn]["bank_ms"] == pytest.approx(data["bank_ms"], abs=1)
        used = [used_ms is None for used_ms in found[turn]["used_ms"]]
        assert used == [within_ms is None for within_ms in data["within_ms"]]
    *turns, last = found
    assert turns == list(seen)
    assert found[last]["within_ms"] == found[last]["used_ms"] == [None, None]
    assert found[last]["bank_ms"] == pytest.approx([seat["bank_ms"] for seat in seats], abs=1)
    for number, seat in enumerate(seats):
        total = sum(turn["used_ms"][number] or 0 for turn in found.values())
        assert total == pytest.approx(seat["think_ms_total"], abs=0.01)


def test_a_turn_that_was_missed_took_all_of_its_time(live_server: LiveServer):
    clock = {"turn_ms": 30, "grace_ms": 20, "bank_ms": 0, "increment_ms": 0}
    match, (left, right) = live_server.started("duel", config={"rounds": 1}, clock=clock)
    left.until("view")
    left.answer(0, 1)
    right.rest()

    found = clocks(live_server, match)[0]
    assert (found["within_ms"], found["bank_ms"]) == ([30, 30], None)
    assert found["used_ms"][0] < found["used_ms"][1] == 30


@pytest.mark.parametrize("config", [{"tick_ms": 0}, {"tick_ms": 50}])
def test_a_game_in_real_time_has_none(live_server: LiveServer, config):
    config = config | {"seats": 2, "map_size": 21, "max_ticks": 3}
    match, _ = live_server.started("zooscape", config=config, clock={"turn_ms": 40})
    live_server.over(match)

    assert clocks(live_server, match) == {}


def test_they_are_public_once_the_match_is_released(live_server: LiveServer):
    match, clients = live_server.started("duel", config={"rounds": 1})
    assert live_server.get(f"/matches/{match}/clocks").is_client_error
    play(clients, commands=[1])

    assert list(clocks(live_server, match)) == [0, 1]
