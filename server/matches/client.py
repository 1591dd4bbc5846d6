"""One connection that has said hello, and the outbox that keeps what it cannot take yet.

Nothing here waits. A frame goes to the transport at once; when a client reads too slowly, replies queue up in order, within a
bound, and of the views only the newest is kept.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from client_sdk.wire.codes import DONE, SLOW_CONSUMER, TOO_FAST, Close
from client_sdk.wire.messages import ClientHello, Error, Ping
from server.transport import Connection, framed

Show = Callable[[int], bytes]
"""Makes the frame of a view at the moment it is handed over; takes the number of views left out before it."""

UNSEEN = 5
AHEAD = 2
"""A client that tells what it has seen gets as many views ahead as it told of at once the last time, AHEAD to UNSEEN. A view that
waits is replaced by the next, so whoever takes up to UNSEEN ticks for a view never looks at one that is older than that."""
UNHEARD = 10
"""After so many ticks without one it gets a view all the same: perhaps it tells of several at once."""
HELD_S = 1.0
"""Who sends too much is not read for so long before it is told so: it would be back at once, and send as much again."""
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
        self._waited_for = False
        self._asked = False
        """It holds a view that it has not answered yet."""
        self._tells = False
        """It tells what it has seen."""
        self._unseen: deque[int] = deque(maxlen=UNSEEN)
        """The turns of the newest views of which it has told nothing."""
        self._ahead = AHEAD
        self._pings = 0
        self._goodbye: Close | None = None
        self._held = False
        """The goodbye waits."""
        connection.drained = self._flush
        if seat is not None:
            connection.measure()

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

    def show(self, turn: int, show: Show, *, waited_for: bool = False) -> None:
        """A view: if this client does not keep up, a newer one takes its place. Where the turn is `waited_for` nothing keeps it
        back."""
        if self._goodbye is not None:
            return
        if self._latest is not None:
            self._skipped += 1
            self.skipped += 1
        self._latest = show
        self._shown = turn
        self._waited_for = waited_for
        self._flush_view()

    def show_no_more(self) -> None:
        """Without the view that waits."""
        self._latest = None

    def acknowledge(self, frame: bytes) -> None:
        """A reply to a seat of which nothing more is awaited in this turn: it may leave with the next view."""
        if self._goodbye is None and not self._queue and not self.connection.congested:
            self.connection.write_with_the_next(frame)
        else:
            self.send(frame)

    def send_last(self, frame: bytes) -> None:
        """A reply after which no view comes any more: the newest one goes before it."""
        self._tells = False
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
        """The client is done with the view of this turn."""
        self._tells = True
        told = 0
        while self._unseen and self._unseen[0] <= turn:
            self._unseen.popleft()
            told += 1
        if told:
            self._ahead = max(AHEAD, told)
        self._flush_view()

    def ping(self) -> None:
        self._pings += 1
        if not self._queue and not self.connection.congested:
            self.send(framed(Ping(self._pings)))

    def refuse(self, close: Close, text: str | None = None) -> None:
        """Tell why, then close."""
        if close is TOO_FAST and self._goodbye is None:
            self._goodbye, self._held = close, True
            self.connection.hold(HELD_S, lambda: self._part(close, text))
            return
        self.send(_refusal(close, text))
        self.leave(close)

    def _part(self, close: Close, text: str | None) -> None:
        self._held = False
        self._wait(_refusal(close, text))
        asyncio.get_running_loop().call_later(PATIENCE_S, self.connection.drop)
        self._flush()

    def leave(self, close: Close = DONE) -> None:
        """Close when everything has been handed over."""
        if self._goodbye is not None:
            return
        self._goodbye = close
        asyncio.get_running_loop().call_later(PATIENCE_S, self.connection.drop)
        self._flush()

    @property
    def waiting(self) -> int:
        """Frames in the outbox."""
        return len(self._queue) + (self._latest is not None)

    @property
    def goodbye(self) -> Close | None:
        """What we said, or are about to."""
        return self._goodbye

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
        if self._held:
            return
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
        if self._tells and not self._waited_for and self._runs_behind():
            return
        self.connection.write(self._latest(self._skipped))
        self._unseen.append(self._shown)
        self._asked = True
        self._latest = None
        self._skipped = 0

    def _runs_behind(self) -> bool:
        return len(self._unseen) >= self._ahead and self._shown - self._unseen[-1] < UNHEARD


def _refusal(close: Close, text: str | None = None) -> bytes:
    return framed(Error(close.code, text or close.text, close.retry))
