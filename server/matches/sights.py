"""What seats saw, for those who hold their tokens: made from the journals, and grown with them while the matches run."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from client_sdk.sight import Sight
from games.core.contract import AnyGame, Seat
from games.core.journal import Broken, Reader
from games.core.rerun import Differs
from server.errors import Refusal

KEPT = 32
"""So many records are kept, so that who asks again gets what is new and nothing is played twice."""


class Sights:
    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self._kept: OrderedDict[tuple[Path, Seat], Growing] = OrderedDict()
        self._at_work = asyncio.Lock()
        """One journal is played again at a time: those who play have the processor first."""

    async def of(self, journal: Path, seat: Seat, after: int = 0) -> bytes:
        """One seat's record without its first `after` lines. Raises Refusal."""
        key = journal, seat
        growing = self._kept.setdefault(key, Growing(journal, Sight(self._games, seat)))
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        try:
            async with self._at_work:
                await asyncio.to_thread(growing.grow)
        except LookupError as fault:
            self._kept.pop(key, None)
            raise Refusal(404, "no_such_seat", str(fault), field="seat") from None
        except (Broken, Differs, OSError) as fault:
            self._kept.pop(key, None)
            raise Refusal(409, "no_such_record", f"this match's record cannot be played again here: {fault}") from None
        return "".join(growing.sight.lines[after:]).encode()


class Growing:
    """A record, and how far its journal was read."""

    __slots__ = ("_path", "_read", "_reader", "sight")

    def __init__(self, path: Path, sight: Sight) -> None:
        self._path = path
        self._read = 0
        self._reader = Reader()
        self.sight = sight

    def grow(self) -> None:
        """Take in the whole lines that have come since. Blocks: not for the loop. Raises Broken, Differs, OSError."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            whole, _, _ = file.read().rpartition(b"\n")
        for raw in whole.split(b"\n") if whole else ():
            self.sight.take(self._reader.take(raw.decode("utf-8", "surrogateescape")))
            self._read += len(raw) + 1
