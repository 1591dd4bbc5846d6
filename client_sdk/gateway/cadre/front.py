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
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from client_sdk.gateway.cadre.channel import LINGER_S, Wire
from client_sdk.gateway.cadre.client import CadreClient
from client_sdk.gateway.cadre.messages import END, LONGEST, MessageStream
from client_sdk.gateway.seats import SeatSource

AT_ONCE: Final = 512
"""Clients at the same time."""
PER_ADDRESS: Final = 128
"""Of these, clients of one address."""
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
            origins=[None],  # pages are no bots
            max_size=LONGEST,
            ping_interval=None,  # a bot that thinks answers no ping
            close_timeout=LINGER_S,
        )
        for loop in (self._accept, self._websockets.serve_forever):
            threading.Thread(target=loop, name="cadre-front", daemon=True).start()

    def close(self, why: str) -> None:
        """Send all clients away, with the reason."""
        with self._lock:
            self._closing = True
            clients = [*self._clients]
        for client in clients:  # in threads of their own: one may wait for a client to read
            threading.Thread(target=client.close, args=[why], daemon=True).start()
        until = time.monotonic() + 2 * LINGER_S
        while self._clients and time.monotonic() < until:
            time.sleep(0.02)
        for client in clients:
            client.cut()
        self._websockets.shutdown()  # after the last messages: it closes connections

    def _accept(self) -> None:
        self._listener.settimeout(LOOK_S)
        while not self._closing:
            try:
                connection, (address, *_) = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                time.sleep(0.1)  # no descriptor is free, or the client is gone already
                continue
            threading.Thread(
                target=self._tcp, args=(connection, address), name="cadre-client", daemon=True
            ).start()

    def _tcp(self, connection: socket.socket, address: str) -> None:
        with connection:
            self._serve(TcpWire(connection), address)

    def _websocket(self, connection: ServerConnection) -> None:
        self._serve(WebsocketWire(connection), connection.remote_address[0])

    def _serve(self, wire: Wire, address: str) -> None:
        client = CadreClient(wire, self._seats, address)
        with self._lock:
            full = len(self._clients) >= AT_ONCE or self._addresses[address] >= PER_ADDRESS
            if not full and not self._closing:
                self._clients.add(client)
                self._addresses[address] += 1
        if client not in self._clients:
            client.close("too many clients; try again later" if full else "the gateway stops")
            return
        try:
            client.serve()
        finally:
            with self._lock:
                self._clients.discard(client)
                self._addresses[address] -= 1
                self._addresses += Counter()  # forgets addresses without clients


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
