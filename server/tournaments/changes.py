"""A signal that tournaments have changed: cached results are outdated, and games may be due."""

from __future__ import annotations

import asyncio
import contextlib


class Changes:
    def __init__(self) -> None:
        self.count = 0
        """Grows with every change."""
        self._row = asyncio.Event()

    def note(self) -> None:
        """Something changed that makes no further game due."""
        self.count += 1

    def notify(self) -> None:
        """Something changed that may make games due."""
        self.note()
        self._row.set()

    async def wait(self, timeout_s: float) -> None:
        """Until the next `notify`, or one since the last wait; at most `timeout_s`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._row.wait()
        self._row.clear()
