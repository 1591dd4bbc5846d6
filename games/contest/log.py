"""The log of a tournament, read: what the facts that still count say, each read once, from the
first to the last. A log is a value: one more fact makes another, which shares what is the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from games.contest import faults
from games.contest.facts import Fact, Stage
from games.contest.faults import FaultCounts
from games.contest.persistent import PersistentMap
from games.contest.result import Entry, GameResult
from games.contest.standings import Status
from games.core.contract import Json
from games.core.names import composed, likeness

How: TypeAlias = Literal["played", "forfeit", "override"]
GameKey: TypeAlias = tuple[str, tuple[Entry, ...]]
"""A game: its id, and who sits where."""

SAME_SEED: Final = 4
"""A game that broke off is played again under its seed until this many attempts are used up, then
under the next one (T4)."""
HOWS: Final[dict[str, How]] = {"result": "played", "forfeit": "forfeit", "override": "override"}


EntrantStatus: TypeAlias = Literal["active", "withdrawn", "disqualified", "left_out"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """`status` left_out: its check game failed. `about`: what the host noted when it entered."""

    entry: Entry
    name: str
    status: EntrantStatus = "active"
    checked: bool | None = None
    why: str = ""
    """Why it does not take part."""
    about: Json = None


@dataclass(frozen=True, slots=True)
class GameLog:
    """What the facts say of a game between these bots. `broken`: attempts that broke off."""

    result: GameResult | None = None
    how: How | None = None
    attempts: int = 0
    broken: int = 0

    @property
    def next(self) -> tuple[int, int]:
        """The number of the next attempt, and how many seeds broken-off games have used."""
        return self.attempts + 1, self.broken // SAME_SEED


UNPLAYED: Final = GameLog()


@dataclass(slots=True)
class Log:
    """What the facts say. It is filled while it is made, and does not change after that."""

    facts: int = 0
    """How many were read."""
    entrants: dict[Entry, Entrant] = field(default_factory=dict)
    names: dict[Entry, str] = field(default_factory=dict)
    by_name: PersistentMap[str, Entry] = field(default_factory=PersistentMap)
    alike: PersistentMap[str, Entry] = field(default_factory=PersistentMap)
    """Entrants by what their names look like."""
    closed: bool = False
    begun: bool = False
    paused: bool = False
    cancelled: bool = False
    games: PersistentMap[str, Mapping[tuple[Entry, ...], GameLog]] = field(
        default_factory=PersistentMap
    )
    """By the id of a game and who sat where."""
    results: int = 0
    """How many games have a result, under the same id with other seats counted again."""
    left: dict[Stage, dict[Entry, Status]] = field(default_factory=dict)
    rounds: dict[Entry, int] = field(default_factory=dict)
    """Swiss: the last round in which one who has left was paired."""
    before: dict[Entry, str] = field(default_factory=dict)
    """The match of the bracket before which one has left."""
    faults: PersistentMap[Entry, FaultCounts] = field(default_factory=PersistentMap)
    """What each did wrong, in all attempts."""
    void: frozenset[int] = frozenset()
    """The numbers of the facts that were undone."""

    def game(self, game: str, seats: tuple[Entry, ...]) -> GameLog:
        found: GameLog = self.games.get(game, {}).get(seats, UNPLAYED)
        return found

    def result(self, game: str, seats: tuple[Entry, ...]) -> GameResult | None:
        return self.game(game, seats).result

    def entry_of(self, name: str) -> Entry | None:
        """The entrant of this name, however its letters are composed; else the only one whose name
        differs in capitals and spaces alone."""
        found: Entry | None = self.by_name.get(composed(name))
        if found is None:
            wanted = likeness(name).casefold()
            alike = [entry for like, entry in self.alike.items() if like.casefold() == wanted]
            found = alike[0] if len(alike) == 1 else None
        return found

    def gone(self, *stages: Stage) -> dict[Entry, Status]:
        """Who left in one of these stages."""
        return {
            entry: status for stage in stages for entry, status in self.left.get(stage, {}).items()
        }

    def status(self, entry: Entry) -> EntrantStatus:
        """Whether an entrant still takes part; of one that left twice the later stage decides."""
        for stage in reversed(self.left):
            if (status := self.left[stage].get(entry)) is not None:
                return status
        return "left_out" if self.entrants[entry].checked is False else "active"

    @property
    def away(self) -> Mapping[Entry, tuple[int, int]]:
        """Who plays no more games of stage 1, with the stage and, in a swiss tournament, the round
        in which it left."""
        stages: tuple[Stage, ...] = ("round_robin", "bracket")
        left: dict[Entry, tuple[int, int]] = {}
        for at, stage in enumerate(stages):
            for entry in self.left.get(stage, ()):
                left.setdefault(entry, (at, self.rounds.get(entry, 0)))
        return left

    def after(self, fact: Fact) -> Log:
        """The log with one more fact, which undoes none."""
        then = copy(self)
        _read(then, fact)
        return then


def read(facts: Sequence[Fact]) -> Log:
    """The log, read. An attempt took place even if the fact that says so was undone."""
    log = Log(void=voided(facts))
    for fact in facts:
        _read(log, fact)
    return log


def voided(facts: Sequence[Fact]) -> frozenset[int]:
    """The numbers of undone facts: read from the end, because an undoing may be undone too."""
    void: set[int] = set()
    undone = [(number, fact.fact) for number, fact in enumerate(facts, 1) if fact.kind == "undone"]
    for number, named in reversed(undone):
        if number not in void and named is not None:
            void.add(named)
    return frozenset(void)


def _read(log: Log, fact: Fact) -> None:
    log.facts += 1
    void = log.facts in log.void
    match fact.kind:
        case "result" | "forfeit" | "override":
            _read_result(log, fact, void)
        case _ if void:
            pass
        case "entered":
            assert fact.entry is not None
            name = fact.name or ""
            log.entrants = {**log.entrants, fact.entry: Entrant(fact.entry, name, about=fact.about)}
            log.names = {**log.names, fact.entry: name}
            known, alike = composed(name), likeness(name)
            log.by_name = log.by_name.updated({known: log.by_name.get(known, fact.entry)})
            log.alike = log.alike.updated({alike: fact.entry})
        case "checked" if fact.entry in log.entrants:
            entrant = replace(log.entrants[fact.entry], checked=fact.ok, why=fact.why)
            log.entrants = {**log.entrants, fact.entry: entrant}
        case "replay":
            game, seats = _key(fact)
            unplayed = {
                key: replace(one, result=None, how=None)
                for key, one in log.games.get(game, {}).items()
                if one.result is not None and _nested({*key}, {*seats})
            }
            _update(log, game, unplayed)
        case "withdrawn" | "disqualified":
            assert fact.entry is not None
            assert fact.stage is not None
            here = {**log.left.get(fact.stage, {}), fact.entry: fact.kind}
            log.left = {**log.left, fact.stage: here}
            gone = replace(log.entrants[fact.entry], why=fact.why)
            log.entrants = {**log.entrants, fact.entry: gone}
            if fact.round is not None:
                log.rounds = {fact.entry: fact.round, **log.rounds}
            if fact.match is not None:
                log.before = {fact.entry: fact.match, **log.before}
        case "closed" | "begun" | "cancelled":
            setattr(log, fact.kind, True)
        case "paused" | "resumed":
            log.paused = fact.kind == "paused"


def _read_result(log: Log, fact: Fact, void: bool) -> None:
    game, seats = _key(fact)
    was = log.game(game, seats)
    attempts = was.attempts + (fact.kind == "result")
    result, how, broken = was.result, was.how, was.broken
    if not void and fact.result is not None:
        result, how = fact.result, HOWS[fact.kind]
    elif not void:
        broken += 1
    _update(log, game, {seats: GameLog(result, how, attempts, broken)})
    if not void and (wrong := faults.of(fact)):
        before = {entry: log.faults.get(entry, faults.NONE) for entry in wrong}
        log.faults = log.faults.updated(
            {entry: faults.added(before[entry], more) for entry, more in wrong.items()}
        )


def _update(log: Log, game: str, changes: Mapping[tuple[Entry, ...], GameLog]) -> None:
    was = log.games.get(game, {})
    now = {**was, **changes}
    log.games = log.games.updated({game: now})
    log.results += _decided(now.values()) - _decided(was.values())


def _decided(games: Iterable[GameLog]) -> int:
    return sum(game.result is not None for game in games)


def _key(fact: Fact) -> GameKey:
    assert fact.game is not None
    assert fact.seats is not None
    return fact.game, fact.seats


def _nested(one: set[Entry], other: set[Entry]) -> bool:
    """Whether two results are of one game: a heat may be played without those who have left."""
    return one <= other or other <= one
