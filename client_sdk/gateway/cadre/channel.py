"""Both directions of one client's conversation, shared by the thread that reads what the client
says and the one that plays its match."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from client_sdk.gateway.cadre.messages import ClientMessage, written
from games.core.contract import Json

WAITING: Final = 100
"""Messages of an open turn that wait to be answered; then nothing more is read."""
LINGER_S: Final = 2.0
"""A client that has got its last message may take this long to leave."""
OUT_OF_TURN: Final = "not_your_turn: expected a call in runTurn, while the turn is open"


class Wire(Protocol):
    """A connection that carries whole messages."""

    def messages(self) -> Iterator[str | bytes]:
        """What the client says, until it leaves. Raises BadMessage, OSError."""
        ...

    def send(self, text: str) -> None:
        """Send a message. Raises OSError."""
        ...

    def close(self) -> None:
        """End the connection, from any thread, when all is sent."""
        ...

    def cut(self) -> None:
        """End the connection at once, from any thread; `send` fails if it waits. Never waits."""
        ...


class Channel:
    def __init__(self, wire: Wire, max_bad_messages: int) -> None:
        self.max_bad_messages = max_bad_messages
        self.gone = threading.Event()
        """The client has left, or was sent away."""
        self._wire = wire
        self._sending = threading.Lock()
        self.over = False
        """The last message was sent."""
        self.expelled = False
        """The client was sent away."""
        self._changed = threading.Condition()
        self._open = False
        """The client's turn is open: what it says is for the player."""
        self._inbox: deque[ClientMessage] = deque()
        self._bad = 0
        self._on_gone: Callable[[], object] = bool

    # --- to the client

    def send(self, event: str, data: Json = None) -> None:
        """Send a message, unless the last one was sent. A client that does not take it is gone."""
        self._send(event, data, last=False)

    def end(self, event: str, data: Json) -> None:
        """Send the last message."""
        self._send(event, data, last=True)

    def fatal(self, why: str) -> None:
        """Send the client away: it made a mistake, or there is no place for it any more."""
        self.expelled = True
        self.end("fatal", {"message": why})
        self.leave()

    def refuse(self, why: str) -> None:
        """Answer a call that is not carried out."""
        self.send("invalid", {"message": why})
        self.send("ran", False)

    def bad(self, why: str) -> None:
        """Count a message that cannot be understood. Too many send the client away."""
        with self._changed:
            self._bad += 1
            too_many = self._bad >= self.max_bad_messages
        if too_many:
            self.fatal(f"too many messages cannot be understood; the last one: {why}")

    def _send(self, event: str, data: Json, *, last: bool) -> None:
        try:
            with self._sending:
                if self.over:
                    return
                self.over = last
                self._wire.send(written(event, data))
        except OSError:
            self._wire.cut()  # it may have got a part of the message
            self.leave()
        if last:
            closing = threading.Timer(LINGER_S, self._wire.close)
            closing.daemon = True
            closing.start()

    # --- from the client

    def receive(self, message: ClientMessage) -> None:
        """A message that the client has sent after it joined."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._inbox) < WAITING or not self._open)
            if self._open:
                self._inbox.append(message)
                self._changed.notify_all()
                return
        self._out_of_turn(message)

    def next(self, timeout_s: float) -> ClientMessage | None:
        """The next message of the open turn; None: none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._inbox or self.gone.is_set(), timeout_s)
            message = self._inbox.popleft() if self._inbox else None
            self._changed.notify_all()
        return message

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """The client's turn is open meanwhile."""
        with self._changed:
            self._open = True
        try:
            yield
        finally:
            with self._changed:
                self._open = False
                left = [*self._inbox]
                self._inbox.clear()
                self._changed.notify_all()
            for message in left:
                self._out_of_turn(message)

    def _out_of_turn(self, message: ClientMessage) -> None:
        if message.event == "run":
            self.refuse(OUT_OF_TURN)
        elif message.event != "finished":
            self.bad(f"unexpected event {message.event[:40]!r}")

    # --- the end

    def on_gone(self, call: Callable[[], object]) -> None:
        """Call this when the client is gone, at once if it is."""
        self._on_gone = call
        if self.gone.is_set():
            call()

    def leave(self) -> None:
        """The client is gone."""
        with self._changed:
            before = self.gone.is_set()
            self.gone.set()
            self._changed.notify_all()
        if not before:
            self._on_gone()
