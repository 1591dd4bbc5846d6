"""The database behind everything that outlives the process: how it is reached, and that its tables
are the ones we know.

SQLite in the data directory, or PostgreSQL by URL. `read` and `write` are the two ways in; the
queries themselves stand beside this file by feature. Nothing in a match's turn waits for any of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    NullPool,
    QueuePool,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from client_sdk import private
from server.store import versions
from server.store.sqlite_file import DatabaseFile, backups, is_damage

FILE = "botarena.sqlite3"
BUSY_S = 20.0
"""How long a writer waits for one of another process."""
END_S = 10.0
"""How long a task that is to end may wait for its answer."""
LOOK_S = 0.01
"""How often it is checked meanwhile."""
MIGRATION_LOCK = 0x626F7461
"""PostgreSQL's advisory lock of the one server that changes the tables."""
TOURNAMENTS_LOCK = MIGRATION_LOCK + 3
IMPORT_LOCK = MIGRATION_LOCK + 4
"""The locks of `queue`; the workers' jobs and the leader have those between."""
REBUILD = "botarena store rebuild"
"""What an operator types, with the server stopped."""
_WRITES = "botarena_writes"
_SNAPSHOT: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""PostgreSQL's options of a transaction whose statements all see the same; SQLite's always do."""


class StoreProblem(Exception):
    """The database cannot be used; the text says why, to an operator, without the password."""


class StoreLost(SQLAlchemyError):
    """The database's file is gone or damaged; nothing is asked of it or written to it."""


class NotStorable(SQLAlchemyError):
    """A value in a query is none that the database could hold: the character NUL in PostgreSQL, or
    a whole number that is too large. Nothing that is stored has it."""


class Store:
    """One database. `open` before use, `close` after it; both within the same loop."""

    def __init__(self, url: str) -> None:
        """Raises StoreProblem for a URL of a database that we do not know."""
        self.url = known_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        path = self.url.database if self.sqlite else None
        self.file = DatabaseFile(Path(path)) if path else None
        self.lost: str | None = None
        """What is wrong with the database's file."""
        self._engine: AsyncEngine | None = None
        self._writing: asyncio.Lock | None = None
        self._asking: Counter[asyncio.Task[Any] | None] = Counter()
        """The tasks that are within a query."""

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return self.url.render_as_string(hide_password=True)

    async def open(self) -> None:
        """Bring the tables up to date, and be ready. Raises StoreProblem."""
        await asyncio.to_thread(self.migrate)
        url = _asynchronous(self.url)
        if self.file is not None:
            self.file.open()
            url = url.set(database=self.file.uri, query={"mode": "rw", "uri": "true"})
        self._engine = create_async_engine(url, pool_pre_ping=not self.sqlite, hide_parameters=True)
        self._writing = asyncio.Lock() if self.sqlite else None
        if self.sqlite:
            _prepare_sqlite(self._engine.sync_engine)

    async def close(self) -> None:
        """Those who are within a query get their answer, within `END_S`; then they are cancelled.
        A connection that is returned later would have no pool, perhaps no loop, to return to."""
        if self._engine is not None:
            if not await self._returned(self._engine):
                for task in filter(None, self._asking):
                    task.cancel()
                await self._returned(self._engine)
            await self._engine.dispose()
            self._engine = None
        if self.file is not None:
            self.file.close()

    async def examine(self) -> str | None:
        """What is wrong with the database's file. If something is, queries raise StoreLost."""
        if self.file is not None:
            self.lost = await asyncio.to_thread(self.file.problem)
        return self.lost

    def damage(self, fault: Exception) -> str | None:
        """What is wrong with the database's file, if this fault says that it is damaged."""
        if self.file is None or not isinstance(fault, DBAPIError) or not is_damage(fault.orig):
            return None
        return f"the database file {self.file.path} is damaged: {reason(fault)}"

    @contextlib.asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A snapshot: what is written meanwhile does not show. Raises SQLAlchemyError."""
        with self._asked():
            async with self._opened().connect() as connection:
                if not self.sqlite:
                    await connection.execution_options(**_SNAPSHOT)
                yield connection

    @contextlib.asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction, which is rolled back if the block raises. Raises SQLAlchemyError."""
        with self._asked():
            if self.file is not None and (replaced := self.file.replaced()) is not None:
                raise StoreLost(replaced)
            async with (
                self._writing or contextlib.nullcontext(),
                self._opened().connect() as connection,
            ):
                await connection.execution_options(**{_WRITES: True})
                async with connection.begin():
                    yield connection

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        task = asyncio.current_task()
        self._asking[task] += 1
        try:
            yield
        except (DataError, OverflowError) as fault:  # the latter: SQLite's driver
            raise NotStorable(str(fault)) from None
        finally:
            self._asking[task] -= 1
            if not self._asking[task]:
                del self._asking[task]

    async def end(self, task: asyncio.Task[Any]) -> None:
        """Cancel a task, but not within a query: the driver might keep the database locked."""
        until = time.monotonic() + END_S
        while self._asking[task] and not task.done() and time.monotonic() < until:
            await asyncio.wait([task], timeout=LOOK_S)
        task.cancel()

    async def _returned(self, engine: AsyncEngine) -> bool:
        """Whether everyone who asked has an answer in time, and every connection came back to its
        pool: that of a query that was cancelled is returned by a task of its own."""
        until, pool = time.monotonic() + END_S, engine.pool
        while self._asking or (isinstance(pool, QueuePool) and pool.checkedout()):
            if time.monotonic() >= until:
                return False
            await asyncio.sleep(LOOK_S)
        return True

    def _opened(self) -> AsyncEngine:
        assert self._engine is not None, "the store is not open"
        if self.lost is not None:
            raise StoreLost(self.lost)
        return self._engine

    # --- the tables

    def migrate(self, to: str | None = None) -> None:
        """Bring the tables up to date, or to an earlier version; of several servers that start at
        once, one does. Blocks: not for the loop.

        Raises StoreProblem, for tables of a newer version too.
        """
        if self.file is not None:
            path = self.file.path
            if not path.exists() and backups(path):
                why = f"the database file {path} is gone, and there are backups of it"
                raise StoreProblem(f"{why}: run {REBUILD}")
            _make_private(path)
        with self.connected(writes=True) as connection:
            if not self.sqlite:
                lock = text("select pg_advisory_xact_lock(:lock)")
                connection.execute(lock, {"lock": MIGRATION_LOCK})
            try:
                versions.bring(connection, to)
            except versions.UnknownVersion as unknown:
                raise StoreProblem(str(unknown)) from None

    @contextlib.contextmanager
    def connected(self, *, writes: bool = False) -> Iterator[Connection]:
        """`read` or `write` in a store that need not be open. Blocks. Raises StoreProblem."""
        engine = synchronous_engine(self.url)
        options: dict[str, Any] = {_WRITES: writes}
        if not self.sqlite and not writes:
            options |= _SNAPSHOT
        try:
            with engine.connect().execution_options(**options) as connection, connection.begin():
                yield connection
        except SQLAlchemyError as fault:
            damaged = isinstance(fault, DBAPIError) and is_damage(fault.orig)
            hint = f": run {REBUILD}" if damaged else ""
            raise StoreProblem(f"database {self.shown}: {reason(fault)}{hint}") from fault
        finally:
            engine.dispose()


