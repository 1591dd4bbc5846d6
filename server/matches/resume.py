"""After a crash: a match as its journal left it, ready to be played on.

The record is played again, which proves it on the way; a line that was not written whole is cut off. What was charged so far is
in the stamps, so that the banks go on where they stood; what is counted for the result, and how long each seat may still be away,
is in the other lines. The turn that was open begins anew for its seats, but what was done in it is done.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client_sdk.wire.messages import FrameId
from games.core.contract import AnyGame, Pacing, Reply, Seat
from games.core.journal import Line, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from games.core.text import text_of
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.limits import paced
from server.matches.places import Tally
from server.matches.record import JournalFile

Json = Any

HOSTED = {"lobby", "private", "faults", "clock", "map_name", "started", "doors"}
"""What a server's header has besides."""
CHAIR = {"name", "kind", "bot", "token"}
HOUSE = {"not_started", "no_turn", "future_turn", "stale_turn", "too_many"}
"""The house's own refusals, which are no rejects of the game."""
ALL = 1 << 62
"""Charged to who ran out of time: everything that was left."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """`match` writes on into `file`."""

    header: Mapping[str, Json]
    match: Match
    pacing: Pacing
    clocks: tuple[SeatClock, ...]
    histories: tuple[History, ...]
    file: JournalFile
    first_turn: int


def interrupted(path: Path, held: int, games: Mapping[str, AnyGame]) -> Interrupted:
    """Play an unfinished journal again, to go on in it: we `hold` it, so that nobody adds a line meanwhile. Blocks: not for the
    loop.

    Raises Broken or Differs for a record that does not hold (under these rules), OSError for one that cannot be read; then the
    file is closed.
    """
    try:
        return _interrupted(path, held, games)
    except BaseException:
        os.close(held)
        raise


def _interrupted(path: Path, held: int, games: Mapping[str, AnyGame]) -> Interrupted:
    record = path.read_bytes()
    rerun = Rerun(games)
    accounts: Accounts | None = None
    histories: tuple[History, ...] = ()
    head = ""
    for line in lines(text_of(record, exact=True)):
        before = rerun.turn
        rerun.take(line)
        head = line.chain
        if accounts is None:
            accounts = Accounts(rerun)
            histories = tuple(History() for _ in accounts.clocks)
        else:
            accounts.take(line, before)
            for seat, history in enumerate(histories):
                if line.fields.get("s") == seat:
                    history.take(line.fields, rerun.reply)
                if rerun.turn != before:
                    history.turn_over()
    if accounts is None or rerun.match is None or rerun.header is None or rerun.ended or not _hosted(rerun.header, rerun.match):
        raise Differs("unreadable", "no match of a server that could go on")
    accounts.stop()
    for history, thought in zip(histories, accounts.thought, strict=True):
        tally = history.tally
        tally.think_total, tally.think_max, tally.lag, tally.bank = thought
    file = JournalFile.again(path, held, head, record.rfind(b"\n") + 1)
    rerun.write_on(file)
    file.flush()
    clocks = tuple(accounts.clocks)
    return Interrupted(rerun.header, rerun.match, accounts.pacing, clocks, histories, file, accounts.first_turn)


def _hosted(header: Mapping[str, Json], match: Match) -> bool:
    """Whether it names all that a server needs to hold the seats."""
    seats, doors = header["seats"], header.get("doors")
    return (
        header.keys() >= HOSTED
        and isinstance(doors, list)
        and len(seats) == match.seats
        and all(seat.keys() >= CHAIR for seat in seats)
    )


@dataclass(slots=True)
class History:
    """What one seat's lines say about it, besides its moves and its clock."""

    tally: Tally = field(default_factory=Tally)
    absence: int | None = None
    """ns that the match may still wait for it; None: it was never away."""
    frames: dict[tuple[int, FrameId], list[tuple[Json, Reply]]] = field(default_factory=dict)
    """What its frames of the open turn have led to, by turn and id."""
    _timeouts: int = 0
    """Of the open turn, which begins anew."""

    def take(self, fields: Mapping[str, Json], reply: Reply | None) -> None:
        """A line of this seat, and the fate of the command if it is one."""
        if fields["k"] == "event":
            self._event(fields["e"], fields["d"] or {})
        elif fields["k"] == "command" and reply is not None:
            stamps = fields.get("t") or {}
            self.tally.late += reply.code == "stale_turn"
            self.tally.rejects += reply.verdict == "rejected" and reply.code not in HOUSE
            if "frame" in stamps:
                self.frames.setdefault((fields["n"], stamps["frame"]), []).append((fields["c"], reply))

    def _event(self, event: str, data: Mapping[str, Json]) -> None:
        self.tally.absences += event == "away"
        self.tally.bad_frames += event == "bad_frame"
        if event == "tally":
            self.tally.dropped, self.tally.skipped = data["dropped"], data["skipped"]
        self._timeouts += event == "timeout"
        if event in ("away", "back") and "within_ms" in data:
            self.absence = data["within_ms"] * MS

    def turn_over(self) -> None:
        self.tally.timeouts += self._timeouts
        self._timeouts = 0
        self.frames.clear()


class Accounts:
    """The seats' clocks while a record is played again: their banks, what the network has had of them, what they thought."""

    def __init__(self, rerun: Rerun) -> None:
        """The header was taken. Raises Refusal for limits that no lobby can have."""
        assert rerun.match is not None
        assert rerun.header is not None
        self._match = rerun.match
        self.first_turn: int = rerun.match.turn
        self.pacing = paced(rerun.match.pacing, rerun.header.get("faults"), rerun.header.get("clock") or {})
        self.clocks = [seat_clock(self.pacing, seat.get("kind", "bot")) for seat in rerun.header["seats"]]
        self._awaited = rerun.match.awaited
        self._tallies = [Tally() for _ in self.clocks]
        self._charged: dict[Seat, tuple[int, int]] = {}
        """Of the open turn, and what the network had of it."""

    def take(self, line: Line, turn: int | None) -> None:
        """A line that was just taken; `turn` was open before it."""
        fields = line.fields
        event = fields["e"] if fields["k"] == "event" else None
        stamps = fields.get("t") if fields["k"] == "command" else None if event is None else (fields["d"] or {}).get("clock")
        if stamps and "charged" in stamps:
            self._charged[fields["s"]] = round(stamps["charged"] * MS), round(stamps.get("lag", 0) * MS)
        elif event == "timeout":
            self._charged[fields["s"]] = ALL, 0
        elif event == "resumed":
            self._pay(self._awaited - self._match.awaited, turn)
            self._awaited = self._match.awaited
            self._charged.clear()
        if self._match.turn != turn:
            self._pay(self._awaited, turn)
            self._awaited = self._match.awaited
            self._charged.clear()

    def stop(self) -> None:
        """The record ends here: who has answered the open turn already has paid for it."""
        self._pay(self._awaited - self._match.awaited, self._match.turn)

    @property
    def thought(self) -> list[tuple[int, int, int, int | None]]:
        """What is counted of them for the result: all that was charged, the most, what the network had, what is left, ns."""
        pairs = zip(self._tallies, self.clocks, strict=True)
        return [(tally.think_total, tally.think_max, tally.lag, clock.bank if clock.has_bank else None) for tally, clock in pairs]

    def _pay(self, seats: frozenset[Seat], turn: int | None) -> None:
        for seat in seats:
            charged, lag = self._charged.get(seat, (0, 0))
            clock = self.clocks[seat]
            clock.open(0, first=turn == self.first_turn)
            clock.lag_used += lag
            self._tallies[seat].thought(clock.close(charged).charged, lag)
