"""A tournament as plain JSON, for a page, a file or a program (T4, T13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Final

from games.contest import facts, faults, result
from games.contest.bracket import BracketMatch, game_id
from games.contest.faults import FaultCounts
from games.contest.final import Heat, HeatBracket
from games.contest.fixture import Fixture
from games.contest.result import Entry
from games.contest.standings import StandingsRow, crosstable
from games.contest.tournament import Tournament
from games.core.contract import Json

Names = Mapping[Entry, str]
CELL: Final = ("wins", "draws", "losses", "both_lost", "points")
COUNTS: Final = (
    "played",
    "wins",
    "draws",
    "losses",
    "both_lost",
    "forfeits",
    "points",
    "score_for",
    "score_against",
)


def tournament(t: Tournament) -> dict[str, Json]:
    """How it stands. Its seed and its log are left out."""
    names = t.names

    def game_seed(match: str, game: int) -> int:
        return heat_seed(game_id(match, game))

    def heat_seed(heat: str) -> int:
        fixture = t.bracket.fixture(heat)
        return 0 if fixture is None else fixture.seed

    met = sorted(crosstable(t.stage1.counted, t.format.points).items(), key=itemgetter(0))
    return {
        "state": t.state,
        "paused": t.paused,
        "format": t.format.format,
        "entrants": [
            {"entry": one.entry, "id": one.name, "status": one.status, "why": one.why}
            for one in t.entrants
        ],
        "provisional": t.provisional,
        "standings": standings(t.rows, names, t.log.faults),
        "crosstable": [
            {"id": names[one], "against": names[other], **_fields(sum_, CELL)}
            for (one, other), sum_ in met
        ],
        "seeds": _named(t.seeds, names),
        "bracket": bracket(t.matches, names, game_seed),
        **({} if t.heats is None else heats(t.heats, names, heat_seed)),
        "placings": None if t.places is None else _named(t.places, names),
        "open": [fixture.id for fixture in t.open],
    }


def audit(t: Tournament) -> list[dict[str, Json]]:
    """Every fact with its number, and whether it was undone."""
    return [fact(t, number) for number in range(1, len(t.facts) + 1)]


def fact(t: Tournament, number: int) -> dict[str, Json]:
    """The fact with this number."""
    line = facts.to_json(t.facts[number - 1])
    return {"number": number, **line, "void": number in t.log.void}


def game(t: Tournament, fixture: Fixture) -> dict[str, Json]:
    """A game, played or not. `entries`: the numbers of the entrants, by seat."""
    known = t.log.game(*fixture.key)
    awaited = known.result is None and t.awaited(fixture.id) is not None
    return {
        "game": fixture.id,
        "stage": fixture.stage,
        "round": fixture.round,
        "of": fixture.match or None,
        "entries": list(fixture.entrants),
        "seats": _named(fixture.entrants, t.names),
        "state": "over" if known.result is not None else "due" if awaited else "off",
        "result": None if known.result is None else result.to_json(known.result),
        "how": known.how,
    }


def standings(
    rows: Iterable[StandingsRow], names: Names, wrong: Mapping[Entry, FaultCounts] | None = None
) -> list[dict[str, Json]]:
    """`wrong`: the faults of those that have any; None: they are left out."""
    lines = [_standing(row, names) for row in rows]
    if wrong is None:
        return lines
    return [
        line | {"faults": faults.to_json(wrong.get(line["entry"], faults.NONE))} for line in lines
    ]


def _standing(row: StandingsRow, names: Names) -> dict[str, Json]:
    shown = {"rank": row.rank, "id": names[row.entry], "entry": row.entry, "status": row.status}
    if row.rank is None:
        return shown | {"annulled": True}
    return shown | {**_fields(row, COUNTS), "tie_break": list(row.tie_break)}


def bracket(
    matches: Iterable[BracketMatch], names: Names, seed_of: Callable[[str, int], int]
) -> list[dict[str, Json]]:
    """In the order of play. `seed_of`: a game's seed by match and number."""
    return [_bracket_match(match, names, seed_of) for match in matches]


def _bracket_match(
    match: BracketMatch, names: Names, seed_of: Callable[[str, int], int]
) -> dict[str, Json]:
    winner, loser = _named((match.winner, match.loser), names)
    shown = {
        "match": match.id,
        "best_of": match.best_of,
        "players": _named(match.players, names),
        "sources": list(match.sources),
        "waits": match.waits,
        "games": [
            {
                "game": game.number,
                "seats": _named(game.seats, names),
                "seed": seed_of(match.id, game.number),
                "winner": game.result.way(0, 1) if game.winner is None else names[game.winner],
                "score_by_seed": [game.score(player) for player in match.by_seed],
                "forfeit": _named(game.forfeits, names),
            }
            for game in match.games
        ],
        "winner": winner,
        "loser": loser,
        "decided_by": match.decided_by,
    }
    if match.waits or match.decided_by in ("bye", "walkover", "void"):
        return shown
    return shown | {"wins": list(match.wins)}


def heats(found: HeatBracket, names: Names, seed_of: Callable[[str], int]) -> dict[str, Json]:
    """`seed_of`: a heat's seed by its id."""
    counts = ("points", "pair_results", "placements", "score", "tie_break")
    table = found.table
    rows = [{"id": names[row.entry], **_fields(row, counts)} for row in table or ()]
    return {
        "heat_bracket": [
            {
                "heat": heat.id,
                "seats": _named(heat.seats, names),
                "seed": seed_of(heat.id),
                "waits": heat.waits,
            }
            | _result(heat)
            for heat in found.heats
        ],
        "finalists": None if found.finalists is None else _named(found.finalists, names),
        "final_table": None if table is None else rows,
    }


def _result(heat: Heat) -> dict[str, Json]:
    """There is no losing together in a heat."""
    known = {} if heat.result is None else result.to_json(heat.result)
    return {key: value for key, value in known.items() if key != "both_lost"}


def _named(entries: Iterable[Entry | None], names: Names) -> list[str | None]:
    return [None if entry is None else names[entry] for entry in entries]


def _fields(row: object, fields: Iterable[str]) -> dict[str, Json]:
    values = {field: getattr(row, field) for field in fields}
    return {
        field: list(value) if isinstance(value, tuple) else value for field, value in values.items()
    }
