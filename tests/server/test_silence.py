"""A seat that sends nothing, too little or nonsense: the consequences and the record."""

from __future__ import annotations

import threading
import time

import pytest

from tests.server.live_server import LiveServer, SocketClient, hosted

SHORT = {"turn_ms": 40, "grace_ms": 10, "human_turn_ms": 60_000}


def hurried(live_server: LiveServer, **options) -> tuple[str, list[SocketClient]]:
    """A bot with a short limit against a person with a long one."""
    options["clock"] = SHORT | options.get("clock", {})
    lobby = live_server.create("duel", **options)["lobby"]
    clients = [
        live_server.seat(live_server.join(lobby, kind, kind=kind)) for kind in ("bot", "human")
    ]
    for client in clients:
        client.expect("start")
    return lobby, clients


def reasons(live_server: LiveServer, lobby: str, event: str) -> list[int]:
    return [
        line["s"]
        for line in live_server.journal(lobby)
        if line["k"] == "event" and line["e"] == event
    ]


def test_at_the_limit_stop_is_sent_and_after_the_grace_the_default_is_played(
    live_server: LiveServer,
):
    lobby, (left, right) = hurried(live_server, seed=3, config={"rounds": 1})
    right.expect("view")
    left.expect("view")
    right.answer(0, 2)

    assert left.expect("stop") == {"type": "stop", "turn": 0, "within_ms": 10}
    assert left.expect("event")["event"] == "timeout"
    assert right.expect("event") == {
        "type": "event",
        "event": "timeout",
        "turn": 0,
        "seat": 0,
        "data": {"timeouts": 1, "strikes": 0},
    }
    outcome = live_server.over(lobby)
    assert [seat["timeouts"] for seat in outcome["seats"]] == [1, 0]
    assert reasons(live_server, lobby, "timeout") == [0]
    assert live_server.verified(lobby).kind == "ok"


def test_a_timeout_is_announced_to_the_other_seat_when_the_turn_closes(
    live_server: LiveServer,
):
    _, (bot, person) = hurried(live_server)
    bot.until("stop")
    person.until("view")

    assert person.silent_for(0.1)
    assert person.answer(0, 1) == ["ok"]
    assert person.expect("event")["event"] == "timeout"


def test_an_answer_within_the_grace_counts(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 1}, clock={"turn_ms": 30, "grace_ms": 10_000}
    )
    right.expect("view")
    right.answer(0, 1)
    left.until("stop")

    assert left.answer(0, 1) == ["ok"]
    assert live_server.over(lobby)["seats"][0]["timeouts"] == 0


