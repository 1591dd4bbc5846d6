"""What may happen in a tournament now: each verb returns a fact, or raises Refused. `by` and `why`
are for the audit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from games.contest.facts import Fact, Stage
from games.contest.result import Entry, GameResult, forfeited
from games.contest.tournament import Fixture, Tournament
from games.core.contract import Json
from games.core.errors import BotarenaError
from games.core.names import BadName, checked_name, likeness

NAME_LONGEST: Final = 64
LASTING: Final = ("entered", "closed")
"""What cannot be undone at all."""


class Refused(BotarenaError):
    """This cannot happen now; the tournament is as it was."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"{code}: {why}")
        self.code = code
        self.why = why


def enter(t: Tournament, name: str, about: Json = None) -> Fact:
    """A bot enters."""
    if t.log.closed:
        raise Refused("entries_closed", "entries are closed")
    try:
        name = checked_name(name, NAME_LONGEST)
    except BadName as fault:
        raise Refused("bad_name", f"name: {fault}") from None
    if likeness(name) in t.log.alike:
        raise Refused("name_taken", f"there is an entrant called {name!r}")
    return Fact(kind="entered", entry=len(t.log.entrants) + 1, name=name, about=about)


def close(t: Tournament, by: str = "", why: str = "", about: Json = None) -> Fact:
    """Entries close."""
    if t.log.closed:
        raise Refused("entries_closed", "entries are closed already")
    return Fact(kind="closed", by=by, why=why, about=about)


def check(t: Tournament, entry: Entry, ok: bool, why: str = "") -> Fact:
    """A bot's check game is over; a bot that failed is left out."""
    if t.state != "checking" or t.checks.at(entry) is None:
        raise Refused("not_due", f"no check of entrant {entry} is awaited")
    return Fact(kind="checked", entry=entry, ok=ok, why=why)


def report(
    t: Tournament, game: str, result: GameResult | None, attempt: int, about: Json = None
) -> Fact:
    """A game is over. Without a result it broke off through no bot's fault, and is played again."""
    fixture = _awaited(t, game)
    if attempt != fixture.attempt:
        why = f"{game}: attempt {fixture.attempt} is awaited, not {attempt}"
        raise Refused("stale_attempt", why)
    _check_seats(fixture, result)
    return Fact(
        kind="result",
        game=game,
        seats=fixture.entrants,
        attempt=attempt,
        result=result,
        about=about,
    )


def forfeit(
    t: Tournament, game: str, entries: Iterable[Entry], by: str = "", why: str = ""
) -> Fact:
    """These lose a game without playing: they did not come."""
    fixture = _awaited(t, game)
    out = [seat for seat, entry in enumerate(fixture.entrants) if entry in {*entries}]
    if not out:
        raise Refused("not_seated", f"{game}: expected one of its entrants")
    result = forfeited(len(fixture.entrants), out, t.format.forfeit_score)
    return Fact(kind="forfeit", game=game, seats=fixture.entrants, result=result, by=by, why=why)


def withdraw(t: Tournament, entry: Entry, by: str = "", why: str = "") -> Fact:
    """A bot leaves (T8)."""
    return _leaving(t, "withdrawn", entry, by, why)


def disqualify(t: Tournament, entry: Entry, by: str = "", why: str = "") -> Fact:
    """A bot is sent away (T8); also one that has withdrawn, and when the tournament is over."""
    return _leaving(t, "disqualified", entry, by, why)


def override(t: Tournament, game: str, result: GameResult, by: str = "", why: str = "") -> Fact:
    """The organiser's result of a game, played or not; what depends on it is worked out again."""
    fixture = _known(t, game)
    _check_seats(fixture, result)
    return Fact(kind="override", game=game, seats=fixture.entrants, result=result, by=by, why=why)


def replay(t: Tournament, game: str, by: str = "", why: str = "") -> Fact:
    """A game is to be played again, as another attempt."""
    fixture = _known(t, game)
    if t.log.result(*fixture.key) is None:
        raise Refused("not_played", f"{game} has no result")
    return Fact(kind="replay", game=game, seats=fixture.entrants, by=by, why=why)


