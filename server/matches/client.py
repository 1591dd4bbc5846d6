"""One client of a match: a seat or a viewer that has said hello.

Replies arrive in order. A client that reads too slowly, or reports that it is behind, gets only the
newest of the views that wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from client_sdk.wire.codes import TOO_FAST, Close
from client_sdk.wire.messages import ClientHello, Ping
from server.net.transport import ServerConnection, framed

MakeFrame = Callable[[int], bytes]
"""Makes the frame of a view at its hand-over, from the number of views left out before it."""

UNSEEN = 5
AHEAD = 2
"""A client that acknowledges views may have AHEAD to UNSEEN unacknowledged ones under way: as many
as it acknowledged at once the last time. A view that waits is replaced by the next, so a client
that takes up to UNSEEN ticks for a view never looks at an older one."""
UNHEARD = 10
"""After this many ticks without a view a client gets one: it may acknowledge several at once."""
HELD_S = 1.0
"""How long nothing is read from a flooding client before it is refused and can reconnect."""


class Client:
    """A connection that has said hello: what it wants to be sent, and how far it has read.

    Each option of the hello and each count is an attribute, hence their number.
    """

    def __init__(
        self,
        connection: ServerConnection,
        hello: ClientHello,
        seat: int | None,
        once: Sequence[str],
    ) -> None:
        """`once`: the fields of the view that the game sends in the start message only."""
        self.connection = connection
        self.seat = seat
        """None: a viewer."""
        self.changes = hello.changes
        self.deltas = hello.deltas and seat is None
        self.steps = hello.steps
        self.once = () if self.deltas else tuple(sorted({*hello.once, *once}))
        """The fields of the view that come in the start message only, by client or game."""
        self.holds = -1
        """Viewers: the seq of the view they got last."""
        self.skipped = 0
        """Views left out so far because newer ones had come."""
        self._latest: MakeFrame | None = None
        self._skipped = 0
        self._shown = 0
        self._waited_for = False
        self._asked = False
        """It holds a view that it has not answered yet."""
        self._tells = False
        """It acknowledges views."""
        self._unseen: deque[int] = deque(maxlen=UNSEEN)
        """The turns of the newest unacknowledged views."""
        self._ahead = AHEAD
        self._pings = 0
        self._kept: list[bytes] = []
        """Replies that wait for the next view."""

    def send(self, frame: bytes) -> None:
        """A reply: everything of this kind arrives, in order."""
        if self._kept:
            self.release()
        self.connection.send(frame)

    def acknowledge(self, frame: bytes) -> None:
        """A reply that no one acts on: it may leave with the next view. It is kept until `release`,
        or until another reply is sent."""
        self._kept.append(frame)

    def release(self) -> None:
        """Send what is kept. The caller sees to it that `flush` is called."""
        for frame in self._kept:
            self.connection.send(frame, flushed=True)
        self._kept.clear()

    def show(
        self, turn: int, show: MakeFrame, *, waited_for: bool = False, flushed: bool = False
    ) -> None:
        """A view: if this client does not keep up, a newer one takes its place. Where the turn is
        `waited_for` nothing keeps it back. `flushed`: the caller calls `flush` at once."""
        if not self.connection.open:
            return
        if self._latest is not None:
            self._skipped += 1
            self.skipped += 1
        self._latest = show
        self._shown = turn
        self._waited_for = waited_for
        self.show_latest(flushed=flushed)

    def show_no_more(self) -> None:
        """Without the view that waits."""
        self._latest = None

    def show_latest(self, *, flushed: bool = False) -> None:
        """Send the view that waits, if there is one and the client may have it now."""
        if self._latest is None or not self.connection.writable:
            return
        if self._tells and not self._waited_for and self._runs_behind():
            return
        self.connection.send(self._latest(self._skipped), flushed=flushed)
        self._unseen.append(self._shown)
        self._asked = True
        self._latest = None
        self._skipped = 0

    def send_last(self, frame: bytes) -> None:
        """A reply after which no view comes any more: the newest one goes before it."""
        self._tells = False
        self.show_latest()
        if self._latest is not None:
            self.connection.send(self._latest(self._skipped))
            self._latest = None
        self.send(frame)

    def takes_an_answer(self) -> bool:
        """Whether a view was handed over since the last frame that answered one: such a frame is
        never one too many."""
        asked, self._asked = self._asked, False
        return asked

    def saw(self, turn: int) -> None:
        """The client is done with the view of this turn."""
        self._tells = True
        acknowledged = 0
        while self._unseen and self._unseen[0] <= turn:
            self._unseen.popleft()
            acknowledged += 1
        if acknowledged:
            self._ahead = max(AHEAD, acknowledged)
        self.show_latest()

    def ping(self) -> None:
        """A counted heartbeat, unless others wait already."""
        self._pings += 1
        if self.connection.writable:
            self.connection.send(framed(Ping(self._pings)))

    def flush(self) -> None:
        """Write what was sent now, not at the end of this iteration of the event loop."""
        self.connection.outbox.flush()

    def close(self, reason: Close, text: str | None = None) -> None:
        """Say why, then close when everything has been handed over."""
        self.connection.close(reason, text, hold_s=HELD_S if reason is TOO_FAST else 0.0)

    @property
    def leaving(self) -> bool:
        """Whether something that was sent leaves in the next iteration of the event loop."""
        return self.connection.outbox.leaving

    @property
    def lag(self) -> int | None:
        """The shortest of the newest round trips, ns. None: there is none yet."""
        return self.connection.latency.lag

    @property
    def waiting(self) -> int:
        """Frames that wait for the client."""
        return len(self.connection.outbox) + (self._latest is not None)

    @property
    def dismissed(self) -> bool:
        """We have closed it, or are about to: that it is gone is no absence."""
        return self.connection.reason is not None

    @property
    def gone(self) -> bool:
        return not self.connection.open

    def _runs_behind(self) -> bool:
        return len(self._unseen) >= self._ahead and self._shown - self._unseen[-1] < UNHEARD
