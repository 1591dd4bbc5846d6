"""The course of a tournament: everything that follows from its format, its seed and its log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

from games.contest import bracket as single
from games.contest import final, standings
from games.contest import log as reading
from games.contest import stage1 as first_stage
from games.contest.bracket import FINAL, THIRD, BracketMatch
from games.contest.facts import Fact, Stage
from games.contest.final import HeatBracket
from games.contest.format import DUEL, HEATS_SIZE, Format
from games.contest.log import Entrant, How, Key, Log
from games.contest.pairings import Pairing, match_seed
from games.contest.result import Entry, Result
from games.contest.stage1 import Stage1
from games.contest.standings import Played, Row

State: TypeAlias = Literal["entries_open", "checking", "round_robin", "seeded", "bracket", "finished", "cancelled"]
"""`round_robin` is stage 1, whatever is played in it."""


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

    @property
    def key(self) -> Key:
        return self.id, self.entrants


@dataclass(frozen=True)
class Course:
    """Frozen; each derived value is computed once."""

    format: Format
    seed: int
    facts: tuple[Fact, ...] = ()

    @cached_property
    def state(self) -> State:
        if self._log.cancelled:
            return "cancelled"
        if not self._log.closed:
            return "entries_open"
        if self._unchecked:
            return "checking"
        if self.provisional:
            return "round_robin"
        if self.places is not None:
            return "finished"
        waits = self.format.bracket_waits and not self._log.begun
        return "seeded" if waits or not any(game.key in self._log.results for game in self._bracket) else "bracket"

    @property
    def paused(self) -> bool:
        return self._log.paused

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Every entrant, by entry number."""
        gone = self._log.gone(*self._log.left)
        return tuple(
            replace(one, status=gone.get(entry, "left_out" if one.checked is False else "active"))
            for entry, one in self._log.entrants.items()
        )

    @cached_property
    def names(self) -> dict[Entry, str]:
        return {entry: one.name for entry, one in self._log.entrants.items()}

    @cached_property
    def field(self) -> tuple[Entry, ...]:
        """Who is in stage 1, or in the bracket if there is no stage 1."""
        out = self._log.gone("entries", "check")
        return tuple(entry for entry, one in self._log.entrants.items() if one.checked is not False and entry not in out)

    @property
    def due(self) -> tuple[Fixture, ...]:
        """The games to be played now; none while the tournament is paused."""
        return () if self.paused else self.open

    @cached_property
    def open(self) -> tuple[Fixture, ...]:
        """The games whose result is awaited, also while paused: a game that is being played may end."""
        match self.state:
            case "checking":
                return tuple(self._fixture(f"check-{entry}", "check", (entry,), ("check", entry)) for entry in self._unchecked)
            case "round_robin":
                return tuple(map(self._of_stage1, self._stage1.open))
            case "seeded" | "bracket" if self._log.begun or not self.format.bracket_waits:
                third = any(match.id == THIRD and not match.over for match in self.matches)
                awaited = (game for game in self._bracket if game.key not in self._log.results)
                return tuple(game for game in awaited if not (third and game.match == FINAL))
        return ()

    @cached_property
    def rows(self) -> list[Row]:
        """The table of stage 1 (T4, T5)."""
        if not self.format.staged:
            return []
        left = self._log.gone("round_robin")
        return standings.standings(self.field, self.counted, self.format.points, left, self._annulled)

    @property
    def provisional(self) -> bool:
        """Whether games of stage 1 are still missing."""
        return not self._stage1.over

    @property
    def byes(self) -> tuple[tuple[int, Entry], ...]:
        """Who had no game in which round of stage 1; in a round robin, of each cycle."""
        return tuple(self._stage1.byes)

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
    def matches(self) -> tuple[BracketMatch, ...]:
        """The bracket between two at a time, in the order of play; empty if it is played in heats."""
        if self.format.bracket_seats > DUEL:
            return ()
        gone = {entry: self._log.before.get(entry, "") for entry in self._log.gone("bracket")}
        return tuple(single.bracket(self.seeds, self._log.result, gone, self.format))

    @cached_property
    def heats(self) -> HeatBracket | None:
        """The bracket in heats; None if it is played by two, or not known yet."""
        if self.format.bracket_seats == DUEL or not self.seeds:
            return None
        return final.heat_bracket(self.seeds, self._log.result, self._log.gone("bracket"), self.format.points)

    @cached_property
    def places(self) -> tuple[Entry, ...] | None:
        """The final list, best first (T9); None until the tournament is over."""
        if self.provisional:
            return None
        if not self.format.bracketed:
            return tuple(row.entry for row in self.rows if row.rank is not None)
        gone = self._log.gone("bracket")
        placed = final.placings(self.matches, self.seeds, gone) if self.heats is None else self.heats.placings
        return None if placed is None else tuple(final.final_list(placed, self.rows, gone))

    @cached_property
    def fixtures(self) -> dict[str, Fixture]:
        """All games that are known now, by id, without check games: played, decided or awaited."""
        known = [*map(self._of_stage1, self._stage1.schedule), *self._bracket]
        return {fixture.id: fixture for fixture in known}

    def result(self, game: str) -> Result | None:
        """The result of a game; None: it has none."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self._log.results.get(fixture.key)

    def how(self, game: str) -> How | None:
        """Whether the result of a game was played, or decided without playing."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self._log.how.get(fixture.key)

    @cached_property
    def counted(self) -> tuple[Played, ...]:
        """The games of stage 1 that the table counts, forfeits of those who left included."""
        stage = self._stage1
        return tuple(standings.settled(stage.games, stage.missing, self._log.away, self._annulled, self.format))

    @cached_property
    def _log(self) -> Log:
        return reading.read(self.facts)

    @cached_property
    def _unchecked(self) -> tuple[Entry, ...]:
        """Whose check game is awaited."""
        if not self.format.check:
            return ()
        out = self._log.gone("entries", "check")
        return tuple(entry for entry, one in self._log.entrants.items() if one.checked is None and entry not in out)

    @cached_property
    def _stage1(self) -> Stage1:
        known = self._log.closed and not self._unchecked
        if not known or not self.format.staged or len(self.field) < DUEL:
            return Stage1(over=known)
        return first_stage.stage1(self.format, self.field, self._log)

    @cached_property
    def _annulled(self) -> frozenset[Entry]:
        stage = self._stage1
        games = [(stage.seats[number], result) for number, result in stage.played.items()]  # a heat without those who were gone
        return standings.annulled(stage.planned, games, self._log.gone("round_robin"))

    @cached_property
    def _bracket(self) -> tuple[Fixture, ...]:
        """The games of the bracket that are known, in the order of play."""
        known = []
        for match in self.matches:
            due = match.next()
            for number, seats in [*((game.number, game.seats) for game in match.games), *(() if due is None else (due,))]:
                words = ("ko", match.id, number - 1)
                known.append(self._fixture(single.game_id(match.id, number), "bracket", seats, words, match.id, number))
        heats = [heat for heat in self.heats.heats if not heat.waits and len(heat.seats) > 1] if self.heats else []
        return (*known, *(self._fixture(heat.id, "bracket", heat.seats, ("ko", heat.id, 0), heat.id) for heat in heats))

    def _of_stage1(self, pairing: Pairing) -> Fixture:
        seats = self._stage1.seats[pairing.number]
        return self._fixture(first_stage.id_of(pairing), "round_robin", seats, pairing.words, round_=pairing.round)

    def _fixture(
        self, id_: str, stage: Stage, seats: tuple[Entry, ...], words: Sequence[str | int], match: str = "", round_: int = 0
    ) -> Fixture:
        """The next attempt to play a game. `words`: what its seed comes from."""
        attempt, again = self._log.attempt(id_, seats)
        return Fixture(id_, stage, seats, match_seed(self.seed, *words, again=again), attempt, match, round_)
