"""Batches of games as jobs in PostgreSQL, by procrastinate. The server gives them to `botarena
worker`. A job carries the ids of attempts and nothing else (`server.tournaments.delegated`)."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, LiteralString

import structlog
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from psycopg.errors import RaiseException
from sqlalchemy import URL, Connection, text

from server.store.store import MIGRATION_LOCK, Store, StoreProblem
from server.store.tournaments import WORKERS
from server.tournaments.delegated import Backlog, Batch

TASK = "games"
HOUSE, SUBMITTED = "house", "submitted"
"""The queues: batches of house bots' games, and those with bots that were handed in."""
WAITING = 200
"""Batches that wait for workers, at most."""
BEAT_S = 1.0
STALLED_S = 4.0
"""A worker that is silent for this long is gone, and its batches are given to others."""
POLL_S = 1.0
GRACE_S = 60.0
"""A worker that is to stop plays its present games to their end, if that takes no longer."""
LONGEST_RETRY_S = 60
"""The wait before a batch that could not be played is tried again: it doubles, up to this."""

_log = structlog.get_logger()

_LOST = text(
    """select id from (select id from pairings where state = 'running' and taken_by = :by
    union all select match from ladder_games where taken_by = :by) as given where id not in
    (select jsonb_array_elements_text(args -> 'ids') from procrastinate_jobs
    where task_name = :task and status in ('todo', 'doing'))"""
)
_WAITING = text(
    "select count(*) from procrastinate_jobs where task_name = :task and status = 'todo'"
)


def app_of(url: URL) -> App:
    """Raises StoreProblem for a database that is no PostgreSQL."""
    if url.get_backend_name() != "postgresql":
        raise StoreProblem("workers take PostgreSQL: BOTARENA_DATABASE_URL=postgresql://…")
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return App(connector=_Connector(conninfo=plain, min_size=1, max_size=4))


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

    async def look(self) -> Backlog:
        """Give the batches of workers that are gone to others, too."""
        try:
            await revive(self._app)
        except ConnectorException as fault:
            _log.warning("workers that are gone cannot be looked for", why=str(fault))
        async with self._store.read() as db:
            waiting = (await db.execute(_WAITING, {"task": TASK})).scalar_one()
            lost = (await db.execute(_LOST, {"task": TASK, "by": self.by})).scalars().all()
        return Backlog(lost, WAITING - waiting)

    async def plays_submitted(self) -> bool:
        return True  # a worker without a sandbox leaves these games to others

    async def give(self, batches: Sequence[Batch]) -> None:
        try:
            for queue, submitted in ((HOUSE, False), (SUBMITTED, True)):
                jobs: list[Any] = [
                    {"ids": list(one.ids)} for one in batches if one.submitted == submitted
                ]
                if jobs:
                    await self._app.configure_task(TASK, queue=queue).batch_defer_async(*jobs)
        except ConnectorException as fault:  # they are lost, and given again
            _log.warning("batches wait for the database", why=str(fault), batches=len(batches))


class _Connector(PsycopgConnector):
    """Sets `broken` when the database does not answer: a job may be marked as played by a worker
    that does not know of it, or by one that could not say that it has ended. A new worker takes its
    place, and the jobs of the old one are stalled."""

    broken: asyncio.Event | None = None

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        with self._watched():
            await super().execute_query_async(query, **arguments)

    async def execute_query_one_async(
        self, query: LiteralString, **arguments: Any
    ) -> dict[str, Any]:
        with self._watched():
            row: dict[str, Any] = await super().execute_query_one_async(query, **arguments)
            return row

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except ConnectorException as fault:
            answered = isinstance(fault.__cause__, RaiseException)  # the job is another worker's
            if self.broken is not None and not answered:
                self.broken.set()
            raise


async def revive(app: App) -> None:
    """What workers were at that are gone is for others."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_S):
        _log.warning("a worker is gone; its games are given to another", job=job.id)
        with contextlib.suppress(ConnectorException):  # it has ended meanwhile
            await app.job_manager.retry_job(job)


async def _keep_reviving(app: App) -> None:
    """Until it is cancelled. The server revives too, but it may be the one that is gone."""
    while True:
        await asyncio.sleep(STALLED_S)
        with contextlib.suppress(ConnectorException):
            await revive(app)


class _Again(BaseRetryStrategy):
    """A batch is tried until its games are played, or are not awaited any more."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        return RetryDecision(retry_in={"seconds": min(2**job.attempts, LONGEST_RETRY_S)})


async def work(
    app: App,
    play: Callable[[Sequence[str]], Awaitable[None]],
    stop: Callable[[], None],
    jobs: int,
    *,
    submitted: bool,
) -> None:
    """Take batches, at most `jobs` at a time, until SIGTERM or SIGINT; then call `stop` and wait
    for those that are played. `submitted`: also those with bots that were handed in."""

    @app.task(name=TASK, retry=_Again())
    async def games(ids: list[str]) -> None:
        await play(ids)

    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    while not ended.is_set():
        assert isinstance(app.connector, _Connector)
        broken = app.connector.broken = asyncio.Event()
        running = loop.create_task(_run(app, jobs, [HOUSE, SUBMITTED] if submitted else [HOUSE]))
        reasons = [loop.create_task(event.wait()) for event in (ended, broken)]
        reviving = loop.create_task(_keep_reviving(app))
        await asyncio.wait([running, *reasons], return_when=asyncio.FIRST_COMPLETED)
        if ended.is_set():
            stop()
        for task in (running, reviving, *reasons):
            task.cancel()
        await asyncio.gather(running, reviving, *reasons, return_exceptions=True)
        if not ended.is_set():
            _log.warning("the worker has lost the database, and begins again")
            await asyncio.wait([loop.create_task(ended.wait())], timeout=POLL_S)


async def _run(app: App, jobs: int, queues: Sequence[str]) -> None:
    await app.run_worker_async(
        queues=queues,
        concurrency=jobs,
        delete_jobs="successful",
        fetch_job_polling_interval=POLL_S,
        update_heartbeat_interval=BEAT_S,
        stalled_worker_timeout=STALLED_S,
        shutdown_graceful_timeout=GRACE_S,
        install_signal_handlers=False,
    )
