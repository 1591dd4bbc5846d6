"""Which token opens what."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.contract import Seat
from server.accounts.gate import door
from server.lobbies.lobbies import Lobbies
from server.match_record import Door
from server.matches.room import Room
from server.matches.setup import Chair
from server.tokens import digest


class Tokens:
    """Of resumed matches and of matches that ended before the start only salted digests are known."""

    def __init__(self, lobbies: Lobbies) -> None:
        self._lobbies = lobbies
        self._seats: dict[str, tuple[Room, Seat]] = {}
        self._others: dict[str, Room] = {}
        """Owners' and invites'."""
        self._resumed: dict[str, Room] = {}
        self._ended: list[Door] = []

    # --- what changes

    def add(self, room: Room) -> None:
        """The owner's and the invite of a new lobby."""
        self._others[room.access.owner] = self._others[room.access.invite] = room

    def add_seat(self, room: Room, chair: Chair) -> None:
        self._seats[chair.token] = room, chair.seat

    def drop_seat(self, chair: Chair) -> None:
        self._seats.pop(chair.token, None)

    def add_resumed(self, room: Room) -> None:
        self._resumed[room.id] = room

    def add_ended(self, matches: Iterable[Door]) -> None:
        """Matches that are not kept as lobbies."""
        self._ended.extend(matches)

    def forget(self, room: Room) -> None:
        """None of its tokens opens anything here any more."""
        self._resumed.pop(room.id, None)
        for chair in room.chairs:
            self.drop_seat(chair)
        self._others.pop(room.access.owner, None)
        self._others.pop(room.access.invite, None)

    # --- look-up

    def seat(self, token: str) -> tuple[Room, Seat] | None:
        known = self._seats.get(digest(token))
        if known is not None:
            return known
        return next(((room, role) for room in self._resumed.values() if isinstance(role := room.opens(token), int)), None)

    def ended_before(self, token: str) -> str | None:
        """The match that ended before this server was started in which this token had a seat."""
        return next((id_ for id_, doors, salt in self._ended if door(doors, salt, token) == "seat"), None)

    def opens_something_else(self, token: str) -> bool:
        if digest(token) in self._others or any(isinstance(room.opens(token), str) for room in self._resumed.values()):
            return True
        if any(left.role(token) is not None for left in self._lobbies.waiting.values()):
            return True
        return any(door(doors, salt, token) is not None for _, doors, salt in self._ended)
