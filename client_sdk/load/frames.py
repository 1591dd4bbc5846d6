"""A websocket client that costs little: frames are parsed and written as bytes, on any event loop.

The load generator must cost less than the server that it measures. A client library takes several
times the processor time of this module for each frame. It leaves out what a Botarena server never
sends: fragments, extensions, binary messages."""

from __future__ import annotations

import asyncio
import ssl
import struct
from base64 import b64encode
from functools import cache
from secrets import token_bytes
from typing import Any, Final
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
HANDSHAKE_S: Final = 30.0
_NO_MASK: Final = bytes(4)
"""A mask of zeros is a valid mask, and applying it is free."""


@cache
def _trusted() -> ssl.SSLContext:
    """One for all connections: certificates take long to read."""
    return ssl.create_default_context()


def frame(payload: bytes, opcode: int = TEXT) -> bytes:
    """A client's frame with this payload."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 128 | opcode, 128 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 128 | opcode, 254, size)
    else:
        head = struct.pack("!BBQ", 128 | opcode, 255, size)
    return head + _NO_MASK + payload


class FrameSocket(asyncio.Protocol):
    """One websocket, from its handshake on. Subclasses say what happens with texts."""

    HEADERS: tuple[str, ...] = ()
    """Further lines of the handshake."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.transport: asyncio.Transport | None = None
        self.close_code: int | None = None
        """From the server's close frame."""
        self._open = asyncio.Event()
        """Set after the handshake, or when there will be none."""
        self._rest = b""

    async def connect(self) -> None:
        """Connect, and wait for the end of the handshake."""
        parts = urlsplit(self.url)
        secure = parts.scheme == "wss"
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: self,
                parts.hostname or "",
                parts.port or (443 if secure else 80),
                ssl=_trusted() if secure else None,
            )
        except OSError as fault:
            self.failed(str(fault))
            self.closed()
            return
        try:
            await asyncio.wait_for(self._open.wait(), HANDSHAKE_S)
        except TimeoutError:
            self.failed(f"no answer to the handshake within {HANDSHAKE_S:g} s")
            self._open.set()
            self.abort()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        parts = urlsplit(self.url)
        key = b64encode(token_bytes(16)).decode()
        lines = (
            f"GET {parts.path} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *self.HEADERS,
        )
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def send(self, text: bytes) -> None:
        self.write(frame(text))

    def abort(self) -> None:
        """End the connection, if there is one."""
        if self.transport is not None:
            self.transport.abort()

    def write(self, data: bytes) -> None:
        """Write whole frames; nothing without a connection."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
            self._rest = b""
        if not self._open.is_set():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if not head.startswith(b"HTTP/1.1 101 "):
                status = head.partition(b"\r\n")[0].decode(errors="replace")
                self.failed(f"the handshake was refused: {status}")
                self.abort()
                return
            self._open.set()
            self.opened()
        self._frames(data)

    def _frames(self, data: bytes) -> None:
        begin, have = 0, len(data)
        while have - begin >= 2:
            size, body = data[begin + 1], begin + 2
            if size == 126:
                body += 2
                size = int.from_bytes(data[begin + 2 : body])
            elif size == 127:
                body += 8
                size = int.from_bytes(data[begin + 2 : body])
            end = body + size
            if end > have:  # also if the size itself is not there yet: it is in front of the body
                break
            opcode = data[begin] & 15
            if opcode == TEXT:
                self.received(data[body:end])
            else:
                self._control(opcode, data[body:end])
            begin = end
        self._rest = data[begin:]

    def _control(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            self.write(frame(payload, PONG))
        elif opcode == CLOSE:
            self.close_code = int.from_bytes(payload[:2]) if len(payload) > 1 else None
            self.closing()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._open.is_set():
            self.failed("the connection was closed during the handshake")
            self._open.set()
        self.closed()

    # --- for subclasses

    def opened(self) -> None:
        """The handshake is over."""

    def failed(self, why: str) -> None:
        """There is no connection."""

    def received(self, text: bytes) -> None:
        """A text message has come."""

    def closing(self) -> None:
        """The server has begun to close the connection; here it is allowed to."""
        self.write(frame(b"", CLOSE))

    def closed(self) -> None:
        """The connection has ended."""
