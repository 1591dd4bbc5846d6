"""One websocket as the rest of the server uses it: what is sent over it, and how it is closed."""

from __future__ import annotations

import asyncio
import struct
import time
from enum import Enum
from typing import Protocol

import msgspec
from websockets.protocol import State
from websockets.server import ServerProtocol

from client_sdk.wire.codes import DONE, LEAVING, SLOW_CONSUMER, TOO_BIG, Close
from client_sdk.wire.messages import Error, Outgoing
from server.net.latency import Latency
from server.net.outbox import Outbox

PATIENCE_S = 5.0
"""How long a client has to read its last frames and to answer the close."""
AFTERWARDS = 8192
"""Bytes that may come behind our close and are parsed, to find the answer."""
QUIET_S = 0.2
BREATH_S = 0.01
"""Further input is discarded bit by bit, with BREATH_S between, until none has come for QUIET_S."""

_encode = msgspec.json.Encoder().encode


def framed(message: Outgoing) -> bytes:
    """A message as the bytes of one websocket frame, the same for every client it goes to: a final,
    unmasked text frame with its length in 1, 3 or 9 bytes (RFC 6455, section 5.2)."""
    text = _encode(message)
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 65536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), text)
    return struct.pack("!BBQ", 0x81, 127, length) + text


class Listener(Protocol):
    """The callbacks of a connection. Times are monotonic ns."""

    def on_message(self, payload: bytes, text: bool, received: int) -> None:
        """A whole message came while the connection was open."""

    def on_other_frame(self, received: int) -> None:
        """A frame came that is no whole message: a ping, an unsolicited pong, a fragment."""

    def on_writable(self) -> None:
        """The transport takes bytes again, and nothing waits."""

    def on_closed(self, at: int) -> None:
        """Called once, when the client has left or our close is sent."""


class FrameReader(Protocol):
    """The side of a websocket that reads."""

    received: int
    """When the last bytes came, pongs included (monotonic ns)."""

    def pause(self) -> None:
        """Read nothing until `resume`, not even that the client is gone. What has come with the
        last frame is read."""

    def resume(self) -> None:
        """Read again."""


class ConnectionState(Enum):
    """How far a connection is on its way to its end."""

    OPEN = "open"
    HELD = "held"
    DRAINING = "draining"
    CLOSE_SENT = "close sent"
    DISCARDING = "discarding"
    CLOSED = "closed"


OPEN, HELD, DRAINING, CLOSE_SENT, DISCARDING, CLOSED = ConnectionState


