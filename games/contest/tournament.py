"""A tournament is a value: a format, a seed and a log of facts. Everything else follows from these.

    t = Tournament(format, seed)
    fact = verbs.enter(t, "greedy")  # a verb checks that this is possible; raises Refused
    t = t.add(fact)                  # the host stores the fact (facts.to_json) first
    ...
    for fixture in t.due:            # the games that can be played now, in any order
        result = result_of(outcome, t.format.forfeit_score)
        t = t.add(verbs.report(t, fixture.id, result, fixture.attempt))
    t.state                          # entries_open, checking, round_robin, seeded, bracket,
                                     # finished or cancelled
    t.rows, t.provisional            # the table
    t.matches, t.heats, t.places     # the bracket, by two or in heats; the final list

Loading is `Tournament(format, seed, tuple(map(facts.read, lines)))`. Entrants are entry numbers,
from 1; `names` has the rest. Undoing a fact means reading the log without it, so later rounds are
paired again: a result counts for a game while the same bots sit there, and is ignored while others
do. No clock, no chance and no order of games matters.

One more fact costs what it changes: `add` hands on what is known. Whatever is not handed on is
worked out from the log when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from games.contest import final, standings
from games.contest import log as reading
from games.contest import stage1 as first_stage
from games.contest.bracket import BracketMatch
from games.contest.bracket_games import Duels, Heats, duels, heats
from games.contest.facts import Fact
from games.contest.final import HeatBracket
from games.contest.fixture import Awaited
from games.contest.fixture import Fixture as Fixture
from games.contest.format import DUEL, HEATS_SIZE, Format
from games.contest.log import Entrant, How, Log
from games.contest.pairings import match_seed
from games.contest.persistent import PersistentList
from games.contest.result import Entry, GameResult
from games.contest.stage1 import Stage1
from games.contest.standings import StandingsRow

TournamentState: TypeAlias = Literal[
    "entries_open", "checking", "round_robin", "seeded", "bracket", "finished", "cancelled"
]
"""`round_robin` is stage 1, whatever is played in it."""

SMALL: Final = ("paused", "resumed", "cancelled", "begun")
"""Facts that change no game and no table."""
OF_FIELD: Final = ("entered", "closed", "checked")
"""Facts that change who is in the field."""


@dataclass(frozen=True)
class Tournament:
    """Frozen. Each derived value is computed once, or handed on by the tournament before; each is a
    property, hence their number."""

    format: Format
    seed: int
    facts: Sequence[Fact] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.facts, PersistentList):
            object.__setattr__(self, "facts", PersistentList(self.facts))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.format, self.seed, tuple(self.facts))

    def add(self, fact: Fact) -> Tournament:
        """The tournament in which this has happened too."""
        assert isinstance(self.facts, PersistentList)
        then = Tournament(self.format, self.seed, self.facts.added(fact))
        _hand_on(self, then, fact)
        return then

    @cached_property
    def log(self) -> Log:
        """The facts, read."""
        return reading.read(self.facts)

    @cached_property
    def state(self) -> TournamentState:
        if self.log.cancelled:
            return "cancelled"
        if not self.log.closed:
            return "entries_open"
        if self.checks:
            return "checking"
        if self.provisional:
            return "round_robin"
        if not self.format.bracketed or self.bracket.over:
            return "finished"
        waits = self.format.bracket_waits and not self.log.begun
        return "bracket" if self.bracket.begun and not waits else "seeded"

    @property
    def paused(self) -> bool:
        return self.log.paused

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """Every entrant, by entry number."""
        log = self.log
        return tuple(replace(one, status=log.status(entry)) for entry, one in log.entrants.items())

    @property
    def names(self) -> dict[Entry, str]:
        return self.log.names

    @cached_property
    def field(self) -> tuple[Entry, ...]:
        """Who is in stage 1, or in the bracket if there is no stage 1."""
        out = self.log.gone("entries", "check")
        return tuple(
            entry
            for entry, one in self.log.entrants.items()
            if one.checked is not False and entry not in out
        )

    @property
    def due(self) -> Sequence[Fixture]:
        """The games to be played now; none while the tournament is paused."""
        return () if self.paused else self.open

    @property
    def open(self) -> Sequence[Fixture]:
        """The games whose result is awaited, also while paused: a game that has begun may end. Not
        copied: it costs what is looked at."""
        match self.state:
            case "checking":
                return self.checks
            case "round_robin":
                return self.stage1.ahead.open
            case "seeded" | "bracket" if self.log.begun or not self.format.bracket_waits:
                return self.bracket.open
        return ()

    def awaited(self, game: str) -> Fixture | None:
        """The game with this id, if its result is awaited."""
        if not self.open:
            return None
        if self.state == "checking":
            return next((one for one in self.checks if one.id == game), None)
        games = self.stage1.ahead if self.state == "round_robin" else self.bracket
        return games.awaited(game)

    @cached_property
    def rows(self) -> list[StandingsRow]:
        """The table of stage 1 (T4, T5)."""
        if not self.format.staged:
            return []
        left, stage = self.log.gone("round_robin"), self.stage1
        entries, annulled = self.field, stage.annulled
        return standings.standings(entries, stage.counted, self.format.points, left, annulled)

    @property
    def provisional(self) -> bool:
        """Whether games of stage 1 are still missing."""
        return not self.log.closed or bool(self.checks) or not self.stage1.over

    @cached_property
    def seeds(self) -> tuple[Entry, ...]:
        """Who is in the bracket, the best first; empty until that is known."""
        if not self.format.bracketed or self.provisional:
            return ()
        duel = self.format.bracket_seats == DUEL
        most = self.format.bracket_size if duel else min(self.format.bracket_size, HEATS_SIZE)
        if self.format.staged:
            return tuple(final.qualified(self.rows, most))
        return self.field if duel else self.field[:most]

    @cached_property
    def bracket(self) -> Duels | Heats:
        """The bracket with its games, without a match if there is none."""
        in_heats = self.format.bracket_seats > DUEL and self.seeds
        return (heats if in_heats else duels)(self.seeds, self.format, self.seed, self.log)

    @property
    def matches(self) -> tuple[BracketMatch, ...]:
        """The bracket between two at a time, in order of play; empty if it is played in heats."""
        return tuple(self.bracket.bracket.matches) if isinstance(self.bracket, Duels) else ()

    @property
    def heats(self) -> HeatBracket | None:
        """The bracket in heats; None if it is played by two, or not known yet."""
        return self.bracket.bracket if isinstance(self.bracket, Heats) else None

    @cached_property
    def places(self) -> tuple[Entry, ...] | None:
        """The final list, best first (T9); None until the tournament is over."""
        if self.provisional or not self.bracket.over:
            return None
        if not self.format.bracketed:
            return tuple(row.entry for row in self.rows if row.rank is not None)
        gone = self.log.gone("bracket")
        placed: Sequence[Entry] | None
        if self.heats is None:
            placed = final.placings(self.matches, self.seeds, gone)
        else:
            placed = self.heats.placings
        return None if placed is None else tuple(final.final_list(placed, self.rows, gone))

    @cached_property
    def fixtures(self) -> dict[str, Fixture]:
        """All games that are known now, by id, without check games: played, decided or awaited.
        In a large field `fixture` costs less."""
        known = [*self.stage1.ahead.fixtures, *self.bracket.fixtures]
        return {fixture.id: fixture for fixture in known}

    def fixture(self, game: str) -> Fixture | None:
        """One of these games."""
        return self.stage1.ahead.fixture(game) or self.bracket.fixture(game)

    def result(self, game: str) -> GameResult | None:
        """The result of a game; None: it has none."""
        fixture = self.fixture(game)
        return None if fixture is None else self.log.game(*fixture.key).result

    def how(self, game: str) -> How | None:
        """Whether the result of a game was played, or decided without playing."""
        fixture = self.fixture(game)
        return None if fixture is None else self.log.game(*fixture.key).how

    @cached_property
    def checks(self) -> Awaited:
        """The check games that are awaited, by entry number; none while entries are open."""
        out = self.log.gone("entries", "check")
        checked = self.format.check and self.log.closed
        return Awaited.none().edited(
            {
                entry: self._check(entry)
                for entry, one in self.log.entrants.items()
                if checked and one.checked is None and entry not in out
            }
        )

    def _check(self, entry: Entry) -> Fixture:
        id_ = f"check-{entry}"
        attempt, again = self.log.game(id_, (entry,)).next
        seed = match_seed(self.seed, "check", entry, again=again)
        return Fixture(id_, "check", (entry,), seed, attempt)

    @cached_property
    def stage1(self) -> Stage1:
        """What is known of stage 1; nothing before the field is fixed."""
        known = self.log.closed and not self.checks and self.format.staged
        field, before = self.field if known else (), vars(self).get("_stage1_before")
        return first_stage.stage1(self.format, self.seed, field, self.log, before)


def _hand_on(before: Tournament, then: Tournament, fact: Fact) -> None:
    """Give a tournament what the one before knows and this fact leaves as it is, and what it
    changes as it is after the fact."""
    known, made = vars(before), vars(then)
    made["_stage1_before"] = known.get("stage1", known.get("_stage1_before"))
    if "log" not in known or fact.kind == "undone" or len(then.facts) in before.log.void:
        return
    log = made["log"] = before.log.after(fact)
    if fact.kind == "checked" and "checks" in known and fact.entry is not None:
        made["checks"] = before.checks.edited({fact.entry: None})
    if not log.closed or fact.kind in OF_FIELD or fact.stage in ("entries", "check"):
        return
    small = fact.kind in SMALL
    for name in ("field", "checks", *(("stage1", "rows", "seeds", "bracket") if small else ())):
        if name in known:
            made[name] = known[name]
    if small or "stage1" not in known or before.checks:
        return
    stage = before.stage1.ahead
    if fact.game is not None:
        of_bracket = stage.over and stage.schedule.find(fact.game) is None
    else:
        assert fact.entry is not None
        of_bracket = fact.stage == "bracket" and stage.has_played_all(fact.entry)
    if (after := stage.after(fact, log)) is None:
        made["_stage1_before"] = stage
        return
    made["stage1"] = after.ahead if after.follows and after.uncertain else after
    if of_bracket:
        for name in ("rows", "seeds"):
            if name in known:
                made[name] = known[name]
        if isinstance(duels_ := known.get("bracket"), Duels):
            made["bracket"] = duels_.after(fact, log)
