"""The tables are made and kept up to date; a transaction is all or nothing."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, insert, select, text

from server.store import versions
from server.store.store import NotStorable, Store, StoreProblem, known_url, synchronous_engine
from server.store.tables import accounts, keys, metadata


def account(id_: str) -> dict[str, object]:
    return {"id": id_, "name": "someone", "kind": "bot", "created_ms": 1}


async def count(store: Store) -> int:
    async with store.read() as db:
        return (await db.execute(select(func.count()).select_from(accounts))).scalar_one()


async def test_a_value_that_no_database_holds_is_not_taken_for_a_lost_one(store: Store):
    """PostgreSQL has no text with NUL; SQLite's driver takes no integer of more than 64 bits."""
    with_nul, too_large = accounts.c.id == "a\0b", accounts.c.created_ms == 2**70
    for sought in (with_nul, too_large):
        try:
            async with store.read() as db:
                assert (await db.execute(select(accounts).where(sought))).all() == []
        except NotStorable:
            assert sought is too_large or not store.sqlite
        assert await count(store) == 0


@pytest.mark.parametrize("first", [None, *versions.known()[:-1]])
def test_the_tables_equal_the_code_whether_created_or_migrated(store_url: str, first: str | None):
    store = Store(store_url)
    if first is not None:
        store.migrate(first)
        with store.connected() as connection:
            assert first == versions.current(connection)
    store.migrate()
    with store.connected() as connection:
        seen = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(seen, metadata) == []
        assert versions.known()[-1] == versions.current(connection) == seen.get_current_revision()


def test_the_versions_are_those_of_the_migrations():
    config = Config()
    config.set_main_option("script_location", str(versions.MIGRATIONS))
    migrations = ScriptDirectory.from_config(config)

    assert versions.known() == [one.revision for one in migrations.walk_revisions()][::-1]


def test_a_new_or_current_database_needs_no_migration(store_url: str):
    """Alembic would be a sixth of a server's start."""
    program = (
        "import sys; from server.store.store import Store; Store(sys.argv[1]).migrate(); "
        "sys.exit('alembic' in sys.modules)"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program, store_url], check=True)


async def test_opening_twice_changes_nothing(store: Store, store_url: str):
    async with store.write() as db:
        await db.execute(insert(accounts), [account("a")])
    again = Store(store_url)
    await again.open()

    assert await count(again) == 1
    await again.close()


async def test_all_statements_of_a_read_see_the_same(store: Store):
    counted = select(func.count()).select_from(accounts)
    async with store.read() as db:
        before = (await db.execute(counted)).scalar_one()
        async with store.write() as other:
            await other.execute(insert(accounts), [account("a")])
        assert before == (await db.execute(counted)).scalar_one() == 0
    assert await count(store) == 1


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_store_that_closes_waits_for_those_who_ask(store_url: str, *, cancelled: bool):
    store = Store(store_url)
    await store.open()
    asked, answered = asyncio.Event(), asyncio.Event()

    async def ask() -> int:
        async with store.read() as db:
            asked.set()
            await answered.wait()
            return (await db.execute(select(func.count()).select_from(accounts))).scalar_one()

    asking = asyncio.create_task(ask())
    await asked.wait()
    closing = asyncio.create_task(store.close())
    await asyncio.wait([closing], timeout=0.05)
    assert not closing.done()
    if cancelled:
        asking.cancel()
    else:
        answered.set()
    await closing

    assert asking.cancelled() if cancelled else asking.result() == 0


async def test_who_asks_for_too_long_is_cancelled_when_the_store_closes(
    store_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.store.store.END_S", 0.05)
    store = Store(store_url)
    await store.open()
    asked = asyncio.Event()

    async def ask() -> None:
        async with store.read():
            asked.set()
            await asyncio.Event().wait()

    asking = asyncio.create_task(ask())
    await asked.wait()
    await store.close()

    assert asking.cancelled()


async def test_two_servers_that_start_at_once_create_the_tables_once(store_url: str):
    stores = [Store(store_url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))

    assert await count(stores[0]) == 0
    for store in stores:
        await store.close()


def test_tables_of_a_newer_version_are_refused(store_url: str):
    Store(store_url).migrate()
    engine = synchronous_engine(known_url(store_url))
    with engine.connect() as connection, connection.begin():
        connection.execute(text("update alembic_version set version_num = '9999'"))
    engine.dispose()

    with pytest.raises(StoreProblem, match="newer version: 9999"):
        Store(store_url).migrate()


async def test_a_failing_transaction_changes_nothing(store: Store):
    async def half() -> None:
        async with store.write() as db:
            await db.execute(insert(accounts), [account("a")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await half()

    assert await count(store) == 0


async def test_writers_wait_for_each_other(store: Store):
    async def add(id_: str) -> None:
        async with store.write() as db:
            before = (await db.execute(select(func.count()).select_from(accounts))).scalar_one()
            assert before >= 0
            await db.execute(insert(accounts), [account(id_)])

    await asyncio.gather(*(add(f"a{number}") for number in range(20)))

    assert await count(store) == 20


async def test_a_row_with_an_invalid_reference_is_refused(store: Store):
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        async with store.write() as db:
            await db.execute(
                insert(keys), [{"id": "k", "account": "unknown", "digest": "d", "created_ms": 1}]
            )


def test_an_unknown_database_is_refused_without_showing_its_password():
    with pytest.raises(StoreProblem) as refused:
        Store("mysql://me:secret@host/name")

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused(url: str):
    """Each connection would have its own."""
    with pytest.raises(StoreProblem, match="sqlite:///file"):
        Store(url)


async def test_a_database_that_does_not_answer_is_reported_without_its_password():
    with pytest.raises(StoreProblem, match="database postgresql") as refused:
        await Store("postgresql://me:secret@127.0.0.1:1/name?connect_timeout=2").open()

    assert "secret" not in str(refused.value)


async def test_a_cancelled_task_gets_its_answer_first(store: Store) -> None:
    """A driver that is broken off in a transaction may keep the database locked."""
    asking, go_on, rows_read = asyncio.Event(), asyncio.Event(), []

    async def chore() -> None:
        while True:
            async with store.write() as db:
                asking.set()
                await go_on.wait()
                rows_read.append((await db.execute(text("select 1"))).scalar_one())
            await asyncio.sleep(3600)

    task = asyncio.create_task(chore())
    await asking.wait()
    ending = asyncio.create_task(store.end(task))
    await asyncio.sleep(0)
    go_on.set()
    await ending
    await asyncio.gather(task, return_exceptions=True)

    assert rows_read == [1]
    assert task.cancelled()
    async with store.write() as db:
        assert (await db.execute(text("select 1"))).scalar_one() == 1
