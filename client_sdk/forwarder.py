"""Lets a program in the sandbox talk to its match's server: each connection that it makes to its
own loopback interface is forwarded to the play socket, and nothing but a websocket gets through."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Final
from urllib.parse import urlsplit

AT_ONCE: Final = 4
"""Connections of one program at the same time."""
PAUSE_S: Final = 0.05
"""Between one connection and the next."""
HEAD_BYTES: Final = 16 * 1024
HEAD_S: Final = 10.0
CHUNK: Final = 64 * 1024
SWITCHING: Final = b"101"


class SocketForwarder:
    """`listener`: a socket in the sandbox. `url`: the websocket endpoint. Ends with `close`."""

    def __init__(self, listener: socket.socket, url: str) -> None:
        target = urlsplit(url)
        self._listener = listener
        self._path = target.path.encode()
        self._server = (target.hostname or "", target.port or 80)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._places = threading.Semaphore(AT_ONCE)
        self._closed = False
        threading.Thread(target=self._run, name="forwarder", daemon=True).start()

    def close(self) -> None:
        """End all connections."""
        with self._lock:
            self._closed = True
            ending = [self._listener, *self._open]
        for one in ending:
            _shut(one)

    def _run(self) -> None:
        with self._listener:
            while True:
                self._places.acquire()
                try:
                    program, _ = self._listener.accept()
                except OSError:
                    return
                threading.Thread(
                    target=self._serve, args=(program,), name="forwarded-connection", daemon=True
                ).start()
                time.sleep(PAUSE_S)

    def _serve(self, program: socket.socket) -> None:
        with contextlib.suppress(OSError), program:
            try:
                if self._keep(program):
                    self._forward(program)
            finally:
                self._places.release()
                self._drop(program)

    def _forward(self, program: socket.socket) -> None:
        program.settimeout(HEAD_S)
        head, early = _head(program)
        if head.split(b" ", 2)[:2] != [b"GET", self._path]:
            program.sendall(
                b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            return
        with socket.create_connection(self._server, HEAD_S) as server:
            if not self._keep(server):
                return
            try:
                server.sendall(head)
                answer, more = _head(server)
                program.sendall(answer + more)
                if answer.split(b" ", 2)[1:2] == [SWITCHING]:
                    server.sendall(early)
                    _splice(program, server)
            finally:
                self._drop(server)

    def _keep(self, connection: socket.socket) -> bool:
        """Have it ended with the forwarder. False: that is closed already."""
        with self._lock:
            self._open.add(connection)
            return not self._closed

    def _drop(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)


def _head(connection: socket.socket) -> tuple[bytes, bytes]:
    """The lines up to an empty one, and what came after it. Raises OSError if there are none."""
    found = b""
    while b"\r\n\r\n" not in found:
        chunk = connection.recv(CHUNK)
        if not chunk or len(found) > HEAD_BYTES:
            raise OSError("no head")
        found += chunk
    head, end, rest = found.partition(b"\r\n\r\n")
    return head + end, rest


def _splice(program: socket.socket, server: socket.socket) -> None:
    """Until either closes."""
    for one in (program, server):
        one.settimeout(None)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    back = threading.Thread(
        target=_pump, args=(server, program), name="forwarded-back", daemon=True
    )
    back.start()
    _pump(program, server)
    back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(CHUNK):
            target.sendall(chunk)
    for one in (source, target):
        _shut(one)


def _shut(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
