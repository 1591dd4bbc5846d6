"""What clients and tournaments do with lobbies: create them, join them; and the shutdown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from client_sdk.wire.codes import LEAVING
from games.core.contract import Json, Seat
from server.accounts.authentication import Requester
from server.errors import Refusal
from server.lobbies.admission import Admission
from server.lobbies.bots import HouseBots
from server.lobbies.factory import LobbyFactory
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import (
    NEW,
    CreatedLobby,
    HostedPlayer,
    LobbyRequest,
    SeatRequest,
    TakenSeat,
)
from server.lobbies.seating import Seating
from server.matches.lobby import Lobby
from server.matches.messages import HandOver
from server.matches.writer import MatchWriter


class RemoteSeats(Protocol):
    """What other processes answer to a client that wants any seat: a seat, or None."""

    async def seat(self) -> Json | None: ...

    async def new_seat(self) -> Json | None: ...


class LobbyService:
    def __init__(
        self,
        lobbies: Lobbies,
        admission: Admission,
        bots: HouseBots,
        writer: MatchWriter,
        factory: LobbyFactory,
        seating: Seating,
    ) -> None:
        self.lobbies = lobbies
        self.bots = bots
        self.writer = writer
        self.seating = seating
        self._admission = admission
        self._factory = factory
        self._any = asyncio.Lock()
        self.hurry = asyncio.Event()
        """Set: `stop` waits for no match any more."""

    async def create(
        self, request: LobbyRequest, key: str | None = None, by: str | None = None
    ) -> CreatedLobby:
        """A new lobby. The same idempotency `key` with the same request gives the same one again.
        `by`: the account or address whose limits count; None: the server itself. Raises Refusal."""

        def seat_bots(made: CreatedLobby) -> CreatedLobby:
            for bot in request.bots:
                self.seating.seat_bot(made.lobby, bot)
            return made

        async def make() -> CreatedLobby:
            empty = not request.bots
            return await self._factory.create(
                request, by, seat_bots, bots=request.bots, empty=empty
            )

        return await (make() if key is None else self._admission.once(key, request.digest, make))

    async def host(
        self, id_: str, request: LobbyRequest, players: Sequence[HostedPlayer]
    ) -> tuple[Lobby, dict[Seat, str]]:
        """A lobby of the server's own under this id, in which these players have all seats at once;
        the tokens of those that have to be called. Raises Refusal."""

        def seat_all(made: CreatedLobby) -> tuple[Lobby, dict[Seat, str]]:
            lobby, seats = made.lobby, len(made.lobby.seats)
            if seats != len(players):
                lobby.cancel("wrong_seats")
                text = f"this match has {seats} seats, not {len(players)}"
                raise Refusal(422, "wrong_seats", text)
            lobby.hosted = True
            tokens = {}
            for seat, player in enumerate(players):
                name, bot, account = player.name, player.bot, player.account
                taken = self.seating.take(lobby, name, "bot", seat, bot, account)
                if bot is None:
                    tokens[seat] = taken.token
                else:
                    self.bots.start(lobby, bot, taken.token)
            return lobby, tokens

        bots = [player.bot for player in players if player.bot is not None]
        return await self._factory.create(request, None, seat_all, id_=id_, bots=bots)

    async def join(
        self, lobby: str, game: str | None, who: SeatRequest, requester: Requester
    ) -> TakenSeat:
        """Take a seat in this lobby (an id or a name), or in a `new` one. Raises Refusal."""
        who = who.checked()
        if lobby == NEW:
            named = self.seating.check_seat(game, who.seat)
            requester.check("create")
            return await self._join_new(named, who, requester)
        found = self.lobbies.find(lobby, game)
        self.seating.let_in(found, who, requester)
        return self.seating.join(found, who, requester)

    async def join_any(
        self, game: str | None, who: SeatRequest, requester: Requester, elsewhere: RemoteSeats
    ) -> TakenSeat | Json:
        """Take a seat in the oldest lobby that is open: of this process, else of another, else in a
        new one. What another process answers comes back as it is. Raises Refusal."""
        requester.check("join")
        who = who.checked()
        named = self.seating.check_seat(game, who.seat)
        async with self._any:
            lobby = self.lobbies.any_open(named, who.seat)
            if lobby is not None:
                return self.seating.join(lobby, who, requester)
            if (found := await elsewhere.seat()) is not None:
                return found
            if not requester.may("create"):
                text = "no lobby of this game is open, and you may not make one"
                raise Refusal(404, "no_such_lobby", text, field="lobby")
            if (found := await elsewhere.new_seat()) is not None:
                return found
            return await self._join_new(named, who, requester)

    async def _join_new(self, game: str, who: SeatRequest, requester: Requester) -> TakenSeat:
        """In a new lobby with the defaults of the game."""
        by = requester.who(who.address)
        return await self._factory.create(
            LobbyRequest(game=game), by, lambda made: self.seating.join(made.lobby, who, requester)
        )

    async def stop(self, drain_ms: int) -> None:
        """No new matches; running ones get a moment to end, or until `hurry`; then each is left in
        its journal to the next process."""
        self._admission.leave()
        for lobby in list(self.lobbies.unfinished.values()):
            if lobby.state == "open":
                lobby.cancel("server_stopped", LEAVING)
        playing = asyncio.create_task(self._all_played())
        hurried = asyncio.create_task(self.hurry.wait())
        await asyncio.wait(
            [playing, hurried], timeout=drain_ms / 1000, return_when=asyncio.FIRST_COMPLETED
        )
        hurried.cancel()
        for lobby in list(self.lobbies.unfinished.values()):
            if lobby.live is not None:
                lobby.live.post(HandOver())
        await playing
        await self.bots.close()
        await self.writer.settle()

    async def _all_played(self) -> None:
        await asyncio.gather(*[lobby.played() for lobby in self.lobbies.unfinished.values()])
