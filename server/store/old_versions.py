"""The files of versions of bots that will not play again, which an operator may have deleted. The
versions themselves stay: who handed them in, when, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.store import submissions as stored
from server.store.store import Store
from server.store.tables import entrants, files, ladder_games, submissions, tournaments
from server.store.tournaments import OVER

ENDED = ("failed", "refused", "replaced", "set_aside")


class PrunedFiles(NamedTuple):
    versions: int
    size: int
    """Bytes."""


async def prune_files(store: Store, before_ms: int) -> PrunedFiles:
    """Delete the files of versions that were handed in before this moment and will not play again.
    The newest version of each bot keeps its file, and so does the one that plays if the active one
    fails, and what a contest or a game that is under way needs. A file goes with the last version
    that has it. Raises SQLAlchemyError."""
    s = submissions.c
    kept = files.c.size > 0
    async with store.write() as db:
        locked = select(files.c.sha256).where(kept).with_for_update(key_share=True)
        there = set((await db.execute(locked)).scalars())  # no version gets one of them meanwhile
        query = select(s.id, s.sha256, s.built, s.state, s.created_ms)
        rows = (await db.execute(query)).all()
        needed = await _needed(db)
        old = {
            row.id: row
            for row in rows
            if row.state in ENDED and row.created_ms < before_ms and row.id not in needed
        }
        used = {digest for row in rows if row.id not in old for digest in _files(row)}
        gone = (there & {digest for row in old.values() for digest in _files(row)}) - used
        size = 0
        for digest in sorted(gone):
            same = files.c.sha256 == digest
            size += (await db.execute(select(files.c.size).where(same))).scalar_one()
            await db.execute(update(files).where(same).values(size=0, content=b""))
    return PrunedFiles(sum(not gone.isdisjoint(_files(row)) for row in old.values()), size)


def _files(row: Any) -> Sequence[str]:
    return [digest for digest in (row.sha256, row.built) if digest is not None]


async def _needed(db: AsyncConnection) -> Collection[str]:
    """Versions, by their ids, that may play though another one of their bot is active."""
    s, c = submissions.c, ladder_games.c
    needed: set[str] = set()
    for which in (true(), s.state == "replaced"):
        newest = select(s.bot, func.max(s.version).label("version")).where(which).group_by(s.bot)
        needed |= await _ids(db, newest)
    frozen = select(entrants.c.submitted, tournaments.c.freeze_ms).distinct()
    frozen = frozen.join(tournaments, tournaments.c.id == entrants.c.tournament)
    frozen = frozen.where(tournaments.c.state.not_in(OVER), tournaments.c.freeze_ms.is_not(None))
    for row in (await db.execute(frozen.where(entrants.c.submitted.is_not(None)))).all():
        one = await stored.active(db, row.submitted, row.freeze_ms)
        needed |= set() if one is None else {one.id}
    players = await db.scalars(select(c.players).where(c.taken_by.is_not(None)))
    needed |= {id_ for seated in players for one in seated if (id_ := one.get("submission"))}
    return needed


async def _ids(db: AsyncConnection, newest: Select[Any]) -> set[str]:
    found, s = newest.subquery(), submissions.c
    same = (found.c.bot == s.bot) & (found.c.version == s.version)
    return set(await db.scalars(select(s.id).join(found, same)))
