"""Seats that lose their connection, come back, stay away or never came."""

from __future__ import annotations

import json

import pytest

from tests.server.live_server import LiveServer, eventually, hosted

LONG = {"turn_ms": 20_000}


def test_a_seat_returns_with_its_token_and_its_turn_goes_on(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=LONG)
    left, right = (live_server.seat(one) for one in taken)
    first = left.until("view")
    right.until("view")
    assert left.silent_for(0.15)
    left.vanish()
    assert right.expect("event") == {
        "type": "event",
        "event": "away",
        "turn": 0,
        "seat": 0,
        "data": None,
    }

    back = live_server.seat(taken[0])

    start, view = back.expect("start"), back.expect("view")
    assert (start["seq"], start["view"]) == (first["seq"], first["view"])
    assert view["act"]
    assert view["within_ms"] <= first["within_ms"] - 50
    assert right.expect("event")["event"] == "back"
    right.answer(0, 1)
    assert back.until("event")["event"] == "back"
    assert back.answer(0, 1) == ["ok"]
    assert live_server.over(lobby)["seats"][0]["absences"] == 1
    assert live_server.verified(lobby).kind == "ok"


def test_a_seat_that_has_answered_is_not_asked_again_after_reconnecting(live_server: LiveServer):
    _, taken = live_server.seated("duel", clock=LONG)
    left, right = live_server.seat(taken[0]), live_server.seat(taken[1])
    left.until("view")
    left.answer(0, 1)
    left.vanish()
    assert right.until("event")["event"] == "away"
    back = live_server.seat(taken[0])
    back.expect("start")
    assert back.expect("event")["event"] == "back"

    assert back.silent_for(0.05)
    assert back.answer_unasked(0, 1) == ["already_bid"]


def test_the_newest_connection_replaces_the_old_one_with_a_close_code(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=LONG)
    old, right = (live_server.seat(one) for one in taken)
    right.until("view")
    old.until("view")

    new = live_server.seat(taken[0])

    assert old.refused() == (4409, "replaced", False)
    new.until("view")
    assert new.answer(0, 1) == ["ok"]
    right.answer(0, 1)
    assert right.expect("view")["type"] == "view"
    assert live_server.over(lobby)["seats"][0]["absences"] == 0


def test_the_newest_connection_replaces_the_old_one_before_the_start_too(live_server: LiveServer):
    _, taken = live_server.seated("duel")
    old = live_server.seat(taken[0])
    new = live_server.seat(taken[0])

    assert old.refused() == (4409, "replaced", False)
    live_server.seat(taken[1])
    assert new.expect("start")["seat"] == 0


def test_a_hundred_wrong_tokens_change_nothing(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=LONG)
    left, right = (live_server.seat(one) for one in taken)
    left.until("view")
    right.until("view")
    right.vanish()
    assert left.expect("event")["event"] == "away"
    before = live_server.journal_text(lobby)
    for number in range(100):
        client = live_server.socket()
        client.say("hello", protocol=1, token=taken[1]["token"][:-3] + f"{number:03}")
        assert client.refused()[1] == "bad_token"
        client.close()

    assert live_server.journal_text(lobby) == before
    assert left.silent_for(0.01)
    right = live_server.seat(taken[1])
    right.until("view")
    right.answer(0, 2)
    left.until("event")
    left.answer(0, 1)
    assert live_server.over(lobby)["reason"] == "rounds"


# --- the three things that absence can mean


def test_plays_turns_of_an_absent_seat_pass_in_silence(
    live_server: LiveServer,
):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 2}, clock={"turn_ms": 40, "grace_ms": 0, "absence": "plays"}
    )
    left.vanish()
    while (message := right.until("view", "end"))["type"] == "view":
        if message["act"]:
            right.say("commands", turn=message["turn"], commands=[1])

    outcome = live_server.over(lobby)
    assert outcome["reason"] == "rounds"
    assert outcome["seats"][0]["timeouts"] == 2


