"""Finished matches and their records, for those who may see them.

A match is released when every match that shares its seed has ended: until then its record would
show what is hidden there. A replay is made from its journal when a client asks for it first."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Set
from pathlib import Path

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk import private
from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX
from games.core.contract import AnyGame, Json, Seat, SeatResult
from server.accounts.authentication import Requester, seat_of, token_role
from server.errors import Refusal, not_storable
from server.match_record import MatchRecord
from server.matches.record import RECORDS, write_replay, write_whole
from server.matches.writer import MatchWriter
from server.offload import Offload
from server.store import matches, teams
from server.store.store import NotStorable, Store

WRITE_S = 5.0
"""A client that asks for a result waits this long until a slow database knows it."""
Unstored = Mapping[str, MatchRecord]
"""Matches that are over without the database knowing, by id."""
_log = structlog.get_logger()


class Archive:
    """Finished matches. `in_play()`: the seeds of the matches here that have not ended."""

    def __init__(self, store: Store, writer: MatchWriter, in_play: Callable[[], Set[int]]) -> None:
        self._store = store
        self._writer = writer
        self._in_play = in_play

    async def page(
        self,
        game: str | None = None,
        *,
        limit: int,
        bot: str | None = None,
        result: SeatResult | None = None,
        before: str | None = None,
        released: bool = False,
    ) -> list[dict[str, Json]]:
        """Newest first, without the private ones; older than the match `before`. `bot`, `result`:
        those that `MatchRecord.has` them. Raises Refusal."""
        playing = self._in_play()
        async with self._read() as (db, unstored):
            public = [record for record in unstored.values() if not record.private]
            fresh = [
                record
                for record in public
                if game in (None, record.game) and record.has(bot, result)
            ]
            edge = None if before is None else (await _found(db, unstored, before)).age
            ended = list(unstored)
            old = await matches.page(
                db,
                limit=limit,
                game=game,
                bot=bot,
                result=result,
                before=edge,
                ended=ended,
                playing=playing if released else None,
            )
            records = [record for record in fresh if edge is None or record.age < edge] + old
            seeds = {record.seed for record in records}
            playing = playing | await matches.played_still(db, seeds, ended)
        records.sort(key=lambda record: record.age, reverse=True)
        shown = [(record, _is_released(record, playing)) for record in records]
        page = [record.finished_json(released=out) for record, out in shown if out or not released]
        return page[:limit]

    async def get(self, id_: str, requester: Requester) -> dict[str, Json]:
        """A match that is over, with the attempts to play it. Raises Refusal."""
        await self._writer.written(id_, WRITE_S)
        async with self._read() as (db, unstored):
            if id_ not in unstored and await matches.state_of(db, id_) == "running":
                text = "the process that plays this match is not there now; try again soon"
                raise Refusal(503, "node_down", text)
            record, playing = await self._opened(db, unstored, id_, requester)
            attempts = await matches.ledger(db, id_)
        return record.finished_json(released=_is_released(record, playing)) | {"attempts": attempts}

    async def released(self, id_: str, requester: Requester) -> MatchRecord:
        """A match whose record may be seen. Raises Refusal."""
        async with self._read() as (db, unstored):
            record, playing = await self._opened(db, unstored, id_, requester)
        if record.head is None:
            text = "this match was interrupted: its record has no end, and is not released"
            raise Refusal(409, "not_released", text)
        if not _is_released(record, playing):
            text = "a match with the same seed has not ended; the record is released when it has"
            raise Refusal(409, "not_released", text)
        return record

    async def seat(self, id_: str, requester: Requester) -> tuple[MatchRecord, Seat]:
        """A match in which the requester has a seat, released or not. Raises Refusal."""
        async with self._read() as (db, unstored):
            record = await _found(db, unstored, id_)
        requester.check("see_seat", token_role(record.doors, record.salt, requester.token))
        seat = seat_of(record.doors, record.salt, requester.token)
        assert seat is not None
        return record, seat

    async def result(self, id_: str) -> dict[str, Json] | None:
        """The result of a match that is over; None: the database has forgotten it. Raises
        Refusal."""
        async with self._read() as (db, _):
            record = await matches.found(db, id_)
        return None if record is None else record.result

    async def state_of(self, id_: str) -> str | None:
        """Whether a match is running or over; None: there is none. Raises Refusal."""
        async with self._read() as (db, unstored):
            return "over" if id_ in unstored else await matches.state_of(db, id_)

    async def keeps(self, id_: str) -> bool:
        """Whether this match is over, and its record can be read here. Raises Refusal."""
        async with self._read() as (db, _):
            return await matches.is_kept(db, id_, self._writer.node)

    async def packed(self, id_: str) -> bytes | None:
        """The journal of a match whose journal is in the database, gzipped. Raises Refusal."""
        async with self._read() as (db, _):
            return await matches.packed(db, id_)

    async def _opened(
        self, db: AsyncConnection, unstored: Unstored, id_: str, requester: Requester
    ) -> tuple[MatchRecord, Collection[int]]:
        """A match that the requester may see, and the seeds of those that are not over. Raises
        Refusal."""
        record = await _found(db, unstored, id_)
        role = token_role(record.doors, record.salt, requester.token)
        if record.private and requester.account is not None:
            team = await teams.team_of(db, requester.account.id)
            if any(player.account in team for player in record.players):
                role = "seat"
        requester.check("watch_private" if record.private else "watch", role)
        still = await matches.played_still(db, [record.seed], list(unstored))
        return record, self._in_play() | still

    @contextlib.asynccontextmanager
    async def _read(self) -> AsyncIterator[tuple[AsyncConnection, Unstored]]:
        """A snapshot of the database, and the matches that were over without it knowing.

        These are taken first: one that is stored meanwhile may be running in the snapshot.
        """
        unstored = dict(self._writer.unstored)
        async with asked(), self._store.read() as db:
            yield db, unstored


class RecordFiles:
    """The files of finished matches."""

    def __init__(
        self,
        data: Path,
        games: Mapping[str, AnyGame],
        archive: Archive,
        writer: MatchWriter,
        offload: Offload,
    ) -> None:
        self._data = data
        self._games = games
        self._archive = archive
        self._writer = writer
        self._offload = offload

    async def journal(self, id_: str, requester: Requester) -> Path:
        """After the release. Raises Refusal."""
        return _existing(await self._released(id_, requester))

    async def seat(self, id_: str, requester: Requester) -> tuple[Path, Seat]:
        """The journal and the requester's seat in it, released or not: for the record of what that
        seat saw. Raises Refusal."""
        await self._writer.journal_closed(id_)
        record, seat = await self._archive.seat(id_, requester)
        return _existing(self._data / record.file), seat

    async def replay(self, id_: str, requester: Requester) -> Path:
        """After the release. Raises Refusal."""
        journal = await self._released(id_, requester)
        path = journal.with_name(journal.name.replace(JOURNAL_SUFFIX, REPLAY_SUFFIX))
        if not path.exists():
            try:
                await self._offload.answer(write_replay, journal, path, self._games)
            except Refusal:
                raise
            except Exception:  # noqa: BLE001  whatever is wrong with one record
                _log.exception("no replay could be made", match=id_)
        return _existing(path)

    async def _released(self, id_: str, requester: Requester) -> Path:
        """Where the journal is, or belongs. It may come from the database. Raises Refusal."""
        await self._writer.journal_closed(id_)
        record = await self._archive.released(id_, requester)
        path = self._data / record.file
        if record.file.startswith(f"{RECORDS}/") and not path.exists():
            packed = await self._archive.packed(id_)
            if packed is not None:
                private.folder(path.parent)
                await asyncio.to_thread(lambda: write_whole(path, gzip.decompress(packed)))
        return path


@contextlib.asynccontextmanager
async def asked() -> AsyncIterator[None]:
    """A query in here that fails is a Refusal."""
    try:
        yield
    except NotStorable:
        raise not_storable() from None
    except SQLAlchemyError as fault:
        _log.warning("the database does not answer", why=type(fault).__name__)
        raise Refusal(503, "no_store", "the database does not answer; try again later") from None


async def _found(db: AsyncConnection, unstored: Unstored, id_: str) -> MatchRecord:
    record = unstored.get(id_) or await matches.found(db, id_)
    if record is None:
        raise Refusal(404, "no_such_match", "there is no such match here", field="match")
    return record


def _existing(path: Path) -> Path:
    if not path.exists():
        raise Refusal(404, "no_such_record", "this match has no such record here")
    return path


def _is_released(record: MatchRecord, playing: Collection[int]) -> bool:
    return record.head is not None and record.seed not in playing
