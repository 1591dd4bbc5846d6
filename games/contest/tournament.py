"""A tournament is a value: a format, a seed and a log of facts. Everything else follows from these.

    t = Tournament(format, seed)
    fact = t.entered("greedy")          # a verb checks that this can happen now, and says it as a fact (Refused)
    t = t.add(fact)                     # the host stores the fact (facts.told), then goes on with what follows
    ...
    for fixture in t.due:               # the games that can be played now, in any order and in parallel
        t = t.add(t.played(fixture.id, result_of(outcome, t.format.forfeit_score), attempt=fixture.attempt))
    t.state, t.rows, t.provisional      # entries_open, checking, round_robin, seeded, bracket, finished, cancelled
    t.matches, t.heats, t.places        # the bracket, by two or in heats; the final list

Loading is `Tournament(format, seed, tuple(map(facts.read, lines)))`. Entrants are entry numbers, from 1; `names` has the rest.
Undoing a fact is reading the log without it, so that later rounds follow anew: a result counts for a game as long as the same
bots sit there, and is forgotten while others do. No clock, no chance and no order of games matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import inf
from typing import Any, Final, Literal, TypeAlias

from games.contest import bracket as single
from games.contest import facts as log
from games.contest import final, pairings, standings
from games.contest.bracket import FINAL, THIRD, BracketMatch
from games.contest.facts import Fact, Stage
from games.contest.final import HeatBracket
from games.contest.format import DUEL, HEATS_SIZE, Format
from games.contest.pairings import Pairing, match_seed
from games.contest.result import Entry, Result, forfeited
from games.contest.standings import Played, Row, Status
from games.core.contract import Json

State: TypeAlias = Literal["entries_open", "checking", "round_robin", "seeded", "bracket", "finished", "cancelled"]
"""`round_robin` is stage 1, whatever is played in it."""
How: TypeAlias = Literal["played", "forfeit", "override"]
Key: TypeAlias = tuple[str, tuple[Entry, ...]]
"""A game: its id, and who sits where."""

NAME_LONGEST: Final = 64
SAME_SEED: Final = 4
"""A game that broke off is played so many times under one seed, then under a new one (T4)."""
LASTING: Final = ("entered", "closed")
"""What cannot be undone at all."""


class Refused(Exception):
    """This cannot happen now; the tournament is as it was."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


@dataclass(frozen=True, slots=True)
class Entrant:
    """`status` left_out: its check game failed. `about`: what the host noted when it entered."""

    entry: Entry
    name: str
    status: Literal["active", "withdrawn", "disqualified", "left_out"] = "active"
    checked: bool | None = None
    why: str = ""
    about: Json = None


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game of the tournament. `entrants` by seat; of a check game the one that is checked. `match`: of the bracket.

    A game that broke off comes again under the next attempt, with the seed that belongs to it.
    """

    id: str
    stage: Stage
    entrants: tuple[Entry, ...]
    seed: int
    attempt: int = 1
    match: str = ""
    round: int = 0


@dataclass(slots=True)
class _Log:
    """The facts, read once from the first to the last."""

    entrants: dict[Entry, Entrant] = field(default_factory=dict)
    closed: bool = False
    begun: bool = False
    paused: bool = False
    cancelled: bool = False
    results: dict[Key, Result] = field(default_factory=dict)
    how: dict[Key, How] = field(default_factory=dict)
    attempts: Counter[Key] = field(default_factory=Counter)
    broken: Counter[Key] = field(default_factory=Counter)
    """Attempts that broke off."""
    left: dict[Stage, dict[Entry, Status]] = field(default_factory=dict)
    rounds: dict[Entry, int] = field(default_factory=dict)
    """Swiss: the last round in which one who has left was paired."""
    before: dict[Entry, str] = field(default_factory=dict)
    """The match of the bracket before which one has left."""
    void: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Stage1:
    schedule: tuple[Pairing, ...]
    seats: Mapping[int, tuple[Entry, ...]]
    """Who plays, by the pairing's number: who is gone is not seated."""
    played: Mapping[int, Result]
    open: tuple[Pairing, ...]
    planned: Mapping[Entry, int]
    over: bool
    byes: tuple[tuple[int, Entry], ...]


