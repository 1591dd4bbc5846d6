"""What is kept for how long, and whether rows and files agree."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX
from games.core.journal import BrokenLine, lines
from games.core.text import text_of
from server.folder import record_files
from server.store.matches import NOWHERE, packed
from server.store.store import Store
from server.store.tables import attempts, ladder_games, matches, records, seats, submissions

DAY_MS = 24 * 60 * 60 * 1000
AGAIN_S = 1.0
_BATCH = 200
_BESIDE = (JOURNAL_SUFFIX, REPLAY_SUFFIX, ".result.json")


@dataclass(frozen=True, slots=True)
class Pruned:
    matches: int
    size: int
    """Bytes of the files that are gone, and of the records in the database."""


async def prune(
    store: Store, data: Path, node: str, before_ms: int, *, keep_journals: bool = False
) -> Pruned:
    """Forget the matches of this place, and those that workers played, that ended before this
    moment: rows, journals, replays. What a tournament or the trial of a version counts stays. With
    `keep_journals` only their replays go: those are made again on request. Raises SQLAlchemyError,
    OSError."""
    m = matches.c
    old = m.node.in_((node, NOWHERE)) & (m.state == "over") & (m.ended_ms < before_ms)
    if not keep_journals:
        old &= m.id.not_in(_COUNTED)
    query = select(matches.c.id, matches.c.journal).where(old)
    async with store.read() as db:
        found = {row.id: row.journal for row in await db.execute(query)}
    size = 0
    for ids in _slices(list(found)):
        if not keep_journals:
            async with store.write() as db:
                size += await _forget(db, ids)
        kinds = (REPLAY_SUFFIX,) if keep_journals else _BESIDE
        paths = [data / found[id_].replace(JOURNAL_SUFFIX, kind) for id_ in ids for kind in kinds]
        size += await asyncio.to_thread(_delete, paths)
    return Pruned(len(found), size)


_COUNTED = union_all(
    select(attempts.c.match).where(attempts.c.pairing.is_not(None)),
    select(ladder_games.c.match)
    .join(submissions, submissions.c.id == ladder_games.c.trial)
    .where(submissions.c.state == "testing"),
)
"""Matches that what still runs needs."""


async def _forget(db: AsyncConnection, ids: Sequence[str]) -> int:
    """Returns the bytes that were kept in the database."""
    kept = select(func.coalesce(func.sum(func.length(records.c.content)), 0))
    size: int = (await db.execute(kept.where(records.c.match.in_(ids)))).scalar_one()
    for table in (attempts, seats, ladder_games):
        await db.execute(delete(table).where(table.c.match.in_(ids)))
    await db.execute(delete(matches).where(matches.c.id.in_(ids)))
    return size


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
    """One sentence for each journal that does not say what its row says."""


async def check(store: Store, data: Path, node: str) -> Checked:
    """Compare every row of this place, and of the games that workers played, with its journal:
    whole, its chain unbroken, its head the one in the row. What is found is looked at again a
    moment later, for a server may run.

    Raises SQLAlchemyError, OSError.
    """
    found = await _compare(store, data, node)
    if found.problems:
        await asyncio.sleep(AGAIN_S)
        again = await _compare(store, data, node)
        lasting = tuple(problem for problem in again.problems if problem in found.problems)
        return Checked(again.matches, lasting)
    return found


async def _compare(store: Store, data: Path, node: str) -> Checked:
    m = matches.c
    query = select(m.id, m.node, m.journal, m.state, m.head)
    query = query.where(m.node.in_([node, NOWHERE])).order_by(m.ended_ms, m.id)
    async with store.read() as db:
        rows = {row.id: row for row in await db.execute(query)}
    problems = {}
    for id_, row in rows.items():
        path = data / row.journal
        if row.node == NOWHERE:
            async with store.read() as db:
                kept = await packed(db, id_)
            problems[id_] = await asyncio.to_thread(_problem_of_packed, kept, path, row)
        else:
            problems[id_] = await asyncio.to_thread(_problem_of_file, path, row)
    for path in await asyncio.to_thread(record_files, data, JOURNAL_SUFFIX):
        id_ = path.name.removesuffix(JOURNAL_SUFFIX)
        if id_ not in rows:
            unknown = "a journal that the database does not know; the next start imports it"
            problems[id_] = unknown
    found = [f"{id_}: {problem}" for id_, problem in problems.items() if problem is not None]
    return Checked(len(rows), tuple(found))


def _problem_of_file(path: Path, row: Any) -> str | None:
    try:
        return _problem(path.read_bytes(), row)
    except FileNotFoundError:
        return _problem(None, row)


def _problem_of_packed(kept: bytes | None, copy: Path, row: Any) -> str | None:
    """`copy`: where the journal is put on request."""
    try:
        journal = None if kept is None else gzip.decompress(kept)
    except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
        return f"the journal in the database cannot be unpacked: {fault}"
    problem = _problem(journal, row)
    if problem is None and copy.exists() and copy.read_bytes() != journal:
        return f"{copy} is not the journal in the database; without it that one comes out"
    return problem


def _problem(journal: bytes | None, row: Any) -> str | None:
    if row.state == "over" and row.head is None:
        return None  # interrupted for good: nothing is said of its journal
    if journal is None:
        return "the journal is missing"
    last, ended = "", False
    try:
        for line in lines(text_of(journal, exact=True)):
            last, ended = line.chain, line.fields["k"] == "end"
    except BrokenLine as fault:
        return f"the journal is broken: {fault}"
    if row.state == "running":
        imported = "the journal has its end, the row says running; the next start imports it"
        return imported if ended else None
    if last != row.head:
        return f"the journal's head is {last or 'none'}, the row says {row.head}"
    return None


def _slices(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH)]
