"""A tournament as people and programs read it: tables on a terminal, JSON, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from client_sdk.local.results import score
from client_sdk.local.tournament.folder import about
from client_sdk.local.tournament.plan import TournamentPlan
from games.contest import as_json, faults, standings
from games.contest import result as results
from games.contest.bracket import BracketMatch
from games.contest.final import HeatBracket
from games.contest.result import Entry
from games.contest.standings import StandingsRow
from games.contest.tournament import Tournament
from games.core.contract import Json
from games.core.journal import commitment

if TYPE_CHECKING:
    from rich.table import Table


COLUMNS: Final = (
    "rank",
    "id",
    "entry",
    "status",
    *as_json.COUNTS,
    "tie_break",
    "place",
    *faults.KINDS,
    "why",
)
ORGANISED: Final = (
    "forfeit",
    "withdrawn",
    "disqualified",
    "override",
    "replay",
    "undone",
    "cancelled",
)
"""Decisions: the audit that is shown with the results."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet takes a cell that begins with one of these for a formula, full-width forms too."""


def whole(plan: TournamentPlan, tournament: Tournament) -> dict[str, Json]:
    """The whole tournament as plain JSON. The seed is included once all is over (T1)."""
    over = tournament.state == "finished"
    return {
        "name": plan.name,
        "game": plan.game.name,
        **as_json.tournament(tournament),
        "commitment": committed(tournament),
        "seed": tournament.seed if over else None,
        "salt": _salt(tournament) if over else None,
        "log": [
            line if over or line["kind"] != "closed" else {**line, "about": None}
            for line in as_json.audit(tournament)
        ],
    }


def committed(tournament: Tournament) -> str | None:
    """What may be published before the first game and proves the seed after the last one; None
    while entries are open."""
    salt = _salt(tournament)
    return None if salt is None else commitment(tournament.seed, salt)


def _salt(tournament: Tournament) -> str | None:
    return next(
        (about(fact).get("salt") for fact in tournament.facts if fact.kind == "closed"), None
    )


def places(tournament: Tournament) -> dict[Entry, int]:
    return {entry: place for place, entry in enumerate(tournament.places or (), start=1)}


