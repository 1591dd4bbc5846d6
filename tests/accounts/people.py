"""Accounts for the tests, made at the machine as an operator makes them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from server.store.accounts import AccountKind, Accounts
from server.store.store import Store, sqlite_url


@dataclass(frozen=True)
class Person:
    id: str
    key_id: str
    key: str


def person(data: Path, kind: AccountKind, name: str = "someone") -> Person:
    """A new account of the server with this data directory, whether it runs or not."""
    return person_of(sqlite_url(data), kind, name)


def person_of(url: str, kind: AccountKind, name: str = "someone") -> Person:
    """The same by the database's URL."""

    async def made() -> Person:
        store = Store(url)
        await store.open()
        try:
            account, key, token = await Accounts(store).create(name, kind)
        finally:
            await store.close()
        return Person(account.id, key.id, token)

    return asyncio.run(made())
