"""What the spectators of a running match were shown so far, for those that come late.

It is made from the journal, in the child process for CPU work: a match does nothing for it, and
keeps nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from games.core.contract import SPECTATOR, AnyGame
from server.matches.viewer_records import viewer_record
from server.offload import Offload

FRESH_S = 1.0
"""For this long many that ask for the same get one answer. It may end before the view with which
the socket begins: what is missing is asked for again."""


class Histories:
    def __init__(self, games: Mapping[str, AnyGame], offload: Offload) -> None:
        self._games = games
        self._offload = offload
        self._asked: dict[tuple[Path, int], asyncio.Task[bytes]] = {}

    async def lines(self, journal: Path, after: int, size: int | None) -> bytes:
        """JSON lines without the first `after`. `size`: what of the journal may be seen, in bytes;
        None: all. Raises Refusal."""
        key = journal, after
        task = self._asked.get(key)
        if task is None:
            record = self._offload.answer(
                viewer_record, journal, SPECTATOR, after, self._games, size
            )
            loop = asyncio.get_running_loop()
            task = self._asked[key] = loop.create_task(record)
            loop.call_later(FRESH_S, self._asked.pop, key, None)
        return await asyncio.shield(task)
