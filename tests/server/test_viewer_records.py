"""What a viewer saw: a seat's record, for the holder of its token, contains nothing of another seat
that the seat did not get; the history for spectators nothing that they did not get."""

from __future__ import annotations

import json
from typing import Any

from client_sdk.wire.delta import patch
from tests.server.live_server import LiveServer, SocketClient, eventually

MAZE = {
    "preset": "tiny",
    "mud_density": 0,
    "move_timeout_ms": 0,
    "preprocessing_timeout_ms": 0,
    "max_turns": 3,
}


def seat(
    live_server: LiveServer, match: str, token: str | None, after: int = 0
) -> list[dict[str, Any]]:
    response = live_server.get(f"/matches/{match}/seat?after={after}", token)
    assert response.status_code == 200, response.text
    return [json.loads(line) for line in response.text.splitlines()]


def views(lines: list[dict[str, Any]]) -> list[Any]:
    seen: list[Any] = []
    for line in lines:
        if line["k"] == "view":
            seen.append(line["view"])
        elif line["k"] == "delta":
            seen.append(patch(seen[-1], line["delta"]))
    return seen


def begun(
    live_server: LiveServer, game: str, **options: Any
) -> tuple[str, list[str], list[SocketClient]]:
    match, taken = live_server.seated(game, **options)
    clients = [live_server.seat(one) for one in taken]
    for client in clients:
        client.expect("start")
    return match, [one["token"] for one in taken], clients


def test_a_seats_record_has_its_views_its_commands_and_their_results(
    live_server: LiveServer,
):
    match, tokens, (one, two) = begun(live_server, "pyrat", config=MAZE)
    shown = one.until("view")["view"]
    move = shown["moves"][0]
    assert one.answer(0, "FLY") == ["bad_action"]
    assert one.answer(0, move) == ["ok"]
    assert one.answer(0, move) == ["already_acted"]
    one.say("info", data={"draw": [{"kind": "cell", "x": 1, "y": 1}]})
    assert one.answer(5, move) == ["future_turn"]
    two.answer(0, two.until("view")["view"]["moves"][0])
    after = one.until("view", turn=1)["view"]
    lines = seat(live_server, match, tokens[0])

    assert lines[0]["k"] == "seat"
    assert lines[0]["seat"] == 0
    commands = [(line["c"], line["v"], line["r"]) for line in lines if line["k"] == "command"]
    assert commands == [
        ("FLY", "rejected", "bad_action"),
        (move, "ok", "ok"),
        (move, "refused", "already_acted"),
        (move, "rejected", "future_turn"),
    ]
    why = [line.get("why") for line in lines if line["k"] == "command"]
    assert why[0].startswith("expected one of UP")
    assert why[1:] == [None, "the first valid move of a turn is final", "the turn was not open yet"]
    assert all(
        line["t"]["received"] >= line["t"]["handed"]
        for line in lines
        if line["k"] == "command" and "t" in line
    )
    assert [line["d"] for line in lines if line["k"] == "info"] == [
        {"draw": [{"kind": "cell", "x": 1, "y": 1}]}
    ]
    assert [{**view, "maze": 0} for view in views(lines)] == [
        {**view, "maze": 0} for view in (shown, after)
    ]


def test_an_open_turn_is_not_in_a_seats_record(
    live_server: LiveServer,
):
    match, tokens, (one, two) = begun(live_server, "pyrat", config=MAZE)
    moves = one.until("view")["view"]["moves"]
    before = live_server.get(f"/matches/{match}/seat", tokens[1]).content
    one.answer(0, moves[0])
    one.say("info", data="what I think")
    one.answer(0, moves[0])
    assert live_server.get(f"/matches/{match}/seat", tokens[1]).content == before
    two.answer(0, two.until("view")["view"]["moves"][0])
    two.until("view", turn=1)
    lines = seat(live_server, match, tokens[1])

    assert [line["n"] for line in lines if line["k"] in ("view", "delta")] == [0, 1]
    assert "what I think" not in json.dumps(lines)
    assert [line["k"] for line in lines if line["k"] == "command"] == ["command"]


def test_a_spectator_that_comes_late_gets_what_the_others_were_shown(live_server: LiveServer):
    made, (first, second) = live_server.seated("pyrat", config=MAZE)
    early = live_server.viewer(made)
    assert live_server.get(f"/matches/{made}/history").content == b""
    one, two = live_server.seat(first), live_server.seat(second)
    moves = one.until("view")["view"]["moves"]
    shown = [early.until("start")["view"]]
    before = eventually(lambda: live_server.get(f"/matches/{made}/history").text)
    one.say("info", data="what I think")
    assert one.answer(0, moves[0]) == ["ok"]
    assert live_server.get(f"/matches/{made}/history?after=2").text == ""
    two.answer(0, two.until("view")["view"]["moves"][0])
    shown.append(early.until("view", turn=1)["view"])
    added = eventually(lambda: live_server.get(f"/matches/{made}/history?after=2").text)
    lines = [json.loads(line) for line in (before + added).splitlines()]

    assert [line["k"] for line in lines] == ["history", "view", "info", "delta"]
    assert "seed" not in lines[0]
    assert views(lines) == shown


def test_the_history_of_a_private_match_is_for_those_who_may_watch_it(live_server: LiveServer):
    made = live_server.create("walk", private=True)
    path = f"/matches/{made['lobby']}/history"

    assert live_server.get(path).json()["code"] == "private"
    assert live_server.get(path, made["owner_token"]).status_code == 200


def test_a_peeked_bullet_is_only_in_its_own_seats_record(live_server: LiveServer):
    """BotStack: as over the sockets, view by view."""
    match, tokens, clients = begun(live_server, "botstack", config={"start_items": 2}, seed=11)
    expected = [[client.until("view")["view"]] for client in clients]
    records = [views(seat(live_server, match, token)) for token in tokens]

    assert records == expected


def test_before_the_release_only_the_seats_own_token_opens_its_record(live_server: LiveServer):
    match, tokens, clients = begun(live_server, "pyrat", config=MAZE)
    no = [
        live_server.get(f"/matches/{match}/{what}", token)
        for what, token in (("seat", None), ("seat", "s_x"), ("seats/1", tokens[0]))
    ]
    assert [(one.status_code, one.json()["code"]) for one in no] == [
        (403, "wrong_token"),
        (403, "wrong_token"),
        (404, "no_such_match"),
    ]
    text = live_server.get(f"/matches/{match}/seat", tokens[0]).text
    assert tokens[0] not in text
    assert '"seed"' not in text
    assert '"salt"' not in text
    live = seat(live_server, match, tokens[0])
    for turn in range(3):
        for client in clients:
            client.answer(turn, "STAY")
    live_server.over(match)
    whole = seat(live_server, match, tokens[0])
    assert whole[: len(live)] == live
    assert whole[-1]["k"] == "end"
    assert seat(live_server, match, tokens[0], after=len(live)) == whole[len(live) :]
    other = eventually(
        lambda: (found := live_server.get(f"/matches/{match}/seats/1")).status_code == 200 and found
    )
    assert json.loads(other.text.splitlines()[0])["seat"] == 1
    assert live_server.get(f"/matches/{match}/seats/2").json()["code"] == "no_such_seat"


def test_a_match_that_has_not_started_has_an_empty_record(live_server: LiveServer):
    made = live_server.create("pyrat")
    taken = live_server.join(made["lobby"])

    assert seat(live_server, made["lobby"], taken["token"]) == []
