"""What the connections of all gateways have in common."""

from __future__ import annotations

import contextlib
import socket
from typing import Final
from urllib.parse import urlsplit

AT_ONCE: Final = 512
"""Connections of a gateway at the same time, from their start."""
PER_ADDRESS: Final = 128
"""Of these, connections of one address."""
FULL: Final = "too many clients; try again later"
BUSY: Final = (
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n"
    f"Content-Length: {len(FULL)}\r\n\r\n{FULL}"
).encode()
"""The answer to one connection too many, where its client expects HTTP."""
KEEP_ALIVE: Final = {
    "TCP_KEEPIDLE": 15,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 30_000,
}
"""Options of a connection, where the system has them: it ends after 30 s without an answer."""


def keep_alive(connection: socket.socket) -> None:
    """Let the system notice a client whose machine or network is gone."""
    with contextlib.suppress(OSError):  # the client has left
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE.items():
            if (option := getattr(socket, name, None)) is not None:
                connection.setsockopt(socket.IPPROTO_TCP, option, value)


def same_host(origin: str | None, host: str | None) -> bool:
    """Whether no page of another host opens a connection: `Origin` and `Host` of its request."""
    try:
        return origin is None or urlsplit(origin).hostname == urlsplit(f"//{host}").hostname
    except ValueError:  # such as "http://["
        return False
