"""Batches of games as jobs: those of dead workers go to others, and what is lost is noticed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from procrastinate import App
from sqlalchemy import text

from games.contest.tournament import Fixture
from server.store.store import Store
from server.store.tournaments import WORKERS, StoredTournament, create, end_all, take_all
from server.tournaments.delegated import Batch, batch_size
from server.workers import jobs
from server.workers.jobs import HOUSE, SUBMITTED, WAITING, ToWorkers, app_of
from tests.stores import database
from tests.waiting import PATIENCE_S

EVENT = StoredTournament(
    id="event",
    name="Spring",
    game="pyrat",
    config={},
    map=None,
    map_text=None,
    format={},
    clock={},
    seed=1,
    salt="",
    commitment="",
    state="round_robin",
    created_ms=0,
)
FIXTURES = [Fixture(f"rr-{number}", "round_robin", (1, 2), number) for number in range(3)]


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


async def fetched(app: App, queue: str = HOUSE) -> list[str] | None:
    """The games that a new worker gets."""
    job = await app.job_manager.fetch_job(
        queues=[queue], worker_id=await app.job_manager.register_worker()
    )
    return None if job is None else job.task_kwargs["ids"]


async def test_batches_of_dead_workers_go_to_others(store: Store, given: ToWorkers, app: App):
    batches = [["one", "two"], ["three"]]
    await given.give([Batch(ids) for ids in batches])
    assert [await fetched(app) for _ in range(3)] == [*batches, None]
    async with store.write() as db:
        await db.execute(
            text("update procrastinate_workers set last_heartbeat = now() - interval '1 minute'")
        )
    backlog = await given.look()

    assert backlog.room == WAITING - len(batches)
    assert [await fetched(app) for _ in range(3)] == [*batches, None]


async def test_a_worker_takes_over_from_a_dead_one_while_no_server_runs(
    store: Store, given: ToWorkers, app: App, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jobs, "STALLED_S", 1.5)
    await given.give([Batch(["one"])])
    assert await fetched(app) == ["one"]
    played: asyncio.Queue[Sequence[str]] = asyncio.Queue()
    async with app_of(store.url).open_async() as another:
        at_work = asyncio.create_task(
            jobs.work(another, played.put, lambda: None, 1, submitted=False)
        )
        assert await asyncio.wait_for(played.get(), PATIENCE_S) == ["one"]
        os.kill(os.getpid(), signal.SIGTERM)
        await at_work


async def test_only_workers_with_a_sandbox_get_games_of_bots_that_were_handed_in(
    given: ToWorkers, app: App
):
    await given.give([Batch(["one"], submitted=True), Batch(["two"])])
    assert [await fetched(app) for _ in range(2)] == [["two"], None]
    assert await fetched(app, SUBMITTED) == ["one"]


async def test_a_game_that_no_batch_has_is_lost(store: Store, given: ToWorkers, app: App):
    async with store.write() as db:
        await create(db, EVENT)
        games = await take_all(db, EVENT.id, FIXTURES, by=WORKERS, at_ms=1)
    ids = [game.id for game in games]
    assert sorted((await given.look()).lost) == sorted(ids)
    await given.give([Batch(ids[:1])])
    assert (await given.look()).lost == ids[1:]
    await fetched(app)
    assert (await given.look()).lost == ids[1:]
    async with store.write() as db:
        await end_all(db, ids, "over", 2)
    assert not (await given.look()).lost


def test_a_batch_is_about_half_a_minute_of_games():
    assert batch_size(None, 10_000) == 1  # nothing is known of them
    assert batch_size(1000, 10_000) == 30
    assert batch_size(40_000, 10_000) == 1
    assert batch_size(0, 10_000) == 100
    assert batch_size(1000, 320) == 10  # all workers have some of the last ones
    assert batch_size(1000, 5) == 1
