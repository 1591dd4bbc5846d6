"""Which token opens what."""

from __future__ import annotations

from collections.abc import Iterable

from games.core.contract import Seat
from server.accounts.authentication import token_role
from server.lobbies.lobbies import Lobbies
from server.match_record import TokenDigests
from server.matches.lobby import Lobby
from server.matches.setup import LobbySeat
from server.tokens import digest


class Tokens:
    """Only salted digests are known of resumed matches and of those that ended before the start."""

    def __init__(self, lobbies: Lobbies) -> None:
        self._lobbies = lobbies
        self._seats: dict[str, tuple[Lobby, Seat]] = {}
        self._others: dict[str, Lobby] = {}
        """Owners' and invites'."""
        self._resumed: dict[str, Lobby] = {}
        self._ended: list[TokenDigests] = []

    # --- what changes

    def add(self, lobby: Lobby) -> None:
        """The owner's and the invite of a new lobby."""
        self._others[lobby.access.owner] = self._others[lobby.access.invite] = lobby

    def add_seat(self, lobby: Lobby, seat: LobbySeat) -> None:
        self._seats[seat.token] = lobby, seat.number

    def drop_seat(self, seat: LobbySeat) -> None:
        self._seats.pop(seat.token, None)

    def add_resumed(self, lobby: Lobby) -> None:
        self._resumed[lobby.id] = lobby

    def add_ended(self, matches: Iterable[TokenDigests]) -> None:
        """Matches that are not kept as lobbies."""
        self._ended.extend(matches)

    def forget(self, lobby: Lobby) -> None:
        """None of its tokens opens anything here any more."""
        self._resumed.pop(lobby.id, None)
        for seat in lobby.seats:
            self.drop_seat(seat)
        self._others.pop(lobby.access.owner, None)
        self._others.pop(lobby.access.invite, None)

    # --- look-up

    def seat(self, token: str) -> tuple[Lobby, Seat] | None:
        known = self._seats.get(digest(token))
        if known is not None:
            return known
        for lobby in self._resumed.values():
            if isinstance(seat := lobby.opens(token), int):
                return lobby, seat
        return None

    def ended_before(self, token: str) -> str | None:
        """The match that ended before this server was started in which this token had a seat."""
        for id_, doors, salt in self._ended:
            if token_role(doors, salt, token) == "seat":
                return id_
        return None

    def opens_something_else(self, token: str) -> bool:
        if digest(token) in self._others:
            return True
        if any(isinstance(lobby.opens(token), str) for lobby in self._resumed.values()):
            return True
        if any(left.role(token) is not None for left in self._lobbies.waiting.values()):
            return True
        return any(token_role(doors, salt, token) is not None for _, doors, salt in self._ended)
