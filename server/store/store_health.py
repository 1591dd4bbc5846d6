"""What is wrong with the database, as `/readyz` reports it."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path

from server.health import Health
from server.store import matches
from server.store.store import REBUILD, Store

PATIENCE_S = 5.0
"""The database has this long to answer."""


class StoreHealth:
    def __init__(self, store: Store, health: Health, data: Path) -> None:
        self._store = store
        self._health = health
        self._data = data
        self._database: str | None = None
        self._matches: dict[str, str] = {}
        """By match: why something of it cannot be written."""

    def fails(self, match: str) -> bool:
        """Whether something of this match could not be written last time."""
        return match in self._matches

    def report(self, match: str, problem: str | None) -> None:
        """Why something of this match cannot be written; None: it is written."""
        if problem is None:
            self._matches.pop(match, None)
        else:
            self._matches[match] = problem
        self._report()

    async def check(self) -> None:
        """Whether the database answers."""
        self._database = await self._damage()
        if self._database is None:
            try:
                async with asyncio.timeout(PATIENCE_S), self._store.read() as db:
                    await matches.state_of(db, "")
            except Exception as fault:  # noqa: BLE001  drivers fail in many ways
                silent = f"the database does not answer: {type(fault).__name__}"
                self._database = await self._damage(fault) or silent
        self._report()

    async def examine(self, fault: Exception) -> None:
        """Whether a query failed because the database's file is gone or damaged."""
        self._database = await self._damage(fault) or self._database
        self._report()

    async def _damage(self, fault: Exception | None = None) -> str | None:
        """What is wrong with the database's file, and what to do about it."""
        lost = await self._store.examine()
        if lost is None and fault is not None:
            lost = self._store.damage(fault)
        if lost is None:
            return None
        data = shlex.quote(str(self._data))
        return f"{lost}: stop the server and run {REBUILD} --data-dir {data}"

    def _report(self) -> None:
        self._health.report("store", self._database or next(iter(self._matches.values()), None))
