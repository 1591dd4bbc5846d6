"""The websocket protocol under a client: what it reads by itself is what the parser would read."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from client_sdk.wire.messages import Ping, Seen
from server.transport import SHORT, between_frames, framed, whole_text
from tests.server.house import House, Talk

HANDSHAKE = (
    b"GET /ws/play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def parser() -> ServerProtocol:
    """As it is after the handshake."""
    conn = ServerProtocol(max_size=64 * 1024)
    conn.receive_data(HANDSHAKE)
    conn.send_response(conn.accept(conn.events_received()[0]))
    conn.data_to_send()
    return conn


def sent(opcode: Opcode, data: bytes, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=mask)


@given(st.binary(max_size=300))
def test_a_short_text_frame_is_read_as_the_parser_reads_it(data):
    frame = sent(Opcode.TEXT, data)
    conn = parser()
    conn.receive_data(frame)

    assert whole_text(frame) == bytes(conn.events_received()[0].data) == data


@given(st.binary(max_size=40))
def test_arbitrary_bytes_are_read_as_the_parser_reads_them_or_left_to_it(data):
    found = whole_text(data)
    if found is not None:
        conn = parser()
        conn.receive_data(data)
        (event,) = conn.events_received()
        assert (event.opcode, event.fin, bytes(event.data)) == (Opcode.TEXT, True, found)


LEFT_TO_IT = {
    "nothing": b"",
    "not masked": sent(Opcode.TEXT, b"x", mask=False),
    "not final": sent(Opcode.TEXT, b"x", fin=False),
    "a continuation": sent(Opcode.CONT, b"x"),
    "binary": sent(Opcode.BINARY, b"x"),
    "a ping": sent(Opcode.PING, b"x"),
    "a close": sent(Opcode.CLOSE, b"\x03\xe8"),
    "cut short": sent(Opcode.TEXT, b"xy")[:-1],
    "and a bit more": sent(Opcode.TEXT, b"x") + b"\x81",
    "two": sent(Opcode.TEXT, b"x") * 2,
    "long": sent(Opcode.TEXT, b"x" * (SHORT + 1)),
    "very long": sent(Opcode.TEXT, b"x" * 70_000),
}


@pytest.mark.parametrize("data", LEFT_TO_IT.values(), ids=LEFT_TO_IT.keys())
def test_everything_else_is_left_to_the_parser(data):
    assert whole_text(data) is None


def test_the_parser_is_passed_by_only_while_it_waits_for_a_new_message():
    conn = parser()
    assert between_frames(conn)
    whole = sent(Opcode.TEXT, b"hello")
    for cut in range(1, len(whole)):
        conn.receive_data(whole[:cut])
        assert not between_frames(conn)
        conn.receive_data(whole[cut:])
        assert between_frames(conn)

    conn.receive_data(sent(Opcode.TEXT, b"hel", fin=False))
    assert not between_frames(conn)
    conn.receive_data(sent(Opcode.CONT, b"lo"))
    assert between_frames(conn)
    conn.receive_data(sent(Opcode.CLOSE, b"\x03\xe8"))
    assert not between_frames(conn)


@given(st.integers(0, 70_000))
def test_a_message_is_framed_as_the_library_frames_it(size):
    text = json.dumps({"type": "seen", "turn": size}, separators=(",", ":")).encode()
    assert framed(Seen(size)) == Frame(Opcode.TEXT, text).serialize(mask=False)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [125, 126, 65_535, 65_536])
def test_long_messages_have_their_length_in_more_bytes(size):
    from client_sdk.wire.messages import Error

    message = Error("x", "y" * (size - len(b'{"type":"error","code":"x","text":"","retry":false}')))
    text = framed(message)[-size:]

    assert json.loads(text)["text"] == message.text
    assert framed(message) == Frame(Opcode.TEXT, text).serialize(mask=False)
    assert framed(Ping(1))[0] == 0x81


def test_a_message_in_fragments_is_one_message(house: House):
    _, (left, _) = house.started("duel", clock={"turn_ms": 60_000})
    left.socket.send(iter(['{"type":"comm', 'ands","turn":0,', '"commands":[3]}']))

    assert left.until("results")["results"] == [{"code": "ok"}]
    assert left.answer(0, 3) == ["already_bid"]


def test_two_messages_in_one_packet_are_two_messages(house: House):
    _, (left, _) = house.started("duel", clock={"turn_ms": 60_000})
    frame = b'{"type":"commands","turn":0,"commands":[3]}'
    left.socket.socket.sendall(sent(Opcode.TEXT, frame) * 2)

    assert [left.until("results")["results"][0]["code"] for _ in range(2)] == ["ok", "already_bid"]


def test_bytes_that_trickle_in_are_a_message_in_the_end(house: House):
    _, (left, _) = house.started("duel", clock={"turn_ms": 60_000})
    for byte in sent(Opcode.TEXT, b'{"type":"commands","turn":0,"commands":[3]}'):
        left.socket.socket.sendall(bytes([byte]))

    assert left.until("results")["results"] == [{"code": "ok"}]


def test_an_acknowledgement_does_not_wait_for_the_other_seats_answer(house: House):
    """It may leave with the next view, and waits for that a few ms, no more."""
    _, (left, right) = house.started("duel", clock={"turn_ms": 60_000})
    left.expect("view")
    begun = time.monotonic()

    assert left.answer(0, 3) == ["ok"]

    assert time.monotonic() - begun < 10
    right.expect("view")
    assert Talk(right.socket).silent_for(0.02)
