"""The websocket under a seat or a viewer: uvicorn's sans-io protocol, with four things of ours.

Receipt is stamped where the bytes arrive, before anything waits in a queue. A frame goes to its listener by a call and leaves by
a call: nobody is awaited, and what the transport cannot take yet waits in the client's outbox. A close says why, in an `error`
message before it. And how long the way to the client and back takes is measured by pings, stamped in the same two places as what
clocks count.

A socket endpoint finds its connection as `scope["extensions"]["botarena"]`.
"""

from __future__ import annotations

import os
import secrets
import socket
import struct
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from client_sdk.wire.codes import TOO_BIG, Close
from client_sdk.wire.messages import Error, Outgoing
from server.http_connections import FAST, HttpConnection, HttpConnections

EXTENSION = "botarena"

Listener = Callable[[bytes, bool, int], None]
"""Takes a frame: its payload, whether it is text, and when it was received (monotonic ns)."""


RIDE_S = 0.005
"""So long an acknowledgement may wait for the view that it can leave with."""
PIECE = 4096
"""So many bytes of one client are read before it is the others' turn, however many have come."""
AFTERWARDS = 8192
"""So many bytes may come behind our close, for they were on their way. Whoever sends more is not listened to any more."""
DEAF_S = 5.0
QUIET_S = 0.2
BREATH_S = 0.01
"""A connection that is not listened to any more is closed when nothing has come for QUIET_S, after DEAF_S at the latest. What
comes meanwhile is taken from the system bit by bit, with BREATH_S between, and thrown away."""

WAYS = 10
"""So many of the newest measurements count, and so many pings may be on their way."""
AT_ONCE = 5
"""So many pings go to a new seat one right after the other, so that its way is known before the first turn is."""

_encode = msgspec.json.Encoder().encode


def framed(message: Outgoing) -> bytes:
    """A message as the bytes of one websocket frame, the same for every client it goes to: a final, unmasked text frame with
    its length in 1, 3 or 9 bytes (RFC 6455, section 5.2)."""
    text = _encode(message)
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    return b"\x81" + (struct.pack("!BH", 126, length) if length < 65536 else struct.pack("!BQ", 127, length)) + text


