"""Accounts and their keys, in a server's database: whether the server runs or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer
from typer import Argument, Option

from client_sdk.console import note, say
from server.offline import DataDir, offline

if TYPE_CHECKING:
    from server.store.accounts import Account, AccountKey, Accounts

T = TypeVar("T")

Who = Annotated[
    str,
    Argument(metavar="ACCOUNT", help="An id, or a name that only one has.", show_default=False),
]

account = typer.Typer(add_completion=False)
key = typer.Typer(add_completion=False, no_args_is_help=True, help="Keys of an account.")
account.add_typer(key, name="key")


@account.command()
def create(
    name: Annotated[str, Argument(help="A label; others may have the same.", show_default=False)],
    kind: Annotated[
        Literal["bot", "organiser", "spectator"], Option(help="What it may do.")
    ] = "bot",
    data_dir: DataDir = None,
) -> None:
    """Make an account. Its key goes to stdout and is shown only once.

    \b
    BOTARENA_KEY=$(botarena account create "Programming club" --kind organiser)
    """

    async def work(accounts: Accounts) -> tuple[Account, AccountKey, str]:
        from server.lobbies.requests import checked_name

        made = await accounts.create(checked_name(name), kind)
        await accounts.did(None, "create_account", made[0].id, {"kind": kind})
        return made

    made, key_, token = _in_store(data_dir, work)
    note(f"{made.kind} {made.name}: account {made.id}, key {key_.id}, which is shown only now:")
    say(token)


@account.command("list")
def list_(
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,
) -> None:
    """All accounts, oldest first."""
    accounts = _in_store(data_dir, lambda accounts: accounts.all())
    if as_json:
        for a in accounts:
            about = {"account": a.id, "kind": a.kind, "name": a.name, "created_ms": a.created_ms}
            say(json.dumps(about | {"disabled_ms": a.disabled_ms}))
        return
    rows = [
        (a.id, a.kind, a.name, _day(a.created_ms), "" if a.disabled_ms is None else "disabled")
        for a in accounts
    ]
    _table(("account", "kind", "name", "made", "state"), rows)


@account.command()
def disable(who: Who, data_dir: DataDir = None) -> None:
    """No key of this account opens anything any more. What it has played stays its own."""

    async def work(accounts: Accounts) -> Account:
        found = await accounts.get(who)
        await accounts.disable(found.id)
        await accounts.did(None, "disable_account", found.id)
        return found

    found = _in_store(data_dir, work)
    say(f"{found.kind} {found.name} ({found.id}) is disabled")


@key.command("list")
def list_keys(who: Who, data_dir: DataDir = None) -> None:
    """The keys of an account: when each was made, used last, revoked."""

    async def work(accounts: Accounts) -> list[AccountKey]:
        return await accounts.keys((await accounts.get(who)).id)

    rows = [
        (k.id, _day(k.created_ms), _day(k.last_used_ms), "" if k.revoked_ms is None else "revoked")
        for k in _in_store(data_dir, work)
    ]
    _table(("key", "made", "last used", "state"), rows)


@key.command()
def new(who: Who, data_dir: DataDir = None) -> None:
    """One more key for an account. It goes to stdout and is shown only once."""

    async def work(accounts: Accounts) -> tuple[AccountKey, str]:
        found = await accounts.get(who)
        made = await accounts.new_key(found.id)
        await accounts.did(None, "new_key", found.id, {"key_id": made[0].id})
        return made

    made, token = _in_store(data_dir, work)
    note(f"key {made.id}, which is shown only now:")
    say(token)


@key.command()
def revoke(
    key_id: Annotated[str, Argument(help="As `key list` shows it.", show_default=False)],
    data_dir: DataDir = None,
) -> None:
    """This key opens nothing any more."""

    async def work(accounts: Accounts) -> AccountKey:
        found = await accounts.revoke(key_id)
        await accounts.did(None, "revoke_key", found.account, {"key_id": found.id})
        return found

    found = _in_store(data_dir, work)
    say(f"key {found.id} of account {found.account} is revoked")


def _in_store(data_dir: Path | None, work: Callable[[Accounts], Awaitable[T]]) -> T:
    """What `work` gives, with the database open. Raises UserError."""

    async def run() -> T:
        from server.store.accounts import Accounts

        await store.open()
        try:
            return await work(Accounts(store))
        finally:
            await store.close()

    with offline(data_dir) as (_, store):
        return asyncio.run(run())


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from client_sdk.console import show

    table = Table(*titles, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    show(table)


def _day(ms: int | None) -> str:
    from datetime import UTC, datetime

    return "" if ms is None else f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
