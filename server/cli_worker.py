"""`botarena worker`: plays tournament games for a server, on any machine."""

from __future__ import annotations

import asyncio
import os
from typing import Annotated, Literal

import typer

from client_sdk.console import UserError, note
from server.offline import offline


def worker(
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Games at a time.", show_default="one per core")
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(help="The least urgent lines to log."),
    ] = "info",
) -> None:
    """Play games of a server's tournaments until Ctrl-C or SIGTERM.

    The server needs BOTARENA_HOUSE_GAMES=workers, both the same PostgreSQL BOTARENA_DATABASE_URL.
    """
    from server import log

    with offline(None) as (_, store):
        try:
            from server.workers.jobs import app_of, prepare, work
        except ImportError:
            text = 'workers need the extra postgres: pip install "botarena[postgres]"'
            raise UserError(text) from None
        from client_sdk.local.pool import Pool
        from client_sdk.sandbox import missing
        from server.workers.games import Games

        log.configure(log_level)
        app = app_of(store.url)
        store.migrate()
        prepare(store, app)
        count = jobs or os.cpu_count() or 1
        if (why := missing()) is not None:
            note(f"games of bots that were handed in are left to other workers: no sandbox ({why})")

        async def run() -> None:
            await store.open()
            try:
                with Pool(count) as pool:
                    games = Games(store, pool)
                    try:
                        async with app.open_async():
                            note(f"waiting for games, {count} at a time")
                            sealed = why is None
                            await work(app, games.play, games.stop, count, submitted=sealed)
                    finally:
                        await games.close()
            finally:
                await store.close()

        asyncio.run(run())
