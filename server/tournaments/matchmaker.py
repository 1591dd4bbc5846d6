"""Bring players to a game: house bots are started, accounts' bots are invited. Every seat is taken
before any player arrives.

All games of tournaments and ladders are booked here before anything is awaited, so that two of them
never get the same free place. A booking counts until its game has a lobby, or until it is released;
from then on the seats of the lobby count. So do the seats that an account has taken by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.contract import Json
from server.cluster.peers import Peers
from server.lobbies.admission import Admission
from server.lobbies.requests import HostedPlayer, LobbyRequest
from server.lobbies.service import LobbyService
from server.store import matches
from server.store.store import Store
from server.tournaments.invitations import Invitations


@dataclass(frozen=True, slots=True)
class Participant(HostedPlayer):
    """The player of a seat: a house bot, or an account's bot that plays at most `concurrency` games
    at a time."""

    concurrency: int = 1


class Matchmaker:
    """At most `at_once` games are played here at the same time, and no account's bot is invited to
    a game with which it would have more than its concurrency."""

    def __init__(
        self,
        store: Store,
        service: LobbyService,
        admission: Admission,
        invitations: Invitations,
        peers: Peers,
        at_once: int,
    ) -> None:
        self._store = store
        self._service = service
        self._lobbies = service.lobbies
        self._admission = admission
        self._invitations = invitations
        self._peers = peers
        self.at_once = at_once
        self._games: set[str] = set()
        """Matches of tournaments and ladders. Those that are over are removed at the next look."""
        self._booked: dict[str, tuple[Participant, ...]] = {}
        """By the id that the match will have."""
        self._elsewhere: list[tuple[str, str]] = []
        """Seats in running matches of all processes at the last look: match and account."""

    def adopt(self, match: str) -> None:
        """Count this match, which was begun before a restart."""
        self._games.add(match)

    async def look_elsewhere(self) -> None:
        """Learn which accounts play on other processes. Raises SQLAlchemyError."""
        if not self._peers.alone:
            async with self._store.read() as db:
                self._elsewhere = await matches.playing(db)

    def can_start(self, players: Sequence[Participant], *, kept: int = 0) -> bool:
        """Whether a game of these can begin now and leave `kept` places free. A player that is
        listed several times needs as many places."""
        if self._is_full(kept):
            return False
        wanted = Counter(player.account for player in players)
        for player in players:
            account = player.account
            if account and self._busy(account) + wanted[account] > player.concurrency:
                return False
        booked = [player for game in self._booked.values() for player in game]
        bots = sum(player.bot is not None for player in (*booked, *players))
        return self._service.bots.room_for(bots)

    @property
    def is_full(self) -> bool:
        """Whether no game can begin now."""
        return self._is_full(0)

    def _is_full(self, kept: int) -> bool:
        self._games &= self._lobbies.unfinished.keys()
        under_way = len(self._games) + len(self._booked)
        return under_way >= self.at_once - kept or not self._admission.open

    def book(self, match: str, players: Sequence[Participant], *, kept: int = 0) -> bool:
        """Book places for a game that will have this id; False: there is no room for it. `start` or
        `release` ends the booking."""
        if not self.can_start(players, kept=kept):
            return False
        self._booked[match] = tuple(players)
        return True

    def release(self, match: str) -> None:
        """End the booking of this game, if there is one."""
        self._booked.pop(match, None)

    def is_playing(self, account: str) -> bool:
        """Whether the account's bot has a seat in a game that is not over."""
        return self._busy(account) > 0

    def _busy(self, account: str) -> int:
        """The seats that the account has, or that are booked for it."""
        booked = sum(player.account == account for game in self._booked.values() for player in game)
        elsewhere = sum(
            player == account and self._lobbies.get(match) is None
            for match, player in self._elsewhere
        )
        return self._lobbies.occupied.seats(account) + booked + elsewhere

    async def start(self, match: str, request: LobbyRequest, about: Mapping[str, Json]) -> None:
        """Begin a game that is booked, and invite its players. Raises Refusal."""
        players = self._booked[match]
        try:
            lobby, tokens = await self._service.host(match, request, players)
            self._games.add(match)
        finally:
            self.release(match)  # from here on the lobby's own seats count
        for seat, token in tokens.items():
            account = players[seat].account
            assert account is not None
            self._invitations.post(account, lobby, seat, token, dict(about))
        await self._invitations.notify()
