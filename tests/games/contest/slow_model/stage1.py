"""Stage 1 of a tournament: the schedule of its format, and what of it was played (T3, T8, T11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf

from games.contest.final import seated
from games.contest.format import DUEL, Format
from games.contest.pairings import Pairing, heats, swiss_games, swiss_rounds
from games.contest.result import Entry, GameResult
from games.contest.standings import SeatedResult, planned
from tests.games.contest.slow_model import pairings, standings
from tests.games.contest.slow_model.log import Log


@dataclass(frozen=True, slots=True)
class Stage1:
    """The games that are known. `over`: all are played, and no further round follows."""

    over: bool
    schedule: Sequence[Pairing] = ()
    seats: Mapping[int, tuple[Entry, ...]] = field(default_factory=dict)
    """Who plays, by the pairing's number, without those who are gone."""
    played: Mapping[int, GameResult] = field(default_factory=dict)
    open: Sequence[Pairing] = ()
    planned: Mapping[Entry, int] = field(default_factory=dict)
    """How many games each entrant has."""

    @property
    def games(self) -> list[SeatedResult]:
        return [
            (pairing.seats, self.played[pairing.number])
            for pairing in self.schedule
            if pairing.number in self.played
        ]

    @property
    def missing(self) -> list[Pairing]:
        return [pairing for pairing in self.schedule if pairing.number not in self.played]


def id_of(pairing: Pairing) -> str:
    """The id of a game of stage 1."""
    return f"{pairing.words[0]}-{pairing.number}"


def stage1(format_: Format, entries: tuple[Entry, ...], log: Log) -> Stage1:
    """Stage 1 between two or more entrants."""
    if format_.format == "swiss":
        return _swiss(format_, entries, log)
    schedule, planned = _schedule(format_, entries)
    return _played(schedule, planned, log, last=True)


@lru_cache(maxsize=16)
def _schedule(
    format_: Format, entries: tuple[Entry, ...]
) -> tuple[tuple[Pairing, ...], Mapping[Entry, int]]:
    """A schedule that is known from the beginning, and how many games each entrant has. Cached:
    every fact needs it."""
    meetings = format_.matches_per_pairing
    if format_.heats:
        schedule = heats(entries, format_.seats_per_match, meetings)
    elif format_.format == "gauntlet":
        schedule = pairings.gauntlet(entries, format_.challengers, meetings)
    else:
        schedule = pairings.round_robin(entries, meetings)
    return tuple(schedule), planned(schedule)


def _played(
    schedule: Sequence[Pairing], planned: Mapping[Entry, int], log: Log, *, last: bool
) -> Stage1:
    """What was played of a schedule. `last`: no further round follows."""
    seats: dict[int, tuple[Entry, ...]] = {}
    played: dict[int, GameResult] = {}
    open_: list[Pairing] = []
    away = log.away
    for pairing in schedule:
        there, result = seated(id_of(pairing), pairing.seats, log.result, away)
        seats[pairing.number] = there if len(there) >= DUEL else pairing.seats
        if result is not None:
            played[pairing.number] = _widened(result, pairing.seats, there)
        elif len(there) >= DUEL:
            open_.append(pairing)
    return Stage1(last and not open_, tuple(schedule), seats, played, open_, planned)


def _widened(result: GameResult, seats: tuple[Entry, ...], here: tuple[Entry, ...]) -> GameResult:
    """The result of a heat for all of its seats: entrants that had left before lose by forfeit."""
    if here == seats:
        return result
    lines = dict(
        zip(here, zip(result.placement, result.score, result.forfeit, strict=True), strict=True)
    )
    placement, score, forfeit = zip(
        *(lines.get(entry, (len(here) + 1, 0, True)) for entry in seats), strict=True
    )
    return GameResult(placement, score, forfeit)


def _swiss(format_: Format, entries: tuple[Entry, ...], log: Log) -> Stage1:
    """Round after round, each paired by the table after the one before. Entrants who left stay
    where they were paired."""
    games = format_.matches_per_pairing
    rounds = format_.rounds or swiss_rounds(len(entries))
    planned = Counter(dict.fromkeys(entries, rounds * games))
    schedule: list[Pairing] = []
    byes: list[Entry] = []
    stage = Stage1(over=True, planned=planned)
    for number in range(1, rounds + 1):
        here = [entry for entry in entries if log.rounds.get(entry, inf) >= number]
        if len(here) < DUEL:
            break
        counted = standings.settled(stage.games, stage.missing, log.away, frozenset(), format_)
        order = [
            row.entry
            for row in standings.standings(entries, counted, format_.points)
            if row.entry in here
        ]
        met = Counter(frozenset(one.seats) for one in schedule)
        first = Counter(one.seats[0] for one in schedule)
        pairs, bye = pairings.swiss_round(order, met, first, byes)
        byes += [] if bye is None else [bye]
        schedule += swiss_games(number, pairs, games, len(schedule))
        stage = _played(schedule, planned, log, last=number == rounds)
        if stage.open:
            return stage
    return replace(stage, over=True)
