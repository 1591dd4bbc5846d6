"""Accounts, their keys, and what organisers did: the queries.

A name is a label: two accounts may be called the same. Only the digest of a key is kept, so the key
is shown once. Nothing is ever deleted: results name accounts for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from sqlalchemy import Row, Select, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.contract import Json
from games.core.names import composed
from server.errors import Refusal
from server.store.store import Store
from server.store.tables import accounts, actions, keys
from server.tokens import digest, new_id, new_token

AccountKind = Literal["bot", "organiser", "spectator"]

USED_MS = 60_000
"""When a key was last used is known this precisely."""
KEYS = 20
"""Keys of one account that are not revoked."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    name: str
    kind: AccountKind
    created_ms: int
    disabled_ms: int | None = None

    def json(self) -> dict[str, Json]:
        return {
            "account": self.id,
            "name": self.name,
            "kind": self.kind,
            "created_ms": self.created_ms,
            "disabled_ms": self.disabled_ms,
        }


@dataclass(frozen=True, slots=True)
class AccountKey:
    """All that is known of one. `id` says which one is meant, and opens nothing."""

    id: str
    account: str
    created_ms: int
    revoked_ms: int | None = None
    last_used_ms: int | None = None

    def json(self) -> dict[str, Json]:
        return {
            "key_id": self.id,
            "account": self.account,
            "created_ms": self.created_ms,
            "revoked_ms": self.revoked_ms,
            "last_used_ms": self.last_used_ms,
        }


@dataclass(frozen=True, slots=True)
class OrganiserAction:
    """What an organiser did. `account` None: an operator at the machine itself."""

    at_ms: int
    account: str | None
    verb: str
    target: str | None
    details: Json = None

    def json(self) -> dict[str, Json]:
        return {
            "at_ms": self.at_ms,
            "account": self.account,
            "verb": self.verb,
            "target": self.target,
            "details": self.details,
        }