@dataclass(frozen=True)
class Tournament:
    """See above. Frozen, and every derived value is worked out once."""

    format: Format
    seed: int
    facts: tuple[Fact, ...] = ()

    def add(self, fact: Fact) -> Tournament:
        """The tournament in which this has happened too."""
        return replace(self, facts=(*self.facts, fact))

    # --- what follows --------------------------------------------------------------------------------------------------------

    @cached_property
    def state(self) -> State:
        read = self._log
        if read.cancelled:
            return "cancelled"
        if not read.closed:
            return "entries_open"
        if self._unchecked:
            return "checking"
        if not self._stage1.over:
            return "round_robin"
        if self.places is not None:
            return "finished"
        waits = self.format.bracket_waits and not read.begun
        return "seeded" if waits or not any(self._bracket_results()) else "bracket"

    @property
    def paused(self) -> bool:
        return self._log.paused

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Everybody who entered, by entry number."""
        gone = {entry: status for stage in self._log.left.values() for entry, status in stage.items()}
        return tuple(
            replace(one, status=gone.get(entry, "left_out" if one.checked is False else "active"))
            for entry, one in self._log.entrants.items()
        )

    @cached_property
    def names(self) -> dict[Entry, str]:
        return {entry: one.name for entry, one in self._log.entrants.items()}

    @cached_property
    def field(self) -> tuple[Entry, ...]:
        """Who is in stage 1, or in the bracket where that is all."""
        out = self._gone("entries", "check")
        return tuple(entry for entry, one in self._log.entrants.items() if one.checked is not False and entry not in out)

    @property
    def due(self) -> tuple[Fixture, ...]:
        """The games to be played now: none while the tournament is paused."""
        return () if self.paused else self.open

    @cached_property
    def open(self) -> tuple[Fixture, ...]:
        """The games whose result is awaited, also while it is paused: one that is under way ends."""
        match self.state:
            case "checking":
                return tuple(
                    Fixture(f"check-{entry}", "check", (entry,), match_seed(self.seed, "check", entry))
                    for entry in self._unchecked
                )
            case "round_robin":
                return tuple(self._stage1_fixture(pairing) for pairing in self._stage1.open)
            case "seeded" if self.format.bracket_waits and not self._log.begun:
                return ()
            case "seeded" | "bracket":
                return tuple(self._bracket_open())
        return ()

    @property
    def rows(self) -> list[Row]:
        """The table of stage 1 (T4, T5)."""
        return list(self._rows)

    @property
    def provisional(self) -> bool:
        """Whether games of stage 1 are still missing."""
        return not (self._log.closed and not self._unchecked and self._stage1.over)

    @property
    def byes(self) -> tuple[tuple[int, Entry], ...]:
        """Who had no game in which round of stage 1, of a round robin in each cycle."""
        return self._stage1.byes

    @cached_property
    def seeds(self) -> tuple[Entry, ...]:
        """Who is in the bracket, the best first; nobody while that is open."""
        if not self.format.bracketed or not self._log.closed or self._unchecked or not self._stage1.over:
            return ()
        most = self.format.bracket_size if self.format.bracket_seats == DUEL else min(self.format.bracket_size, HEATS_SIZE)
        if self.format.staged:
            return tuple(final.qualified(self._rows, most))
        return self.field if self.format.bracket_seats == DUEL else self.field[:most]

    @cached_property
    def matches(self) -> tuple[BracketMatch, ...]:
        """The bracket between two at a time, in the order of play; nothing where it is played in heats."""
        if self.format.bracket_seats > DUEL:
            return ()
        gone = {entry: self._log.before.get(entry, "") for entry in self._gone("bracket")}
        return tuple(single.bracket(self.seeds, self._result, gone, self.format))

    @cached_property
    def heats(self) -> HeatBracket | None:
        """The bracket in heats; None where it is played by two, or not known yet."""
        if self.format.bracket_seats == DUEL or not self.seeds:
            return None
        return final.heat_bracket(self.seeds, self._result, self._gone("bracket"), self.format.points)

    @cached_property
    def places(self) -> tuple[Entry, ...] | None:
        """The final list, best first (T9); None until the tournament is over."""
        if not self._log.closed or self._unchecked or not self._stage1.over:
            return None
        if not self.format.bracketed:
            return tuple(row.entry for row in self._rows if row.rank is not None)
        gone = self._gone("bracket")
        if self.heats is not None:
            placed: Sequence[Entry] | None = self.heats.placings
        else:
            placed = final.placings(self.matches, self.seeds, gone)
        return None if placed is None else tuple(final.final_list(placed, self._rows, gone))

    @cached_property
    def fixtures(self) -> dict[str, Fixture]:
        """All games that are known now, by id, but for check games: played, decided or awaited."""
        known = [self._stage1_fixture(pairing) for pairing in self._stage1.schedule] if self._log.closed else []
        for match in self.matches:
            games = [(game.number, game.seats) for game in match.games]
            if (due := match.next()) is not None:
                games.append(due)
            known += [self._bracket_fixture(match, number, seats) for number, seats in games]
        for heat in self.heats.heats if self.heats is not None else ():
            if not heat.waits and len(heat.seats) > 1:
                known.append(self._heat_fixture(heat))
        return {fixture.id: fixture for fixture in known}

    def result(self, game: str) -> Result | None:
        """What a game gave; None: it has no result."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self._result(game, fixture.entrants)

    def how(self, game: str) -> How | None:
        """Whether the result of a game was played, or said."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self._log.how.get((game, fixture.entrants))

    @cached_property
    def counted(self) -> tuple[Played, ...]:
        """The games of stage 1 that the table counts, forfeits of those who left included."""
        return tuple(standings.settled(self._games, self._missing, self._away, self._annulled, self.format))

    def is_void(self, number: int) -> bool:
        """Whether the fact with this number, from 1, was undone."""
        return number in self._log.void

    # --- what may happen -----------------------------------------------------------------------------------------------------

    def entered(self, name: str, about: Json = None) -> Fact:
        """Somebody enters."""
        if self._log.closed:
            raise Refused("entries_closed", "entries are closed")
        if not name.strip() or len(name) > NAME_LONGEST:
            raise Refused("bad_name", f"a name has 1 to {NAME_LONGEST} characters")
        if name in self.names.values():
            raise Refused("name_taken", f"there is an entrant called {name!r}")
        return Fact(kind="entered", entry=len(self._log.entrants) + 1, name=name, about=about)

    def closed(self, by: str = "", why: str = "", about: Json = None) -> Fact:
        """Entries close."""
        if self._log.closed:
            raise Refused("entries_closed", "entries are closed already")
        return Fact(kind="closed", by=by, why=why, about=about)

    def checked(self, entry: Entry, ok: bool, why: str = "") -> Fact:
        """A bot's check game is over; who failed is left out."""
        if self.state != "checking" or entry not in self._unchecked:
            raise Refused("not_due", f"no check of entrant {entry} is awaited")
        return Fact(kind="checked", entry=entry, ok=ok, why=why)

    def played(self, game: str, result: Result | None, attempt: int, about: Json = None) -> Fact:
        """A game is over; None: without a result and nobody's fault, so that it is played again."""
        fixture = self._awaited(game)
        if attempt != fixture.attempt:
            raise Refused("stale_attempt", f"{game}: attempt {fixture.attempt} is awaited, not {attempt}")
        self._fitting(fixture, result)
        return Fact(kind="result", game=game, seats=fixture.entrants, attempt=attempt, result=result, about=about)

    def forfeit(self, game: str, entries: Iterable[Entry], by: str = "", why: str = "") -> Fact:
        """A game is lost by these without being played: they did not come."""
        fixture = self._awaited(game)
        out = [seat for seat, entry in enumerate(fixture.entrants) if entry in {*entries}]
        if not out:
            raise Refused("not_seated", f"{game}: expected one of its entrants")
        result = forfeited(len(fixture.entrants), out, self.format.forfeit_score)
        return Fact(kind="forfeit", game=game, seats=fixture.entrants, result=result, by=by, why=why)

    def withdrawn(self, entry: Entry, by: str = "", why: str = "") -> Fact:
        """A bot leaves (T8)."""
        return self._leaving("withdrawn", entry, by, why)

    def disqualified(self, entry: Entry, by: str = "", why: str = "") -> Fact:
        """A bot is sent away (T8); also one that has withdrawn, and when all is over."""
        return self._leaving("disqualified", entry, by, why)

    def override(self, game: str, result: Result, by: str = "", why: str = "") -> Fact:
        """The organiser's result of a game, played or not; what depends on it follows anew."""
        fixture = self._known(game)
        self._fitting(fixture, result)
        return Fact(kind="override", game=game, seats=fixture.entrants, result=result, by=by, why=why)

    def replay(self, game: str, by: str = "", why: str = "") -> Fact:
        """A game is to be played again, as another attempt."""
        fixture = self._known(game)
        if self._result(game, fixture.entrants) is None:
            raise Refused("not_played", f"{game} has no result")
        return Fact(kind="replay", game=game, seats=fixture.entrants, by=by, why=why)

    def undone(self, number: int, by: str = "", why: str = "") -> Fact:
        """A fact, by its number from 1, counts no more. Undoing an undoing brings the fact back."""
        if not 1 <= number <= len(self.facts):
            raise Refused("no_such_fact", f"expected the number of a fact, 1 to {len(self.facts)}, got {number}")
        if self._lasting(self.facts[number - 1]):
            raise Refused("lasting", f"fact {number} ({self.facts[number - 1].kind}) cannot be undone: the games stand on it")
        if self.is_void(number):
            raise Refused("undone_already", f"fact {number} was undone already")
        return Fact(kind="undone", fact=number, by=by, why=why)

    def begun(self, by: str = "", why: str = "") -> Fact:
        """The bracket begins."""
        if self.state != "seeded" or not self.format.bracket_waits or self._log.begun:
            raise Refused("not_due", "no bracket waits for its beginning")
        return Fact(kind="begun", by=by, why=why)

    def pausing(self, by: str = "", why: str = "") -> Fact:
        """No further game is due until it is resumed."""
        if self.paused or self.state in ("finished", "cancelled"):
            raise Refused("not_running", "it is paused or over")
        return Fact(kind="paused", by=by, why=why)

    def resumed(self, by: str = "", why: str = "") -> Fact:
        if not self.paused:
            raise Refused("not_paused", "it is not paused")
        return Fact(kind="resumed", by=by, why=why)

    def cancelled(self, by: str = "", why: str = "") -> Fact:
        if self.state in ("finished", "cancelled"):
            raise Refused("over", "it is over")
        return Fact(kind="cancelled", by=by, why=why)

    def _leaving(self, kind: Literal["withdrawn", "disqualified"], entry: Entry, by: str, why: str) -> Fact:
        status = {one.entry: one.status for one in self.entrants}.get(entry)
        if status is None:
            raise Refused("no_such_entrant", f"there is no entrant {entry}")
        if status == "disqualified" or status == kind or self.state == "cancelled":
            raise Refused("gone", f"{self.names[entry]} is {status}, the tournament is {self.state}")
        if kind == "withdrawn" and self.state == "finished":
            raise Refused("over", "it is over")
        before = next((stage for stage, gone in self._log.left.items() if entry in gone), None)
        stage = self._stage if before in (None, "round_robin") else before  # once there are seeds, the table that made them stays
        round_ = self._round if self.format.format == "swiss" and stage == "round_robin" else None
        round_ = self._log.rounds.get(entry, round_)
        return Fact(kind=kind, entry=entry, stage=stage, round=round_, match=self._missing_in(entry), by=by, why=why)

    def _missing_in(self, entry: Entry) -> str | None:
        """The first match of the bracket that one who leaves now plays no game of, or not to its end."""
        own = [match for match in self.matches if entry in match.players]
        played = max((at for at, match in enumerate(own) if match.games), default=-1)
        return next((match.id for at, match in enumerate(own) if at > played or not match.over), None)

    def _lasting(self, fact: Fact) -> bool:
        """Whether the field stands on this fact: once games are played it is what it is."""
        while fact.kind == "undone" and fact.fact is not None:
            fact = self.facts[fact.fact - 1]
        if fact.kind == "checked" or fact.stage in ("entries", "check"):
            return bool(self._log.attempts or self._log.results)
        return fact.kind in LASTING

    def _awaited(self, game: str) -> Fixture:
        for fixture in self.open:
            if fixture.id == game and fixture.stage != "check":
                return fixture
        raise Refused("not_due", f"no result of {game!r} is awaited")

    def _known(self, game: str) -> Fixture:
        if self.state in ("cancelled", "entries_open", "checking") or game not in self.fixtures:
            raise Refused("no_such_game", f"there is no game {game!r} now")
        return self.fixtures[game]

    def _fitting(self, fixture: Fixture, result: Result | None) -> None:
        if result is not None and len(result.placement) != len(fixture.entrants):
            raise Refused("bad_result", f"{fixture.id}: expected a result for {len(fixture.entrants)} seats")

    # --- how it follows ------------------------------------------------------------------------------------------------------

    @cached_property
    def _log(self) -> _Log:
        read = _Log(void=voided(self.facts))
        for number, fact in enumerate(self.facts, start=1):
            if fact.kind == "result":  # an attempt took place, whatever became of it
                read.attempts[_key(fact)] += 1
            if number not in read.void:
                READERS[fact.kind](read, fact)
        return read

    def _gone(self, *stages: Stage) -> dict[Entry, Status]:
        """Who left in one of these stages."""
        return {entry: status for stage in stages for entry, status in self._log.left.get(stage, {}).items()}

    @cached_property
    def _unchecked(self) -> tuple[Entry, ...]:
        """Whose check game is awaited."""
        if not self.format.check:
            return ()
        out = self._gone("entries", "check")
        return tuple(entry for entry, one in self._log.entrants.items() if one.checked is None and entry not in out)

    @property
    def _stage(self) -> Stage:
        """The stage in which somebody who leaves now leaves."""
        if self.state in ("entries_open", "checking"):
            return "entries" if self.state == "entries_open" else "check"
        return "bracket" if self.format.bracketed and self._stage1.over else "round_robin"

    @property
    def _round(self) -> int:
        return max((pairing.round for pairing in self._stage1.schedule), default=1)

    @cached_property
    def _away(self) -> Mapping[Entry, tuple[int, int]]:
        """Who plays no game of stage 1 any more, with the stage and, in a swiss tournament, the round in which it left."""
        stages: tuple[Stage, ...] = ("round_robin", "bracket")
        left: dict[Entry, tuple[int, int]] = {}
        for at, stage in enumerate(stages):
            for entry in self._gone(stage):
                left.setdefault(entry, (at, self._log.rounds.get(entry, 0)))
        return left

    def _result(self, game: str, seats: tuple[Entry, ...]) -> Result | None:
        return self._log.results.get((game, seats))

    def _attempt(self, game: str, seats: tuple[Entry, ...]) -> tuple[int, int]:
        """The number of the next attempt, and how many seeds were used up by games that broke off."""
        return self._log.attempts[game, seats] + 1, self._log.broken[game, seats] // SAME_SEED

    # stage 1

    @cached_property
    def _stage1(self) -> _Stage1:
        format_ = self.format
        if not self._log.closed or self._unchecked or not format_.staged or len(self.field) < DUEL:
            return _Stage1((), {}, {}, (), {}, self._log.closed and not self._unchecked, ())
        if format_.format == "swiss":
            return self._swiss()
        byes = pairings.byes(self.field) if format_.format != "gauntlet" and not format_.heats else []
        schedule, planned = _schedule(format_, self.field)
        return self._read(schedule, planned, byes, whole=True)

    def _read(
        self, schedule: Sequence[Pairing], planned: Mapping[Entry, int], byes: Sequence[tuple[int, Entry]], *, whole: bool
    ) -> _Stage1:
        """What was played of a schedule. `whole`: no further round follows."""
        seats: dict[int, tuple[Entry, ...]] = {}
        played: dict[int, Result] = {}
        open_: list[Pairing] = []
        for pairing in schedule:
            there, result = final.seated(self._stage1_id(pairing), pairing.seats, self._result, self._away)
            seats[pairing.number] = there if len(there) >= DUEL else pairing.seats
            if result is not None:
                played[pairing.number] = _widened(result, pairing.seats, there)
            elif len(there) >= DUEL:
                open_.append(pairing)
        return _Stage1(tuple(schedule), seats, played, tuple(open_), planned, whole and not open_, tuple(byes))

    def _swiss(self) -> _Stage1:
        """Round after round, each paired by the table after the one before. Who left stays where it was paired."""
        games = self.format.matches_per_pairing
        rounds = self.format.rounds or pairings.swiss_rounds(len(self.field))
        planned = dict.fromkeys(self.field, rounds * games)
        schedule: list[Pairing] = []
        byes: list[tuple[int, Entry]] = []
        read = self._read(schedule, planned, byes, whole=True)
        for number in range(1, rounds + 1):
            here = [entry for entry in self.field if self._log.rounds.get(entry, inf) >= number]
            if len(here) < DUEL:
                break
            counted = standings.settled(
                _games(read), (one for one in schedule if one.number not in read.played), self._away, frozenset(), self.format
            )
            order = [row.entry for row in standings.standings(self.field, counted, self.format.points) if row.entry in here]
            met = Counter(frozenset(one.seats) for one in schedule)
            first = Counter(one.seats[0] for one in schedule)
            pairs, bye = pairings.swiss_round(order, met, first, [entry for _, entry in byes])
            byes += [] if bye is None else [(number, bye)]
            schedule += pairings.swiss_games(number, pairs, games, len(schedule))
            read = self._read(schedule, planned, byes, whole=number == rounds)
            if read.open:
                break
        return read if read.open else replace(read, over=True)

    def _stage1_id(self, pairing: Pairing) -> str:
        return f"{pairing.words[0]}-{pairing.number}"

    def _stage1_fixture(self, pairing: Pairing) -> Fixture:
        id_, seats = self._stage1_id(pairing), self._stage1.seats[pairing.number]
        attempt, again = self._attempt(id_, seats)
        return Fixture(id_, "round_robin", seats, pairing.seed(self.seed, again), attempt, round=pairing.round)

    @cached_property
    def _games(self) -> list[Played]:
        return _games(self._stage1)

    @property
    def _missing(self) -> list[Pairing]:
        return [pairing for pairing in self._stage1.schedule if pairing.number not in self._stage1.played]

    @cached_property
    def _annulled(self) -> frozenset[Entry]:
        stage = self._stage1
        games = [(stage.seats[number], result) for number, result in stage.played.items()]  # a heat, without those who were gone
        return standings.annulled(stage.planned, games, self._gone("round_robin"))

    @cached_property
    def _rows(self) -> tuple[Row, ...]:
        if not self.format.staged:
            return ()
        left = self._gone("round_robin")
        return tuple(standings.standings(self.field, self.counted, self.format.points, left, self._annulled))

    # the bracket

    def _bracket_results(self) -> Iterable[bool]:
        for match in self.matches:
            yield bool(match.games)
        for heat in self.heats.heats if self.heats is not None else ():
            yield heat.result is not None

    def _bracket_open(self) -> Iterable[Fixture]:
        third = next((match for match in self.matches if match.id == THIRD), None)
        for match in self.matches:
            due = match.next()
            if due is not None and not (match.id == FINAL and third is not None and not third.over):
                yield self._bracket_fixture(match, *due)
        for heat in self.heats.heats if self.heats is not None else ():
            if heat.result is None and not heat.waits and len(heat.seats) > 1:
                yield self._heat_fixture(heat)

    def _bracket_fixture(self, match: BracketMatch, number: int, seats: tuple[Entry, ...]) -> Fixture:
        id_ = single.game_id(match.id, number)
        attempt, again = self._attempt(id_, seats)
        seed = single.game_seed(self.seed, match.id, number, again)
        return Fixture(id_, "bracket", seats, seed, attempt, match.id, number)

    def _heat_fixture(self, heat: final.Heat) -> Fixture:
        attempt, again = self._attempt(heat.id, heat.seats)
        return Fixture(heat.id, "bracket", heat.seats, final.heat_seed(self.seed, heat.id, again), attempt, heat.id)


