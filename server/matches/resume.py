"""A match that a crash interrupted, as its journal left it, ready to be played on.

The record is played again, which verifies it; a line that was not written whole is cut off. What
was charged so far is in the stamps, so that the banks go on where they stood; what is counted for
the result, and how long each seat may still be away, is in the other lines. The clocks of the turn
that was open start again, but its commands stay done."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from client_sdk import stamps
from client_sdk.wire.messages import FrameId
from games.core.contract import AnyGame, Json, Pacing, Reply, Seat
from games.core.journal import BrokenLine, Line, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from games.core.text import text_of
from server.errors import Refusal
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.limits import paced
from server.matches.match_seat import SeatCounts
from server.matches.record import JournalFile
from server.matches.setup import PlayerKind

SERVER_REFUSALS = {"not_started", "no_turn", "future_turn", "stale_turn", "too_many"}
"""Codes of the server, which do not count as rejects of the game."""
ALL = 1 << 62
"""The charge of a seat that ran out of time: everything that was left."""


class HeaderSeat(msgspec.Struct, frozen=True):
    """A seat in a server's header. `token`: its salted digest."""

    name: str
    kind: PlayerKind
    token: str
    bot: str | None
    account: str | None = None


class Header(msgspec.Struct, frozen=True):
    """What a server's header holds besides the match itself, such as who holds its seats."""

    lobby: str | None
    private: bool
    faults: str | None
    clock: dict[str, Json]
    map_name: str | None
    map: str | None
    config: dict[str, Json]
    seed: int
    salt: str
    doors: tuple[str, ...]
    started: int
    """ms since 1970."""
    seats: tuple[HeaderSeat, ...]
    format: int
    rated: bool = False
    created: int | None = None
    spectator_delay: int = 0


class Unplayable(Exception):
    """The record does not hold, or not under these rules."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A match at the end of its record."""

    header: Header
    match: Match
    pacing: Pacing
    clocks: tuple[SeatClock, ...]
    histories: tuple[History, ...]
    first_turn: int
    closed: int | None
    """The turn that the last line closed."""
    head: str
    size: int
    """Where the last whole line ends."""

    def write_on(self, path: Path, held: int) -> JournalFile:
        """Have the match write on into its journal, which we `hold`; first what the last line leads
        to. Raises OSError."""
        format_ = self.header.format
        file = self.match.journal = JournalFile.again(path, held, self.head, self.size, format_)
        if self.closed is not None:
            file.turn(self.closed, self.match.state)
        if self.match.outcome is not None:
            file.end(self.match.outcome, self.match.state)
        file.flush()
        return file


def interrupted(path: Path, games: Mapping[str, AnyGame]) -> bytes:
    """The `Interrupted` of an unfinished journal, pickled, in the child process. Raises
    Unplayable."""
    try:
        return pickle.dumps(_interrupted(path, games), pickle.HIGHEST_PROTOCOL)
    except (BrokenLine, Differs, Refusal, OSError) as fault:
        raise Unplayable(str(fault)) from None


def loaded(pickled: bytes, games: Mapping[str, AnyGame]) -> Interrupted:
    """What `interrupted` has pickled, with the game of this process."""
    found: Interrupted = pickle.loads(pickled)  # noqa: S301  our own process made it
    found.match.game = games[found.match.game.name]
    return found


def _interrupted(path: Path, games: Mapping[str, AnyGame]) -> Interrupted:
    record = path.read_bytes()
    rerun = Rerun(games)
    read = lines(text_of(record, exact=True))
    first = next(read, None)
    if first is None:
        raise Differs("unreadable", "no whole line")
    rerun.take(first)
    assert rerun.match is not None
    header, head = hosted(first), first.chain
    accounts = RestoredClocks(rerun.match, header)
    histories = tuple(History() for _ in header.seats)
    for line in read:
        before = rerun.turn
        rerun.take(line)
        head = line.chain
        accounts.take(line, before)
        for seat, history in enumerate(histories):
            if line.fields.get("s") == seat:
                history.take(line.fields, rerun.reply)
            if rerun.turn != before:
                history.turn_over()
    if rerun.ended:
        raise Differs("unreadable", "the match is over")
    accounts.stop()
    for history, thought in zip(histories, accounts.thought, strict=True):
        tally = history.tally
        tally.think_total, tally.think_max, tally.lag, tally.bank = thought
    return Interrupted(
        header,
        rerun.match,
        accounts.pacing,
        tuple(accounts.clocks),
        histories,
        accounts.first_turn,
        rerun.closed,
        head,
        record.rfind(b"\n") + 1,
    )


