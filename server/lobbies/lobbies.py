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
from server.matches.archive import Left
from server.matches.room import Room

CLOSED = 500
"""At most this many lobbies that are over or cancelled are kept."""


class Lobbies:
    """A match may be `waiting` to be resumed after a restart. Every other lobby is `unfinished`, then `closed` for a while."""

    def __init__(self, games: Mapping[str, AnyGame], peers: Peers, seeds: SharedSeeds) -> None:
        self.games = games
        self.waiting: dict[str, Left] = {}
        """In the order in which they are resumed."""
        self.unfinished: OrderedDict[str, Room] = OrderedDict()
        """Open and running, oldest first."""
        self.closed: OrderedDict[str, Room] = OrderedDict()
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
            raise Refusal(404, "unknown_game", f"no game is called {name!r}", field="game", allowed=sorted(self.games))
        return game

    def get(self, id_: str) -> Room | None:
        return self.unfinished.get(id_) or self.closed.get(id_)

    def find(self, lobby: str, game: str | None = None) -> Room:
        """By id, else the oldest public one that is called so: open before closed, of this game before others. Raises Refusal."""
        wanted = None if game is None else self.game(game)
        room = self.get(lobby)
        if room is None:
            named = sorted(self._called(lobby), key=lambda room: (wanted not in (None, room.game), not room.free))
            room = named[0] if named else None
        if room is None:
            raise Refusal(404, "no_such_lobby", f"no lobby is called {lobby!r}", field="lobby")
        if wanted not in (None, room.game):
            raise Refusal(409, "other_game", f"this lobby plays {room.game.name}", field="game", allowed=[room.game.name])
        return room

    def has(self, lobby: str) -> bool:
        """Whether there is such a lobby here (an id or a name), or will be as soon as its match is resumed."""
        return self.is_resuming(lobby) or self.get(lobby) is not None or any(self._called(lobby))

    def _called(self, name: str) -> Iterator[Room]:
        """Public ones of this name, oldest first."""
        called = names.composed(name)
        return (room for room in self.unfinished.values() if room.setup.name == called and not room.setup.private)

    def public(self, game: str | None = None, state: str | None = None) -> list[Room]:
        """Public ones, newest first."""
        rooms = [*self.closed.values(), *self.unfinished.values()]
        return [
            room
            for room in reversed(rooms)
            if not room.setup.private and game in (None, room.game.name) and state in (None, room.state)
        ]

    def any_open(self, game: str, seat: Seat | None) -> Room | None:
        """The oldest one that anyone may join, with this seat free (None: any seat)."""
        for room in self.unfinished.values():
            public = not room.setup.private and not room.access.locked
            if room.game.name == game and public and any(seat in (None, chair.seat) for chair in room.free):
                return room
        return None

    # --- what is to be resumed

    def expect(self, matches: Iterable[Left]) -> None:
        """These are to be resumed, in this order."""
        self.waiting = {left.id: left for left in matches}

    def settle(self, left: Left) -> None:
        """This match is resumed, or cannot be."""
        self.waiting.pop(left.id, None)
        left.settled.set()

    def is_resuming(self, lobby: str) -> bool:
        """Whether this is the id of a match that is still to be resumed, or the public name of such a match only."""
        if not self.waiting or lobby in self.waiting:
            return bool(self.waiting)
        called = names.composed(lobby)
        return not any(self._called(lobby)) and any(left.name == called for left in self.waiting.values())

    def to_be_resumed(self, *, match: str | None = None, token: str | None = None) -> asyncio.Event | None:
        """For a match, or that of a seat's token, that is still to be resumed: what is set when it is, or cannot be."""
        of_token = (left for left in self.waiting.values() if left.role(token) == "seat")
        left = self.waiting.get(match or "") or next(of_token, None)
        return None if left is None else left.settled

    # --- counting

    @property
    def left(self) -> int:
        """Matches that are played, or will be as soon as all seats have said hello."""
        playing = sum(room.state == "running" or not room.free for room in self.unfinished.values())
        return playing + len(self.waiting)

    @property
    def seeds(self) -> set[int]:
        """Of all matches that have not ended, and of games to come."""
        return {room.setup.seed for room in self.unfinished.values()} | self._reserved.keys()

    async def reserve(self, seed: int) -> None:
        """A game with this seed is to come: records of others with this seed stay secret until then. Raises SQLAlchemyError."""
        id_ = self.new_id()
        await self._seeds.put(id_, seed)
        self._reserved[seed] = id_

    def let_go(self, seed: int) -> None:
        """It has begun, or never will."""
        self._seeds.drop(self._reserved.pop(seed))

    # --- changing

    def add(self, room: Room) -> None:
        self.unfinished[room.id] = room

    def changed(self, room: Room) -> None:
        """Seats or the state have changed."""
        self.occupied.update(room)

    def close(self, room: Room) -> list[Room]:
        """It is over or cancelled. Those closed ones that are not kept any longer."""
        del self.unfinished[room.id]
        self.closed[room.id] = room
        self.changed(room)
        return [self.closed.popitem(last=False)[1] for _ in range(len(self.closed) - CLOSED)]