@lru_cache(maxsize=16)
def _schedule(format_: Format, entries: tuple[Entry, ...]) -> tuple[tuple[Pairing, ...], Mapping[Entry, int]]:
    """The games of a stage 1 that is known from its beginning, and how many each has. Every fact asks again."""
    meetings = format_.matches_per_pairing
    if format_.heats:
        schedule = pairings.heats(entries, format_.seats_per_match, meetings)
    elif format_.format == "gauntlet":
        schedule = pairings.gauntlet(entries, format_.challengers, meetings)
    else:
        schedule = pairings.round_robin(entries, meetings)
    return tuple(schedule), standings.planned(schedule)


def voided(facts: Sequence[Fact]) -> frozenset[int]:
    """The numbers of the facts that were undone: read from the end, because an undoing may be undone too."""
    void: set[int] = set()
    for number in range(len(facts), 0, -1):
        fact = facts[number - 1]
        if fact.kind == "undone" and number not in void and fact.fact is not None:
            void.add(fact.fact)
    return frozenset(void)


def _key(fact: Fact) -> Key:
    assert fact.game is not None
    assert fact.seats is not None
    return fact.game, fact.seats


def _games(stage: _Stage1) -> list[Played]:
    return [(pairing.seats, stage.played[pairing.number]) for pairing in stage.schedule if pairing.number in stage.played]


