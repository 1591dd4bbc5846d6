"""Viewers: what they see, and what they never see."""

from __future__ import annotations

import json

from client_sdk.wire.delta import patch
from games.core.contract import SPECTATOR
from tests.server.live_server import LiveServer, eventually, hosted

LONG = {"turn_ms": 60_000}


def test_a_late_viewer_gets_the_current_view_at_once(live_server: LiveServer):
    lobby, (left, right) = live_server.started("duel", seed=2, clock=LONG)
    for turn in (0, 1):
        for client in (left, right):
            client.until("view", turn=turn)
            client.say("commands", turn=turn, commands=[1])
    left.until("view", turn=2)
    left.answer(2, 7)

    start = live_server.viewer(lobby).expect("start")

    assert (start["seat"], start["turn"], start["view"]["round"]) == (None, 2, 2)
    assert set(start["view"]) == {"round", "highest", "shown", "won"}


def test_a_viewer_that_came_before_the_start_sees_the_start(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock=LONG)
    watcher = live_server.viewer(lobby)
    assert watcher.silent_for(0.02)
    for one in taken:
        live_server.seat(one)

    assert watcher.expect("start")["turn"] == 0
    view = watcher.expect("view")
    assert (view["act"], view["within_ms"]) == (False, None)


def test_viewers_see_the_banks_as_a_turn_opens_and_nothing_of_how_they_run(
    live_server: LiveServer,
):
    banks = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 1_000}
    lobby, (left, right) = live_server.started("duel", clock=banks)
    watcher = live_server.viewer(lobby)
    watcher.expect("start")
    watcher.expect("event")
    left.until("view", turn=0)
    left.say("commands", turn=0, commands=[1])
    assert watcher.silent_for(0.02)
    right.until("view", turn=0)
    right.say("commands", turn=0, commands=[1])

    shown = watcher.until("event", turn=1)
    assert (shown["event"], shown["seat"]) == ("clock", None)
    assert all(60_000 < left_ms <= 61_000 for left_ms in shown["data"]["bank_ms"])
    assert shown["data"]["within_ms"] == [0, 0]
    assert left.until("view", turn=1)["bank_ms"] <= shown["data"]["bank_ms"][0]


def test_viewers_see_who_is_asked_where_seats_alternate(live_server: LiveServer):
    clock = {"turn_ms": 60_000, "bank_ms": 0, "increment_ms": 0}
    lobby, taken = live_server.seated("walk", clock=clock)
    watcher = live_server.viewer(lobby)
    red, _ = (live_server.seat(one) for one in taken)
    red.until("view", act=True)

    assert watcher.until("event")["data"] == {"within_ms": [60_000, None]}
    red.answer(0, end_turn=True)
    assert watcher.until("event")["data"] == {"within_ms": [None, 60_000]}


def test_where_all_seats_have_the_time_of_the_start_message_only_late_viewers_get_a_clock(
    live_server: LiveServer,
):
    lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=LONG | {"bank_ms": 0})
    watcher = live_server.viewer(lobby)
    seats = [live_server.seat(one) for one in taken]
    for seat in seats:
        seat.until("view", act=True)
    late = live_server.viewer(lobby)
    late.expect("start")
    shown = late.expect("event")["data"]
    for seat in seats:
        seat.say("commands", turn=0, commands=[1])

    assert "event" not in [message["type"] for message in watcher.rest()]
    assert shown["within_ms"] == [60_000, 60_000]
    assert "event" not in [message["type"] for message in late.rest()]


def test_a_late_viewer_sees_the_clocks_as_those_that_came_before(live_server: LiveServer):
    banks = {"turn_ms": 1_000, "bank_ms": 60_000, "increment_ms": 0}
    lobby, taken = live_server.seated("duel", clock=banks)
    early = live_server.viewer(lobby)
    left, right = (live_server.seat(one) for one in taken)
    opened = early.until("event")
    left.until("view", turn=0)
    left.answer(0, 1)  # which no viewer may know

    def spent() -> int:
        late = live_server.viewer(lobby)
        assert late.expect("start")["turn"] == opened["turn"] == 0
        clock = late.expect("event")
        spent_ms = clock["data"].pop("spent_ms")
        assert clock == opened
        return int(spent_ms)

    before = spent()
    assert eventually(lambda: spent() > before)
    right.answer(0, 1)
    assert early.until("event")["turn"] == 1