class ServerConnection:
    """One websocket, and the state machine that closes it. `frames` and `size` (bytes) bound what
    waits for a slow reader.

    ::

        OPEN ----close()----> DRAINING --outbox empty--> CLOSE_SENT --answered--> CLOSED
          |                      ^                            |                     ^
          | close(hold_s)        | hold_s later               | more than           |
          |                      |                            v AFTERWARDS bytes    |
          +-------------------> HELD                      DISCARDING ----quiet------+
          |                                                   ^
          +--------- broken frame (any state above) ----------+

    - HELD: nothing is read, so that a client that floods cannot reconnect and flood at once.
    - DRAINING: the `error` frame that says why is queued; frames and the close leave in order, when
      the client reads.
    - CLOSE_SENT: input is parsed for the client's answer only.
    - DISCARDING: input is thrown away unparsed, but read: a socket closed with unread input loses
      our last frames.
    - CLOSED: from every state when the client closes, the transport is lost, or `drop` is called.

    PATIENCE_S after HELD or OPEN the transport is aborted. Only the first reason counts, and from
    then on nothing is heard."""

    def __init__(
        self,
        transport: asyncio.Transport,
        protocol: ServerProtocol,
        reader: FrameReader,
        *,
        frames: int,
        size: int,
    ) -> None:
        self.reader = reader
        self.outbox = Outbox(transport, frames, size)
        self.latency = Latency(self._ping)
        self.state = OPEN
        self.reason: Close | None = None
        """Why we close it. None: we do not."""
        self.code: str | None = None
        """The code that metrics count its end by. None: the client left."""
        self._transport = transport
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._listener: Listener | None = None
        """None: none is to be called any more, or not yet."""
        self._afterwards = 0
        self._patience: asyncio.TimerHandle | None = None
        self._quiet: asyncio.TimerHandle | None = None

    def start(self, listener: Listener, ping_s: float) -> None:
        """The handshake is done."""
        self._listener = listener
        self.latency.start(ping_s)

    # --- sending

    @property
    def open(self) -> bool:
        """Whether messages are taken and sent."""
        return self.state is OPEN and not self._transport.is_closing()

    @property
    def writable(self) -> bool:
        """Whether a frame sent now goes to the transport, and none waits."""
        return not self.outbox.congested

    def send(self, frame: bytes, *, flushed: bool = False) -> None:
        """Everything arrives, in order, while the connection is open. Too much closes it.
        `flushed`: as in `Outbox.put`."""
        if self.state is OPEN and not self.outbox.put(frame, flushed=flushed):
            self.outbox.clear()
            self.close(SLOW_CONSUMER)

    def on_writable(self) -> None:
        """The transport takes bytes again."""
        self.outbox.unblock()
        if self.state is DRAINING:
            self._send_close()
        elif self.state is OPEN and self._listener is not None:
            self._listener.on_writable()

    def _ping(self, payload: bytes) -> bool:
        if not self.open or self.outbox.congested:
            return False
        self.outbox.flush()
        self._protocol.send_ping(payload)
        self._write_control()
        return True

    def pong(self) -> None:
        """Answer a ping. A client that does not read gets no pong, so that nothing piles up."""
        writes = self.state in (OPEN, HELD, DRAINING) and not self._transport.is_closing()
        if writes and not self.outbox.congested:
            self._write_control()
        else:
            self._protocol.data_to_send()

    def _write_control(self) -> None:
        """The frames that the protocol made itself."""
        self._transport.write(b"".join(self._protocol.data_to_send()))

    # --- closing

    def close(
        self,
        reason: Close,
        text: str | None = None,
        *,
        url: str | msgspec.UnsetType = msgspec.UNSET,
        hold_s: float = 0.0,
    ) -> None:
        """Say why in an `error` frame, except at a regular end (DONE), then close. `hold_s`: before
        that, read nothing for this time."""
        if self.state is not OPEN:
            return
        self.reason, self.code = reason, self.code or reason.code
        if self._protocol.state is not State.OPEN or self._transport.is_closing():
            self._end()  # the client's own close is among what is read just now, or it is gone
        elif hold_s:
            self.state = HELD
            self.reader.pause()
            self._loop.call_later(hold_s, self._end_hold, reason, text)
        else:
            self._drain(reason, text, url)

    def drop(self, code: str | None = None) -> None:
        """Abort: the client is gone or does not read. `code`: for the metrics."""
        self.code = self.code or code
        self._transport.abort()

    def shutdown(self) -> None:
        """The server waits no longer."""
        if self.state in (OPEN, HELD, DRAINING) and self._protocol.state is State.OPEN:
            self.reason = self.reason or LEAVING
            self._send_close()
        self._transport.close()

    def _end_hold(self, reason: Close, text: str | None) -> None:
        if self.state is HELD:
            self._drain(reason, text, msgspec.UNSET)
        self.reader.resume()

    def _drain(self, reason: Close, text: str | None, url: str | msgspec.UnsetType) -> None:
        self.state = DRAINING
        self._limit_patience()
        if reason is not DONE:
            self.outbox.put(framed(Error(reason.code, text or reason.text, reason.retry, url)))
        if not self.outbox:
            self._send_close()

    def _limit_patience(self) -> None:
        if self._patience is None:
            self._patience = self._loop.call_later(PATIENCE_S, self.drop)

    def _send_close(self) -> None:
        assert self.reason is not None
        self.outbox.flush()
        self._protocol.send_close(self.reason.status, self.reason.code)
        self._write_control()
        self.state = CLOSE_SENT
        self._notify_closed()

    def on_client_close(self) -> None:
        """The client's close frame was read. It answers ours, or the protocol has answered it."""
        if not self._transport.is_closing():
            self._write_control()
            self._transport.close()
            self._limit_patience()
        self._end()

    def on_broken_frame(self) -> None:
        """The protocol refuses a frame, too big ones above all, and has made its close frame."""
        sent = self._protocol.close_sent
        too_big = sent is not None and sent.code == TOO_BIG.status
        self.outbox.flush()
        if self.state is not CLOSE_SENT and not self._transport.is_closing():
            if too_big:
                self._transport.write(framed(Error(TOO_BIG.code, TOO_BIG.text, TOO_BIG.retry)))
            self.code = self.code or (TOO_BIG.code if too_big else "broken_frame")
        self._write_control()
        self._discard()
        self._notify_closed()

    def on_lost(self) -> None:
        """The transport is closed."""
        for timer in (self._patience, self._quiet):
            if timer is not None:
                timer.cancel()
        self._patience = self._quiet = None
        self._end()

    def _end(self) -> None:
        self.state = CLOSED
        self._notify_closed()

    def _notify_closed(self) -> None:
        """Not at once: the caller may be in the middle of something that the listener changes."""
        self.latency.stop()
        if (listener := self._listener) is not None:
            self._loop.call_soon(lambda: listener.on_closed(time.monotonic_ns()))
            self._listener = None

    # --- input behind the close

    def parses(self, size: int) -> bool:
        """Whether the next `size` bytes of input are still parsed."""
        if self.state is CLOSE_SENT:
            self._afterwards += size
            if self._afterwards > AFTERWARDS:
                self._discard()
        return self.state is not DISCARDING

    def _discard(self) -> None:
        self.state = DISCARDING
        self.outbox.clear()
        self._limit_patience()
        self.discard_more()

    def discard_more(self) -> None:
        """Input came that is discarded."""
        if self._quiet is not None:
            self._quiet.cancel()
        if not self._transport.is_closing():
            self._quiet = self._loop.call_later(QUIET_S, self._transport.close)
            self._transport.pause_reading()
            self._loop.call_later(BREATH_S, self._breathe)

    def _breathe(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
