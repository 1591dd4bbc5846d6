"""Single elimination between two (T6, T7): the pairs, the games that are due, who advances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from games.contest.bracket import (
    THIRD,
    BracketMatch,
    Lookup,
    played,
    round_name,
    slots,
)
from games.contest.format import Format
from games.contest.result import Entry


@dataclass(frozen=True, slots=True)
class _Side:
    """Who comes into a match from one of the places before it."""

    source: str
    known: bool = True
    player: Entry | None = None
    bye: bool = False
    """This place was never meant to be filled."""


def bracket(
    seeds: Sequence[Entry], lookup: Lookup, gone: Mapping[Entry, str], format_: Format
) -> list[BracketMatch]:
    """All matches in the order of play, as far as the results reach. `seeds`: the best first; fewer
    than two: no match.

    `gone`: who has left, and before which match; empty: before whichever comes. Of two who have
    left, a walkover is for the one of whom it is said that it left before a later match."""
    if len(seeds) < 2:
        return []
    size = 1 << (len(seeds) - 1).bit_length()
    sides = [_seeded(seeds, seed) for seed in slots(size)]
    played: list[BracketMatch] = []
    while size > 1:
        last = size == 2
        past = {match.id for match in played}
        gone = {entry: "" if match in past else match for entry, match in gone.items()}
        best_of = format_.best_of_final if last else format_.best_of
        match_of = partial(_match, seeds, lookup, gone, format_, best_of)
        if last and len(seeds) > 3:
            played.append(match_of(THIRD, 4, [_loser(match) for match in played[-2:]]))
        round_ = [
            match_of(round_name(size, number), size, sides[2 * number - 2 : 2 * number])
            for number in range(1, size // 2 + 1)
        ]
        played += round_
        sides = [_winner(match) for match in round_]
        size //= 2
    return played


def _seeded(seeds: Sequence[Entry], seed: int) -> _Side:
    if seed > len(seeds):
        return _Side("bye", bye=True)
    return _Side(f"seed {seed}", player=seeds[seed - 1])


def _winner(match: BracketMatch) -> _Side:
    return _Side(f"winner {match.id}", match.over, match.winner)


def _loser(match: BracketMatch) -> _Side:
    return _Side(f"loser {match.id}", match.over, match.loser)


def _match(
    seeds: Sequence[Entry],
    lookup: Lookup,
    gone: Mapping[Entry, str],
    format_: Format,
    best_of: int,
    id_: str,
    of: int,
    sides: Sequence[_Side],
) -> BracketMatch:
    upper, lower = sides
    players = (upper.player, lower.player)
    by_seed = tuple(entry for entry in seeds if entry in players)
    sources = (upper.source, lower.source)
    waits = not (upper.known and lower.known)
    begun = BracketMatch(id_, of, best_of, players, sources, by_seed, waits=waits)
    if begun.waits:
        return begun
    if upper.bye or lower.bye:
        return replace(begun, winner=by_seed[0], decided_by="bye")
    found = played(begun, lookup, format_)
    here = [player for player in by_seed if player not in gone]
    if found.over or len(here) == len(sides):
        return found
    here = here or [player for player in by_seed if gone[player] not in ("", id_)]
    if len(here) != 1:
        return replace(found, decided_by="void")
    loser = next((player for player in by_seed if player != here[0]), None)
    return replace(found, winner=here[0], loser=loser, decided_by="walkover")