def test_a_viewer_that_requests_the_whole_view_gets_the_clocks(live_server: LiveServer):
    clock = {"turn_ms": 60_000, "bank_ms": 0, "increment_ms": 0}
    lobby, (red, _) = live_server.started("walk", clock=clock)
    watcher = live_server.viewer(lobby)
    red.until("view", act=True)
    watcher.say("resync")
    shown = watcher.until("event", turn=0)["data"]
    red.answer(0, end_turn=True)

    assert shown["within_ms"] == [60_000, None]
    assert watcher.until("event", turn=1)["data"] == {"within_ms": [None, 60_000]}


def test_a_late_viewer_gets_no_clock_that_stands(live_server: LiveServer):
    clock = {"turn_ms": 60_000, "bank_ms": 0, "increment_ms": 0, "absence": "waits"}
    lobby, (red, blue) = live_server.started("walk", clock=clock)
    early = live_server.viewer(lobby)
    red.until("view", act=True)
    blue.vanish()
    early.until("event", event="away")
    before = live_server.viewer(lobby)
    red.answer(0, end_turn=True)
    early.until("view", turn=1)
    after = live_server.viewer(lobby)

    assert before.until("event", "view", turn=0)["event"] == "clock"
    assert after.expect("start")["turn"] == 1
    assert after.silent_for(0.02)


def test_commands_of_an_open_turn_are_not_shown(live_server: LiveServer):
    lobby, (red, _) = live_server.started("walk")
    red.expect("view")
    red.answer(0, {"do": "step", "by": 1})

    late = live_server.viewer(lobby)

    assert late.expect("start")["view"]["places"] == [0, 0]
    assert late.expect("event")["event"] == "clock"
    assert late.silent_for(0.02)
    red.answer(0, end_turn=True)
    assert late.expect("view")["view"]["places"] == [1, 0]


def test_no_spectator_frame_contains_hidden_information(live_server: LiveServer):
    """Seat 1 holds hidden cards; everything that a viewer gets is the same with other cards."""
    heard = []
    for seed in range(40):
        lobby, taken = live_server.seated(
            "duel", seed=seed, config={"rounds": 3, "highest": 100}, clock=LONG
        )
        watcher = live_server.viewer(lobby)
        left, right = (live_server.seat(one) for one in taken)
        hidden = [left.until("view")["view"]["card"], right.until("view")["view"]["card"]]
        left.answer(0, 0)
        frames = [watcher.expect("start"), watcher.expect("view")]
        heard.append((hidden, [frame["view"] for frame in frames]))
        for client in (left, right, watcher):
            client.close()

    assert len({json.dumps(hidden) for hidden, _ in heard}) > 30
    assert len({json.dumps(views) for _, views in heard}) == 1


