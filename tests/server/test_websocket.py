"""The websocket protocol under a client: frames in pieces and in heaps, and the ones that we make
ourselves."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.server import ServerState
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from client_sdk.wire.codes import TOO_FAST
from client_sdk.wire.messages import Error, Ping, Seen
from server.net.transport import AFTERWARDS, framed
from server.net.websocket import PIECE, WebSocketProtocol, whole_text
from server.settings import Settings
from tests.server.line import Wire
from tests.server.live_server import LiveServer, SocketClient


def sent(opcode: Opcode, data: bytes) -> bytes:
    """A client's frame."""
    return Frame(opcode, data).serialize(mask=True)


@given(st.integers(0, 70_000))
def test_a_message_is_framed_as_by_the_library(size):
    text = json.dumps({"type": "seen", "turn": size}, separators=(",", ":")).encode()
    assert framed(Seen(size)) == Frame(Opcode.TEXT, text).serialize(mask=False)


@pytest.mark.parametrize("size", [125, 126, 65_535, 65_536])
def test_long_messages_have_longer_length_fields(size):
    message = Error("x", "y" * (size - len(b'{"type":"error","code":"x","text":"","retry":false}')))
    text = framed(message)[-size:]

    assert json.loads(text)["text"] == message.text
    assert framed(message) == Frame(Opcode.TEXT, text).serialize(mask=False)
    assert framed(Ping(1))[0] == 0x81


