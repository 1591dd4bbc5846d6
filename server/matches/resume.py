"""After a crash: a match as its journal left it, ready to be played on.

The record is played again, which proves it on the way; a line that was not written whole is cut off. What was charged so far is
in the stamps, so that the banks go on where they stood. The turn that was open begins anew for its seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.core.contract import AnyGame, Pacing, Seat
from games.core.journal import Line, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.limits import paced
from server.matches.record import JournalFile

Json = Any

HOSTED = {"lobby", "private", "faults", "clock", "map_name", "started", "doors"}
"""What a server's header has besides."""
CHAIR = {"name", "kind", "bot", "token"}
ALL = 1 << 62
"""Charged to who ran out of time: everything that was left."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """`match` writes on into `file`."""

    header: Mapping[str, Json]
    match: Match
    pacing: Pacing
    clocks: tuple[SeatClock, ...]
    file: JournalFile
    first_turn: int


def interrupted(path: Path, games: Mapping[str, AnyGame]) -> Interrupted:
    """Play an unfinished journal again and open it to go on. Blocks: not for the loop.

    Raises Broken or Differs for a record that does not hold (under these rules), OSError for one that cannot be opened.
    """
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    rerun = Rerun(games)
    accounts: Accounts | None = None
    head = ""
    for line in lines(text):
        before = rerun.turn
        rerun.take(line)
        head = line.chain
        if accounts is None:
            accounts = Accounts(rerun)
        else:
            accounts.take(line, before)
    if accounts is None or rerun.match is None or rerun.header is None or rerun.ended or not _hosted(rerun.header, rerun.match):
        raise Differs("unreadable", "no match of a server that could go on")
    file = JournalFile.again(path, head, len(text[: text.rfind("\n") + 1].encode("utf-8", "surrogateescape")))
    rerun.write_on(file)
    file.flush()
    return Interrupted(rerun.header, rerun.match, accounts.pacing, tuple(accounts.clocks), file, accounts.first_turn)


def _hosted(header: Mapping[str, Json], match: Match) -> bool:
    """Whether it names all that a server needs to hold the seats."""
    seats, doors = header["seats"], header.get("doors")
    return (
        header.keys() >= HOSTED
        and isinstance(doors, list)
        and len(seats) == match.seats
        and all(seat.keys() >= CHAIR for seat in seats)
    )


class Accounts:
    """The seats' clocks while a record is played again."""

    def __init__(self, rerun: Rerun) -> None:
        """The header was taken. Raises Refusal for limits that no lobby can have."""
        assert rerun.match is not None
        assert rerun.header is not None
        self._match = rerun.match
        self.first_turn: int = rerun.match.turn
        self.pacing = paced(rerun.match.pacing, rerun.header.get("faults"), rerun.header.get("clock") or {})
        self.clocks = [seat_clock(self.pacing, seat.get("kind", "bot")) for seat in rerun.header["seats"]]
        self._awaited = rerun.match.awaited
        self._charged: dict[Seat, int] = {}

    def take(self, line: Line, turn: int | None) -> None:
        """A line that was just taken; `turn` was open before it."""
        charged = (line.fields.get("t") or {}).get("charged")
        if line.fields["k"] == "command" and charged is not None:
            self._charged[line.fields["s"]] = int(charged * MS)
        if line.fields["k"] == "event" and line.fields["e"] == "timeout":
            self._charged[line.fields["s"]] = ALL
        if self._match.turn == turn:
            return
        for seat in self._awaited:
            self.clocks[seat].open(0, first=turn == self.first_turn)
            self.clocks[seat].close(self._charged.get(seat, 0))
        self._awaited = self._match.awaited
        self._charged.clear()
