"""Matches by the turn lock: simultaneous, alternating, many commands a turn."""

from __future__ import annotations

import pytest

from tests.server.live_server import LiveServer


def test_a_turn_closes_when_both_seats_have_answered(
    live_server: LiveServer,
):
    lobby, (left, right) = live_server.started("duel", seed=1, config={"rounds": 2})
    for client in (left, right):
        view = client.expect("view")
        assert (view["turn"], view["act"]) == (0, True)
        assert 0 < view["within_ms"] <= 1000
    assert left.answer(0, 3) == ["ok"]
    assert right.answer(0, 4) == ["ok"]
    assert left.expect("view")["turn"] == right.expect("view")["turn"] == 1
    left.answer(1, 1)
    right.answer(1, 2)

    for client in (left, right):
        last = client.expect("view")
        assert (last["act"], last["within_ms"]) == (False, None)
        assert client.expect("end")["outcome"]["reason"] == "rounds"
        assert client.rest() == []
        assert client.close_code == 1000
    assert live_server.verified(lobby).kind == "ok"


def test_start_has_seats_config_clock_and_commitment(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", config={"preset": "short"}, clock={"turn_ms": 700})
    left, right = (live_server.seat(one) for one in taken)
    starts = [left.expect("start"), right.expect("start")]

    assert [start["seat"] for start in starts] == [0, 1]
    assert starts[0]["seats"] == [
        {"seat": 0, "role": "left", "name": "player 0", "kind": "bot"},
        {"seat": 1, "role": "right", "name": "player 1", "kind": "bot"},
    ]
    assert starts[0]["config"]["rounds"] == 2
    assert starts[0]["clock"]["turn_ms"] == 700
    assert starts[0]["commitment"] == live_server.lobby(lobby)["commitment"]
    assert starts[0]["within_ms"] is None


def test_the_match_starts_when_all_seats_have_said_hello(live_server: LiveServer):
    _, taken = live_server.seated("duel")
    left = live_server.seat(taken[0])
    assert left.silent_for(0.05)

    right = live_server.seat(taken[1])

    assert left.expect("start")["type"] == right.expect("start")["type"]


def test_an_open_turn_is_hidden_from_the_other_seat_and_viewers(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock={"turn_ms": 5000})
    watcher = live_server.viewer(lobby)
    left, right = (live_server.seat(one) for one in taken)
    for client in (left, right, watcher):
        client.expect("start")
        client.expect("view")

    assert left.answer(0, 7) == ["ok"]

    assert right.silent_for(0.1)
    assert watcher.silent_for(0.01)


def test_in_a_turn_results_precede_the_view(live_server: LiveServer):
    _, (left, right) = live_server.started("duel", clock={"turn_ms": 5000})
    for client in (left, right):
        client.expect("view")
    left.say("commands", turn=0, commands=[1], id="mine")
    right.say("commands", turn=0, commands=[2], id=9)

    assert left.expect("results") == {
        "type": "results",
        "turn": 0,
        "results": [{"code": "ok"}],
        "id": "mine",
    }
    assert left.expect("view")["turn"] == 1
    assert right.expect("results")["id"] == 9
    assert right.expect("view")["turn"] == 1


def test_many_commands_are_answered_at_once_and_shown_to_others_when_the_turn_closes(
    live_server: LiveServer,
):
    lobby, (red, blue) = live_server.started("walk", config={"turns": 2})
    assert red.expect("view")["act"]
    assert not blue.expect("view")["act"]
    red.say(
        "commands",
        turn=0,
        commands=[{"do": "step", "by": 1}, {"do": "step", "by": 5}, {"do": "ask"}, 17],
    )

    results = red.expect("results")["results"]

    assert [result["code"] for result in results] == ["ok", "too_far", "ok", "bad_command"]
    assert results[2]["changes"] == {"place": 1}
    assert results[3]["why"] == "expected an object"
    assert blue.silent_for(0.05)
    assert red.answer(0, {"do": "step", "by": 1}, end_turn=True) == ["ok"]
    assert blue.expect("view")["view"]["places"] == [2, 0]
    assert blue.answer(1, end_turn=True) == []
    assert blue.until("end")["outcome"]["winner"] == 0
    assert live_server.verified(lobby).kind == "ok"


def test_a_seat_without_changes_gets_none(live_server: LiveServer):
    _, taken = live_server.seated("walk")
    red, _ = live_server.seat(taken[0], changes=False), live_server.seat(taken[1])
    red.until("view")
    red.say("commands", turn=0, commands=[{"do": "step", "by": 1}])

    assert red.expect("results")["results"] == [{"code": "ok"}]


def test_a_refused_end_of_the_turn_is_reported(live_server: LiveServer):
    _, (_, blue) = live_server.started("walk")
    blue.expect("view")

    assert blue.answer(0, end_turn=True) == ["not_your_turn"]


def test_commands_after_the_one_that_closed_the_turn_are_stale(live_server: LiveServer):
    _, (red, _) = live_server.started("walk")
    red.expect("view")

    assert red.answer(0, {"do": "end_turn"}, {"do": "step", "by": 1}) == ["ok", "stale_turn"]


@pytest.mark.parametrize(
    ("turn", "code"),
    [(1, "future_turn"), (10**9, "future_turn"), (None, "no_turn")],
)
def test_an_answer_to_a_turn_that_is_not_open_is_refused(live_server: LiveServer, turn, code):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 5000})
    left.expect("view")

    assert left.answer(turn, 3, 4) == [code, code]
    assert left.answer(0, 3) == ["ok"]


