"""A match with a spectator delay: no public route knows anything of a turn before its time."""

from __future__ import annotations

import re
from collections import deque
from typing import Any

import pytest

from server.matches import importer
from server.wall_clock import wall_ms
from tests.server.live_server import LiveServer, eventually, hosted

DELAY_S = 1_800
LONG = {"turn_ms": 600_000}


def pass_time(live_server: LiveServer, lobby: str) -> None:
    """What viewers wait for is due now."""
    gallery = live_server.arena.matches.lobbies.unfinished[lobby].live.gallery

    def act() -> None:
        gallery._due = deque((0.0, action) for _, action in gallery._due)
        gallery._act()

    live_server.loop.call_soon_threadsafe(act)


def public(
    live_server: LiveServer, key: str | None = None, about: str = "", **names: str
) -> dict[str, tuple[int, bytes]]:
    """What every route answers to anybody, or to the owner of this key. `about`: only routes with
    this pattern in their paths."""
    names = {"game": "duel", "seat": "0"} | names
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    document = live_server.http.get("/api/v1/openapi.json").json()
    answers = {}
    for template, methods in document["paths"].items():
        if "get" not in methods or template == "/metrics" or not re.search(about, template):
            continue
        path = re.sub(r"{(\w+)}", lambda found: names.get(found[1], found[1]), template)
        response = live_server.http.get(path, headers=headers)
        answers[path] = response.status_code, response.content
    return answers


def counted(live_server: LiveServer) -> list[str]:
    """What the metrics say of ends of matches."""
    lines = live_server.http.get("/metrics").text.splitlines()
    found = [line for line in lines if "_over" in line or "time_loss" in line]
    assert found
    return found


def played(live_server: LiveServer) -> tuple[str, Any, dict[str, tuple[int, bytes]], list[Any]]:
    """A match that is over for its seats and not for its viewer, and what was public at its
    start."""
    lobby, taken = live_server.seated(
        "duel", clock=LONG, config={"rounds": 2}, spectator_delay=DELAY_S
    )
    viewer = live_server.viewer(lobby)
    left, right = (live_server.seat(one) for one in taken)
    for seat in (left, right):
        seat.until("view", turn=0)
    before = public(live_server, match=lobby, lobby=lobby)
    left.say("info", data="canary")
    for turn in (0, 1):
        left.answer(turn, 3 + turn)
        right.answer(turn, 4)
    for seat in (left, right):
        assert seat.until("end")["outcome"]["reason"] == "rounds"
    return lobby, viewer, before, taken


def test_what_is_public_of_a_delayed_match_does_not_change_while_it_is_played(tmp_path):
    with hosted(tmp_path) as live_server:
        ended = counted(live_server)
        lobby, viewer, before, taken = played(live_server)

        assert f"/api/v1/matches/{lobby}/history" in before
        assert public(live_server, match=lobby, lobby=lobby) == before
        assert counted(live_server) == ended
        assert live_server.lobby(lobby)["state"] == "running"
        assert live_server.lobby(lobby)["turn"] is None
        again = live_server.socket()
        again.say("hello", protocol=1, token=taken[0]["token"])
        assert again.until("end")["outcome"]["reason"] == "rounds"
        late = live_server.viewer(lobby)
        pass_time(live_server, lobby)

        for one in (viewer, late):  # neither has got anything before
            assert one.expect("start")["turn"] == 0
        messages = [message["type"] for message in viewer.rest() if message["type"] != "ping"]
        assert messages[-1] == "end"
        assert live_server.over(lobby)["reason"] == "rounds"
        eventually(lambda: live_server.get(f"/matches/{lobby}").json()["released"])
        eventually(lambda: "canary" in live_server.get(f"/matches/{lobby}/history").text)
        assert live_server.verified(lobby).kind == "ok"


def test_viewers_of_a_delayed_match_learn_of_its_turns_one_after_the_other(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock=LONG, spectator_delay=DELAY_S)
    viewer = live_server.viewer(lobby)
    left, right = (live_server.seat(one) for one in taken)
    left.until("view", turn=0)
    pass_time(live_server, lobby)
    start = viewer.expect("start")
    history = eventually(lambda: live_server.get(f"/matches/{lobby}/history").text)
    left.answer(0, 3)
    right.answer(0, 4)
    left.until("view", turn=1)
    assert live_server.lobby(lobby)["turn"] == 0
    late = live_server.viewer(lobby)

    assert late.expect("start")["view"] == start["view"]
    clock = late.expect("event")
    assert (clock["event"], clock["turn"]) == ("clock", 0)
    assert clock["data"].pop("spent_ms") < LONG["turn_ms"]
    assert clock["data"] == {"within_ms": [LONG["turn_ms"]] * 2}
    after = history.count("\n")
    assert live_server.get(f"/matches/{lobby}/history?after={after}").text == ""
    pass_time(live_server, lobby)
    assert viewer.until("view", turn=1) == late.until("view", turn=1)
    assert eventually(lambda: live_server.get(f"/matches/{lobby}/history?after={after}").text)
    assert live_server.lobby(lobby)["turn"] == 1


def test_a_server_that_stops_or_dies_does_not_publish_the_end_of_a_delayed_match(
    tmp_path, monkeypatch
):
    with hosted(tmp_path) as live_server:
        lobby, viewer, _, _ = played(live_server)
    assert [message["type"] for message in viewer.rest() if message["type"] != "ping"] == []
    with hosted(tmp_path) as live_server:
        assert live_server.get(f"/matches/{lobby}").json()["code"] == "node_down"
        assert live_server.get("/matches").json() == []
        later = wall_ms() + 1_000 * DELAY_S
        monkeypatch.setattr(importer, "wall_ms", lambda: later)

        over = eventually(
            lambda: (found := live_server.get(f"/matches/{lobby}")).is_success and found.json()
        )
        assert over["outcome"]["reason"] == "rounds"
        assert over["released"]


@pytest.mark.parametrize("delay", [-1, 1_801, "soon"])
def test_a_delay_is_a_number_of_seconds(live_server: LiveServer, delay):
    answer = live_server.post("/lobbies", {"game": "duel", "spectator_delay": delay})

    assert (answer.status_code, answer.json()["field"]) == (422, "spectator_delay")
