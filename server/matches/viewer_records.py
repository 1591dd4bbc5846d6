"""What a viewer saw, from the journal of the match: a seat, for the holder of its token; or the
spectators, for those that come late."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from client_sdk.sight import Sight
from games.core.contract import AnyGame, Viewer
from games.core.journal import BrokenLine, JournalReader
from games.core.rerun import Differs
from server.errors import Refusal

KEPT = 32
"""Records that are kept, so that a client that asks again gets what is new without a second replay
of the whole journal."""
_kept: OrderedDict[tuple[Path, Viewer], ViewerRecord] = OrderedDict()


def viewer_record(
    journal: Path,
    viewer: Viewer,
    after: int,
    games: Mapping[str, AnyGame],
    size: int | None = None,
) -> bytes:
    """One viewer's record without its first `after` lines, in the child process. `size`: what of
    the journal of a running match may be seen, in bytes; None: all. Raises Refusal."""
    record = _kept.pop((journal, viewer), None)
    if record is None:
        # what this server is just writing, late viewers get sooner without the hashes
        record = ViewerRecord(journal, Sight(games, viewer, hashes=size is None))
    try:
        record.read_on(size)
    except LookupError as fault:
        raise Refusal(404, "no_such_seat", str(fault), field="seat") from None
    except (BrokenLine, Differs, OSError) as fault:
        why = f"this match's record cannot be played again here: {fault}"
        raise Refusal(409, "no_such_record", why) from None
    _kept[journal, viewer] = record
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return "".join(record.sight.lines[after:]).encode()


class ViewerRecord:
    """A record, and how far its journal was read."""

    __slots__ = ("_path", "_read", "_reader", "sight")

    def __init__(self, path: Path, sight: Sight) -> None:
        self._path = path
        self._read = 0
        self._reader = JournalReader()
        self.sight = sight

    def read_on(self, size: int | None) -> None:
        """Take in the whole lines that were added, up to this size of the file.

        Raises BrokenLine, Differs, OSError, LookupError."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            added = file.read(-1 if size is None else max(0, size - self._read))
            whole, _, _ = added.rpartition(b"\n")
        for raw in whole.split(b"\n") if whole else ():
            self.sight.take(self._reader.take(raw.decode("utf-8", "surrogateescape")))
            self._read += len(raw) + 1
