"""The endings, in the order in which they are checked, and what they book (RULES §8)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from math import inf
from typing import Literal, TypeAlias

from games.core.contract import Json, Outcome, Seat, SeatOutcome
from games.zooscape.board import PELLET
from games.zooscape.state import State

Ending = Literal["no_pellets", "max_ticks"]

Merit: TypeAlias = tuple[int, int, int, int, float]
"""What ranks an animal, the smallest first: score and distance negated, captures, ticks on its
spawn, first seq."""

NO_SEATS: frozenset[Seat] = frozenset()


def ending(state: State) -> Ending | None:
    """Why the match is over, or None. Nothing ends before the first tick."""
    if state.tick and PELLET not in state.cells:
        return "no_pellets"
    if state.tick >= state.rules.max_ticks:
        return "max_ticks"
    return None


def outcome(state: State) -> Outcome | None:
    """None while the match goes on."""
    reason = ending(state)
    return None if reason is None else _booked(state, reason, NO_SEATS)


def forfeit(state: State, seats: frozenset[Seat], reason: str) -> Outcome:
    """The game knows no forfeit, but a host may: a seat that is out ranks behind all others. All
    out: the ranking as it is."""
    return _booked(state, reason, seats if len(seats) < len(state.animals) else NO_SEATS)


def no_result(state: State, seats: int, reason: str) -> Outcome:
    """A match that was broken off: no seat has a place or a score."""
    lines = tuple(
        SeatOutcome(seat, 0, None, None, _counters(state, seat, reason)) for seat in range(seats)
    )
    return Outcome("aborted", None, reason, lines, {"ticks": state.tick})


def merit(
    score: int,
    captured_count: int,
    ticks_on_spawn: int,
    distance_covered: int,
    first_command_seq: int | None,
) -> Merit:
    """The five things that rank an animal, in their order; one that never sent a command stands
    behind all that did."""
    return (
        -score,
        captured_count,
        ticks_on_spawn,
        -distance_covered,
        inf if first_command_seq is None else first_command_seq,
    )


def placements(merits: Iterable[tuple[bool, Merit]]) -> list[int]:
    """Places from 1 by seat. Equals share one, and the next number skips."""
    ranked = list(merits)
    first: dict[tuple[bool, Merit], int] = {}
    for place, one in zip(count(1), sorted(ranked)):
        first.setdefault(one, place)
    return [first[one] for one in ranked]


def _booked(state: State, reason: str, out: frozenset[Seat]) -> Outcome:
    merits = [
        merit(one.score, one.captured_count, one.ticks_on_spawn, one.distance_covered, first)
        for one, first in zip(state.animals, state.first_command_seqs, strict=True)
    ]
    places = placements((seat in out, one) for seat, one in enumerate(merits))
    shared = places.count(1) > 1
    best: Literal["draw", "win"] = "draw" if shared else "win"
    scores = [animal.score for animal in state.animals]
    details = [_counters(state, seat, reason) for seat in range(len(places))]
    lines = tuple(
        SeatOutcome(seat, scores[seat], place, "loss" if place > 1 else best, details[seat])
        for seat, place in enumerate(places)
    )
    winner = None if shared else places.index(1)
    return Outcome("forfeit" if out else best, winner, reason, lines, {"ticks": state.tick})


def _counters(state: State, seat: Seat, reason: str) -> dict[str, Json]:
    """What a record tells about a seat beside its score."""
    animal = state.animals[seat]
    return {
        "captured_count": animal.captured_count,
        "ticks_on_spawn": animal.ticks_on_spawn,
        "distance_covered": animal.distance_covered,
        "first_command_seq": state.first_command_seqs[seat],
        "power_ups_used": animal.power_ups_used,
        "reason": reason,
    }
