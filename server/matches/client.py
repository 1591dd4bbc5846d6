"""One connection that has said hello, and the outbox that keeps what it cannot take yet.

Nothing here waits. A frame goes to the transport at once; when a client reads too slowly, replies queue up in order, within a
bound, and of the views only the newest is kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from client_sdk.wire.codes import DONE, SLOW_CONSUMER, Close
from client_sdk.wire.messages import ClientHello, Error, Ping
from server.transport import Connection, framed

Show = Callable[[int], bytes]
"""Makes the frame of a view at the moment it is handed over; takes the number of views left out before it."""

UNSEEN = 5
"""A client that tells what it has seen gets no further views while so many are on their way to it."""
PATIENCE_S = 5.0
"""A client that does not read its last frames is dropped after that."""


class Client:
    """A seat's or a viewer's connection. `frames` and `size` (bytes) bound what waits for it."""

    def __init__(
        self,
        connection: Connection,
        hello: ClientHello,
        seat: int | None,
        *,
        once: tuple[str, ...] = (),
        frames: int,
        size: int,
    ) -> None:
        self.connection = connection
        self.seat = seat
        """None: a viewer."""
        self.changes = hello.changes
        self.deltas = hello.deltas and seat is None
        self.steps = hello.steps
        self.once = () if self.deltas else tuple(sorted({*hello.once, *once}))
        """The fields of the view that come in the start message only: the client's wish and the game's."""
        self.holds = -1
        """Viewers: the seq of the view they got last."""
        self._frames = frames
        self._size = size
        self._queue: deque[bytes] = deque()
        self._queued = 0
        self._latest: Show | None = None
        self._skipped = 0
        self.skipped = 0
        """Views left out so far because newer ones had come."""
        self._shown = 0
        self._asked = False
        """It holds a view that it has not answered yet."""
        self._seen: int | None = None
        self._pings = 0
        self._goodbye: Close | None = None
        connection.drained = self._flush

    def send(self, frame: bytes) -> None:
        """A reply: everything of this kind arrives, in order."""
        if self._goodbye is not None:
            return
        if not self._queue and not self.connection.congested:
            self.connection.write(frame)
            return
        self._wait(frame)
        if len(self._queue) > self._frames or self._queued > self._size:
            self._queue.clear()
            self._queued = 0
            self._latest = None
            self._wait(_refusal(SLOW_CONSUMER))
            self.leave(SLOW_CONSUMER)

    def show(self, turn: int, show: Show) -> None:
        """A view: if this client does not keep up, a newer one takes its place."""
        if self._goodbye is not None:
            return
        if self._latest is not None:
            self._skipped += 1
            self.skipped += 1
        self._latest = show
        self._shown = turn
        self._flush_view()

    def acknowledge(self, frame: bytes) -> None:
        """A reply to a seat of which nothing more is awaited in this turn: it may leave with the next view."""
        if self._goodbye is None and not self._queue and not self.connection.congested:
            self.connection.write_with_the_next(frame)
        else:
            self.send(frame)

    def send_last(self, frame: bytes) -> None:
        """A reply after which no view comes any more: the newest one goes before it."""
        self._seen = None
        self._flush_view()
        if self._latest is not None and self._goodbye is None:
            self._wait(self._latest(self._skipped))
            self._latest = None
        self.send(frame)

    def takes_an_answer(self) -> bool:
        """Whether a view was handed over since the last frame that answered one: such a frame is never one too many."""
        asked, self._asked = self._asked, False
        return asked

    def saw(self, turn: int) -> None:
        """The client has looked at the view of this turn."""
        self._seen = turn if self._seen is None else max(turn, self._seen)
        self._flush_view()

    def ping(self) -> None:
        self._pings += 1
        if not self._queue and not self.connection.congested:
            self.send(framed(Ping(self._pings)))

    def refuse(self, close: Close, text: str | None = None) -> None:
        """Tell why, then close."""
        self.send(_refusal(close, text))
        self.leave(close)

    def leave(self, close: Close = DONE) -> None:
        """Close when everything has been handed over."""
        if self._goodbye is not None:
            return
        self._goodbye = close
        asyncio.get_running_loop().call_later(PATIENCE_S, self.connection.drop)
        self._flush()

    @property
    def dismissed(self) -> bool:
        """We have said goodbye: that it is gone is no absence."""
        return self._goodbye is not None

    @property
    def gone(self) -> bool:
        return self._goodbye is not None or self.connection.closed

    def _wait(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._queued += len(frame)

    def _flush(self) -> None:
        """The transport takes bytes again."""
        while self._queue and not self.connection.congested:
            frame = self._queue.popleft()
            self._queued -= len(frame)
            self.connection.write(frame)
        if self._queue:
            return
        if self._goodbye is not None:
            self.connection.close(self._goodbye)
        else:
            self._flush_view()

    def _flush_view(self) -> None:
        if self._latest is None or self._queue or self.connection.congested:
            return
        if self._seen is not None and self._shown - self._seen > UNSEEN:
            return
        self.connection.write(self._latest(self._skipped))
        self._asked = True
        self._latest = None
        self._skipped = 0


def _refusal(close: Close, text: str | None = None) -> bytes:
    return framed(Error(close.code, text or close.text, close.retry))
