"""The socket under a conversation, in a thread of its own: a bot may think as long as it likes, the
connection lives on.

The thread reads, watches the server's heartbeat and comes back after a drop; the player takes
messages from a queue and sends from its own thread. The only client of `websockets`."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from socket import SHUT_RDWR
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidURI, WebSocketException
from websockets.sync.client import ClientConnection, connect

from client_sdk.address import is_loopback
from client_sdk.conversation import Conversation, Happening, Misspoken
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.retry import Delay, jittered
from client_sdk.running import RunningTime
from client_sdk.wire.codes import CLOSES, DONE
from client_sdk.wire.messages import End, Error, Results, ServerHello, View
from games.core.contract import Json

MAX_VIEW = 16 * 1024 * 1024
"""Bytes of the largest frame that is taken from a server: views of large boards are large."""
PATIENCE_S = 60.0
"""How long an address is tried at which no server was met."""
SILENCE_S = 600.0
"""How long a server is tried that was met, or that says nothing: its process may be paused."""
GAP_MS = 30_000
"""No attempt takes as long: then this process was paused, and its patience does not count that."""
OPEN_S = 10.0
"""How long one attempt to connect may take, from the first packet to the end of the handshake."""
CLOSE_S = 2.0
"""How long the other side may take over the closing handshake."""
TOO_MANY = 429
"""The HTTP status of a server that accepts no more connections from here for now."""
NO_UPGRADE = 426
"""The HTTP status of a server that was not asked for a websocket."""

log = logging.getLogger("botarena")


class Connection:
    """A conversation over a socket. Use it as a context manager; take messages with `next`, send
    with the verbs.

    A socket, its threads and their state belong together, hence the number of attributes.
    """

    def __init__(
        self,
        url: str,
        conversation: Conversation,
        *,
        patience_s: float = PATIENCE_S,
        silence_s: float = SILENCE_S,
        delay: Delay | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`url` is a websocket endpoint (`client_sdk.address.socket_url`). `patience_s`,
        `silence_s`: how long to try again where no server was met, and one that was met or says
        nothing. `delay`: how long to wait before an attempt. `headers`: of the handshake.

        Raises ValueError for what is no address.
        """
        self.conversation = conversation
        self._url = url
        self._options: Mapping[str, Any] = {
            "proxy": None if is_loopback(url) else True,
            "additional_headers": headers,
        }
        self._patience_s = patience_s
        self._silence_s = silence_s
        self._met = False
        """A server was there: it greeted us, or something took the connection or the packets and
        did not answer."""
        self._delay = jittered() if delay is None else delay
        self._lock = threading.Lock()
        """Guards the conversation: both threads speak through it."""
        self._socket: ClientConnection | None = None
        self._messages: queue.SimpleQueue[Happening | Exception] = queue.SimpleQueue()
        self._aside: deque[Happening | Exception] = deque()
        """Taken from the queue while another message was looked for, and next to be returned."""
        self._newest: View | None = None
        self._left = threading.Event()
        self._answered = False
        """The present connection got as far as the server's hello."""
        self._done = False
        """A connection was closed for the end of the match, which had not come."""
        self._thread = threading.Thread(target=self._run, name="botarena-socket", daemon=True)

    def __enter__(self) -> Connection:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave. The seat stays taken; a client with its token may come back."""
        self._left.set()
        socket = self._socket
        if socket is not None:
            socket.close()
        self._thread.join(timeout=5.0)

    def next(self, timeout: float | None = None) -> Happening | None:
        """The next message; None after `timeout` seconds without one.

        Raises ServerRefused when the server has no place for us (any more), ConnectionLost when it
        cannot be reached."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._aside:
                return self._unwrap(self._aside.popleft())
            # Short waits, because on Windows a wait without end does not hear Ctrl-C.
            wait = 1.0 if until is None else min(1.0, max(0.0, until - time.monotonic()))
            try:
                message = self._messages.get(timeout=wait)
            except queue.Empty:
                if until is not None and time.monotonic() >= until:
                    return None
                continue
            return self._unwrap(message)

    def _unwrap(self, message: Happening | Exception) -> Happening:
        if isinstance(message, Exception):
            self._messages.put(message)  # the next call raises it again
            raise message
        return message

    def results(self) -> list[Results]:
        """The results that are there already, taken out of their turn: `next` goes on with what
        else has come."""
        found: list[Results] = []
        while True:
            try:
                message = self._messages.get_nowait()
            except queue.Empty:
                return found
            if isinstance(message, Results):
                found.append(message)
            else:
                self._aside.append(message)

    def fresh_view(self) -> View | None:
        """Request the whole view of the open turn and wait for it. None: the turn is over.

        Results that come before it are dropped."""
        turn = self.conversation.turn
        self._send(self.conversation.resync)
        while turn is not None and self._open(turn):
            try:
                message = self._messages.get(timeout=1.0)
            except queue.Empty:
                continue
            if isinstance(message, View) and message is self.conversation.fresh_view:
                return message
            if not isinstance(message, Results):
                self._aside.append(message)
            if isinstance(message, Exception):
                break
        return None

    def overtaken(self, view: View) -> bool:
        """Whether a newer view has come than this one."""
        return self._newest is not None and self._newest.seq > view.seq

    @property
    def over(self) -> bool:
        """Nothing more comes than what is there: the server has no place for us (any more), or
        cannot be reached."""
        return not self._thread.is_alive()

    def _open(self, turn: int) -> bool:
        with self._lock:
            return self.conversation.turn == turn

    def ready(self) -> None:
        """Preprocessing is done."""
        self._send(self.conversation.ready)

    def commands(self, turn: int | None, commands: Iterable[Json]) -> bool:
        """Answer a turn. False: it is over. Raises ValueError for what no frame can hold."""
        return self._send(lambda: self.conversation.commands(turn, commands))

    def provisional(self, turn: int, commands: Iterable[Json]) -> bool:
        """The answer so far. False: this turn is not open any more. Raises ValueError for what no
        frame can hold."""
        return self._send(lambda: self.conversation.provisional(turn, commands))

    def info(self, data: Json) -> None:
        """Show viewers something. Raises ValueError for what no frame can hold."""
        self._send(lambda: self.conversation.info(data))

    def _send(self, make: Callable[[], str | None]) -> bool:
        with self._lock:
            frame = make()
            socket = self._socket
        if frame is None:
            return False
        if frame and socket is not None:
            try:
                socket.send(frame)
            except (ConnectionClosed, OSError):
                log.debug(
                    "a frame met a dead connection"
                )  # an answer is sent again once we are back
        return True

    # --- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._stay()
            self._messages.put(ConnectionLost("the connection is closed"))
        except Exception as last:  # noqa: BLE001  any exception must reach the caller of `next`
            self._messages.put(last)

    def _stay(self) -> None:
        """Connect, repeatedly where that can help. Raises ServerRefused, ConnectionLost."""
        running = RunningTime(gap_ms=GAP_MS)
        lost = running.now()
        attempts = 0
        while not self._left.is_set():
            running.beat()
            self._answered = False
            try:
                why = self._connected()
                if self.conversation.ended:
                    return
            except ServerRefused as fault:
                if not fault.retry:
                    raise
                why = str(fault)
            if self._left.is_set():
                return
            if self._answered:
                log.warning("connection lost (%s); coming back", why)
                lost, attempts = running.now(), 0
            elif not attempts:
                log.warning("no connection to %s yet (%s); trying again", self._url, why)
            gone = (running.now() - lost) / 1e9
            if gone > (self._silence_s if self._met else self._patience_s):
                raise ConnectionLost(f"{self._url} cannot be reached: {why}")
            self._left.wait(self._delay(attempts, gone, self.conversation.grace_s))
            attempts += 1

    def _connected(self) -> str:
        """One connection; returns why it ended or could not be made. Raises ServerRefused."""
        try:
            with connect(
                self._url,
                compression=None,
                **self._options,
                max_size=MAX_VIEW,
                max_queue=None,
                ping_interval=None,
                open_timeout=OPEN_S,
                close_timeout=CLOSE_S,
            ) as socket:
                return self._talk(socket)
        except InvalidStatus as fault:
            status = fault.response.status_code
            if status >= 500 or status == TOO_MANY:
                return f"HTTP status {status}"
            doubt = "is this a Botarena server"
            if status == NO_UPGRADE:
                doubt = "does a proxy in between pass websockets on"
            text = f"{self._url} answers with HTTP status {status}: {doubt}?"
            raise ServerRefused("no_endpoint", text) from None
        except InvalidURI as fault:
            raise ServerRefused("no_endpoint", str(fault)) from None
        except (OSError, WebSocketException) as fault:
            self._met = self._met or isinstance(fault, TimeoutError)
            return str(fault) or type(fault).__name__
        except AssertionError:
            # A full server refuses before it reads the request; websockets asserts that none does.
            return "it was refused before it was asked"
        finally:
            self._socket = None

    def _talk(self, socket: ClientConnection) -> str:
        """One connection from hello to close; returns why it ended. Raises ServerRefused where the
        server said why."""
        with self._lock:
            hello = self.conversation.hello()
        socket.send(hello)
        self._socket = socket
        last: Error | None = None
        while not self._left.is_set():
            try:
                frame = socket.recv(timeout=self.conversation.look_s)
            except TimeoutError:
                if self.conversation.silent():
                    _drop(socket)
                    self._met = True
                    return "nothing was heard from the server"
                continue
            except ConnectionClosed as closed:
                return self._closed(closed, last)
            with self._lock:
                try:
                    message = self.conversation.receive(frame, time.monotonic())
                except Misspoken as fault:
                    log.warning("%s", fault)
                    continue
                with contextlib.suppress(
                    ConnectionClosed
                ):  # what came before the close is still to be read
                    for answer in (
                        self.conversation.outbox()
                    ):  # under the lock, for nothing newer may go before it
                        socket.send(answer)
            last = message if isinstance(message, Error) else None
            if isinstance(message, ServerHello):
                self._answered = self._met = True
            if isinstance(message, View):
                self._newest = message
            if message is not None:
                self._messages.put(message)
            if isinstance(message, End):
                return "the match is over"
        return "left"

    def _closed(self, closed: ConnectionClosed, last: Error | None) -> str:
        """Why the socket is closed. Raises ServerRefused if the server said so: with its last word,
        or the status's own."""
        if closed.rcvd is None:
            return "the connection broke"
        close = CLOSES.get(closed.rcvd.code)
        if close is DONE:
            # websockets drops what came with a close that it cannot answer any more; the server
            # tells the end again.
            self.conversation.ended, self._done = self._done, True
            return close.text
        if last is not None and (close is None or last.code == close.code):
            self._url = last.url or self._url
            raise ServerRefused(last.code, last.text, last.retry)
        if close is not None:
            raise ServerRefused(close.code, closed.rcvd.reason or close.text, close.retry)
        return f"closed with {closed.rcvd.code} {closed.rcvd.reason}".rstrip()


def _drop(socket: ClientConnection) -> None:
    """End a connection without waiting for the other side, which does not answer."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(SHUT_RDWR)
