"""The tables of a tournament a page at a time, with a search: what is asked often, and what would
be too large as a whole. Made in the child process.

A page is JSON: `total` lines are found, those from `offset` on are `rows`. No seed is in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from games.contest import as_json
from games.contest.bracket import BracketMatch
from games.contest.bracket_games import Duels
from games.contest.fixture import Fixture
from games.contest.result import Entry
from games.contest.standings import StandingsRow
from games.contest.tournament import Tournament
from games.core.contract import Json
from games.core.names import composed
from server.store.tournaments import OVER
from server.tournaments.shown import unseeded

Page = dict[str, Json]

LAST_ROUNDS: Final = 16
"""The bracket is shown from the round with this number of entrants on."""
SMALL: Final = 32
"""With no more entrants each against each is shown."""
SHOWN: Final = 12
"""Games that are due, and first places, that are shown at once."""


def overview(t: Tournament) -> Page:
    """How it stands, without the tables that grow with it."""
    known = as_json.tournament(t) if len(t.names) <= SMALL else _large(t)
    stage, games = t.stage1.ahead, t.bracket
    played = len(stage.played) + sum(t.log.result(*one.key) is not None for one in games.fixtures)
    kept = ("state", "paused", "provisional", "bracket", "heat_bracket", "finalists", "crosstable")
    return {
        **{name: unseeded(known[name]) for name in kept if name in known},
        "placings": None if known["placings"] is None else known["placings"][:SHOWN],
        "ranking": [t.names[row.entry] for row in t.rows] if len(t.names) <= SMALL else [],
        "entrants": len(t.names),
        "games": len(stage.schedule) + sum(1 for _ in games.fixtures),
        "played": played,
        "facts": len(t.facts),
        "due": [
            {
                "game": one.id,
                "stage": one.stage,
                "seats": [t.names[entry] for entry in one.entrants],
            }
            for one in islice(t.open, SHOWN)
        ],
    }


def _large(t: Tournament) -> Page:
    """The same as of a small one, but of the bracket the last rounds, and no crosstable."""
    matches: Sequence[BracketMatch] = ()
    if isinstance(t.bracket, Duels):
        first = t.bracket.bracket.plan.starts.get(LAST_ROUNDS, 0)
        matches = t.matches[first:]
    heats = {} if t.heats is None else as_json.heats(t.heats, t.names, lambda _: 0)
    return {
        "state": t.state,
        "paused": t.paused,
        "provisional": t.provisional,
        "bracket": as_json.bracket(matches, t.names, lambda *_: 0),
        **heats,
        "crosstable": [],
        "placings": None if t.places is None else [t.names[one] for one in t.places[:SHOWN]],
    }


def standings(t: Tournament, offset: int, limit: int, search: str) -> Page:
    """The table of stage 1, the best first."""
    found = _named(t, search)
    rows = t.rows if found is None else [row for row in t.rows if row.entry in found]
    return _page(t, rows, offset, limit, lambda shown: _standings(t, shown))


def _standings(t: Tournament, shown: Sequence[StandingsRow]) -> list[Json]:
    return [*as_json.standings(shown, t.names, t.log.faults)]


def entrants(t: Tournament, offset: int, limit: int, search: str) -> Page:
    """All entrants, by entry number."""
    found = _named(t, search)
    numbers = [entry for entry in t.names if found is None or entry in found]

    def lines(shown: Sequence[Entry]) -> list[Json]:
        known = [(entry, t.log.entrants[entry]) for entry in shown]
        return [
            {"entry": entry, "id": one.name, "status": t.log.status(entry), "why": one.why}
            for entry, one in known
        ]

    return _page(t, numbers, offset, limit, lines)


def games(
    t: Tournament, offset: int, limit: int, search: str, of: frozenset[Entry] | None = None
) -> Page:
    """All games that are known, or those of these entries, the last of the schedule first."""
    found, stage = _named(t, search), t.stage1.ahead
    if of is not None:
        found = of if found is None else of & found
    last = [
        one for one in t.bracket.fixtures if found is None or not found.isdisjoint(one.entrants)
    ]
    indexes: Sequence[int] = range(len(stage.schedule))
    if found is not None:
        indexes = sorted({at for entry in found for at in stage.schedule.of(entry)})
    checked = t.open if t.state == "checking" else ()
    checks = [one for one in checked if found is None or not found.isdisjoint(one.entrants)]
    total = len(indexes) + len(last) + len(checks)
    shown: list[Json] = []
    for place in range(offset, min(offset + limit, total)):
        if place < len(last):
            fixture: Fixture | None = last[len(last) - 1 - place]
        elif place - len(last) < len(indexes):
            at = indexes[len(indexes) - 1 - (place - len(last))]
            fixture = stage.fixture(stage.schedule[at].id)
        else:
            fixture = checks[total - 1 - place]
        assert fixture is not None
        shown.append(as_json.game(t, fixture))
    return {"facts": len(t.facts), "total": total, "offset": offset, "rows": shown}


def log(t: Tournament, offset: int, limit: int, search: str) -> Page:
    """The facts, the last one first. Found are those of an entrant or its games."""
    found = _named(t, search)
    numbers: Sequence[int] = range(len(t.facts), 0, -1)
    if found is not None:
        numbers = [
            number
            for number in numbers
            if t.facts[number - 1].entry in found
            or not found.isdisjoint(t.facts[number - 1].seats or ())
        ]

    def lines(shown: Sequence[int]) -> list[Json]:
        return [_fact(t, number) for number in shown]

    return _page(t, numbers, offset, limit, lines)


def _fact(t: Tournament, number: int) -> Json:
    line: Json = as_json.fact(t, number)
    about = [line.get("entry"), *line.get("seats", ())]
    names = {str(one): t.names[one] for one in about if one in t.names}
    return (line if t.state in OVER else unseeded(line)) | {"names": names}


def _named(t: Tournament, search: str) -> frozenset[Entry] | None:
    """The entrants whose name has this in it; None: nothing is searched for."""
    text = composed(search).casefold()
    if not text:
        return None
    return frozenset(entry for entry, name in t.names.items() if text in name.casefold())


def _page(
    t: Tournament,
    found: Sequence[Json],
    offset: int,
    limit: int,
    lines: Callable[[Sequence[Json]], list[Json]],
) -> Page:
    rows = lines(found[offset : offset + limit])
    return {"facts": len(t.facts), "total": len(found), "offset": offset, "rows": rows}
