"""Stage 1 of a tournament: the schedule of its format, what of it was played, what is awaited (T3,
T8, T11). A value that follows from the log: of most facts the next one is made at once, of the
others it is worked out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf

from games.contest import pairings, standings
from games.contest.facts import Fact
from games.contest.final import seated
from games.contest.fixture import Awaited, Fixture, Planned
from games.contest.format import DUEL, Format
from games.contest.log import UNPLAYED, GameLog, Log
from games.contest.pairings import (
    Gauntlet,
    Listed,
    Pairing,
    PairingSchedule,
    RoundRobin,
    match_seed,
)
from games.contest.persistent import PersistentMap
from games.contest.result import Entry, GameResult
from games.contest.standings import SeatedResult

Pairs = tuple[Sequence[tuple[Entry, Entry]], Entry | None]
"""The pairs of a swiss round, the first one on seat 0, and who has no game."""


@dataclass(frozen=True)
class Stage1:
    """The games that are known, as they stand after `log`. Each kind of schedule asks
    questions of its own, hence the number of methods."""

    format: Format
    seed: int
    entries: tuple[Entry, ...]
    log: Log
    schedule: PairingSchedule
    open: Awaited
    """Those that are awaited, by index from `start` on."""
    played: PersistentMap[int, GameResult]
    """Results by the index of the pairing; of a heat for all of its seats."""
    rounds: tuple[Pairs, ...] = ()
    """Swiss: those that are paired."""
    start: int = 0
    """Swiss: the index of the first pairing of the last round."""

    @property
    def over(self) -> bool:
        """All games are played, and no further round follows."""
        return not self.open and not self.follows

    @cached_property
    def follows(self) -> bool:
        """Whether a round of a swiss tournament is to be paired now."""
        more = self._swiss and not self.open and len(self.rounds) < self._rounds
        return more and len(self._here) >= DUEL

    @property
    def _swiss(self) -> bool:
        return self.format.format == "swiss"

    @property
    def _rounds(self) -> int:
        return self.format.rounds or pairings.swiss_rounds(len(self.entries))

    @property
    def _here(self) -> list[Entry]:
        """Who is in the round that follows."""
        left, last = self.log.rounds, len(self.rounds)
        return [entry for entry in self.entries if left.get(entry, inf) > last]

    def fixture(self, id_: str) -> Fixture | None:
        """A game that is known: played, decided or awaited."""
        pairing = self.schedule.find(id_)
        return None if pairing is None else self._fixture(pairing)

    @property
    def fixtures(self) -> Iterator[Fixture]:
        """All games that are known."""
        return map(self._fixture, self.schedule)

    def awaited(self, id_: str) -> Fixture | None:
        """A game, if it is awaited."""
        pairing = self.schedule.find(id_)
        if pairing is None or pairing.number <= self.start:
            return None
        return self.open.at(pairing.number - 1 - self.start)

    def has_played_all(self, entry: Entry) -> bool:
        """Whether no game of an entrant is missing, so that the table stays if it leaves."""
        complete = len(self.played) == len(self.schedule)
        return complete or all(at in self.played for at in self.schedule.of(entry))

    # --- the table

    @cached_property
    def annulled(self) -> frozenset[Entry]:
        """Whose results do not count (T8)."""
        left = self.log.gone("round_robin")
        own = {at for entry in left for at in self.schedule.of(entry) if at in self.played}
        # The seats of a heat are those that were there when it was played.
        games = [(self._seated(self.schedule[at])[0], self.played[at]) for at in own]
        planned = Counter({entry: self.schedule.planned(entry) for entry in left})
        return standings.annulled(planned, games, left)

    @property
    def counted(self) -> Iterator[SeatedResult]:
        """The games that the table counts, forfeits of those who left included."""
        return self._counted(self.annulled)

    def _counted(self, annulled: frozenset[Entry]) -> Iterator[SeatedResult]:
        away = self.log.away
        made = self.schedule.made
        games = ((made(at).seats, result) for at, result in self.played.pairs())
        own = {at for entry in away for at in self.schedule.of(entry) if at not in self.played}
        missing = [self.schedule[at] for at in own]
        return standings.settled(games, missing, away, annulled, self.format)

    # --- one more fact

    def after(self, fact: Fact, log: Log) -> Stage1 | None:
        """The stage after a fact; `log`: with that fact. None: it is to be worked out again."""
        if fact.game is not None and self.over and self.schedule.find(fact.game) is None:
            return replace(self, log=log)  # of the bracket
        match fact.kind:
            case "result" | "forfeit" | "override":
                return self._after_result(fact, log)
            case "withdrawn" | "disqualified":
                return self._after_leaving(fact, log)
            case "paused" | "resumed" | "cancelled" | "begun":
                return self
        return None

    def _after_result(self, fact: Fact, log: Log) -> Stage1 | None:
        assert fact.game is not None
        pairing = self.schedule.find(fact.game)
        if pairing is None:
            return None
        at, due = pairing.number - 1, self.awaited(fact.game)
        if due is None or due.entrants != fact.seats:
            decided = fact.result is not None and not self.format.heats and at >= self.start
            if not decided or fact.seats != pairing.seats:
                return None
        if fact.result is None:
            again = self._fixture(pairing, fact.seats, log.game(*due.key)) if due else None
            return replace(self, log=log, open=self.open.edited({at - self.start: again}))
        assert fact.seats is not None
        widened = _widened(fact.result, pairing.seats, fact.seats)
        open_ = self.open.edited({at - self.start: None}) if due else self.open
        return replace(self, log=log, open=open_, played=self.played.updated({at: widened}))

    def _after_leaving(self, fact: Fact, log: Log) -> Stage1 | None:
        assert fact.entry is not None
        if log.away == self.log.away and log.rounds == self.log.rounds:
            return replace(self, log=log)
        last = log.rounds.get(fact.entry) == len(self.rounds) or not self._swiss
        if self.format.heats or fact.entry not in log.away or not last:
            return None
        missing = [at for at in self.schedule.of(fact.entry) if at not in self.played]
        if missing and min(missing) < self.start:
            return None  # later rounds stand on it
        closed = dict.fromkeys(at - self.start for at in missing)
        return replace(self, log=log, open=self.open.edited(closed))

    # --- what follows from the log

    def derived(self) -> Stage1:
        """The games of the schedule, or of its last round, as the log has them."""
        played: dict[int, GameResult] = {}
        changes: dict[int, Fixture | None] = {}
        for pairing in self._touched():
            at = pairing.number - 1
            there, result = self._seated(pairing)
            changes[at - self.start] = None
            if result is not None:
                played[at] = _widened(result, pairing.seats, there)
            elif self.log.away.keys().isdisjoint(there):
                changes[at - self.start] = self._fixture(pairing, there)
        return replace(self, open=self.open.edited(changes), played=self.played.updated(played))

    def _touched(self) -> Iterable[Pairing]:
        """Those of which the log says something."""
        if self._swiss:
            return self.schedule[self.start :]
        known = {pairing for id_ in self.log.games if (pairing := self.schedule.find(id_))}
        return known.union(
            self.schedule[at] for entry in self.log.away for at in self.schedule.of(entry)
        )

    @cached_property
    def ahead(self) -> Stage1:
        """The stage with the round that follows, if one does."""
        stage = self
        while stage.follows and (stage is self or stage.uncertain):
            stage = stage.paired(stage.pairs())
        return stage

    @property
    def known_ahead(self) -> Stage1:
        """The stage with the round that follows, if that is paired already."""
        known: Stage1 = vars(self).get("ahead", self)
        return known

    def pair(self, pairs: Pairs) -> None:
        """The pairs of the round that follows are these: it was worked out elsewhere."""
        stage = self.paired(pairs)
        vars(self)["ahead"] = stage.ahead if stage.uncertain else stage

    @property
    def uncertain(self) -> bool:
        """Whether the log may know of games that are not paired yet, or of bots that left in no
        round: then a round may be over as soon as it is paired."""
        last = len(self.rounds)
        if any(self.log.rounds.get(entry, inf) > last for entry in self.log.away):
            return True
        return len(self.log.games) != len(self.played) and any(
            self.schedule.find(id_) is None for id_ in self.log.games
        )

    def pairs(self) -> Pairs:
        """The pairs of the round that follows, by the table so far. This takes a while in a large
        field."""
        here = frozenset(self._here)
        games = self._counted(frozenset())
        rows = standings.standings(self.entries, games, self.format.points)
        order = [row.entry for row in rows if row.entry in here]
        met = Counter(frozenset(one.seats) for one in self.schedule)
        first = Counter(one.seats[0] for one in self.schedule)
        byes = [bye for _, bye in self.rounds if bye is not None]
        return pairings.swiss_round(order, met, first, byes)

    def paired(self, pairs: Pairs) -> Stage1:
        """The stage with the round that follows, in which these meet."""
        start, games = len(self.schedule), self.format.matches_per_pairing
        more = pairings.swiss_games(len(self.rounds) + 1, pairs[0], games, start)
        planned = dict.fromkeys(self.entries, self._rounds * games)
        assert isinstance(self.schedule, Listed)
        schedule = self.schedule.more(more, planned)
        made = replace(
            self,
            schedule=schedule,
            open=_all(schedule, self.seed, start),
            rounds=(*self.rounds, pairs),
            start=start,
        )
        return made.derived() if self.uncertain else made

    def agrees(self, other: Stage1) -> bool:
        """Whether the last round of this stage has the same results in another one."""
        last = range(self.start, len(self.schedule))
        return all(self.played.get(at) == other.played.get(at) for at in last)

    def _seated(self, pairing: Pairing) -> tuple[tuple[Entry, ...], GameResult | None]:
        """Who plays, or has played, a game, and the result. A game without two has its seats."""
        there, result = seated(pairing.id, pairing.seats, self.log.result, self.log.away)
        return there if len(there) >= DUEL else pairing.seats, result

    def _fixture(
        self,
        pairing: Pairing,
        seats: tuple[Entry, ...] | None = None,
        known: GameLog | None = None,
    ) -> Fixture:
        """The next attempt to play a game."""
        seats = self._seated(pairing)[0] if seats is None else seats
        known = self.log.game(pairing.id, seats) if known is None else known
        return _fixture(pairing, seats, self.seed, known)


def stage1(
    format_: Format,
    seed: int,
    entries: tuple[Entry, ...],
    log: Log,
    before: Stage1 | None = None,
) -> Stage1:
    """Stage 1 as the log has it. `before`: as it stood earlier; rounds that stand on the same
    results are not paired again."""
    schedule = _schedule(format_, entries)
    begun = Stage1(format_, seed, entries, log, schedule, _all(schedule, seed), PersistentMap())
    stage = begun.derived()
    before = before and before.known_ahead
    if before is not None and (
        (before.entries, before.log.away, before.log.rounds) != (entries, log.away, log.rounds)
    ):
        before = None
    while stage.follows and stage.uncertain:
        number = len(stage.rounds)
        if before is not None and (len(before.rounds) <= number or not stage.agrees(before)):
            before = None
        stage = stage.paired(stage.pairs() if before is None else before.rounds[number])
    return stage


@lru_cache(maxsize=16)
def _schedule(format_: Format, entries: tuple[Entry, ...]) -> PairingSchedule:
    """The games that are known from the beginning."""
    meetings = format_.matches_per_pairing
    if not format_.staged or format_.format == "swiss" or len(entries) < DUEL:
        return Listed("swiss", ())
    if format_.heats:
        return Listed("heat", pairings.heats(entries, format_.seats_per_match, meetings))
    if format_.format == "gauntlet":
        return Gauntlet(entries, format_.challengers, meetings)
    return RoundRobin(entries, meetings)


def _all(schedule: PairingSchedule, seed: int, start: int = 0) -> Awaited:
    """All games of a schedule from an index on."""

    def make(at: int) -> Fixture:
        pairing = schedule[start + at]
        return _fixture(pairing, pairing.seats, seed, UNPLAYED)

    return Awaited.all(Planned(len(schedule) - start, make))


def _fixture(pairing: Pairing, seats: tuple[Entry, ...], seed: int, known: GameLog) -> Fixture:
    attempt, again = known.next
    seed = match_seed(seed, *pairing.words, again=again)
    return Fixture(pairing.id, "round_robin", seats, seed, attempt, round=pairing.round)


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
