"""How many seats each account has in lobbies and matches that are not over."""

from __future__ import annotations

from collections import Counter

from server.matches.lobby import Lobby


class Occupied:
    def __init__(self) -> None:
        self._by_lobby: dict[str, Counter[str]] = {}
        self._seats: Counter[str] = Counter()

    def seats(self, account: str) -> int:
        return self._seats[account]

    def update(self, lobby: Lobby) -> None:
        """Count this lobby's seats as they are now."""
        self.remove(lobby)
        seats = Counter(seat.account for seat in lobby.seats if seat.account is not None)
        if seats and lobby.unfinished:
            self._by_lobby[lobby.id] = seats
            self._seats += seats

    def remove(self, lobby: Lobby) -> None:
        """This lobby is over, or another process has it now."""
        self._seats -= self._by_lobby.pop(lobby.id, Counter())
