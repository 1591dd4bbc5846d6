"""Valid and invalid frames of a socket, and their consequences. No other client is affected."""

from __future__ import annotations

import json
import socket
import time

import pytest

from server.matches.incoming import MalformedFrame, read
from server.net.limits import Rate
from tests.server.live_server import PATIENCE_S, LiveServer, SocketClient, hosted

DEEP = '{"type":"info","data":' + "[" * 40 + "]" * 40 + "}"
NO_MESSAGE = {
    "broken JSON": '{"type":"commands"',
    "binary": b'{"type":"ready"}',
    "no object": "[1,2]",
    "a number": "7",
    "no type": '{"turn":0}',
    "unknown type": '{"type":"dance"}',
    "commands that are no list": '{"type":"commands","turn":0,"commands":"UP"}',
    "a turn below 0": '{"type":"commands","turn":-1,"commands":[]}',
    "a turn that is no number": '{"type":"commands","turn":"0","commands":[]}',
    "nested too deep": DEEP,
    "nested very deep": '{"type":"info","data":' + "[" * 30_000,
    "deep within an object": '{"type":"info","data":' + '{"a":' * 33 + "1" + "}" * 33 + "}",
    "not UTF-8": b"\xff\xfe",
    "an endless number": '{"type":"info","data":' + "9" * 5000 + "}",
    "NaN": '{"type":"info","data":NaN}',
    "empty": "",
    "a second hello": '{"type":"hello","protocol":1}',
    "too much info": json.dumps({"type": "info", "data": "x" * 5000}),
}


def undisturbed(frames: list[dict]) -> list[dict]:
    """What a seat received, without the times and ids that differ between matches."""
    kept = []
    for frame in frames:
        frame_json = {
            key: value
            for key, value in frame.items()
            if key not in ("match", "within_ms", "commitment", "outcome")
        }
        if "outcome" in frame:
            frame_json["scores"] = [
                (seat["seat"], seat["score"], seat["placement"])
                for seat in frame["outcome"]["seats"]
            ]
        kept.append(frame_json)
    return kept


def played(live_server: LiveServer, disturb) -> list[dict]:
    """A match in which seat 0 also sends invalid frames; all that seat 1 received."""
    _, taken = live_server.seated("duel", seed=5, config={"rounds": 2}, clock={"turn_ms": 20_000})
    left, right = (live_server.seat(one) for one in taken)
    heard = [right.expect("start")]
    left.expect("start")
    for turn in (0, 1):
        left.until("view", turn=turn)
        disturb(left, turn)
        heard.append(right.until("view", turn=turn))
        right.say("commands", turn=turn, commands=[2])
        heard.append(right.expect("results"))
        left.say("commands", turn=turn, commands=[turn])
    return undisturbed(heard + right.rest())


@pytest.mark.parametrize("frame", NO_MESSAGE.values(), ids=NO_MESSAGE.keys())
def test_an_invalid_frame_is_reported_and_does_not_affect_the_other_seat(
    live_server: LiveServer, frame
):
    def disturb(client: SocketClient, turn: int) -> None:
        client.socket.send(frame, text=isinstance(frame, str) or frame == b"\xff\xfe")
        error = client.until("error")
        assert (error["code"], error["retry"]) == ("malformed", False)

    assert played(live_server, disturb) == played(live_server, lambda client, turn: None)


def test_errors_do_not_quote_the_frame(live_server: LiveServer):
    with pytest.raises(MalformedFrame) as fault:
        read(b'{"type":"s_secret-token"}', text=True)
    with pytest.raises(MalformedFrame) as other:
        read(b"s_secret-token", text=True)

    assert "secret" not in str(fault.value) + str(other.value)


def test_brackets_in_strings_are_not_nesting():
    message = read(
        json.dumps({"type": "info", "data": '[[[["{' * 20 + '\\"[[['}).encode(), text=True
    )

    assert message.data.startswith("[[[[")


def test_thirty_two_levels_are_allowed():
    data = "[" * 31 + "]" * 31

    assert read(f'{{"type":"info","data":{data}}}'.encode(), text=True)
    with pytest.raises(MalformedFrame, match="nested"):
        read(f'{{"type":"info","data":[{data}]}}'.encode(), text=True)


def test_an_endless_string_or_nesting_is_scanned_once():
    begun = time.process_time()
    for frame in (b"[" * 33 + b'"' + b'\\"' * 32_000, b"[" * 65_000, b"[{" * 16 + b"[]" * 30_000):
        with pytest.raises(MalformedFrame):
            read(frame, text=True)

    assert time.process_time() - begun < 1


def test_too_many_bad_frames_close_the_connection_and_the_seat_can_return(
    live_server: LiveServer,
):
    _, taken = live_server.seated("duel", clock={"turn_ms": 20_000})
    left, right = (live_server.seat(one) for one in taken)
    right.until("view")
    left.raw("nonsense", times=50)

    assert left.refused() == (4400, "malformed", False)
    assert right.until("event")["event"] == "away"
    back = live_server.seat(taken[0])
    assert back.expect("start")["turn"] == 0
    assert right.until("event")["event"] == "back"


def test_a_frame_over_the_limit_closes_with_1009_and_a_reason(live_server: LiveServer):
    _, (left, right) = live_server.started("duel", clock={"turn_ms": 20_000})
    left.raw("x" * 10_000_000)

    assert left.refused() == (1009, "too_big", False)
    right.expect("view")
    assert right.until("event")["event"] == "away"
    assert right.answer(0, 1) == ["ok"]


