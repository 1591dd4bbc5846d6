"""Turns of many commands: who pays for the time, what the others see, and what comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.core.throw_in import END_TURN, WALK
from tests.server.live_server import PLAYED, LiveServer, eventually, hosted

STEP = {"do": "step", "by": 1}
LONG = {"turn_ms": 60_000, "absence": "plays"}
BANK = {"turn_ms": 0, "bank_ms": 400, "increment_ms": 100, "strikes": 1, "grace_ms": 0}


def give_up(reason: str) -> dict[str, str]:
    return {"do": "give_up", "why": reason}


SPOKEN_FOR = replace(WALK, name="spoken_for", command_for_silence=give_up)
"""The same game, whose silent seats are spoken for."""


@pytest.fixture(scope="module")
def speaking(tmp_path_factory) -> Iterator[LiveServer]:
    with hosted(
        tmp_path_factory.mktemp("data"), {**PLAYED, "spoken_for": SPOKEN_FOR}
    ) as live_server:
        yield live_server


def test_the_opponents_get_every_step_of_a_closed_turn_on_request(live_server: LiveServer):
    lobby, taken = live_server.seated("walk", config={"turns": 2})
    watcher, plain = live_server.viewer(lobby, steps=True), live_server.viewer(lobby)
    red, blue = live_server.seat(taken[0]), live_server.seat(taken[1], steps=True)
    red.until("view")
    red.answer(0, STEP, {"do": "step", "by": 7})
    red.answer(0, {"do": "ask"}, end_turn=True)

    expected = {
        "type": "event",
        "event": "steps",
        "turn": 0,
        "seat": None,
        "data": [
            {"seat": 0, "command": STEP, "changes": {"place": 1}},
            {"seat": 0, "command": {"do": "ask"}, "changes": {"place": 1}},
        ],
    }
    assert watcher.until("event", event="steps") == blue.until("event", event="steps") == expected
    assert watcher.expect("view")["turn"] == 1
    assert blue.answer(1, end_turn=True) == []
    heard = [message.get("event", message["type"]) for message in plain.rest()]
    assert [one for one in heard if one != "clock"] == ["start", "view", "view", "view", "end"]


def test_without_a_turn_limit_the_bank_pays_for_turns_and_an_empty_one_loses(
    live_server: LiveServer,
):
    lobby, (red, blue) = live_server.started("walk", config={"turns": 100, "fails": 10}, clock=BANK)
    view = red.expect("view")
    assert (view["within_ms"], 300 < view["bank_ms"] <= 400) == (0, True)
    assert red.answer(0, STEP, end_turn=True) == ["ok"]
    assert blue.until("view", act=True)["turn"] == 1
    blue.answer(1, end_turn=True)
    assert red.until("view", act=True)["bank_ms"] > view["bank_ms"]

    outcome = live_server.over(lobby)

    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == ("forfeit", "timeout", 1)
    assert outcome["seats"][0]["think_ms_total"] <= 500 + 50
    assert live_server.verified(lobby).kind == "ok"


def test_commands_of_several_frames_count_for_one_turn(live_server: LiveServer):
    lobby, (red, blue) = live_server.started("walk", clock=LONG)
    red.expect("view")
    for _ in range(3):
        red.say("commands", turn=0, commands=[STEP])
    codes = [red.expect("results")["results"][0]["code"] for _ in range(3)]

    assert codes == ["ok", "ok", "ok"]
    assert red.answer(0, STEP) == ["no_budget"]
    red.answer(0, end_turn=True)
    assert blue.until("view", act=True)["view"]["places"] == [3, 0]
    assert [line["n"] for line in live_server.journal(lobby) if line["k"] == "command"] == [0] * 5


def test_a_frame_repeated_after_a_lost_connection_is_not_applied_again(
    live_server: LiveServer,
):
    _, taken = live_server.seated("walk", clock=LONG)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    red.say("commands", turn=0, commands=[STEP], id=1)
    first = red.expect("results")
    red.say("commands", turn=0, commands=[STEP], id=2)
    second = red.expect("results")
    red.vanish()
    back = live_server.seat(taken[0])
    back.until("view")

    back.say("commands", turn=0, commands=[STEP], id=1)
    assert back.until("results") == first
    back.say("commands", turn=0, commands=[STEP], id=2)
    assert back.until("results") == second
    assert back.answer(0, STEP, end_turn=True) == ["ok"]
    assert blue.until("view", act=True)["view"]["places"] == [3, 0]


def test_the_results_of_the_frame_that_closed_the_turn_are_repeated_too(live_server: LiveServer):
    _, taken = live_server.seated("walk", clock=LONG)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    red.say("commands", turn=0, commands=[STEP], end_turn=True, id=5)
    results = red.expect("results")
    red.vanish()
    assert blue.until("view", act=True)["turn"] == 1
    back = live_server.seat(taken[0])
    back.until("start")

    back.say("commands", turn=0, commands=[STEP], end_turn=True, id=5)
    assert back.until("results") == results
    blue.answer(1, end_turn=True)
    assert back.until("view", act=True)["view"]["places"] == [1, 0]
    back.say("commands", turn=0, commands=[STEP], end_turn=True, id=5)
    assert back.until("results") == results


def test_the_same_frame_on_the_same_connection_is_another_one(live_server: LiveServer):
    _, (red, _) = live_server.started("walk", clock=LONG)
    red.expect("view")

    codes = [red.answer(0, STEP, id=1)[0] for _ in range(4)]

    assert codes == ["ok", "ok", "ok", "no_budget"]


def test_another_frame_with_a_known_number_is_applied(live_server: LiveServer):
    _, taken = live_server.seated("walk", clock=LONG)
    red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
    red.until("view")
    red.answer(0, STEP, id=1)
    red.vanish()
    back = live_server.seat(taken[0])
    back.until("view")

    assert back.answer(0, {"do": "ask"}, id=1) == ["ok"]


def test_a_viewer_that_joins_within_a_turn_gets_all_its_steps(live_server: LiveServer):
    lobby, (red, _) = live_server.started("walk", clock=LONG)
    red.expect("view")
    red.answer(0, STEP)
    watcher = live_server.viewer(lobby, steps=True)
    assert watcher.expect("start")["view"]["places"] == [0, 0]
    red.answer(0, STEP, end_turn=True)

    assert [step["changes"] for step in watcher.until("event", event="steps")["data"]] == [
        {"place": 1},
        {"place": 2},
    ]


def test_provisional_commands_that_were_played_are_among_the_steps(live_server: LiveServer):
    lobby, taken = live_server.seated("walk", clock=BANK | {"bank_ms": 200, "strikes": 0})
    watcher = live_server.viewer(lobby, steps=True)
    red, _ = (live_server.seat(one) for one in taken)
    red.until("view")
    red.say("provisional", turn=0, commands=[STEP, END_TURN])

    steps = watcher.until("event", event="steps")["data"]
    assert steps == [
        {"seat": 0, "command": STEP, "changes": {"place": 1}},
        {"seat": 0, "command": END_TURN, "changes": None},
    ]


def test_a_flood_of_uncounted_commands_ends_its_own_connection(tmp_path):
    with hosted(tmp_path, refusals_per_turn=10) as live_server:
        lobby, taken = live_server.seated("catastrophe", config={"max_commands_per_turn": 8})
        one, other = (live_server.seat(seat) for seat in taken)
        turn = one.until("view", act=True)["turn"]
        assert one.answer(turn, *[0] * 18) == ["bad_command"] * 18
        assert one.answer(turn, 0) == ["bad_command"]

        assert one.refused() == (4429, "too_fast", True)
        assert other.until("event", event="away")["seat"] == 0
        back = live_server.seat(taken[0])
        back.until("view", act=True)
        back.say("commands", turn=turn, end_turn=True, commands=[])
        assert other.until("view", act=True)["turn"] > turn
        assert live_server.lobby(lobby)["state"] == "running"


def test_too_many_invalid_frames_lose_the_match(live_server: LiveServer):
    lobby, (red, blue) = live_server.started("walk", clock=LONG | {"bad_frames": 60})
    red.expect("view")
    red.raw("{", times=59)
    assert red.until("error")["code"] == "malformed"
    assert red.answer(0, STEP) == ["ok"]
    red.raw("{")

    outcome = blue.until("end")["outcome"]

    assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == ("forfeit", "protocol", 1)
    assert outcome["seats"][0]["bad_frames"] == 60
    assert live_server.verified(lobby).kind == "ok"


def test_limited_the_absence_of_a_seat_is_limited_in_any_turn(live_server: LiveServer):
    lobby, taken = live_server.seated(
        "walk", clock=LONG | {"absence": "limited", "absence_ms": 300}
    )
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    blue.vanish()
    assert red.until("event", event="away")["data"] == {"within_ms": 300}
    back = live_server.seat(taken[1])
    assert red.until("event")["event"] == "back"
    back.expect("start")
    back.vanish()
    away = red.until("event", event="away")["data"]["within_ms"]
    assert away < 300

    outcome = red.until("end")["outcome"]

    assert (outcome["reason"], outcome["winner"]) == ("disconnect", 0)
    assert live_server.verified(lobby).kind == "ok"


def test_limited_the_clock_of_an_absent_seat_runs_on(live_server: LiveServer):
    clock = BANK | {"bank_ms": 200, "absence": "limited", "absence_ms": 60_000}
    lobby, taken = live_server.seated("walk", clock=clock)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    red.vanish()

    assert blue.until("end")["outcome"]["reason"] == "disconnect"
    assert live_server.over(lobby)["winner"] == 1


def test_limited_an_empty_bank_loses_before_the_others_absence_does(
    live_server: LiveServer,
):
    clock = BANK | {"bank_ms": 300, "absence": "limited", "absence_ms": 60_000}
    lobby, taken = live_server.seated("walk", clock=clock)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    blue.vanish()

    assert red.until("end")["outcome"]["reason"] == "timeout"
    assert live_server.over(lobby)["winner"] == 1


def test_misses_an_absent_seat_loses_its_turns_at_once(live_server: LiveServer):
    lobby, taken = live_server.seated(
        "walk", config={"fails": 2, "turns": 50}, clock=LONG | {"absence": "misses"}
    )
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    blue.vanish()
    red.until("event", event="away")
    for turn in (0, 2):
        red.answer(turn, END_TURN)
        if turn == 0:
            assert red.until("view", act=True)["turn"] == 2

    assert red.until("end")["outcome"]["reason"] == "failed"
    assert live_server.over(lobby)["winner"] == 0
    assert live_server.verified(lobby).kind == "ok"


def test_a_silent_seat_gets_the_games_default_with_the_reason(speaking: LiveServer):
    lobby, taken = speaking.seated(
        "spoken_for",
        config={"fails": 2},
        clock={"turn_ms": 500, "grace_ms": 0, "absence": "misses", "bank_ms": 0, "increment_ms": 0},
    )
    red, blue = (speaking.seat(one) for one in taken)
    blue.until("view")
    assert blue.until("view", act=True)["turn"] == 1
    blue.vanish()  # before its time is up

    eventually(lambda: speaking.lobby(lobby)["outcome"])
    spoken = [
        (line["s"], line["c"]["why"]) for line in speaking.journal(lobby) if line["k"] == "command"
    ]
    assert spoken[:2] == [(0, "timeout"), (1, "disconnect")]
    assert speaking.verified(lobby).kind == "ok"
    red.close()


def test_a_seat_that_is_not_ready_in_time_fails_in_its_own_turn(
    speaking: LiveServer,
):
    clock = LONG | {"preprocessing_ms": 100, "late_ready": "forfeits", "grace_ms": 0}
    lobby, taken = speaking.seated("spoken_for", config={"fails": 1}, clock=clock)
    red, blue = (speaking.seat(one) for one in taken)
    red.expect("start")
    red.say("ready")
    assert red.until("event")["event"] == "not_ready"
    assert red.until("view", act=True)["turn"] == 0
    blue.say("ready")
    red.answer(0, STEP, end_turn=True)

    assert red.until("end")["outcome"]["winner"] == 0
    commands = [
        (line["s"], line["c"]) for line in speaking.journal(lobby) if line["k"] == "command"
    ]
    assert commands == [(0, STEP), (0, END_TURN), (1, {"do": "give_up", "why": "not_ready"})]


def test_an_uploaded_map_has_to_meet_the_games_requirements(live_server: LiveServer):
    kitchen = "####\n#b$#\n#bU#\n####\n"

    refused = live_server.post("/lobbies", {"game": "cookoff", "map_text": kitchen})

    assert refused.status_code == 422
    assert refused.json()["code"] == "bad_map"
