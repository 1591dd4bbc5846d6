"""The endings (RULES §8), in check order, and what they book."""

from __future__ import annotations

from typing import Final, Literal

from games.catastrophe.draft import Tables
from games.catastrophe.rules import SEATS
from games.catastrophe.state import Result, State
from games.core.contract import Json, Outcome, Seat, SeatOutcome, duel
from games.core.dice import Dice, Stream

FORFEITS: Final = ("timeout",)
"""Reasons of a result that come from outside the rules."""


def judged(on: Tables, dice: Dice) -> Result | None:
    """Whether the turn that ends here ends the match."""
    dead = [on.units[cat].energy <= 0 for cat in on.cats]
    if any(dead):
        if all(dead):
            return tie_broken(on, dice, "both_cats_defeated")
        return Result(dead.index(False), "cat_defeated", None)
    alone = [count <= 1 for count in _units(on)]
    if any(alone):
        if all(alone):
            return tie_broken(on, dice, "both_humans_defeated")
        return Result(alone.index(False), "humans_defeated", None)
    if on.turn + 1 >= on.ground.rules.max_turns:
        return tie_broken(on, dice, "max_turns")
    return None


def tie_broken(on: Tables, dice: Dice, via: str) -> Result:
    """The first of three counts that differs, else a coin."""
    structures = _structures(on)
    counts = {"more_units": _units(on), "more_food": on.food, "more_structures": structures}
    for reason, (first, second) in counts.items():
        if first != second:
            return Result(0 if first > second else 1, reason, via)
    return Result(dice.draw("coin", toss), "coin_flip", via)


def toss(stream: Stream) -> Seat:
    return stream.below(SEATS)


def _units(on: Tables | State) -> tuple[int, int]:
    owners = [unit.owner for unit in on.units.values()]
    return owners.count(0), owners.count(1)


def _structures(on: Tables | State) -> tuple[int, int]:
    owners = [structure.owner for structure in on.structures.values()]
    return owners.count(0), owners.count(1)


def outcome(state: State) -> Outcome | None:
    """None while the match goes on."""
    result = state.result
    if result is None:
        return None
    kind: Literal["win", "forfeit"] = "forfeit" if result.reason in FORFEITS else "win"
    return _booked(state, kind, result.winner, result.reason, result.via)


def forfeit(state: State, seats: frozenset[Seat], reason: str) -> Outcome:
    """A seat that is out loses; both out at one instant: the seat whose turn it is (RULES §9)."""
    loser = state.current_player if len(seats) == SEATS else min(seats)
    return _booked(state, "forfeit", 1 - loser, reason, None)


def no_result(state: State, seats: int, reason: str) -> Outcome:
    """A match that was broken off: no seat has a place or a score."""
    lines = tuple(
        SeatOutcome(seat, 0, None, None, _details(state, seat, False, reason))
        for seat in range(SEATS)
    )
    return Outcome("aborted", None, reason, lines, {"via": None, "turns": state.turn})


def _booked(
    state: State, kind: Literal["win", "forfeit"], winner: Seat, reason: str, via: str | None
) -> Outcome:
    def details(seat: Seat, result: str) -> dict[str, Json]:
        return _details(state, seat, seat == winner, reason)

    scores = [int(seat == winner) for seat in range(SEATS)]
    return duel(kind, winner, reason, scores, details, {"via": via, "turns": state.turn})


def _details(state: State, seat: Seat, won: bool, reason: str) -> dict[str, Json]:
    """What a record tells about a seat beside its score and place."""
    return {
        "won": won,
        "reason": reason,
        "units": _units(state)[seat],
        "food": state.food[seat],
        "structures": _structures(state)[seat],
    }
