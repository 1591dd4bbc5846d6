"""Lobbies are made and seats are taken here.

Everything that takes or gives a seat happens between two awaits of the one loop, so that no seat is
ever taken twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import structlog
from sqlalchemy.exc import SQLAlchemyError

from client_sdk.wire.codes import LEAVING
from games import GAMES
from games.core.contract import AnyGame, BadSetup, Json, Seat
from games.core.parameters import configure
from server.accounts.authentication import Requester, role_of
from server.cluster.seeds import SharedSeeds
from server.errors import Refusal, bad_setup
from server.lobbies.admission import Admission
from server.lobbies.begun import Begun, begun, map_text
from server.lobbies.bots import HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import (
    NEW,
    CreatedLobby,
    HostedPlayer,
    LobbyRequest,
    SeatRequest,
    TakenSeat,
)
from server.lobbies.tokens import Tokens
from server.matches.access import Access
from server.matches.limits import paced
from server.matches.lobby import Lobby, match_record
from server.matches.messages import HandOver, Resign
from server.matches.record import JournalFile
from server.matches.resume import Interrupted
from server.matches.setup import LobbyContext, LobbySeat, PlayerKind, Setup, check_seat
from server.matches.writer import MatchWriter
from server.offload import Offload
from server.tokens import new_token

T = TypeVar("T")
_log = structlog.get_logger()


class RemoteSeats(Protocol):
    """What other processes answer to a client that wants any seat: a seat; None: no other process
    has one."""

    async def seat(self) -> Json | None: ...

    async def new_seat(self) -> Json | None: ...


class LobbyService:
    """`on_end` is called with each lobby that is over or cancelled. Nine collaborators and a few
    lines above 300: all that changes a lobby is here."""

    def __init__(
        self,
        lobbies: Lobbies,
        tokens: Tokens,
        admission: Admission,
        bots: HouseBots,
        writer: MatchWriter,
        seeds: SharedSeeds,
        context: LobbyContext,
        offload: Offload,
        on_end: Callable[[Lobby], None],
    ) -> None:
        self.lobbies = lobbies
        self.bots = bots
        self.writer = writer
        self._tokens = tokens
        self._admission = admission
        self._seeds = seeds
        self._context = context
        self._offload = offload
        self._on_end = on_end
        self._any = asyncio.Lock()
        self._hosted: set[str] = set()
        """Lobbies whose seats the server has given away itself, and that are not over."""
        self.hurry = asyncio.Event()
        """Set: `stop` waits for no match any more."""

    # --- making

    async def create(
        self, request: LobbyRequest, key: str | None = None, by: str | None = None
    ) -> CreatedLobby:
        """A new lobby. The same idempotency `key` with the same request gives the same one again.
        Raises Refusal.

        `by`: the account or the address that asks for it, whose limits count; None: the server
        itself."""

        async def make() -> CreatedLobby:
            return await self._create(request, by, lambda made: made, empty=True)

        return await (make() if key is None else self._admission.once(key, request.digest, make))

    async def host(
        self, id_: str, request: LobbyRequest, players: Sequence[HostedPlayer]
    ) -> tuple[Lobby, dict[Seat, str]]:
        """A lobby of the server's own under this id, in which these players have all seats at once;
        the tokens of those that have to be called. Raises Refusal."""

        def seat_all(made: CreatedLobby) -> tuple[Lobby, dict[Seat, str]]:
            lobby = made.lobby
            if len(lobby.seats) != len(players):
                lobby.cancel("wrong_seats")
                raise Refusal(
                    422,
                    "wrong_seats",
                    f"this match has {len(lobby.seats)} seats, not {len(players)}",
                )
            self._hosted.add(lobby.id)
            tokens = {}
            for seat, player in enumerate(players):
                taken = self._take(lobby, player.name, "bot", seat, player.bot, player.account)
                if player.bot is None:
                    tokens[seat] = taken.token
                else:
                    self.bots.start(lobby, player.bot, taken.token)
            return lobby, tokens

        bots = [player.bot for player in players if player.bot is not None]
        return await self._create(request, None, seat_all, id_=id_, bots=bots)

    async def _create(
        self,
        request: LobbyRequest,
        by: str | None,
        then: Callable[[CreatedLobby], T],
        *,
        id_: str | None = None,
        bots: Sequence[str] = (),
        empty: bool = False,
    ) -> T:
        """A new lobby, and what `then` makes of it before any other client can see it. `bots`:
        house bots that `then` starts. `empty`: `then` takes no seat. Raises Refusal."""
        id_ = id_ or self.lobbies.new_id()
        bots = [*request.bots, *bots]
        with self._admission.quota(id_, by, empty=empty and not bots):
            game = self.lobbies.game(request.game)
            request = request.checked()
            self.bots.check(game.name, bots, "bots")
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
                allowed = {"maxItems": match.seats}
                raise Refusal(
                    422,
                    "too_many_bots",
                    f"bots: this match has {match.seats} seats",
                    field="bots",
                    allowed=allowed,
                )
            owner, invite = new_token("owner", id_), new_token("invite", id_)
            lobby = self._add(
                id_,
                request.setup(match, pacing, ready.seed, text),
                Access.create(owner, invite, request.password),
            )
            self._tokens.add(lobby)
            for bot in request.bots:
                self._seat_bot(lobby, bot)
            answer = then(CreatedLobby(lobby, owner, invite))
        await self._publish(lobby)
        return answer

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
        self.bots.check(game.name, bots, "bots")
        return made

    async def _publish(self, lobby: Lobby) -> None:
        """The other processes know of a new lobby's seed before its creator knows of it. Raises
        Refusal."""
        try:
            await self._seeds.put(lobby.id, lobby.setup.seed)
            if not lobby.unfinished:
                self._seeds.drop(lobby.id)
        except SQLAlchemyError:
            if lobby.unfinished:
                lobby.stop("no_store")
            raise Refusal(
                503, "no_store", "the server's database does not answer; try again later"
            ) from None

    def _add(self, id_: str, setup: Setup, access: Access) -> Lobby:
        lobby = Lobby(id_, setup, access, self._context, self)
        self.lobbies.add(lobby)
        return lobby

    def resume(self, id_: str, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. House bots are started again, with new
        tokens."""
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
        )
        lobby = self._add(
            id_,
            request.setup(left.match, left.pacing, header.seed, header.map),
            Access(header.salt, header.doors),
        )
        self._tokens.add_resumed(lobby)
        lobby.resume(left, file)
        self.lobbies.changed(lobby)
        _log.info("resumed", match=lobby.id, turn=left.match.turn)
        for seat in lobby.seats:
            if seat.bot is not None and seat.bot in self.bots.names(lobby.game.name):
                token = new_token("seat", lobby.id)
                lobby.hand(seat.number, token)
                self._tokens.add_seat(lobby, seat)
                self.bots.start(lobby, seat.bot, token)

    # --- seats

    async def join(
        self, lobby: str, game: str | None, who: SeatRequest, requester: Requester
    ) -> TakenSeat:
        """Take a seat in this lobby (an id or a name), or in a `new` one. Raises Refusal."""
        who = who.checked()
        if lobby == NEW:
            named = self._check_seat(game, who.seat)
            requester.check("create")
            return await self._new_seat(named, who, requester)
        found = self.lobbies.find(lobby, game)
        self._let_in(found, who, requester)
        return self._seat(found, who, requester)

    async def join_any(
        self, game: str | None, who: SeatRequest, requester: Requester, elsewhere: RemoteSeats
    ) -> TakenSeat | Json:
        """Take a seat in the oldest lobby that is open: of this process, else of another, else in a
        new one. What another process answers comes back as it is. Raises Refusal."""
        requester.check("join")
        who = who.checked()
        named = self._check_seat(game, who.seat)
        async with self._any:
            lobby = self.lobbies.any_open(named, who.seat)
            if lobby is not None:
                return self._seat(lobby, who, requester)
            if (found := await elsewhere.seat()) is not None:
                return found
            if not requester.may("create"):
                raise Refusal(
                    404,
                    "no_such_lobby",
                    "no lobby of this game is open, and you may not make one",
                    field="lobby",
                )
            if (found := await elsewhere.new_seat()) is not None:
                return found
            return await self._new_seat(named, who, requester)

    async def _new_seat(self, game: str, who: SeatRequest, requester: Requester) -> TakenSeat:
        """In a new lobby with the defaults of the game."""
        request = LobbyRequest(game=game)
        return await self._create(
            request, requester.who(who.address), lambda made: self._seat(made.lobby, who, requester)
        )

    def _let_in(self, lobby: Lobby, who: SeatRequest, requester: Requester) -> None:
        """One of the lobby's own tokens is enough, as `invite` or in the Authorization header.
        Without one the requester must be allowed to join and know the password, if there is one.
        Raises Refusal."""
        role = role_of(lobby.opens(who.invite)) or role_of(lobby.opens(requester.token))
        if role is not None:
            requester.check("join_private" if lobby.setup.private else "join", role)
            return
        requester.check("join")
        if lobby.access.locked:
            self._admission.unlock(lobby, who.password, who.address)
        elif lobby.setup.private:
            requester.check("join_private")

    def _check_seat(self, name: str | None, seat: Seat | None) -> str:
        """Whether the usual match of this game has the seat; the game's name. Raises Refusal."""
        if name is None:
            raise Refusal(
                422,
                "missing",
                "game: say which game",
                field="game",
                allowed=sorted(self.lobbies.games),
            )
        game = self.lobbies.game(name)
        check_seat(seat, game.seats(configure(game, {})))
        return game.name

    def add_bot(self, lobby: Lobby, bot: str, seat: Seat | None = None) -> LobbySeat:
        """A house bot takes a seat. Raises Refusal."""
        self.bots.check(lobby.game.name, [bot])
        return self._seat_bot(lobby, bot, seat)

    def start(self, lobby: Lobby) -> None:
        """Start now: the last house bot of the game's list, its best, fills the free seats. Raises
        Refusal."""
        if lobby.state != "open":
            raise Refusal(409, "not_open", f"this lobby is {lobby.state}")
        if lobby.free:
            names = list(self.bots.names(lobby.game.name))
            if not names:
                raise Refusal(
                    409,
                    "no_bots",
                    "seats are free, and there is no house bot of this game to fill them",
                )
            self.bots.check(lobby.game.name, names[-1:] * len(lobby.free))
            for seat in lobby.free:
                self._seat_bot(lobby, names[-1], seat.number)

    def leave(self, lobby: Lobby, seat: Seat) -> None:
        """Give the seat back; in a running match: resign. Raises Refusal."""
        lobby_seat = lobby.seats[seat]
        if lobby.live is not None:
            lobby.live.post(Resign(seat))
        elif lobby.state != "open":
            raise Refusal(409, "match_over", lobby.over_text)
        elif lobby.id in self._hosted:
            raise Refusal(
                409,
                "called",
                "an invitation reserves this seat for you: resign when the match runs",
            )
        else:
            lobby.leave(seat)
            self._tokens.drop_seat(lobby_seat)
            self.lobbies.changed(lobby)

    def _seat(self, lobby: Lobby, who: SeatRequest, requester: Requester) -> TakenSeat:
        account = None if requester.account is None else requester.account.id
        return self._take(lobby, who.name, who.kind, who.seat, account=account)

    def _take(
        self,
        lobby: Lobby,
        name: str,
        kind: PlayerKind,
        seat: Seat | None,
        bot: str | None = None,
        account: str | None = None,
    ) -> TakenSeat:
        self._admission.check_draining()
        token = new_token("seat", lobby.id)
        lobby_seat = lobby.take(token, name, kind, None if seat == -1 else seat, bot, account)
        self._tokens.add_seat(lobby, lobby_seat)
        self.lobbies.changed(lobby)
        return TakenSeat(lobby, lobby_seat.number, token)

    def _seat_bot(self, lobby: Lobby, bot: str, seat: Seat | None = None) -> LobbySeat:
        taken = self._take(lobby, bot, "bot", seat, bot)
        self.bots.start(lobby, bot, taken.token)
        return lobby.seats[taken.seat]

    # --- the end

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

    def lobby_started(self, lobby: Lobby) -> None:
        self.writer.begin(match_record(lobby))
        self.lobbies.changed(lobby)

    def lobby_ended(self, lobby: Lobby) -> None:
        """A lobby is over or cancelled."""
        for old in self.lobbies.close(lobby):
            self._tokens.forget(old)
        self._put_away(lobby)
        self._on_end(lobby)
        if lobby.end is None:
            self._seeds.drop(lobby.id)
        else:
            assert lobby.file is not None
            self.writer.end(lobby.end, lobby.file)

    def _put_away(self, lobby: Lobby) -> None:
        """It is not played here any more."""
        self._hosted.discard(lobby.id)
        self.bots.end(lobby)
        self._admission.ended(lobby.id)
