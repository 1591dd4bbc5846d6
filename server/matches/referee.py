"""Judges commands: first by the server's rules (which turn a command answers, how many are too
many), then by the game's.

Each command gets exactly one reply, which is in the journal.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from games.core.contract import Json, Reply
from games.core.match import Match
from server.matches.clock import TimeParts, charged_ms
from server.matches.match_seat import MatchSeat
from server.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Limits:
    """The server's own limits, beside those of the game."""

    refusals_per_turn: int
    infos_per_turn: int
    idle_ms: int
    lag_turn_ms: int = 0
    lag_match_ms: int = 0


class Referee:
    """Judges the commands of one match."""

    __slots__ = ("_limits", "_match", "_metrics", "_opened", "_realtime", "_t0")

    def __init__(self, match: Match, limits: Limits, metrics: Metrics, *, realtime: bool) -> None:
        self._opened: int | None = None
        self._match = match
        self._limits = limits
        self._metrics = metrics
        self._realtime = realtime
        self._t0 = time.monotonic_ns()

    def open(self, at: int) -> None:
        """A turn opens (monotonic ns). What came before the first one came too early, whenever it
        is looked at."""
        if self._opened is None:
            self._opened = at

    @property
    def playing(self) -> bool:
        return self._opened is not None

    def judge(
        self,
        seat: MatchSeat,
        turn: int | None,
        raw: Json,
        received: int,
        account: TimeParts | None,
    ) -> Reply:
        """A command that names this turn, received then (monotonic ns), with the `account` of the
        seat's clock at that moment."""
        match = self._match
        raw = match.game.from_shorthand(raw)
        if match.outcome is not None:
            return match.apply(seat.number, raw)
        if not match.game.is_out_of_turn(raw):
            refusal = self._untimely(seat, turn, received)
            if refusal is not None:
                return self._refuse(seat, raw, refusal)
        return self.apply(seat, raw, received, account)

    def apply(
        self,
        seat: MatchSeat,
        raw: Json,
        at: int,
        account: TimeParts | None,
        *,
        provisional: bool = False,
    ) -> Reply:
        """A timely command, as the game reads it."""
        stamps: dict[str, Json] = {
            "handed": charged_ms(seat.handed - self._t0),
            "received": charged_ms(at - self._t0),
        }
        if account is not None:
            stamps |= account.json()
        if provisional:
            stamps["provisional"] = True
        if seat.turn.frame is not None:
            stamps["frame"] = seat.turn.frame
        before = self._match.step
        reply = self._match.apply(seat.number, raw, stamps)
        if reply.ok:
            return reply
        if reply.verdict == "rejected":
            seat.tally.rejects += 1
            seat.turn.rejected += 1
        elif self._match.step == before:
            seat.turn.uncounted += 1
        self._metrics.command_refused(self._match.game.name, reply.code)
        return reply

    def given_up(self, seat: MatchSeat, account: TimeParts, at: int) -> dict[str, Json]:
        """The account of a turn that no command of the seat has closed, as the journal keeps it."""
        handed, closed = charged_ms(seat.handed - self._t0), charged_ms(at - self._t0)
        return {"handed": handed, "closed": closed} | account.json()

    def _untimely(self, seat: MatchSeat, turn: int | None, received: int) -> Reply | None:
        """Why the command answers no open turn of this seat; None: it does."""
        if self._opened is None or received < self._opened:
            return _no("not_started", "the first turn is not open yet")
        if self._realtime:
            return _TOO_MANY if seat.turn.silent == "rejects" else None
        if turn is None:
            return _no("no_turn", "this game is played in turns: name the turn that you answer")
        present = self._match.turn
        if turn > present:
            return _no("future_turn", f"turn {turn} is not open yet; turn {present} is")
        if turn < present or seat.turn.silent == "timeout":
            seat.tally.late += 1
            now = f"; turn {present} is open" if turn < present else " for you"
            return _no("stale_turn", f"turn {turn} is closed{now}")
        return _TOO_MANY if seat.turn.silent == "rejects" else None

    def _refuse(self, seat: MatchSeat, raw: Json, refusal: Reply) -> Reply:
        """A command that never gets to the game is written down too, up to a bound."""
        seat.turn.refused += 1
        self._metrics.command_refused(self._match.game.name, refusal.code)
        if seat.turn.refused > self._limits.refusals_per_turn:
            seat.tally.dropped += 1
            return _TOO_MANY
        if self._match.journal is not None:
            self._match.journal.command(self._match.turn, seat.number, raw, refusal)
        return refusal


def _no(code: str, why: str) -> Reply:
    return Reply("rejected", code, why)


_TOO_MANY = _no("too_many", "too many useless commands for this turn; it counts as silent")
