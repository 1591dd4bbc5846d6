"""How many seats each account has in lobbies and matches that are not over."""

from __future__ import annotations

from collections import Counter

from server.matches.room import Room


class Occupied:
    def __init__(self) -> None:
        self._by_room: dict[str, Counter[str]] = {}
        self._seats: Counter[str] = Counter()

    def seats(self, account: str) -> int:
        return self._seats[account]

    def update(self, room: Room) -> None:
        """Count this room's seats as they are now."""
        self.remove(room)
        seats = Counter(chair.account for chair in room.chairs if chair.account is not None)
        if seats and room.unfinished:
            self._by_room[room.id] = seats
            self._seats += seats

    def remove(self, room: Room) -> None:
        """This room is over, or another process has it now."""
        self._seats -= self._by_room.pop(room.id, Counter())
