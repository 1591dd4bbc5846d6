"""The socket under a conversation, against a server that misbehaves on purpose."""

import contextlib
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.wire.codes import CLOSES
from client_sdk.wire.messages import End, MatchStart, View
from tests.client_sdk.scripted_server import (
    CLOCK,
    end,
    fake_server,
    frame,
    hello,
    results,
    start,
    view,
)

SOON = 10.0


def quickly(attempt, gone_s, grace_s):
    return 0.02 if attempt else 0.0


def connection(url, *, heartbeat_s=5.0, patience_s=5.0, delay=quickly):
    return Connection(
        url, Conversation(token="s_1", heartbeat_s=heartbeat_s), patience_s=patience_s, delay=delay
    )


def until(line, kind):
    while not isinstance(message := line.next(SOON), kind):
        assert message is not None, f"no {kind.__name__} came"
    return message


def greet(line):
    line.hear("hello")
    line.say(hello(), start())


def play_one_turn(line):
    greet(line)
    line.say(view(0))
    line.hear("commands")
    line.say(results(0, 1), end())
    line.wait_closed()


def test_a_client_answers_a_turn_and_gets_the_end():
    with fake_server(play_one_turn) as server, connection(server.url) as line:
        asked = until(line, View)
        assert line.commands(asked.turn, ["UP"])
        until(line, End)
        with pytest.raises(ConnectionLost, match="is closed"):
            line.next(SOON)

    assert [message["type"] for message in server.heard] == ["hello", "commands"]
    assert server.connections == 1


def test_messages_before_the_close_are_read_when_sending_fails():
    """Many views of a realtime game, each of which has to be acknowledged, then the end and the
    close."""

    def script(line):
        line.hear("hello")
        line.say(
            hello(),
            start(clock=CLOCK | {"tick_ms": 1}),
            *(view(turn) for turn in range(1, 300)),
            end(),
        )
        line.socket.close(1000)

    with fake_server(script) as server, connection(server.url) as line:
        until(line, End)


def test_a_wait_for_a_message_has_a_timeout():
    with (
        fake_server(lambda line: (greet(line), line.wait_closed())) as server,
        connection(server.url) as line,
    ):
        until(line, MatchStart)

        assert line.next(0.01) is None
        line.close()


def test_the_connection_stays_alive_while_the_bot_is_silent():
    """The server sends websocket pings and closes a connection that does not answer."""
    waited = threading.Event()

    def script(line):
        greet(line)
        for _ in range(5):
            assert line.socket.ping().wait(SOON)
        waited.set()
        line.say(end())
        line.wait_closed()

    with fake_server(script) as server, connection(server.url) as line:
        assert waited.wait(SOON)
        until(line, End)


def test_after_a_drop_the_same_hello_is_sent_again():
    def dropped(line):
        greet(line)
        line.break_off()

    with fake_server(dropped, play_one_turn) as server, connection(server.url) as line:
        asked = until(line, View)
        line.commands(asked.turn, ["UP"])
        until(line, End)

    hellos = [message for message in server.heard if message["type"] == "hello"]
    assert len(hellos) == 2
    assert hellos[0] == hellos[1]


def test_an_answer_on_a_dead_connection_is_sent_again():
    gone = threading.Event()

    def dropped(line):
        greet(line)
        line.say(view(0))
        line.break_off()
        gone.set()

    def back(line):
        line.hear("hello")
        line.say(hello(), start(), view(0))
        assert line.hear("commands")["commands"] == ["UP"]
        line.say(results(0, 1), end())
        line.wait_closed()

    with fake_server(dropped, back) as server, connection(server.url) as line:
        asked = until(line, View)
        assert gone.wait(SOON)
        assert line.commands(asked.turn, ["UP"])
        until(line, End)

    assert server.connections == 2


def test_a_silent_server_is_dropped_and_dialled_again():
    def half_open(line):
        greet(line)
        line.wait_closed()

    begun = time.monotonic()
    with (
        fake_server(half_open, play_one_turn) as server,
        connection(server.url, heartbeat_s=0.05) as line,
    ):
        asked = until(line, View)
        line.commands(asked.turn, ["UP"])
        until(line, End)

    assert server.connections == 2
    assert time.monotonic() - begun >= 0.15


def test_heartbeats_keep_a_quiet_connection():
    def script(line):
        greet(line)
        for n in range(10):
            line.say(frame("ping", n=n + 1))
            # The time is the subject: ten heartbeats take much longer than the patience of 0.175 s.
            time.sleep(0.05)
        line.say(end())
        line.wait_closed()

    with fake_server(script) as server, connection(server.url, heartbeat_s=0.05) as line:
        until(line, End)

    assert server.connections == 1


