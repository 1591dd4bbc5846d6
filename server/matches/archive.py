"""Finished matches: their results, and when their journals and replays may be seen.

A match is released when every match that shares its seed has ended: until then its record would tell what is hidden there.
Results are in the database; a journal is the truth from which they can always be told again, so that nothing waits for the
database, and nothing is lost when it fails.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import secrets
import shlex
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk import private
from games.core.contract import AnyGame, BadSetup, Seat, aborted, outcome_json
from games.core.parameters import configure, described
from server.accounts.gate import Asker, door, seat_of
from server.accounts.scopes import TokenRole
from server.blame import INTERRUPTED, verdict
from server.errors import Refusal
from server.health import Health
from server.match_record import Door, EndHandlers, MatchEnded, MatchRecord
from server.matches.record import JOURNAL, REPLAY, JournalFile, ending, is_held, wall_ms, write_whole
from server.metrics import Metrics
from server.store import matches
from server.store.store import REBUILD, Store
from server.store.tournaments import Behind
from server.store.upkeep import DAY_MS, prune

Json = Any
Write = Callable[[AsyncConnection], Awaitable[None]]

FOLDER = "matches"
"""Where journals and replays are, in the data directory."""
RECORDS = "records"
"""Where those are that were fetched from the database."""
NODE = "node"
"""The file that names a data directory, so that a database knows whose files are where."""
RESULT = ".result.json"
"""What early versions wrote beside a journal."""
FIRST_RETRY_S = 0.1
LAST_RETRY_S = 5.0
SETTLE_S = 10.0
"""So long a server that stops waits for its database."""
WRITE_S = 5.0
"""So long somebody who asks for a result waits until a slow database knows it."""
BATCH = 500

_NO_RECORD = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, msgspec.MsgspecError)
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Left:
    """A match that is not over, as the database knows it. `name`: the lobby's, if it is public."""

    id: str
    path: Path
    door: Door
    name: str | None
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is resumed, or cannot be."""

    def role(self, token: str | None) -> TokenRole | None:
        """What this token opens here."""
        _, doors, salt = self.door
        return door(doors, salt, token)


class Archive:
    """`in_play()`: the seeds of the matches here that have not ended yet."""

    def __init__(
        self,
        data: Path,
        games: Mapping[str, AnyGame],
        store: Store,
        in_play: Callable[[], Set[int]],
        health: Health,
        metrics: Metrics,
        handlers: EndHandlers = EndHandlers(),  # noqa: B008  frozen
    ) -> None:
        """Raises OSError if the data directory cannot be used."""
        self.folder = data / FOLDER
        self._data = data
        self._games = games
        self._store = store
        self._in_play = in_play
        self._health = health
        self._metrics = metrics
        self._node = ""
        self._handlers = handlers
        self._over: dict[str, MatchRecord] = {}
        """Matches that are over, until the database has their results."""
        self._writes: dict[str, asyncio.Task[None]] = {}
        """The last thing that is to be written of each match."""
        self._closing: dict[str, asyncio.Task[MatchEnded]] = {}
        self._making: dict[str, asyncio.Task[None]] = {}
        self._releases: set[asyncio.Task[None]] = set()
        self._failing: dict[str, str] = {}
        private.folder(self.folder)

    @property
    def node(self) -> str:
        """The data directory's own name."""
        return self._node

    def telling(self, id_: str) -> bool:
        """Whether this match is over, and the database is still being told so."""
        return id_ in self._over

    async def open(self, is_home: Callable[[str], bool]) -> int:
        """Let the database know of every journal that is here, without those of matches that belong to other processes; how many
        it did not know. Raises OSError, SQLAlchemyError."""
        self._node = await asyncio.to_thread(named, self._data)
        journals = await asyncio.to_thread(lambda: sorted(self.folder.glob(f"*{JOURNAL}")))
        paths = [path for path in journals if is_home(path.name.removesuffix(JOURNAL))]
        async with self._store.read() as db:
            known = await matches.states(db, self._node)
        found = await asyncio.to_thread(self._unknown, paths, known)
        for start in range(0, len(found), BATCH):
            await self._import(found[start : start + BATCH])
        return len(found)

    async def _import(self, found: Sequence[MatchEnded | MatchRecord]) -> None:
        """All at once; if that fails one by one, so that one that no database takes hinders no other."""
        try:
            async with self._store.write() as db:
                for one in found:
                    if isinstance(one, MatchEnded):
                        await self._end(db, one)
                    else:
                        await matches.begin(db, one, self._node, one.started_ms)
        except Behind:
            await self._import(found)
        except Exception as fault:  # noqa: BLE001  there may be anything in a file
            if len(found) == 1:
                _log.warning("a record that no database takes", match=_id(found[0]), why=str(fault))
                return
            for one in found:
                await self._import([one])

    def _unknown(self, paths: Sequence[Path], known: Mapping[str, str]) -> list[MatchEnded | MatchRecord]:
        """The journals of which the database does not know how they stand."""
        found = []
        for path in paths:
            id_ = path.name.removesuffix(JOURNAL)
            if known.get(id_) == "over":
                continue
            try:
                one = self._recorded(path, id_)
                if isinstance(one, MatchEnded) or (id_ not in known and not is_held(path)):
                    found.append(one)
            except _NO_RECORD as fault:
                _log.warning("a record that cannot be read", file=path.name, why=str(fault))
        return found

    def _recorded(self, path: Path, id_: str) -> MatchEnded | MatchRecord:
        one = recorded(path, id_)
        if isinstance(one, MatchEnded):
            return replace(one, record=self._described(one.record))
        return self._described(one)

    def _described(self, record: MatchRecord) -> MatchRecord:
        """With the defaults of the rules in its config, where they are the ones that it was played by."""
        game = self._games.get(record.game)
        if game is None or game.rules_version != record.rules_version:
            return record
        try:
            return replace(record, config=described(configure(game, record.config, record.seed)))
        except BadSetup:
            return record

    # --- in

    def begin(self, record: MatchRecord) -> None:
        """A match starts, or goes on after a crash."""
        at_ms = wall_ms()
        self._write(record.id, lambda db: matches.begin(db, record, self._node, at_ms))

    def store(self, ended: MatchEnded, file: JournalFile) -> None:
        """Keep a match that is over: listed at once, in the database a moment later."""
        id_ = ended.record.id
        self._over[id_] = ended.record
        loop, begun = asyncio.get_running_loop(), self._writes.get(id_)
        closed = self._closing[id_] = loop.create_task(self._closed(ended, file))
        self._writes[id_] = loop.create_task(self._finish(closed, begun))

    async def _closed(self, ended: MatchEnded, file: JournalFile) -> MatchEnded:
        """The journal is on the disk, with its end; if that cannot be, the match has no record that could come out."""
        record = ended.record
        try:
            await self._flushed(file, record.id)
            await asyncio.to_thread(file.sync)
        except (OSError, ValueError):
            _log.exception("a journal could not be kept", match=record.id)
            self._over[record.id] = record = replace(record, head=None)
            return replace(ended, record=record, verdict=INTERRUPTED)
        finally:
            file.close()
        return ended

    async def _flushed(self, file: JournalFile, id_: str) -> None:
        """Its last lines are written as soon as there is room for them."""
        wait = FIRST_RETRY_S
        while True:
            try:
                await asyncio.to_thread(file.flush)
            except OSError as fault:
                self._report(id_, f"the end of a record cannot be written: {fault.strerror}")
                await asyncio.sleep(wait)
                wait = min(2 * wait, LAST_RETRY_S)
            else:
                self._report(id_, None)
                return

    async def _finish(self, closed: asyncio.Task[MatchEnded], begun: asyncio.Task[None] | None) -> None:
        ended = await closed
        id_ = ended.record.id
        if begun is not None:
            await asyncio.wait([begun])
        await self._written(id_, lambda db: self._end(db, ended))
        del self._writes[id_], self._closing[id_], self._over[id_]
        self._stored(ended)

    def _stored(self, ended: MatchEnded) -> None:
        for handle in self._handlers.stored:
            handle(ended)
        self.release(ended.record.seed)

    async def _end(self, db: AsyncConnection, ended: MatchEnded) -> None:
        await matches.finish(db, ended, self._node)
        for handle in self._handlers.storing:
            await handle(db, ended)

    async def tell_the_end(self, id_: str, path: Path) -> bool:
        """Whether this journal of a match that somebody left has its end. The database is told of it then. Raises
        SQLAlchemyError."""
        try:
            found = await asyncio.to_thread(self._recorded, path, id_)
        except _NO_RECORD:
            return False
        if not isinstance(found, MatchEnded):
            return False
        await self._import([found])
        self._stored(found)
        return True

    async def gave_up(self, id_: str) -> None:
        """This one was interrupted and cannot go on."""
        async with self._store.write() as db:
            outcome = outcome_json(aborted(await matches.seats_of(db, id_), "interrupted"))
            await matches.give_up(db, id_, outcome, wall_ms())

    async def interrupted(self) -> list[Left]:
        """Matches of this place that are not over, oldest first. Raises SQLAlchemyError."""
        async with self._store.read() as db:
            running = await matches.unfinished(db, self._node)
        return [
            Left(row.id, self._data / row.journal, (row.id, row.doors, row.salt), None if row.private else row.name)
            for row in running
        ]

    async def settle(self) -> None:
        """Until everything that is over is in the database and on the disk; not for ever: what is missing is in the journals."""
        end = time.monotonic() + (SETTLE_S if self._store.lost is None else 0.0)
        while waiting := [task for task in self._tasks() if not task.done()]:
            _, late = await asyncio.wait(waiting, timeout=max(0.0, end - time.monotonic()))
            if late:
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
                _log.warning("the database does not answer: it is told from the journals at the next start", matches=len(late))
                return

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [*self._writes.values(), *self._making.values(), *self._releases]

    def release(self, seed: int) -> None:
        """A match with this seed ended, or was cancelled: make the replays that nobody could have before."""
        if seed not in self._in_play():
            task = asyncio.get_running_loop().create_task(self._release(seed))
            self._releases.add(task)
            task.add_done_callback(self._releases.discard)

    async def _release(self, seed: int) -> None:
        try:
            async with self._store.read() as db:
                shared = await matches.sharing(db, seed, self._node, list(self._over))
        except Exception as fault:  # noqa: BLE001  they are made when somebody asks for them
            _log.warning("no replays could be made", why=str(fault))
            return
        for record in shared:
            self._make(record)

    def _write(self, id_: str, write: Write) -> None:
        async def written() -> None:
            await self._written(id_, write)
            if self._writes.get(id_) is task:
                del self._writes[id_]

        task = self._writes[id_] = asyncio.get_running_loop().create_task(written())

    async def _written(self, id_: str, write: Write) -> None:
        """Try until it is written; the journal holds it meanwhile."""
        wait = FIRST_RETRY_S
        while True:
            try:
                async with self._store.write() as db:
                    await write(db)
            except Behind:
                continue
            except Exception as fault:  # noqa: BLE001  whatever a database says, no match suffers from it
                self._metrics.store_failed("result")
                if id_ not in self._failing:
                    _log.exception("the database could not be told of a match; trying on", match=id_)
                if (lost := await self._lost(fault)) is not None:
                    self._report("", lost)
                self._report(id_, f"a result cannot be written: {type(fault).__name__}")
                await asyncio.sleep(wait)
                wait = min(2 * wait, LAST_RETRY_S)
            else:
                self._report(id_, None)
                return

    def _report(self, what: str, problem: str | None) -> None:
        if problem is None:
            self._failing.pop(what, None)
        else:
            self._failing[what] = problem
        self._health.report("store", self._failing.get("") or next(iter(self._failing.values()), None))

    async def try_out(self) -> None:
        """Whether the database answers."""
        await self._unbroken(self._try_out())

    async def _unbroken(self, work: Coroutine[Any, Any, None]) -> None:
        """Whoever is tired of waiting leaves it to `settle`: what the database is at is not broken off half way."""
        task = asyncio.get_running_loop().create_task(work)
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)
        await asyncio.shield(task)

    async def _try_out(self) -> None:
        if (lost := await self._lost()) is not None:
            self._report("", lost)
            return
        try:
            async with asyncio.timeout(LAST_RETRY_S), self._store.read() as db:
                await matches.state_of(db, "")
        except Exception as fault:  # noqa: BLE001  drivers fail in many ways
            self._report("", await self._lost(fault) or f"the database does not answer: {type(fault).__name__}")
        else:
            self._report("", None)

    async def _lost(self, fault: Exception | None = None) -> str | None:
        """What is wrong with the database's file, and what to do about it. `fault`: what a question to it ended with."""
        lost = await self._store.examine()
        if lost is None and fault is not None:
            lost = self._store.damage(fault)
        return None if lost is None else f"{lost}: stop the server and run {REBUILD} --data-dir {shlex.quote(str(self._data))}"

    async def prune(self, keep_days: int) -> None:
        """Forget what ended so many days ago."""
        await self._unbroken(self._prune(keep_days))

    async def _prune(self, keep_days: int) -> None:
        try:
            gone = await prune(self._store, self._data, self._node, wall_ms() - keep_days * DAY_MS)
        except Exception:  # noqa: BLE001  it is tried again
            _log.exception("old matches could not be forgotten")
        else:
            _log.info("old matches are forgotten", matches=gone.matches, bytes=gone.size)

    # --- out

    async def page(
        self, game: str | None = None, *, limit: int, before: str | None = None, released: bool = False
    ) -> list[dict[str, Json]]:
        """Newest first, without the private ones; older than the match `before`. Raises Refusal."""
        fresh = [record for record in self._over.values() if not record.private and game in (None, record.game)]
        playing = self._in_play()
        async with self._look() as db:
            edge = None if before is None else (await self._known(db, before)).age
            ended = list(self._over)
            old = await matches.page(db, limit=limit, game=game, before=edge, ended=ended, playing=playing if released else None)
            records = [record for record in fresh if edge is None or record.age < edge] + old
            playing = playing | await matches.played_still(db, {record.seed for record in records}, ended)
        records.sort(key=lambda record: record.age, reverse=True)
        shown = [(record, _is_released(record, playing)) for record in records]
        return [record.finished_json(released=out) for record, out in shown if out or not released][:limit]

    async def get(self, id_: str, asker: Asker) -> dict[str, Json]:
        """A match that is over, with the attempts to play it. Raises Refusal."""
        if id_ in self._over and id_ not in self._failing:
            await asyncio.wait([self._writes[id_]], timeout=WRITE_S)
        async with self._look() as db:
            if id_ not in self._over and await matches.state_of(db, id_) == "running":
                raise Refusal(503, "node_down", "the process that plays this match is not there at the moment; try again soon")
            record = _opened(await self._known(db, id_), asker)
            attempts = await matches.ledger(db, id_)
            playing = self._in_play() | await matches.played_still(db, [record.seed], list(self._over))
        return record.finished_json(released=_is_released(record, playing)) | {"attempts": attempts}

    async def newest(self, limit: int) -> list[Door]:
        """Which tokens opened the matches of this place that ended last. Raises SQLAlchemyError."""
        async with self._store.read() as db:
            return await matches.doors(db, self._node, limit)

    async def result(self, id_: str) -> dict[str, Json] | None:
        """The result record of a match that is over; None: it is not known any more. Raises Refusal."""
        async with self._look() as db:
            record = await matches.found(db, id_)
        return None if record is None else record.result

    async def state_of(self, id_: str) -> str | None:
        """Whether a match is running or over; None: there is none. Raises Refusal."""
        if id_ in self._over:
            return "over"
        async with self._look() as db:
            return await matches.state_of(db, id_)

    async def keeps(self, id_: str) -> bool:
        """Whether this match is over, and its record is in this data directory or in the database. Raises Refusal."""
        async with self._look() as db:
            return await matches.is_kept(db, id_, self._node)

    async def journal(self, id_: str, asker: Asker) -> Path:
        """The journal's file, after the release. Raises Refusal."""
        return self._file(await self._released(id_, asker), JOURNAL)

    async def seat(self, id_: str, asker: Asker) -> tuple[Path, Seat]:
        """The journal's file and the asker's own seat in it, released or not: for the record of what that seat saw. Raises
        Refusal."""
        if id_ in self._closing:
            await asyncio.wait([self._closing[id_]])
        async with self._look() as db:
            record = await self._known(db, id_)
        _, doors, salt = record.door
        asker.check("see_seat", door(doors, salt, asker.token))
        seat = seat_of(doors, salt, asker.token)
        assert seat is not None
        return self._file(record, JOURNAL), seat

    async def replay(self, id_: str, asker: Asker) -> Path:
        """The replay's file, after the release. Raises Refusal."""
        record = await self._released(id_, asker)
        if not self._path(record, REPLAY).exists():
            await asyncio.wait([self._make(record)])
        return self._file(record, REPLAY)

    def _file(self, record: MatchRecord, kind: str) -> Path:
        path = self._path(record, kind)
        if not path.exists():
            raise Refusal(404, "no_such_record", "this match has no such record here")
        return path

    def _path(self, record: MatchRecord, kind: str) -> Path:
        return self._data / record.file.replace(JOURNAL, kind)

    async def _released(self, id_: str, asker: Asker) -> MatchRecord:
        if id_ in self._closing:
            await asyncio.wait([self._closing[id_]])
        async with self._look() as db:
            record = _opened(await self._known(db, id_), asker)
            playing = self._in_play() | await matches.played_still(db, [record.seed], list(self._over))
        if record.head is None:
            raise Refusal(409, "not_released", "this match was interrupted: its record has no end, and does not come out")
        if record.seed in playing:
            text = "a match that shares this one's seed has not ended yet; the record comes out when it has"
            raise Refusal(409, "not_released", text)
        await self._fetch(record)
        return record

    async def _fetch(self, record: MatchRecord) -> None:
        """The journal of a match that was played elsewhere, from the database, unless it is here already."""
        path = self._path(record, JOURNAL)
        if not record.file.startswith(f"{RECORDS}/") or path.exists():
            return
        async with self._look() as db:
            packed = await matches.packed(db, record.id)
        if packed is not None:
            private.folder(path.parent)
            await asyncio.to_thread(lambda: write_whole(path, gzip.decompress(packed)))

    @contextlib.asynccontextmanager
    async def _look(self) -> AsyncIterator[AsyncConnection]:
        async with asked(), self._store.read() as db:
            yield db

    async def _known(self, db: AsyncConnection, id_: str) -> MatchRecord:
        record = self._over.get(id_) or await matches.found(db, id_)
        if record is None:
            raise Refusal(404, "no_such_match", "there is no such match here", field="match")
        return record

    # --- replays

    def _make(self, record: MatchRecord) -> asyncio.Task[None]:
        id_ = record.id
        task = self._making.get(id_)
        if task is None:
            task = self._making[id_] = asyncio.get_running_loop().create_task(self._made(record))
        return task

    async def _made(self, record: MatchRecord) -> None:
        try:
            await asyncio.to_thread(self._write_replay, record)
        except Exception:  # noqa: BLE001  a record that does not hold is told of, and hurts no other match
            _log.exception("no replay could be made", match=record.id)
        finally:
            del self._making[record.id]

    def _write_replay(self, record: MatchRecord) -> None:
        from client_sdk.replay import from_journal

        path = self._path(record, REPLAY)
        if not path.exists():
            text = self._path(record, JOURNAL).read_text(encoding="utf-8")
            write_whole(path, from_journal(text, self._games).encode())


