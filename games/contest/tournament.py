"""A tournament is a value: a format, a seed and a log of facts. Everything else follows from these.

    t = Tournament(format, seed)
    fact = t.entered("greedy")          # a verb checks that this can happen now and returns it as a fact, or raises Refused
    t = t.add(fact)                     # the host stores the fact (facts.told), then goes on with the tournament that follows
    ...
    for fixture in t.due:               # the games that can be played now, in any order and in parallel
        t = t.add(t.played(fixture.id, result_of(outcome, t.format.forfeit_score), attempt=fixture.attempt))
    t.state, t.rows, t.provisional      # entries_open, checking, round_robin, seeded, bracket, finished, cancelled
    t.matches, t.heats, t.places        # the bracket, by two or in heats; the final list

Loading is `Tournament(format, seed, tuple(map(facts.read, lines)))`. Entrants are entry numbers, from 1; `names` has the rest.
Undoing a fact means reading the log without it, so later rounds are paired again: a result counts for a game while the same bots
sit there, and is ignored while others do. No clock, no chance and no order of games matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import itemgetter
from typing import Final, Literal

from games.contest import bracket as single
from games.contest import facts as log
from games.contest import final, standings
from games.contest.course import Course
from games.contest.course import Fixture as Fixture
from games.contest.facts import Fact, Stage
from games.contest.log import SAME_SEED as SAME_SEED
from games.contest.log import Entrant as Entrant
from games.contest.result import Entry, Result, forfeited
from games.core.contract import Json
from games.core.errors import BotarenaError
from games.core.names import BadName, checked_name, likeness

NAME_LONGEST: Final = 64
LASTING: Final = ("entered", "closed")
"""What cannot be undone at all."""
CELL: Final = ("wins", "draws", "losses", "both_lost", "points")
"""What a cell of the crosstable tells."""


class Refused(BotarenaError):
    """This cannot happen now; the tournament is as it was."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


class Tournament(Course):
    """What may happen: each verb returns a fact, or raises Refused. `by` and `why` stand in the log for the audit."""

    def add(self, fact: Fact) -> Tournament:
        """The tournament in which this has happened too."""
        return replace(self, facts=(*self.facts, fact))

    def is_void(self, number: int) -> bool:
        """Whether the fact with this number, from 1, was undone."""
        return number in self._log.void

    def entered(self, name: str, about: Json = None) -> Fact:
        """Somebody enters."""
        if self._log.closed:
            raise Refused("entries_closed", "entries are closed")
        try:
            name = checked_name(name, NAME_LONGEST)
        except BadName as fault:
            raise Refused("bad_name", f"name: {fault}") from None
        if likeness(name) in map(likeness, self.names.values()):
            raise Refused("name_taken", f"there is an entrant called {name!r}")
        return Fact(kind="entered", entry=len(self._log.entrants) + 1, name=name, about=about)

    def closed(self, by: str = "", why: str = "", about: Json = None) -> Fact:
        """Entries close."""
        if self._log.closed:
            raise Refused("entries_closed", "entries are closed already")
        return Fact(kind="closed", by=by, why=why, about=about)

    def checked(self, entry: Entry, ok: bool, why: str = "") -> Fact:
        """A bot's check game is over; a bot that failed is left out."""
        if self.state != "checking" or entry not in self._unchecked:
            raise Refused("not_due", f"no check of entrant {entry} is awaited")
        return Fact(kind="checked", entry=entry, ok=ok, why=why)

    def played(self, game: str, result: Result | None, attempt: int, about: Json = None) -> Fact:
        """A game is over. A result of None: it broke off through no bot's fault, and is played again."""
        fixture = self._awaited(game)
        if attempt != fixture.attempt:
            raise Refused("stale_attempt", f"{game}: attempt {fixture.attempt} is awaited, not {attempt}")
        self._fitting(fixture, result)
        return Fact(kind="result", game=game, seats=fixture.entrants, attempt=attempt, result=result, about=about)

    def forfeit(self, game: str, entries: Iterable[Entry], by: str = "", why: str = "") -> Fact:
        """These lose a game without playing: they did not come."""
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
        """A bot is sent away (T8); also one that has withdrawn, and when the tournament is over."""
        return self._leaving("disqualified", entry, by, why)

    def override(self, game: str, result: Result, by: str = "", why: str = "") -> Fact:
        """The organiser's result of a game, played or not; what depends on it is worked out again."""
        fixture = self._known(game)
        self._fitting(fixture, result)
        return Fact(kind="override", game=game, seats=fixture.entrants, result=result, by=by, why=why)

    def replay(self, game: str, by: str = "", why: str = "") -> Fact:
        """A game is to be played again, as another attempt."""
        fixture = self._known(game)
        if fixture.key not in self._log.results:
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
        round_ = self._log.rounds.get(entry)
        if round_ is None and self.format.format == "swiss" and stage == "round_robin":
            round_ = max((pairing.round for pairing in self._stage1.schedule), default=1)
        return Fact(kind=kind, entry=entry, stage=stage, round=round_, match=self._missing_in(entry), by=by, why=why)

    @property
    def _stage(self) -> Stage:
        """The stage in which an entrant leaves that leaves now."""
        if self.state in ("entries_open", "checking"):
            return "entries" if self.state == "entries_open" else "check"
        return "bracket" if self.format.bracketed and not self.provisional else "round_robin"

    def _missing_in(self, entry: Entry) -> str | None:
        """The first match of the bracket that an entrant leaving now does not play to its end."""
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


def told(tournament: Tournament) -> dict[str, Json]:
    """The state of a tournament as plain JSON, for a page, a file or a program. Its seed and its log are left out."""
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
            {"id": names[one], "against": names[other], **{word: getattr(sum_, word) for word in CELL}}
            for (one, other), sum_ in sorted(standings.crosstable(t.counted, t.format.points).items(), key=itemgetter(0))
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
