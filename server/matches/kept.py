"""What the child process for CPU work makes of the file of a match, kept for the next that ask."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.offload import Offload  # the child process needs none of it


class Kept:
    """`make` is called in the child, once for a file as long as it is among the last `most`."""

    def __init__(self, offload: Offload, make: Callable[[Path], bytes], most: int) -> None:
        self._offload = offload
        self._make = make
        self._most = most
        self._asked: OrderedDict[Path, asyncio.Task[bytes]] = OrderedDict()

    async def of(self, file: Path) -> bytes:
        """Many that ask for the same get one answer. Raises what `make` raises."""
        task = self._asked.pop(file, None)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self._offload.answer(self._make, file))
        self._asked[file] = task
        if len(self._asked) > self._most:
            self._asked.popitem(last=False)
        return await asyncio.shield(task)
