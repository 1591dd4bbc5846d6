"""Who meets whom, on which seats, under which seed (T3, T11), from the arguments alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Final, overload

from games.contest.format import DUEL
from games.contest.result import Entry

PATIENCE: Final = 20_000
"""Swiss: how many pairs are tried until one more repeated meeting is allowed."""
LONGEST_NUMBER: Final = 12
"""Digits of a game's number."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of stage 1. `words`: what its seed comes from, besides the tournament's."""

    number: int
    cycle: int
    round: int
    seats: tuple[Entry, ...]
    words: tuple[str | int, ...]

    @property
    def id(self) -> str:
        """The id of the game."""
        return f"{self.words[0]}-{self.number}"

    def seed(self, tournament_seed: int, again: int = 0) -> int:
        return match_seed(tournament_seed, *self.words, again=again)


def match_seed(tournament_seed: int, *words: str | int, again: int = 0) -> int:
    """A game's seed (T3): the first 8 bytes of SHA-256 of `S:words`, shifted right by one bit.

    `again`: how many seeds were used up before, by games that could not be finished.
    """
    text = ":".join(map(str, (tournament_seed, *words, *((again,) if again else ()))))
    return int.from_bytes(sha256(text.encode("ascii")).digest()[:8]) >> 1


# --- schedules that are known from the beginning -------------------------------------------------


class PairingSchedule(Sequence[Pairing], ABC):
    """Pairings in their order, with the numbers from 1; each is made when it is asked for."""

    word: str
    """What the ids of its games begin with."""

    @abstractmethod
    def made(self, at: int) -> Pairing:
        """The pairing at this index."""

    @abstractmethod
    def of(self, entry: Entry) -> Iterable[int]:
        """The indexes of an entrant's pairings."""

    @abstractmethod
    def planned(self, entry: Entry) -> int:
        """How many games an entrant has."""

    @overload
    def __getitem__(self, at: int) -> Pairing: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Pairing]: ...
    def __getitem__(self, at: int | slice) -> Pairing | Sequence[Pairing]:
        if isinstance(at, slice):
            return [self.made(one) for one in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self.made(at % len(self))

    def find(self, id_: str) -> Pairing | None:
        """The pairing of the game with this id."""
        word, _, number = id_.rpartition("-")
        if word != self.word or not number.isdecimal() or len(number) > LONGEST_NUMBER:
            return None
        found = self[int(number) - 1] if 1 <= int(number) <= len(self) else None
        return found if found is not None and found.id == id_ else None


class Listed(PairingSchedule):
    """These pairings. `planned`: the games of each entrant, if more follow than these."""

    def __init__(
        self, word: str, pairings: Sequence[Pairing], planned: Mapping[Entry, int] | None = None
    ) -> None:
        self.word = word
        self._pairings = pairings
        self._planned = planned

    def __len__(self) -> int:
        return len(self._pairings)

    def made(self, at: int) -> Pairing:
        return self._pairings[at]

    def more(self, pairings: Sequence[Pairing], planned: Mapping[Entry, int]) -> Listed:
        """The schedule with these pairings too. Its index goes on from this one's, once a round, so
        that one who leaves does not wait for it."""
        made = Listed(self.word, (*self._pairings, *pairings), planned)
        made._own = _indexed(self._own, len(self), pairings)
        return made

    @cached_property
    def _own(self) -> Mapping[Entry, Sequence[int]]:
        return _indexed({}, 0, self._pairings)

    def of(self, entry: Entry) -> Iterable[int]:
        return self._own.get(entry, ())

    def planned(self, entry: Entry) -> int:
        return (
            len(self._own.get(entry, ())) if self._planned is None else self._planned.get(entry, 0)
        )


def _indexed(
    known: Mapping[Entry, Sequence[int]], start: int, pairings: Iterable[Pairing]
) -> Mapping[Entry, Sequence[int]]:
    """The indexes of each entrant's pairings: the known ones, and of these from `start` on."""
    found: defaultdict[Entry, list[int]] = defaultdict(list)
    for at, pairing in enumerate(pairings, start):
        for entry in pairing.seats:
            found[entry].append(at)
    return {**known, **{entry: (*known.get(entry, ()), *own) for entry, own in found.items()}}


def rounds(entries: Sequence[Entry]) -> Iterator[list[tuple[Entry | None, Entry | None]]]:
    """One cycle by the circle method (T3): per round the pairs, the first one on seat 0; None is
    the empty place."""
    circle: list[Entry | None] = [*entries, *([None] if len(entries) % 2 else [])]
    for round_ in range(len(circle) - 1):
        yield [
            (circle[one], circle[other])
            for one, other in (
                _board(len(circle), round_, board) for board in range(len(circle) // 2)
            )
        ]


def _board(size: int, round_: int, board: int) -> tuple[int, int]:
    """Which places of the first circle meet at a board in a round, both from 0: the first one
    stays, the others go on by one a round."""
    one, other = (
        place and (place - 1 - round_) % (size - 1) + 1 for place in (board, size - 1 - board)
    )
    return (other, one) if round_ % 2 and board == 0 else (one, other)


class RoundRobin(PairingSchedule):
    """`cycles` full round robins; in every second one all seats are swapped. The two of a pair of
    cycles share their seeds."""

    word = "rr"

    def __init__(self, entries: Sequence[Entry], cycles: int) -> None:
        self._entries = entries
        self._cycles = cycles
        self._size = len(entries) + len(entries) % 2
        """Places in the circle: with an odd field the last one is empty."""
        self._places = {entry: place for place, entry in enumerate(entries)}

    def __len__(self) -> int:
        return self._cycles * len(self._entries) * (len(self._entries) - 1) // 2

    def made(self, at: int) -> Pairing:
        cycle, in_cycle = divmod(at, len(self) // self._cycles)
        round_, board = divmod(in_cycle, len(self._entries) // 2)
        board += board >= self._empty(round_)
        one, other = _board(self._size, round_, board)
        pair = self._entries[one], self._entries[other]
        return meeting("rr", at + 1, cycle + 1, round_ + 1, *pair)

    def _empty(self, round_: int) -> int:
        """The board without a game."""
        if self._size == len(self._entries):
            return self._size
        return self._at(self._size - 1, round_)

    def _at(self, place: int, round_: int) -> int:
        """The board of a place of the circle."""
        now = place and (place - 1 + round_) % (self._size - 1) + 1
        return min(now, self._size - 1 - now)

    def of(self, entry: Entry) -> Iterable[int]:
        if entry not in self._places:
            return
        boards = len(self._entries) // 2
        for number in range(self._cycles * (self._size - 1)):
            round_ = number % (self._size - 1)
            board, empty = self._at(self._places[entry], round_), self._empty(round_)
            if board != empty:
                yield number * boards + board - (board > empty)

    def planned(self, entry: Entry) -> int:
        return self._cycles * (len(self._entries) - 1) if entry in self._places else 0


class Gauntlet(PairingSchedule):
    """The first `challengers` entrants against all others; seats and seeds as in a round robin."""

    word = "rr"

    def __init__(self, entries: Sequence[Entry], challengers: int, cycles: int) -> None:
        self._few, self._many = entries[:challengers], entries[challengers:]
        self._cycles = cycles
        self._places = {entry: place for place, entry in enumerate(entries)}

    def __len__(self) -> int:
        return self._cycles * len(self._few) * len(self._many)

    def made(self, at: int) -> Pairing:
        before, place = divmod(at, len(self._few))
        cycle, number = divmod(before, len(self._many))
        one, other = self._few[place], self._many[number]
        pair = (other, one) if (number + place) % 2 else (one, other)
        return meeting("rr", at + 1, cycle + 1, number + 1, *pair)

    def of(self, entry: Entry) -> Iterable[int]:
        few, many = len(self._few), len(self._many)
        place = self._places.get(entry)
        if place is None:
            return range(0)
        if place < few:
            return range(place, len(self), few)
        first = (place - few) * few
        return [
            cycle * few * many + number
            for cycle in range(self._cycles)
            for number in range(first, first + few)
        ]

    def planned(self, entry: Entry) -> int:
        return len([*self.of(entry)])


def meeting(
    kind: str, number: int, cycle: int, round_: int, one: Entry, other: Entry, *more: int
) -> Pairing:
    """A game of two: in every second cycle they swap seats, and the two of a pair of cycles share
    their seed. `more`: what else the seed comes from."""
    seats = (one, other) if cycle % 2 else (other, one)
    return Pairing(
        number, cycle, round_, seats, (kind, *more, min(seats), max(seats), (cycle - 1) // 2)
    )


# --- swiss ----------------------------------------------------------------------------------------


def swiss_rounds(entrants: int) -> int:
    """As many as a knock-out would need, and one more."""
    return max(1, (entrants - 1).bit_length() + (entrants > DUEL))


def swiss_round(
    order: Sequence[Entry],
    met: Mapping[frozenset[Entry], int],
    first_seats: Mapping[Entry, int],
    had_bye: Sequence[Entry],
) -> tuple[list[tuple[Entry, Entry]], Entry | None]:
    """The pairs of a round, the first one on seat 0, and who has no game.

    `order`: the field as it stands, the best first. Each, from the top, meets the nearest one
    below, as long as no pair meets more often than it must. With an odd number the last of those
    with the fewest byes has one. Seat 0 is for who had it less often, else for the lower one."""
    field = list(order)
    bye = None
    if len(field) % 2:
        times = Counter(had_bye)
        fewest = min(times[entry] for entry in field)
        bye = next(entry for entry in reversed(field) if times[entry] == fewest)
        field.remove(bye)
    repeats = 0
    while (pairs := _matched(field, met, repeats)) is None:
        repeats += 1
    return [
        (a, b) if first_seats.get(a, 0) < first_seats.get(b, 0) else (b, a) for a, b in pairs
    ], bye


def _matched(
    field: Sequence[Entry], met: Mapping[frozenset[Entry], int], repeats: int
) -> list[tuple[Entry, Entry]] | None:
    """The first way, from the top, to pair all without a pair that has met more often than
    `repeats`; None: none was found."""
    end = len(field)
    after, before = [*range(1, end + 1), 0], [end, *range(end)]
    """Those who are left, as a ring of their places; the end comes before the first of them."""
    pairs: list[tuple[int, int]] = []
    one, other = 0, 1
    for _ in range(PATIENCE):
        if after[end] == end:
            break
        while other != end and met.get(frozenset((field[one], field[other])), 0) > repeats:
            other = after[other]
        if other != end:
            for place in (one, other):
                after[before[place]], before[after[place]] = after[place], before[place]
            pairs.append((one, other))
            one = after[end]
            other = after[one]
        elif pairs:
            one, other = pairs.pop()
            for place in (other, one):
                after[before[place]] = before[after[place]] = place
            other = after[other]
        else:
            return None
    else:
        if after[end] != end:
            return None
    return [(field[one], field[other]) for one, other in pairs]


def swiss_games(
    round_: int, pairs: Sequence[tuple[Entry, Entry]], games: int, before: int
) -> list[Pairing]:
    """The games of a round: `games` of each pair, seats swapped as in a round robin. `before`: the
    numbers that are taken."""
    return [
        meeting("swiss", before + number * games + game, game, round_, *pair, round_)
        for number, pair in enumerate(pairs)
        for game in range(1, games + 1)
    ]


# --- heats ----------------------------------------------------------------------------------------


def heats(entries: Sequence[Entry], seats: int, meetings: int) -> list[Pairing]:
    """Heats until every pair has met `meetings` times (T11)."""
    seats = min(seats, len(entries))
    met: Counter[frozenset[Entry]] = Counter()
    played: Counter[Entry] = Counter()
    pairs = list(combinations(sorted(entries), DUEL))
    found: list[Pairing] = []
    games = played.__getitem__
    while pairs and min(met[frozenset(pair)] for pair in pairs) < meetings:
        heat = [*min(pairs, key=lambda pair: (met[frozenset(pair)], sum(map(games, pair)), pair))]
        while len(heat) < seats:
            free = [entry for entry in entries if entry not in heat]
            heat.append(min(free, key=lambda new: (_meetings(met, new, heat), games(new), new)))
        turned, number = len(found) % seats, len(found) + 1
        order = tuple(heat[turned:] + heat[:turned])
        found.append(Pairing(number, 1, number, order, ("heat", number)))
        played.update(heat)
        met.update(frozenset(pair) for pair in combinations(heat, DUEL))
    return found


def _meetings(met: Counter[frozenset[Entry]], new: Entry, heat: Sequence[Entry]) -> int:
    """How often an entrant has met those of a heat."""
    return sum(met[frozenset((new, one))] for one in heat)