def undo(t: Tournament, number: int, by: str = "", why: str = "") -> Fact:
    """A fact, by its number from 1, counts no more. Undoing an undoing brings the fact back."""
    if not 1 <= number <= len(t.facts):
        raise Refused(
            "no_such_fact", f"expected the number of a fact, 1 to {len(t.facts)}, got {number}"
        )
    if _lasting(t, t.facts[number - 1]):
        raise Refused(
            "lasting",
            f"fact {number} ({t.facts[number - 1].kind}) cannot be undone: the games stand on it",
        )
    if number in t.log.void:
        raise Refused("undone_already", f"fact {number} was undone already")
    return Fact(kind="undone", fact=number, by=by, why=why)


def begin(t: Tournament, by: str = "", why: str = "") -> Fact:
    """The bracket begins."""
    if t.state != "seeded" or not t.format.bracket_waits or t.log.begun:
        raise Refused("not_due", "no bracket waits for its beginning")
    return Fact(kind="begun", by=by, why=why)


def pause(t: Tournament, by: str = "", why: str = "") -> Fact:
    """No further game is due until it is resumed."""
    if t.paused or t.state in ("finished", "cancelled"):
        raise Refused("not_running", "it is paused or over")
    return Fact(kind="paused", by=by, why=why)


def resume(t: Tournament, by: str = "", why: str = "") -> Fact:
    if not t.paused:
        raise Refused("not_paused", "it is not paused")
    return Fact(kind="resumed", by=by, why=why)


def cancel(t: Tournament, by: str = "", why: str = "") -> Fact:
    if t.state in ("finished", "cancelled"):
        raise Refused("over", "it is over")
    return Fact(kind="cancelled", by=by, why=why)


def _leaving(
    t: Tournament, kind: Literal["withdrawn", "disqualified"], entry: Entry, by: str, why: str
) -> Fact:
    if entry not in t.names:
        raise Refused("no_such_entrant", f"there is no entrant {entry}")
    status = t.log.status(entry)
    if status == "disqualified" or status == kind or t.state == "cancelled":
        raise Refused("gone", f"{t.names[entry]} is {status}, the tournament is {t.state}")
    if kind == "withdrawn" and t.state == "finished":
        raise Refused("over", "it is over")
    before = next((stage for stage, gone in t.log.left.items() if entry in gone), None)
    stage = (
        _stage(t) if before in (None, "round_robin") else before
    )  # once there are seeds, the table that made them stays
    round_ = t.log.rounds.get(entry)
    if round_ is None and t.format.format == "swiss" and stage == "round_robin":
        round_ = max(len(t.stage1.ahead.rounds), 1)
    return Fact(
        kind=kind,
        entry=entry,
        stage=stage,
        round=round_,
        match=_missing_in(t, entry),
        by=by,
        why=why,
    )


def _stage(t: Tournament) -> Stage:
    """The stage in which an entrant leaves that leaves now."""
    if t.state in ("entries_open", "checking"):
        return "entries" if t.state == "entries_open" else "check"
    return "bracket" if t.format.bracketed and not t.provisional else "round_robin"


def _missing_in(t: Tournament, entry: Entry) -> str | None:
    """The first match of the bracket that an entrant leaving now does not play to its end."""
    own = t.bracket.of(entry)
    played = max((at for at, match in enumerate(own) if match.games), default=-1)
    return next((match.id for at, match in enumerate(own) if at > played or not match.over), None)


def _lasting(t: Tournament, fact: Fact) -> bool:
    """Whether the field stands on this fact: once games are played it is what it is."""
    while fact.kind == "undone" and fact.fact is not None:
        fact = t.facts[fact.fact - 1]
    if fact.kind == "checked" or fact.stage in ("entries", "check"):
        return bool(t.log.games)
    return fact.kind in LASTING


def _awaited(t: Tournament, game: str) -> Fixture:
    fixture = t.awaited(game)
    if fixture is None or fixture.stage == "check":
        raise Refused("not_due", f"no result of {game!r} is awaited")
    return fixture


def _known(t: Tournament, game: str) -> Fixture:
    fixture = t.fixture(game)
    if t.state in ("cancelled", "entries_open", "checking") or fixture is None:
        raise Refused("no_such_game", f"there is no game {game!r} now")
    return fixture


def _check_seats(fixture: Fixture, result: GameResult | None) -> None:
    if result is not None and len(result.placement) != len(fixture.entrants):
        why = f"{fixture.id}: expected a result for {len(fixture.entrants)} seats"
        raise Refused("bad_result", why)
