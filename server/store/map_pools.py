"""The pools of maps of ladders, version by version: the queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Row, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.tables import map_pools


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPool:
    """One version of a ladder's pool, which is never changed. `maps`: of each the `map` (None: the
    game generates a board) and the `weight`, the part of the games that are played on it."""

    game: str
    version: int
    maps: Sequence[Mapping[str, Any]]
    created_ms: int
    account: str


async def add(db: AsyncConnection, pool: MapPool) -> None:
    """Raises IntegrityError if there is a pool of this version."""
    await db.execute(insert(map_pools), [asdict(pool)])


async def newest(db: AsyncConnection, game: str, limit: int) -> list[MapPool]:
    """The newest version first."""
    query = select(map_pools).where(map_pools.c.game == game)
    rows = await db.execute(query.order_by(map_pools.c.version.desc()).limit(limit))
    return [_pool(row) for row in rows]


def _pool(row: Row[Any]) -> MapPool:
    return MapPool(**row._mapping)
