"""The endings (RULES §8), in check order, and what they book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from games.botstack.rules import SEATS, Rules
from games.botstack.state import Ending, EndingKind, State, opponent
from games.core.contract import Json, Outcome, Seat, SeatOutcome, SeatResult, duel

NO_SEATS: frozenset[Seat] = frozenset()


def ending_of_round(
    rules: Rules, number: int, rounds_won: Sequence[int], draws: int
) -> Ending | None:
    """Whether the round that has just ended, its credit counted, ends the match too. Being ahead
    does not help."""
    for seat, won in enumerate(rounds_won):
        if won >= rules.wins_to_win:
            return Ending("win", seat, "two_wins")
    if draws >= rules.draws_to_draw:
        return Ending("draw", None, "two_draws")
    if number >= rules.rounds_per_match:
        return Ending("both_lost", None, "three_rounds")
    return None


def outcome(state: State) -> Outcome | None:
    """None while the match goes on."""
    ending = state.ending
    if ending is None:
        return None
    if ending.kind == "forfeit":
        return forfeit(
            state, frozenset(seat for seat in range(SEATS) if seat != ending.winner), ending.reason
        )
    return _record(
        state,
        ending.kind,
        ending.winner,
        ending.reason,
        [player.rounds_won for player in state.players],
        NO_SEATS,
    )


def forfeit(state: State, seats: frozenset[Seat], reason: str) -> Outcome:
    """These seats are out: the other one wins by `wins_to_win` to 0, whatever was played. Both out:
    both lost, 0 to 0."""
    if len(seats) == SEATS:
        return _record(state, "both_lost", None, reason, [0, 0], seats)
    (out,) = seats
    winner = opponent(out)
    score = [state.rules.wins_to_win if seat == winner else 0 for seat in range(SEATS)]
    return _record(state, "forfeit", winner, reason, score, seats)


def no_result(state: State, seats: int, reason: str) -> Outcome:
    """A match that was broken off: no seat has a place or points."""
    lines = (
        SeatOutcome(
            seat, 0, None, None, {"points": 0, "rounds_won": player.rounds_won, "forfeit": False}
        )
        for seat, player in enumerate(state.players)
    )
    return Outcome("aborted", None, reason, tuple(lines), _finished(state))


def _record(
    state: State,
    kind: EndingKind,
    winner: Seat | None,
    reason: str,
    score: Sequence[int],
    out: frozenset[Seat],
) -> Outcome:
    rules = state.rules
    points = {
        "win": rules.points_win,
        "loss": rules.points_loss,
        "draw": rules.points_draw,
        "both_lost": rules.points_both_lost,
    }

    def about(seat: Seat, result: SeatResult) -> dict[str, Json]:
        return {
            "points": points[result],
            "rounds_won": state.players[seat].rounds_won,
            "forfeit": seat in out,
        }

    return duel(kind, winner, reason, score, about, _finished(state))


def _finished(state: State) -> dict[str, Json]:
    """What a record tells beside its seats: the finished rounds."""
    return {"rounds": [asdict(finished) for finished in state.rounds]}
