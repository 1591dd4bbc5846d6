"""A tournament: a format, a seed and a log of facts; all else is worked out from them each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from games.contest.bracket import FINAL, THIRD, BracketMatch, game_id
from games.contest.facts import Fact, Stage
from games.contest.final import HeatBracket, final_list, placings, qualified
from games.contest.fixture import Fixture
from games.contest.format import DUEL, HEATS_SIZE, Format
from games.contest.pairings import Pairing, match_seed
from games.contest.result import Entry, GameResult
from games.contest.standings import SeatedResult, StandingsRow, annulled
from games.contest.tournament import TournamentState
from games.core.names import composed
from tests.games.contest.slow_model import bracket as single
from tests.games.contest.slow_model import final, standings
from tests.games.contest.slow_model import log as reading
from tests.games.contest.slow_model import stage1 as first_stage
from tests.games.contest.slow_model.log import Entrant, How, Log
from tests.games.contest.slow_model.stage1 import Stage1


@dataclass(frozen=True)
class Tournament:
    """Frozen. Each derived value is computed once; it has a method, hence their number."""

    format: Format
    seed: int
    facts: tuple[Fact, ...] = ()

    def add(self, fact: Fact) -> Tournament:
        """The tournament in which this has happened too."""
        return replace(self, facts=(*self.facts, fact))

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
        if self.unchecked:
            return "checking"
        if self.provisional:
            return "round_robin"
        if self.places is not None:
            return "finished"
        waits = self.format.bracket_waits and not self.log.begun
        begun = any(game.key in self.log.results for game in self._bracket)
        return "bracket" if begun and not waits else "seeded"

    @property
    def paused(self) -> bool:
        return self.log.paused

    @cached_property
    def entrants(self) -> tuple[Entrant, ...]:
        """Every entrant, by entry number."""
        gone = self.log.gone(*self.log.left)
        return tuple(
            replace(one, status=gone.get(entry, "left_out" if one.checked is False else "active"))
            for entry, one in self.log.entrants.items()
        )

    @cached_property
    def names(self) -> dict[Entry, str]:
        return {entry: one.name for entry, one in self.log.entrants.items()}

    def entry_of(self, name: str) -> Entry | None:
        """The entrant of this name, however its letters are composed."""
        return next(
            (entry for entry, known in self.names.items() if composed(known) == composed(name)),
            None,
        )

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
    def due(self) -> tuple[Fixture, ...]:
        """The games to be played now; none while the tournament is paused."""
        return () if self.paused else self.open

    @cached_property
    def open(self) -> tuple[Fixture, ...]:
        """The games whose result is awaited, also while paused: a game that has begun may end."""
        match self.state:
            case "checking":
                return tuple(
                    self._fixture(f"check-{entry}", "check", (entry,), ("check", entry))
                    for entry in self.unchecked
                )
            case "round_robin":
                return tuple(map(self._of_stage1, self.stage1.open))
            case "seeded" | "bracket" if self.log.begun or not self.format.bracket_waits:
                third = any(match.id == THIRD and not match.over for match in self.matches)
                awaited = (game for game in self._bracket if game.key not in self.log.results)
                return tuple(game for game in awaited if not (third and game.match == FINAL))
        return ()

    @cached_property
    def rows(self) -> list[StandingsRow]:
        """The table of stage 1 (T4, T5)."""
        if not self.format.staged:
            return []
        left = self.log.gone("round_robin")
        return standings.standings(
            self.field, self.counted, self.format.points, left, self._annulled
        )

    @property
    def provisional(self) -> bool:
        """Whether games of stage 1 are still missing."""
        return not self.stage1.over

    @cached_property
    def seeds(self) -> tuple[Entry, ...]:
        """Who is in the bracket, the best first; empty until that is known."""
        if not self.format.bracketed or self.provisional:
            return ()
        duel = self.format.bracket_seats == DUEL
        most = self.format.bracket_size if duel else min(self.format.bracket_size, HEATS_SIZE)
        if self.format.staged:
            return tuple(qualified(self.rows, most))
        return self.field if duel else self.field[:most]

    @cached_property
    def matches(self) -> tuple[BracketMatch, ...]:
        """The bracket between two at a time, in order of play; empty if it is played in heats."""
        if self.format.bracket_seats > DUEL:
            return ()
        gone = {entry: self.log.before.get(entry, "") for entry in self.log.gone("bracket")}
        return tuple(single.bracket(self.seeds, self.log.result, gone, self.format))

    @cached_property
    def heats(self) -> HeatBracket | None:
        """The bracket in heats; None if it is played by two, or not known yet."""
        if self.format.bracket_seats == DUEL or not self.seeds:
            return None
        return final.heat_bracket(
            self.seeds, self.log.result, self.log.gone("bracket"), self.format.points
        )

    @cached_property
    def places(self) -> tuple[Entry, ...] | None:
        """The final list, best first (T9); None until the tournament is over."""
        if self.provisional:
            return None
        if not self.format.bracketed:
            return tuple(row.entry for row in self.rows if row.rank is not None)
        gone = self.log.gone("bracket")
        placed: Sequence[Entry] | None
        if self.heats is None:
            placed = placings(self.matches, self.seeds, gone)
        else:
            placed = self.heats.placings
        return None if placed is None else tuple(final_list(placed, self.rows, gone))

    @cached_property
    def fixtures(self) -> dict[str, Fixture]:
        """All games that are known now, by id, without check games: played, decided or awaited."""
        known = [*map(self._of_stage1, self.stage1.schedule), *self._bracket]
        return {fixture.id: fixture for fixture in known}

    def result(self, game: str) -> GameResult | None:
        """The result of a game; None: it has none."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self.log.results.get(fixture.key)

    def how(self, game: str) -> How | None:
        """Whether the result of a game was played, or decided without playing."""
        fixture = self.fixtures.get(game)
        return None if fixture is None else self.log.how.get(fixture.key)

    @cached_property
    def counted(self) -> tuple[SeatedResult, ...]:
        """The games of stage 1 that the table counts, forfeits of those who left included."""
        stage = self.stage1
        return tuple(
            standings.settled(
                stage.games, stage.missing, self.log.away, self._annulled, self.format
            )
        )

    @cached_property
    def unchecked(self) -> tuple[Entry, ...]:
        """Whose check game is awaited."""
        if not self.format.check:
            return ()
        out = self.log.gone("entries", "check")
        return tuple(
            entry
            for entry, one in self.log.entrants.items()
            if one.checked is None and entry not in out
        )

    @cached_property
    def stage1(self) -> Stage1:
        """What is known of stage 1."""
        known = self.log.closed and not self.unchecked
        if not known or not self.format.staged or len(self.field) < DUEL:
            return Stage1(over=known)
        return first_stage.stage1(self.format, self.field, self.log)

    @cached_property
    def _annulled(self) -> frozenset[Entry]:
        stage = self.stage1
        # The seats of a heat are those that were there when it was played.
        games = [(stage.seats[number], result) for number, result in stage.played.items()]
        return annulled(stage.planned, games, self.log.gone("round_robin"))

    @cached_property
    def _bracket(self) -> tuple[Fixture, ...]:
        """The games of the bracket that are known, in the order of play."""
        known = []
        for match in self.matches:
            games = [(game.number, game.seats) for game in match.games]
            if (due := match.next()) is not None:
                games.append(due)
            for number, seats in games:
                id_, words = game_id(match.id, number), ("ko", match.id, number - 1)
                known.append(self._fixture(id_, "bracket", seats, words, match.id, number))
        for heat in self.heats.heats if self.heats else ():
            if not heat.waits and len(heat.seats) > 1:
                words = ("ko", heat.id, 0)
                known.append(self._fixture(heat.id, "bracket", heat.seats, words, heat.id))
        return tuple(known)

    def _of_stage1(self, pairing: Pairing) -> Fixture:
        id_, seats = first_stage.id_of(pairing), self.stage1.seats[pairing.number]
        return self._fixture(id_, "round_robin", seats, pairing.words, round_=pairing.round)

    def _fixture(
        self,
        id_: str,
        stage: Stage,
        seats: tuple[Entry, ...],
        words: Sequence[str | int],
        match: str = "",
        round_: int = 0,
    ) -> Fixture:
        """The next attempt to play a game. `words`: what its seed comes from."""
        attempt, again = self.log.attempt(id_, seats)
        seed = match_seed(self.seed, *words, again=again)
        return Fixture(id_, stage, seats, seed, attempt, match, round_)