class Connection(WebSocketsSansIOProtocol):
    """One websocket. Whoever serves it sets `listener` before it accepts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.received = time.monotonic_ns()
        """When the last bytes came, pongs included (monotonic ns)."""
        self._out: list[bytes] = []
        self._riding = False
        """A timer runs for what waits to leave with something else."""
        self._unread: deque[tuple[memoryview, int]] = deque()
        """What has come and was not read yet, and when it came. The transport reads nothing as long as there is any."""
        self._held = False
        """Nothing is read for a while."""
        self._afterwards = 0
        """Bytes that came behind our close."""
        self._deaf_until: float | None = None
        """Not listened to any more, and closed at this time of the loop."""
        self._leaving = False
        self.lag: int | None = None
        """The shortest way to the client and back of the newest few, ns. None: no pong has come yet."""
        self._ways: deque[int] = deque(maxlen=WAYS)
        self._pings: dict[bytes, int] = {}
        """Those without a pong, oldest first, and when each was handed over."""
        self._to_measure = 0
        self.listener: Listener | None = None
        self.noted: Callable[[int], None] | None = None
        """Called for each frame that is no whole message, with the time of its receipt."""
        self.written = 0
        """Messages handed over."""
        self.said: str | None = None
        """The code of our close."""
        self.congested = False
        """The transport holds enough bytes that the client has not read."""
        self.drained: Callable[[], None] | None = None
        """Called when the transport takes bytes again."""

    # --- what the server does with it

    @property
    def closed(self) -> bool:
        return self.close_sent or self.disconnected or self.transport.is_closing()

    def write(self, frame: bytes) -> None:
        """Hand a frame over. What is written in one go of the loop leaves in one piece: waking the other side is what costs.

        After the close it goes nowhere, quietly.
        """
        if self.close_sent or self.disconnected:
            return
        self.written += 1
        self._out.append(frame)
        if not self._leaving:
            self._leaving = True
            self.loop.call_soon(self.flush)

    def write_with_the_next(self, frame: bytes) -> None:
        """The same for a frame that nobody can act on: it waits RIDE_S for another one to leave with."""
        if self.close_sent or self.disconnected:
            return
        self.written += 1
        self._out.append(frame)
        if not self._riding:
            self._riding = True
            self.loop.call_later(RIDE_S, self._no_ride)

    def _no_ride(self) -> None:
        self._riding = False
        self.flush()

    def flush(self) -> None:
        """Let everything go that was written."""
        self._leaving = False
        if self._out:
            if not self.transport.is_closing():
                self.transport.write(self._out[0] if len(self._out) == 1 else b"".join(self._out))
            self._out.clear()

    def close(self, close: Close) -> None:
        """Say goodbye; the client's answer or a few seconds end the connection. Nothing is said to a client whose own goodbye is
        among what is read just now."""
        if self.closed or self.conn.state is not State.OPEN:
            return
        self.flush()
        self.said = close.code
        self.conn.send_close(close.status, close.code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": close.status, "reason": close.code})
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def measure(self) -> None:
        """Find out how long the way is, now: a few pings, one after the other."""
        self._to_measure = AT_ONCE
        self._ping()

    def _ping(self) -> None:
        """Nobody can answer a ping that has not come yet: what it says is random. A pong that never comes closes nothing."""
        if self.closed or self.congested:
            return
        payload = secrets.token_bytes(8)
        if len(self._pings) == WAYS:
            del self._pings[next(iter(self._pings))]
        self.flush()
        self.conn.send_ping(payload)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self._pings[payload] = time.monotonic_ns()

    def drop(self, why: str | None = None) -> None:
        """End a connection whose other side is gone, or reads no goodbye."""
        self.said = self.said or why
        if not self.disconnected:
            self.transport.abort()

    def hold(self, seconds: float, then: Callable[[], None]) -> None:
        """Read nothing for so long, do that, and go on."""
        self.pause()
        self.loop.call_later(seconds, self._release, then)

    def _release(self, then: Callable[[], None]) -> None:
        then()
        self.go_on()

    def pause(self) -> None:
        """Read nothing until `go_on`, not even that the client is gone. What has come with the last frame is read."""
        self._held = True
        self.transport.pause_reading()

    def go_on(self) -> None:
        """Read again."""
        self._held = False
        if self.transport.is_closing():
            return
        if self._unread:
            self._read_soon()
        else:
            self.transport.resume_reading()

    # --- what happens to it

    def data_received(self, data: bytes) -> None:
        self.received = time.monotonic_ns()
        if self._deaf_until is not None:
            self._wait_for_quiet()
        elif self._held or self._unread or len(data) > PIECE:
            self._read_later(data)
        else:
            self._read(data)

    def _read_later(self, data: bytes) -> None:
        """In pieces, so that whoever sends much takes nobody's time."""
        if not self._unread:
            self._read_soon()
            self.transport.pause_reading()
        self._unread.append((memoryview(data), self.received))

    def _read_on(self) -> None:
        """The next piece of what has come, with the time of its receipt."""
        data, self.received = self._unread.popleft()
        if len(data) > PIECE:
            self._unread.appendleft((data[PIECE:], self.received))
        try:
            self._read(bytes(data[:PIECE]))
        except Exception:
            self.transport.abort()  # as the loop does where it calls us itself: a connection that nobody reads must not stay
            raise
        if self._deaf_until is not None or self.transport.is_closing():
            self._unread.clear()
        elif self._unread:
            self._read_soon()
        elif not self._held:
            self.transport.resume_reading()

    def _read_soon(self) -> None:
        if not self._held:
            self.loop.call_soon(self._read_on)

    def _read(self, piece: bytes) -> None:
        if self.close_sent:
            self._afterwards += len(piece)
            if self._afterwards > AFTERWARDS:
                self._stop_listening()
                return
        super().data_received(piece)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: dict[str, object] = self.scope["extensions"]  # type: ignore[assignment]
            extensions[EXTENSION] = self

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # refused, by an answer: uvicorn would log that as a failure of ours

    def handle_text(self, event: Frame) -> None:
        if not event.fin:
            self._note()
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if not event.fin:
            self._note()
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if not event.fin:
            self._note()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Whoever does not read gets no pong either: nothing piles up for them."""
        pong = b"".join(self.conn.data_to_send())
        if not self.congested and not self.closed:
            self.transport.write(pong)
        self._note()

    def send_keepalive_ping(self) -> None:
        """uvicorn's timer rings."""
        self.ping_timer = None
        if not self.closed:
            self._ping()
            self.schedule_ping()

    def handle_pong(self, event: Frame) -> None:
        """Whoever leaves pings out has not answered them; who keeps pongs back tells of a longer way, and gains what a turn may
        be granted at most. A pong that nobody asked for is a frame like any other."""
        payload = bytes(event.data)
        handed = self._pings.get(payload)
        if handed is None:
            self._note()
            return
        while next(iter(self._pings)) != payload:
            del self._pings[next(iter(self._pings))]
        del self._pings[payload]
        self._ways.append(self.received - handed)
        self.lag = min(self._ways)
        if self._to_measure:
            self._to_measure -= 1
            if self._to_measure:
                self._ping()

    def _note(self) -> None:
        """A frame that is no whole message is one all the same."""
        if self.noted is not None and not self.closed:
            self.noted(self.received)

    def send_receive_event_to_app(self) -> None:
        if self.listener is None:
            super().send_receive_event_to_app()
            return
        payload = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if not self.closed:
            self.listener(bytes(payload), self.curr_msg_data_type == "text", self.received)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.congested = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.congested = False
        if self.drained is not None:
            self.drained()

    def handle_parser_exception(self) -> None:
        """The frames that websockets itself refuses, too big ones above all: tell why, then let its close frame go."""
        said = self.conn.close_sent
        self.flush()
        if said is not None:
            self.said = TOO_BIG.code if said.code == TOO_BIG.status else "broken_frame"
        if said is not None and said.code == TOO_BIG.status and not self.closed:
            self.transport.write(framed(Error(TOO_BIG.code, TOO_BIG.text, TOO_BIG.retry)))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006 if said is None else said.code, "reason": ""})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self._stop_listening()

    def _stop_listening(self) -> None:
        self._deaf_until = self.loop.time() + DEAF_S
        self._wait_for_quiet()

    def _wait_for_quiet(self) -> None:
        """Whoever is still sending gets to read why nobody listens: a socket closed with bytes unread would lose it."""
        assert self._deaf_until is not None
        if self.close_timer is not None:
            self.close_timer.cancel()
        if self.loop.time() > self._deaf_until:
            self.transport.abort()
        elif not self.transport.is_closing():
            self.close_timer = self.loop.call_later(QUIET_S, self.transport.close)
            self.transport.pause_reading()
            self.loop.call_later(BREATH_S, self._breathe)

    def _breathe(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()


def listening(host: str, port: int, send_buffer: int) -> socket.socket:
    """A bound socket whose connections inherit the bound on what the kernel holds for a client that does not read.

    Port 0 takes a free one. Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def configured(app: Any, http: HttpConnections, *, frame_bytes: int, ping_ms: int) -> Config:
    """uvicorn with our protocols, without deflate, and without its own verdict on a client that answers no ping."""
    return Config(
        app,
        loop="uvloop" if FAST else "asyncio",
        http=partial(HttpConnection, among=http),  # type: ignore[arg-type]
        ws=Connection,
        ws_max_size=frame_bytes,
        ws_ping_interval=ping_ms / 1000,
        ws_ping_timeout=None,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # proxies.py reads them, and believes the named ones only
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