def test_a_late_answer_never_counts_for_a_later_turn(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 2}, clock={"turn_ms": 5000}
    )
    for client in (left, right):
        client.expect("view")
    left.answer(0, 1)
    right.answer(0, 1)
    left.expect("view")
    right.expect("view")

    assert left.answer(0, 9) == ["stale_turn"]
    assert left.answer(1, 0) == ["ok"]
    right.answer(1, 0)

    bids = [
        line["c"]
        for line in live_server.journal(lobby)
        if line["k"] == "command" and line["s"] == 0 and line["r"] == "ok"
    ]
    assert bids == [1, 0]
    assert live_server.over(lobby)["seats"][0]["late"] == 1


def test_a_repeated_command_gets_the_games_code(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 5000})
    left.expect("view")

    assert left.answer(0, 3, 3) == ["ok", "already_bid"]


def test_commands_before_the_first_turn_get_an_error(live_server: LiveServer):
    _, taken = live_server.seated("pyrat", config={"preset": "tiny"})
    early = live_server.seat(taken[0])
    assert early.answer_unasked(0, "UP") == ["not_started"]
    late = live_server.seat(taken[1])
    early.expect("start")
    late.expect("start")

    assert early.answer_unasked(0, "UP") == ["not_started"]


def test_commands_after_the_end_get_the_games_code(live_server: LiveServer):
    lobby, (red, _) = live_server.started("walk", config={"turns": 1})
    red.expect("view")

    assert red.answer(0, {"do": "end_turn"}, {"do": "ask"}) == ["ok", "game_over"]
    assert red.until("end")["outcome"]["reason"] == "max_turns"
    assert live_server.verified(lobby).kind == "ok"


def test_every_command_has_exactly_one_recorded_result(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 1}, clock={"turn_ms": 5000}
    )
    left_codes = []
    for turn, bid in ((None, 1), (5, 1), (0, "much"), (0, 99), (0, 4), (0, 4)):
        left_codes += (
            left.answer(turn, bid)
            if left_codes
            else (left.expect("view") and left.answer(turn, bid))
        )
    right.expect("view")
    right_codes = right.answer(0, 1)
    live_server.over(lobby)

    kept = [(line["s"], line["r"]) for line in live_server.journal(lobby) if line["k"] == "command"]
    assert left_codes == ["no_turn", "future_turn", "bad_bid", "too_high", "ok", "already_bid"]
    assert kept == [(0, code) for code in left_codes] + [(1, code) for code in right_codes]


def test_each_command_is_recorded_with_its_charge(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 1}, clock={"turn_ms": 5000}
    )
    left.expect("view")
    right.expect("view")
    assert right.silent_for(0.15)
    right.answer(0, 1)
    left.answer(0, 1)
    outcome = live_server.over(lobby)

    stamps = {line["s"]: line["t"] for line in live_server.journal(lobby) if line["k"] == "command"}
    assert stamps[1]["charged"] + stamps[1]["lag"] >= 30
    assert stamps[1]["received"] >= stamps[1]["handed"] + 30
    assert outcome["seats"][1]["think_ms_total"] == pytest.approx(stamps[1]["charged"], abs=0.01)


def test_a_field_requested_once_is_in_start_only(live_server: LiveServer):
    _, taken = live_server.seated("pyrat", config={"preset": "tiny", "preprocessing_timeout_ms": 0})
    rat, python = live_server.seat(taken[0], once=["maze", "nothing"]), live_server.seat(taken[1])

    assert "maze" in rat.expect("start")["view"]
    assert "maze" not in rat.expect("view")["view"]
    assert "maze" in python.until("view")["view"]


def test_a_resync_sends_start_and_the_open_turn_again(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
    view = left.expect("view")
    left.say("resync")

    assert left.expect("start")["seq"] == view["seq"]
    again = left.expect("view")
    assert (again["turn"], again["seq"], again["view"], again["act"]) == (
        0,
        view["seq"],
        view["view"],
        True,
    )
    assert again["within_ms"] <= view["within_ms"]


def test_a_resync_within_ones_own_turn_includes_its_commands(live_server: LiveServer):
    _, (red, _) = live_server.started("walk")
    red.expect("view")
    red.answer(0, {"do": "step", "by": 1})
    red.say("resync")

    assert red.expect("start")["view"]["places"] == [1, 0]
    assert red.expect("view")["act"]
