"""What a seat saw, for the holder of its token, from the journal of the match."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from client_sdk.sight import Sight
from games.core.contract import AnyGame, Seat
from games.core.journal import BrokenLine, JournalReader
from games.core.rerun import Differs
from server.errors import Refusal

KEPT = 32
"""Records that are kept, so that a client that asks again gets what is new without a second replay
of the whole journal."""
_kept: OrderedDict[tuple[Path, Seat], SeatRecord] = OrderedDict()


def seat_record(journal: Path, seat: Seat, after: int, games: Mapping[str, AnyGame]) -> bytes:
    """One seat's record without its first `after` lines, in the child process. Raises Refusal."""
    record = _kept.pop((journal, seat), None) or SeatRecord(journal, Sight(games, seat))
    try:
        record.read_on()
    except LookupError as fault:
        raise Refusal(404, "no_such_seat", str(fault), field="seat") from None
    except (BrokenLine, Differs, OSError) as fault:
        why = f"this match's record cannot be played again here: {fault}"
        raise Refusal(409, "no_such_record", why) from None
    _kept[journal, seat] = record
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return "".join(record.sight.lines[after:]).encode()


class SeatRecord:
    """A record, and how far its journal was read."""

    __slots__ = ("_path", "_read", "_reader", "sight")

    def __init__(self, path: Path, sight: Sight) -> None:
        self._path = path
        self._read = 0
        self._reader = JournalReader()
        self.sight = sight

    def read_on(self) -> None:
        """Take in the whole lines that were added.

        Raises BrokenLine, Differs, OSError, LookupError."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            whole, _, _ = file.read().rpartition(b"\n")
        for raw in whole.split(b"\n") if whole else ():
            self.sight.take(self._reader.take(raw.decode("utf-8", "surrogateescape")))
            self._read += len(raw) + 1
