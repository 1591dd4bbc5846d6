"""The games of a bracket, between two or in heats: which are known, and which are awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.contest import bracket as single
from games.contest import final
from games.contest.bracket import FINAL, THIRD, Bracket, BracketMatch
from games.contest.facts import Fact
from games.contest.final import HeatBracket
from games.contest.fixture import Awaited, Fixture
from games.contest.format import Format
from games.contest.log import Log
from games.contest.pairings import match_seed
from games.contest.result import Entry


@dataclass(frozen=True)
class Duels:
    """The bracket with its games, as they stand after `log`: a value."""

    seed: int
    log: Log
    bracket: Bracket
    open: Awaited
    """The games that are awaited, by the index of the match."""

    @property
    def over(self) -> bool:
        return not self.bracket.unfinished

    @property
    def begun(self) -> bool:
        """Whether a game has a result."""
        return self.bracket.played > 0

    @property
    def fixtures(self) -> Iterator[Fixture]:
        """The games that are known, in the order of play."""
        for match in self.bracket.matches:
            yield from self._of(match)

    def fixture(self, id_: str) -> Fixture | None:
        """A game that is known."""
        match = self.bracket.match(id_.rpartition("-")[0])
        known = () if match is None else self._of(match)
        return next((one for one in known if one.id == id_), None)

    def awaited(self, id_: str) -> Fixture | None:
        """A game, if it is awaited."""
        at = self.bracket.plan.indexes.get(id_.rpartition("-")[0])
        due = None if at is None else self.open.at(at)
        return due if due is not None and due.id == id_ else None

    def of(self, entry: Entry) -> list[BracketMatch]:
        """The matches of an entrant, in the order of play."""
        return self.bracket.of(entry)

    def after(self, fact: Fact, log: Log) -> Duels:
        """The bracket after a fact that leaves its seeds as they are; `log`: with that fact."""
        plan = self.bracket.plan
        changed: Iterable[int] = ()
        if fact.game is not None:
            at = plan.indexes.get(fact.game.rpartition("-")[0])
            changed = () if at is None else (at,)
        elif fact.entry is not None:
            changed = plan.path(fact.entry)
        return self._changed(changed, log)

    def _changed(self, indexes: Iterable[int], log: Log) -> Duels:
        tried = [*indexes]
        bracket, other = self.bracket.changed(tried, log.result, gone(log))
        then = replace(self, log=log, bracket=bracket)
        touched = {*tried, *other}
        if (final := bracket.plan.indexes.get(FINAL)) is not None:
            touched.add(final)  # it waits for the match for third place
        third = bracket.match(THIRD)
        waits = third is not None and not third.over
        changes: dict[int, Fixture | None] = {}
        for at in touched:
            match = bracket.known[at]
            due = None if match.id == FINAL and waits else match.next()
            now = None if due is None else then._fixture(match, *due)
            if now != self.open.at(at):
                changes[at] = now
        return replace(then, open=self.open.edited(changes))

    def _of(self, match: BracketMatch) -> Iterator[Fixture]:
        """The games of a match that are played, and the next one."""
        for game in match.games:
            yield self._fixture(match, game.number, game.seats)
        if (due := match.next()) is not None:
            yield self._fixture(match, *due)

    def _fixture(self, match: BracketMatch, number: int, seats: tuple[Entry, Entry]) -> Fixture:
        id_ = single.game_id(match.id, number)
        attempt, again = self.log.game(id_, seats).next
        seed = match_seed(self.seed, "ko", match.id, number - 1, again=again)
        return Fixture(id_, "bracket", seats, seed, attempt, match.id, number)


def duels(seeds: Sequence[Entry], format_: Format, seed: int, log: Log) -> Duels:
    """The bracket of these seeds, as the log has it."""
    made = single.bracket(seeds, log.result, gone(log), format_)
    return Duels(seed, log, made, Awaited.none())._changed(range(len(made.plan.ids)), log)


def gone(log: Log) -> Mapping[Entry, str]:
    """Who has left the bracket, and before which match."""
    return {entry: log.before.get(entry, "") for entry in log.left.get("bracket", ())}


@dataclass(frozen=True)
class Heats:
    """The bracket in heats with its games, as they stand after `log`: a value."""

    seed: int
    log: Log
    bracket: HeatBracket

    @property
    def over(self) -> bool:
        return self.bracket.placings is not None

    @property
    def begun(self) -> bool:
        """Whether a heat has a result."""
        return any(heat.result is not None for heat in self.bracket.heats)

    @property
    def open(self) -> Sequence[Fixture]:
        """The heats that are awaited."""
        return tuple(one for one in self.fixtures if self.log.result(*one.key) is None)

    @property
    def fixtures(self) -> Iterator[Fixture]:
        """The heats that are known, in the order of play."""
        for heat in self.bracket.heats:
            if not heat.waits and len(heat.seats) > 1:
                attempt, again = self.log.game(heat.id, heat.seats).next
                seed = match_seed(self.seed, "ko", heat.id, 0, again=again)
                yield Fixture(heat.id, "bracket", heat.seats, seed, attempt, heat.id)

    def fixture(self, id_: str) -> Fixture | None:
        """A heat that is known."""
        return next((one for one in self.fixtures if one.id == id_), None)

    def of(self, entry: Entry) -> list[BracketMatch]:
        """None: there are no matches in heats."""
        return []

    def awaited(self, id_: str) -> Fixture | None:
        """A heat, if it is awaited."""
        return next((one for one in self.open if one.id == id_), None)


def heats(seeds: Sequence[Entry], format_: Format, seed: int, log: Log) -> Heats:
    """The bracket in heats of these seeds, as the log has it."""
    away = log.left.get("bracket", ())
    return Heats(seed, log, final.heat_bracket(seeds, log.result, away, format_.points))