def test_a_stalled_server_accepts_answers_received_meanwhile(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, (left, right) = live_server.started(
            "duel", config={"rounds": 1}, clock={"turn_ms": 100, "grace_ms": 0}
        )
        left.expect("view")
        right.expect("view")
        held = threading.Event()
        live_server.arena.matches.lobbies.unfinished[lobby]._task.get_loop().call_soon_threadsafe(
            lambda: (held.set(), time.sleep(0.4))
        )
        assert held.wait(5)
        left.say("commands", turn=0, commands=[1])
        right.say("commands", turn=0, commands=[1])

        assert [seat["timeouts"] for seat in live_server.over(lobby)["seats"]] == [0, 0]
        stalls = [
            line
            for line in live_server.journal(lobby)
            if line["k"] == "event" and line["e"] == "stall"
        ]
        assert {line["s"] for line in stalls} == {None}
        assert max(line["d"]["ms"] for line in stalls) > 200  # a busy machine adds short ones
        assert live_server.verified(lobby).kind == "ok"


def test_without_an_answer_the_latest_provisional_one_is_played(live_server: LiveServer):
    lobby, (left, right) = hurried(live_server, config={"rounds": 1}, clock={"turn_ms": 400})
    left.expect("view")
    left.say("provisional", turn=0, commands=[4])
    left.say("provisional", turn=0, commands=[6])
    left.say("provisional", turn=7, commands=[8])
    right.expect("view")
    right.answer(0, 1)
    outcome = live_server.over(lobby)

    played = [
        line for line in live_server.journal(lobby) if line["k"] == "command" and line["s"] == 0
    ]
    assert [(line["c"], line["r"], line["t"]["provisional"]) for line in played] == [
        (6, "ok", True)
    ]
    assert outcome["seats"][0]["timeouts"] == 0
    assert live_server.verified(lobby).kind == "ok"


def test_a_rejected_provisional_answer_counts_as_silence(live_server: LiveServer):
    lobby, (left, right) = hurried(live_server, config={"rounds": 1}, clock={"turn_ms": 400})
    left.expect("view")
    left.say("provisional", turn=0, commands=["nonsense"])
    right.expect("view")
    right.answer(0, 1)

    assert live_server.over(lobby)["seats"][0]["timeouts"] == 1


@pytest.mark.parametrize(("faults", "timeouts"), [("forfeit", 1), ("strikes", 3)])
def test_the_lobbys_policy_decides_which_timeout_forfeits(
    live_server: LiveServer, faults, timeouts
):
    lobby, (left, right) = hurried(live_server, config={"rounds": 20}, faults=faults)
    answering(right)

    outcome = live_server.over(lobby)

    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == ("forfeit", "timeout", 1)
    assert outcome["seats"][0]["timeouts"] == timeouts
    assert live_server.verified(lobby).kind == "ok"
    left.close()


def test_with_the_default_policy_a_silent_seat_plays_to_the_end(live_server: LiveServer):
    lobby, (_, right) = hurried(live_server, config={"rounds": 4}, faults="default")
    answering(right)

    outcome = live_server.over(lobby)

    assert outcome["reason"] == "rounds"
    assert outcome["seats"][0]["timeouts"] == 4


def test_two_seats_that_time_out_in_one_turn_are_treated_alike(live_server: LiveServer):
    lobby, _ = live_server.started("duel", clock=SHORT, faults="forfeit")

    live_server.over(lobby)

    broken = [line for line in live_server.journal(lobby) if line["k"] == "break"]
    assert [(line["s"], line["r"]) for line in broken] == [([0, 1], "timeout")]


def test_a_person_never_forfeits_by_time(live_server: LiveServer):
    lobby = live_server.create(
        "duel",
        config={"rounds": 3},
        clock=SHORT | {"turn_ms": 60_000, "human_turn_ms": 20},
        faults="forfeit",
    )["lobby"]
    person, bot = (
        live_server.seat(live_server.join(lobby, "person", kind="human")),
        live_server.seat(live_server.join(lobby, "bot")),
    )
    answering(bot)

    outcome = live_server.over(lobby)

    assert outcome["reason"] == "rounds"
    assert outcome["seats"][0]["timeouts"] == 3
    person.close()


def test_a_bank_pays_beyond_the_limit_and_is_sent_with_each_view(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 2}, clock={"turn_ms": 10, "bank_ms": 60_000}
    )
    first = left.expect("view")
    assert first["bank_ms"] == 60_000
    right.expect("view")
    right.answer(0, 1)
    assert left.silent_for(0.15)
    left.answer(0, 1)

    second = left.expect("view")

    assert 50_000 < second["bank_ms"] < 60_000 - 35
    right.expect("view")
    right.answer(1, 1)
    left.answer(1, 1)
    assert [seat["timeouts"] for seat in live_server.over(lobby)["seats"]] == [0, 0]


def test_without_a_limit_the_match_waits(live_server: LiveServer):
    _, (left, right) = live_server.started("duel", clock={"turn_ms": 0})
    assert left.expect("view")["within_ms"] is None
    right.expect("view")

    assert left.silent_for(0.1)
    assert left.answer(0, 1) == ["ok"]


def test_an_idle_match_without_limits_is_aborted(tmp_path):
    with hosted(tmp_path, idle_ms=60) as live_server:
        lobby, _ = live_server.started("duel", clock={"turn_ms": 0})
        outcome = live_server.over(lobby)

        assert (outcome["outcome"], outcome["reason"]) == ("aborted", "idle")
        assert live_server.verified(lobby).kind == "ok"


def test_too_many_rejected_commands_end_the_turn_without_a_timeout(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 1}, clock={"turn_ms": 20_000, "rejects": 3}
    )
    left.expect("view")

    assert left.answer(0, "a", "b", 99, "c", 4) == [
        "bad_bid",
        "bad_bid",
        "too_high",
        "bad_bid",
        "ok",
    ]
    assert live_server.lobby(lobby)["state"] == "running"
    right.expect("view")
    right.answer(0, 1)
    live_server.over(lobby)


