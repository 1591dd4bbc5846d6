"""The seeds of open lobbies and of games to come, for the other processes: no record that shares
one comes out before its end."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import delete, insert, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.tables import seeds


async def put(db: AsyncConnection, id_: str, node: str, seed: int) -> None:
    await db.execute(insert(seeds), [{"id": id_, "node": node, "seed": seed}])


async def drop(db: AsyncConnection, ids: Collection[str]) -> None:
    await db.execute(delete(seeds).where(seeds.c.id.in_(ids)))


async def clear(db: AsyncConnection, node: str, nodes: Collection[str]) -> None:
    """Drop what this node has left, which starts, and what nodes beyond these have left."""
    await db.execute(delete(seeds).where(or_(seeds.c.node == node, seeds.c.node.not_in(nodes))))
