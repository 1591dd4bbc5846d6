"""The final list (T9), and the bracket of games with more than two seats, in heats (T11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from games.contest.bracket import Lookup
from games.contest.final import FINALS, GO_ON, SEMIS, FinalRow, Heat, HeatBracket, seated
from games.contest.format import HEAT, HEATS_SIZE
from games.contest.result import Entry, exact, plain
from games.contest.standings import SeatedResult
from tests.games.contest.slow_model.standings import (
    Criterion,
    head_to_head,
    in_order,
    mean_points,
    pairs_of,
    summed,
    without,
)


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
    sums = summed(finalists, pairs_of(without(games, away)), points)
    placements: dict[Entry, list[int]] = {entry: [] for entry in finalists}
    scores = dict.fromkeys(finalists, Fraction(0))
    for seats, result in games:
        for entry, place, score in zip(seats, result.placement, result.score, strict=True):
            if entry in placements:
                placements[entry] = sorted([*placements[entry], place])
                scores[entry] += exact(score)
    criteria: list[Criterion[Entry]] = [
        ("head_to_head", head_to_head(sums.between)),
        ("placements", lambda entry, _: tuple(placements[entry])),
        ("score", lambda entry, _: -scores[entry]),
        ("seed", lambda entry, _: rank[entry]),
    ]

    def row(entry: Entry, tie_break: Sequence[str]) -> FinalRow:
        sum_, places = sums.rows[entry], tuple(placements[entry])
        score = plain(scores[entry])
        return FinalRow(entry, sum_.points, sum_.played, places, score, tuple(tie_break))

    ordered = in_order(finalists, lambda entry: -mean_points(sums.rows[entry]), criteria)
    return [row(*found) for found in ordered]
