"""A still of a released match: what a link to it shows in a chat.

It is drawn in the child process for CPU work, from the replay."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from server.errors import Refusal

if TYPE_CHECKING:
    from server.offload import Offload  # the child process needs none of it

KEPT = 256
"""Pictures that are kept, of some ten kilobytes each."""


class Pictures:
    def __init__(self, offload: Offload) -> None:
        self._offload = offload
        self._asked: OrderedDict[Path, asyncio.Task[bytes]] = OrderedDict()

    async def of(self, replay: Path) -> bytes:
        """A PNG. Many that ask for the same get one. Raises Refusal."""
        task = self._asked.pop(replay, None)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(self._offload.answer(picture, replay))
        self._asked[replay] = task
        if len(self._asked) > KEPT:
            self._asked.popitem(last=False)
        return await asyncio.shield(task)


def picture(replay: Path) -> bytes:
    """The board in the middle of a match, which does not tell how it ends. Raises Refusal."""
    from client_sdk.api import terminal
    from client_sdk.clip import png
    from client_sdk.console import UserError
    from client_sdk.replay import read
    from games.core.journal import BrokenLine
    from games.core.rerun import Differs

    try:
        record = read(replay.read_bytes())
        game = record.header.game
        if terminal.screen(game) is None or not record.frames:
            raise LookupError(f"there is no picture of {game}")
        middle = len(record.frames) // 2
        names = record.names
        return png(game, record.view(middle), names, " – ".join(names), record.view(0))
    except (BrokenLine, Differs, LookupError, OSError, UserError, ValueError) as fault:
        why = f"this match cannot be drawn here: {fault}"
        raise Refusal(404, "no_such_record", why) from None