def _widened(result: Result, seats: tuple[Entry, ...], here: tuple[Entry, ...]) -> Result:
    """What a heat is to all of its seats: who was gone when it was played loses it by forfeit."""
    if here == seats:
        return result
    of = {entry: seat for seat, entry in enumerate(here)}
    return Result(
        tuple(result.placement[of[entry]] if entry in of else len(here) + 1 for entry in seats),
        tuple(result.score[of[entry]] if entry in of else 0 for entry in seats),
        tuple(result.forfeit[of[entry]] if entry in of else True for entry in seats),
    )


# --- reading the log ------------------------------------------------------------------------------------------------------------


def _entered(read: _Log, fact: Fact) -> None:
    assert fact.entry is not None
    read.entrants[fact.entry] = Entrant(fact.entry, fact.name or "", about=fact.about)


def _checked(read: _Log, fact: Fact) -> None:
    if fact.entry in read.entrants:
        read.entrants[fact.entry] = replace(read.entrants[fact.entry], checked=fact.ok, why=fact.why)


def _result(read: _Log, fact: Fact) -> None:
    if fact.result is None:
        read.broken[_key(fact)] += 1
    else:
        _said("played")(read, fact)


def _said(how: How) -> Callable[[_Log, Fact], None]:
    def said(read: _Log, fact: Fact) -> None:
        assert fact.result is not None
        read.results[_key(fact)] = fact.result
        read.how[_key(fact)] = how

    return said


