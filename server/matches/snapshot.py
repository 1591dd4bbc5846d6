"""What the viewers of a match may see of one moment. What is the same for many is encoded once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from client_sdk.wire.delta import diff
from client_sdk.wire.messages import Delta, View
from games.core.contract import SPECTATOR, AnyGame, Json, Seat, Viewer
from games.core.match import Match
from server.net.transport import framed

_encode = msgspec.json.Encoder().encode


@dataclass(slots=True, eq=False)
class Snapshot:
    """What one viewer may see of one moment: computed when first needed, and encoded once for each
    set of left-out fields."""

    _game: AnyGame
    _state: Any
    _viewer: Viewer
    turn: int
    seq: int
    _constants: dict[str, msgspec.Raw]
    """This viewer's fields that never change, as encoded once for all its snapshots."""
    before: Snapshot | None = None
    """The one before this, which deltas change."""
    public: Snapshot | None = None
    """The spectators' snapshot of the same moment, if a seat sees that and its private fields."""
    _computed: bool = field(default=False, init=False)
    _view: Json = field(default=None, init=False)
    _bodies: dict[tuple[str, ...], msgspec.Raw] = field(default_factory=dict, init=False)
    _frames: dict[tuple[str, ...], bytes] = field(default_factory=dict, init=False)
    _delta: bytes | None = field(default=None, init=False)

    @property
    def view(self) -> Json:
        if not self._computed:
            self._view = self._game.view(self._state, self._viewer)
            self._computed = True
        return self._view

    def body(self, once: tuple[str, ...] = ()) -> msgspec.Raw:
        """The view as JSON without the top-level fields `once`."""
        body = self._bodies.get(once)
        if body is None and self.public is not None:
            assert self._game.private_fields is not None
            assert self._viewer is not None
            own = _encode(self._game.private_fields(self._state, self._viewer))
            body = self._bodies[once] = msgspec.Raw(_joined(bytes(self.public.body(once)), own))
        if body is None:
            view = self.view
            if isinstance(view, dict):
                for key in self._game.constant_fields:
                    if key not in self._constants and key in view:
                        self._constants[key] = msgspec.Raw(_encode(view[key]))
                fields = [(key, value) for key, value in view.items() if key not in once]
                view = {key: self._constants.get(key, value) for key, value in fields}
            body = self._bodies[once] = msgspec.Raw(_encode(view))
        return body

    def frame(self, once: tuple[str, ...], skipped: int) -> bytes:
        """The view message for a client of which nothing is awaited."""
        if skipped:
            return framed(View(self.turn, self.seq, self.body(once), skipped=skipped))
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
        self._constants: dict[Viewer, dict[str, msgspec.Raw]] = {}
        self._seq = -1
        self._seats: list[Snapshot] = []
        self.spectator: Snapshot | None = None
        """None before the first moment."""

    def take(self) -> None:
        """This is the moment that everyone sees from now on."""
        self._seq += 1
        before = self.spectator
        if before is not None:
            before.before = None
        self.spectator = spectator = self._snapshot(SPECTATOR, before=before)
        self._seats = [self._of_seat(seat, spectator) for seat in range(self._match.seats)]

    def seat(self, seat: Seat) -> Snapshot:
        return self._seats[seat]

    def refresh(self, seat: Seat) -> None:
        """This seat sees the present moment; the others do not."""
        self._seats[seat] = self._of_seat(seat, self._snapshot(SPECTATOR))

    def _of_seat(self, seat: Seat, spectator: Snapshot) -> Snapshot:
        shared = self._match.game.private_fields is not None
        return self._snapshot(seat, public=spectator if shared else None)

    def _snapshot(
        self, viewer: Viewer, *, before: Snapshot | None = None, public: Snapshot | None = None
    ) -> Snapshot:
        match, seq = self._match, self._seq
        constants = self._constants.setdefault(viewer, {})
        return Snapshot(match.game, match.state, viewer, match.turn, seq, constants, before, public)