def test_deltas_give_the_same_views(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", seed=8, config={"rounds": 4}, clock=LONG)
    whole, partly = live_server.viewer(lobby), live_server.viewer(lobby, deltas=True)
    left, right = (live_server.seat(one) for one in taken)
    for turn in range(4):
        for client in (left, right):
            client.until("view", turn=turn)
            client.say("commands", turn=turn, commands=[turn])
    views = [message["view"] for message in whole.rest() if message["type"] in ("start", "view")]
    messages = partly.rest()

    held, rebuilt, seq = None, [], -1
    for message in messages:
        if message["type"] == "delta":
            assert message["base"] == seq
            held = patch(held, message["delta"])
        elif message["type"] in ("start", "view"):
            held = message["view"]
        else:
            continue
        seq = message["seq"]
        rebuilt.append(held)
    assert rebuilt == views
    assert [message["type"] for message in messages].count("delta") == 5


def test_a_viewer_that_requests_the_whole_view_gets_deltas_afterwards(live_server: LiveServer):
    lobby, (left, right) = live_server.started("duel", clock=LONG)
    watcher = live_server.viewer(lobby, deltas=True)
    watcher.expect("start")
    watcher.say("resync")
    watcher.until("event", event="clock")
    base = watcher.expect("start")["seq"]
    for client in (left, right):
        client.until("view")
        client.answer(0, 1)

    assert watcher.until("delta")["base"] == base


def test_infos_are_shown_to_viewers_when_the_turn_closes_and_never_to_the_opponent(
    live_server: LiveServer,
):
    lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=LONG)
    watcher = live_server.viewer(lobby)
    left, right = (live_server.seat(one) for one in taken)
    watcher.until("view")
    left.until("view")
    left.say("info", data={"depth": 3})
    left.answer(0, 1)
    assert watcher.silent_for(0.02)

    right.answer(0, 1)

    info = watcher.expect("event")
    assert info == {"type": "event", "event": "info", "turn": 0, "seat": 0, "data": {"depth": 3}}
    assert not [message for message in right.rest() if message["type"] == "event"]
    kept = [line for line in live_server.journal(lobby) if line["k"] == "info"]
    assert [(line["n"], line["s"], line["d"]) for line in kept] == [(0, 0, {"depth": 3})]
    assert live_server.verified(lobby).kind == "ok"


def test_of_too_many_infos_the_first_are_kept(tmp_path):
    with hosted(tmp_path, infos_per_turn=3) as live_server:
        lobby, (left, right) = live_server.started("duel", config={"rounds": 1}, clock=LONG)
        left.expect("view")
        for number in range(9):
            left.say("info", data=number)
        left.answer(0, 1)
        right.answer(0, 1)
        live_server.over(lobby)

        assert [line["d"] for line in live_server.journal(lobby) if line["k"] == "info"] == [
            0,
            1,
            2,
        ]


def test_viewers_of_a_match_are_limited(tmp_path):
    with hosted(tmp_path, spectators=2) as live_server:
        lobby = live_server.create()["lobby"]
        first, _ = live_server.viewer(lobby), live_server.viewer(lobby)
        third = live_server.socket("watch")
        third.say("hello", protocol=1, match=lobby)
        assert third.refused() == (4429, "too_fast", True)

        first.vanish()
        while True:
            again = live_server.socket("watch")
            again.say("hello", protocol=1, match=lobby)
            if again.next()["type"] == "hello":
                break


def test_the_spectators_last_view_precedes_the_end(live_server: LiveServer):
    lobby, (red, _) = live_server.started("walk", config={"turns": 1})
    watcher = live_server.viewer(lobby)
    red.expect("view")
    red.answer(0, end_turn=True)
    types = [message["type"] for message in watcher.rest()]

    assert types == ["start", "event", "view", "end"]
    assert watcher.close_code == 1000


def test_a_viewer_sees_the_spectators_view(live_server: LiveServer):
    lobby, _ = live_server.started("duel", seed=3, clock=LONG)
    found = live_server.arena.matches.lobbies.unfinished[lobby]

    assert live_server.viewer(lobby).expect("start")["view"] == found.setup.match.view(SPECTATOR)


def test_a_viewer_that_does_not_read_skips_views(tmp_path):
    """The views that wait for it are replaced by newer ones, so the server holds few of them."""
    with hosted(tmp_path, send_buffer=4096) as live_server:
        config = {
            "preset": "tiny",
            "preprocessing_timeout_ms": 0,
            "max_turns": 150,
            "cheese_count": 13,
        }
        lobby, taken = live_server.seated("pyrat", config=config)
        stuck = live_server.socket("watch", max_queue=1)
        stuck.say("hello", protocol=1, match=lobby)
        seats = [live_server.seat(one, once=["maze"]) for one in taken]
        while True:
            messages = [seat.until("view", "end") for seat in seats]
            if messages[0]["type"] == "end":
                break
            for seat, message in zip(seats, messages, strict=True):
                if message["act"]:
                    seat.say("commands", turn=message["turn"], commands=["STAY"])

        heard = stuck.rest()
        views = [message for message in heard if message["type"] == "view"]
        assert heard[-1]["type"] == "end"
        assert views[-1]["turn"] == 150
        assert sum(view["skipped"] for view in views) + len(views) == 151
