"""What rated matches gave: the queries.

A player is a house bot or an account, whatever it was called in a match. A match counts if all its
seats are such players, no two the same, and it had a result. A match that was aborted has none: it
was broken off without a bot's fault, or a bot did not come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.tables import accounts, matches, seats

PlayerKey = tuple[str, str]
"""`("bot", name)` or `("account", id)`."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The matches of two players, as the first one counts them. Neither has won where both are in
    the same place."""

    first: PlayerKey
    second: PlayerKey
    wins: int
    losses: int
    draws: int


async def version(db: AsyncConnection, game: str) -> tuple[int, int]:
    """How many rated matches of this game have a result, and when the last one ended: what is new,
    or forgotten, changes it."""
    last_ms = func.coalesce(func.max(matches.c.ended_ms), 0)
    query = select(func.count(), last_ms).select_from(matches).where(*_rated(game))
    count, last = (await db.execute(query)).one()
    return count, last


async def pairs(db: AsyncConnection, game: str) -> list[Pair]:
    """Matches of two, added up by who had which seat."""
    one, two, third = seats.alias("one"), seats.alias("two"), seats.alias("third")
    who = (one.c.bot, one.c.account, two.c.bot, two.c.account)

    def times(held: ColumnElement[bool]) -> ColumnElement[int]:
        return func.sum(case((held, 1), else_=0))

    query: Select[Any] = (
        select(
            *who,
            times(one.c.placement < two.c.placement),
            times(one.c.placement > two.c.placement),
            times(one.c.placement == two.c.placement),
        )
        .select_from(matches)
        .join(one, and_(one.c.match == matches.c.id, one.c.seat == 0))
        .join(two, and_(two.c.match == matches.c.id, two.c.seat == 1))
        .outerjoin(third, and_(third.c.match == matches.c.id, third.c.seat == 2))
        .where(
            *_rated(game),
            third.c.match.is_(None),
            one.c.placement.is_not(None),
            two.c.placement.is_not(None),
        )
        .where(
            or_(one.c.bot.is_not(None), one.c.account.is_not(None)),
            or_(two.c.bot.is_not(None), two.c.account.is_not(None)),
        )
        .group_by(*who)
        .order_by(*who)
    )
    found = []
    for bot, account, other_bot, other_account, wins, losses, draws in await db.execute(query):
        first, second = _player(bot, account), _player(other_bot, other_account)
        if first is not None and second is not None and first != second:
            found.append(Pair(first, second, wins, losses, draws))
    return found


async def placements(db: AsyncConnection, game: str) -> list[list[tuple[PlayerKey, int]]]:
    """Every match with who had which place in it, in the order in which they ended."""
    query = (
        select(matches.c.id, seats.c.bot, seats.c.account, seats.c.placement)
        .join(seats, seats.c.match == matches.c.id)
        .where(*_rated(game))
        .order_by(matches.c.ended_ms, matches.c.id, seats.c.seat)
    )
    found = []
    for _, rows in groupby((await db.execute(query)).all(), key=lambda row: row.id):
        placed = [(_player(row.bot, row.account), row.placement) for row in rows]
        if all(player is not None and place is not None for player, place in placed):
            known = [(player, place) for player, place in placed if player is not None]
            if len({player for player, _ in known}) == len(known) > 1:
                found.append(known)
    return found


async def names(db: AsyncConnection, ids: Sequence[str]) -> dict[str, str]:
    """What these accounts are called."""
    query = select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(ids))
    return {row.id: row.name for row in await db.execute(query)}


def _rated(game: str) -> tuple[ColumnElement[bool], ...]:
    m = matches.c
    placed = select(1).where(seats.c.match == m.id, seats.c.placement.is_not(None))
    placed = placed.correlate(matches)
    return m.game == game, m.rated.is_(True), m.state == "over", exists(placed)


def _player(bot: str | None, account: str | None) -> PlayerKey | None:
    return ("bot", bot) if bot is not None else None if account is None else ("account", account)