def test_a_fragmented_message_is_one_message(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
    left.socket.send(iter(['{"type":"comm', 'ands","turn":0,', '"commands":[3]}']))

    assert left.until("results")["results"] == [{"code": "ok"}]
    assert left.answer(0, 3) == ["already_bid"]


def test_two_messages_in_one_packet_are_two_messages(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
    frame = b'{"type":"commands","turn":0,"commands":[3]}'
    with left.socket.protocol_mutex:
        left.socket.socket.sendall(sent(Opcode.TEXT, frame) * 2)

    assert [left.until("results")["results"][0]["code"] for _ in range(2)] == ["ok", "already_bid"]


def test_bytes_that_arrive_one_by_one_form_a_message(live_server: LiveServer):
    _, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
    with left.socket.protocol_mutex:  # the library's own pongs do not come between
        for byte in sent(Opcode.TEXT, b'{"type":"commands","turn":0,"commands":[3]}'):
            left.socket.socket.sendall(bytes([byte]))

    assert left.until("results")["results"] == [{"code": "ok"}]


def test_an_acknowledgement_does_not_wait_for_the_other_seats_answer(live_server: LiveServer):
    """It may leave with the next view, and waits for that some ms, no more."""
    _, (left, right) = live_server.started("duel", clock={"turn_ms": 60_000})
    left.expect("view")
    begun = time.monotonic()

    assert left.answer(0, 3) == ["ok"]

    assert time.monotonic() - begun < 10
    right.expect("view")
    assert SocketClient(right.socket).silent_for(0.02)


@pytest.fixture
async def wire() -> Wire:
    return Wire()


class Heard:
    """Notes the numbers that it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, int]] = []
        self.hear = lambda payload, received: self.heard.append((int(payload), received))
        self.closed = 0

    def on_message(self, payload: bytes, text: bool, received: int) -> None:
        self.hear(payload, received)

    def on_other_frame(self, received: int) -> None: ...

    def on_writable(self) -> None: ...

    def on_closed(self, at: int) -> None:
        self.closed += 1


@pytest.fixture
async def listener() -> Heard:
    return Heard()


@pytest.fixture
async def websocket(wire: Wire, listener: Heard) -> WebSocketProtocol:
    return opened(wire, listener)


def opened(wire: Wire, listener: Heard) -> WebSocketProtocol:
    """One after its handshake."""
    made = WebSocketProtocol(
        None, ServerState(), None, endpoint=lambda scope, connection: listener, settings=Settings()
    )
    made.connection_made(wire)
    made.data_received(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    assert b"101 Switching" in wire.out
    return made


@pytest.mark.parametrize("size", [1, 125, 126, 4000])
async def test_a_message_in_one_piece_is_not_parsed_by_the_library(
    websocket, listener, monkeypatch, size
):
    monkeypatch.setattr(websocket, "_protocol", Untouched(websocket._protocol))
    websocket.data_received(sent(Opcode.TEXT, b"7".rjust(size)))

    assert [number for number, _ in listener.heard] == [7]


class Untouched:
    """A protocol that may be looked at, and is given nothing."""

    def __init__(self, protocol: ServerProtocol) -> None:
        self.state, self.parser = protocol.state, protocol.parser
        self.current_size = protocol.current_size


FRAMES = st.one_of(
    st.builds(
        sent,
        st.sampled_from([Opcode.TEXT, Opcode.BINARY]),
        st.integers(0, 300).map(lambda size: b"7".rjust(size + 1)),
    ),
    st.sampled_from(
        [
            sent(Opcode.PING, b"ping"),
            Frame(Opcode.TEXT, b"1", fin=False).serialize(mask=True)
            + sent(Opcode.PONG, b"")
            + sent(Opcode.CONT, b"2"),
        ]
    ),
)


@given(st.lists(FRAMES, max_size=6), st.sets(st.integers(0, 600)))
def test_messages_are_the_same_however_the_bytes_are_cut(frames, cuts):
    """Those that come in one piece are read by us, all others by the library."""
    whole = b"".join(frames)
    places = [0, *sorted(cut for cut in cuts if cut < len(whole)), len(whole)]
    pieces = [whole[begin:end] for begin, end in pairwise(places) if begin < end]
    library = ServerProtocol(state=State.OPEN)
    library.receive_data(whole)
    data = [frame for frame in library.events_received() if frame.opcode in DATA_OPCODES]
    expected = []
    for frame in data:
        if frame.opcode is Opcode.CONT:
            expected[-1] += frame.data
        else:
            expected.append(frame.data)

    assert asyncio.run(numbers_heard(pieces)) == [int(payload) for payload in expected]
    assert asyncio.run(numbers_heard(frames)) == [int(payload) for payload in expected]


async def numbers_heard(pieces: list[bytes]) -> list[int]:
    listener = Heard()
    websocket = opened(Wire(), listener)
    for piece in pieces:
        websocket.data_received(piece)
    return [number for number, _ in listener.heard]


@given(st.binary(max_size=140), st.integers(0, 150))
def test_no_other_bytes_are_taken_for_a_whole_message(data, most):
    """What is taken for one, the library reads as one of the same payload."""
    for attempt in (data, b"\x81" + data, b"\x81\xfe\x00" + data, b"\x81\xff" + data):
        text = whole_text(attempt, most)
        if text is not None:
            library = ServerProtocol(state=State.OPEN, max_size=most)
            library.receive_data(attempt)
            assert library.events_received() == [Frame(Opcode.TEXT, text)]


HEAP = b"".join(sent(Opcode.TEXT, b"%d" % number) for number in range(1000))


async def test_many_frames_are_read_in_batches_with_their_time_of_arrival(
    websocket, listener, wire
):
    websocket.data_received(HEAP)
    came = websocket.received
    lots = []
    while len(listener.heard) < 1000:
        assert not wire.reading
        before = len(listener.heard)
        await asyncio.sleep(0)
        lots.append(len(listener.heard) - before)

    assert [(number, came) for number in range(1000)] == listener.heard
    assert max(lots) <= PIECE // 7
    assert wire.reading


async def test_frames_received_while_a_batch_is_read_follow_it(websocket, listener, wire):
    websocket.data_received(HEAP)
    websocket.data_received(sent(Opcode.TEXT, b"1000"))
    while not wire.reading:
        await asyncio.sleep(0)

    assert list(range(1001)) == [number for number, _ in listener.heard]


async def test_an_exception_within_a_batch_ends_the_connection(websocket, listener, wire):
    faults = []
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: faults.append(str(context["exception"]))
    )

    def hear(payload: bytes, received: int) -> None:
        raise RuntimeError("ours")

    listener.hear = hear
    websocket.data_received(HEAP)
    while not wire.closing:
        await asyncio.sleep(0)

    assert faults == ["ours"]


async def test_reading_can_be_paused_and_resumed(websocket, listener, wire):
    websocket.pause()
    websocket.data_received(sent(Opcode.TEXT, b"1"))
    await asyncio.sleep(0)
    assert listener.heard == []

    websocket.resume()
    while not wire.reading:
        await asyncio.sleep(0)

    assert [number for number, _ in listener.heard] == [1]


async def test_after_our_close_nothing_is_processed(websocket, listener, wire, monkeypatch):
    monkeypatch.setattr("server.net.transport.PATIENCE_S", 0.05)
    parsed = []
    monkeypatch.setattr(websocket._protocol, "receive_data", lambda data: parsed.append(len(data)))
    websocket.connection.close(TOO_FAST)
    while not wire.closing:
        if wire.reading:
            websocket.data_received(HEAP)
        await asyncio.sleep(0.001)

    assert listener.heard == []
    assert sum(parsed) <= AFTERWARDS


async def test_the_clients_close_after_ours_is_read(websocket, listener, wire):
    websocket.connection.close(TOO_FAST)
    websocket.data_received(sent(Opcode.CLOSE, b"\x11\x4d"))

    assert wire.closing


async def test_a_client_refused_right_before_its_own_close_gets_one_close(
    websocket, listener, wire
):
    listener.hear = lambda *message: websocket.connection.close(TOO_FAST)
    websocket.data_received(sent(Opcode.TEXT, b"no") + sent(Opcode.CLOSE, b"\x03\xe8"))
    await asyncio.sleep(0)

    assert wire.closing
    assert wire.out.endswith(Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=False))


async def test_a_handshake_with_a_too_long_head_is_answered_and_closed(wire):
    made = WebSocketProtocol(
        None, ServerState(), None, endpoint=lambda scope, connection: Heard(), settings=Settings()
    )
    made.connection_made(wire)
    made.data_received(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * 9_000 + b"\r\n\r\n")
    while not wire.closing:
        await asyncio.sleep(0)

    assert wire.out.startswith(b"HTTP/1.1 431 ")
    assert wire.out.count(b"HTTP/1.1") == 1