@contextlib.asynccontextmanager
async def asked() -> AsyncIterator[None]:
    """A question to the database in here that fails is a Refusal."""
    try:
        yield
    except SQLAlchemyError as fault:
        _log.warning("the database does not answer", why=type(fault).__name__)
        raise Refusal(503, "no_store", "the database does not answer; try again later") from None


def named(data: Path) -> str:
    """The data directory's own name, which is made when it is first used. Blocks: not for the loop. Raises OSError."""
    path = data / NODE
    if not path.exists():
        write_whole(path, secrets.token_hex(6).encode())
    return path.read_text(encoding="ascii").strip()


def recorded(path: Path, id_: str) -> MatchEnded | MatchRecord:
    """A match as its journal tells it; without an end it is still running.

    Raises OSError, or what comes of a file that is no journal. Blocks: not for the loop.
    """
    with path.open("rb") as file:
        header = json.loads(file.readline())
    end = ending(path)
    record = MatchRecord.from_journal(id_, f"{FOLDER}/{path.name}", header, end)
    if end is None:
        return record
    if (result := path.with_name(f"{id_}{RESULT}")).exists():
        early = msgspec.json.decode(result.read_bytes(), type=dict[str, Any])
        record = replace(record, **{key: early[key] for key in ("config", "created_ms", "started_ms", "ended_ms", "outcome")})
    missing = () if end.broken is None else end.broken.missing
    return MatchEnded(record, verdict(end.broken, len(record.players)), missing)


def _id(one: MatchEnded | MatchRecord) -> str:
    return one.record.id if isinstance(one, MatchEnded) else one.id


def _opened(record: MatchRecord, asker: Asker) -> MatchRecord:
    asker.check("watch_private" if record.private else "watch", door(record.doors, record.salt, asker.token))
    return record


def _is_released(record: MatchRecord, playing: Collection[int]) -> bool:
    return record.head is not None and record.seed not in playing