def test_the_last_rejected_frame_of_a_turn_closes_it_with_the_default(live_server: LiveServer):
    lobby, (left, right) = live_server.started(
        "duel", config={"rounds": 1}, clock={"turn_ms": 20_000, "rejects": 3}
    )
    left.expect("view")
    left.answer(0, "a", "b")
    assert left.answer(0, "c") == ["bad_bid"]

    assert left.answer(0, 4) == ["too_many"]
    right.expect("view")
    right.answer(0, 1)
    assert right.expect("event") == {
        "type": "event",
        "event": "silent",
        "turn": 0,
        "seat": 0,
        "data": {"rejects": 3},
    }
    outcome = live_server.over(lobby)
    assert [(seat["timeouts"], seat["rejects"]) for seat in outcome["seats"]] == [(0, 3), (0, 0)]
    assert reasons(live_server, lobby, "silent") == [0]
    assert live_server.verified(lobby).kind == "ok"


def test_rejected_commands_beyond_the_limit_are_counted_but_not_recorded(tmp_path):
    with hosted(tmp_path, refusals_per_turn=10) as live_server:
        lobby, (left, right) = live_server.started(
            "duel", config={"rounds": 1}, clock={"turn_ms": 20_000}
        )
        left.expect("view")
        codes = left.answer(8, *range(25))
        right.expect("view")
        right.answer(0, 1)
        left.answer(0, 1)
        outcome = live_server.over(lobby)

        assert codes == ["future_turn"] * 10 + ["too_many"] * 15
        assert outcome["seats"][0]["dropped"] == 15
        assert len([line for line in live_server.journal(lobby) if line["k"] == "command"]) == 12


def test_unrecorded_rejections_count_after_a_restart(tmp_path):
    with hosted(tmp_path, refusals_per_turn=10) as live_server:
        lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock={"turn_ms": 60_000})
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        left.answer(8, *range(25))
        right.until("view")
    with hosted(tmp_path, refusals_per_turn=10) as live_server:
        left, right = (live_server.seat(one) for one in taken)
        left.until("view", act=True)
        left.answer(8, *range(11))
        left.answer(0, 1)
        right.answer(0, 1)
        outcome = live_server.over(lobby)

        assert [seat["dropped"] for seat in outcome["seats"]] == [16, 0]
        assert live_server.verified(lobby).kind == "ok"


def test_preprocessing_ends_when_all_are_ready(live_server: LiveServer):
    _, taken = live_server.seated(
        "pyrat", config={"preset": "tiny", "preprocessing_timeout_ms": 60_000}
    )
    rat, python = (live_server.seat(one) for one in taken)
    assert 59_000 < rat.expect("start")["within_ms"] <= 60_000
    rat.say("ready")
    assert rat.silent_for(0.05)

    python.say("ready")

    assert rat.expect("view")["turn"] == 0


def test_a_seat_that_is_not_ready_in_time_plays_or_forfeits_by_the_games_rules(
    live_server: LiveServer,
):
    for policy, reason in (("lenient", None), ("strict", "not_ready")):
        config = {
            "preset": "tiny",
            "preprocessing_timeout_ms": 2_000,
            "network_grace_ms": 0,
            "fault_policy": policy,
        }
        lobby, taken = live_server.seated("pyrat", config=config)
        rat, python = (live_server.seat(one) for one in taken)
        python.until("start")
        python.say("ready")
        event = python.expect("event")
        assert (event["event"], event["seat"]) == ("not_ready", 0)
        if reason is None:
            assert python.expect("view")["turn"] == 0
        else:
            assert live_server.over(lobby)["reason"] == reason
            assert live_server.verified(lobby).kind == "ok"
        rat.close()


def answering(client: SocketClient, bid: int = 1) -> None:
    """Answer every turn until the end."""
    while True:
        message = client.until("view", "end")
        if message["type"] == "end":
            return
        if message["act"]:
            client.say("commands", turn=message["turn"], commands=[bid])
