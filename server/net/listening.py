"""How this server runs under uvicorn: its listening socket and its protocols."""

from __future__ import annotations

import os
import socket
from functools import partial
from typing import Any

from uvicorn import Config

from server.net.http_connections import FAST, HttpConnection, HttpConnections
from server.net.websocket import Endpoint, WebSocketProtocol
from server.settings import Settings


def listening(host: str, port: int, send_buffer: int) -> socket.socket:
    """A bound socket. Its connections inherit `send_buffer`, the limit on what the kernel holds for
    a client that does not read.

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


def configured(app: Any, http: HttpConnections, endpoint: Endpoint, settings: Settings) -> Config:
    """uvicorn with our protocols."""
    read_http: Any = partial(HttpConnection, among=http)
    read_websocket: Any = partial(WebSocketProtocol, endpoint=endpoint, settings=settings)
    return Config(
        app,
        loop="uvloop" if FAST else "asyncio",
        http=read_http,
        ws=read_websocket,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # proxies.py reads them, and believes the named ones only
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
