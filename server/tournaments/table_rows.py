"""The lines of a tournament's tables with what the server knows beside them: who plays, which
matches the games are, when and by whom a fact was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest import bracket as single
from games.contest.result import Entry
from games.core.contract import Json
from server.store import tournaments as stored
from server.store.tournaments import EntryPlayer, GameAttempt

Rows = list[dict[str, Json]]


async def added(
    db: AsyncConnection, id_: str, table: str, rows: Rows, *, hidden: bool = False
) -> Rows:
    """The lines of a page of this table as they are sent. `hidden`: only the matches of
    checks may be known."""
    match table:
        case "entrants":
            players = await stored.players(db, id_, [row["entry"] for row in rows])
            return [row | player(players.get(row["entry"])) for row in rows]
        case "games":
            fixtures = [row["game"] for row in rows if not hidden or row["stage"] == "check"]
            tried = by_fixture(await stored.games(db, id_, fixtures=fixtures))
            return [hosted(row, tried.get(row["game"], ())) for row in rows]
        case "log":
            moments = await stored.moments(db, id_, [row["number"] for row in rows])
            said = [moments.get(row["number"], (0, None)) for row in rows]
            return [
                row | {"at_ms": at, "account": account}
                for row, (at, account) in zip(rows, said, strict=True)
            ]
    return rows


async def with_matches(db: AsyncConnection, id_: str, bracket: Rows) -> Rows:
    """The matches of a bracket with the id of the last match on the server that each is."""
    games = {
        single.game_id(one["match"], number): one["match"]
        for one in bracket
        for number in range(1, len(one["games"]) + 2)
    }
    last: dict[str, str | None] = {}
    for game in await stored.games(db, id_, ["running", "over"], fixtures=games):
        last[games[game.fixture]] = game.match
    return [one | {"match_id": last.get(one["match"])} for one in bracket]


def player(known: EntryPlayer | None) -> dict[str, Json]:
    """A bot that has just entered may be missing for a moment."""
    if known is None:
        return {"bot": None, "account": None, "concurrency": 0}
    return {"bot": known.bot, "account": known.account, "concurrency": known.concurrency}


def by_fixture(games: Sequence[GameAttempt]) -> Mapping[str, Sequence[GameAttempt]]:
    tried: dict[str, list[GameAttempt]] = {}
    for game in games:
        tried.setdefault(game.fixture, []).append(game)
    return tried


def hosted(line: Mapping[str, Json], tried: Sequence[GameAttempt]) -> dict[str, Json]:
    """A game (`as_json.game`) with its attempts."""
    entries: tuple[Entry, ...] = tuple(line["entries"])
    mine = [game for game in tried if game.seats == entries]
    running = next((game.match for game in mine if game.state == "running"), None)
    played = [game.match for game in mine if game.state == "over"]
    shown = {name: value for name, value in line.items() if name != "entries"}
    return shown | {
        "state": "running" if running else line["state"],
        "match": running or (played[-1] if played else None),
        "attempts": [
            {"attempt": game.attempt, "state": game.state, "match": game.match} for game in mine
        ],
    }
