"""Accounts and their keys, in a server's database: whether the server runs or not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer
from typer import Argument, Option

from client_sdk.console import UserError, note, say, show_table
from server.offline import DataDir, offline

if TYPE_CHECKING:
    from server.store.accounts import Account, AccountKey, Accounts

T = TypeVar("T")

Who = Annotated[
    str,
    Argument(metavar="ACCOUNT", help="An id, or a name that only one has.", show_default=False),
]
Several = Annotated[
    list[str],
    Argument(metavar="ACCOUNT...", help="Ids, or names that only one has.", show_default=False),
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


@account.command("import")
def import_(
    names: Annotated[
        Path,
        Argument(metavar="CSV", help="Columns: name and, if wanted, team.", show_default=False),
    ],
    sheet: Annotated[
        Path,
        Option(metavar="HTML", help="A new file for the keys, to be printed.", show_default=False),
    ],
    url: Annotated[
        str | None, Option(help="The server's address, for the sheet.", show_default="none")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Make an account for each line of a CSV file, and a sheet of their keys to print.

    Who has an account by that name, in that team, gets no other one: the file can be imported again
    when it has grown. The keys are in the sheet alone.

    \b
    botarena account import names.csv --sheet keys.html --url http://arena.example:8000
    """
    from client_sdk import private
    from client_sdk.local.lookup import read_text
    from server.key_sheet import members
    from server.key_sheet import sheet as sheet_of
    from server.store.teams import IssuedKey, create_all

    wanted = members(read_text(names))
    count = 0

    def issued(keys: list[IssuedKey]) -> None:
        nonlocal count
        try:
            with private.opened(sheet, "x") as file:
                file.write(sheet_of(keys, url))
        except FileExistsError:
            text = f"{sheet} is there already, perhaps with keys: name another file"
            raise UserError(text) from None
        count = len(keys)

    async def work(accounts: Accounts) -> int:
        there = await create_all(accounts.store, wanted, issued)
        await accounts.did(None, "import_accounts", None, {"made": count, "there": there})
        return there

    there = _in_store(data_dir, work)
    note(f"{count} accounts made, {there} were there already")
    if count:
        say(f"keys in {sheet}: print it, then delete it")


@account.command()
def team(
    name: Annotated[str, Argument(help="The team's; a new name makes one.", show_default=False)],
    who: Several,
    data_dir: DataDir = None,
) -> None:
    """Put accounts in a team: they have their bots together. An account is in one team."""

    async def work(accounts: Accounts) -> None:
        from server.lobbies.requests import checked_name
        from server.store.teams import join

        found = [await accounts.get(one) for one in who]
        async with accounts.store.write() as db:
            for one in found:
                await join(db, checked_name(name), one.id)
        await accounts.did(None, "team", None, {"team": name, "accounts": [a.id for a in found]})

    _in_store(data_dir, work)
    say(f"{len(who)} accounts are in team {name}")


@account.command("leave-team")
def leave_team(
    who: Several,
    data_dir: DataDir = None,
) -> None:
    """Take accounts out of their teams: they keep the bots that they have handed in themselves."""

    async def work(accounts: Accounts) -> None:
        from server.store.teams import leave

        found = [await accounts.get(one) for one in who]
        async with accounts.store.write() as db:
            for one in found:
                await leave(db, one.id)
        await accounts.did(None, "team", None, {"team": None, "accounts": [a.id for a in found]})

    _in_store(data_dir, work)
    say(f"{len(who)} accounts are in no team")


@account.command("list")
def list_(
    data_dir: DataDir = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,
) -> None:
    """All accounts, oldest first."""

    async def work(accounts: Accounts) -> tuple[list[Account], dict[str, str]]:
        from server.store.teams import members

        async with accounts.store.read() as db:
            return await accounts.all(), await members(db)

    accounts, teams = _in_store(data_dir, work)
    if as_json:
        for a in accounts:
            about = {"account": a.id, "kind": a.kind, "name": a.name, "created_ms": a.created_ms}
            say(json.dumps(about | {"disabled_ms": a.disabled_ms, "team": teams.get(a.id)}))
        return
    rows = [
        (
            *(a.id, a.kind, a.name, teams.get(a.id, ""), _day(a.created_ms)),
            "" if a.disabled_ms is None else "disabled",
        )
        for a in accounts
    ]
    show_table(("account", "kind", "name", "team", "made", "state"), rows)


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
    show_table(("key", "made", "last used", "state"), rows)


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

    with offline(data_dir) as (settings, store):
        new = store.file is not None and not store.file.path.exists()
        if new and "data_dir" not in settings.model_fields_set:
            # in a wrong folder no server would ever see the accounts
            why = "there is no database of a server in this folder"
            how = "--data-dir names the server's, and makes a database there if there is none"
            raise UserError(f"{settings.data_dir.absolute()}: {why}; {how}")
        found = asyncio.run(run())
        note(f"{'new ' if new else ''}database {store.shown}")
        return found


def _day(ms: int | None) -> str:
    from datetime import UTC, datetime

    return "" if ms is None else f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"
