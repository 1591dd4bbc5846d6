"""The endings, in the order in which they are checked, and what they book (RULES §8)."""

from __future__ import annotations

from games.cookoff.rules import BLUE, RED, SEATS, TEAMS
from games.cookoff.state import NO_TEAM, SILENCES, State, other
from games.core.contract import Json, Outcome, OutcomeKind, Seat, SeatOutcome, duel


def outcome(state: State) -> Outcome | None:
    """None while the game goes on. It ends between two turns only: the turn in which a team fails
    is played by the other."""
    if state.acting != NO_TEAM:
        return None
    if state.failed != (None, None):
        failed = frozenset(team for team in SEATS if state.failed[team] is not None)
        whys = [reason for reason in state.failed if reason is not None]
        return forfeit(state, failed, whys[0] if len(failed) == 1 else "both_failed")
    if state.turn < state.plan.rules.total_turns:
        return None
    red, blue = state.money
    reasons = ("max_turns", "max_turns")
    if red == blue:
        return _booked(state, "draw", None, "max_turns", reasons)
    return _booked(state, "win", RED if red > blue else BLUE, "max_turns", reasons)


def forfeit(state: State, seats: frozenset[Seat], reason: str) -> Outcome:
    """These teams are out, whatever the money: the other one wins; both out: both have lost."""
    reason = SILENCES.get(reason, reason)
    if len(seats) == len(SEATS):
        return _booked(state, "both_lost", None, reason, (reason, reason))
    (out,) = seats
    reasons = (reason, "opponent_failed") if out == RED else ("opponent_failed", reason)
    return _booked(state, "forfeit", other(out), reason, reasons)


def no_result(state: State, seats: int, reason: str) -> Outcome:
    """A match that was broken off: no seat has a place or a score."""
    lines = tuple(SeatOutcome(seat, 0, None, None, _details(state, seat, reason)) for seat in SEATS)
    return Outcome("aborted", None, reason, lines, {"turns": state.turn})


def _booked(
    state: State, kind: OutcomeKind, winner: Seat | None, reason: str, reasons: tuple[str, str]
) -> Outcome:
    about = [_details(state, seat, reasons[seat]) for seat in SEATS]
    return duel(
        kind, winner, reason, state.money, lambda seat, result: about[seat], {"turns": state.turn}
    )


def _details(state: State, seat: Seat, reason: str) -> dict[str, Json]:
    fates = state.fates[seat]
    return {
        "team": TEAMS[seat],
        "money": state.money[seat],
        "orders_completed": sum(fate.completed_turn is not None for fate in fates),
        "orders_expired": sum(fate.penalized for fate in fates),
        "failed": state.failed[seat],
        "reason": reason,
    }
