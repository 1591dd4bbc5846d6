"""The state machine that closes a websocket, state by state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from websockets.frames import Frame, Opcode

from client_sdk.wire.codes import DONE, LEAVING, MATCH_OVER, SLOW_CONSUMER, TOO_FAST
from server.net.transport import AFTERWARDS, ConnectionState
from tests.server.line import Line

HOLD_S = 3600


def opened(line: Line) -> None: ...


def held(line: Line) -> None:
    line.connection.close(TOO_FAST, hold_s=HOLD_S)


def draining(line: Line) -> None:
    line.jams()
    line.connection.close(MATCH_OVER)


def close_sent(line: Line) -> None:
    line.connection.close(MATCH_OVER)


def discarding(line: Line) -> None:
    line.connection.close(MATCH_OVER)
    line.connection.parses(AFTERWARDS + 1)


def closed(line: Line) -> None:
    line.connection.on_lost()


WAYS: dict[str, Callable[[Line], None]] = {
    "open": opened,
    "held": held,
    "draining": draining,
    "close sent": close_sent,
    "discarding": discarding,
    "closed": closed,
}


def close(line: Line) -> None:
    line.connection.close(LEAVING)


def flow(line: Line) -> None:
    line.flows()


def client_closes(line: Line) -> None:
    line.protocol.receive_data(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    line.connection.on_client_close()


def broken_frame(line: Line) -> None:
    line.protocol.receive_data(b"\xff\xff")
    line.connection.on_broken_frame()


def lost(line: Line) -> None:
    line.connection.on_lost()


def much_input(line: Line) -> None:
    line.connection.parses(AFTERWARDS + 1)


EVENTS = {
    close: ("close sent", "held", "draining", "close sent", "discarding", "closed"),
    flow: ("open", "held", "close sent", "close sent", "discarding", "closed"),
    much_input: ("open", "held", "draining", "discarding", "discarding", "closed"),
    client_closes: ("closed", "closed", "closed", "closed", None, None),
    broken_frame: ("discarding", None, "discarding", "discarding", None, None),
    lost: ("closed",) * 6,
}
"""What each event makes of each state; None: it cannot happen there."""


@pytest.fixture
async def line() -> Line:
    return Line()


@pytest.mark.parametrize(
    ("event", "state", "then"),
    [
        (event, state, then)
        for event, row in EVENTS.items()
        for state, then in zip(WAYS, row, strict=True)
        if then
    ],
)
async def test_every_event_in_every_state_leads_to_a_state(line, event, state, then):
    WAYS[state](line)
    assert line.connection.state == ConnectionState(state)

    event(line)

    assert line.connection.state == ConnectionState(then)


@pytest.mark.parametrize(
    ("state", "reason"), [("open", LEAVING), ("held", TOO_FAST), ("draining", MATCH_OVER)]
)
async def test_shutdown_sends_its_reason_and_waits_for_no_client(line, state, reason):
    WAYS[state](line)
    line.connection.shutdown()

    assert line.wire.closing
    assert line.status == reason.status


@pytest.mark.parametrize("state", list(WAYS)[1:])
async def test_the_first_reason_counts(line, state):
    WAYS[state](line)
    before = line.connection.reason
    line.connection.close(LEAVING)

    assert line.connection.reason is before


@pytest.mark.parametrize("state", list(WAYS)[3:])
async def test_the_listener_is_called_once_at_the_end(line, state):
    WAYS[state](line)
    assert line.closed == 0  # not while the closing task runs
    await asyncio.sleep(0)
    line.connection.on_lost()
    await asyncio.sleep(0)

    assert line.closed == 1


async def test_queued_frames_and_the_reason_are_sent_before_the_close(line):
    line.jams()
    line.connection.send(b"a\n")
    line.connection.close(MATCH_OVER, "it is over")
    line.connection.send(b"never\n")
    assert line.status is None

    line.flows()

    assert line.written[0] == b"a"
    assert b'"text":"it is over"' in line.written[1]
    assert line.status == MATCH_OVER.status


async def test_a_normal_end_needs_no_error_message(line):
    line.connection.close(DONE)

    assert (line.written, line.status) == ([], DONE.status)


async def test_too_many_queued_bytes_are_dropped_for_the_reason(line):
    line.jams()
    for _ in range(5):
        line.connection.send(b"x\n")
    line.flows()

    assert len(line.written) == 1
    assert line.status == SLOW_CONSUMER.status
    assert line.connection.code == "slow_consumer"


async def test_no_frame_is_sent_after_the_close_frame(line):
    line.jams()
    line.connection.send(b"x\n")
    broken_frame(line)
    line.flows()

    assert line.written == []


async def test_closing_a_client_that_does_not_read_times_out(line, monkeypatch):
    monkeypatch.setattr("server.net.transport.PATIENCE_S", 0.01)
    draining(line)
    while not line.wire.closing:
        await asyncio.sleep(0.001)

    assert line.written == []


async def test_discarding_ends_when_nothing_more_is_received(line, monkeypatch):
    monkeypatch.setattr("server.net.transport.QUIET_S", 0.01)
    discarding(line)
    while not line.wire.closing:
        await asyncio.sleep(0.001)

    assert line.connection.code == MATCH_OVER.code


async def test_a_dropped_client_has_no_close_reason(line):
    line.connection.drop("quiet")

    assert (line.connection.reason, line.connection.code, line.wire.closing) == (
        None,
        "quiet",
        True,
    )


async def test_a_client_that_closed_first_gets_no_message(line):
    line.protocol.receive_data(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True))
    line.connection.close(TOO_FAST)
    line.connection.on_client_close()

    assert line.written == []
    assert line.connection.reason is TOO_FAST
    assert line.wire.closing
