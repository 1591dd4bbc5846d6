"""The files of bots that were handed in, as one worker keeps them: fetched from the database, by
their SHA-256, in a folder of bounded size."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from client_sdk.bounds import MB
from client_sdk.local.players import PlayerSpec
from server.store import submissions as stored
from server.store.store import Store
from server.store.submissions import Submission
from server.submissions.players import folder_of, player

MOST_BYTES: Final = 1024 * MB
SHARE: Final = 4
"""No more than this part of the disk is used."""


class BotFiles:
    """A bot stays until its place is needed: the one that has not played for longest goes first."""

    def __init__(self, store: Store, most_bytes: int = MOST_BYTES) -> None:
        self._store = store
        self._folder: TemporaryDirectory[str] | None = None
        self._most = most_bytes
        self._sizes: dict[str, int] = {}
        """By folder, the one that was used last is the last."""
        self._used: Counter[str] = Counter()

    @property
    def _path(self) -> Path:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="botarena-bots-", ignore_cleanup_errors=True)
            total = shutil.disk_usage(self._folder.name).total
            self._most = min(self._most, total // SHARE)
        return Path(self._folder.name)

    def close(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    @contextlib.asynccontextmanager
    async def kept(self, submissions: Collection[Submission]) -> AsyncIterator[None]:
        """These versions are here for as long as the context lasts. Raises SQLAlchemyError,
        OSError, Refusal."""
        files = {folder_of(submission) for submission in submissions}
        self._used.update(files)
        try:
            for submission in submissions:
                await self._fetch(submission)
            yield
        finally:
            self._used.subtract(files)
            await self._tidy()

    def player(self, submission: Submission, label: str) -> PlayerSpec:
        """A version that is kept here, as a player."""
        return player(submission, b"", self._path, label)

    async def _fetch(self, submission: Submission) -> None:
        file = folder_of(submission)
        size = self._sizes.pop(file, None)
        if size is None:
            async with self._store.read() as db:
                content = await stored.content(db, submission.played)
            await asyncio.to_thread(player, submission, content, self._path, "")
            size = await asyncio.to_thread(_size, self._path / file)
        self._sizes[file] = size

    async def _tidy(self) -> None:
        for file in [*self._sizes]:
            if sum(self._sizes.values()) <= self._most:
                return
            if not self._used[file]:
                del self._sizes[file]
                await asyncio.to_thread(shutil.rmtree, self._path / file, ignore_errors=True)


def _size(folder: Path) -> int:
    return sum(file.lstat().st_size for file in folder.rglob("*") if not file.is_dir())
