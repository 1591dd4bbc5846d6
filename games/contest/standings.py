"""The table of stage 1: points, ranks, and the tie-breaks between level bots (T4, T5, T8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, compress, groupby
from math import lcm
from typing import Any, Final, Literal, TypeAlias, TypeVar

from games.contest.format import DUEL, Format
from games.contest.pairings import Pairing
from games.contest.result import Entry, Exact, GameResult, ResultKind, exact, forfeited, plain

Status: TypeAlias = Literal["active", "withdrawn", "disqualified"]
SeatedResult: TypeAlias = tuple[tuple[Entry, ...], GameResult]
"""A finished game: who sat where, and what it gave."""
T = TypeVar("T")

TURNED: Final[Mapping[ResultKind, ResultKind]] = {
    "win": "loss",
    "loss": "win",
    "draw": "draw",
    "both_lost": "both_lost",
}
"""What a game was for the other one."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One line of the table. `rank` is None for a bot whose results are annulled: it has nothing
    but its name."""

    rank: int | None
    entry: Entry
    status: Status
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    """Defeats by an opponent."""
    both_lost: int = 0
    forfeits: int = 0
    points: int = 0
    score_for: float = 0
    score_against: float = 0
    tie_break: tuple[str, ...] = ()
    """The criteria that split the groups this bot was in, in the order applied."""


# --- who counts -----------------------------------------------------------------------------------


def planned(schedule: Iterable[Pairing]) -> Counter[Entry]:
    """How many games each has in a schedule."""
    return Counter(entry for pairing in schedule for entry in pairing.seats)


def annulled(
    planned: Mapping[Entry, int], games: Iterable[SeatedResult], left: Mapping[Entry, Status]
) -> frozenset[Entry]:
    """Whose results do not count (T8): the disqualified, and who withdrew before half of the
    planned games were played."""
    played = Counter(entry for seats, _ in games for entry in seats)
    return frozenset(
        entry
        for entry, status in left.items()
        if status == "disqualified"
        or (status == "withdrawn" and 2 * played[entry] < planned[entry])
    )


def settled(
    games: Iterable[SeatedResult],
    missing: Iterable[Pairing],
    gone: Mapping[Entry, tuple[int, int]],
    annulled: frozenset[Entry],
    format_: Format,
) -> Iterator[SeatedResult]:
    """The games that count: those played, and as forfeits the missing ones of bots that left (T8).

    `gone`: the stage and the round in which each left. A game that one side lost by leaving stays
    won when the other side leaves in a later one."""
    forfeits = []
    for pairing in missing:
        if left := [gone[entry] for entry in pairing.seats if entry in gone]:
            out = [seat for seat, entry in enumerate(pairing.seats) if gone.get(entry) == min(left)]
            forfeits.append(
                (pairing.seats, forfeited(len(pairing.seats), out, format_.forfeit_score))
            )
    return without(chain(games, forfeits), annulled)


def without(games: Iterable[SeatedResult], entries: frozenset[Entry]) -> Iterator[SeatedResult]:
    """The games without these bots. Of a heat the others' part stays."""
    for game in games:
        seats, result = game
        if entries.isdisjoint(seats):
            yield game
            continue
        kept = [seat for seat, entry in enumerate(seats) if entry not in entries]
        if len(kept) >= DUEL:
            yield tuple(seats[seat] for seat in kept), part(result, kept)


def part(result: GameResult, seats: Sequence[int]) -> GameResult:
    """What a result is to some of its seats."""
    return GameResult(
        tuple(result.placement[seat] for seat in seats),
        tuple(result.score[seat] for seat in seats),
        tuple(result.forfeit[seat] for seat in seats),
    )


# --- the table ------------------------------------------------------------------------------------


def standings(
    entries: Sequence[Entry],
    games: Iterable[SeatedResult],
    points: Mapping[str, int],
    left: Mapping[Entry, Status] | None = None,
    annulled: frozenset[Entry] = frozenset(),
) -> list[StandingsRow]:
    """The table, the best first, the annulled last by entry. The order of games has no effect."""
    gone: Mapping[Entry, Status] = left or {}
    ranked = [entry for entry in sorted(entries) if entry not in annulled]
    sums = summed(ranked, games, points)
    order = in_order(ranked, by_mean_points(sums.rows), _criteria(sums))
    rows = [
        _row(rank, entry, gone.get(entry, "active"), sums.rows[entry], tie_break)
        for rank, (entry, tie_break) in enumerate(order, start=1)
    ]
    return rows + [
        StandingsRow(None, entry, gone.get(entry, "active")) for entry in sorted(annulled)
    ]


@dataclass(slots=True)
class Sum:
    """What one bot reached."""

    wins: int
    draws: int
    losses: int
    """Defeats by an opponent."""
    both_lost: int
    forfeits: int
    points: int
    score_for: Exact
    score_against: Exact

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses + self.both_lost


@dataclass(frozen=True, slots=True)
class Sums:
    """What each reached in all; whom each has met, and the points that it got for that, game by
    game."""

    rows: Mapping[Entry, Sum]
    met: Mapping[Entry, tuple[Sequence[Entry], Sequence[int]]]


def summed(
    entries: Iterable[Entry], games: Iterable[SeatedResult], points: Mapping[str, int]
) -> Sums:
    rows, met = {}, {}
    for entry, own in _by_entry(entries, games).items():
        rows[entry] = _sum(own, points)
        met[entry] = own[::FIELDS], [points[way] for way in own[1::FIELDS]]
    return Sums(rows, met)


