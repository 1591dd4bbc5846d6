"""The final list (T9), and the bracket of games with more than two seats, in heats (T11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from games.contest.bracket import FINAL, THIRD, BracketMatch, Lookup
from games.contest.format import HEAT, HEATS_SIZE
from games.contest.result import Entry, Exact, GameResult, exact, plain
from games.contest.standings import (
    Criterion,
    SeatedResult,
    StandingsRow,
    by_mean_points,
    head_to_head,
    in_order,
    summed,
    without,
)

SEMIS: Final = {"SH1": (1, 4, 5, 8), "SH2": (2, 3, 6, 7)}
FINALS: Final = ("FH1", "FH2", "FH3")
GO_ON: Final = 2
"""How many of a semi-final heat reach the final."""


@dataclass(frozen=True, slots=True)
class Heat:
    """A heat of the bracket. `result` is None while it is not played; `waits`: who sits there is
    not known yet."""

    id: str
    seats: tuple[Entry, ...]
    result: GameResult | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True)
class FinalRow:
    """One finalist's line. `placements`: those in the heats, sorted."""

    entry: Entry
    points: int
    pair_results: int
    placements: tuple[int, ...]
    score: float
    tie_break: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeatBracket:
    """The bracket in heats as it stands. `finalists` by seed, None until they are known; `table`
    once the final is over."""

    heats: tuple[Heat, ...]
    finalists: tuple[Entry, ...] | None
    table: tuple[FinalRow, ...] | None
    placings: tuple[Entry, ...] | None
    """The places of all who were seeded and have not left, best first; None until it is over."""


def heat_bracket(
    seeds: Sequence[Entry], lookup: Lookup, gone: Iterable[Entry], points: Mapping[str, int]
) -> HeatBracket:
    """All heats in the order of play, as far as the results reach.

    An entrant that has left gets no seat, and no other takes it. A heat of one is skipped."""
    seeds = seeds[:HEATS_SIZE]
    away = frozenset(gone)
    rank = {entry: place for place, entry in enumerate(seeds)}
    semis: list[Heat] = []
    if len(seeds) > HEAT:
        for id_, seats in SEMIS.items():
            semis.append(
                _heat(id_, [seeds[seed - 1] for seed in seats if seed <= len(seeds)], lookup, away)
            )
    if not all(_over(heat) for heat in semis):
        waiting = [Heat(id_, (), waits=True) for id_ in FINALS]
        return HeatBracket((*semis, *waiting), None, None, None)
    placed = [_by_placement([heat], heat.seats, rank) for heat in semis]
    through = [entry for order in placed for entry in order[:GO_ON]] if semis else list(seeds)
    finalists = sorted(through, key=rank.__getitem__)
    finals = []
    for number, id_ in enumerate(FINALS):
        turned = number % max(len(finalists), 1)
        finals.append(_heat(id_, finalists[turned:] + finalists[:turned], lookup, away))
    heats = (*semis, *finals)
    if not all(_over(heat) for heat in finals):
        return HeatBracket(heats, tuple(finalists), None, None)
    table = _table([entry for entry in finalists if entry not in away], finals, points, away, rank)
    others = _by_placement(semis, [entry for order in placed for entry in order[GO_ON:]], rank)
    places = [row.entry for row in table] + [entry for entry in others if entry not in away]
    return HeatBracket(heats, tuple(finalists), tuple(table), tuple(places))


def _heat(id_: str, seats: Sequence[Entry], lookup: Lookup, away: frozenset[Entry]) -> Heat:
    return Heat(id_, *seated(id_, seats, lookup, away))


def seated(
    id_: str, seats: Sequence[Entry], lookup: Lookup, away: Collection[Entry]
) -> tuple[tuple[Entry, ...], GameResult | None]:
    """The seats of a heat and its result: as played, or without entrants who left before it was."""
    full = tuple(seats)
    if (result := lookup(id_, full)) is not None or not (
        gone := [entry for entry in full if entry in away]
    ):
        return full, result
    for missing in range(1, len(gone) + 1):
        for absent in combinations(gone, missing):
            there = tuple(entry for entry in full if entry not in absent)
            if len(there) > 1 and (result := lookup(id_, there)) is not None:
                return there, result
    return tuple(entry for entry in full if entry not in away), None