def as_csv(tournament: Tournament, *, hidden: bool = False) -> str:
    """The table of stage 1 with the place in the end, then those that are not in it; of a
    knock-out, and of a stage 1 that is `hidden`, the entrants alone. It begins with a byte order
    mark: without it Excel reads no UTF-8."""
    place, entrants = places(tournament), {one.entry: one for one in tournament.entrants}
    rows = () if hidden else tournament.rows
    lines: list[dict[str, Json]] = as_json.standings(rows, tournament.names)
    known = {line["entry"] for line in lines}
    lines += [
        {"id": one.name, "entry": one.entry, "status": one.status}
        for one in sorted(
            entrants.values(), key=lambda one: place.get(one.entry, len(place) + one.entry)
        )
        if one.entry not in known
    ]
    wrong = tournament.log.faults
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.DictWriter(out, COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for line in lines:
        row = line | {
            "tie_break": " ".join(line.get("tie_break", ())),
            "place": place.get(line["entry"], ""),
            **({} if hidden else faults.to_json(wrong.get(line["entry"], faults.NONE))),
            "why": entrants[line["entry"]].why.strip(),
        }
        writer.writerow({column: _cell(value) for column, value in row.items()})
    return out.getvalue()


def _cell(value: Json) -> Json:
    """Text that a spreadsheet would evaluate gets an apostrophe in front; numbers do not."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


# --- on the terminal ------------------------------------------------------------------------------


def _table(title: str, *columns: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        title=title,
        title_justify="left",
        title_style="bold",
    )
    for number, column in enumerate(columns):
        made.add_column(
            column, justify="left" if number == 1 else "right", overflow="fold", no_wrap=number != 1
        )
    return made


def table(tournament: Tournament) -> Table:
    """The table of stage 1."""
    title = "standings (provisional)" if tournament.provisional else "standings"
    made = _table(
        title,
        "rank",
        "bot",
        "games",
        "won",
        "drawn",
        "lost",
        "both\nlost",
        "forfeits",
        "points",
        "score",
        "by",
        "faults",
    )
    for row in tournament.rows:
        annulled = row.rank is None
        made.add_row(
            *cells(row, tournament.names),
            "–" if annulled else " ".join(row.tie_break),
            wrong(row.entry, tournament),
            style="dim" if annulled else None,
        )
    return made


def cells(row: StandingsRow, names: Mapping[Entry, str]) -> list[str]:
    """A line of the table: rank, name, counts and scores."""
    name = names[row.entry] + ("" if row.status == "active" else f" ({row.status})")
    if row.rank is None:
        return ["–", f"{name}, annulled", *["–"] * 8]
    counts = (row.played, row.wins, row.draws, row.losses, row.both_lost, row.forfeits, row.points)
    return [
        str(row.rank),
        name,
        *map(str, counts),
        f"{score(row.score_for)} : {score(row.score_against)}",
    ]


def wrong(entry: Entry, tournament: Tournament) -> str:
    """What a bot did wrong in all of its games: `2 late, 1 no show`."""
    return faults.text(tournament.log.faults.get(entry, faults.NONE))


def crosstable(tournament: Tournament) -> Table:
    """Wins, draws and losses of each against each; both lost counts as lost here."""
    rows = [row for row in tournament.rows if row.rank is not None]
    made = _table("won-drawn-lost against", "rank", "bot", *(str(row.rank) for row in rows))
    for row, cells in zip(rows, cells_of(tournament, [row.entry for row in rows]), strict=True):
        made.add_row(str(row.rank), tournament.names[row.entry], *cells)
    return made


def cells_of(tournament: Tournament, entries: Sequence[Entry]) -> list[list[str]]:
    """The crosstable's cells, row by row: `2-0-1`."""
    met = standings.crosstable(tournament.stage1.counted, tournament.format.points)
    return [
        [
            f"{cell.wins}-{cell.draws}-{cell.losses + cell.both_lost}"
            if (cell := met.get((one, other)))
            else ""
            for other in entries
        ]
        for one in entries
    ]


def bracket(tournament: Tournament) -> list[str]:
    """The bracket, a line a match."""
    if tournament.heats is not None:
        return heats(tournament.heats, tournament.names)
    return [
        f"{match.id:<4} {versus(match, tournament.names)}{decided(match, tournament.names)}"
        for match in tournament.matches
    ]


def versus(match: BracketMatch, names: Mapping[Entry, str]) -> str:
    """`greedy 1 : 0 random`, or where they are to come from."""
    first, second = (side(match, at, names) for at in (0, 1))
    if not match.games:
        return f"{first} – {second}"
    return f"{first} {match.wins[0]} : {match.wins[1]} {second}"


def side(match: BracketMatch, at: int, names: Mapping[Entry, str]) -> str:
    """One side of a match: its name, or where it comes from."""
    player = match.players[at]
    return names[player] if player is not None else match.sources[at] if match.waits else "no one"


def decided(match: BracketMatch, names: Mapping[Entry, str]) -> str:
    if match.decided_by is None:
        return ""
    if match.winner is None:
        return "  void"
    how = "" if match.decided_by == "wins" else f" ({match.decided_by.replace('_', ' ')})"
    return f"  {names[match.winner]}{how}"


def heats(found: HeatBracket, names: Mapping[Entry, str]) -> list[str]:
    """The heats, a line each, the best placed first."""
    lines = []
    for heat in found.heats:
        if heat.result is None:
            who = ", ".join(names[entry] for entry in heat.seats) or "to come"
        else:
            order = sorted(zip(heat.result.placement, heat.seats, heat.result.score, strict=True))
            who = ", ".join(
                f"{place}. {names[entry]} ({score(points)})" for place, entry, points in order
            )
        lines.append(f"{heat.id:<4} {who}")
    return lines


def decisions(tournament: Tournament) -> list[str]:
    """Each decision, with its number, and whether it still counts."""
    return [
        decision(line, tournament)
        for line in as_json.audit(tournament)
        if line["kind"] in ORGANISED
    ]


def log(tournament: Tournament) -> list[str]:
    """Every fact, a line each: its number, when, what."""
    lines = as_json.audit(tournament)
    return [
        f"{line['number']:>5} {line['at'] + ' ' if 'at' in line else ''}{fact(line, tournament)}"
        for line in lines
    ]


def decision(line: Mapping[str, Json], tournament: Tournament) -> str:
    return f"{line['number']:>5} {fact(line, tournament)}"


def fact(line: Mapping[str, Json], tournament: Tournament) -> str:
    """What one fact says: `result rr-12 Ada – Bob 2 : 1`."""
    who = tournament.names.get(line.get("entry", 0), "")
    what = line.get("game") or who or (f"fact {line['fact']}" if "fact" in line else "")
    result = f" {came_out(line, tournament)}" if line["kind"] in ("result", "forfeit") else ""
    result = f" {said(line['result'])}" if line["kind"] == "override" else result
    by = f" by {line['by']}" if "by" in line else ""
    why = f": {line['why']}" if "why" in line else ""
    subject = f"{line['kind']} {what}".rstrip()
    return f"{subject}{result}{by}{why}{' (undone)' if line['void'] else ''}"


def came_out(line: Mapping[str, Json], tournament: Tournament) -> str:
    """Who met in a game, and the score."""
    who = " – ".join(tournament.names.get(entry, "?") for entry in line["seats"])
    result = line.get("result")
    if result is None:
        return f"{who} broke off"
    return f"{who} {result_text(result)}"


def said(result: Mapping[str, Json]) -> str:
    """A result as the organiser gives it, by seat."""
    if result["both_lost"]:
        return "both lost"
    return (
        f"places {'-'.join(map(str, result['placement']))}, scores "
        f"{' : '.join(map(score, result['score']))}"
    )


def listing(tournament: Tournament) -> list[str]:
    """The final list, and below it who has no place, with the reason."""
    placed = places(tournament)
    lines = [f"{place:>3}. {tournament.names[entry]}" for entry, place in placed.items()]
    return lines + ([f"  –  {line}" for line in out_of(tournament)] if placed else [])


def out_of(tournament: Tournament) -> list[str]:
    """Who does not take part: `Gus (disqualified: two accounts)`."""
    placed = places(tournament)
    return [
        f"{one.name} ({one.status.replace('_', ' ')}{': ' if one.why else ''}{one.why.strip()})"
        for one in tournament.entrants
        if one.status != "active" and one.entry not in placed
    ]


def games_of(tournament: Tournament, entry: Entry) -> list[str]:
    """The games of one bot, a line each: id, who met, the result, its record."""
    last = {
        (fact.game, fact.seats): about(fact).get("record", "")
        for number, fact in enumerate(tournament.facts, start=1)
        if fact.kind == "result" and fact.result is not None and number not in tournament.log.void
    }
    lines = []
    for game in tournament.fixtures.values():
        if entry in game.entrants:
            who = " – ".join(tournament.names[one] for one in game.entrants)
            result = tournament.log.result(*game.key)
            came = "to come" if result is None else result_text(results.to_json(result))
            how = tournament.how(game.id)
            noted = "" if how in (None, "played") else f" ({how})"
            record = last.get(game.key, "")
            lines.append(f"{game.id:<6} {who}  {came}{noted}  {record}".rstrip())
    return lines


def result_text(result: Mapping[str, Json]) -> str:
    return "both lost" if result["both_lost"] else " : ".join(map(score, result["score"]))
