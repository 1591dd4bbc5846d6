"""What a server keeps: back it up, restore it, prune it, check it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from typer import Argument, Option

from client_sdk.console import UserError, amount, note, say
from server.offline import DataDir, offline

if TYPE_CHECKING:
    from server.settings import Settings
    from server.store.backup import Backup
    from server.store.store import Store
    from server.store.upkeep import Checked

T = TypeVar("T")

store = typer.Typer(add_completion=False)
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


@store.command()
def backup(
    to: Annotated[
        Path,
        Argument(help="A new file (packed if it ends in .gz), or a folder.", show_default=False),
    ],
    data_dir: DataDir = None,
) -> None:
    """Everything in one file: rows, journals, replays. The server may run meanwhile."""
    from server.store.backup import backup as write

    with offline(data_dir) as (settings, store):
        _expect_used(settings)
        made = write(store, settings.data_dir, to)
    say(str(made.path))
    note(f"{_holds(made)}; {amount(made.size, 'byte')}")


@store.command()
def restore(
    backup: Annotated[Path, Argument(help="What `store backup` wrote.", show_default=False)],
    data_dir: DataDir = None,
) -> None:
    """Put a backup into an empty data directory and an empty database, of whichever kind.

    The server that starts on it takes up the matches that were running when the backup was made.
    """
    from server.store.backup import restore as read

    with offline(data_dir) as (settings, store):
        made = read(store, settings.data_dir, backup)
    say(f"in {settings.data_dir}: {_holds(made)}")


@store.command()
def rebuild(data_dir: DataDir = None) -> None:
    """Restore a lost or damaged SQLite database: from its newest backup and all journals.

    The server has to be stopped. A damaged file is kept beside the new one.
    """
    from client_sdk.locks import Taken
    from server.folder import hold
    from server.matches.rebuild import rebuild as make

    with offline(data_dir) as (settings, store):
        _expect_used(settings)
        try:
            with hold(settings.data_dir):
                made = asyncio.run(make(store, settings.data_dir))
        except Taken:
            raise UserError(f"{settings.data_dir}: a server works in it: stop it first") from None
    if made.aside is not None:
        note(f"the damaged database is now {made.aside}")
    if made.sound:
        note("the database is sound: it stays as it is")
    elif made.backup is not None:
        note(f"made from the backup {made.backup}")
    else:
        note("there is no sound backup: accounts and tournaments are lost")
    say(f"{_matches(made.matches)} from journals")


@store.command()
def prune(
    older_than: Annotated[str, Option(help="Since their end: 30d, 12h or 8w.", show_default=False)],
    keep_journals: Annotated[
        bool,
        Option("--keep-journals", help="Only the replays go; they are made again on request."),
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Forget finished matches: their rows, journals and replays.

    What a tournament or the running trial of a version counts stays.
    """
    from server.matches.record import named
    from server.store.upkeep import prune as forget

    before_ms = time.time_ns() // 1_000_000 - _age_ms(older_than)

    async def work(store: Store, settings: Settings) -> str:
        data = settings.data_dir
        gone = await forget(store, data, named(data), before_ms, keep_journals=keep_journals)
        what = " of replays" if keep_journals else ""
        return f"{_matches(gone.matches)}, {amount(gone.size, 'byte')}{what}"

    say(_in_store(data_dir, work))


@store.command("prune-versions")
def prune_versions(
    older_than: Annotated[
        str, Option(help="Since they were handed in: 30d, 12h or 8w.", show_default=False)
    ],
    data_dir: DataDir = None,
) -> None:
    """Delete the files of versions of bots that will not play again.

    What became of these versions stays. The newest version of each bot keeps its file, and so does
    the one that plays if the active one fails, and what a contest that is frozen plays.
    """
    from server.store.old_versions import prune_files

    before_ms = time.time_ns() // 1_000_000 - _age_ms(older_than)

    async def work(store: Store, settings: Settings) -> str:
        gone = await prune_files(store, before_ms)
        return f"files of {amount(gone.versions, 'version')}, {amount(gone.size, 'byte')}"

    say(_in_store(data_dir, work))


@store.command()
def check(data_dir: DataDir = None) -> None:
    """Whether every journal, here or in the database, is whole and the one that its row names.

    Exit status 1: not every one."""
    from server.matches.record import named
    from server.store.upkeep import check as compare

    async def work(store: Store, settings: Settings) -> Checked:
        return await compare(store, settings.data_dir, named(settings.data_dir))

    checked = _in_store(data_dir, work)
    for problem in checked.problems:
        say(problem)
    note(f"{_matches(checked.matches)}, {amount(len(checked.problems), 'problem')}")
    if checked.problems:
        raise typer.Exit(1)


def _holds(made: Backup) -> str:
    matches, accounts = _matches(made.rows["matches"]), amount(made.rows["accounts"], "account")
    return f"{matches}, {accounts}, {amount(made.files, 'file')}"


def _matches(number: int) -> str:
    return amount(number, "match", "matches")


def _in_store(data_dir: Path | None, work: Callable[[Store, Settings], Awaitable[T]]) -> T:
    async def run() -> T:
        await store.open()
        try:
            return await work(store, settings)
        finally:
            await store.close()

    with offline(data_dir) as (settings, store):
        _expect_used(settings)
        return asyncio.run(run())


def _expect_used(settings: Settings) -> None:
    """Nothing is made where nothing was. Raises UserError."""
    if not (settings.data_dir / "node").exists():
        raise UserError(f"{settings.data_dir}: no server has kept anything here yet")


def _age_ms(text: str) -> int:
    found = re.fullmatch(r"(\d{1,6})([hdw])", text)
    if found is None:
        raise UserError(f"--older-than: expected a number and h, d or w, got {text!r}")
    return int(found[1]) * _HOURS[found[2]] * 60 * 60 * 1000