@pytest.mark.parametrize(
    "close",
    [close for close in CLOSES.values() if not close.retry and close.code != "done"],
    ids=lambda c: c.code,
)
def test_a_final_close_reports_its_reason(close):
    def refuse(line):
        line.hear("hello")
        line.close(close.status, close.code, retry=False)

    with fake_server(refuse) as server, connection(server.url) as line:
        with pytest.raises(ServerRefused) as refused:
            until(line, End)
        with pytest.raises(ServerRefused):
            line.next(SOON)

    assert (close.code, f"{close.code}, it says") == (refused.value.code, refused.value.text)
    assert server.connections == 1


@pytest.mark.parametrize(
    "close", [close for close in CLOSES.values() if close.retry], ids=lambda c: c.code
)
def test_a_temporary_close_is_followed_by_a_reconnect(close):
    def restart(line):
        greet(line)
        line.close(close.status, close.code, retry=True)

    with fake_server(restart, play_one_turn) as server, connection(server.url) as line:
        line.commands(until(line, View).turn, ["UP"])
        until(line, End)

    assert server.connections == 2


def test_a_close_code_without_a_message_means_what_the_protocol_says():
    with (
        fake_server(lambda line: (line.hear("hello"), line.close(4401))) as server,
        connection(server.url) as line,
        pytest.raises(ServerRefused) as refused,
    ):
        until(line, End)

    assert refused.value.code == "bad_token"


def test_the_error_message_decides_for_an_unknown_close_code():
    def refuse(line):
        line.hear("hello")
        line.close(4999, "closed_for_the_night", retry=False)

    with (
        fake_server(refuse) as server,
        connection(server.url) as line,
        pytest.raises(ServerRefused, match="closed_for_the_night"),
    ):
        until(line, End)


def test_an_invalid_frame_is_skipped():
    def script(line):
        line.hear("hello")
        line.say("{", frame("hocus"), hello(), start(), end())
        line.wait_closed()

    with fake_server(script) as server, connection(server.url) as line:
        until(line, End)


def test_a_large_view_is_accepted():
    def script(line):
        greet(line)
        line.say(view(0, view={"rows": ["x" * 1000] * 4000}), end())
        line.wait_closed()

    with fake_server(script) as server, connection(server.url) as line:
        assert len(until(line, View).view["rows"]) == 4000
        until(line, End)


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def test_an_absent_server_is_given_up():
    with (
        connection(f"ws://127.0.0.1:{free_port()}", patience_s=0.2) as line,
        pytest.raises(ConnectionLost, match="cannot be reached"),
    ):
        line.next(SOON)


def test_a_server_that_starts_late_is_found(caplog):
    port = free_port()
    with connection(f"ws://127.0.0.1:{port}") as line:
        while "no connection" not in caplog.text:
            assert line.next(0.01) is None
        with fake_server(play_one_turn, port=port):
            line.commands(until(line, View).turn, ["UP"])
            until(line, End)


def test_a_server_that_refuses_before_it_reads_the_request_is_tried_again(monkeypatch):
    """As a full server does. The client is slow, so that the refusal is there first."""
    handshake, asked = ClientConnection.handshake, threading.Event()

    def late(client, *args):
        client.response_rcvd.wait(SOON)
        try:
            handshake(client, *args)
        finally:
            asked.set()

    monkeypatch.setattr(ClientConnection, "handshake", late)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with connection(f"ws://127.0.0.1:{port}"):
            refused, _ = listener.accept()
            with refused:
                refused.sendall(b"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n")
                assert asked.wait(SOON)
            listener.settimeout(SOON)
            again, _ = listener.accept()
            again.close()