class Accounts:
    """Every method raises SQLAlchemyError if the database cannot be used."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._chores: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Wait until all pending writes are done."""
        await asyncio.gather(*self._chores, return_exceptions=True)

    # --- accounts

    async def create(self, name: str, kind: AccountKind) -> tuple[Account, AccountKey, str]:
        """A new account with its first key, whose token is returned only here."""
        async with self.store.write() as connection:
            return await add_account(connection, name, kind)

    async def all(self) -> list[Account]:
        """Oldest first."""
        query = select(accounts).order_by(accounts.c.created_ms, accounts.c.id)
        async with self.store.read() as connection:
            return [_account(row) for row in await connection.execute(query)]

    async def get(self, called: str) -> Account:
        """By id, or by a name that only one has. Raises Refusal."""
        by_id = select(accounts).where(accounts.c.id == called)
        by_name = select(accounts).where(accounts.c.name.in_({called, composed(called)})).limit(10)
        async with self.store.read() as connection:
            found = (await connection.execute(by_id)).first()
            if found is not None:
                return _account(found)
            named = (await connection.execute(by_name)).all()
        if not named:
            raise Refusal(404, "no_such_account", "there is no such account", field="account")
        if len(named) > 1:
            ids = sorted(row.id for row in named)
            text = "several accounts are called so: say which by its id"
            raise Refusal(409, "ambiguous", text, field="account", allowed=ids)
        return _account(named[0])

    async def disable(self, account: str) -> None:
        """None of its keys opens anything any more."""
        enabled = update(accounts).where(accounts.c.id == account, accounts.c.disabled_ms.is_(None))
        async with self.store.write() as connection:
            await connection.execute(enabled.values(disabled_ms=now_ms()))

    # --- keys

    async def new_key(self, account: str) -> tuple[AccountKey, str]:
        """One more key; the token is returned only here. Raises Refusal if there are too many."""
        key, token = _new_key(account)
        held = select(func.count()).where(keys.c.account == account, keys.c.revoked_ms.is_(None))
        async with self.store.write() as connection:
            await hold(connection, [account])
            if (await connection.execute(held)).scalar_one() >= KEYS:
                text = f"an account may have {KEYS} keys: revoke one first"
                raise Refusal(409, "too_many_keys", text)
            await connection.execute(insert(keys).values(**_row(key, token)))
        return key, token

    async def keys(self, account: str) -> list[AccountKey]:
        """Oldest first, revoked ones too."""
        query = select(keys).where(keys.c.account == account)
        query = query.order_by(keys.c.created_ms, keys.c.id)
        async with self.store.read() as connection:
            return [_key(row) for row in await connection.execute(query)]

    async def revoke(self, key: str, account: str | None = None) -> AccountKey:
        """By the key's id; of this account only, if one is given. Raises Refusal."""
        query = select(keys).where(keys.c.id == key)
        if account is not None:
            query = query.where(keys.c.account == account)
        async with self.store.write() as connection:
            found = (await connection.execute(query)).first()
            if found is None:
                raise Refusal(404, "no_such_key", "there is no such key", field="key_id")
            if found.revoked_ms is None:
                now = update(keys).where(keys.c.id == key).values(revoked_ms=now_ms())
                await connection.execute(now)
            return _key((await connection.execute(query)).one())

    async def by_key(self, token: str) -> Account | None:
        """The account that this key opens; None: no account, or not any more."""
        asked: Select[Any] = (
            select(accounts, keys.c.id.label("key_id"), keys.c.last_used_ms)
            .join(keys, keys.c.account == accounts.c.id)
            .where(
                keys.c.digest == digest(token),
                keys.c.revoked_ms.is_(None),
                accounts.c.disabled_ms.is_(None),
            )
        )
        async with self.store.read() as connection:
            found = (await connection.execute(asked)).first()
        if found is None:
            return None
        now = now_ms()
        if found.last_used_ms is None or found.last_used_ms + USED_MS <= now:
            task = asyncio.get_running_loop().create_task(self._used(found.key_id, now))
            self._chores.add(task)
            task.add_done_callback(self._chores.discard)
        return _account(found)

    async def _used(self, key: str, at: int) -> None:
        used = update(keys).where(keys.c.id == key).values(last_used_ms=at)
        try:
            async with self.store.write() as connection:
                await connection.execute(used)
        except SQLAlchemyError:
            _log.exception("when a key was used could not be written")

    # --- what organisers did

    async def did(
        self, account: str | None, verb: str, target: str | None = None, details: Json = None
    ) -> None:
        """Write it down."""
        done = OrganiserAction(now_ms(), account, verb, target, details)
        async with self.store.write() as connection:
            await connection.execute(insert(actions).values(id=new_id(), **done.json()))

    async def done(self, limit: int) -> Sequence[OrganiserAction]:
        """Newest first."""
        query = select(actions).order_by(actions.c.at_ms.desc(), actions.c.id).limit(limit)
        async with self.store.read() as connection:
            found = await connection.execute(query)
            return [OrganiserAction(r.at_ms, r.account, r.verb, r.target, r.details) for r in found]


async def hold(db: AsyncConnection, of: Collection[str]) -> None:
    """Until the end of the transaction no other one that holds one of these accounts changes
    anything: its keys, its team, its place on a ladder, a challenge of or to it, what it has handed
    in."""
    query = select(accounts.c.id).where(accounts.c.id.in_(of)).order_by(accounts.c.id)
    await db.execute(query.with_for_update(key_share=True))


async def add_account(
    db: AsyncConnection, name: str, kind: AccountKind
) -> tuple[Account, AccountKey, str]:
    """As `Accounts.create`."""
    account = Account(new_id(), name, kind, now_ms())
    key, token = _new_key(account.id)
    row = {"id": account.id, "name": name, "kind": kind, "created_ms": account.created_ms}
    await db.execute(insert(accounts).values(**row))
    await db.execute(insert(keys).values(**_row(key, token)))
    return account, key, token


def now_ms() -> int:
    """Since 1970."""
    return time.time_ns() // 1_000_000


def _new_key(account: str) -> tuple[AccountKey, str]:
    return AccountKey(new_id(), account, now_ms()), new_token("key")


def _row(key: AccountKey, token: str) -> dict[str, Json]:
    return {
        "id": key.id,
        "account": key.account,
        "digest": digest(token),
        "created_ms": key.created_ms,
    }


def _account(row: Row[Any]) -> Account:
    return Account(row.id, row.name, row.kind, row.created_ms, row.disabled_ms)


def _key(row: Row[Any]) -> AccountKey:
    return AccountKey(row.id, row.account, row.created_ms, row.revoked_ms, row.last_used_ms)
