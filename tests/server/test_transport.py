"""The websocket protocol under a client: frames in pieces and in heaps, and the ones that we make ourselves."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from client_sdk.wire.messages import Error, Ping, Seen
from server.transport import framed
from tests.server.house import House, Talk


def sent(opcode: Opcode, data: bytes) -> bytes:
    """A client's frame."""
    return Frame(opcode, data).serialize(mask=True)


@given(st.integers(0, 70_000))
def test_a_message_is_framed_as_the_library_frames_it(size):
    text = json.dumps({"type": "seen", "turn": size}, separators=(",", ":")).encode()
    assert framed(Seen(size)) == Frame(Opcode.TEXT, text).serialize(mask=False)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [125, 126, 65_535, 65_536])
def test_long_messages_have_their_length_in_more_bytes(size):
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
