"""Games as jobs: the games of dead workers go to others, in any order of events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from procrastinate import App
from sqlalchemy import text

from server.store.store import Store
from server.workers.jobs import TASK, ToWorkers, app_of, revive
from tests.stores import database


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    with database("postgresql", tmp_path) as url:
        store = Store(url)
        await store.open()
        yield store
        await store.close()


@pytest.fixture
async def given(store: Store) -> AsyncIterator[ToWorkers]:
    given = ToWorkers(store)
    await given.open()
    yield given
    await given.close()


@pytest.fixture
async def app(store: Store, given: ToWorkers) -> AsyncIterator[App]:
    """What a worker has."""
    async with app_of(store.url).open_async() as app:
        yield app


async def fetched(app: App) -> str | None:
    """The match that a new worker gets."""
    job = await app.job_manager.fetch_job(
        queues=None, worker_id=await app.job_manager.register_worker()
    )
    return None if job is None else str(job.task_kwargs["match"])


async def test_a_game_queued_several_times_is_played_once(given: ToWorkers, app: App):
    for _ in range(2):
        await given.give("match")
    assert await fetched(app) == "match"
    await given.give("match")

    assert len(list(await app.job_manager.list_jobs_async())) == 1


async def test_games_of_dead_workers_go_to_others(store: Store, given: ToWorkers, app: App):
    matches = ["once", "twice", "once more"]
    for match in matches:
        await given.give(match)
    assert [await fetched(app) for _ in matches] == matches
    await app.configure_task(TASK, lock="twice", queueing_lock="twice").defer_async(match="twice")
    async with store.write() as db:
        await db.execute(
            text("update procrastinate_workers set last_heartbeat = now() - interval '1 minute'")
        )
    await revive(app)

    assert {await fetched(app) for _ in range(4)} == {*matches, None}
