"""Opens and closes the turns of a match, and with them the clocks of its seats."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from client_sdk.wire.messages import Stop
from games.core.contract import Json, Pacing, Seat
from games.core.match import Match
from server.matches.broadcaster import Broadcaster
from server.matches.clock import IDLE, RUNNING, TimeParts
from server.matches.match_seat import MatchSeat, SeatTurn, Silence
from server.matches.presence import Presence
from server.matches.referee import Referee
from server.net.transport import framed

now = time.monotonic_ns


@dataclass(slots=True, eq=False)
class Turns:
    _match: Match
    _pacing: Pacing
    _seats: Sequence[MatchSeat]
    _referee: Referee
    _broadcaster: Broadcaster
    _presence: Presence
    _first: int
    """The match's first turn, which adds no increment."""
    _lost_on_time: bool = field(default=False, init=False)
    _late_is_out: bool = field(init=False)
    """A seat that was not ready in time is out; the game speaks for it."""

    def __post_init__(self) -> None:
        pacing = self._pacing
        self._late_is_out = pacing.late_ready == "forfeits" and pacing.preprocessing_ms > 0

    @property
    def lost_on_time(self) -> bool:
        """Whether the match was broken off because seats ran out of time."""
        return self._lost_on_time

    def open(self) -> None:
        self._referee.open(now())
        for seat in self._seats:
            seat.turn = SeatTurn()
        awaited = self._match.awaited
        self._hand_over(awaited)
        for seat in self._seats:
            if seat.client is None and seat.number in awaited:
                self._presence.wait_for(seat, seat.handed)

    def show_last(self) -> None:
        """The view after which nothing is awaited any more."""
        self._hand_over(frozenset())

    def _hand_over(self, awaited: frozenset[Seat]) -> None:
        """The views, to all seats back to back, then to the viewers. A clock starts when its view
        was handed over: all are made before the first is."""
        turn = self._match.turn
        timed = awaited if self._pacing.tick_ms is None else frozenset()
        views = self._broadcaster.views(awaited)
        for number in timed:
            self._seats[number].clock.open(now(), first=turn == self._first)
        self._broadcaster.note_banks()
        for seat, show in views:
            if seat.client is not None:
                seat.client.show(turn, show, waited_for=seat.number in timed, flushed=True)
        for seat in self._seats:
            if seat.client is not None:
                seat.client.flush()
            seat.handed = now()
            if seat.number in timed:
                seat.clock.handed(seat.handed)
                seat.grant_lag()
        self._broadcaster.show_viewers()
        if timed:
            self._broadcaster.show_clocks()

    def waiting(self, turn: int) -> bool:
        """Whether the turn is open and a seat may still answer it."""
        match = self._match
        if match.turn != turn or match.outcome is not None:
            return False
        for number in match.awaited:
            seat = self._seats[number]
            out = seat.turn.silent is not None or (self._late_is_out and not seat.ready)
            if not out and (seat.client is not None or self._presence.may_answer(seat)):
                return True
        return False

    def _too_late(self, seat: MatchSeat) -> bool:
        return self._late_is_out and not seat.ready

    # --- one seat's turn

    def settle(self, seat: MatchSeat, at: int, turn: int, account: TimeParts | None = None) -> None:
        """Close the seat's clock if this turn awaits nothing of it any more. `account`: the clock's
        of this moment, if known."""
        match = self._match
        if seat.clock.stage is IDLE:
            return
        if match.outcome is not None or match.turn != turn or seat.number not in match.awaited:
            seat.close_clock(at, account)

    def silence(self, seat: MatchSeat, at: int, why: Silence, data: dict[str, Json]) -> None:
        """Nothing more is taken from this seat in this turn. When no other is waited for, the game
        plays its default."""
        seat.turn.silent = why
        event = "timeout" if why == "timeout" else "silent"
        if seat.clock.stage is IDLE:
            self._broadcaster.announce_later(event, seat.number, data)
        else:
            account = self._referee.given_up(seat, seat.close_clock(at), at)
            self._broadcaster.announce_later(event, seat.number, data, clock=account)

    def expire_clocks(self, at: int) -> list[int]:
        """Stop the clocks whose limit was reached by then, and silence the seats whose grace is
        over too. When the seats that are out of strikes were due."""
        out = []
        for seat in self._seats:
            seat.grant_lag()
            while (
                self._match.outcome is None
                and seat.turn.silent is None
                and (due := seat.clock.due()) is not None
                and due <= at
            ):
                if seat.clock.stage is RUNNING:
                    seat.clock.stop()
                    if seat.client is not None:
                        seat.client.send(framed(Stop(self._match.turn, self._pacing.grace_ms)))
                    continue
                self._run_out(seat, due)
                if self._struck_out(seat):
                    out.append(due)
        return out

    def _run_out(self, seat: MatchSeat, at: int) -> None:
        """The grace is over too: the latest provisional answer counts, else the seat is silent."""
        match, turn = self._match, self._match.turn
        account = seat.account(at)
        for raw in seat.turn.provisional or ():
            if match.outcome is None and match.turn == turn:
                command = match.game.from_shorthand(raw)
                reply = self._referee.apply(seat, command, at, account, provisional=True)
                if match.game.end_turn is not None:
                    self._broadcaster.add_steps(seat.number, [raw], [reply])
        self.settle(seat, at, turn)
        if seat.clock.stage is not IDLE:
            seat.tally.timeouts += 1
            data = {"timeouts": seat.tally.timeouts, "strikes": self._strikes(seat)}
            self.silence(seat, at, "timeout", data)

    def _strikes(self, seat: MatchSeat) -> int:
        return 0 if seat.kind == "human" else self._pacing.strikes

    def _struck_out(self, seat: MatchSeat) -> bool:
        return 0 < self._strikes(seat) <= seat.tally.timeouts

    # --- the end of a turn

    def close(self, turn: int) -> None:
        """No seat is waited for: forfeit those that are out of strikes, else the game resolves what
        is still open.

        Strikes count here and not at the timeout, so that two seats that run out of time in one
        turn are treated alike."""
        if self._match.outcome is None:
            seats = self._seats
            out = [s for s in seats if s.turn.silent == "timeout" and self._struck_out(s)]
            if out:
                self._forfeit(out)
            else:
                self._resolve(turn)
        self._broadcaster.release()

    def _forfeit(self, out: list[MatchSeat]) -> None:
        seats = frozenset(seat.number for seat in out)
        if self._pacing.absence == "limited" and all(seat.client is None for seat in out):
            self._match.forfeit(seats, "disconnect")
        else:
            self.lose_on_time(seats, "timeout")

    def lose_on_time(self, seats: frozenset[Seat], reason: str) -> None:
        self._match.forfeit(seats, reason)
        self._lost_on_time = True

    def _resolve(self, turn: int) -> None:
        """Speak for the silent seats, where the game wants that; the game resolves the rest."""
        match = self._match
        if match.game.command_for_silence is not None:
            for number in sorted(match.awaited):
                if match.outcome is None and match.turn == turn:
                    seat = self._seats[number]
                    why = "not_ready" if self._too_late(seat) else seat.turn.silent or "disconnect"
                    match.apply(number, match.game.command_for_silence(why))
        if match.outcome is None and match.turn == turn:
            match.advance()
