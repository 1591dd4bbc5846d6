"""Realtime: only the grid calls advance; commands name no turn and count when they come."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from websockets.exceptions import ConnectionClosed

from server.matches.course import TickCourse
from tests.server.live_server import LiveServer

WALK = {"action": "walk"}
TWO = {"seats": 2, "tick_ms": 20, "max_ticks": 10}


def test_the_clock_plays_to_the_end_and_every_seat_sees_every_tick(live_server: LiveServer):
    lobby, taken = live_server.seated("race", config=TWO)
    watcher = live_server.viewer(lobby)
    one, two = (live_server.seat(seat) for seat in taken)
    for client in (one, two, watcher):
        assert client.expect("start")["clock"]["tick_ms"] == 20
        views = [message for message in client.rest() if message["type"] == "view"]
        assert [view["turn"] for view in views] == list(range(11))
        assert [view["skipped"] for view in views] == [0] * 11
        assert all(view["within_ms"] is None for view in views)
    assert live_server.over(lobby)["reason"] == "max_ticks"
    assert live_server.verified(lobby).kind == "ok"


def test_commands_have_no_turn_and_are_never_late(live_server: LiveServer):
    lobby, (one, two) = live_server.started("race", config=TWO | {"length": 3, "max_ticks": 1000})
    assert one.expect("view")["act"]

    one.say("commands", commands=[WALK, WALK, WALK, WALK], id=1)
    results = one.until("results")
    one.say("commands", turn=99_999, commands=[{"action": "fly"}])

    assert [result["code"] for result in results["results"]] == ["ok", "ok", "ok", "queue_full"]
    assert one.until("results", "end")["type"] in ("results", "end")
    outcome = live_server.over(lobby)
    assert (outcome["reason"], outcome["winner"]) == ("finish", 0)
    assert live_server.verified(lobby).kind == "ok"
    two.close()


def test_commands_before_the_start_are_too_early(live_server: LiveServer, monkeypatch):
    async def until_a_command(course: TickCourse) -> None:
        while not course._dispatcher._inbox:
            await asyncio.sleep(0.001)

    monkeypatch.setattr(TickCourse, "align", until_a_command)
    lobby, taken = live_server.seated("race", config=TWO)
    one, _ = [live_server.seat(seat) for seat in taken]
    one.say("commands", commands=[WALK])

    assert one.until("results")["results"][0]["code"] == "not_started"
    assert live_server.over(lobby)["reason"] == "max_ticks"
    assert live_server.verified(lobby).kind == "ok"


def test_ticks_keep_to_the_grid(live_server: LiveServer):
    """No tick comes early. That late ones do not add up is the grid's affair (test_clock.py)."""
    lobby, (one, _) = live_server.started("race", config=TWO | {"tick_ms": 10, "max_ticks": 40})
    one.rest()
    live_server.over(lobby)

    late = [line["t"]["late"] for line in live_server.journal(lobby) if line["k"] == "advance"]
    assert len(late) == 40
    assert min(late) >= 0


def test_ticks_stay_on_the_grid_over_a_week(live_server: LiveServer):
    _, (one, _) = live_server.started("race", config=TWO, clock={"tick_ms": 7 * 24 * 3_600_000})

    assert one.expect("view")["turn"] == 0


def test_an_absent_seat_stays_in_the_race_and_returns(live_server: LiveServer):
    lobby, taken = live_server.seated("race", config=TWO | {"max_ticks": 1000})
    one, two = (live_server.seat(seat) for seat in taken)
    two.expect("start")
    one.expect("start")
    one.vanish()
    assert two.until("event")["event"] == "away"
    back = live_server.seat(taken[0])
    assert back.expect("start")["turn"] >= 0
    back.say("commands", commands=[WALK])

    assert back.until("results")["results"] == [{"code": "ok"}]
    assert live_server.lobby(lobby)["state"] == "running"
    live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])
    assert live_server.over(lobby)["reason"] == "resignation"


def test_a_race_without_seats_is_abandoned(live_server: LiveServer):
    lobby, (one, two) = live_server.started(
        "race", config=TWO | {"max_ticks": 1000}, clock={"absence_ms": 50}
    )
    one.vanish()
    two.vanish()

    assert live_server.over(lobby)["reason"] == "abandoned"


