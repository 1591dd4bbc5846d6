"""What a server does from time to time with what it keeps: journals, backups, old matches."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence

import structlog

from server.chores import Chore
from server.lobbies.lobbies import Lobbies
from server.metrics import Metrics
from server.net.descriptors import unwritten
from server.settings import Settings
from server.store.old_versions import prune_files
from server.store.sqlite_file import back_up
from server.store.store import Store
from server.store.upkeep import DAY_MS, prune
from server.wall_clock import wall_ms

SYNC_MS = 1_000
"""A journal gets to the disk itself this often."""
BACKUP_LOOK_S = 60.0
"""Whether a backup is due is looked at this often."""
PRUNE_S = 3_600
"""What is older than the operator wants is looked for this often."""


class Upkeep:
    def __init__(
        self, settings: Settings, store: Store, lobbies: Lobbies, node: str, metrics: Metrics
    ) -> None:
        """`node`: the name of the data directory, in the rows of its matches."""
        self._settings = settings
        self._store = store
        self._lobbies = lobbies
        self._node = node
        self._metrics = metrics
        self._log = structlog.get_logger()

    @property
    def chores(self) -> Sequence[Chore]:
        """Each runs until it is cancelled."""
        return self.keep_journals, self.back_up, self.forget, self.forget_files

    async def keep_journals(self) -> None:
        """What running matches have written reaches the disk, off the loop."""
        while True:
            await asyncio.sleep(SYNC_MS / 1000)
            for lobby in list(self._lobbies.unfinished.values()):
                if lobby.file is not None and lobby.state == "running":
                    try:
                        await asyncio.to_thread(lobby.file.sync)
                    except OSError as fault:
                        self._log.exception("a journal could not be synced", match=lobby.id)
                        lobby.stop(unwritten(fault))

    async def back_up(self) -> None:
        """Back up the SQLite file, for what is in no journal: accounts and tournaments."""
        settings, file = self._settings, self._store.file
        while settings.backup_ms and file is not None:
            await asyncio.sleep(min(BACKUP_LOOK_S, settings.backup_ms / 1000))
            every_s, keep = settings.backup_ms / 1000, settings.backup_keep
            try:
                made = await asyncio.to_thread(back_up, file.path, every_s, keep)
            except (OSError, sqlite3.Error) as fault:
                self._metrics.store_failed("backup")
                self._log.warning("the database could not be backed up", why=str(fault))
            else:
                if made is not None:
                    self._log.info("the database is backed up", file=made.name)

    async def forget(self) -> None:
        """What ended long ago, if the operator wants that."""
        while self._settings.keep_days:
            before_ms = wall_ms() - self._settings.keep_days * DAY_MS
            try:
                gone = await prune(self._store, self._settings.data_dir, self._node, before_ms)
            except Exception:  # noqa: BLE001  it is tried again
                self._log.exception("old matches could not be forgotten")
            else:
                self._log.info("old matches are forgotten", matches=gone.matches, bytes=gone.size)
            await asyncio.sleep(PRUNE_S)

    async def forget_files(self) -> None:
        """Of versions that will not play again, if the operator wants that."""
        while self._settings.keep_versions_days:
            before_ms = wall_ms() - self._settings.keep_versions_days * DAY_MS
            try:
                gone = await prune_files(self._store, before_ms)
            except Exception:  # noqa: BLE001  it is tried again
                self._log.exception("files of old versions could not be deleted")
            else:
                about = {"versions": gone.versions, "bytes": gone.size}
                self._log.info("files of old versions are deleted", **about)
            await asyncio.sleep(PRUNE_S)