def test_a_server_that_accepts_but_does_not_answer_is_tried_longer_than_an_absent_one(
    monkeypatch,
):
    """Its process is paused: the system takes the connections."""
    monkeypatch.setattr("client_sdk.connection.OPEN_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with connection(f"ws://127.0.0.1:{port}", patience_s=0.15) as line:
            taken = [silent.accept()[0] for _ in range(4)]
            silent.close()
            for one in taken:
                one.close()
            with fake_server(play_one_turn, port=port):
                line.commands(until(line, View).turn, ["UP"])
                until(line, End)


def dropped(line):
    greet(line)
    line.break_off()


def test_a_known_server_is_tried_longer_than_an_absent_one():
    port, tried = free_port(), []

    def delay(attempt, gone_s, grace_s):
        tried.append(gone_s)
        return 0.02

    with connection(f"ws://127.0.0.1:{port}", patience_s=0.1, delay=delay) as line:
        with fake_server(dropped, port=port):
            until(line, MatchStart)
        while not tried or tried[-1] < 0.3:
            assert line.next(0.01) is None
        with fake_server(play_one_turn, port=port):
            line.commands(until(line, View).turn, ["UP"])
            until(line, End)


def closed_without_an_end(line):
    greet(line)
    line.socket.close(1000)


def test_a_client_that_missed_the_end_reconnects_for_it():
    """A process that was paused finds the end and the close together, and cannot answer the close
    any more."""

    def refuses(line):
        line.hear("hello")
        line.say(hello(), end())
        with contextlib.suppress(ConnectionClosed):  # who has the end may have left
            line.close(4410, "match_over", retry=False)

    with fake_server(closed_without_an_end, refuses) as server, connection(server.url) as line:
        until(line, End)

    assert server.connections == 2


def test_a_client_that_never_gets_the_end_stops_reconnecting():
    with (
        fake_server(closed_without_an_end, closed_without_an_end) as server,
        connection(server.url) as line,
        pytest.raises(ConnectionLost, match="is closed"),
    ):
        until(line, End)

    assert server.connections == 2


def test_a_server_that_stops_answering_is_given_up():
    port = free_port()
    line = Connection(
        f"ws://127.0.0.1:{port}", Conversation(token="s_1"), silence_s=0.2, delay=quickly
    )
    with line:
        with fake_server(dropped, port=port):
            until(line, MatchStart)
        with pytest.raises(ConnectionLost, match="cannot be reached"):
            line.next(SOON)


HELD = CLOCK | {"absence": "waits", "absence_ms": 10_000, "startup_ms": 30_000}
LEFT = frame("event", event="back", turn=0, seat=0, data={"within_ms": 4_000})
THEIRS = frame("event", event="back", turn=0, seat=1, data={"within_ms": 1_000})


@pytest.mark.parametrize(
    ("clock", "events", "grace_s"),
    [
        (HELD, [], 10.0),
        (HELD, [LEFT, THEIRS], 4.0),
        (HELD | {"absence": "plays"}, [], 30.0),
        (CLOCK, [], 30.0),
    ],
    ids=[
        "the match's limit",
        "what the server says is left",
        "the match waits only after a fault",
        "an older server",
    ],
)
def test_the_grace_of_the_seat_decides_the_time_between_attempts(clock, events, grace_s):
    asked = []

    def delay(attempt, gone_s, grace_s):
        asked.append((attempt, grace_s))
        return 0.0

    def dropped(line):
        line.hear("hello")
        line.say(hello(), start(clock=clock), *events)
        line.break_off()

    with fake_server(dropped, play_one_turn) as server, connection(server.url, delay=delay) as line:
        line.commands(until(line, View).turn, ["UP"])
        until(line, End)

    assert (0, grace_s) in asked


def test_before_the_match_there_is_no_grace():
    asked = []

    def delay(attempt, gone_s, grace_s):
        asked.append(grace_s)
        return 0.0

    with (
        connection(f"ws://127.0.0.1:{free_port()}", patience_s=0.1, delay=delay) as line,
        pytest.raises(ConnectionLost),
    ):
        line.next(SOON)

    assert set(asked) == {None}


@pytest.mark.soak
@pytest.mark.parametrize(("refused_s", "at_most_s"), [(2.0, 2.3), (4.0, 4.5)])
def test_a_refusing_server_costs_little_more_than_the_grace(refused_s, at_most_s):
    port = free_port()
    stamps = []

    def dropped(line):
        line.hear("hello")
        line.say(hello(), start(clock=HELD))
        stamps.append(time.monotonic())
        line.break_off()

    def back(line):
        line.hear("hello")
        stamps.append(time.monotonic())
        line.say(hello(), start(clock=HELD), end())
        line.wait_closed()

    with Connection(f"ws://127.0.0.1:{port}", Conversation(token="s_1")) as line:
        with fake_server(dropped, port=port):
            until(line, MatchStart)
        time.sleep(refused_s - (time.monotonic() - stamps[0]))
        with fake_server(back, port=port):
            until(line, End)
    cost = stamps[1] - stamps[0]
    print(f"{refused_s} s of drop cost {cost:.2f} s of grace")

    assert refused_s <= cost <= at_most_s


@pytest.mark.parametrize(
    ("status", "why"), [(404, "404: is this a Botarena server"), (426, "426: does a proxy")]
)
def test_an_invalid_endpoint_is_refused_at_once(status, why):
    class Nothing(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            self.send_error(status)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Nothing)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        url = f"ws://127.0.0.1:{server.server_port}/ws/play"
        with connection(url) as line, pytest.raises(ServerRefused, match=why):
            line.next(SOON)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_close_ends_the_thread():
    with fake_server(lambda line: (greet(line), line.wait_closed())) as server:
        with connection(server.url) as line:
            until(line, MatchStart)
        assert not [thread for thread in threading.enumerate() if thread.name == "botarena-socket"]