def hosted(line: Line) -> Header:
    """Raises Differs for a header without all that a server needs."""
    try:
        return msgspec.convert(line.fields, Header)
    except ValueError as fault:
        raise Differs("unreadable", f"no match of a server that could go on: {fault}") from None


@dataclass(slots=True)
class History:
    """What one seat's lines say about it, besides its moves and its clock."""

    tally: SeatCounts = field(default_factory=SeatCounts)
    absence: int | None = None
    """ns that the match may still wait for it; None: it was never away."""
    frames: dict[tuple[int, FrameId], list[tuple[Json, Reply]]] = field(default_factory=dict)
    """What its frames of the open turn have led to, by turn and id."""
    missing: bool = False
    """It never came, so that the match was called off."""
    _timeouts: int = 0
    """Of the open turn, whose clocks start again."""

    def take(self, fields: Mapping[str, Json], reply: Reply | None) -> None:
        """A line of this seat, and the fate of the command if it is one."""
        if fields["k"] == "event":
            self._event(fields)
        elif fields["k"] == "command" and reply is not None:
            self.tally.late += reply.code == "stale_turn"
            self.tally.rejects += reply.verdict == "rejected" and reply.code not in SERVER_REFUSALS
            frame = (fields.get("t") or {}).get("frame")
            if isinstance(frame, int | str):
                self.frames.setdefault((fields["n"], frame), []).append((fields["c"], reply))

    def _event(self, fields: Mapping[str, Json]) -> None:
        event = fields["e"]
        about = stamps.data(fields) if event in ("tally", "away", "back") else {}
        self.tally.absences += event == "away" and not about.get("excused")
        self.tally.bad_frames += event == "bad_frame"
        self._timeouts += event == "timeout"
        self.missing |= event == "missing"
        if event == "tally":
            self.tally.dropped = stamps.whole(about, "dropped")
            self.tally.skipped = stamps.whole(about, "skipped")
        elif event in ("away", "back") and "within_ms" in about:
            self.absence = stamps.whole(about, "within_ms") * MS

    def turn_over(self) -> None:
        self.tally.timeouts += self._timeouts
        self._timeouts = 0
        self.frames.clear()


class RestoredClocks:
    """The seats' clocks while a record is played again: their banks, what the network has had of
    them, what they thought."""

    def __init__(self, match: Match, header: Header) -> None:
        """The header was taken. Raises Refusal for limits that no lobby can have."""
        self._match = match
        self.first_turn: int = match.turn
        self.pacing = paced(match.pacing, header.faults, header.clock)
        self.clocks = [seat_clock(self.pacing, seat.kind) for seat in header.seats]
        self._awaited = match.awaited
        self._tallies = [SeatCounts() for _ in self.clocks]
        self._charged: dict[Seat, tuple[int, int]] = {}
        """Of the open turn, and what the network had of it."""

    def take(self, line: Line, turn: int | None) -> None:
        """A line that was just taken; `turn` was open before it."""
        fields = line.fields
        event = fields["e"] if fields["k"] == "event" else None
        if (account := stamps.turn_times(fields)) is not None:
            charged, lag = account["charged"], account.get("lag", 0)
            self._charged[fields["s"]] = round(charged * MS), round(lag * MS)
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
        else:  # a game may ask its seats some lines after the turn before was closed
            self._awaited |= self._match.awaited

    def stop(self) -> None:
        """The record ends here: seats that have answered the open turn are charged for it."""
        self._pay(self._awaited - self._match.awaited, self._match.turn)

    @property
    def thought(self) -> list[tuple[int, int, int, int | None]]:
        """What is counted of them for the result: all that was charged, the most, what the network
        had, what is left, ns."""
        pairs = zip(self._tallies, self.clocks, strict=True)
        return [
            (tally.think_total, tally.think_max, tally.lag, clock.bank if clock.has_bank else None)
            for tally, clock in pairs
        ]

    def _pay(self, seats: frozenset[Seat], turn: int | None) -> None:
        for seat in seats:
            charged, lag = self._charged.get(seat, (0, 0))
            clock = self.clocks[seat]
            clock.open(0, first=turn == self.first_turn)
            clock.lag_used += lag
            self._tallies[seat].thought(clock.close(charged).charged, lag)
