"""What the seats and the viewers of a match are told. What is the same for many is encoded once.

Everybody sees the moment at which the turn was opened. What happens while it is open reaches nobody else before it is closed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from client_sdk.start import clock_of
from client_sdk.wire.codes import DONE
from client_sdk.wire.delta import diff
from client_sdk.wire.messages import Delta, End, Event, Outgoing, Start, View
from games.core.contract import GALLERY, AnyGame, Pacing, Reply, Seat, Viewer
from games.core.match import Match
from games.core.parameters import described
from server.matches.client import Client, Show
from server.matches.clock import whole_ms
from server.matches.match_seat import MatchSeat
from server.transport import framed

Json = Any

_encode = msgspec.json.Encoder().encode


class Snapshot:
    """What one viewer may see of one moment, looked up when somebody asks and encoded once for each way of asking."""

    __slots__ = (
        "_bodies",
        "_delta",
        "_fixed",
        "_frames",
        "_game",
        "_looked",
        "_public",
        "_state",
        "_view",
        "_viewer",
        "before",
        "seq",
        "turn",
    )

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        viewer: Viewer,
        turn: int,
        seq: int,
        fixed: dict[str, msgspec.Raw],
        *,
        before: Snapshot | None = None,
        public: Snapshot | None = None,
    ) -> None:
        """`fixed`: this viewer's fields that never change, encoded as soon as they are known; all its pictures share it.
        `public`: the gallery's picture of the same moment, where a seat sees that and its own."""
        self.turn = turn
        self.seq = seq
        self.before = before
        """The picture before this one, which deltas change."""
        self._fixed = fixed
        self._game = game
        self._state = state
        self._viewer = viewer
        self._public = public
        self._looked = False
        self._view: Json = None
        self._bodies: dict[tuple[str, ...], msgspec.Raw] = {}
        self._frames: dict[tuple[str, ...], bytes] = {}
        self._delta: bytes | None = None

    @property
    def view(self) -> Json:
        if not self._looked:
            self._view = self._game.view(self._state, self._viewer)
            self._looked = True
        return self._view

    def body(self, once: tuple[str, ...] = ()) -> msgspec.Raw:
        """The view as JSON without the top-level fields `once`."""
        body = self._bodies.get(once)
        if body is None and self._public is not None:
            assert self._game.own is not None
            assert self._viewer is not None
            own = _encode(self._game.own(self._state, self._viewer))
            body = self._bodies[once] = msgspec.Raw(_joined(bytes(self._public.body(once)), own))
        if body is None:
            view = self.view
            if isinstance(view, dict):
                for key in self._game.fixed:
                    if key not in self._fixed and key in view:
                        self._fixed[key] = msgspec.Raw(_encode(view[key]))
                view = {key: self._fixed.get(key, value) for key, value in view.items() if key not in once}
            body = self._bodies[once] = msgspec.Raw(_encode(view))
        return body

    def frame(self, once: tuple[str, ...], skipped: int) -> bytes:
        """The view message for somebody of whom nothing is awaited."""
        if skipped:
            return framed(View(self.turn, self.seq, self.body(once), skipped=skipped))
        frame = self._frames.get(once)
        if frame is None:
            frame = self._frames[once] = framed(View(self.turn, self.seq, self.body(once)))
        return frame

    def delta(self, before: Snapshot) -> bytes:
        """The message for a viewer that holds the picture before."""
        if self._delta is None:
            self._delta = framed(Delta(self.turn, self.seq, before.seq, diff(before.view, self.view)))
        return self._delta


def _joined(one: bytes, other: bytes) -> bytes:
    """Two JSON objects that share no field as one."""
    return one if other == b"{}" else other if one == b"{}" else one[:-1] + b"," + other[1:]