def _replay(read: _Log, fact: Fact) -> None:
    """Nothing counts of what was played, with those who were gone or without them."""
    game, seats = _key(fact)
    for key in [key for key in read.results if key[0] == game and ({*key[1]} <= {*seats} or {*seats} <= {*key[1]})]:
        del read.results[key], read.how[key]


def _left(status: Status) -> Callable[[_Log, Fact], None]:
    def left(read: _Log, fact: Fact) -> None:
        assert fact.entry is not None
        assert fact.stage is not None
        read.left.setdefault(fact.stage, {})[fact.entry] = status
        if fact.round is not None:
            read.rounds.setdefault(fact.entry, fact.round)
        if fact.match is not None:
            read.before.setdefault(fact.entry, fact.match)

    return left


def _sets(name: str, value: bool) -> Callable[[_Log, Fact], None]:
    return lambda read, fact: setattr(read, name, value)


READERS: Final[dict[str, Callable[[_Log, Fact], Any]]] = {
    "entered": _entered,
    "closed": _sets("closed", True),
    "checked": _checked,
    "result": _result,
    "forfeit": _said("forfeit"),
    "withdrawn": _left("withdrawn"),
    "disqualified": _left("disqualified"),
    "override": _said("override"),
    "replay": _replay,
    "begun": _sets("begun", True),
    "paused": _sets("paused", True),
    "resumed": _sets("paused", False),
    "cancelled": _sets("cancelled", True),
    "undone": lambda read, fact: None,
}