def _over(heat: Heat) -> bool:
    return heat.result is not None or len(heat.seats) < 2


def _by_placement(
    heats: Sequence[Heat], entries: Iterable[Entry], rank: Mapping[Entry, int]
) -> list[Entry]:
    """Entrants by placement in any heat, then by seed. One that sits alone has no placement."""
    places = {
        entry: place
        for heat in heats
        if heat.result is not None
        for entry, place in zip(heat.seats, heat.result.placement, strict=True)
    }
    return sorted(entries, key=lambda entry: (places.get(entry, 1), rank[entry]))


def _table(
    finalists: Sequence[Entry],
    heats: Sequence[Heat],
    points: Mapping[str, int],
    away: frozenset[Entry],
    rank: Mapping[Entry, int],
) -> list[FinalRow]:
    games: list[SeatedResult] = [
        (heat.seats, heat.result) for heat in heats if heat.result is not None
    ]
    sums = summed(finalists, without(games, away), points)
    placements: dict[Entry, list[int]] = {entry: [] for entry in finalists}
    scores: dict[Entry, Exact] = dict.fromkeys(finalists, 0)
    for seats, result in games:
        for entry, place, score in zip(seats, result.placement, result.score, strict=True):
            if entry in placements:
                placements[entry] = sorted([*placements[entry], place])
                scores[entry] += exact(score)
    criteria: list[Criterion[Entry]] = [
        ("head_to_head", head_to_head(sums.met)),
        ("placements", lambda group: [tuple(placements[entry]) for entry in group]),
        ("score", lambda group: [-scores[entry] for entry in group]),
        ("seed", lambda group: [rank[entry] for entry in group]),
    ]

    def row(entry: Entry, tie_break: Sequence[str]) -> FinalRow:
        sum_, places = sums.rows[entry], tuple(placements[entry])
        score = plain(scores[entry])
        return FinalRow(entry, sum_.points, sum_.played, places, score, tuple(tie_break))

    ordered = in_order(finalists, by_mean_points(sums.rows), criteria)
    return [row(*found) for found in ordered]


# --- the final list -------------------------------------------------------------------------------


def placings(
    matches: Sequence[BracketMatch], seeds: Sequence[Entry], gone: Iterable[Entry]
) -> list[Entry] | None:
    """The places that a bracket between two gives, best first (T9); None until it is over. Who has
    left has none."""
    away = frozenset(gone)
    if not matches:
        return [entry for entry in seeds if entry not in away]
    if not all(match.over for match in matches):
        return None
    by_id = {match.id: match for match in matches}
    last = [by_id[id_] for id_ in (FINAL, THIRD) if id_ in by_id]
    found = [entry for match in last for entry in (match.winner, match.loser) if entry is not None]
    out_of = {match.loser: match.of for match in matches if match.loser is not None}
    rank = {entry: place for place, entry in enumerate(seeds)}
    found += sorted(
        (entry for entry in out_of if entry not in found),
        key=lambda entry: (out_of[entry], rank[entry]),
    )
    return [entry for entry in found if entry not in away]


def qualified(rows: Iterable[StandingsRow], size: int) -> list[Entry]:
    """The seeds, the best first: the first `size` of the ranking that have not left (T6)."""
    return [row.entry for row in rows if row.rank is not None and row.status == "active"][:size]


def final_list(
    placed: Sequence[Entry], rows: Iterable[StandingsRow], gone: Iterable[Entry]
) -> list[Entry]:
    """The places of all (T9): those that the bracket gives, then the others by rank in stage 1."""
    away = frozenset(gone)
    others = [
        row.entry
        for row in rows
        if row.rank is not None and row.entry not in placed and row.entry not in away
    ]
    return [entry for entry in [*placed, *others] if entry not in away]