async def queue(db: AsyncConnection, lock: int) -> None:
    """Wait until every other transaction that has called this with the same lock has ended: what it
    counts before it writes is what there is. SQLite has one writer at a time anyway."""
    if db.dialect.name == "postgresql":
        await db.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": lock})


def known_url(given: str) -> URL:
    """A database that we know, with the driver that we use for it. Raises StoreProblem, which does
    not repeat a password."""
    try:
        url = make_url(given)
        backend = url.get_backend_name()
        if backend == "sqlite" and url.database in (None, "", ":memory:"):
            raise ValueError
    except (ArgumentError, ValueError):
        expected = "a URL like postgresql://user@host/name or sqlite:///file"
        raise StoreProblem(f"database: expected {expected}") from None
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite":
        return url.set(drivername="sqlite")
    raise StoreProblem(f"database: expected postgresql or sqlite, got {backend}")


def sqlite_url(data_dir: Path) -> str:
    """The database of a server without a configured one."""
    return URL.create("sqlite", database=str(data_dir / FILE)).render_as_string()


def synchronous_engine(url: URL) -> Engine:
    """For migrations and for the verbs that have no loop."""
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
    if url.get_backend_name() == "sqlite":
        _prepare_sqlite(engine)
    return engine


def reason(fault: SQLAlchemyError) -> str:
    """What a driver says, in one line."""
    said = str(getattr(fault, "orig", None) or fault).strip()
    return said.splitlines()[0] if said else type(fault).__name__


def _asynchronous(url: URL) -> URL:
    return url.set(drivername="sqlite+aiosqlite") if url.get_backend_name() == "sqlite" else url


def _prepare_sqlite(engine: Engine) -> None:
    """A writer says so when it begins, so that it never has to give up half way; readers do not
    wait for it (WAL)."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver begins no transactions of its own
        cursor = connection.cursor()
        cursor.execute(f"pragma busy_timeout = {int(BUSY_S * 1000)}")
        _use_wal(cursor)
        cursor.execute("pragma foreign_keys = on")
        cursor.close()

    @event.listens_for(engine, "begin")
    def began(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("begin immediate" if writes else "begin")


def _use_wal(cursor: Any) -> None:
    """The change of the mode, when a database is new, does not wait for other connections as other
    statements do."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            cursor.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)


def _make_private(file: Path) -> None:
    """Create the file of a database: SQLite would make one that others may read. Those beside it
    get its mode."""
    try:
        private.folder(file.parent)
        private.opened(file, "ab").close()
    except OSError as fault:
        raise StoreProblem(f"database {file}: {fault.strerror or fault}") from fault
