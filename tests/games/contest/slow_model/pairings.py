"""Who meets whom, on which seats, under which seed (T3, T11), from the arguments alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.contest.format import DUEL
from games.contest.pairings import PATIENCE, match_seed
from games.contest.result import Entry


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of stage 1. `words`: what its seed comes from, besides the tournament's."""

    number: int
    cycle: int
    round: int
    seats: tuple[Entry, ...]
    words: tuple[str | int, ...]

    def seed(self, tournament_seed: int, again: int = 0) -> int:
        return match_seed(tournament_seed, *self.words, again=again)


# --- round robin ----------------------------------------------------------------------------------


def rounds(entries: Sequence[Entry]) -> Iterator[list[tuple[Entry | None, Entry | None]]]:
    """One cycle by the circle method (T3): per round the pairs, the first one on seat 0; None is
    the empty place."""
    circle: list[Entry | None] = [*entries, *([None] if len(entries) % 2 else [])]
    for round_ in range(len(circle) - 1):
        pairs = [(circle[board], circle[-1 - board]) for board in range(len(circle) // 2)]
        if round_ % 2:
            pairs[0] = pairs[0][::-1]
        yield pairs
        circle.insert(1, circle.pop())


def round_robin(entries: Sequence[Entry], cycles: int) -> list[Pairing]:
    """`cycles` full round robins; in every second one all seats are swapped. The two of a pair of
    cycles share their seeds."""
    found: list[Pairing] = []
    for cycle in range(1, cycles + 1):
        for number, pairs in enumerate(rounds(entries), start=1):
            for one, other in pairs:
                if one is not None and other is not None:
                    found.append(_meeting("rr", len(found) + 1, cycle, number, one, other))
    return found


def gauntlet(entries: Sequence[Entry], challengers: int, cycles: int) -> list[Pairing]:
    """The first `challengers` entrants against all others; seats and seeds as in a round robin."""
    few, many = entries[:challengers], entries[challengers:]
    found: list[Pairing] = []
    for cycle in range(1, cycles + 1):
        for number, other in enumerate(many, start=1):
            for place, one in enumerate(few):
                pair = (one, other) if (number + place) % 2 else (other, one)
                found.append(_meeting("rr", len(found) + 1, cycle, number, *pair))
    return found


def _meeting(
    kind: str, number: int, cycle: int, round_: int, one: Entry, other: Entry, *more: int
) -> Pairing:
    seats = (one, other) if cycle % 2 else (other, one)
    return Pairing(
        number, cycle, round_, seats, (kind, *more, min(seats), max(seats), (cycle - 1) // 2)
    )


# --- swiss ----------------------------------------------------------------------------------------


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
    if not field:
        return []
    tried = 0
    stack: list[tuple[list[tuple[Entry, Entry]], list[Entry], int]] = [([], list(field), 1)]
    while stack and tried < PATIENCE:
        pairs, left, at = stack.pop()
        tried += 1
        while at < len(left) and met.get(frozenset((left[0], left[at])), 0) > repeats:
            at += 1
        if at == len(left):
            continue
        stack.append((pairs, left, at + 1))
        pair = (left[0], left[at])
        rest = left[1:at] + left[at + 1 :]
        if not rest:
            return [*pairs, pair]
        stack.append(([*pairs, pair], rest, 1))
    return None


def swiss_games(
    round_: int, pairs: Sequence[tuple[Entry, Entry]], games: int, before: int
) -> list[Pairing]:
    """The games of a round: `games` of each pair, seats swapped as in a round robin. `before`: the
    numbers that are taken."""
    return [
        _meeting("swiss", before + number * games + game, game, round_, *pair, round_)
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
