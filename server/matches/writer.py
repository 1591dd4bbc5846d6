"""The starts and ends of matches are written into the database, behind the matches.

No match waits for the database, and nothing is lost when it fails: the journal is the truth, from
which the server imports at its next start what the database does not know."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.blame import INTERRUPTED
from server.match_record import EndHandlers, MatchEnded, MatchRecord
from server.matches.record import JournalFile
from server.metrics import Metrics
from server.store import matches
from server.store.store import Store
from server.store.store_health import StoreHealth
from server.store.tournaments import Behind
from server.wall_clock import wall_ms

Write = Callable[[AsyncConnection], Awaitable[None]]

FIRST_RETRY_S = 0.1
LAST_RETRY_S = 5.0
SETTLE_S = 10.0
"""A server that stops waits this long for its database."""
_log = structlog.get_logger()


class MatchWriter:
    """`node`: the name of the data directory."""

    def __init__(
        self, store: Store, node: str, handlers: EndHandlers, health: StoreHealth, metrics: Metrics
    ) -> None:
        self.unstored: dict[str, MatchRecord] = {}
        """Matches that are over, until the database has their results."""
        self._store = store
        self.node = node
        self._handlers = handlers
        self._health = health
        self._metrics = metrics
        self._writes: dict[str, asyncio.Task[None]] = {}
        """The last thing that is to be written of each match."""
        self._closing: dict[str, asyncio.Task[MatchEnded]] = {}

    def begin(self, record: MatchRecord) -> None:
        """A match starts, or goes on after a crash."""
        id_, at_ms = record.id, wall_ms()

        async def begun() -> None:
            await self._write(id_, lambda db: matches.begin(db, record, self.node, at_ms))
            if self._writes.get(id_) is task:
                del self._writes[id_]

        task = self._writes[id_] = asyncio.get_running_loop().create_task(begun())

    def end(self, ended: MatchEnded, file: JournalFile) -> None:
        """A match is over: it is listed at once, and in the database a moment later."""
        id_ = ended.record.id
        self.unstored[id_] = ended.record
        loop, begun = asyncio.get_running_loop(), self._writes.get(id_)
        closed = self._closing[id_] = loop.create_task(self._closed(ended, file))
        self._writes[id_] = loop.create_task(self._end(closed, begun))

    async def store(self, db: AsyncConnection, ended: MatchEnded) -> None:
        """Write the end of a match and what follows from it. Raises Behind."""
        await matches.finish(db, ended, self.node)
        for handle in self._handlers.storing:
            await handle(db, ended)

    def stored(self, ended: MatchEnded) -> None:
        """The transaction is committed."""
        for handle in self._handlers.stored:
            handle(ended)

    async def journal_closed(self, id_: str) -> None:
        """Until the whole journal of a match that is over is on the disk."""
        if id_ in self._closing:
            await asyncio.wait([self._closing[id_]])

    async def written(self, id_: str, timeout_s: float) -> None:
        """Until the database knows how this match ended, if it is not failing."""
        if id_ in self.unstored and not self._health.fails(id_):
            await asyncio.wait([self._writes[id_]], timeout=timeout_s)

    async def settle(self) -> None:
        """Until all that is over is in the database and on the disk, at most `SETTLE_S`."""
        end = time.monotonic() + (SETTLE_S if self._store.lost is None else 0.0)
        while waiting := [task for task in self._writes.values() if not task.done()]:
            _, late = await asyncio.wait(waiting, timeout=max(0.0, end - time.monotonic()))
            if late:
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
                text = "the database does not answer: the next start imports the journals"
                _log.warning(text, matches=len(late))
                return

    async def _closed(self, ended: MatchEnded, file: JournalFile) -> MatchEnded:
        """The journal is on the disk, with its end; if that cannot be, the match has no record that
        could be released."""
        record = ended.record
        try:
            await self._flush(file, record.id)
            await asyncio.to_thread(file.sync)
        except (OSError, ValueError):
            _log.exception("a journal could not be kept", match=record.id)
            self.unstored[record.id] = record = replace(record, head=None)
            return replace(ended, record=record, verdict=INTERRUPTED)
        finally:
            file.close()
        return ended

    async def _flush(self, file: JournalFile, id_: str) -> None:
        """Write the last lines, as soon as there is room for them."""
        wait = FIRST_RETRY_S
        while True:
            try:
                await asyncio.to_thread(file.flush)
            except OSError as fault:
                self._health.report(id_, f"the end of a record cannot be written: {fault.strerror}")
                await asyncio.sleep(wait)
                wait = min(2 * wait, LAST_RETRY_S)
            else:
                self._health.report(id_, None)
                return

    async def _end(
        self, closed: asyncio.Task[MatchEnded], begun: asyncio.Task[None] | None
    ) -> None:
        ended = await closed
        id_ = ended.record.id
        if begun is not None:
            await asyncio.wait([begun])
        await self._write(id_, lambda db: self.store(db, ended))
        del self._writes[id_], self._closing[id_], self.unstored[id_]
        self.stored(ended)

    async def _write(self, id_: str, write: Write) -> None:
        wait = FIRST_RETRY_S
        while True:
            try:
                async with self._store.write() as db:
                    await write(db)
            except Behind:
                continue
            except Exception as fault:  # noqa: BLE001  no match suffers from the database
                self._metrics.store_failed("result")
                if not self._health.fails(id_):
                    _log.exception("a match could not be stored; it is tried again", match=id_)
                await self._health.examine(fault)
                self._health.report(id_, f"a result cannot be written: {type(fault).__name__}")
                await asyncio.sleep(wait)
                wait = min(2 * wait, LAST_RETRY_S)
            else:
                self._health.report(id_, None)
                return
