"""Bots that are handed in."""

from __future__ import annotations

from typing import Final

from server.app.cluster import ClusterParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.offload import Offload
from server.submissions.checker import Checker
from server.submissions.service import HandInLimits, Submissions

READ_S: Final = 20.0
"""What it may take to read what is handed in, in a process of its own: no match waits for
it."""


class SubmissionParts:
    def __init__(self, process: ProcessParts, storage: StorageParts, cluster: ClusterParts) -> None:
        settings = process.settings
        limits = HandInLimits(
            settings.submissions,
            settings.submissions_per_day,
            settings.freeze,
            settings.trial_pairs,
        )
        self._reader = Offload(READ_S)
        self.checker = Checker(storage.store, lambda: cluster.leader.leads)
        self.service = Submissions(storage.store, self._reader, self.checker, limits)

    async def close(self) -> None:
        await self.checker.close()
        await self._reader.close()
