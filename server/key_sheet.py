"""Accounts in bulk: a CSV of names in, a sheet of keys to print out."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from html import escape
from typing import Final

from client_sdk.console import UserError
from server.errors import Refusal
from server.lobbies.requests import checked_name
from server.store.teams import IssuedKey, Member

MOST: Final = 10_000
"""Accounts of one file."""
STYLE: Final = """
body { font: 14px/1.4 system-ui, sans-serif; color: #111; background: #fff; margin: 1rem;
  display: grid; grid-template-columns: repeat(auto-fill, minmax(24rem, 1fr)); gap: 0 }
section { border: 1px dashed #888; padding: .6rem .9rem; break-inside: avoid }
h2 { font-size: 1.1rem; margin: 0 } p { margin: .2rem 0 }
code { font-size: 1.05em; overflow-wrap: anywhere }
@media print { body { margin: 0; grid-template-columns: 1fr 1fr; font-size: 10pt } }
"""


def members(text: str) -> list[Member]:
    """Who is in a CSV with the columns `name` and `team`; without them in its first line the first
    column is the name and the second, if there is one, the team. Raises UserError."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    lines = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    try:
        rows = [row for row in lines if any(map(str.strip, row))]
    except csv.Error as fault:
        raise UserError(f"no CSV: {fault}") from None
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    named = "name" in head
    if "team" in head and not named:
        raise UserError("row 1: there is a column team, and none called name")
    name = head.index("name") if named else 0
    team = head.index("team") if "team" in head else None if named else 1
    found = []
    for number, row in enumerate(rows[named:], start=1 + named):
        called = _checked(row, name, number)
        if called is None:
            raise UserError(f"row {number}: there is no name")
        found.append(Member(called, None if team is None else _checked(row, team, number)))
    if not found or len(found) > MOST:
        raise UserError(f"expected a line for each account, 1 to {MOST}, got {len(found)}")
    return found


def _checked(row: Sequence[str], column: int, number: int) -> str | None:
    """The name in a cell; None: it is empty. Raises UserError."""
    cell = row[column].strip() if column < len(row) else ""
    try:
        return checked_name(cell) if cell else None
    except Refusal as refused:
        raise UserError(f"row {number}: {cell[:40]!r}: {refused.text}") from None


def sheet(keys: Sequence[IssuedKey], url: str | None) -> str:
    """A page with a box for each account, to be printed and cut. `url`: the server's address."""
    boxes = "\n".join(_box(one, url) for one in keys)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Keys</title>'
        f"<style>{STYLE}</style>\n{boxes}\n</html>\n"
    )


def _box(one: IssuedKey, url: str | None) -> str:
    team = "" if one.member.team is None else f"<p>team {escape(one.member.team)}</p>"
    at = "" if url is None else f"<p>server <code>{escape(url)}</code></p>"
    return (
        f"<section><h2>{escape(one.member.name)}</h2>{team}{at}"
        f"<p>key <code>{escape(one.key)}</code></p>"
        f"<p>as a variable: <code>BOTARENA_KEY={escape(one.key)}</code></p></section>"
    )
