"""What is kept for how long, and whether rows and files agree."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.journal import Broken, lines
from server.matches.record import JOURNAL, REPLAY, ending
from server.store.store import Store
from server.store.tables import attempts, matches, seats

Json = Any

DAY_MS = 24 * 60 * 60 * 1000
AGAIN_S = 1.0
_BATCH = 200
_BESIDE = (JOURNAL, REPLAY, ".result.json")


@dataclass(frozen=True, slots=True)
class Pruned:
    matches: int
    size: int
    """Bytes of the files that are gone."""


async def prune(store: Store, data: Path, node: str, before_ms: int, *, keep_journals: bool = False) -> Pruned:
    """Forget the matches of this place that ended before this moment: rows, journals, replays. What a tournament counts stays.

    With `keep_journals` only their replays go: those are made again when somebody asks. Raises SQLAlchemyError, OSError.
    """
    old = (matches.c.node == node) & (matches.c.state == "over") & (matches.c.ended_ms < before_ms)
    counted = select(attempts.c.match).where(attempts.c.pairing.is_not(None))
    if not keep_journals:
        old &= matches.c.id.not_in(counted)
    async with store.read() as db:
        found = {row.id: row.journal for row in await db.execute(select(matches.c.id, matches.c.journal).where(old))}
    size = 0
    for ids in _slices(list(found)):
        if not keep_journals:
            async with store.write() as db:
                await _forget(db, ids)
        kinds = (REPLAY,) if keep_journals else _BESIDE
        paths = [data / found[id_].replace(JOURNAL, kind) for id_ in ids for kind in kinds]
        size += await asyncio.to_thread(_delete, paths)
    return Pruned(len(found), size)


async def _forget(db: AsyncConnection, ids: Sequence[str]) -> None:
    for table in (attempts, seats):
        await db.execute(delete(table).where(table.c.match.in_(ids)))
    await db.execute(delete(matches).where(matches.c.id.in_(ids)))


def _delete(paths: Sequence[Path]) -> int:
    size = 0
    for path in paths:
        try:
            length = path.stat().st_size
            path.unlink()
        except FileNotFoundError:
            continue
        size += length
    return size


@dataclass(frozen=True, slots=True)
class Checked:
    matches: int
    problems: tuple[str, ...]
    """One sentence for each file that does not say what its row says."""


async def check(store: Store, data: Path, node: str) -> Checked:
    """Compare every row of this place with its journal: whole, its chain unbroken, its head the one in the row. What is found is
    looked at again a moment later, for a server may run. Raises SQLAlchemyError, OSError."""
    found = await _compare(store, data, node)
    if found.problems:
        await asyncio.sleep(AGAIN_S)
        again = await _compare(store, data, node)
        return Checked(again.matches, tuple(problem for problem in again.problems if problem in found.problems))
    return found


async def _compare(store: Store, data: Path, node: str) -> Checked:
    query = select(matches.c.id, matches.c.journal, matches.c.state, matches.c.head).where(matches.c.node == node)
    async with store.read() as db:
        rows = {row.id: row for row in await db.execute(query.order_by(matches.c.ended_ms, matches.c.id))}
    return await asyncio.to_thread(_compared, rows, data)


def _compared(rows: Mapping[str, Any], data: Path) -> Checked:
    told = {id_: _problem(data / row.journal, row.state, row.head) for id_, row in rows.items()}
    there = [path.name.removesuffix(JOURNAL) for path in sorted((data / "matches").glob(f"*{JOURNAL}"))]
    told |= {id_: "a journal that the database does not know; the next start tells it" for id_ in there if id_ not in rows}
    return Checked(len(rows), tuple(f"{id_}: {problem}" for id_, problem in told.items() if problem is not None))


def _problem(path: Path, state: str, head: str | None) -> str | None:
    if state == "over" and head is None:
        return None  # interrupted for good: nothing is said of its journal
    try:
        last = ""
        for line in lines(path.read_bytes().decode("utf-8", "surrogateescape")):
            last = line.chain
        ended = ending(path) is not None
    except FileNotFoundError:
        return "the journal is missing"
    except Broken as fault:
        return f"the journal is broken: {fault}"
    if state == "running":
        return None if not ended else "the journal has its end, the row says running; the next start tells it"
    if head is not None and last != head:
        return f"the journal's head is {last or 'none'}, the row says {head}"
    return None


def _slices(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH)]
