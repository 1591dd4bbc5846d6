"""The process that leads: it alone begins games of tournaments and ladders, and invites bots.

It holds a lock that ends with its process: on PostgreSQL a session's advisory lock, on a connection
of its own; on SQLite a lock on a file beside the database. No clock decides who leads."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import IO

import structlog
from sqlalchemy import NullPool, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from client_sdk import private
from client_sdk.locks import Taken, lock
from server.cluster.peers import Peers
from server.store.store import MIGRATION_LOCK, Store

LOOK_S = 1.0
"""How often a process tries to lead, or checks that it still does."""
ANSWER_S = 5.0
"""A database that does not answer within this time has ended the session, as far as we know."""
_KEY = f"{MIGRATION_LOCK + 2}, hashtext(current_schema())"
_TAKE = text(f"select pg_try_advisory_lock({_KEY})")
_HOLDER = text(
    f"""select application_name from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid = {MIGRATION_LOCK + 2}
    and objid = (hashtext(current_schema())::bigint & 4294967295)::oid"""  # noqa: S608
)
_KEEPALIVES = (
    "tcp_keepalives_idle = 10",
    "tcp_keepalives_interval = 5",
    "tcp_keepalives_count = 3",
)
"""The database notices within half a minute that a leader's machine is gone."""
_log = structlog.get_logger()


class Leader:
    """`leads`: this process leads. `name`: the process that leads, as far as we know."""

    def __init__(self, store: Store, peers: Peers) -> None:
        self.name = peers.name
        self.leads = peers.alone
        self._peers = peers
        self._closed = False
        self._lock: SessionLock | FileLock
        if store.file is None:
            self._lock = SessionLock(store)
        else:
            path = store.file.path
            self._lock = FileLock(path.with_name(f"{path.name}.leader"))

    async def open(self) -> None:
        if not self._peers.alone:
            await self._look()

    async def keep(self) -> None:
        """Try to lead, or to go on leading, for as long as the server lives."""
        while not self._peers.alone and not self._closed:
            await asyncio.sleep(LOOK_S)
            await self._look()

    async def _look(self) -> None:
        led = self.leads
        if self._closed:
            return
        try:
            self.leads, self.name = await self._lock.take(self._peers.name)
        except (OSError, SQLAlchemyError) as fault:  # a TimeoutError is an OSError
            self.leads = False
            _log.warning("it is not known which process leads", why=type(fault).__name__)
        if self.leads != led:
            _log.info("this process leads" if self.leads else "this process does not lead any more")

    async def close(self) -> None:
        """Let another process lead."""
        self._closed, self.leads = True, False
        await self._lock.close()


class FileLock:
    """A lock on a file that holds the name of the process that has it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    async def take(self, name: str) -> tuple[bool, str]:
        """Take it if it is free. Whether this process has it, and which has. Raises OSError."""
        if self._file is not None:
            return True, name
        file = private.opened(self._path, "a+b")
        try:
            lock(file.fileno())
        except Taken:
            with file:
                file.seek(0)
                return False, file.read().decode()
        file.truncate(0)
        file.write(name.encode())
        file.flush()
        self._file = file
        return True, name

    async def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class SessionLock:
    """An advisory lock of PostgreSQL; its session bears the name of the process that has it."""

    def __init__(self, store: Store) -> None:
        self._url = store.url
        self._engine: AsyncEngine | None = None
        self._db: AsyncConnection | None = None
        self._held = False

    async def take(self, name: str) -> tuple[bool, str]:
        """The same. Raises SQLAlchemyError, TimeoutError: then it is lost."""
        try:
            async with asyncio.timeout(ANSWER_S):
                db = self._db or await self._connected(name)
                if self._held:
                    await db.execute(text("select 1"))
                else:
                    self._held = bool((await db.execute(_TAKE)).scalar())
                if self._held:
                    return True, name
                return False, (await db.execute(_HOLDER)).scalar() or ""
        except BaseException:
            await self.close()
            raise

    async def _connected(self, name: str) -> AsyncConnection:
        self._engine = create_async_engine(
            self._url,
            poolclass=NullPool,
            hide_parameters=True,
            isolation_level="AUTOCOMMIT",
            connect_args={"application_name": name},
        )
        self._db = await self._engine.connect()
        for setting in _KEEPALIVES:
            await self._db.execute(text(f"set {setting}"))
        return self._db

    async def close(self) -> None:
        self._held, db, engine = False, self._db, self._engine
        self._db = self._engine = None
        try:
            if db is not None:
                await db.invalidate()
        finally:
            if engine is not None:
                await engine.dispose()