Flat: TypeAlias = list[Any]
"""What games were for one bot, one after the other: of each the other bot, the kind of result
(T11), whether it was a forfeit, the own score and the other's. A list without parts, because an
object for each game is most of what a large table costs."""
FIELDS: Final = 5


def _by_entry(entries: Iterable[Entry], games: Iterable[SeatedResult]) -> dict[Entry, Flat]:
    """Every game as a result for each pair in it, both ways."""
    own: dict[Entry, Flat] = {entry: [] for entry in entries}
    for seats, result in games:
        forfeit = result.forfeit
        scores = [score if type(score) is int else exact(score) for score in result.score]
        for here, there in _pairs(len(seats)):
            way, one, other = result.way(here, there), seats[here], seats[there]
            own[one] += other, way, forfeit[here], scores[here], scores[there]
            own[other] += one, TURNED[way], forfeit[there], scores[there], scores[here]
    return own


@cache
def _pairs(seats: int) -> Sequence[tuple[int, int]]:
    return tuple(combinations(range(seats), DUEL))


def _sum(own: Flat, points: Mapping[str, int]) -> Sum:
    ways = own[1::FIELDS]
    return Sum(
        ways.count("win"),
        ways.count("draw"),
        ways.count("loss"),
        ways.count("both_lost"),
        sum(own[2::FIELDS]),
        sum(points[way] for way in ways),
        sum(own[3::FIELDS]),
        sum(own[4::FIELDS]),
    )


def by_mean_points(rows: Mapping[Entry, Sum]) -> Callable[[Sequence[Entry]], Sequence[int]]:
    """Orders by points per game; 0 where none was played (T5)."""
    return lambda group: means([(rows[entry].points, rows[entry].played) for entry in group])


def means(sums: Sequence[tuple[int, int]]) -> list[int]:
    """Whole numbers that are in order as the quotients are, the largest first; of nothing by
    nothing it is 0."""
    common = lcm(*{count for _, count in sums if count})
    return [-total * (common // count) if count else 0 for total, count in sums]


def _row(
    rank: int, entry: Entry, status: Status, sum_: Sum, tie_break: Sequence[str]
) -> StandingsRow:
    return StandingsRow(
        rank,
        entry,
        status,
        sum_.played,
        sum_.wins,
        sum_.draws,
        sum_.losses,
        sum_.both_lost,
        sum_.forfeits,
        sum_.points,
        plain(sum_.score_for),
        plain(sum_.score_against),
        tuple(tie_break),
    )


Criterion: TypeAlias = tuple[str, Callable[[Sequence[T]], Sequence[Any]]]
"""A name, and the sort keys of the members of a group."""


def _criteria(sums: Sums) -> list[Criterion[Entry]]:
    """The chain of T5."""

    def of_each(key: Callable[[Sum], Any]) -> Callable[[Sequence[Entry]], Sequence[Any]]:
        return lambda group: [key(sums.rows[entry]) for entry in group]

    return [
        ("head_to_head", head_to_head(sums.met)),
        ("wins", of_each(lambda sum_: -sum_.wins)),
        ("losses", of_each(lambda sum_: sum_.losses + sum_.both_lost)),
        ("score_diff", of_each(lambda sum_: sum_.score_against - sum_.score_for)),
        ("forfeits", of_each(lambda sum_: sum_.forfeits)),
        ("entry", lambda group: group),
    ]


def head_to_head(
    met: Mapping[Entry, tuple[Sequence[Entry], Sequence[int]]],
) -> Callable[[Sequence[Entry]], Sequence[int]]:
    """Orders by points per game in the games among a group only."""

    def keys(group: Sequence[Entry]) -> list[int]:
        among = frozenset(group)
        found = []
        for entry in group:
            others, points = met[entry]
            inside = [other in among for other in others]
            found.append((sum(compress(points, inside)), sum(inside)))
        return means(found)

    return keys


def in_order(
    members: Sequence[T],
    first: Callable[[Sequence[T]], Sequence[Any]],
    criteria: Sequence[Criterion[T]],
) -> list[tuple[T, list[str]]]:
    """The members by the first keys; those level on them by the first criterion that differs, and
    each part from the start again.

    With each come the criteria that split its groups. The last criterion must tell all apart."""
    found: list[tuple[T, list[str]]] = []
    for group in _grouped(members, first(members)):
        found += _split(group, criteria)
    return found


def _grouped(members: Sequence[T], keys: Sequence[Any]) -> Iterator[list[T]]:
    """Those with the same key, the least key first."""
    order = sorted(range(len(members)), key=keys.__getitem__)
    for _, part in groupby(order, key=keys.__getitem__):
        yield [members[at] for at in part]


def _split(group: Sequence[T], criteria: Sequence[Criterion[T]]) -> list[tuple[T, list[str]]]:
    if len(group) == 1:
        return [(group[0], [])]
    for name, keys_of in criteria:
        keys = keys_of(group)
        if len(set(keys)) > 1:
            found = []
            for part in _grouped(group, keys):
                for member, more in _split(part, criteria):
                    found.append((member, [name, *more]))
            return found
    raise AssertionError(f"nothing tells {group} apart")


def crosstable(
    games: Iterable[SeatedResult], points: Mapping[str, int]
) -> Mapping[tuple[Entry, Entry], Sum]:
    """What the first of each pair that has met reached against the second."""
    games = list(games)
    entries = {entry for seats, _ in games for entry in seats}
    between: defaultdict[tuple[Entry, Entry], Flat] = defaultdict(list)
    for entry, own in _by_entry(entries, games).items():
        for at in range(0, len(own), FIELDS):
            between[entry, own[at]] += own[at : at + FIELDS]
    return {pair: _sum(own, points) for pair, own in between.items()}
