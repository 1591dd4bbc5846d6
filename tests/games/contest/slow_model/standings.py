"""The table of stage 1: points, ranks, and the tie-breaks between level bots (T4, T5, T8)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, Final, TypeAlias, TypeVar

from games.contest.format import DUEL, Format
from games.contest.pairings import Pairing
from games.contest.result import Entry, ResultKind, exact, forfeited, plain
from games.contest.standings import SeatedResult, StandingsRow, Status, part

T = TypeVar("T")

NONE_PLAYED: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Against:
    """What one bot's games against another were, as it counts them."""

    one: Entry
    other: Entry
    way: ResultKind
    score_for: Fraction
    score_against: Fraction
    forfeit: bool


def pairs_of(games: Iterable[SeatedResult]) -> list[Against]:
    """Every game as a result for each pair in it, both ways (T11)."""
    found = []
    for seats, result in games:
        scores = [exact(score) for score in result.score]
        for here, there in combinations(range(len(seats)), DUEL):
            for seat, other in ((here, there), (there, here)):
                way, forfeit = result.way(seat, other), result.forfeit[seat]
                pair, points = (seats[seat], seats[other]), (scores[seat], scores[other])
                found.append(Against(*pair, way, *points, forfeit))
    return found


# --- who counts -----------------------------------------------------------------------------------


def settled(
    games: Iterable[SeatedResult],
    missing: Iterable[Pairing],
    gone: Mapping[Entry, tuple[int, int]],
    annulled: frozenset[Entry],
    format_: Format,
) -> list[SeatedResult]:
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
    return without([*games, *forfeits], annulled)


def without(games: Iterable[SeatedResult], entries: frozenset[Entry]) -> list[SeatedResult]:
    """The games without these bots. Of a heat the others' part stays."""
    found: list[SeatedResult] = []
    for seats, result in games:
        kept = [seat for seat, entry in enumerate(seats) if entry not in entries]
        if len(kept) == len(seats):
            found.append((seats, result))
        elif len(kept) >= DUEL:
            found.append((tuple(seats[seat] for seat in kept), part(result, kept)))
    return found


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
    sums = summed(ranked, pairs_of(games), points)
    order = in_order(ranked, lambda entry: -mean_points(sums.rows[entry]), _criteria(sums))
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

    wins: int = 0
    draws: int = 0
    losses: int = 0
    """Defeats by an opponent."""
    both_lost: int = 0
    forfeits: int = 0
    points: int = 0
    score_for: Fraction = NONE_PLAYED
    score_against: Fraction = NONE_PLAYED

    @property
    def played(self) -> int:
        return self.wins + self.draws + self.losses + self.both_lost

    def add(self, game: Against, points: Mapping[str, int]) -> None:
        self.wins += game.way == "win"
        self.draws += game.way == "draw"
        self.losses += game.way == "loss"
        self.both_lost += game.way == "both_lost"
        self.points += points[game.way]
        self.forfeits += game.forfeit
        self.score_for += game.score_for
        self.score_against += game.score_against


@dataclass(frozen=True, slots=True)
class Sums:
    """What each reached in all, and against each other."""

    rows: Mapping[Entry, Sum]
    between: Mapping[tuple[Entry, Entry], Sum]
    """What the first of a pair reached against the second."""


def summed(entries: Iterable[Entry], games: Iterable[Against], points: Mapping[str, int]) -> Sums:
    rows = {entry: Sum() for entry in entries}
    between: defaultdict[tuple[Entry, Entry], Sum] = defaultdict(Sum)
    for game in games:
        rows[game.one].add(game, points)
        between[game.one, game.other].add(game, points)
    return Sums(rows, between)


def mean_points(sum_: Sum) -> Fraction:
    """Points per game; 0 where none was played (T5)."""
    return Fraction(sum_.points, sum_.played) if sum_.played else NONE_PLAYED


def _row(
    rank: int, entry: Entry, status: Status, sum_: Sum, tie_break: Sequence[str]
) -> StandingsRow:
    sums = asdict(sum_) | {
        "score_for": plain(sum_.score_for),
        "score_against": plain(sum_.score_against),
    }
    return StandingsRow(rank, entry, status, sum_.played, **sums, tie_break=tuple(tie_break))


Criterion: TypeAlias = tuple[str, Callable[[T, Sequence[T]], Any]]
"""A name, and the sort key of a member within its group, called with both."""


def _criteria(sums: Sums) -> list[Criterion[Entry]]:
    """The chain of T5."""
    rows = sums.rows
    return [
        ("head_to_head", head_to_head(sums.between)),
        ("wins", lambda entry, _: -rows[entry].wins),
        ("losses", lambda entry, _: rows[entry].losses + rows[entry].both_lost),
        ("score_diff", lambda entry, _: rows[entry].score_against - rows[entry].score_for),
        ("forfeits", lambda entry, _: rows[entry].forfeits),
        ("entry", lambda entry, _: entry),
    ]


def head_to_head(
    between: Mapping[tuple[Entry, Entry], Sum],
) -> Callable[[Entry, Sequence[Entry]], Fraction]:
    """Orders by points per game in the games among a group only."""

    def key(entry: Entry, group: Sequence[Entry]) -> Fraction:
        games = [between[entry, other] for other in group if (entry, other) in between]
        played = sum(one.played for one in games)
        return -Fraction(sum(one.points for one in games), played) if played else NONE_PLAYED

    return key


def in_order(
    members: Sequence[T], first: Callable[[T], Any], criteria: Sequence[Criterion[T]]
) -> list[tuple[T, list[str]]]:
    """The members by the first key; those level on it by the first criterion that differs, and each
    part from the start again.

    With each come the criteria that split its groups. The last criterion must tell all apart."""
    found: list[tuple[T, list[str]]] = []
    for _, group in groupby(sorted(members, key=first), key=first):
        found += _split(list(group), criteria)
    return found


def _split(group: Sequence[T], criteria: Sequence[Criterion[T]]) -> list[tuple[T, list[str]]]:
    if len(group) == 1:
        return [(group[0], [])]
    for name, key in criteria:
        keys = {id_: key(member, group) for id_, member in enumerate(group)}
        if len(set(keys.values())) > 1:
            found = []
            for _, part in groupby(sorted(keys, key=keys.__getitem__), key=keys.__getitem__):
                for member, more in _split([group[id_] for id_ in part], criteria):
                    found.append((member, [name, *more]))
            return found
    raise AssertionError(f"nothing tells {group} apart")


def crosstable(
    games: Iterable[SeatedResult], points: Mapping[str, int]
) -> Mapping[tuple[Entry, Entry], Sum]:
    """What the first of each pair that has met reached against the second."""
    pairs = pairs_of(games)
    return summed({game.one for game in pairs}, pairs, points).between
