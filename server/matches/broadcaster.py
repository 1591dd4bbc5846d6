"""What the seats and the viewers of a match are sent. Events are recorded first.

Everyone sees the moment at which the turn was opened. What happens while it is open reaches no
other client before it is closed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from client_sdk.start import clock_of
from client_sdk.wire.codes import DONE
from client_sdk.wire.messages import End, Event, MatchStart, View
from games.core.contract import Json, Pacing, Reply, Seat
from games.core.match import Match
from server.matches.client import Client, MakeFrame
from server.matches.clock import Countdown, whole_ms
from server.matches.match_seat import MatchSeat
from server.matches.record import JournalFile
from server.matches.snapshot import Snapshot, Snapshots
from server.net.transport import framed


@dataclass(slots=True, eq=False)
class Broadcaster:
    _id: str
    _match: Match
    _pacing: Pacing
    _seats: Sequence[MatchSeat]
    _viewers: AbstractSet[Client]
    """Those of the lobby; they come and go."""
    _commitment: str
    _countdown: Countdown
    _file: JournalFile
    _snapshots: Snapshots = field(init=False)
    _opened_for: AbstractSet[Seat] | None = field(default=None, init=False)
    """The seats that were awaited when the turn was opened; None: no turn was."""
    _events: list[bytes] = field(default_factory=list, init=False)
    """For all, when the turn is closed."""
    _infos: list[bytes] = field(default_factory=list, init=False)
    """The same for the viewers."""
    _steps: list[Json] = field(default_factory=list, init=False)
    """The commands of the open turn."""

    def __post_init__(self) -> None:
        self._snapshots = Snapshots(self._match)

    # --- views

    def send_start(self) -> None:
        """The start message, to all seats back to back."""
        self._snapshots.take()
        numbers = [seat.number for seat in self._seats]
        frames = [self._start(self._snapshots.seat(number), number) for number in numbers]
        for seat, frame in zip(self._seats, frames, strict=True):
            if seat.client is not None:
                seat.client.send(frame)
        for viewer in self._viewers:
            self.greet_viewer(viewer)

    def take_snapshots(self) -> None:
        """Without sending any view."""
        self._snapshots.take()

    def views(self, awaited: frozenset[Seat]) -> list[tuple[MatchSeat, MakeFrame]]:
        """The views of a new moment, ready for the seats. The turn is opened for `awaited`."""
        self._snapshots.take()
        self._opened_for = awaited
        return [(seat, self._seat_show(seat, seat.number in awaited)) for seat in self._seats]

    def show_viewers(self) -> None:
        spectator = self._snapshots.spectator
        assert spectator is not None
        for viewer in self._viewers:
            viewer.show(spectator.turn, _viewer_show(viewer, spectator))

    def greet_viewer(self, client: Client) -> None:
        """The match as it stands, to a viewer that comes in the middle of it or has lost track."""
        if (spectator := self._snapshots.spectator) is not None:
            client.holds = spectator.seq
            client.send(self._start(spectator, None))
            self._send_resumed(client)

    def greet_seat(self, seat: MatchSeat) -> None:
        """The same to a seat. If the turn was opened for it alone, it sees what it has done."""
        if self._snapshots.spectator is None or seat.client is None:
            return
        if self._opened_for == {seat.number}:
            self._snapshots.refresh(seat.number)
        snapshot = self._snapshots.seat(seat.number)
        seat.client.send(self._start(snapshot, seat.number))
        self._send_resumed(seat.client)
        if self._opened_for is None or seat.turn.silent is not None:
            return
        if seat.number in self._match.awaited:
            show, timed = self._seat_show(seat, True), self._pacing.tick_ms is None
            seat.client.show(snapshot.turn, show, waited_for=timed)

    def _send_resumed(self, client: Client) -> None:
        """How long the other seats of an interrupted match are waited for."""
        left = self._countdown.left_ms("gathering", time.monotonic_ns())
        if left is not None:
            client.send(framed(Event("resumed", self._match.turn, None, {"within_ms": left})))

    def _start(self, snapshot: Snapshot, seat: Seat | None) -> bytes:
        match = self._match
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
                within_ms=self._countdown.left_ms("preprocessing", time.monotonic_ns()),
            )
        )

    def _seat_show(self, seat: MatchSeat, act: bool) -> MakeFrame:
        """Makes a seat's view message at its hand-over, with the time that is left then."""
        snapshot = self._snapshots.seat(seat.number)
        once = () if seat.client is None else seat.client.once
        body = snapshot.body(once)
        if not act:
            return lambda skipped: snapshot.frame(once, skipped)
        timed = self._pacing.tick_ms is None

        def show(skipped: int) -> bytes:
            if not timed:
                return framed(View(snapshot.turn, snapshot.seq, body, True, skipped=skipped))
            left, bank = seat.clock.left(time.monotonic_ns())
            within = None if left is None else whole_ms(left)
            bank_ms = whole_ms(bank) if seat.clock.has_bank else None
            return framed(View(snapshot.turn, snapshot.seq, body, True, within, bank_ms, skipped))

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
        for client in self.clients():
            client.send(frame)

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
        that, so that a crash takes back nothing that was shown."""
        self._file.flush()
        spectator = self._snapshots.spectator
        wanting = [client for client in self.clients() if client.steps] if self._steps else []
        if wanting and spectator is not None:
            frame = framed(Event("steps", spectator.turn, None, self._steps))
            for client in wanting:
                client.send(frame)
        self._steps.clear()
        if self._events:
            for client in self.clients():
                for frame in self._events:
                    client.send(frame)
            self._events.clear()
        if self._infos:
            for client in self._viewers:
                for frame in self._infos:
                    client.send(frame)
            self._infos.clear()

    def drop_views(self) -> None:
        """A view cannot be made: none is waited for."""
        for client in self.clients():
            client.show_no_more()

    def send_end(self, result: dict[str, Json]) -> None:
        frame = framed(End(result))
        for client in self.clients():
            client.send_last(frame)
            client.close(DONE)

    def clients(self) -> list[Client]:
        seated = [seat.client for seat in self._seats if seat.client is not None]
        return [*seated, *self._viewers]


def _viewer_show(viewer: Client, snapshot: Snapshot) -> MakeFrame:
    def show(skipped: int) -> bytes:
        held, viewer.holds = viewer.holds, snapshot.seq
        before = snapshot.before
        if viewer.deltas and before is not None and before.seq == held:
            return snapshot.delta(before)
        return snapshot.frame(viewer.once, skipped)

    return show
