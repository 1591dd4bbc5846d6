"""The endings in the order of their checks, and what a broken-off match books (RULES §8)."""

from __future__ import annotations

from typing import Literal

from games.core.contract import Json, Outcome, Seat, SeatOutcome, duel
from games.pyrat.state import (
    BLOCKED,
    CHEESE,
    IN_MUD,
    LEFT_MUD,
    PYTHON,
    PYTHON_HALF_POINTS,
    RAT,
    RAT_HALF_POINTS,
    ROLES,
    SEATS,
    STAYED,
    TURN,
    Maze,
    Position,
    State,
    body,
)

Ending = Literal["majority", "all_cheese", "max_turns"]


def ending(maze: Maze, now: Position) -> Ending | None:
    """Why the match is over, or None. A majority is more half points than there are cheeses."""
    if now[RAT_HALF_POINTS] > maze.total_cheese or now[PYTHON_HALF_POINTS] > maze.total_cheese:
        return "majority"
    if 1 not in now[CHEESE]:
        return "all_cheese"
    if now[TURN] >= maze.max_turns:
        return "max_turns"
    return None


def outcome(state: State) -> Outcome | None:
    """The higher score wins; there is no tie-breaker."""
    reason = ending(state.maze, state.now)
    return None if reason is None else _by_score(state, reason)


def forfeit(state: State, seats: frozenset[Seat], reason: str) -> Outcome:
    """A seat that is out is placed last. Both out: the scores so far count if a turn was played."""
    if len(seats) < len(SEATS):
        (out,) = seats
        return _booked(state, "forfeit", PYTHON if out == RAT else RAT, reason)
    if state.now[TURN] == 0:
        return no_result(state, len(SEATS), reason)
    return _by_score(state, reason)


def no_result(state: State, seats: int, reason: str) -> Outcome:
    """A match that was broken off: no seat has a place or a score."""
    lines = tuple(SeatOutcome(seat, 0.0, None, None, _deeds(state, seat)) for seat in SEATS)
    return Outcome("aborted", None, reason, lines, {"result": None, "turns": state.now[TURN]})


def _by_score(state: State, reason: str) -> Outcome:
    rat, python = (body(state.now, seat).half_points for seat in SEATS)
    if rat == python:
        return _booked(state, "draw", None, reason)
    return _booked(state, "win", RAT if rat > python else PYTHON, reason)


def _booked(
    state: State, kind: Literal["win", "draw", "forfeit"], winner: Seat | None, reason: str
) -> Outcome:
    scores = [body(state.now, seat).half_points / 2 for seat in SEATS]
    details = {"result": "draw" if winner is None else ROLES[winner], "turns": state.now[TURN]}
    return duel(kind, winner, reason, scores, lambda seat, result: _deeds(state, seat), details)


def _deeds(state: State, seat: Seat) -> dict[str, Json]:
    """What a record tells about a seat beside its score."""
    did = state.tally[6 * seat : 6 * seat + 6]
    return {
        "role": ROLES[seat],
        "misses": body(state.now, seat).misses,
        "blocked": did[BLOCKED],
        "stayed": did[STAYED],
        "mud_turns_spent": did[IN_MUD] + did[LEFT_MUD],
    }
