"""A gateway as a process: its sockets, and its end."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import FrameType

from client_sdk.console import UserError
from client_sdk.gateway.kinds import GatewayKind
from client_sdk.gateway.seats import SeatSource
from client_sdk.process import arguments_of
from client_sdk.supervised import end_with_supervisor, say_listening

BACKLOG = 128
LOOK_S = 0.1
"""How often the gateway looks whether it shall end."""
ENDS = "the gateway stops"
ENDS_S = 5.0
"""How long a client may take to end."""


def run(
    kind: GatewayKind,
    listeners: Sequence[socket.socket],
    seats: SeatSource,
    command: str | None = None,
) -> int:
    """Serve clients until a signal comes; closes the sockets. `command`: a client to start, with
    which the gateway ends. Returns its exit status, or 0.

    Raises UserError."""
    ended = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ended
        ended = True  # no lock: the handler may interrupt its holder

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with ExitStack() as until_the_end:
            for one in listeners:
                until_the_end.enter_context(one)
            gateway = kind.open(listeners, seats)
            say_listening(", ".join(map(_address, listeners)))
            try:
                client = None if command is None else _started(kind, listeners[0], command)
                while not ended and (client is None or client.poll() is None):
                    time.sleep(LOOK_S)
            finally:
                gateway.close(ENDS)
            return 0 if client is None else _status(client)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _started(kind: GatewayKind, listener: socket.socket, command: str) -> subprocess.Popen[bytes]:
    """The client. Raises UserError."""
    host, port = listener.getsockname()[:2]

    def filled(variables: Mapping[str, str]) -> dict[str, str]:
        facts = {"host": host, "port": port, "guid": uuid.uuid4()}
        return {name: value.format_map(facts) for name, value in variables.items()}

    # A seat, a key or the gateway's secret is not for the client.
    ours = {name: value for name, value in os.environ.items() if not name.startswith("BOTARENA_")}
    environment = filled(kind.defaults) | ours | filled(kind.variables)
    try:
        return subprocess.Popen(arguments_of(command), env=environment)  # noqa: S603
    except (OSError, ValueError) as fault:
        raise UserError(f"--run: {command}: {fault}") from None


def _status(client: subprocess.Popen[bytes]) -> int:
    """Of a client that has ended by itself; 0 if it ends now."""
    status = client.poll()
    if status is not None:
        return status if status >= 0 else 128 - status
    client.terminate()
    try:
        client.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        client.kill()
    return 0


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
    ends with its supervisor, and logs into the supervisor's log, where each match is noted
    already."""
    end_with_supervisor()
    logging.getLogger("botarena").setLevel(logging.WARNING)
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
