"""Games without sockets in processes of this very server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence

import structlog

from client_sdk.local.pool import Pool
from client_sdk.sandbox import missing
from server.store import ladders
from server.store import tournaments as stored
from server.store.store import Store
from server.store.tournaments import LOCAL_POOL
from server.tournaments.delegated import Backlog, Batch
from server.workers.games import Games

AGAIN_S = 10.0
"""How long a batch waits that could not be played."""


class Here:
    """See `server.tournaments.delegated.Executor`. `on_end` is called when a batch has ended."""

    by = LOCAL_POOL
    look_s = 5.0

    def __init__(self, store: Store, on_end: Callable[[], None]) -> None:
        jobs = os.cpu_count() or 1
        self._at_once = 2 * jobs
        self._store = store
        self._pool = Pool(jobs)
        self._games = Games(store, self._pool)
        self._playing: dict[asyncio.Task[None], Batch] = {}
        self._no_sandbox = False
        self._on_end = on_end

    async def open(self) -> None:
        """Nothing has to be there."""

    async def look(self) -> Backlog:
        async with self._store.read() as db:
            given = [game.id for game in await stored.left_behind(db, [self.by])]
            given += [game.match for game in await ladders.left_behind(db, [self.by])]
        playing = {id_ for batch in self._playing.values() for id_ in batch.ids}
        lost = [id_ for id_ in given if id_ not in playing]
        return Backlog(lost, self._at_once - len(self._playing))

    async def plays_submitted(self) -> bool:
        why = await asyncio.to_thread(missing)
        if why is not None and not self._no_sandbox:
            self._no_sandbox = True
            text = "games of bots that were handed in wait: there is no sandbox"
            structlog.get_logger().warning(text, why=why)
        return why is None

    async def give(self, batches: Sequence[Batch]) -> None:
        for batch in batches:
            task = asyncio.get_running_loop().create_task(self._play(batch.ids))
            self._playing[task] = batch
            task.add_done_callback(self._ended)

    async def _play(self, ids: Sequence[str]) -> None:
        try:
            await self._games.play(ids)
        except Exception:  # noqa: BLE001  it is given again
            structlog.get_logger().exception("games could not be played", games=len(ids))
            await asyncio.sleep(AGAIN_S)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._playing[task]
        self._on_end()

    async def close(self) -> None:
        """What is not finished is given again at the next start."""
        tasks = [*self._playing]
        for task in tasks:
            await self._store.end(task)
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._pool.__exit__)
        await self._games.close()
