"""Games of house bots in processes of this very server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import structlog

from client_sdk.local.pool import Pool
from server.store.store import Store
from server.store.tournaments import LOCAL_POOL
from server.workers.games import Games


class Here:
    """See `server.tournaments.delegated.Executor`. `on_end` is called when a game has ended."""

    def __init__(self, store: Store, on_end: Callable[[], None]) -> None:
        self.by = LOCAL_POOL
        jobs = os.cpu_count() or 1
        self.at_once = 2 * jobs
        self.look_s = 5.0
        self._store = store
        self._pool = Pool(jobs)
        self._games = Games(store, self._pool)
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._on_end = on_end

    async def open(self) -> None:
        """Nothing has to be there."""

    async def give(self, match: str) -> None:
        if match not in self._playing:
            self._playing[match] = asyncio.get_running_loop().create_task(self._play(match))

    async def _play(self, match: str) -> None:
        try:
            await self._games.play(match)
        except Exception:  # noqa: BLE001  it is given again
            structlog.get_logger().exception("a game could not be played", match=match)
        finally:
            del self._playing[match]
            self._on_end()

    async def close(self) -> None:
        """What is not finished is given again at the next start."""
        for task in self._playing.values():
            await self._store.end(task)
        await asyncio.gather(*self._playing.values(), return_exceptions=True)
        await asyncio.to_thread(self._pool.__exit__)
