"""What the viewers of a match may see of one moment. What is the same for many is encoded once."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from client_sdk.wire.delta import diff
from client_sdk.wire.messages import Delta, View
from games.core.contract import SPECTATOR, AnyGame, Json, Seat, Viewer
from games.core.match import Match
from server.net.transport import framed

_encode = msgspec.json.Encoder().encode


class Snapshot(msgspec.Struct, eq=False):
    """What one viewer may see of one moment: computed when first needed, and encoded once for each
    set of left-out fields.

    One is made for every viewer of every turn, so it begins with nothing in it."""

    _game: AnyGame
    _state: Any
    _viewer: Viewer
    turn: int
    seq: int
    _constants: dict[str, msgspec.Raw]
    """This viewer's fields that never change, as encoded once for all its snapshots."""
    public: Snapshot | None
    """The spectators' snapshot of the same moment, if a seat sees that and its private fields."""
    _view: Json | UnsetType = UNSET
    _bodies: dict[tuple[str, ...], msgspec.Raw] | None = None
    _frames: dict[tuple[str, ...], bytes] | None = None
    _delta: bytes | None = None

    @property
    def view(self) -> Json:
        if self._view is UNSET:
            game = self._game
            self._view = (game.read_only_view or game.view)(self._state, self._viewer)
        return self._view

    def body(self, once: tuple[str, ...] = ()) -> msgspec.Raw:
        """The view as JSON without the top-level fields `once`."""
        if self._bodies is None:
            self._bodies = {}
        body = self._bodies.get(once)
        if body is None:
            body = self._bodies[once] = msgspec.Raw(self._encoded(once))
        return body

    def _encoded(self, once: tuple[str, ...]) -> bytes:
        if self.public is not None:
            assert self._game.private_fields is not None
            assert self._viewer is not None
            own = self._game.private_fields(self._state, self._viewer)
            return _joined(bytes(self.public.body((*once, *own))), _encode(own))
        view = self.view
        if not isinstance(view, dict):
            return _encode(view)
        view = view.copy()
        for key in once:
            view.pop(key, None)
        for key in self._game.constant_fields:
            if key in view:
                if key not in self._constants:
                    self._constants[key] = msgspec.Raw(_encode(view[key]))
                view[key] = self._constants[key]
        return _encode(view)

    def frame(self, once: tuple[str, ...], skipped: int) -> bytes:
        """The view message for a client of which nothing is awaited."""
        if skipped:
            return framed(View(self.turn, self.seq, self.body(once), skipped=skipped))
        if self._frames is None:
            self._frames = {}
        frame = self._frames.get(once)
        if frame is None:
            frame = self._frames[once] = framed(View(self.turn, self.seq, self.body(once)))
        return frame

    def delta(self, before: Snapshot) -> bytes:
        """The message for a viewer that holds the snapshot before."""
        if self._delta is None:
            changes = diff(before.view, self.view)
            self._delta = framed(Delta(self.turn, self.seq, before.seq, changes))
        return self._delta


def _joined(one: bytes, other: bytes) -> bytes:
    """Two JSON objects that share no field as one."""
    return one if other == b"{}" else other if one == b"{}" else one[:-1] + b"," + other[1:]


class Snapshots:
    """The newest snapshots of one match: the spectators' and each seat's."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._constants: dict[Viewer, dict[str, msgspec.Raw]] = {
            viewer: {} for viewer in (SPECTATOR, *range(match.seats))
        }
        self._seq = -1
        self._seats: list[Snapshot] = []
        self.spectator = self._snapshot(SPECTATOR)
        """Of no use before the first moment is `taken`."""

    def take(self) -> None:
        """This is the moment that everyone sees from now on."""
        self._seq += 1
        self.spectator = spectator = self._snapshot(SPECTATOR)
        self._seats = [self._of_seat(seat, spectator) for seat in range(self._match.seats)]

    @property
    def taken(self) -> bool:
        return self._seq >= 0

    def seat(self, seat: Seat) -> Snapshot:
        return self._seats[seat]

    def refresh(self, seat: Seat) -> None:
        """This seat sees the present moment; the others do not."""
        self._seats[seat] = self._of_seat(seat, self._snapshot(SPECTATOR))

    def _of_seat(self, seat: Seat, spectator: Snapshot) -> Snapshot:
        shared = self._match.game.private_fields is not None
        return self._snapshot(seat, public=spectator if shared else None)

    def _snapshot(self, viewer: Viewer, *, public: Snapshot | None = None) -> Snapshot:
        match, seq = self._match, self._seq
        constants = self._constants[viewer]
        return Snapshot(match.game, match.state, viewer, match.turn, seq, constants, public)
