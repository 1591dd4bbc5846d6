"""What one game gave, as a contest counts it: by seat, for any number of seats."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from games.contest.format import DUEL
from games.core.contract import Json
from games.core.errors import BotarenaError

Entry: TypeAlias = int
"""An entrant, by the order of registration, from 1."""
ResultKind: TypeAlias = Literal["win", "draw", "loss", "both_lost"]


class BadResult(BotarenaError, ValueError):
    """No game ends like this."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """By seat. `placement` from 1, equal numbers share a place; `both_lost`: neither of the two has
    won, and it is no draw."""

    placement: tuple[int, ...]
    score: tuple[float, ...]
    forfeit: tuple[bool, ...]
    both_lost: bool = False

    def way(self, seat: int, other: int) -> ResultKind:
        """What the game was for one seat against another: a forfeit loses in any place (T4, T8)."""
        if self.both_lost or (self.forfeit[seat] and self.forfeit[other]):
            return "both_lost"
        if self.forfeit[seat] != self.forfeit[other]:
            return "loss" if self.forfeit[seat] else "win"
        here, there = self.placement[seat], self.placement[other]
        return "draw" if here == there else "win" if here < there else "loss"

    @property
    def winner(self) -> int | None:
        """The seat that has won against all others."""
        seats = range(len(self.placement))
        won = [
            seat
            for seat in seats
            if all(self.way(seat, other) == "win" for other in seats if other != seat)
        ]
        return won[0] if won else None


def result_of(
    outcome: Mapping[str, Json], forfeit_score: tuple[int, int], guilty: Collection[int] = ()
) -> GameResult | None:
    """The result of a match by its record (`outcome_json`); None: it is to be played again.

    A forfeit between two books `forfeit_score`, one of both 0:0 (T4). `guilty`: the seats that
    forfeited, as the host knows them, for a game of more seats whose record does not name them."""
    lines = outcome["seats"]
    if outcome["outcome"] == "aborted" or any(line["placement"] is None for line in lines):
        return None
    out = _forfeits(outcome, guilty)
    if len(lines) == DUEL and any(out):
        return forfeited(DUEL, [seat for seat, gone in enumerate(out) if gone], forfeit_score)
    both_lost = outcome["outcome"] == "both_lost"
    placement = tuple(
        1 if both_lost else line["placement"] for line in lines
    )  # some games say 2 and 2, with no first place
    return GameResult(placement, tuple(line["score"] for line in lines), out, both_lost)


def _forfeits(outcome: Mapping[str, Json], guilty: Collection[int]) -> tuple[bool, ...]:
    """Who is at fault: as the game tells it by seat, else the one that a forfeit between two left
    without the win."""
    lines = outcome["seats"]
    if any("forfeit" in line for line in lines):
        return tuple(line.get("forfeit") is True for line in lines)
    if outcome["outcome"] != "forfeit":
        return (False,) * len(lines)
    if len(lines) == DUEL:
        return tuple(line["seat"] != outcome["winner"] for line in lines)
    return tuple(line["seat"] in guilty for line in lines)


def forfeited(seats: int, out: list[int], forfeit_score: tuple[int, int]) -> GameResult:
    """The result when these seats did not play, or were at fault (T4, T8)."""
    gone = tuple(seat in out for seat in range(seats))
    if len(out) == seats:
        return GameResult((1,) * seats, (0,) * seats, gone, both_lost=True)
    won, lost = forfeit_score
    return GameResult(
        tuple(seats - len(out) + 1 if away else 1 for away in gone),
        tuple(lost if away else won for away in gone),
        gone,
    )


def to_json(result: GameResult) -> dict[str, Json]:
    """As plain JSON; `read` is the way back."""
    return {
        "placement": list(result.placement),
        "score": list(result.score),
        "forfeit": list(result.forfeit),
        "both_lost": result.both_lost,
    }


def read(given: Json, seats: int) -> GameResult:
    """A result for this number of seats, `forfeit` and `both_lost` optional. Raises BadResult."""
    fields = {"placement", "score", "forfeit", "both_lost"}
    if not isinstance(given, Mapping) or given.keys() - fields:
        raise BadResult("expected an object of placement, score, forfeit and both_lost")
    placement, score = given.get("placement"), given.get("score")
    forfeit, both_lost = given.get("forfeit", [False] * seats), given.get("both_lost", False)
    for name, values in (("placement", placement), ("score", score), ("forfeit", forfeit)):
        if not isinstance(values, list) or len(values) != seats:
            why = f"expected a list with an entry for each of {seats} seats, got {values!r}"
            raise BadResult(f"{name}: {why}")
    assert isinstance(placement, list)
    assert isinstance(score, list)
    if not all(type(place) is int and 1 <= place <= seats for place in placement):
        raise BadResult(f"placement: expected whole numbers, 1 to {seats}, got {placement!r}")
    if min(placement) != 1:
        raise BadResult(f"placement: expected a seat in place 1, got {placement!r}")
    if not all(_is_score(one) for one in score):
        raise BadResult(f"score: expected numbers, got {score!r}")
    if not all(isinstance(one, bool) for one in [*forfeit, both_lost]):
        raise BadResult("forfeit and both_lost: expected true or false")
    if both_lost and (seats != DUEL or placement != [1, 1]):
        raise BadResult("both_lost: expected two seats in the same place")
    return GameResult(tuple(placement), tuple(score), tuple(forfeit), both_lost)


def given(
    placement: Json,
    score: Json,
    forfeit: Json,
    *,
    both_lost: bool,
    seats: int,
    forfeit_score: tuple[int, int],
) -> GameResult:
    """A result as an organiser says it: places, or that both lost; None for a score as a forfeit
    books it. Raises BadResult."""
    if (placement is None) is not both_lost:
        raise BadResult("expected one of placement and both_lost")
    won, lost = forfeit_score
    placement = [1] * seats if placement is None else placement
    if score is None:
        score = [0 if both_lost else won if place == 1 else lost for place in placement]
    result = {"placement": placement, "score": score, "both_lost": both_lost}
    return read(result | {"forfeit": forfeit or [False] * seats}, seats)


def _is_score(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 2**53


Exact: TypeAlias = int | Fraction


def exact(score: float) -> Exact:
    """A score as it adds up: in any order to the same sum."""
    return int(score) if score == int(score) else Fraction(score)


def plain(total: Exact) -> int | float:
    """A sum of scores as JSON has it."""
    return total.numerator if total.denominator == 1 else float(total)
