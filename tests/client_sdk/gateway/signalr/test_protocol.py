"""The hub protocol of one connection: framing, handshake, messages, pings, close."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client_sdk.gateway.signalr.protocol import (
    END,
    MAX_BYTES,
    PING_S,
    SILENCE_S,
    HubProtocol,
    Invocation,
)

HANDSHAKE = {"protocol": "json", "version": 1}


def framed(*messages: Any) -> str:
    return "".join(json.dumps(message) + END for message in messages)


def sent(protocol: HubProtocol, now: float = 0.0) -> list[Any]:
    return [json.loads(text.removesuffix(END)) for text in protocol.outgoing(now)]


def opened() -> HubProtocol:
    protocol = HubProtocol(0.0)
    protocol.receive(framed(HANDSHAKE), 0.0)
    assert sent(protocol) == [{}]
    return protocol


def test_the_handshake_is_answered_with_an_empty_object() -> None:
    protocol = HubProtocol(0.0)

    assert protocol.receive(framed(HANDSHAKE), 0.0) == []

    assert protocol.open
    assert protocol.outgoing(0.0) == [f"{{}}{END}"]


def test_a_client_that_negotiated_without_a_version_says_version_0() -> None:
    protocol = HubProtocol(0.0)

    protocol.receive(framed({"protocol": "json", "version": 0}), 0.0)

    assert protocol.open


@pytest.mark.parametrize(
    "hello",
    [
        {"protocol": "messagepack", "version": 1},
        {"protocol": "json", "version": 2},
        {"protocol": "json"},
        {"type": 6},
        [],
        7,
    ],
)
def test_any_other_handshake_is_answered_with_an_error_and_the_end(hello: Any) -> None:
    protocol = HubProtocol(0.0)

    protocol.receive(framed(hello), 0.0)

    [answer] = sent(protocol)
    assert list(answer) == ["error"]
    assert protocol.closed
    assert not protocol.open


def test_bytes_that_are_no_text_end_the_handshake_with_an_error() -> None:
    protocol = HubProtocol(0.0)

    protocol.receive(b"\x96\xc4\xff", 0.0)

    assert list(sent(protocol)[0]) == ["error"]
    assert protocol.closed


def test_nothing_is_sent_before_the_handshake() -> None:
    protocol = HubProtocol(0.0)

    protocol.send("GameState", {})
    protocol.send_newest(f"{{}}{END}")
    protocol.complete("0")

    assert sent(protocol, PING_S) == []


def test_a_frame_holds_several_messages() -> None:
    protocol = HubProtocol(0.0)
    call = {"type": 1, "target": "RegisterVisualiser", "arguments": []}

    found = protocol.receive(framed(HANDSHAKE, call, {"type": 6}, call), 0.0)

    assert found == [Invocation("RegisterVisualiser", ())] * 2


def test_a_message_arrives_in_pieces() -> None:
    protocol = opened()
    text = framed(
        {"type": 1, "target": "Register", "arguments": [None, "Bär"], "invocationId": "0"}
    )

    found = [call for piece in text for call in protocol.receive(piece, 0.0)]

    assert found == [Invocation("Register", (None, "Bär"), "0")]


def test_an_invocation_may_have_headers_and_streams_and_come_as_bytes() -> None:
    protocol = opened()
    call = {
        "type": 1,
        "target": "BotCommand",
        "arguments": [{"Action": 1}],
        "invocationId": "5f0c",
        "headers": {},
        "streamIds": [],
    }

    found = protocol.receive(framed(call).encode(), 0.0)

    assert found == [Invocation("BotCommand", ({"Action": 1},), "5f0c")]


def test_a_completion_is_owed_only_for_an_invocation_with_an_id() -> None:
    protocol = opened()

    protocol.complete(None)
    protocol.complete(None, "wrong")
    protocol.complete("0")
    protocol.complete("1", "wrong")

    assert sent(protocol) == [
        {"type": 3, "invocationId": "0"},
        {"type": 3, "invocationId": "1", "error": "wrong"},
    ]


def test_a_stream_invocation_is_completed_with_an_error() -> None:
    protocol = opened()

    protocol.receive(
        framed({"type": 4, "invocationId": "3", "target": "Cells", "arguments": []}), 0.0
    )

    [completion] = sent(protocol)
    assert (completion["type"], completion["invocationId"]) == (3, "3")
    assert "error" in completion
    assert not protocol.closed


@pytest.mark.parametrize(
    "message",
    [
        {"type": 2, "invocationId": "1", "item": 3},
        {"type": 5, "invocationId": "1"},
        {"type": 9},
        {},
    ],
)
def test_other_messages_are_ignored(message: Any) -> None:
    protocol = opened()

    assert protocol.receive(framed(message), 0.0) == []

    assert sent(protocol) == []
    assert not protocol.closed


@pytest.mark.parametrize("call", [{"target": 7, "arguments": []}, {"target": "Register"}])
def test_an_invocation_without_its_fields_is_completed_with_an_error(call: Any) -> None:
    protocol = opened()

    assert protocol.receive(framed({"type": 1, "invocationId": "8"} | call), 0.0) == []

    assert "error" in sent(protocol)[0]


@pytest.mark.parametrize("text", ["{", "[]", "nothing", "[" * 10_000])
def test_what_is_no_message_closes_the_connection_with_an_error(text: str) -> None:
    protocol = opened()

    protocol.receive(text + END + framed({"type": 4, "invocationId": "3"}), 0.0)

    [close] = sent(protocol)
    assert close["type"] == 7
    assert "error" in close
    assert "allowReconnect" not in close
    assert protocol.closed


def test_a_message_has_at_most_64_kb() -> None:
    protocol = opened()

    protocol.receive("x" * MAX_BYTES, 0.0)
    assert not protocol.closed
    protocol.receive("x", 0.0)

    assert protocol.closed


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text() | st.binary() | st.sampled_from([END, "{}", '{"type":1', "[1,"])))
def test_no_frame_raises(frames: list[str | bytes]) -> None:
    for protocol in (HubProtocol(0.0), opened()):
        for frame in frames:
            protocol.receive(frame, 0.0)
        protocol.outgoing(0.0)


def test_a_client_that_says_close_gets_nothing_more() -> None:
    protocol = opened()

    protocol.receive(framed({"type": 7}), 0.0)
    protocol.send("GameState", {})

    assert protocol.closed
    assert sent(protocol) == []


def test_a_ping_is_sent_after_15_s_in_which_nothing_was_sent() -> None:
    protocol = opened()

    assert sent(protocol, PING_S - 0.1) == []
    assert sent(protocol, PING_S) == [{"type": 6}]
    protocol.send("GameState", 1)
    sent(protocol, PING_S + 10)

    assert sent(protocol, 2 * PING_S) == []
    assert sent(protocol, 2 * PING_S + 10) == [{"type": 6}]


def test_a_ping_of_the_client_is_not_answered() -> None:
    protocol = opened()

    protocol.receive(framed({"type": 6}), 1.0)

    assert sent(protocol, 1.0) == []


def test_a_client_that_sends_nothing_for_30_s_is_silent() -> None:
    protocol = opened()

    assert not protocol.silent(SILENCE_S - 0.1)
    assert protocol.silent(SILENCE_S)
    protocol.receive(framed({"type": 6}), SILENCE_S)

    assert not protocol.silent(SILENCE_S + 1)


def test_a_state_replaces_one_that_waits_and_keeps_its_place_in_the_order() -> None:
    protocol = opened()

    protocol.send_newest(framed(1))
    protocol.send("Registered", "id")
    protocol.send_newest(framed(2))
    protocol.send("Disconnect", "Game complete")

    first, second, third = sent(protocol)
    assert (first["target"], second, third["target"]) == ("Registered", 2, "Disconnect")
    protocol.send_newest(framed(3))
    assert sent(protocol) == [3]


def test_the_end_is_a_close_without_reconnect() -> None:
    protocol = opened()

    protocol.send("Disconnect", "Game complete")
    protocol.close()

    assert sent(protocol) == [
        {"type": 1, "target": "Disconnect", "arguments": ["Game complete"]},
        {"type": 7},
    ]
