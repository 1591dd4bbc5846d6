"""A gateway as a process: its sockets, and its end."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from types import FrameType

from client_sdk.console import UserError
from client_sdk.gateway.kinds import GatewayKind
from client_sdk.gateway.seats import SeatSource
from client_sdk.supervised import end_with_supervisor, say_listening

BACKLOG = 128
LOOK_S = 1.0
"""On Windows a wait without end does not hear Ctrl-C."""
ENDS = "the gateway stops"


def run(kind: GatewayKind, listeners: Sequence[socket.socket], seats: SeatSource) -> None:
    """Serve clients until a signal comes; closes the sockets."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with ExitStack() as until_the_end:
            for one in listeners:
                until_the_end.enter_context(one)
            gateway = kind.open(listeners, seats)
            say_listening(", ".join(map(_address, listeners)))
            while not ended.wait(LOOK_S):
                pass
            gateway.close(ENDS)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listeners_at(kind: GatewayKind, where: str | None) -> list[socket.socket]:
    """Listening sockets for all ports of the protocol. `where`: `HOST:PORT`, `HOST` or `:PORT` of
    the first; port 0: free ones.

    Raises UserError."""
    host, port = _place(where, kind.ports[0])
    ports = [port + own - kind.ports[0] if port else 0 for own in kind.ports]
    with ExitStack() as on_failure:
        try:
            found = [on_failure.enter_context(_listening(host, one)) for one in ports]
        except (OSError, OverflowError) as fault:
            where = f"{host}, ports {' and '.join(map(str, ports))}"
            raise UserError(f"--listen: {where}: {fault}; try another address or port") from None
        on_failure.pop_all()
        return found


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def inherited(descriptors: str) -> list[socket.socket]:
    """The listening sockets that a supervisor hands down, by their descriptors. This process then
    ends with its supervisor."""
    end_with_supervisor()
    return [socket.socket(fileno=int(one)) for one in descriptors.split(",")]


def _place(where: str | None, port: int) -> tuple[str, int]:
    host, colon, given = (where or "").rpartition(":")
    if not colon or given.endswith("]"):
        host, given = where or "", ""
    if given and not given.isdecimal():
        raise UserError(f"--listen: expected HOST:PORT such as 127.0.0.2:{port}, got {where!r}")
    return host.strip("[]") or "127.0.0.1", int(given or port)


def _address(listener: socket.socket) -> str:
    host, port, *_ = listener.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
