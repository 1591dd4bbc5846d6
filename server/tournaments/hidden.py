"""What is known of a tournament with a hidden stage 1 (`hide_first_stage`) until the stage is over.

Organisers see all of it. Anybody else sees the tournament as it was before the first game of the
stage, and a bot sees its own games besides: their matches are private, as those of any stage that
is not public."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest import as_json
from games.contest.facts import Fact
from games.contest.result import Entry
from games.contest.tournament import Tournament
from games.core.contract import Json
from server.accounts.authentication import Requester
from server.store import teams
from server.store import tournaments as stored
from server.store.tournaments import GameAttempt, StoredTournament

OwnEntries: TypeAlias = frozenset[Entry] | None
"""Whose games a requester may see: those of these entries; None: all."""
NO_GAMES: OwnEntries = frozenset()


async def sight(db: AsyncConnection, row: StoredTournament, requester: Requester) -> OwnEntries:
    """What the requester may see: an account has the entries of its team."""
    if requester.kind == "organiser":
        return None
    if requester.account is None or not row.format.get("hide_first_stage"):
        return NO_GAMES
    team = await teams.team_of(db, requester.account.id)
    players = await stored.players(db, row.id)
    return frozenset(entry for entry, one in players.items() if one.account in team)


def is_hidden(tournament: Tournament, of: OwnEntries) -> bool:
    """Whether stage 1 is hidden now from those who see this."""
    if of is None or not tournament.format.hide_first_stage:
        return False
    return tournament.provisional and tournament.state != "cancelled"


def seen(tournament: Tournament, of: OwnEntries) -> Tournament:
    """The tournament with no more facts than may be known."""
    if not is_hidden(tournament, of):
        return tournament
    before = tuple(takewhile(lambda fact: not _is_of_stage1(fact), tournament.facts))
    return Tournament(tournament.format, tournament.seed, before)


def attempts(
    tournament: Tournament, games: Sequence[GameAttempt], of: OwnEntries
) -> list[GameAttempt]:
    """Those of these attempts that may be known."""
    if of is None or not is_hidden(tournament, of):
        return list(games)
    return [game for game in games if _is_check(game.fixture) or not of.isdisjoint(game.seats)]


def own_games(tournament: Tournament, of: frozenset[Entry]) -> list[dict[str, Json]]:
    """The games of these entries with their results, as `as_json.game` has them."""
    games = tournament.fixtures.values()
    return [as_json.game(tournament, one) for one in games if not of.isdisjoint(one.entrants)]


def _is_of_stage1(fact: Fact) -> bool:
    return fact.game is not None and not _is_check(fact.game)


def _is_check(game: str) -> bool:
    return game.startswith("check-")
