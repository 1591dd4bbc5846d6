"""Bring bots to a game: house bots are started, others are invited. A seat is taken for each before anybody comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.lobbies.desk import Desk, Guest, Wish
from server.tournaments.invitations import Invitations

Json = Any


@dataclass(frozen=True, slots=True)
class Called:
    """Who shall sit at a seat: a house bot, or an account's bot that plays so many games at a time."""

    name: str
    bot: str | None = None
    account: str | None = None
    concurrency: int = 1


class Calls:
    """No more than `at_once` games are played here at the same time."""

    def __init__(self, desk: Desk, invitations: Invitations, at_once: int) -> None:
        self._desk = desk
        self._invitations = invitations
        self.at_once = at_once
        self._games: dict[str, tuple[Called, ...]] = {}
        """By the match's id, until somebody looks and it is over."""
        self._beginning: set[str] = set()

    def known(self, match: str, players: Sequence[Called]) -> None:
        """This match is one of ours, from before a restart."""
        self._games.setdefault(match, tuple(players))

    def room_for(self, players: Sequence[Called], *, kept: int = 0) -> bool:
        """Whether a game of these can begin now, and so many places stay free; who is named several times, as many."""
        desk = self._desk
        self._games = {id_: game for id_, game in self._games.items() if id_ in desk.rooms or id_ in self._beginning}
        if len(self._games) >= self.at_once - kept or not desk.open_for_business:
            return False
        busy = Counter(player.account for game in self._games.values() for player in game)
        for player in players:
            busy[player.account] += 1
            if player.account is not None and busy[player.account] > player.concurrency:
                return False
        return desk.bots.room_for(sum(player.bot is not None for player in players))

    def plays(self, account: str) -> bool:
        """Whether the account's bot has a seat in a game here that is not over."""
        return any(player.account == account for id_ in self._games if id_ in self._desk.rooms for player in self._games[id_])

    async def play(self, match: str, wish: Wish, players: Sequence[Called], about: Mapping[str, Json]) -> None:
        """Begin a game under this id. Raises Refusal."""
        self._games[match] = tuple(players)
        self._beginning.add(match)
        try:
            room, tokens = await self._desk.host(match, wish, [Guest(one.name, one.bot, one.account) for one in players])
        finally:
            self._beginning.discard(match)
        for seat, token in tokens.items():
            account = players[seat].account
            assert account is not None
            self._invitations.post(account, room, seat, token, dict(about))
        await self._invitations.notify()
