"""Reading the log of a tournament: what the facts that still count say, each read once, from the
first to the last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from games.contest.facts import Fact, Stage
from games.contest.log import GameKey, How
from games.contest.result import Entry, GameResult
from games.contest.standings import Status
from games.core.contract import Json

SAME_SEED: Final = 4
"""A game that broke off is played again under its seed until this many attempts are used up, then
under the next one (T4)."""
HOWS: Final[dict[str, How]] = {"result": "played", "forfeit": "forfeit", "override": "override"}


@dataclass(frozen=True, slots=True)
class Entrant:
    """`status` left_out: its check game failed. `about`: what the host noted when it entered."""

    entry: Entry
    name: str
    status: Literal["active", "withdrawn", "disqualified", "left_out"] = "active"
    checked: bool | None = None
    why: str = ""
    about: Json = None


@dataclass(slots=True)
class Log:
    """What the facts say."""

    entrants: dict[Entry, Entrant] = field(default_factory=dict)
    closed: bool = False
    begun: bool = False
    paused: bool = False
    cancelled: bool = False
    results: dict[GameKey, GameResult] = field(default_factory=dict)
    how: dict[GameKey, How] = field(default_factory=dict)
    attempts: Counter[GameKey] = field(default_factory=Counter)
    broken: Counter[GameKey] = field(default_factory=Counter)
    """Attempts that broke off."""
    left: dict[Stage, dict[Entry, Status]] = field(default_factory=dict)
    rounds: dict[Entry, int] = field(default_factory=dict)
    """Swiss: the last round in which one who has left was paired."""
    before: dict[Entry, str] = field(default_factory=dict)
    """The match of the bracket before which one has left."""
    void: frozenset[int] = frozenset()
    """The numbers of the facts that were undone."""

    def result(self, game: str, seats: tuple[Entry, ...]) -> GameResult | None:
        return self.results.get((game, seats))

    def attempt(self, game: str, seats: tuple[Entry, ...]) -> tuple[int, int]:
        """The number of the next attempt, and how many seeds broken-off games have used."""
        return self.attempts[game, seats] + 1, self.broken[game, seats] // SAME_SEED

    def gone(self, *stages: Stage) -> dict[Entry, Status]:
        """Who left in one of these stages."""
        return {
            entry: status for stage in stages for entry, status in self.left.get(stage, {}).items()
        }

    @property
    def away(self) -> Mapping[Entry, tuple[int, int]]:
        """Who plays no more games of stage 1, with the stage and, in a swiss tournament, the round
        in which it left."""
        stages: tuple[Stage, ...] = ("round_robin", "bracket")
        left: dict[Entry, tuple[int, int]] = {}
        for at, stage in enumerate(stages):
            for entry in self.gone(stage):
                left.setdefault(entry, (at, self.rounds.get(entry, 0)))
        return left


def read(facts: Sequence[Fact]) -> Log:
    """The log, read. An attempt took place even if the fact that says so was undone."""
    log = Log(void=voided(facts))
    for number, fact in enumerate(facts, start=1):
        if fact.kind == "result":
            log.attempts[_key(fact)] += 1
        if number not in log.void:
            _read(log, fact)
    return log


def voided(facts: Sequence[Fact]) -> frozenset[int]:
    """The numbers of undone facts: read from the end, because an undoing may be undone too."""
    void: set[int] = set()
    for number in range(len(facts), 0, -1):
        fact = facts[number - 1]
        if fact.kind == "undone" and number not in void and fact.fact is not None:
            void.add(fact.fact)
    return frozenset(void)


def _read(log: Log, fact: Fact) -> None:
    match fact.kind:
        case "entered":
            assert fact.entry is not None
            log.entrants[fact.entry] = Entrant(fact.entry, fact.name or "", about=fact.about)
        case "checked" if fact.entry in log.entrants:
            entrant = log.entrants[fact.entry]
            log.entrants[fact.entry] = replace(entrant, checked=fact.ok, why=fact.why)
        case "result" | "forfeit" | "override":
            if fact.result is None:
                log.broken[_key(fact)] += 1
            else:
                log.results[_key(fact)], log.how[_key(fact)] = fact.result, HOWS[fact.kind]
        case "replay":
            game, seats = _key(fact)
            for key in [*log.results]:
                if key[0] == game and _nested({*key[1]}, {*seats}):
                    del log.results[key], log.how[key]
        case "withdrawn" | "disqualified":
            assert fact.entry is not None
            assert fact.stage is not None
            log.left.setdefault(fact.stage, {})[fact.entry] = fact.kind
            log.entrants[fact.entry] = replace(log.entrants[fact.entry], why=fact.why)
            if fact.round is not None:
                log.rounds.setdefault(fact.entry, fact.round)
            if fact.match is not None:
                log.before.setdefault(fact.entry, fact.match)
        case "closed" | "begun" | "cancelled":
            setattr(log, fact.kind, True)
        case "paused" | "resumed":
            log.paused = fact.kind == "paused"


def _key(fact: Fact) -> GameKey:
    assert fact.game is not None
    assert fact.seats is not None
    return fact.game, fact.seats


def _nested(one: set[Entry], other: set[Entry]) -> bool:
    """Whether two results are of one game: a heat may be played without those who have left."""
    return one <= other or other <= one