def test_plays_without_any_seat_the_match_is_abandoned(live_server: LiveServer):
    clock = {"turn_ms": 0, "absence": "plays", "absence_ms": 60}
    lobby, (left, right) = live_server.started("duel", clock=clock)
    left.vanish()
    right.vanish()

    assert live_server.over(lobby)["reason"] == "abandoned"
    broken = [(line["s"], line["r"]) for line in live_server.journal(lobby) if line["k"] == "break"]
    assert broken == [([0, 1], "abandoned")]
    assert live_server.verified(lobby).kind == "ok"


def test_plays_one_present_seat_keeps_the_match_going(live_server: LiveServer):
    clock = {"turn_ms": 0, "absence": "plays", "absence_ms": 30}
    lobby, (left, right) = live_server.started("duel", clock=clock)
    right.expect("view")
    left.vanish()
    right.until("event")

    assert right.silent_for(0.1)
    assert live_server.lobby(lobby)["state"] == "running"


def test_waits_the_clock_of_an_absent_seat_stands_still(live_server: LiveServer):
    clock = {"turn_ms": 800, "human_turn_ms": 60_000, "absence": "waits", "absence_ms": 20_000}
    lobby = live_server.create("duel", config={"rounds": 1}, clock=clock)["lobby"]
    taken = [live_server.join(lobby, kind, kind=kind) for kind in ("bot", "human")]
    left, right = (live_server.seat(one) for one in taken)
    left.until("view")
    right.until("view")
    right.answer(0, 1)
    left.vanish()
    away = right.expect("event")
    assert (away["event"], away["data"]) == ("away", {"within_ms": 20_000})
    assert right.silent_for(0.9)

    back = live_server.seat(taken[0])

    assert 0 < back.until("view")["within_ms"] <= 800
    assert back.answer(0, 1) == ["ok"]
    outcome = live_server.over(lobby)
    assert (outcome["reason"], outcome["seats"][0]["timeouts"]) == ("rounds", 0)


def test_waits_the_absences_of_a_seat_are_bounded_together(live_server: LiveServer):
    clock = {"turn_ms": 20_000, "absence": "waits", "absence_ms": 1_500}
    lobby, taken = live_server.seated("duel", clock=clock)
    left, right = (live_server.seat(one) for one in taken)
    left.until("view")
    right.until("view")
    left.vanish()
    assert right.expect("event")["event"] == "away"
    assert right.silent_for(0.3)
    left = live_server.seat(taken[0])
    assert right.expect("event")["event"] == "back"
    left.vanish()

    away = right.expect("event")
    outcome = right.until("end")["outcome"]

    assert away["data"]["within_ms"] <= 1_200
    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == (
        "forfeit",
        "disconnect",
        1,
    )
    assert live_server.verified(lobby).kind == "ok"


def test_waits_both_forfeit_if_both_are_absent(live_server: LiveServer):
    clock = {"turn_ms": 20_000, "absence": "waits", "absence_ms": 1_000}
    lobby, (left, right) = live_server.started("duel", clock=clock)
    left.vanish()
    right.vanish()
    live_server.over(lobby)

    broken = [(line["s"], line["r"]) for line in live_server.journal(lobby) if line["k"] == "break"]
    assert broken == [([0, 1], "disconnect")]


def test_waits_absence_without_an_open_turn_is_free(live_server: LiveServer):
    clock = {"turn_ms": 20_000, "bank_ms": 0, "absence": "waits", "absence_ms": 60}
    lobby, (red, blue) = live_server.started("walk", clock=clock)
    red.expect("view")
    blue.vanish()
    assert red.expect("event")["event"] == "away"
    assert red.silent_for(0.15)

    red.answer(0, end_turn=True)

    assert live_server.over(lobby)["reason"] == "disconnect"
    assert live_server.over(lobby)["winner"] == 0


def test_forfeits_a_lost_connection_ends_the_match(live_server: LiveServer):
    lobby, (left, right) = live_server.started("duel", clock=LONG | {"absence": "forfeits"})
    left.vanish()

    outcome = right.until("end")["outcome"]

    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == (
        "forfeit",
        "disconnect",
        1,
    )
    assert live_server.verified(lobby).kind == "ok"


