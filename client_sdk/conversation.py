"""One client's side of the protocol without a socket, a thread or a clock: frames in, messages out,
frames to send (PROTOCOL.md).

A conversation outlives the connection: after a drop, `hello` opens it again on the next one, and
frames of the open turn that the server may not have got are sent once more, in their order, instead
of being asked for again. Times are seconds of any clock that the caller goes by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from client_sdk.wire.codes import MAX_FRAME, PROTOCOL
from client_sdk.wire.delta import patch
from client_sdk.wire.messages import (
    ClientHello,
    Commands,
    Delta,
    End,
    Error,
    Event,
    Incoming,
    Info,
    MatchStart,
    Ping,
    Provisional,
    Ready,
    Results,
    Resync,
    Seen,
    ServerHello,
    Stop,
    View,
    read_outgoing,
    written,
)
from games.core.contract import Json

Happening: TypeAlias = ServerHello | MatchStart | View | Results | Event | Stop | End | Error
"""The messages that the caller gets, views always whole. Pings and deltas end here."""

HEARTBEAT_S = 5.0
"""A ping message comes this often."""
MISSED = 3
"""Missed pings that mean a dead connection."""
LOOKS = 10
"""In the time that this takes the caller looks this often whether anything came."""
UNACKNOWLEDGED = 2
"""Views of a realtime game after which `seen` is sent, if no commands have acknowledged them."""


class Misspoken(Exception):
    """A frame that is no message of a server."""


class Conversation:
    """A seat's talk (with `token`) or a viewer's (with `match`; in a private lobby `token`).

    `once` names top-level fields of the view that the server sends in the start message only; they
    are put back into every view. It is the whole state of one client of the protocol, hence the
    number of attributes: each message reads or changes several."""

    def __init__(
        self,
        token: str | None = None,
        match: str | None = None,
        *,
        client: str = "",
        once: Sequence[str] = (),
        deltas: bool = False,
        changes: bool = True,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        if once and deltas:
            why = "once and deltas together: a delta leaves out anyway what has not changed"
            raise ValueError(why)
        self._hello = ClientHello(
            PROTOCOL,
            token=token,
            match=match,
            client=client,
            changes=changes,
            deltas=deltas,
            once=tuple(once),
        )
        self.look_s = heartbeat_s * (MISSED + 0.5) / LOOKS
        """How long to wait for a frame before `silent` is asked."""
        self._quiet = 0
        """Looks without a frame."""
        self._kept: dict[str, Json] = {}
        self._held: Json = None
        self._seq = -1
        self._ids = 0
        self._unanswered: dict[int, str] = {}
        """The open turn's frames of commands for which no results have come, by their ids."""
        self._unanswered_turn: int | None = None
        self._back = False
        """On a new connection, the open turn's view has not come yet: its frames wait for that."""
        self._resyncing = False
        """The whole view was requested and has not come."""
        self._outbox: list[str] = []
        self._realtime = False
        self._seen: int | None = None
        """Realtime: the turn of the newest view."""
        self._acknowledged = 0
        """The newest turn that the server knows to be seen."""

        self.match: str | None = None
        self.game: str | None = None
        self.seat: int | None = None
        self.started = False
        self.ended = False
        """The end has come, or the server's last word."""
        self.turn: int | None = None
        """The turn that is open for this seat; None: nothing is awaited of it."""
        self.deadline: float | None = None
        """When the time for the open turn is over, the bank left aside; None: no limit."""
        self.bank_ms: int | None = None
        self.stopped = False
        """The server has said stop to the open turn."""
        self.fresh_view: View | None = None
        """The view that came because it was requested (`resync`)."""
        self.grace_s: float | None = None
        """How long the server would hold this seat if the connection broke now; None: there is no
        seat in a match."""

    # --- what to send -----------------------------------------------------------------------------

    def hello(self) -> str:
        """The first frame of a new connection."""
        self._quiet = 0
        self._outbox.clear()
        self._back = self.turn is not None or bool(self._unanswered)
        return written(self._hello)

    def ready(self) -> str:
        return written(Ready())

    def commands(
        self, turn: int | None, commands: Iterable[Json], *, end_turn: bool = False
    ) -> str | None:
        """The answer to a turn, or a part of it; None if that turn is not open any more, so that it
        would come too late.

        Empty after a drop, as long as older frames have to go first: this one follows them by
        itself. Raises ValueError for commands that no frame can hold."""
        if turn is not None and turn != self.turn:
            return None
        self._ids += 1
        frame = _sized(
            Commands(tuple(commands), turn=turn, end_turn=end_turn, id=self._ids, seen=self._seen)
        )
        if self._seen is not None:
            self._acknowledged = self._seen
        if turn is not None:
            if turn != self._unanswered_turn:
                self._unanswered_turn = turn
                self._unanswered.clear()
            self._unanswered[self._ids] = frame
            if self._back:
                return ""
        return frame

    @property
    def unanswered(self) -> int:
        """Frames of commands whose results have not come."""
        return len(self._unanswered)

    def resync(self) -> str:
        """The request for the whole view of the open turn."""
        self._resyncing = True
        return written(Resync())

    def provisional(self, turn: int, commands: Iterable[Json]) -> str | None:
        """The best answer so far to this turn; None if it is over. Raises ValueError."""
        return _sized(Provisional(turn, tuple(commands))) if turn == self.turn else None

    def info(self, data: Json) -> str:
        """Thoughts for the viewers. Raises ValueError for what no frame can hold."""
        return _sized(Info(data, self.turn))

    def outbox(self) -> list[str]:
        """Frames that the conversation itself wants sent; taken from it."""
        frames, self._outbox = self._outbox, []
        return frames

    # --- what came --------------------------------------------------------------------------------

    def silent(self) -> bool:
        """No frame came within `look_s`. True: so often in a row that the connection must be dead.

        Looks are counted, not seconds: a pause of this process is no silence of the server."""
        self._quiet += 1
        return self._quiet >= LOOKS

    def receive(self, frame: str | bytes, now: float) -> Happening | None:
        """What this frame says; None: nothing that the caller has to know. Raises Misspoken."""
        self._quiet = 0
        try:
            message = read_outgoing(frame)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
            raise Misspoken(f"no message of a server: {fault}") from None
        match message:
            case View():
                return self._viewed(message, now)
            case Delta():
                return self._changed(message, now)
            case MatchStart():
                return self._begun(message)
            case Stop():
                self.stopped = self.stopped or message.turn == self.turn
                return message if message.turn == self.turn else None
            case Results():
                if isinstance(message.id, int):
                    self._unanswered.pop(message.id, None)
            case ServerHello():
                self.match, self.game, self.seat = message.match, message.game, message.seat
            case End():
                self.ended = True
                self._close_turn()
            case Ping():
                return None
            case Event():
                self._bound_absence(message)
            case Error():
                pass
        return message

    def _bound_absence(self, event: Event) -> None:
        """The server says what is left of the time that this seat may be away."""
        if (
            event.seat == self.seat
            and event.event in ("away", "back")
            and isinstance(event.data, dict)
        ):
            within_ms = event.data.get("within_ms")
            if isinstance(within_ms, int | float):
                self.grace_s = within_ms / 1000

    def _begun(self, start: MatchStart) -> MatchStart:
        self.started = True
        self._seq = start.seq
        self._held = start.view
        self._realtime = start.clock.tick_ms is not None or start.clock.lockstep
        if start.seat is not None and self.grace_s is None:
            bounded = start.clock.absence in ("waits", "limited")
            self.grace_s = (start.clock.absence_ms if bounded else start.clock.startup_ms) / 1000
        self._acknowledged = start.turn
        if start.turn != self.turn:
            self._close_turn()
            self._back = self._owes(start.turn)
        if isinstance(start.view, dict):
            self._kept |= {
                name: start.view[name] for name in self._hello.once if name in start.view
            }
        return start

    def _changed(self, delta: Delta, now: float) -> View | None:
        if delta.seq <= self._seq:
            return None
        try:
            if delta.base != self._seq:
                raise ValueError("another base")
            view = patch(self._held, delta.delta)
        except ValueError:
            self._lost()
            return None
        return self._viewed(View(delta.turn, delta.seq, view), now)

    def _lost(self) -> None:
        """Ask for the whole view, once: what comes before it is of no use."""
        if self._seq != -1:
            self._seq = -1
            self._outbox.append(written(Resync()))

    def _viewed(self, message: View, now: float) -> View | None:
        if message.seq < self._seq:
            return None
        self._seq = message.seq
        self._held = message.view
        back = self._back
        self._close_turn()
        self._back = back and not message.act and self._owes(message.turn)
        if self._realtime:
            self._mark_seen(message.turn)
        if message.act:
            self.turn = message.turn
            self.deadline = None if message.within_ms is None else now + message.within_ms / 1000
            self.bank_ms = message.bank_ms
            if self._owes(message.turn):
                if back:
                    self._outbox += self._unanswered.values()
                    self._outbox += [written(Resync())] * self._resyncing
                return None  # our frames are not in it yet
        if self._kept and isinstance(message.view, dict):
            message = msgspec.structs.replace(message, view=self._kept | message.view)
        if message.act and self._resyncing:
            self._resyncing = False
            self.fresh_view = message
        return message

    def _owes(self, turn: int) -> bool:
        """Whether frames of this turn have had no results."""
        return self._unanswered_turn == turn and bool(self._unanswered)

    def _mark_seen(self, turn: int) -> None:
        """Commands acknowledge views too; a silent bot must not lose the newest views."""
        self._seen = turn
        if turn - self._acknowledged >= UNACKNOWLEDGED:
            self._acknowledged = turn
            self._outbox.append(written(Seen(turn)))

    def _close_turn(self) -> None:
        self.turn = self.deadline = self.bank_ms = None
        self.stopped = self._back = False


def _sized(message: Incoming) -> str:
    try:
        frame = written(message)
    except (TypeError, OverflowError, RecursionError, UnicodeEncodeError) as fault:
        raise ValueError(f"no plain JSON: {fault}") from None
    if len(frame.encode()) > MAX_FRAME:
        raise ValueError(
            f"a frame of {len(frame.encode())} bytes; {MAX_FRAME} is the most that the server takes"
        )
    return frame
