"""Takes stalls and pauses of this process off the clocks and deadlines of one match.

Moments (`at`, `due`) are ns of `time.monotonic_ns`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from server.matches.broadcaster import Broadcaster
from server.matches.clock import IDLE, MS, Countdown, charged_ms
from server.matches.match_seat import MatchSeat
from server.matches.messages import MatchMessage
from server.matches.pauses import SETTLE_MS, Pauses
from server.matches.stalls import HELD_MS, STALL_MS, Stalls

LONG_MS = 100
"""A stall of this length is announced at once; shorter ones are added to the next announcement,"""
ANNOUNCED_MS = 1_000
"""which they make this long after the last one: under load every turn has a short one."""


@dataclass(slots=True, eq=False)
class Timekeeper:
    _seats: Sequence[MatchSeat]
    _stalls: Stalls
    _broadcaster: Broadcaster
    _countdown: Countdown
    _last_message_at: int = field(default_factory=time.monotonic_ns, init=False)
    _pauses: Pauses = field(init=False)
    _settles: int = field(default=0, init=False)
    """What was sent in a pause is read by then."""
    _spared: int = field(init=False)
    """All stalls that began before this moment are credited."""
    _unannounced: int = field(default=0, init=False)
    """How long they took together since the last announcement (ns)."""
    _announced: int = field(default=0, init=False)
    """When that was."""

    def __post_init__(self) -> None:
        self._spared = self._last_message_at
        self._pauses = Pauses(self._stalls.running, self._last_message_at)

    def note(self, message: MatchMessage) -> None:
        self._last_message_at = message.at

    @property
    def last_message_at(self) -> int:
        """When the newest handled message came, moved by the pauses since."""
        return self._last_message_at

    @property
    def resumed(self) -> int:
        """A connection that breaks before this moment may have been given up because of a pause."""
        return self._pauses.resumed

    @property
    def held(self) -> int:
        """Realtime: when the next tick may come. After a pause what was sent in it is read first,
        and the seats whose connections broke may come back."""
        return max(self._settles, *(seat.absence.excused_until or 0 for seat in self._seats))

    def notice_pause(self, at: int) -> bool:
        """Whether there was one, before this moment, that was not noticed yet. It moves every
        deadline, and clocks stand at least until what was sent in it is read."""
        pause = self._pauses.noticed(at)
        if pause is None:
            return False
        self._settles = pause.ended + SETTLE_MS * MS
        self._last_message_at += pause.later
        self._countdown.postpone(pause.later)
        for seat in self._seats:
            seat.absence.postpone(pause.later)
        if not self._spare(pause.begun, pause.ended, SETTLE_MS):
            self._announce(pause.begun, pause.ended)
        return True

    def credit(self, message: MatchMessage | None, at: int) -> bool:
        """Credit what held the process up before this moment, when this message came. Whether
        anything did."""
        paused = self.notice_pause(at)
        since = self._seats[0].handed  # views are handed over in the order of the seats
        if message is not None:
            since = min(since, message.at - HELD_MS * MS)
        if not self._stalls.any_since(since):
            return paused
        return paused | self._credit_stalls(at) | self._credit_hidden(message)

    def credit_delay(self, due: int, at: int) -> None:
        """What was due is looked at late, because the process was held up. Answers wait unread
        meanwhile: no clock pays for that, nor for the moment that it takes to read them."""
        if at - due > STALL_MS * MS:
            self._spare(due, at)

    def _credit_stalls(self, at: int) -> bool:
        """Stalls that had begun when this came: no clock pays for them. The timer that notes one
        may ring a moment after the first frame is read."""
        credited = False
        for begun, ended in self._stalls.after(self._spared):
            if begun > at:
                break
            credited |= self._spare(begun, ended)
        return credited

    def _credit_hidden(self, message: MatchMessage | None) -> bool:
        """A view may have lain unsent, or a seat's message unread, for a time too short for a
        stall: that seat's clock alone does not pay for it."""
        credited = False
        for seat in self._seats:
            if seat.clock.stage is IDLE:
                continue
            unsent = seat.clock.since == seat.handed
            if unsent and (held := self._stalls.following(seat.handed)) is not None:
                seat.clock.spare(*held)
                credited = True
            if message is None or message.client is None or message.client is not seat.client:
                continue
            if (held := self._stalls.hiding(message.at)) is not None:
                seat.clock.spare(*held)
                credited = True
        return credited

    def _spare(self, begun: int, ended: int, leeway_ms: int = STALL_MS) -> bool:
        """Take a stall off the clocks that ran then, and announce it if there are any, now or with
        later ones."""
        self._spared = ended
        clocks = [seat.clock for seat in self._seats if seat.clock.stage is not IDLE]
        running = [clock for clock in clocks if clock.since < ended]
        for clock in running:
            clock.spare(begun, ended, leeway_ms * MS)
        if running:
            self._announce(begun, ended)
        return bool(running)

    def _announce(self, begun: int, ended: int) -> None:
        self._unannounced += ended - begun
        if ended - begun >= LONG_MS * MS or ended >= self._announced + ANNOUNCED_MS * MS:
            self.announce_rest()
            self._announced = ended

    def announce_rest(self) -> None:
        """Announce the stalls that wait for the next announcement, if there are any."""
        if self._unannounced:
            data = {"ms": charged_ms(self._unannounced)}
            self._broadcaster.announce_later("stall", None, data)
            self._unannounced = 0
