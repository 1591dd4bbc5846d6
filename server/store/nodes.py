"""The nodes of a server, which give a sign of life, and which lobby is on which of them: the queries.

A node is one process that serves. It is alive as long as its row is there and its last sign is not too old (`since_ms`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.names import composed
from server.store.tables import lobbies, matches, nodes, seats

Json = Any

UNFINISHED = ("open", "running")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """`data`: the data directory that it writes. `url`: where the others reach it. `secret`: what they show it then."""

    name: str
    data: str
    url: str
    secret: str = field(repr=False)
    started_ms: int
    beat_ms: int


@dataclass(frozen=True, slots=True)
class Place:
    """A lobby, and the node that has it."""

    lobby: str
    node: str
    state: str


# --- nodes


async def arrive(db: AsyncConnection, node: Node, since_ms: int) -> bool:
    """A node starts. False: another one goes by this name and is alive."""
    known = (await db.execute(select(nodes).where(nodes.c.name == node.name))).first()
    if known is not None and known.secret != node.secret and known.beat_ms >= since_ms:
        return False
    await db.execute(delete(nodes).where(nodes.c.name == node.name))
    await db.execute(insert(nodes), [asdict(node)])
    return True


async def beat(db: AsyncConnection, name: str, secret: str, at_ms: int) -> bool:
    """A sign of life. False: the row is gone, or another process has it now."""
    done = await db.execute(update(nodes).where(nodes.c.name == name, nodes.c.secret == secret).values(beat_ms=at_ms))
    return bool(done.rowcount)


async def depart(db: AsyncConnection, name: str, data: str) -> None:
    """A node ends, or the process did that had its name. What that left running in its journals stays listed, for whoever takes
    it up."""
    done = await db.execute(delete(nodes).where(nodes.c.name == name, nodes.c.data == data))
    if done.rowcount:
        await db.execute(delete(lobbies).where(lobbies.c.node == name, lobbies.c.state != "running"))


async def living(db: AsyncConnection, since_ms: int) -> list[Node]:
    rows = await db.execute(select(nodes).where(nodes.c.beat_ms >= since_ms).order_by(nodes.c.name))
    return [Node(**row._mapping) for row in rows]


async def any_there(db: AsyncConnection) -> bool:
    """Whether there is a node or a lobby, alive or not."""
    query = select(or_(exists(select(nodes.c.name)), exists(select(lobbies.c.id))))
    return bool((await db.execute(query)).scalar())


def nobody_writes(db: Connection, data: str) -> None:
    """No process writes this data directory any more: what was running in there waits for who takes it up."""
    names = select(nodes.c.name).where(nodes.c.data == data)
    db.execute(delete(lobbies).where(lobbies.c.node.in_(names), lobbies.c.state != "running"))
    db.execute(delete(nodes).where(nodes.c.data == data))


async def sweep(db: AsyncConnection, since_ms: int) -> None:
    """Lobbies of nodes that are not alive are no more; what was running waits for who takes it up."""
    alive = select(nodes.c.name).where(nodes.c.beat_ms >= since_ms)
    over = select(matches.c.id).where(matches.c.state == "over")
    await db.execute(
        delete(lobbies).where(lobbies.c.node.not_in(alive), or_(lobbies.c.state != "running", lobbies.c.id.in_(over)))
    )


# --- lobbies


async def put(db: AsyncConnection, rows: Sequence[Mapping[str, Json]]) -> set[str]:
    """Lobbies as they are now, new ones and known ones; those that another life has claimed, and which are not touched."""
    lost = set()
    for row in rows:
        done = await db.execute(update(lobbies).where(lobbies.c.id == row["id"], lobbies.c.life == row["life"]).values(row))
        if not done.rowcount and not await _put_new(db, row):
            lost.add(row["id"])
    return lost


async def _put_new(db: AsyncConnection, row: Mapping[str, Json]) -> bool:
    """False: there is one already."""
    try:
        async with db.begin_nested():
            await db.execute(insert(lobbies), [row])
    except IntegrityError:
        return False
    return True


async def drop(db: AsyncConnection, ids: Collection[str], life: str) -> None:
    await db.execute(delete(lobbies).where(lobbies.c.id.in_(ids), lobbies.c.life == life))


async def claim(db: AsyncConnection, row: Mapping[str, Json], alive: Collection[str] | None) -> bool:
    """Have a match for oneself that is running in its journal; False: a node that is `alive` has it, or, with None, any other."""
    mine: ColumnElement[bool] = lobbies.c.node == row["node"]
    if alive is not None:
        mine = or_(mine, lobbies.c.node.not_in(alive))
    values = {"node": row["node"], "life": row["life"]}
    done = await db.execute(update(lobbies).where(lobbies.c.id == row["id"], mine).values(values))
    return bool(done.rowcount) or await _put_new(db, row)


async def lost(db: AsyncConnection, ids: Collection[str], life: str) -> set[str]:
    """Those of these lobbies that another life has claimed."""
    query = select(lobbies.c.id).where(lobbies.c.id.in_(ids), lobbies.c.life != life)
    return set((await db.execute(query)).scalars())


async def held(db: AsyncConnection, by: Collection[str]) -> set[str]:
    """The lobbies that these nodes have."""
    return set((await db.execute(select(lobbies.c.id).where(lobbies.c.node.in_(by)))).scalars())


async def playing(db: AsyncConnection, on: Collection[str]) -> list[tuple[str, str]]:
    """Each seat of an account in a running match of these nodes: match and account."""
    query = select(seats.c.match, seats.c.account).join(lobbies, lobbies.c.id == seats.c.match)
    query = query.where(lobbies.c.node.in_(on), lobbies.c.state == "running", seats.c.account.is_not(None))
    return [(row.match, row.account) for row in await db.execute(query)]


async def place(db: AsyncConnection, lobby: str, game: str | None = None) -> Place | None:
    """By id, else the oldest public one that is called so: of this game before others, with a free seat before others."""
    found = (await db.execute(_PLACE.where(lobbies.c.id == lobby))).first()
    if found is None:
        named = _PLACE.where(lobbies.c.name == composed(lobby), lobbies.c.private.is_(False), lobbies.c.state.in_(UNFINISHED))
        rows = sorted(
            await db.execute(named.order_by(lobbies.c.created_ms, lobbies.c.id)),
            key=lambda row: (game not in (None, row.game), not row.free),
        )
        found = rows[0] if rows else None
    return None if found is None else Place(found.id, found.node, found.state)


async def open_ones(db: AsyncConnection, game: str, on: Collection[str]) -> list[Place]:
    """Public lobbies of this game on these nodes that have free seats and ask for no password, oldest first."""
    query = _PLACE.where(
        lobbies.c.state == "open",
        lobbies.c.game == game,
        lobbies.c.free > 0,
        lobbies.c.private.is_(False),
        lobbies.c.locked.is_(False),
        lobbies.c.node.in_(on),
    )
    rows = await db.execute(query.order_by(lobbies.c.created_ms, lobbies.c.id))
    return [Place(row.id, row.node, row.state) for row in rows]


async def loads(db: AsyncConnection) -> dict[str, int]:
    """How many lobbies and matches that are not over each node has; one that has none is left out."""
    query = select(lobbies.c.node, func.count().label("count")).where(lobbies.c.state.in_(UNFINISHED)).group_by(lobbies.c.node)
    return {row.node: row._mapping["count"] for row in await db.execute(query)}


async def data_of(db: AsyncConnection, match: str) -> str | None:
    """The data directory that has this match's files."""
    return (await db.execute(select(matches.c.node).where(matches.c.id == match))).scalar()


_PLACE = select(lobbies.c.id, lobbies.c.node, lobbies.c.state, lobbies.c.game, lobbies.c.free)
