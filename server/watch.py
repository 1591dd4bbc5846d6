"""Watch what a server needs, and report to `Health` what is wrong: `/readyz` shows it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from server.chores import Chore
from server.health import Health, disk_problem
from server.lobbies.admission import Admission
from server.matches.clock import MS
from server.matches.stalls import Stalls
from server.net.descriptors import Descriptors
from server.settings import Settings
from server.store.store_health import StoreHealth

STORE_MS = 2_000
"""The database is asked for an answer this often."""
DISK_MS = 1_000
"""The disk is tried this often."""
LOOP_MS = 500
"""The loop's stalls are looked at this often."""
HELD_UP_MS = 1_000
HELD_UP_WITHIN_MS = 10_000
"""A process with a stall of HELD_UP_MS or more within the last HELD_UP_WITHIN_MS is not ready."""


class Watch:
    def __init__(
        self,
        settings: Settings,
        health: Health,
        store_health: StoreHealth,
        stalls: Stalls,
        descriptors: Descriptors,
        admission: Admission,
    ) -> None:
        self._settings = settings
        self._health = health
        self._store_health = store_health
        self._stalls = stalls
        self._descriptors = descriptors
        self._admission = admission

    @property
    def chores(self) -> Sequence[Chore]:
        """Each runs until it is cancelled."""
        return self.watch_the_disk, self.watch_the_loop, self.watch_the_store

    async def watch_the_disk(self) -> None:
        """Whether there is room for what is written, off the loop."""
        folder, least = self._settings.data_dir, self._settings.min_free_bytes
        while True:
            self._health.report("disk", await asyncio.to_thread(disk_problem, folder, least))
            await asyncio.sleep(DISK_MS / 1000)

    async def watch_the_loop(self) -> None:
        """Whether all of this was held up lately, for long at once, or is full."""
        while True:
            stalls = self._stalls.after(time.monotonic_ns() - HELD_UP_WITHIN_MS * MS)
            worst = max((stall.ended - stall.begun for stall in stalls), default=0) // MS
            self._health.report("loop", f"held up for {worst} ms" if worst >= HELD_UP_MS else None)
            self._health.report("files", self._descriptors.problem())
            full = f"too_many_lobbies: there are {self._settings.lobbies}"
            self._health.report("lobbies", full if self._admission.full else None)
            await asyncio.sleep(LOOP_MS / 1000)

    async def watch_the_store(self) -> None:
        """Whether the database answers."""
        while True:
            await asyncio.sleep(STORE_MS / 1000)
            await self._store_health.check()
