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
from games.contest import result as results
from games.contest.result import Entry
from games.contest.tournament import Fixture, Tournament
from games.core.contract import AnyGame, Json
from server.store.tournaments import OVER, EntryPlayer, GameAttempt, StoredTournament


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
    }


def public_json(
    row: StoredTournament,
    tournament: Tournament,
    players: Mapping[Entry, EntryPlayer],
    games: Sequence[GameAttempt],
    moments: Sequence[tuple[int, str | None]],
) -> bytes:
    """Everything: state, entrants, standings, crosstable, bracket, places, games with their
    matches, the log of facts."""
    over = tournament.state in OVER
    known, log = as_json.tournament(tournament), as_json.audit(tournament)
    if not over:
        log = _unseeded(log)
    if not over or any(fact.about and "seed" in fact.about for fact in tournament.facts):
        # those of games before a new seed do not follow from it: their records have them
        known = _unseeded(known)
    more = {
        "parameters": row.format,
        "config": row.config,
        "map": row.map,
        "clock": row.clock,
        "seed": row.seed if over else None,
        "salt": row.salt if over else None,
        "entrants": [line | _player(players.get(line["entry"])) for line in known["entrants"]],
        "games": _games(tournament, games),
        "log": [
            line | {"at_ms": at, "account": account}
            for line, (at, account) in zip(log, moments, strict=True)
        ],
    }
    return msgspec.json.encode(brief(row) | known | more)


def _unseeded(known: Json) -> Json:
    """Without any seed, or what it was committed to with, however deep."""
    if isinstance(known, dict):
        public = [(key, value) for key, value in known.items() if key not in ("seed", "salt")]
        return {key: _unseeded(value) for key, value in public}
    return [_unseeded(value) for value in known] if isinstance(known, list) else known


def _player(player: EntryPlayer | None) -> dict[str, Json]:
    """A bot that has just entered may be missing for a moment."""
    if player is None:
        return {"bot": None, "account": None, "concurrency": 0}
    return {"bot": player.bot, "account": player.account, "concurrency": player.concurrency}


def _games(tournament: Tournament, games: Sequence[GameAttempt]) -> list[Json]:
    """Every game that is known, with its seats, result and attempts; then check games."""
    tried: dict[str, list[GameAttempt]] = {}
    for game in games:
        tried.setdefault(game.fixture, []).append(game)
    due = {one.id for one in tournament.open}
    checks = [one for one in tournament.open if one.stage == "check"]
    return [
        _game(tournament, one, tried.get(one.id, ()), one.id in due)
        for one in (*tournament.fixtures.values(), *checks)
    ]


def _game(
    tournament: Tournament, fixture: Fixture, tried: Sequence[GameAttempt], due: bool
) -> Json:
    mine = [game for game in tried if game.seats == fixture.entrants]
    running = next((game.match for game in mine if game.state == "running"), None)
    played = [game.match for game in mine if game.state == "over"]
    result = tournament.result(fixture.id)
    state = "over" if result is not None else "off"
    if running or due:
        state = "running" if running else "due"
    return {
        "game": fixture.id,
        "stage": fixture.stage,
        "round": fixture.round,
        "of": fixture.match or None,
        "seats": [tournament.names[entry] for entry in fixture.entrants],
        "state": state,
        "match": running or (played[-1] if played else None),
        "result": None if result is None else results.to_json(result),
        "how": tournament.how(fixture.id),
        "attempts": [
            {"attempt": game.attempt, "state": game.state, "match": game.match} for game in mine
        ],
    }


def as_page(row: StoredTournament, tournament: Tournament, game: AnyGame) -> str:
    format_ = tournament.format
    plan = TournamentPlan(name=row.name, game=game, config=row.config, format=format_, bots=())
    return page.page(plan, tournament)
