"""What a server does from time to time with what it keeps: journals, backups, old matches."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence

import structlog

from server.chores import Chore
from server.lobbies.lobbies import Lobbies
from server.matches.record import JournalFile
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
            running = {
                id_: lobby.file
                for id_, lobby in self._lobbies.unfinished.items()
                if lobby.file is not None and lobby.state == "running"
            }
            for id_, fault in (await asyncio.to_thread(_unsynced, running)).items():
                self._log.error("a journal could not be synced", match=id_, exc_info=fault)
                if (lobby := self._lobbies.unfinished.get(id_)) is not None:
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


def _unsynced(journals: Mapping[str, JournalFile]) -> dict[str, OSError]:
    """Sync these to the disk. Those that could not be, with the reason."""
    faults = {}
    for id_, journal in journals.items():
        try:
            journal.sync()
        except OSError as fault:
            faults[id_] = fault
    return faults
