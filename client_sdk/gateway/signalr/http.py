"""Connections of the hub before they are websockets."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from client_sdk.gateway.connections import keep_alive
from client_sdk.gateway.signalr import app

MAX_CLIENTS: Final = 512
"""Connections at the same time."""
REQUESTS_S: Final = 10.0
"""A connection that is no websocket by then is closed: negotiation is one short request."""


class HubConnection(H11Protocol):
    """uvicorn's, with limits: it counts silent connections, and waits for them without end."""

    def __init__(self, *args: Any, addresses: Counter[str], **options: Any) -> None:
        """`addresses`: the number of these connections, by address."""
        super().__init__(*args, **options)
        self._addresses = addresses
        self._address: str | None = None
        """Where it is counted."""
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        keep_alive(transport.get_extra_info("socket"))
        address = str((transport.get_extra_info("peername") or [""])[0])
        most = app.MAX_OF_ADDRESS
        if self._addresses.total() >= MAX_CLIENTS or self._addresses[address] >= most:
            transport.abort()
            return
        self._address = address
        self._addresses[address] += 1
        self._late = self.loop.call_later(REQUESTS_S, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()  # the application counts websockets
        super().handle_websocket_upgrade(event)

    def _leave(self) -> None:
        if self._late is not None:
            self._late.cancel()
        if self._address is not None:
            self._addresses[self._address] -= 1
            if not self._addresses[self._address]:
                del self._addresses[self._address]
            self._address = None
