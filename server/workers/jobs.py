"""Games as jobs in PostgreSQL, by procrastinate. The server gives them to `botarena worker`.

A job carries the id of a match and nothing else; the table of attempts says what is to be played,
and whether it still is. So a job may be lost, or come twice: the server gives it again, and what is
done is not done again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import AlreadyEnqueued, UniqueViolation
from procrastinate.jobs import Status
from sqlalchemy import URL, Connection, text

from server.store.store import MIGRATION_LOCK, Store, StoreProblem
from server.store.tournaments import WORKERS

TASK = "game"
WAITING = 200
"""Games that wait for workers, or are played by them, at most."""
BEAT_S = 1.0
STALLED_S = 4.0
"""A worker that is silent for this long is gone, and its games are given to others."""
POLL_S = 1.0
GRACE_S = 60.0
"""A worker that is to stop plays its games to their end, if that takes no longer."""
TRIES = 5

_log = structlog.get_logger()


def app_of(url: URL) -> App:
    """Raises StoreProblem for a database that is no PostgreSQL."""
    if url.get_backend_name() != "postgresql":
        raise StoreProblem("workers take PostgreSQL: BOTARENA_DATABASE_URL=postgresql://…")
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return App(connector=PsycopgConnector(conninfo=plain, min_size=1, max_size=4))


def prepare(store: Store, app: App) -> None:
    """The tables of the jobs, if there are none. Blocks. Raises StoreProblem."""

    def there(db: Connection) -> bool:
        return db.execute(text("select to_regclass('procrastinate_jobs')")).scalar() is not None

    with store.connected(writes=True) as db:
        db.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK + 1})
        if not there(db):
            raw: Any = db.connection.driver_connection
            raw.execute(app.schema_manager.get_schema())


class ToWorkers:
    """See `server.tournaments.delegated.Executor`."""

    by = WORKERS
    at_once = WAITING
    look_s = POLL_S

    def __init__(self, store: Store) -> None:
        """Raises StoreProblem."""
        self._store = store
        self._app = app_of(store.url)

    async def open(self) -> None:
        """The store is open. Raises StoreProblem."""
        await asyncio.to_thread(prepare, self._store, self._app)
        await self._app.open_async()

    async def close(self) -> None:
        await self._app.close_async()

    async def give(self, match: str) -> None:
        if await _under_way(self._app, match):
            return
        task = self._app.configure_task(TASK, lock=match, queueing_lock=match)
        with contextlib.suppress(AlreadyEnqueued):
            await task.defer_async(match=match)


async def work(app: App, play: Callable[[str], Awaitable[bool]], jobs: int) -> None:
    """Take games, at most `jobs` at a time, until SIGTERM or SIGINT."""

    @app.task(name=TASK, retry=RetryStrategy(max_attempts=TRIES, wait=1))
    async def game(match: str) -> None:
        await play(match)

    reviving = asyncio.create_task(_keep_reviving(app))
    try:
        await app.run_worker_async(
            concurrency=jobs,
            delete_jobs="successful",
            fetch_job_polling_interval=POLL_S,
            update_heartbeat_interval=BEAT_S,
            stalled_worker_timeout=STALLED_S,
            shutdown_graceful_timeout=GRACE_S,
        )
    finally:
        reviving.cancel()
        await asyncio.gather(reviving, return_exceptions=True)


async def _keep_reviving(app: App) -> None:
    while True:
        await asyncio.sleep(STALLED_S / 2)
        try:
            await revive(app)
        except Exception as fault:  # noqa: BLE001  it is tried again
            _log.warning("stalled games cannot be looked for", why=type(fault).__name__)


async def revive(app: App) -> None:
    """What workers were at that are gone is for others."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_S):
        match = job.task_kwargs.get("match")
        _log.warning("a worker is gone; its game is given to another", match=match)
        try:
            await app.job_manager.retry_job(job)
        except UniqueViolation:  # given again meanwhile: that one waits for this one's lock
            await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)


async def _under_way(app: App, match: str) -> bool:
    """Whether this game waits for a worker, or one is at it, gone or not."""
    jobs = await app.job_manager.list_jobs_async(lock=match)
    return any(job.status in (Status.TODO.value, Status.DOING.value) for job in jobs)