def test_a_lost_connection_forfeits_if_the_lobby_says_so(live_server: LiveServer):
    lobby, (one, two) = live_server.started(
        "race", config=TWO | {"max_ticks": 1000}, clock={"absence": "forfeits"}
    )
    one.vanish()

    assert two.until("end")["outcome"]["reason"] == "disconnect"
    assert live_server.over(lobby)["winner"] == 1


def test_without_a_clock_the_game_is_played_in_turns(live_server: LiveServer):
    lobby, (one, two) = live_server.started(
        "race", config={"seats": 2, "tick_ms": 0, "max_ticks": 2}
    )
    for turn in range(2):
        assert one.until("view")["turn"] == two.until("view")["turn"] == turn
        assert one.answer(turn, WALK) == ["ok"]
        assert two.answer(turn, WALK) == ["ok"]

    assert live_server.over(lobby)["reason"] == "max_ticks"
    assert live_server.verified(lobby).kind == "ok"


def test_without_a_clock_a_tick_is_played_when_all_present_seats_have_answered(
    live_server: LiveServer,
):
    lobby, taken = live_server.seated(
        "race", config={"seats": 3, "tick_ms": 0, "max_ticks": 4}, clock={"turn_ms": 60_000}
    )
    one, two, three = (live_server.seat(seat) for seat in taken)
    assert one.expect("start")["clock"]["lockstep"]
    three.until("view")
    assert one.answer(None, WALK, WALK) == ["ok", "ok"]
    assert two.answer(77, WALK) == ["ok"]
    three.vanish()
    assert one.until("view", turn=1)["act"]

    for turn in (1, 2, 3):
        one.answer(None, WALK)
        two.answer(None, WALK)
        assert one.until("view")["turn"] == turn + 1
    assert live_server.over(lobby)["reason"] == "max_ticks"
    assert live_server.verified(lobby).kind == "ok"


def test_without_a_clock_a_tick_waits_no_longer_than_the_limit(live_server: LiveServer):
    lobby, (one, two) = live_server.started(
        "race",
        config={"seats": 2, "tick_ms": 0, "max_ticks": 2},
        clock={"turn_ms": 30, "absence_ms": 0},
    )
    assert one.until("view", turn=2)

    assert live_server.over(lobby)["reason"] == "max_ticks"
    two.close()


def test_the_result_has_the_lateness_of_ticks_and_skipped_views(
    live_server: LiveServer,
):
    lobby, (one, two) = live_server.started("race", config=TWO | {"tick_ms": 10, "max_ticks": 40})
    one.say("seen", turn=0)
    one.rest()
    outcome = live_server.over(lobby)

    late = sorted(
        line["t"]["late"] for line in live_server.journal(lobby) if line["k"] == "advance"
    )
    assert outcome["lateness_ms"]["max"] == pytest.approx(late[-1], abs=0.002)
    assert outcome["lateness_ms"]["p50"] == pytest.approx(late[len(late) // 2], abs=1.0)
    assert outcome["seats"][0]["skipped"] >= 30
    assert outcome["seats"][1]["skipped"] == 0
    two.close()


def test_commands_count_as_frames_so_that_a_flood_ends_only_its_own_connection(
    live_server: LiveServer,
):
    _, taken = live_server.seated("race", config=TWO | {"max_ticks": 1000})
    flood, other = (live_server.seat(seat) for seat in taken)
    flood.expect("start")
    with contextlib.suppress(ConnectionClosed):
        for _ in range(5):
            flood.say("commands", commands=[WALK] * 200)

    assert flood.refused() == (4429, "too_fast", True)
    assert other.until("event", event="away")["seat"] == 0
    assert other.until("view")["act"]


@pytest.mark.parametrize("seen", [0])
def test_an_acknowledging_client_gets_the_newest_state_only_when_it_falls_behind(
    live_server: LiveServer, seen
):
    _, (one, _) = live_server.started("race", config=TWO | {"tick_ms": 5, "max_ticks": 60})
    one.say("seen", turn=seen)
    views = [message for message in one.rest() if message["type"] == "view"]

    assert [view["turn"] for view in views][-1] == 60
    assert len(views) < 20
    assert sum(view["skipped"] for view in views) + len(views) == 61


def test_frames_without_commands_count_as_frames_too(live_server: LiveServer):
    _, taken = live_server.seated("race", config=TWO | {"max_ticks": 1000})
    flood, _ = (live_server.seat(seat) for seat in taken)
    flood.expect("start")
    flood.raw('{"type":"commands","commands":[]}', times=2000)

    assert flood.refused() == (4429, "too_fast", True)