def test_a_close_by_the_server_is_never_a_disconnect(live_server: LiveServer):
    _, (left, right) = live_server.started("duel", clock=LONG | {"absence": "forfeits"})
    right.expect("view")
    left.raw("nonsense", times=50)
    assert left.refused()[1] == "malformed"
    assert right.expect("event")["event"] == "away"

    assert right.silent_for(0.05)
    assert right.answer(0, 1) == ["ok"]


def test_a_seat_closed_by_the_server_is_not_waited_for(live_server: LiveServer):
    clock = {"turn_ms": 80, "grace_ms": 0, "absence": "waits", "absence_ms": 20_000}
    lobby, (left, right) = live_server.started("duel", config={"rounds": 1}, clock=clock)
    right.expect("view")
    right.answer(0, 1)
    left.raw("nonsense", times=50)

    assert live_server.over(lobby)["seats"][0]["timeouts"] == 1


# --- never there


def test_a_seat_without_a_hello_cancels_the_match(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock={"startup_ms": 700})
    watcher = live_server.viewer(lobby)
    left = live_server.seat(taken[0])

    end = left.expect("end")

    assert (end["outcome"]["outcome"], end["outcome"]["reason"]) == ("aborted", "no_show")
    assert left.rest() == []
    assert left.close_code == 1000
    assert watcher.expect("end")["outcome"]["reason"] == "no_show"
    lines = live_server.journal(lobby)
    assert [line["k"] for line in lines] == ["match", "event", "break", "end"]
    assert (lines[1]["e"], lines[1]["s"]) == ("missing", 1)
    assert live_server.verified(lobby).kind == "ok"


def test_a_seat_that_left_after_its_hello_is_absent(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock={"startup_ms": 1_000})
    left = live_server.seat(taken[0])
    left.vanish()
    eventually(lambda: not live_server.lobby(lobby)["seats"][0]["connected"])
    right = live_server.seat(taken[1])

    assert right.expect("end")["outcome"]["reason"] == "no_show"


def test_leaving_resigns_the_match(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock=LONG)
    left, right = (live_server.seat(one) for one in taken)
    right.until("view")
    left.until("view")
    assert live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"]).status_code == 200

    outcome = right.until("end")["outcome"]

    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == (
        "forfeit",
        "resignation",
        1,
    )
    assert live_server.verified(lobby).kind == "ok"


def test_a_silent_seat_stays_while_its_clock_runs_and_a_silent_viewer_is_closed(tmp_path):
    with hosted(tmp_path, ping_ms=50, quiet_ms=600) as live_server:
        lobby, taken = live_server.seated("duel", clock=LONG)
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.until("view")
        watcher = live_server.viewer(lobby)
        hears = left.socket.protocol.receive_data
        left.socket.protocol.receive_data = watcher.socket.protocol.receive_data = lambda data: None

        eventually(lambda: not live_server.arena.matches.lobbies.unfinished[lobby].viewers)
        left.socket.protocol.receive_data = hears

        assert [line["e"] for line in live_server.journal(lobby) if line["k"] == "event"] == []
        assert left.answer(0, 1) == ["ok"]


def test_heartbeats_are_counted(tmp_path):
    with hosted(tmp_path, ping_ms=15) as live_server:
        viewer = live_server.viewer(live_server.create()["lobby"])
        beats = [json.loads(viewer.socket.recv(5)) for _ in range(3)]

        assert beats == [
            {"type": "ping", "n": 1},
            {"type": "ping", "n": 2},
            {"type": "ping", "n": 3},
        ]


@pytest.mark.parametrize("times", [20])
def test_short_connections_leave_nothing_behind(live_server: LiveServer, times):
    lobby, taken = live_server.seated("duel", clock=LONG | {"startup_ms": 60_000})
    for _ in range(times):
        live_server.seat(taken[0]).vanish()
        live_server.viewer(lobby).vanish()

    sessions = live_server.arena.http.sockets._sessions
    eventually(
        lambda: (
            not any(
                session.lobby is not None and session.lobby.id == lobby
                for session in list(sessions)
            )
        )
    )
    assert live_server.arena.matches.lobbies.unfinished[lobby].clients() == []
