"""The seeds that this process may still play matches with, where the other processes see them.

A server of one process keeps them in memory only.
"""

from __future__ import annotations

import asyncio

import structlog
from sqlalchemy.exc import SQLAlchemyError

from server.cluster.peers import Peers
from server.match_record import MatchEnded
from server.store import seeds
from server.store.store import Store


class SharedSeeds:
    def __init__(self, store: Store, peers: Peers) -> None:
        self._store = store
        self._peers = peers
        self._here: set[str] = set()
        self._gone: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Raises SQLAlchemyError."""
        async with self._store.write() as db:
            await seeds.clear(db, self._peers.name, [peer.name for peer in self._peers.all])

    async def put(self, id_: str, seed: int) -> None:
        """Let every process know the seed of a lobby, or of a game to come. Raises
        SQLAlchemyError."""
        if not self._peers.alone:
            async with self._store.write() as db:
                await seeds.put(db, id_, self._peers.name, seed)
            self._here.add(id_)

    def drop(self, id_: str) -> None:
        """The lobby was cancelled, or the database knows its match's end. A failed write is
        repeated with the next one."""
        if id_ in self._here:
            self._here.discard(id_)
            self._gone.add(id_)
            task = asyncio.get_running_loop().create_task(self._drop())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def on_match_stored(self, ended: MatchEnded) -> None:
        self.drop(ended.record.id)

    async def _drop(self) -> None:
        gone = set(self._gone)
        if not gone:
            return
        try:
            async with self._store.write() as db:
                await seeds.drop(db, gone)
        except SQLAlchemyError as fault:
            structlog.get_logger().warning("seeds cannot be dropped", why=type(fault).__name__)
        else:
            self._gone -= gone

    async def close(self) -> None:
        await asyncio.gather(*self._tasks)
