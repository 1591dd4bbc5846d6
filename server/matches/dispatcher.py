"""Waits for the messages of a match and for its deadlines, and has each handled.

Moments (`at`, `due`) are ns of `time.monotonic_ns`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.core.contract import Pacing
from games.core.match import Match
from server.matches.client import Client
from server.matches.clock import MS, Countdown
from server.matches.frames import FrameHandler
from server.matches.inbox import Inbox, Steps
from server.matches.match_seat import MatchSeat
from server.matches.messages import (
    Abort,
    BadFrameReceived,
    Connected,
    Disconnected,
    FrameReceived,
    HandOver,
    MatchMessage,
    Resign,
)
from server.matches.presence import Presence
from server.matches.record import JournalFile
from server.matches.timekeeper import Timekeeper
from server.matches.turns import Turns

now = time.monotonic_ns

KEPT_MS = 50
"""How long lines of the journal, and replies, may wait for others that they can leave with."""


class HandedOver(Exception):
    """This process plays the match no further."""


@dataclass(slots=True, eq=False)
class Deadlines:
    """When a match has to act although no message came, and what it does then."""

    _match: Match
    _pacing: Pacing
    _seats: Sequence[MatchSeat]
    _timekeeper: Timekeeper
    _presence: Presence
    _turns: Turns
    _idle_ms: int
    """A match by turns is aborted if no message came for this long and nothing is due."""

    def dues(self) -> list[int]:
        dues = self._presence.dues()
        for seat in self._seats if self._pacing.tick_ms is None else ():  # else no clock runs
            if seat.turn.silent is None and (due := seat.clock.due()) is not None:
                dues.append(due)
        return dues

    def next(self) -> int:
        dues = self.dues()
        return min(dues) if dues else self._timekeeper.last_message_at + self._idle_ms * MS

    def expire(self, at: int) -> None:
        """Handle all that was due by then: excuses, clocks, absences that lasted too long, a match
        in which nothing happens."""
        self._presence.end_excuses(at)
        out = self._turns.expire_clocks(at)
        if self._match.outcome is not None:
            return
        # of two that are out at one instant, the seat whose clock ran loses
        before = min(out, default=at + 1)
        if self._presence.forfeit_before(before) or self._pacing.tick_ms is not None:
            return
        if at >= self._timekeeper.last_message_at + self._idle_ms * MS and not self.dues():
            self._match.abort("idle")


@dataclass(slots=True, eq=False)
class Dispatcher:
    _match: Match
    _seats: Sequence[MatchSeat]
    _timekeeper: Timekeeper
    _deadlines: Deadlines
    _presence: Presence
    _frames: FrameHandler
    _file: JournalFile
    _inbox: Inbox
    _alarm: int = field(default=0, init=False)
    """When the deadlines are looked at, at the latest. An answer moves them, so this may be too
    early, which does no harm."""
    _kept_until: int = field(default=0, init=False)
    """When the lines and replies that are kept are written, at the latest; 0: none are kept."""

    # --- waiting

    def handle_turn(self, waiting: Callable[[], bool]) -> Steps[None]:
        """Handle what comes and what is due, until the open turn is not `waiting` for answers any
        more."""
        self._alarm = self._deadlines.next()
        self._kept_until = 0
        while True:
            message = self._inbox.take() or (yield from self._wait(self._alarm))
            handled = self._handle_due(message, self._alarm)
            if not waiting():
                return
            if not handled:
                self._alarm = self._deadlines.next()

    def count_down(self, countdown: Countdown, complete: Callable[[], bool]) -> Steps[None]:
        """Handle what comes until the countdown is over or nothing is waited for any more. A pause
        moves its end."""
        while self._match.outcome is None and not complete():
            self._timekeeper.notice_pause(now())
            if now() >= countdown.due:
                return
            yield from self.handle_next(countdown.due)

    def handle_next(self, due: int) -> Steps[None]:
        """Handle the next message, or what is due by then."""
        self._handle_due(self._inbox.take() or (yield from self._wait(due)), due)

    def _wait(self, due: int) -> Steps[MatchMessage | None]:
        """For the next message, or until then.

        What was sent to clients leaves meanwhile, so the journal is flushed before."""
        clients = [seat.client for seat in self._seats if seat.client is not None]
        if self._file.waits and not any(client.leaving for client in clients):
            message = yield from self._wait_unwritten(due)
            if message is not None:
                return message
        self._file.flush()
        self._kept_until = 0
        for client in clients:
            client.release()
            client.flush()
        yield due
        if not self._inbox:  # what has come in time is read before a seat is found to be late
            yield 0
        return self._inbox.take()

    def _wait_unwritten(self, due: int) -> Steps[MatchMessage | None]:
        """For the next message, with lines of the journal that no client was notified of, and with
        replies that none acts on: most can leave with those of that message. None: they may wait no
        longer.

        The lines are made ready while the clients that have just got their views answer."""
        self._kept_until = self._kept_until or now() + KEPT_MS * MS
        if self._kept_until >= due:
            return None
        yield 0
        if not self._inbox:
            self._file.settle()
            yield self._kept_until
        return self._inbox.take()

    def _handle_due(self, message: MatchMessage | None, due: int) -> bool:
        """Handle this message, after what was due when it came. False: there is none."""
        at = now() if message is None else message.at
        if self._timekeeper.credit(message, at):
            due = self._alarm = self._deadlines.next()
        if at >= due:
            self._timekeeper.credit_delay(due, at)
            self._deadlines.expire(at)
            self._alarm = self._deadlines.next()
        if message is None:
            return False
        self._handle(message)
        return True

    def handle_before(self, tick: int) -> Steps[None]:
        """Realtime: handle what came before the tick's moment. What came later waits for the next,
        however late this one is."""
        rested = False
        while self._match.outcome is None:
            self._timekeeper.notice_pause(now())
            if (message := self._inbox.take(before=tick)) is not None:
                self._handle(message)
            elif now() < tick or not rested:
                rested = True
                self._file.flush()
                dues = self._deadlines.dues()
                yield min([tick, *dues])
                if dues and (at := now()) >= min(dues):
                    self._deadlines.expire(at)
            else:
                return

    def answer_the_rest(self) -> None:
        """The match is over: handle what is left."""
        while (message := self._inbox.take()) is not None:
            self._handle(message)
        self._timekeeper.announce_rest()

    # --- handling

    def _handle(self, message: MatchMessage) -> None:
        self._timekeeper.note(message)
        match message:
            case FrameReceived() if (seat := self._seat_of(message.client)) is not None:
                self._frames.handle(seat, message)
            case BadFrameReceived() if (seat := self._seat_of(message.client)) is not None:
                self._frames.bad_frame(seat)
            case Connected(client, at):
                self._presence.connected(client, at)
                self._alarm = self._deadlines.next()
            case Disconnected(client, at):
                self._presence.disconnected(client, at)
                self._alarm = self._deadlines.next()
            case _ if self._match.outcome is not None:
                pass
            case Resign():
                self._match.forfeit(frozenset({message.seat}), "resignation")
            case Abort():
                self._match.abort(message.reason)
            case HandOver():
                self._timekeeper.announce_rest()
                raise HandedOver

    def _seat_of(self, client: Client) -> MatchSeat | None:
        """None: another connection plays it now."""
        assert client.seat is not None
        seat = self._seats[client.seat]
        return seat if seat.client is client else None
