"""The websocket protocol: bytes of a client in, messages to a listener.

Receipt is stamped where the bytes arrive, before anything waits in a queue. It stands on the
sans-io protocol of `websockets` and on asyncio; uvicorn hands over a connection whose client asks
for the upgrade. What is sent, and the end, is `transport.py`'s."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import unquote

from uvicorn.server import ServerState
from websockets.exceptions import InvalidHeader, SecurityError
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.streams import StreamReader

from server.asgi import Scope
from server.errors import Refusal
from server.net.answers import HEAD_TOO_BIG, whole_answer
from server.net.transport import DISCARDING, OPEN, Listener, ServerConnection
from server.settings import Settings

Endpoint = Callable[[Scope, ServerConnection], Listener | Refusal]
"""Takes the handshake's request, or refuses it."""

FINAL_TEXT = 0x81
MASKED = 0x80
"""The first byte of a final text frame, and the bit of the second one that a client sets."""
_AT_FRAME = StreamReader.at_eof.__code__
"""What the protocol's parser waits in where a frame begins."""
PIECE = 4096
"""Larger input is parsed in slices of as many bytes: one client cannot starve the others."""


class WebSocketProtocol(asyncio.Protocol):
    """Reads one websocket. `server_state`: where uvicorn finds what it shuts down."""

    def __init__(
        self,
        config: object,
        server_state: ServerState,
        app_state: object,
        *,
        endpoint: Endpoint,
        settings: Settings,
    ) -> None:
        self.received = time.monotonic_ns()
        self.connection: ServerConnection
        self._transport: asyncio.Transport
        self._open_connections: set[Any] = server_state.connections
        self._endpoint = endpoint
        self._settings = settings
        self._most = settings.frame_bytes
        self._protocol = ServerProtocol(max_size=self._most)
        self._listener: Listener | None = None
        self._unread: deque[tuple[memoryview, int]] = deque()
        """Input that is not parsed yet, and when it came. Meanwhile the transport is paused."""
        self._paused = False
        self._text = False
        """Whether the message that comes in fragments is text."""
        self._fragments: list[bytes] = []
        self._between = False
        """Whether the next byte begins a message, as the protocol's parser has left it."""

    # --- what asyncio and uvicorn call

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, transport)
        self._open_connections.add(self)
        frames, size = self._settings.outbox_frames, self._settings.outbox_bytes
        self.connection = ServerConnection(
            transport, self._protocol, self, frames=frames, size=size
        )

    def data_received(self, data: bytes) -> None:
        self.received = time.monotonic_ns()
        if self.connection.state is DISCARDING:
            self.connection.discard_more()
        elif self._paused or self._unread or len(data) > PIECE:
            if not self._unread:
                self._parse_soon()
                self._transport.pause_reading()
            self._unread.append((memoryview(data), self.received))
        else:
            self._parse(data)

    def pause_writing(self) -> None:
        self.connection.outbox.block()

    def resume_writing(self) -> None:
        self.connection.on_writable()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open_connections.discard(self)
        self.connection.on_lost()

    def shutdown(self) -> None:
        self.connection.shutdown()

    # --- reading

    def pause(self) -> None:
        self._paused = True
        self._transport.pause_reading()

    def resume(self) -> None:
        self._paused = False
        if self._transport.is_closing():
            return
        if self._unread:
            self._parse_soon()
        else:
            self._transport.resume_reading()

    def _parse_soon(self) -> None:
        if not self._paused:
            asyncio.get_running_loop().call_soon(self._parse_next)

    def _parse_next(self) -> None:
        """The next slice of the input, with the time of its receipt."""
        if self._transport.is_closing():
            self._unread.clear()
        if not self._unread:
            return
        data, self.received = self._unread.popleft()
        if len(data) > PIECE:
            self._unread.appendleft((data[PIECE:], self.received))
        try:
            self._parse(bytes(data[:PIECE]))
        except Exception:
            # as the loop does where it calls `data_received`: without a reader it must not stay
            self._transport.abort()
            raise
        if self.connection.state is DISCARDING:
            self._unread.clear()
        elif self._unread:
            self._parse_soon()
        elif not self._paused and not self._transport.is_closing():
            self._transport.resume_reading()

    def _parse(self, data: bytes) -> None:
        # nearly every answer comes as one frame in one piece: it is read in a fifth of the time
        if (
            self._between
            and self.connection.state is OPEN
            and (text := whole_text(data, self._most)) is not None
        ):
            self._text = True
            self._message(text)
            return
        self._between = False
        if not self.connection.parses(len(data)):
            return
        protocol = self._protocol
        protocol.receive_data(data)
        if protocol.parser_exc is not None:
            self.connection.on_broken_frame()
            return
        for event in protocol.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            else:
                assert isinstance(event, Request)
                self._handshake(event)
        if protocol.handshake_exc is not None and not self._transport.is_closing():
            self._refuse_handshake()  # the request's head is none, or too long
        self._between = self._between_messages()

    def _between_messages(self) -> bool:
        """Whether the next byte begins a message: no frame and no fragment was read before it, and
        the client has not closed."""
        protocol = self._protocol
        if protocol.state is not State.OPEN:
            return False
        reading: Any = protocol.parser
        while (inner := reading.gi_yieldfrom) is not None:
            reading = inner
        return bool(reading.gi_code is _AT_FRAME) and protocol.current_size is None

    def _frame(self, frame: Frame) -> None:
        opcode = frame.opcode
        if opcode is Opcode.TEXT or opcode is Opcode.BINARY:
            self._text = opcode is Opcode.TEXT
            if frame.fin:
                self._message(frame.data)
            else:
                self._fragments = [bytes(frame.data)]
                self._other_frame()
        elif opcode is Opcode.CONT:
            self._fragments.append(bytes(frame.data))
            if frame.fin:
                fragments, self._fragments = self._fragments, []
                self._message(b"".join(fragments))
            else:
                self._other_frame()
        elif opcode is Opcode.CLOSE:
            self.connection.on_client_close()
        elif opcode is Opcode.PING:
            self.connection.pong()
            self._other_frame()
        elif not self.connection.latency.pong(bytes(frame.data), self.received):
            self._other_frame()

    def _message(self, payload: bytes | bytearray | memoryview) -> None:
        if self._listener is not None and self.connection.open:
            self._listener.on_message(bytes(payload), self._text, self.received)

    def _other_frame(self) -> None:
        if self._listener is not None and self.connection.open:
            self._listener.on_other_frame(self.received)

    # --- the handshake

    def _handshake(self, request: Request) -> None:
        protocol = self._protocol
        response = protocol.accept(request)
        if response.status_code != 101:
            self._refuse_handshake()
            return
        answer = self._endpoint(self._scope(request), self.connection)
        if isinstance(answer, Refusal):
            self._refuse(answer)
            return
        self._listener = answer
        protocol.send_response(response)
        self._transport.write(b"".join(protocol.data_to_send()))
        self.connection.start(answer, self._settings.ping_ms / 1000)

    def _refuse_handshake(self) -> None:
        """The library takes it for no handshake."""
        fault = self._protocol.handshake_exc
        if isinstance(fault, SecurityError):  # its limits
            self._refuse(HEAD_TOO_BIG)
            return
        text = f"expected a websocket handshake of version 13: {fault}; use a websocket library"
        field = fault.name if isinstance(fault, InvalidHeader) else None
        self._refuse(Refusal(400, "bad_handshake", text, field=field), "sec-websocket-version: 13")

    def _refuse(self, refusal: Refusal, *headers: str) -> None:
        self._transport.write(whole_answer(refusal, *headers))
        self._transport.close()

    def _scope(self, request: Request) -> Scope:
        """The request as ASGI describes it."""
        path, _, query = request.path.partition("?")
        return {
            "type": "websocket",
            "scheme": "ws",
            "path": unquote(path),
            "query_string": query.encode("ascii", "surrogateescape"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("latin-1", "surrogateescape"))
                for name, value in request.headers.raw_items()
            ],
            "client": _address(self._transport.get_extra_info("peername")),
            "server": _address(self._transport.get_extra_info("sockname")),
        }


def whole_text(data: bytes, most: int) -> bytes | None:
    """The payload of a client's text frame, if these bytes are exactly that frame, final and of at
    most `most` bytes. None: the protocol has to read them."""
    if len(data) < 6 or data[0] != FINAL_TEXT:
        return None
    length, mask = data[1] - MASKED, 2
    if length == 126:
        length, mask = int.from_bytes(data[2:4], "big"), 4
    elif length == 127:
        return None
    start = mask + 4
    if length != len(data) - start or length > most:
        return None
    return bytes(apply_mask(data[start:], data[mask:start]))


def _address(name: object) -> tuple[str, int] | None:
    """Host and port, if the socket has them."""
    return (str(name[0]), int(name[1])) if isinstance(name, tuple) else None
