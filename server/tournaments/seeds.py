"""Append a fact to a tournament so that no game is played under a seed that may be known.

A seed comes out with the record of its match: when the tournament is over, for stage 1 at its end,
in a bracket game by game."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest.facts import Fact
from games.contest.result import Entry
from games.contest.tournament import Tournament
from games.core.parameters import MAX_SEED
from server.store import tournaments as stored
from server.store.matches import PAIRED
from server.store.tournaments import OVER, StoredTournament
from server.wall_clock import wall_ms

ONWARD: Final = ("checked", "result", "forfeit", "begun", "paused", "resumed")
"""Facts that take no result and no place from any bot."""


async def append(
    db: AsyncConnection,
    row: StoredTournament,
    tournament: Tournament,
    fact: Fact,
    account: str | None,
) -> Tournament:
    """Append a fact, and publish the matches that it makes public. If games would be played under
    seeds that may be known, the tournament gets a new seed, and the old one with its salt is kept
    in the fact. Raises Behind."""
    return await append_all(db, row, tournament, [lambda _: fact], account)


async def append_all(
    db: AsyncConnection,
    row: StoredTournament,
    tournament: Tournament,
    makers: Iterable[Callable[[Tournament], Fact | None]],
    account: str | None,
) -> Tournament:
    """The same for the facts that these make, each of the tournament as the ones before have left
    it; None: no fact. Raises Behind."""
    then, new = tournament, list[Fact]()
    for make in makers:
        fact = make(then)
        if fact is None:
            continue
        after = then.add(fact)
        if fact.kind not in ONWARD and await _is_spoilt(db, row, then, after):
            before = await stored.get(db, row.id)
            assert before is not None, "its facts refer to it"
            fact = replace(fact, about={"seed": before.seed, "salt": before.salt})
            seed = secrets.randbelow(MAX_SEED + 1)
            await stored.reseed(db, row.id, seed, secrets.token_hex(16))
            after = replace(then.add(fact), seed=seed)
        then = after
        new.append(fact)
    if not new:
        return tournament
    await stored.append_all(db, row.id, tournament, then, new, wall_ms(), account)
    if then.state in OVER and tournament.state not in OVER:
        await stored.publish(db, row.id)
    elif tournament.provisional and not then.provisional:
        bracket = [one.id for one in then.bracket.fixtures]
        await stored.publish(db, row.id, without=bracket)
    return then


async def _is_spoilt(
    db: AsyncConnection, row: StoredTournament, before: Tournament, then: Tournament
) -> bool:
    """Whether the seed of a game to come may be known before its end."""
    if then.state in OVER or before.state in PAIRED:
        return False
    if before.state in OVER or then.state in PAIRED or not _decided(then) >= _decided(before):
        return True
    return await _is_under_way_between_others(db, row, before, then)


async def _is_under_way_between_others(
    db: AsyncConnection, row: StoredTournament, before: Tournament, then: Tournament
) -> bool:
    """Whether a running game is to be played by others now: its record comes out with its end."""
    moved = {
        id_
        for id_, one in then.fixtures.items()
        if before.fixtures.get(id_, one).entrants != one.entrants
    }
    if not moved:
        return False
    return any(game.fixture in moved for game in await stored.games(db, row.id, ["running"]))


def _decided(tournament: Tournament) -> set[tuple[str, tuple[Entry, ...]]]:
    """The games that have a result, with their entrants by seat."""
    games = tournament.fixtures.values()
    return {game.key for game in games if tournament.result(game.id) is not None}
