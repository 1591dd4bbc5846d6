"""Who meets whom, on which seats, under which seed (T3, T11), from the arguments alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from games.contest.pairings import PATIENCE, Pairing, meeting
from games.contest.result import Entry

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
                    found.append(meeting("rr", len(found) + 1, cycle, number, one, other))
    return found


def gauntlet(entries: Sequence[Entry], challengers: int, cycles: int) -> list[Pairing]:
    """The first `challengers` entrants against all others; seats and seeds as in a round robin."""
    few, many = entries[:challengers], entries[challengers:]
    found: list[Pairing] = []
    for cycle in range(1, cycles + 1):
        for number, other in enumerate(many, start=1):
            for place, one in enumerate(few):
                pair = (one, other) if (number + place) % 2 else (other, one)
                found.append(meeting("rr", len(found) + 1, cycle, number, *pair))
    return found


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