class Broadcaster:
    """The places' connections and the viewers of one match."""

    def __init__(
        self,
        id_: str,
        match: Match,
        pacing: Pacing,
        places: list[MatchSeat],
        viewers: set[Client],
        commitment: str,
        first_turn: int,
    ) -> None:
        self.viewers = viewers
        self._id = id_
        self._match = match
        self._pacing = pacing
        self._places = places
        self._commitment = commitment
        self._fixed: dict[Viewer, dict[str, msgspec.Raw]] = {}
        self._pictures: list[Snapshot] = []
        self._gallery: Snapshot | None = None
        self._first = first_turn
        self._seq = -1
        self._news: list[bytes] = []
        self._steps: list[Json] = []
        """What was done in the open turn."""
        self._thoughts: list[bytes] = []
        self.preprocessing_ends: int | None = None
        """Monotonic ns; None: there is none, or it is over."""
        self.gathering_ends: int | None = None
        """Monotonic ns: how long a match that was interrupted waits for its seats; None: it does not."""

    def look(self) -> None:
        """This is the moment that everybody sees from now on."""
        self._seq += 1
        before = self._gallery
        if before is not None:
            before.before = None
        self._gallery = self._picture(GALLERY, before=before)
        self._pictures = [self._seat_picture(place.seat, self._gallery) for place in self._places]

    def _seat_picture(self, seat: Seat, gallery: Snapshot) -> Snapshot:
        return self._picture(seat, public=None if self._match.game.own is None else gallery)

    def _picture(self, viewer: Viewer, *, before: Snapshot | None = None, public: Snapshot | None = None) -> Snapshot:
        match = self._match
        fixed = self._fixed.setdefault(viewer, {})
        return Snapshot(match.game, match.state, viewer, match.turn, self._seq, fixed, before=before, public=public)

    def end_later(self, length: int) -> None:
        """A pause moves the ends of preprocessing and of gathering by so many ns."""
        if self.preprocessing_ends is not None:
            self.preprocessing_ends += length
        if self.gathering_ends is not None:
            self.gathering_ends += length

    # --- views

    def start(self) -> None:
        """The start message, to all seats back to back."""
        frames = [(place, self._start(self._pictures[place.seat], place.seat)) for place in self._places]
        for place, frame in frames:
            if place.client is not None:
                place.client.send(frame)
        for viewer in self.viewers:
            self.greet(viewer)

    def show(self, awaited: frozenset[Seat]) -> None:
        """The view, to all seats back to back, then to the viewers. A clock starts when its view was handed over: all are made
        before that."""
        shows = [(place, self._seat_show(place, place.seat in awaited)) for place in self._places]
        turn = self._match.turn
        clocks = self._pacing.tick_ms is None
        for place, show in shows:
            if clocks and place.seat in awaited:
                place.clock.open(time.monotonic_ns(), first=turn == self._first)
            if place.client is not None:
                place.client.show(turn, show, waited_for=clocks and place.seat in awaited)
        for place in self._places:
            if place.client is not None:
                place.client.connection.flush()
            place.handed = time.monotonic_ns()
            if clocks and place.seat in awaited:
                place.clock.handed(place.handed)
                place.grant_lag()
        assert self._gallery is not None
        for viewer in self.viewers:
            viewer.show(turn, _viewer_show(viewer, self._gallery))

    def greet(self, client: Client) -> None:
        """The match as it stands, to a viewer that comes in the middle of it or has lost track."""
        if self._gallery is not None:
            client.holds = self._gallery.seq
            client.send(self._start(self._gallery, None))
            self._say_resumed(client)

    def greet_seat(self, place: MatchSeat, *, alone: bool, act: bool) -> None:
        """The same to a seat. If the turn was opened for it `alone`, it sees what it has done in it already."""
        if self._gallery is None or place.client is None:
            return
        if alone:
            self._pictures[place.seat] = self._seat_picture(place.seat, self._picture(GALLERY))
        picture = self._pictures[place.seat]
        place.client.send(self._start(picture, place.seat))
        self._say_resumed(place.client)
        if act:
            place.client.show(picture.turn, self._seat_show(place, act), waited_for=self._pacing.tick_ms is None)

    def _say_resumed(self, client: Client) -> None:
        """Somebody who is back hears how long the others are waited for."""
        if self.gathering_ends is not None:
            left = max(0, whole_ms(self.gathering_ends - time.monotonic_ns()))
            client.send(framed(Event("resumed", self._match.turn, None, {"within_ms": left})))

    def _start(self, picture: Snapshot, seat: Seat | None) -> bytes:
        match = self._match
        ends = self.preprocessing_ends
        return framed(
            Start(
                match=self._id,
                game=match.game.name,
                seat=seat,
                seats=tuple(place.info() for place in self._places),
                config=described(match.rules),
                clock=clock_of(self._pacing),
                commitment=self._commitment,
                turn=picture.turn,
                seq=picture.seq,
                view=picture.body(),
                within_ms=None if ends is None else max(0, whole_ms(ends - time.monotonic_ns())),
            )
        )

    def _seat_show(self, place: MatchSeat, act: bool) -> Show:
        """Makes a seat's view message at the moment of its hand-over, with the time that is left then."""
        picture = self._pictures[place.seat]
        client = place.client
        once = () if client is None else client.once
        body = picture.body(once)
        if not act:
            return lambda skipped: picture.frame(once, skipped)
        if self._pacing.tick_ms is not None:
            return lambda skipped: framed(View(picture.turn, picture.seq, body, act=True, skipped=skipped))

        def show(skipped: int) -> bytes:
            left, bank = place.clock.left(time.monotonic_ns())
            within = None if left is None else whole_ms(left)
            bank_ms = whole_ms(bank) if place.clock.has_bank else None
            return framed(View(picture.turn, picture.seq, body, True, within, bank_ms, skipped))

        return show

    # --- events

    def tell(self, message: Outgoing) -> None:
        """To everybody, now."""
        frame = framed(message)
        for client in self.everybody():
            client.send(frame)

    def tell_later(self, message: Event) -> None:
        """To everybody, when the turn is closed."""
        self._news.append(framed(message))

    def thought(self, message: Event) -> None:
        """To the viewers, when the turn is closed."""
        self._thoughts.append(framed(message))

    def steps(self, seat: Seat, commands: Sequence[Json], replies: Sequence[Reply]) -> None:
        """What a seat did in the open turn, to those who want every step of it, when it is closed: whoever comes in the middle
        of a turn sees the moment at which it was opened, and hears all that came then."""
        for raw, reply in zip(commands, replies, strict=False):
            if reply.ok:
                self._steps.append({"seat": seat, "command": raw, "changes": reply.changes})

    def turn_closed(self) -> None:
        """What was kept back comes out."""
        wanting = [client for client in self.everybody() if client.steps]
        if wanting and self._steps and self._gallery is not None:
            frame = framed(Event("steps", self._gallery.turn, None, self._steps))
            for client in wanting:
                client.send(frame)
        self._steps.clear()
        if self._news:
            for client in self.everybody():
                for frame in self._news:
                    client.send(frame)
            self._news.clear()
        if self._thoughts:
            for client in self.viewers:
                for frame in self._thoughts:
                    client.send(frame)
            self._thoughts.clear()

    def show_no_more(self) -> None:
        """A view cannot be made: nobody waits for one any more."""
        for client in self.everybody():
            client.show_no_more()

    def end(self, result: dict[str, Json]) -> None:
        frame = framed(End(result))
        for client in self.everybody():
            client.send_last(frame)
            client.leave(DONE)

    def everybody(self) -> list[Client]:
        return [place.client for place in self._places if place.client is not None] + list(self.viewers)


def _viewer_show(viewer: Client, picture: Snapshot) -> Show:
    def show(skipped: int) -> bytes:
        held, viewer.holds = viewer.holds, picture.seq
        before = picture.before
        if viewer.deltas and before is not None and before.seq == held:
            return picture.delta(before)
        return picture.frame(viewer.once, skipped)

    return show
