"""The hub under uvicorn, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from functools import partial
from socket import socket
from typing import TYPE_CHECKING, Any, Final

from client_sdk.console import UserError
from client_sdk.gateway.seats import SeatSource
from client_sdk.gateway.signalr.app import HubApp
from client_sdk.gateway.signalr.hub import Hub
from client_sdk.gateway.signalr.protocol import MAX_BYTES
from client_sdk.gateway.signalr.seats import Seats, ServerSeats

if TYPE_CHECKING:
    from uvicorn import Config

CLOSE_S: Final = 5.0
"""How long clients may take to leave."""

BACKLOG: Final = 64
"""Connections that are accepted at once: asyncio does nothing else meanwhile, and when no
descriptor is free it logs an error for each."""


class SignalRGateway:
    """Serves the hub at listening sockets."""

    def __init__(self, listeners: Sequence[socket], seats: Seats) -> None:
        """Raises UserError without the extra `server`."""
        try:
            from uvicorn import Server
        except ImportError:
            raise UserError(
                "the hub needs uvicorn, which is not installed: pip install 'botarena[server]'"
            ) from None
        self._hub = Hub(seats)
        self._server = Server(_configured(self._hub))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._run, args=(list(listeners),), name="hub", daemon=True
        )
        self._thread.start()

    def _run(self, listeners: list[socket]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve(sockets=listeners))

    def close(self, why: str) -> None:
        """All clients get this reason, and the hub stops."""
        self._loop.call_soon_threadsafe(self._stop, why)
        self._thread.join(CLOSE_S)

    def _stop(self, why: str) -> None:
        self._hub.stop(why)
        self._server.should_exit = True


def opened(listeners: Sequence[socket], source: SeatSource) -> SignalRGateway:
    """The hub for bots with seats of this server. Raises UserError."""
    return SignalRGateway(listeners, ServerSeats(source))


def _configured(hub: Hub) -> Config:
    from uvicorn import Config

    from client_sdk.gateway.signalr.http import HubConnection, HubWebsocket

    http: Any = partial(HubConnection, addresses=Counter())
    return Config(
        HubApp(hub),
        http=http,
        ws=HubWebsocket,
        backlog=BACKLOG,
        ws_max_size=MAX_BYTES,
        ws_ping_interval=None,  # the hub protocol has pings of its own
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        log_level="error",  # a client's broken requests fill no log
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
