"""Connections of the hub, before and while they are websockets: uvicorn's, with limits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from client_sdk.gateway.connections import AT_ONCE, BUSY, PER_ADDRESS, keep_alive

REQUESTS_S: Final = 10.0
"""A connection that is no websocket by then is closed: negotiation is one short request."""
CLOSE_S: Final = 5.0
"""How long a websocket stays for a client that does not read the last messages."""


class HubConnection(H11Protocol):
    """uvicorn's, with limits: it waits for silent clients without end, and takes any number. One
    connection too many is refused as it is accepted, which costs the matches the least."""

    def __init__(self, *args: Any, addresses: Counter[str], **options: Any) -> None:
        """`addresses`: the number of connections by address, also of those that have become
        websockets."""
        super().__init__(*args, **options)
        self._addresses = addresses
        self._address: str | None = None
        """Where it is counted."""
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        keep_alive(transport.get_extra_info("socket"))
        address = str((transport.get_extra_info("peername") or [""])[0])
        if self._addresses.total() >= AT_ONCE or self._addresses[address] >= PER_ADDRESS:
            transport.write(BUSY)
            transport.close()
            return
        self._address = address
        self._addresses[address] += 1
        self._late = self.loop.call_later(REQUESTS_S, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._in_time()
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._in_time()
        super().handle_websocket_upgrade(event)
        websocket = self.transport.get_protocol()
        assert isinstance(websocket, HubWebsocket)
        websocket.on_lost = self._leave

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()

    def _leave(self) -> None:
        if self._address is not None:
            self._addresses[self._address] -= 1
            if not self._addresses[self._address]:
                del self._addresses[self._address]
            self._address = None


class HubWebsocket(WebSocketsSansIOProtocol):
    """uvicorn's, for clients that break the protocol or do not read."""

    on_lost: Callable[[], object] = staticmethod(bool)
    """Called when the connection is lost."""

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.transport.is_closing():
            # uvicorn waits without end for a head that websockets has refused, such as a long one
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def handle_text(self, event: Frame) -> None:
        self.handle_bytes(event)  # the hub decodes it, and says what is wrong with it

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:  # a client that does not read gets no pong, or they would pile up
            self.conn.data_to_send()

    async def send(self, message: Any) -> None:
        try:
            await super().send(message)
        except RuntimeError:
            if self.close_sent:  # a broken frame of the client has closed it meanwhile
                raise ClientDisconnected from None
            raise

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(CLOSE_S, self.transport.abort)