# --- as JSON --------------------------------------------------------------------------------------------------------------------


def told(tournament: Tournament) -> dict[str, Json]:
    """All that follows, as plain JSON: what a page, a file or a program shows of a tournament. Not its seed, not its log."""
    t, names = tournament, tournament.names
    bracket: dict[str, Json] = {
        "bracket": single.told(t.matches, names, lambda match, game: t.fixtures[single.game_id(match, game)].seed)
    }
    if t.heats is not None:
        bracket |= final.told(t.heats, names, lambda heat: t.fixtures[heat].seed if heat in t.fixtures else 0)
    return {
        "state": t.state,
        "paused": t.paused,
        "format": t.format.format,
        "entrants": [{"entry": one.entry, "id": one.name, "status": one.status, "why": one.why} for one in t.entrants],
        "provisional": t.provisional,
        "standings": standings.told(t.rows, names),
        "crosstable": [
            {
                "id": names[one],
                "against": names[other],
                "wins": cell.wins,
                "draws": cell.draws,
                "losses": cell.losses,
                "both_lost": cell.both_lost,
                "points": cell.points,
            }
            for (one, other), cell in sorted(standings.crosstable(t.counted, t.format.points).items())
        ],
        "seeds": [names[entry] for entry in t.seeds],
        **bracket,
        "placings": None if t.places is None else [names[entry] for entry in t.places],
        "open": [fixture.id for fixture in t.open],
    }


def audit(tournament: Tournament) -> list[dict[str, Json]]:
    """Every fact with its number, and whether it still counts."""
    return [
        {"number": number, **log.told(fact), "void": tournament.is_void(number)}
        for number, fact in enumerate(tournament.facts, start=1)
    ]
