"""Which seats of a match are connected, and what becomes of those that are not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from client_sdk.wire.codes import MATCH_OVER, REPLACED
from games.core.contract import Json, Pacing, Seat
from games.core.match import Match
from server.matches.broadcaster import Broadcaster
from server.matches.client import Client
from server.matches.clock import IDLE, MS, Countdown, whole_ms
from server.matches.match_seat import MatchSeat
from server.matches.timekeeper import Timekeeper


@dataclass(slots=True, eq=False)
class Presence:
    _match: Match
    _pacing: Pacing
    _seats: Sequence[MatchSeat]
    _timekeeper: Timekeeper
    _broadcaster: Broadcaster
    _countdown: Countdown
    _begun: int = field(default_factory=time.monotonic_ns, init=False)

    # --- connections

    def connected(self, client: Client, at: int) -> None:
        """A seat has a new connection, which replaces the one it had."""
        assert client.seat is not None
        seat = self._seats[client.seat]
        if self._match.outcome is not None:
            client.close(MATCH_OVER)
            return
        if client.gone:
            return
        self._broadcaster.flush()
        if seat.client is not None:
            seat.client.close(REPLACED)
            seat.disconnect()
        seat.client = client
        was_away = seat.absence.end(at)
        if seat.clock.paused:
            seat.clock.resume(time.monotonic_ns())
        self._broadcaster.greet_seat(seat)
        if was_away:
            self._broadcaster.announce("back", seat.number, self._absence_left(seat))

    def disconnected(self, client: Client, at: int) -> None:
        """A seat's connection is gone. If the server closed it, its clock runs on."""
        assert client.seat is not None
        seat = self._seats[client.seat]
        if seat.client is not client:
            return
        seat.disconnect()
        if self._match.outcome is not None:
            return
        seat.absence.dismissed = client.dismissed
        if client.dismissed or at >= self._timekeeper.resumed:
            self._leave([seat], at)
        else:
            self._excuse(seat, at)

    def _excuse(self, seat: MatchSeat, at: int) -> None:
        """A pause of this process probably broke its connection: it is not away before it had time
        to come back."""
        seat.absence.excused_until = seat.absence.since = self._timekeeper.resumed
        data = (self._absence_left(seat) or {}) | {"excused": True}
        self._broadcaster.announce("away", seat.number, data)
        if seat.clock.stage is not IDLE:
            self.wait_for(seat, at)

    def end_excuses(self, at: int) -> None:
        """Seats that have not come back by now are away."""
        over = []
        for seat in self._seats:
            until = seat.absence.excused_until
            if until is not None and until <= at:
                if seat.clock.paused:
                    seat.clock.resume(until)
                seat.absence.excused_until = None
                over.append(seat)
        self._leave(over, at)

    def _leave(self, seats: list[MatchSeat], at: int) -> None:
        """They are away from this moment on."""
        for seat in seats:
            seat.absence.since = at
            seat.tally.absences += 1
            self._broadcaster.announce("away", seat.number, self._absence_left(seat))
            if self._pacing.absence == "limited" and not seat.absence.dismissed:
                seat.absence.waits_since = at
            elif seat.clock.stage is not IDLE:
                self.wait_for(seat, at)
        out = frozenset(seat.number for seat in seats if not seat.absence.dismissed)
        if self._pacing.absence == "forfeits" and out:
            self._match.forfeit(out, "disconnect")

    def _absence_left(self, seat: MatchSeat) -> Json:
        """How long this seat may still be away, where the game limits that."""
        limited = self._pacing.absence in ("waits", "limited")
        return {"within_ms": whole_ms(seat.absence.left)} if limited else None

    def wait_for(self, seat: MatchSeat, at: int) -> None:
        """Stop an absent seat's clock, if the game says so or the seat is excused."""
        if self._pacing.tick_ms is not None:
            return
        if seat.absence.excused_until is not None:
            seat.clock.pause(at)
        elif self._pacing.absence == "waits" and not seat.absence.dismissed:
            seat.clock.pause(at)
            seat.absence.waits_since = at
        else:
            return
        self._broadcaster.gallery.drop_clocks()

    # --- deadlines

    def may_answer(self, seat: MatchSeat) -> bool:
        """Whether the match waits for this seat's answer although the seat may be away."""
        if self._pacing.absence != "misses" or seat.client is not None or seat.absence.dismissed:
            return True
        all_away = all(other.client is None for other in self._seats)
        return all_away or seat.absence.excused_until is not None

    def dues(self) -> list[int]:
        """When excuses end, absent seats lose, and the match ends because no seat came back."""
        if self.complete:
            return []
        absences = [seat.absence for seat in self._seats]
        dues = [absence.lost_at for absence in absences]
        dues += [absence.excused_until for absence in absences]
        return [due for due in (*dues, self._abandoned_at()) if due is not None]

    def forfeit_before(self, moment: int) -> bool:
        """Forfeit the seats that lost by their absence before this moment. Whether any did."""
        dues = [(seat.number, seat.absence.lost_at) for seat in self._seats]
        lost = {number: due for number, due in dues if due is not None and due < moment}
        if lost:
            self._match.forfeit(self._out(lost), "disconnect")
            return True
        abandoned = self._abandoned_at()
        if abandoned is None or abandoned >= moment:
            return False
        self._match.forfeit(frozenset(seat.number for seat in self._seats), "abandoned")
        return True

    def _out(self, lost: dict[Seat, int]) -> frozenset[Seat]:
        """All that are away when the wait is over, or the seat whose own time was over first."""
        if self._pacing.absence == "waits":
            away = [seat for seat in self._seats if seat.client is None]
            return frozenset(seat.number for seat in away if seat.absence.excused_until is None)
        return frozenset(seat for seat, due in lost.items() if due == min(lost.values()))

    def _abandoned_at(self) -> int | None:
        """When the match ends because no seat has come back."""
        applies = self._pacing.absence in ("plays", "misses")
        if not applies or self._countdown.phase == "gathering":
            return None
        if any(seat.client is not None for seat in self._seats):
            return None
        moments = [seat.absence.since for seat in self._seats]
        since = max(self._begun if moment is None else moment for moment in moments)
        return since + self._pacing.absence_ms * MS

    # --- after a crash

    @property
    def complete(self) -> bool:
        return all(seat.client is not None for seat in self._seats)

    def gather(self, since: int) -> None:
        """All seats are away, and dismissed by the server. None of them prepares again, or is too
        late for that."""
        for seat in self._seats:
            seat.absence.since, seat.absence.dismissed, seat.ready = since, True, True

    def gathered(self, at: int) -> None:
        """The seats that are still not connected are away."""
        missing = [seat for seat in self._seats if seat.client is None]
        if len(missing) == len(self._seats) and self._match.outcome is None:
            self._match.abort("interrupted")
        for seat in missing:
            seat.absence.dismissed = False
            if self._pacing.absence == "limited":
                seat.absence.waits_since = at
        if missing and self._match.outcome is None and self._pacing.absence == "forfeits":
            self._match.forfeit(frozenset(seat.number for seat in missing), "disconnect")