def test_a_frame_of_the_maximum_size_is_read(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 20_000})
    frame = json.dumps({"type": "commands", "turn": 0, "commands": [3], "x": ""})
    left.raw(frame[:-2] + "x" * (64 * 1024 - len(frame)) + '"}')

    assert left.until("results")["results"] == [{"code": "ok"}]


def test_a_flood_closes_with_4429(live_server: LiveServer):
    _, taken = live_server.seated("duel", clock={"turn_ms": 20_000})
    left, right = (live_server.seat(one) for one in taken)
    left.raw('{"type":"seen","turn":0}', times=1000)

    assert left.refused() == (4429, "too_fast", True)
    right.expect("start")
    right.expect("view")
    assert right.expect("event")["event"] == "away"
    assert right.answer(0, 1) == ["ok"]


def test_a_burst_of_four_hundred_frames_passes(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 20_000})
    for _ in range(395):
        left.say("seen", turn=0)

    left.expect("view")
    assert left.answer(0, 1) == ["ok"]


def test_the_rate_limit_is_a_bucket_that_refills():
    rate = Rate(200, 0)
    assert all(rate.allows(0) for _ in range(400))
    assert not rate.allows(0)

    assert rate.allows(5_000_000)
    assert not rate.allows(5_000_000)


# --- hello


@pytest.mark.parametrize(
    "frame", ['{"type":"ready"}', "nonsense", '{"type":"commands","turn":0,"commands":[]}', b"\x00"]
)
def test_the_first_frame_must_be_a_hello(live_server: LiveServer, frame):
    client = live_server.socket()
    client.raw(frame)

    assert client.refused() == (4400, "malformed", False)


def test_another_protocol_version_is_refused_with_both_versions(live_server: LiveServer):
    client = live_server.socket()
    client.say("hello", protocol=7, token="s_x")
    error = client.expect("error")

    assert error["code"] == "version_refused"
    assert "version 1" in error["text"]
    assert "version 7" in error["text"]
    assert client.rest() == []
    assert client.close_code == 4426


@pytest.mark.parametrize("token", ["s_unknown", "", None, "s_" + "x" * 190, "\u0000", "s_\u00fc"])
def test_an_unknown_token_is_refused(live_server: LiveServer, token):
    client = live_server.socket()
    client.say("hello", protocol=1, token=token)

    assert client.refused() == (4401, "bad_token", False)


def test_an_owners_token_does_not_play_a_seat(live_server: LiveServer):
    client = live_server.socket()
    client.say("hello", protocol=1, token=live_server.create()["owner_token"])

    assert client.refused() == (4403, "wrong_role", False)


def test_a_connection_without_a_hello_is_closed(tmp_path):
    with hosted(tmp_path, hello_ms=50) as live_server:
        assert live_server.socket().refused() == (4408, "handshake_timeout", True)


@pytest.mark.parametrize("sent", [b"", b"GET /ws/play HTT"])
def test_a_silent_connection_is_closed(tmp_path, sent):
    with hosted(tmp_path, hello_ms=50) as live_server:
        line = live_server.sockets.enter_context(
            socket.create_connection(
                ("127.0.0.1", int(live_server.url.rpartition(":")[2])), PATIENCE_S
            )
        )
        line.sendall(sent)

        assert line.recv(1) == b""


def test_an_unknown_match_cannot_be_watched(live_server: LiveServer):
    for match in ("nowhere", None):
        client = live_server.socket("watch")
        client.say("hello", protocol=1, match=match)
        assert client.refused() == (4404, "no_such_match", False)


def test_watching_a_finished_match_reports_its_end(live_server: LiveServer):
    lobby, taken = live_server.seated("walk", config={"turns": 1})
    red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
    red.until("view")
    red.answer(0, end_turn=True)
    outcome = live_server.over(lobby)
    again = live_server.socket()
    again.say("hello", protocol=1, token=taken[0]["token"])
    watcher = live_server.socket("watch")
    watcher.say("hello", protocol=1, match=lobby)

    for late in (again, watcher):
        assert late.expect("end")["outcome"] == outcome
        assert late.refused() == (4410, "match_over", False)


def test_a_viewer_cannot_send_commands(live_server: LiveServer):
    lobby, _ = live_server.started("duel", clock={"turn_ms": 20_000})
    watcher = live_server.viewer(lobby)
    watcher.say("commands", turn=0, commands=[1])

    assert watcher.until("error")["code"] == "malformed"


def test_an_unknown_socket_is_refused_at_the_handshake(live_server: LiveServer):
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus):
        live_server.socket("elsewhere")


def test_unknown_fields_are_ignored(live_server: LiveServer):
    _, taken = live_server.seated("duel", clock={"turn_ms": 20_000})
    left, _ = live_server.seat(taken[0], mood="good"), live_server.seat(taken[1])
    left.until("view")

    assert left.answer(0, 3, think_ms=4, nonsense=[1]) == ["ok"]


def test_compression_is_not_negotiated(live_server: LiveServer):
    lobby = live_server.create()["lobby"]
    import websockets.sync.client as ws

    with ws.connect(f"ws{live_server.url.removeprefix('http')}/ws/watch", proxy=None) as socket:
        client = SocketClient(socket)
        client.say("hello", protocol=1, match=lobby)
        client.expect("hello")
        assert socket.protocol.extensions == []
