"""Bots that are handed in."""

from __future__ import annotations

from server.app.cluster import ClusterParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.submissions.checker import Checker
from server.submissions.service import HandInLimits, Submissions


class SubmissionParts:
    def __init__(self, process: ProcessParts, storage: StorageParts, cluster: ClusterParts) -> None:
        settings = process.settings
        limits = HandInLimits(
            settings.submissions,
            settings.submissions_per_day,
            settings.freeze,
            settings.trial_pairs,
        )
        self.checker = Checker(storage.store, lambda: cluster.leader.leads)
        self.service = Submissions(storage.store, process.reader, self.checker, limits)

    async def close(self) -> None:
        await self.checker.close()
