"""One process leads at a time, and another one does when that has ended, however it ended."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from server.cluster.leader import Leader, SessionLock
from server.cluster.peers import Peers
from server.store.store import Store
from tests.stores import KINDS, database
from tests.workers.test_homes import peers

ROOT = Path(__file__).parents[2]
CHILD = """
import asyncio, sys
from server import log
from server.cluster.leader import Leader
from server.cluster.peers import Peers
from server.store.store import Store

async def lead():
    leader = Leader(Store(sys.argv[1]), Peers("2", {"1": "http://one", "2": "http://two"}))
    await leader.open()
    print(leader.leads, flush=True)
    await asyncio.sleep(600)

log.configure("error")
asyncio.run(lead())
"""


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as url:
        Store(url).migrate()
        yield url


@contextlib.asynccontextmanager
async def leader(url: str, name: str) -> AsyncIterator[Leader]:
    found = Leader(Store(url), peers(name, "1", "2"))
    await found.open()
    try:
        yield found
    finally:
        await found.close()


async def test_one_of_two_processes_leads_and_both_know_which(url: str):
    async with leader(url, "1") as one, leader(url, "2") as two:
        assert [(each.leads, each.name) for each in (one, two)] == [(True, "1"), (False, "1")]
        await one.close()
        await look(two)
        assert (two.leads, two.name) == (True, "2")
        await look(one)
        assert not one.leads


async def look(leader: Leader) -> None:
    """What it does again and again."""
    keeping = asyncio.create_task(leader.keep())
    await asyncio.sleep(1.5)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def test_another_process_leads_when_the_leader_is_killed(url: str):
    command = [sys.executable, "-c", CHILD, url]
    with (
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child,
        contextlib.ExitStack() as stack,
    ):
        stack.callback(child.kill)
        assert child.stdout is not None
        assert await asyncio.to_thread(child.stdout.readline) == "True\n"
        async with leader(url, "1") as one:
            assert (one.leads, one.name) == (False, "2")
            child.kill()
            child.wait()
            async with asyncio.timeout(30):
                while not one.leads:
                    await look(one)
            assert one.name == "1"


async def test_a_leader_whose_session_has_ended_no_longer_leads(tmp_path: Path):
    with database("postgresql", tmp_path) as url:
        Store(url).migrate()
        async with leader(url, "1") as one, leader(url, "2") as two:
            lock = one._lock
            assert isinstance(lock, SessionLock)
            assert lock._db is not None
            pid = (await lock._db.execute(text("select pg_backend_pid()"))).scalar()
            with Store(url).connected(writes=True) as db:
                db.execute(text("select pg_terminate_backend(:pid)"), {"pid": pid})
            await look(two)
            await look(one)
            assert [each.leads for each in (one, two)] == [False, True]
            for _ in range(20):  # it connects again first
                await look(one)
                if one.name == "2":
                    break
            assert (one.leads, one.name) == (False, "2")


async def test_two_servers_in_one_database_have_their_own_leaders(tmp_path: Path):
    """Each has a schema of its own."""
    with database("postgresql", tmp_path) as first, database("postgresql", tmp_path) as second:
        async with leader(first, "1") as one, leader(second, "1") as other:
            assert one.leads
            assert other.leads


async def test_a_server_of_one_process_leads_without_a_lock(tmp_path: Path):
    alone = Leader(Store(f"sqlite:///{tmp_path / 'test.sqlite3'}"), Peers())
    await alone.open()
    assert alone.leads
    assert list(tmp_path.iterdir()) == []
