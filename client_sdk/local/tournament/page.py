"""A tournament as one HTML file, to be put on a wall: no script, nothing from elsewhere, black on
white when it is printed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from typing import Final

from client_sdk.local.tournament import tables
from client_sdk.local.tournament.plan import TournamentPlan
from games.contest.bracket import THIRD, BracketMatch
from games.contest.tournament import Tournament

STYLE: Final = """
:root { color-scheme: light dark; --ink: light-dark(#111, #eee); --paper: light-dark(#fff, #15171a);
  --line: light-dark(#bbb, #444) }
body { font: 15px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h1 { margin-bottom: 0 }
h2 { margin: 2rem 0 .5rem; break-after: avoid }
table { border-collapse: collapse }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right }
th:nth-child(2), td:nth-child(2) { text-align: left }
thead { display: table-header-group }
tr { break-inside: avoid }
ol.list { font-size: 1.1rem } ol.list li:first-child { font-size: 1.6rem; font-weight: bold }
.bracket { display: flex; gap: 1.5rem; align-items: stretch; overflow-x: auto }
.round { display: flex; flex-direction: column; justify-content: space-around; gap: .8rem;
  min-width: 11rem }
.match { border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .5rem;
  break-inside: avoid }
.match div { display: flex; justify-content: space-between; gap: 1rem }
.match small { opacity: .7 }
.winner { font-weight: bold }
@media print {
  :root { color-scheme: light }
  body { margin: 0; max-width: none; font-size: 10pt }
  .bracket { overflow: visible }
  @page { size: A4 landscape; margin: 12mm }
}
"""
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy of the file: this style and nothing else."""

HIDDEN: Final = "Stage 1 is hidden from the public until it is over."


def page(plan: TournamentPlan, tournament: Tournament, *, hidden: bool = False) -> str:
    """The whole file; `hidden`: it says of stage 1 that it is hidden, in place of its tables."""
    title = escape(plan.name)
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{escape(plan.game.title)}, {len(tournament.entrants)} bots, {_state(tournament)}</p>",
    ]
    if tournament.places is not None:
        parts += ["<h2>Results</h2>", _list(tournament)]
    if out := tables.out_of(tournament):
        parts += ["<h2>Without a place</h2>", _items(out)]
    if tournament.matches or tournament.heats is not None:
        parts += ["<h2>Bracket</h2>", _bracket(tournament)]
    if hidden:
        parts += ["<h2>Standings</h2>", f"<p>{HIDDEN}</p>"]
    elif tournament.rows:
        provisional = " (provisional)" if tournament.provisional else ""
        parts += [
            f"<h2>Standings{provisional}</h2>",
            _standings(tournament),
            "<h2>Won-drawn-lost against</h2>",
            _crosstable(tournament),
        ]
    if decisions := tables.decisions(tournament):
        parts += ["<h2>Decisions</h2>", _items(line.strip() for line in decisions)]
    body = "\n".join(parts)
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _state(tournament: Tournament) -> str:
    return tournament.state.replace("_", " ") + (", paused" if tournament.paused else "")


def _items(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _list(tournament: Tournament) -> str:
    names = [tournament.names[entry] for entry in tournament.places or ()]
    items = "".join(f"<li>{escape(name)}</li>" for name in names)
    return f'<ol class="list">{items}</ol>'


def _table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells as they are, made safe."""
    titles = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{titles}</tr></thead>\n<tbody>\n{lines}\n</tbody></table>"


def _standings(tournament: Tournament) -> str:
    rows = [
        [
            *tables.cells(row, tournament.names),
            ", ".join(row.tie_break).replace("_", " "),
            tables.wrong(row.entry, tournament),
        ]
        for row in tournament.rows
    ]
    counts = ("games", "won", "drawn", "lost", "both lost", "forfeits")
    return _table(("", "bot", *counts, "points", "score", "by", "faults"), rows)


def _crosstable(tournament: Tournament) -> str:
    ranked = [row for row in tournament.rows if row.rank is not None]
    cells = tables.cells_of(tournament, [row.entry for row in ranked])
    rows = [
        [str(row.rank), tournament.names[row.entry], *line]
        for row, line in zip(ranked, cells, strict=True)
    ]
    return _table(("", "bot", *(str(row.rank) for row in ranked)), rows)


def _bracket(tournament: Tournament) -> str:
    if tournament.heats is not None:
        return _items(tables.bracket(tournament))
    rounds: dict[int, list[BracketMatch]] = {}
    for match in tournament.matches:
        rounds.setdefault(2 if match.id == THIRD else match.of, []).append(match)
    columns = []
    for matches in rounds.values():
        shown = "".join(_match(match, tournament) for match in reversed_last(matches))
        columns.append(f'<div class="round">{shown}</div>')
    return f'<div class="bracket">{"".join(columns)}</div>'


def reversed_last(matches: Sequence[BracketMatch]) -> Sequence[BracketMatch]:
    """The final stands above the match for third place, though it is played after it."""
    return matches[::-1] if matches[0].id == THIRD else matches


def _match(match: BracketMatch, tournament: Tournament) -> str:
    sides = []
    for at, player in enumerate(match.players):
        won = ' class="winner"' if player is not None and player == match.winner else ""
        games = str(match.wins[at]) if match.games else ""
        name = escape(tables.side(match, at, tournament.names))
        sides.append(f"<div{won}><span>{name}</span><span>{games}</span></div>")
    by = match.decided_by
    how = "" if by is None or by == "wins" else f", {by.replace('_', ' ')}"
    return f'<div class="match"><small>{match.id}{how}</small>{"".join(sides)}</div>'
