"""The lobbies and matches of this process, and where to find them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping

from games.core import names
from games.core.contract import AnyGame, Seat
from server.cluster.peers import Peers
from server.cluster.seeds import SharedSeeds
from server.errors import Refusal
from server.lobbies.occupied import Occupied
from server.matches.importer import UnfinishedMatch
from server.matches.lobby import Lobby

CLOSED = 500
"""At most this many lobbies that are over or cancelled are kept."""


class Lobbies:
    """A match may be `waiting` to be resumed after a restart. Every other lobby is `unfinished`,
    then `closed` for a while."""

    def __init__(self, games: Mapping[str, AnyGame], peers: Peers, seeds: SharedSeeds) -> None:
        self.games = games
        self.waiting: dict[str, UnfinishedMatch] = {}
        """In the order in which they are resumed."""
        self.unfinished: OrderedDict[str, Lobby] = OrderedDict()
        """Open and running, oldest first."""
        self.closed: OrderedDict[str, Lobby] = OrderedDict()
        self.occupied = Occupied()
        self.new_id = peers.new_id
        self._seeds = seeds
        self._reserved: dict[int, str] = {}
        """Seeds of games to come, and under which id the other processes know of them."""

    # --- finding

    def game(self, name: str) -> AnyGame:
        """Raises Refusal."""
        game = self.games.get(name) or self.games.get(name.lower())
        if game is None:
            text, allowed = f"no game is called {name!r}", sorted(self.games)
            raise Refusal(404, "unknown_game", text, field="game", allowed=allowed)
        return game

    def get(self, id_: str) -> Lobby | None:
        return self.unfinished.get(id_) or self.closed.get(id_)

    def find(self, lobby: str, game: str | None = None) -> Lobby:
        """By id, else the oldest public one that is called so: open before closed, of this game
        before others. Raises Refusal."""
        wanted = None if game is None else self.game(game)

        def order(one: Lobby) -> tuple[bool, bool]:
            return wanted not in (None, one.game), not one.free

        found = self.get(lobby) or min(self._called(lobby), key=order, default=None)
        if found is None:
            raise Refusal(404, "no_such_lobby", f"no lobby is called {lobby!r}", field="lobby")
        if wanted not in (None, found.game):
            plays = found.game.name
            text = f"this lobby plays {plays}"
            raise Refusal(409, "other_game", text, field="game", allowed=[plays])
        return found

    def has(self, lobby: str) -> bool:
        """Whether such a lobby (an id or a name) is here, or its match will be resumed here."""
        return self.is_resuming(lobby) or self.get(lobby) is not None or any(self._called(lobby))

    def _called(self, name: str) -> Iterator[Lobby]:
        """Public ones of this name, oldest first."""
        called = names.composed(name)
        public = (lobby for lobby in self.unfinished.values() if not lobby.setup.private)
        return (lobby for lobby in public if lobby.setup.name == called)

    def public(self, game: str | None = None, state: str | None = None) -> list[Lobby]:
        """Public ones, newest first."""
        every = [*self.closed.values(), *self.unfinished.values()]
        public = [lobby for lobby in reversed(every) if not lobby.setup.private]
        of_game = [lobby for lobby in public if game in (None, lobby.game.name)]
        return [lobby for lobby in of_game if state in (None, lobby.state)]

    def any_open(self, game: str, seat: Seat | None) -> Lobby | None:
        """The oldest one that anyone may join, with this seat free (None: any seat)."""
        for lobby in self.unfinished.values():
            anyone = not lobby.setup.private and not lobby.access.locked
            seats = [one for one in lobby.free if seat in (None, one.number)]
            if anyone and seats and lobby.game.name == game:
                return lobby
        return None

    # --- what is to be resumed

    def expect(self, matches: Iterable[UnfinishedMatch]) -> None:
        """These are to be resumed, in this order."""
        self.waiting = {left.id: left for left in matches}

    def settle(self, left: UnfinishedMatch) -> None:
        """This match is resumed, or cannot be."""
        self.waiting.pop(left.id, None)
        left.settled.set()

    def is_resuming(self, lobby: str) -> bool:
        """Whether this is the id of a match that is still to be resumed, or the public name of such
        a match only."""
        if not self.waiting or lobby in self.waiting:
            return bool(self.waiting)
        waiting = [left.name for left in self.waiting.values()]
        return names.composed(lobby) in waiting and not any(self._called(lobby))

    def to_be_resumed(
        self, *, match: str | None = None, token: str | None = None
    ) -> asyncio.Event | None:
        """For a match, or that of a seat's token, that is still to be resumed: what is set when it
        is, or cannot be."""
        of_token = (left for left in self.waiting.values() if left.role(token) == "seat")
        left = self.waiting.get(match or "") or next(of_token, None)
        return None if left is None else left.settled

    # --- counting

    @property
    def left(self) -> int:
        """Matches that are played, or will be as soon as all seats have said hello."""
        lobbies = self.unfinished.values()
        playing = sum(lobby.state == "running" or not lobby.free for lobby in lobbies)
        return playing + len(self.waiting)

    @property
    def seeds(self) -> set[int]:
        """Of all matches that have not ended, and of games to come."""
        return {lobby.setup.seed for lobby in self.unfinished.values()} | self._reserved.keys()

    async def reserve(self, seed: int) -> None:
        """A game with this seed is to come: records of others with this seed stay secret until
        then. Raises SQLAlchemyError."""
        id_ = self.new_id()
        await self._seeds.put(id_, seed)
        self._reserved[seed] = id_

    def let_go(self, seed: int) -> None:
        """It has begun, or never will."""
        self._seeds.drop(self._reserved.pop(seed))

    # --- changing

    def add(self, lobby: Lobby) -> None:
        self.unfinished[lobby.id] = lobby

    def changed(self, lobby: Lobby) -> None:
        """Seats or the state have changed."""
        self.occupied.update(lobby)

    def close(self, lobby: Lobby) -> list[Lobby]:
        """It is over or cancelled. Those closed ones that are not kept any longer."""
        del self.unfinished[lobby.id]
        self.closed[lobby.id] = lobby
        self.changed(lobby)
        return [self.closed.popitem(last=False)[1] for _ in range(len(self.closed) - CLOSED)]
