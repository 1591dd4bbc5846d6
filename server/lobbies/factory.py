"""Makes lobbies: for requests, and for matches that were interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games import GAMES
from games.core.contract import AnyGame, BadSetup
from server.cluster.seeds import SharedSeeds
from server.errors import Refusal, bad_setup
from server.lobbies.admission import Admission
from server.lobbies.begun import Begun, begun, map_text
from server.lobbies.bots import HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import CreatedLobby, LobbyRequest
from server.lobbies.tokens import Tokens
from server.matches.access import Access
from server.matches.limits import paced
from server.matches.lobby import Lobby, Observer
from server.matches.record import JournalFile
from server.matches.resume import Interrupted
from server.matches.setup import LobbyContext, Setup
from server.offload import Offload
from server.tokens import new_token

T = TypeVar("T")


class LobbyFactory:
    def __init__(
        self,
        lobbies: Lobbies,
        tokens: Tokens,
        admission: Admission,
        bots: HouseBots,
        seeds: SharedSeeds,
        context: LobbyContext,
        offload: Offload,
        observer: Observer,
    ) -> None:
        self._lobbies = lobbies
        self._tokens = tokens
        self._admission = admission
        self._bots = bots
        self._seeds = seeds
        self._context = context
        self._offload = offload
        self._observer = observer

    async def create(
        self,
        request: LobbyRequest,
        by: str | None,
        then: Callable[[CreatedLobby], T],
        *,
        id_: str | None = None,
        bots: Sequence[str] = (),
        empty: bool = False,
    ) -> T:
        """A new lobby, and what `then` makes of it before any other client can see it. `by`: the
        account or address whose limits count; None: the server itself. `bots`: house bots that
        `then` starts. `empty`: `then` takes no seat. Raises Refusal."""
        id_ = id_ or self._lobbies.new_id()
        with self._admission.quota(id_, by, empty=empty):
            game = self._lobbies.game(request.game)
            request = request.checked()
            self._bots.check(game.name, bots, "bots")
            setup = await self._setup(game, request, bots)
            owner, invite = new_token("owner", id_), new_token("invite", id_)
            lobby = self._add(id_, setup, Access.create(owner, invite, request.password))
            self._tokens.add(lobby)
            answer = then(CreatedLobby(lobby, owner, invite))
        await self._publish(lobby)
        return answer

    def resume(self, id_: str, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. House bots start again, with new tokens."""
        header = left.header
        request = LobbyRequest(
            game=left.match.game.name,
            name=header.lobby,
            config=header.config,
            map=header.map_name,
            private=header.private,
            rated=header.rated,
            start_timeout_ms=left.pacing.startup_ms,
            faults=header.faults,
            clock=header.clock,
            spectator_delay=header.spectator_delay,
        )
        setup = request.setup(left.match, left.pacing, header.seed, header.map)
        lobby = self._add(id_, setup, Access(header.salt, header.doors))
        self._tokens.add_resumed(lobby)
        lobby.resume(left, file)
        self._lobbies.changed(lobby)
        structlog.get_logger().info("resumed", match=lobby.id, turn=left.match.turn)
        for seat in lobby.seats:
            if seat.bot is not None and seat.bot in self._bots.names(lobby.game.name):
                token = new_token("seat", lobby.id)
                lobby.hand(seat.number, token)
                self._tokens.add_seat(lobby, seat)
                self._bots.start(lobby, seat.bot, token)

    async def _setup(self, game: AnyGame, request: LobbyRequest, bots: Sequence[str]) -> Setup:
        """The match and its limits. Raises Refusal."""
        text = map_text(game.name, request.map, request.map_text)
        ready = request.begun if game is GAMES.get(game.name) else None
        if ready is None:
            ready = await self._begun(game, request, text, bots)
        match = ready.match(game)
        try:
            pacing = paced(match.pacing, request.faults, request.clock)
        except BadSetup as fault:
            raise bad_setup(fault) from None
        if len(request.bots) > match.seats:
            why, allowed = f"bots: this match has {match.seats} seats", {"maxItems": match.seats}
            raise Refusal(422, "too_many_bots", why, field="bots", allowed=allowed)
        return request.setup(match, pacing, ready.seed, text)

    async def _begun(
        self, game: AnyGame, request: LobbyRequest, text: str | None, bots: Sequence[str]
    ) -> Begun:
        """Raises Refusal."""
        arguments = game, request.config, request.seed, text
        if game.quick_setup and (text is None or request.map is not None):
            return begun(*arguments, uploaded=False)
        made = await self._offload.answer(begun, *arguments, uploaded=request.map is None)
        # again: a large board takes a second, in which a drain may begin and other bots may start
        self._admission.check()
        self._bots.check(game.name, bots, "bots")
        return made

    def _add(self, id_: str, setup: Setup, access: Access) -> Lobby:
        lobby = Lobby(id_, setup, access, self._context, self._observer)
        self._lobbies.add(lobby)
        return lobby

    async def _publish(self, lobby: Lobby) -> None:
        """Let the other processes know a new lobby's seed before its creator knows of the lobby.
        Raises Refusal."""
        try:
            await self._seeds.put(lobby.id, lobby.setup.seed)
            if not lobby.unfinished:
                self._seeds.drop(lobby.id)
        except SQLAlchemyError:
            if lobby.unfinished:
                lobby.stop("no_store")
            text = "the server's database does not answer; try again later"
            raise Refusal(503, "no_store", text) from None
