"""A tournament as the public may see it: JSON, a table for spreadsheets, a page to print. Made in
the child process.

No seed is shown before everything is over: with the tournament's seed, or that of a game to come, a
client could work out what is hidden there (T1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from client_sdk.local.tournament import page
from client_sdk.local.tournament.plan import TournamentPlan
from games.contest import as_json
from games.contest.result import Entry
from games.contest.tournament import Tournament
from games.core.contract import AnyGame, Json
from server.store.tournaments import OVER, EntryPlayer, GameAttempt, StoredTournament
from server.tournaments import table_rows


def brief(row: StoredTournament) -> dict[str, Json]:
    """One line of a list."""
    return {
        "tournament": row.id,
        "name": row.name,
        "game": row.game,
        "format": row.format["format"],
        "state": row.state,
        "created_ms": row.created_ms,
        "ended_ms": row.ended_ms,
        "commitment": row.commitment,
        "freeze_ms": row.freeze_ms,
    }


def public_json(
    tournament: Tournament,
    row: StoredTournament,
    players: Mapping[Entry, EntryPlayer],
    games: Sequence[GameAttempt],
    moments: Sequence[tuple[int, str | None]],
    own: Sequence[dict[str, Json]] = (),
) -> bytes:
    """Everything: state, entrants, standings, crosstable, bracket, places, games with their
    matches, the log of facts. `own`: games (`as_json.game`) of which more is known."""
    over = tournament.state in OVER
    known, log = as_json.tournament(tournament), as_json.audit(tournament)
    if not over:
        log = unseeded(log)
    if not over or any(fact.about and "seed" in fact.about for fact in tournament.facts):
        # those of games before a new seed do not follow from it: their records have them
        known = unseeded(known)
    more = {
        "parameters": row.format,
        "config": row.config,
        "map": row.map,
        "clock": row.clock,
        "seed": row.seed if over else None,
        "salt": row.salt if over else None,
        "entrants": [
            line | table_rows.player(players.get(line["entry"])) for line in known["entrants"]
        ],
        "games": _games(tournament, games, own),
        "log": [
            line | {"at_ms": at, "account": account}
            for line, (at, account) in zip(log, moments, strict=True)
        ],
    }
    return msgspec.json.encode(brief(row) | known | more)


def unseeded(known: Json) -> Json:
    """Without any seed, or what it was committed to with, however deep."""
    if isinstance(known, dict):
        public = [(key, value) for key, value in known.items() if key not in ("seed", "salt")]
        return {key: unseeded(value) for key, value in public}
    return [unseeded(value) for value in known] if isinstance(known, list) else known


def _games(
    tournament: Tournament, games: Sequence[GameAttempt], own: Sequence[dict[str, Json]]
) -> list[Json]:
    """Every game that is known, with its seats, result and attempts; then check games."""
    tried = table_rows.by_fixture(games)
    checks = tournament.open if tournament.state == "checking" else ()
    known = (*tournament.fixtures.values(), *checks)
    lines = {one.id: as_json.game(tournament, one) for one in known}
    lines |= {line["game"]: line for line in own}
    return [table_rows.hosted(line, tried.get(id_, ())) for id_, line in lines.items()]


def as_page(tournament: Tournament, row: StoredTournament, game: AnyGame, *, hidden: bool) -> str:
    format_ = tournament.format
    plan = TournamentPlan(name=row.name, game=game, config=row.config, format=format_, bots=())
    return page.page(plan, tournament, hidden=hidden)
