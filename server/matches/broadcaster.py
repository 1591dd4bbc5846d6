"""What the seats and the viewers of a match are sent. Events are recorded first.

Everyone sees the moment at which the turn was opened. What happens while it is open reaches no
other client before it is closed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial

from msgspec import UNSET, UnsetType

from client_sdk.start import clock_of
from client_sdk.wire.codes import DONE
from client_sdk.wire.messages import End, Event, MatchStart, View
from games.core.contract import Json, Pacing, Reply, Seat
from games.core.match import Match
from server.matches.client import Client, MakeFrame
from server.matches.clock import Countdown, SeatClock, whole_ms
from server.matches.gallery import Gallery
from server.matches.match_seat import MatchSeat
from server.matches.record import JournalFile
from server.matches.snapshot import Snapshot, Snapshots
from server.net.transport import framed


@dataclass(slots=True, eq=False)
class Broadcaster:
    """What the seats and the viewers of a match are sent. It has a method for each kind of message,
    hence their number."""

    _id: str
    _match: Match
    _pacing: Pacing
    _seats: Sequence[MatchSeat]
    _viewers: AbstractSet[Client]
    """Those of the lobby; they come and go."""
    _commitment: str
    _countdown: Countdown
    _file: JournalFile
    _spectator_delay: int
    gallery: Gallery = field(init=False)
    _snapshots: Snapshots = field(init=False)
    _opened_for: AbstractSet[Seat] | None = field(default=None, init=False)
    """The seats that were awaited when the turn was opened; None: no turn was."""
    _has_banks: bool = field(init=False)
    _opened_banks: tuple[int | None, ...] = field(default=(), init=False)
    """What was left of each seat's bank when the turn was opened, ms."""
    _events: list[bytes] = field(default_factory=list, init=False)
    """For all, when the turn is closed."""
    _infos: list[bytes] = field(default_factory=list, init=False)
    """The same for the viewers."""
    _steps: list[Json] = field(default_factory=list, init=False)
    """The commands of the open turn."""

    def __post_init__(self) -> None:
        self._snapshots = Snapshots(self._match)
        turns = self._pacing.tick_ms is None
        self._has_banks = turns and any(seat.clock.has_bank for seat in self._seats)
        self.gallery = Gallery(
            self._viewers, self._spectator_delay, self._file.size, self._viewers_greeting
        )

    # --- views

    def send_start(self) -> None:
        """The start message, to all seats back to back."""
        self._snapshots.take()
        numbers = [seat.number for seat in self._seats]
        frames = [self._start(self._snapshots.seat(number), number) for number in numbers]
        for seat, frame in zip(self._seats, frames, strict=True):
            if seat.client is not None:
                seat.client.send(frame)
        self.gallery.begin(self._snapshots.spectator)

    def take_snapshots(self) -> None:
        """Without sending any view."""
        self._snapshots.take()
        self.gallery.begin(self._snapshots.spectator)

    def views(self, awaited: frozenset[Seat]) -> list[tuple[MatchSeat, MakeFrame]]:
        """The views of a new moment, ready for the seats. The turn is opened for `awaited`."""
        self._snapshots.take()
        self._opened_for = awaited
        return [(seat, self._seat_show(seat, seat.number in awaited)) for seat in self._seats]

    def show_viewers(self) -> None:
        self.gallery.show(self._snapshots.spectator)

    def note_banks(self) -> None:
        """The clocks of the turn are open."""
        if self._has_banks:
            self._opened_banks = self._banks_at(time.monotonic_ns())

    def show_clocks(self) -> None:
        """The time of each seat as a turn opens, for viewers that come while it is open; to all
        viewers where it is not what the start message says for all seats. It is not recorded: the
        clocks of a turn are."""
        asked = self._opened_for
        if not asked or self._pacing.realtime:
            return
        announce = self._has_banks or len(asked) < len(self._seats)
        clocks = partial(self._opened_clocks, asked, self._opened_banks)
        self.gallery.show_clocks(clocks, announce=announce)

    def _opened_clocks(
        self, asked: AbstractSet[Seat], banks: tuple[int | None, ...]
    ) -> dict[str, Json] | None:
        """None: no seat has a limit."""
        within = [seat.clock.turn_ms if seat.number in asked else None for seat in self._seats]
        if self._has_banks:
            return {"within_ms": within, "bank_ms": banks}
        return None if all(ms is None for ms in within) else {"within_ms": within}

    def _banks_at(self, at: int) -> tuple[int | None, ...]:
        return tuple([_bank_ms(seat.clock, at) for seat in self._seats])

    def _banks(self, viewer: Seat, at: int) -> tuple[int | None, ...] | UnsetType:
        """What this seat may know of the banks at this moment: where others have the same turn, not
        whether they have answered."""
        if not self._has_banks:
            return UNSET
        if self._opened_for is None or len(self._opened_for) < 2:
            return self._banks_at(at)
        own, opened = _bank_ms(self._seats[viewer].clock, at), self._opened_banks
        return (*opened[:viewer], own, *opened[viewer + 1 :])

    def _viewers_greeting(self, shown: Snapshot) -> list[bytes]:
        """The start message; encoded once for all viewers that are greeted at the same time."""
        return [self._start(shown, None), *([] if self.gallery.delayed else self._resumed())]

    def greet_seat(self, seat: MatchSeat) -> None:
        """The same to a seat. If the turn was opened for it alone, it sees what it has done."""
        if not self._snapshots.taken or seat.client is None:
            return
        if self._opened_for == {seat.number}:
            self._snapshots.refresh(seat.number)
        snapshot = self._snapshots.seat(seat.number)
        for frame in [self._start(snapshot, seat.number), *self._resumed()]:
            seat.client.send(frame)
        if self._opened_for is None or seat.turn.silent is not None:
            return
        if seat.number in self._match.awaited:
            show, timed = self._seat_show(seat, True), self._pacing.tick_ms is None
            seat.client.show(snapshot.turn, show, waited_for=timed)

    def _resumed(self) -> list[bytes]:
        """How long the other seats of an interrupted match are waited for."""
        left = self._countdown.left_ms("gathering", time.monotonic_ns())
        if left is None:
            return []
        return [framed(Event("resumed", self._match.turn, None, {"within_ms": left}))]

    def _start(self, snapshot: Snapshot, seat: Seat | None) -> bytes:
        match, at = self._match, time.monotonic_ns()
        within_ms = self._countdown.left_ms("preprocessing", at)
        return framed(
            MatchStart(
                match=self._id,
                game=match.game.name,
                seat=seat,
                seats=tuple(seat.info() for seat in self._seats),
                config=match.config,
                clock=clock_of(self._pacing),
                commitment=self._commitment,
                turn=snapshot.turn,
                seq=snapshot.seq,
                view=snapshot.body(),
                within_ms=None if seat is None and self.gallery.delayed else within_ms,
                banks_ms=UNSET if seat is None else self._banks(seat, at),
            )
        )

    def _seat_show(self, seat: MatchSeat, act: bool) -> MakeFrame:
        """Makes a seat's view message at its hand-over, with the time that is left then."""
        snapshot = self._snapshots.seat(seat.number)
        once = () if seat.client is None else seat.client.once
        body = snapshot.body(once)
        timed = act and self._pacing.tick_ms is None
        if not (act or self._has_banks):
            return lambda skipped: snapshot.frame(once, skipped)

        def show(skipped: int) -> bytes:
            turn, seq, at = snapshot.turn, snapshot.seq, time.monotonic_ns()
            banks = self._banks(seat.number, at)
            if not timed:
                return framed(View(turn, seq, body, act, skipped=skipped, banks_ms=banks))
            left, _ = seat.clock.left(at)
            within = None if left is None else whole_ms(left)
            bank_ms = None if banks is UNSET else banks[seat.number]
            return framed(View(turn, seq, body, True, within, bank_ms, skipped, banks))

        return show

    # --- events

    def flush(self) -> None:
        """Nothing is shown or acknowledged before its lines are in the file. Raises OSError."""
        self._file.flush()

    def record(self, event: str, seat: Seat | None, data: Json = None) -> None:
        """In the journal only."""
        self._file.event(self._match.turn, seat, event, data)

    def announce(self, event: str, seat: Seat | None, data: Json = None) -> None:
        """To everyone, now."""
        self.record(event, seat, data)
        self._file.flush()
        frame = framed(Event(event, self._match.turn, seat, data))
        for client in self._seated():
            client.send(frame)
        self.gallery.send([frame])

    def announce_later(
        self, event: str, seat: Seat | None, data: dict[str, Json], **recorded: Json
    ) -> None:
        """To everyone, when the turn is closed. `recorded`: data for the journal only."""
        self.record(event, seat, data | recorded)
        self._events.append(framed(Event(event, self._match.turn, seat, data)))

    def inform_viewers(self, seat: Seat, data: Json) -> None:
        """When the turn is closed."""
        self._file.info(self._match.turn, seat, data)
        self._infos.append(framed(Event("info", self._match.turn, seat, data)))

    def add_steps(self, seat: Seat, commands: Sequence[Json], replies: Sequence[Reply]) -> None:
        """What a seat did in the open turn, for the clients that ask for every step. They get it
        when the turn is closed: one that comes in the middle of a turn sees the moment at which it
        was opened, and gets all that followed."""
        for raw, reply in zip(commands, replies, strict=False):
            if reply.ok:
                self._steps.append({"seat": seat, "command": raw, "changes": reply.changes})

    def release(self) -> None:
        """The turn is closed: send what was kept back. What came of the turn is in the file before
        that, so that a crash takes back nothing that was shown. By turns, the views that come next
        do not wait for the line that closes the turn."""
        self._file.flush(hashed=self._pacing.realtime)
        for client in self._seated():
            client.release()
        wanting = [client for client in self.clients() if client.steps] if self._steps else []
        if wanting and self._snapshots.taken:
            frame = framed(Event("steps", self._snapshots.spectator.turn, None, self._steps))
            for client in wanting:
                if client.seat is not None:
                    client.send(frame)
            self.gallery.send([frame], steps=True)
        self._steps.clear()
        for client in self._seated() if self._events else ():
            for frame in self._events:
                client.send(frame)
        if self._events or self._infos:
            self.gallery.send(self._events + self._infos)
            self._events.clear()
            self._infos.clear()

    def drop_views(self) -> None:
        """A view cannot be made: none is waited for."""
        for client in self._seated():
            client.show_no_more()
        self.gallery.drop_views()

    def send_end(self, result: dict[str, Json]) -> None:
        frame = framed(End(result))
        for client in self._seated():
            client.send_last(frame)
            client.close(DONE)
        self.gallery.end(frame)

    def clients(self) -> list[Client]:
        return self._seated() + self.gallery.viewers

    def _seated(self) -> list[Client]:
        return [seat.client for seat in self._seats if seat.client is not None]


def _bank_ms(clock: SeatClock, at: int) -> int | None:
    return whole_ms(clock.bank_left(at)) if clock.has_bank else None
