"""The two ports of the Cadre gateway: TCP, and websockets. A thread per client reads what it
says."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import struct
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from websockets.datastructures import MultipleValuesError
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from client_sdk.gateway.cadre.channel import LINGER_S, Wire
from client_sdk.gateway.cadre.client import CadreClient
from client_sdk.gateway.cadre.messages import END, LONGEST, MessageStream, written
from client_sdk.gateway.connections import (
    AT_ONCE,
    BUSY,
    FULL,
    PER_ADDRESS,
    keep_alive,
    same_host,
)
from client_sdk.gateway.seats import SeatSource

SocketAddress: TypeAlias = tuple[Any, ...]
"""As `accept` returns it, the host first."""

REFUSED, REFUSED_S = 32, 0.5
"""The most refused connections that wait for their answer, and for how long, in seconds."""
CHUNK: Final = 64 * 1024
LOOK_S: Final = 0.5
"""A gateway that waits for a client looks this often whether it shall end."""
SEND_S: Final = 30.0
"""A client may leave a message unread for this long."""
SEND_TIMEOUT: Final = struct.pack("ll", int(SEND_S), 0) if os.name == "posix" else None
"""The same as an option of a socket: a Python timeout would also end a websocket that is silent."""
QUICKACK: Final[int | None] = getattr(socket, "TCP_QUICKACK", None)
"""Linux only: acknowledge at once. A client without TCP_NODELAY waits for that in the middle of
each of its messages."""

log = logging.getLogger("botarena")


class CadreGateway:
    """Serves clients at two listening sockets: TCP, websocket."""

    def __init__(self, listeners: Sequence[socket.socket], seats: SeatSource) -> None:
        self._listener, websocket = listeners
        self._seats = seats
        self._lock = threading.Lock()
        self._clients: set[CadreClient] = set()
        self._addresses: Counter[str] = Counter()
        self._closing = False
        self._websockets: Server = serve(
            self._websocket,
            sock=websocket,
            compression=None,
            process_request=_refuse_other_pages,
            max_size=LONGEST,
            ping_interval=None,  # a bot that thinks answers no ping
            close_timeout=LINGER_S,
        )
        fatal = written("fatal", {"message": FULL}).encode() + END
        self._loops = [
            threading.Thread(target=self._accept, args=port, name="cadre-front", daemon=True)
            for port in ((self._listener, self._tcp, fatal), (websocket, self._handshake, BUSY))
        ]
        for loop in self._loops:
            loop.start()

    def close(self, why: str) -> None:
        """Send all clients away, with the reason."""
        with self._lock:
            if self._closing:
                return
            self._closing = True
            clients = [*self._clients]
        for client in clients:  # in threads of their own: one may wait for a client to read
            threading.Thread(target=client.close, args=[why], daemon=True).start()
        until = time.monotonic() + 2 * LINGER_S
        while self._clients and time.monotonic() < until:
            time.sleep(0.02)
        for client in clients:
            client.cut()
        for loop in self._loops:
            loop.join(2 * LOOK_S)
        self._websockets.socket.close()
        self._websockets.serve_forever()  # returns at once: we accept its connections
        self._websockets.shutdown()

    def _accept(
        self,
        listener: socket.socket,
        serve: Callable[[socket.socket, SocketAddress], None],
        refusal: bytes,
    ) -> None:
        """A thread for each connection. One too many gets this refusal a moment later: a client
        may fail if the answer comes before it asks."""
        listener.settimeout(LOOK_S)
        refused: deque[tuple[float, socket.socket]] = deque()
        while not self._closing:
            while refused and (refused[0][0] < time.monotonic() or len(refused) > REFUSED):
                refuse(refused.popleft()[1], refusal)
            try:
                connection, where = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                time.sleep(0.1)  # no descriptor is free, or the client is gone already
                continue
            if not self._start(serve, connection, where):
                refused.append((time.monotonic() + REFUSED_S, connection))
        for _, connection in refused:
            refuse(connection, refusal)

    def _start(
        self,
        serve: Callable[[socket.socket, SocketAddress], None],
        connection: socket.socket,
        where: SocketAddress,
    ) -> bool:
        """Serve a connection in a thread, unless there are too many."""
        address = where[0]

        def run() -> None:
            try:
                keep_alive(connection)
                serve(connection, where)
            finally:
                self._count(address, -1)

        if self._addresses.total() >= AT_ONCE or self._addresses[address] >= PER_ADDRESS:
            return False
        self._count(address, 1)
        try:
            threading.Thread(target=run, name="cadre-client", daemon=True).start()
        except RuntimeError:  # the system has no thread for it
            self._count(address, -1)
            return False
        return True

    def _count(self, address: str, more: int) -> None:
        with self._lock:
            self._addresses[address] += more
            self._addresses += Counter()  # forgets addresses without connections

    def _tcp(self, connection: socket.socket, where: SocketAddress) -> None:
        with connection:
            self._serve(TcpWire(connection), where[0])

    def _handshake(self, connection: socket.socket, where: SocketAddress) -> None:
        self._websockets.handler(connection, where)

    def _websocket(self, connection: ServerConnection) -> None:
        self._serve(WebsocketWire(connection), connection.remote_address[0])

    def _serve(self, wire: Wire, address: str) -> None:
        client = CadreClient(wire, self._seats, address)
        with self._lock:
            if not self._closing:
                self._clients.add(client)
        if client not in self._clients:
            client.close("the gateway stops")
            return
        try:
            client.serve()
        finally:
            with self._lock:
                self._clients.discard(client)


def _refuse_other_pages(connection: ServerConnection, request: Request) -> Response | None:
    """Pages of other hosts are no bots."""
    try:
        own = same_host(request.headers.get("Origin"), request.headers.get("Host"))
    except MultipleValuesError as name:
        return connection.respond(HTTPStatus.BAD_REQUEST, f"expected one header {name}\n")
    if own:
        return None
    return connection.respond(HTTPStatus.FORBIDDEN, "a page of another host may not connect\n")


def refuse(connection: socket.socket, refusal: bytes) -> None:
    with contextlib.suppress(OSError), connection:
        connection.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            connection.recv(CHUNK)  # to close with bytes unread would discard the refusal
        connection.send(refusal)


class TcpWire:
    """Messages that end with byte 4."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(SEND_S)

    def messages(self) -> Iterator[bytes]:
        frames = MessageStream()
        self._acknowledge()
        while True:
            try:
                chunk = self._connection.recv(CHUNK)
            except TimeoutError:
                continue  # the timeout is that of `send`
            if not chunk:
                return
            self._acknowledge()
            yield from frames.feed(chunk)

    def send(self, text: str) -> None:
        self._connection.sendall(text.encode() + END)

    def close(self) -> None:
        _cut(self._connection)

    cut = close

    def _acknowledge(self) -> None:
        """The option holds until the next packets only."""
        if QUICKACK is not None:
            self._connection.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)


class WebsocketWire:
    """A message in each text frame."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        if SEND_TIMEOUT is not None:
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, SEND_TIMEOUT)

    def messages(self) -> Iterator[str | bytes]:
        with contextlib.suppress(ConnectionClosed):
            yield from self._connection

    def send(self, text: str) -> None:
        try:
            self._connection.send(text)
        except ConnectionClosed as fault:
            raise ConnectionError(str(fault)) from None

    def close(self) -> None:
        self._connection.close()

    def cut(self) -> None:
        _cut(self._connection.socket)


def _cut(connection: socket.socket) -> None:
    """A thread that sends or reads fails, and frees the socket."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
