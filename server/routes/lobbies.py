"""Lobbies over HTTP (PROTOCOL.md §5)."""

from __future__ import annotations

import json
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Path, Query, Request
from fastapi.responses import Response
from pydantic import AfterValidator, Field

from client_sdk.bounds import LONGEST_MS
from games import GAMES
from games.core.contract import Json
from games.core.text import text_of
from server.accounts.authentication import role_of
from server.accounts.scopes import Action
from server.cluster.any_seat import AnySeat
from server.cluster.client import PeerClient
from server.errors import Refusal
from server.lobbies import requests
from server.lobbies.begun import Begun, begun, map_text
from server.lobbies.service import LobbyService
from server.matches.archive import Archive
from server.matches.incoming import NESTING, too_deep
from server.matches.limits import LONGEST_DELAY_S
from server.matches.lobby import Lobby, LobbyState, role_in
from server.matches.setup import PlayerKind
from server.net.limits import neighbourhood
from server.proxies import address
from server.routes.large import RequestBody, large_routes
from server.routes.lobby_json import lobby_json
from server.routes.may import AddsBot, Creates, Joins, Leaves, Lists, Starts, Watches
from server.routes.models import lobbies as models
from server.routes.models.answer import answers
from server.routes.parameters import LobbyName, OnlyGame
from server.routes.urls import SocketUrl

Label = Annotated[str, Field(max_length=200)]
Seed = Annotated[
    Json,
    Field(
        description="0 to 2**63-1; null: a random one.",
        json_schema_extra={"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
    ),
]
"""Checked where the match is made. FastAPI would write the greatest one as a float."""
FileText = Annotated[str, AfterValidator(text_of)]
"""What a file says that a client has read: a byte order mark is no part of it."""


class CreateLobby(RequestBody):
    """A lobby to create."""

    game: Label
    """The name of the game."""
    name: Label | None = None
    """A name for the lobby; null: none."""
    config: dict[str, Json] = Field({})
    """The game's parameters; those that are left out have their defaults."""
    map: Label | None = None
    """The name of a map of the catalogue."""
    map_text: FileText | None = None
    """The text of a map, instead of `map`."""
    seed: Seed = None
    private: bool = False
    """Do not list the lobby; the answer has an `invite`."""
    password: Label | None = Field(
        None, description="Joining requires it, except with one of the lobby's tokens."
    )
    rated: bool = Field(
        False, description="The match counts for ratings, if no person plays and there is a clock."
    )
    bots: list[Label] = Field([], max_length=64)
    """House bots that take the last seats."""
    start_timeout_ms: int = Field(120_000, ge=1, le=LONGEST_MS)
    """Cancel the lobby, or begin without the missing seats, after this time."""
    faults: Label | None = None
    """The policy for silence: `default`, `strikes` or `forfeit`; null: the game's own."""
    clock: dict[str, Json] = Field({})
    """Limits that override those of the game, such as `turn_ms`."""
    spectator_delay: int = Field(0, ge=0, le=LONGEST_DELAY_S)
    """How long after a turn viewers, and the public, learn of it, s."""
    start_when_full: bool = True
    """Start when all seats are taken and ready; false: when its owner says so."""

    def prepared(self) -> Begun | None:
        """The match. None: it is not for this function to make."""
        check_storable(self.config, self.clock, self.seed, self.map_text)
        game = GAMES.get(self.game) or GAMES.get(self.game.lower())
        if game is None:
            return None
        text = map_text(game.name, self.map, self.map_text)
        return begun(game, self.config, self.seed, text, uploaded=self.map is None)


class JoinLobby(RequestBody):
    """A player that takes a seat."""

    game: Label | None = None
    """The name of the game, required with `*` and `new`."""
    name: Label
    """The player's name."""
    kind: PlayerKind = "bot"
    """What the player is: it affects the clock and whether the match is rated."""
    seat: int | None = Field(None, description="The seat; null or -1: any free one.")
    invite: Label | None = None
    """The invite of a private lobby."""
    password: Label | None = None
    """The lobby's password."""


class AddBot(RequestBody):
    """A house bot that takes a seat."""

    bot: Label
    """Its name."""
    seat: int | None = None
    """The seat; null: any free one."""


def router(
    service: LobbyService, archive: Archive, others: PeerClient, socket_url: SocketUrl
) -> APIRouter:
    lobbies, seating = service.lobbies, service.seating
    routes = large_routes("/lobbies", tag="lobbies")

    def shown(lobby: Lobby, request: Request) -> dict[str, Json]:
        """On a server of several processes with the address of this one, which has the lobby."""
        where = {} if others.peers.alone else {"watch_url": socket_url(request, "watch")}
        return lobby_json(lobby) | where

    @routes.get("", responses=answers(list[models.Lobby], 404))
    async def list_lobbies(
        requester: Lists,
        request: Request,
        game: OnlyGame = None,
        state: Annotated[
            LobbyState | None,
            Query(description="Only lobbies in this state; null: all states."),
        ] = None,
    ) -> Response:
        """Public lobbies, newest first; those that are over or cancelled come last."""
        name = None if game is None else lobbies.game(game).name
        here = [shown(lobby, request) for lobby in lobbies.public(name, state)]
        there = await others.lists(f"/api/v1/lobbies?{request.url.query}", request)
        return encoded(sorted(here + there, key=_newest) if there else here)

    @routes.post("", status_code=201, responses=answers(models.CreatedLobby, 404, 409, status=201))
    async def create_lobby(
        body: CreateLobby,
        requester: Creates,
        request: Request,
        idempotency_key: Annotated[
            str | None,
            Header(
                max_length=200,
                description="A long random text. A repeated request with the same key and body, of "
                "the same account or without one, makes no second lobby and gets the same answer.",
            ),
        ] = None,
    ) -> Response:
        """Create a lobby. The answer has its tokens, which are returned only here."""
        ready: Begun | None = request.state.prepared
        if ready is None:
            check_storable(body.config, body.clock, body.seed, body.map_text)
        whose = requester.who(neighbourhood(address(request.scope)))
        lobby = requests.LobbyRequest(**dict(body), begun=ready)
        account = "" if requester.account is None else requester.account.id
        once = None if idempotency_key is None else f"{account} {idempotency_key}"
        made = await service.create(lobby, once, whose)
        tokens = {"owner_token": made.owner, "invite": made.invite if body.private else None}
        return encoded(shown(made.lobby, request) | tokens, 201)

    @routes.get("/{lobby}", responses=answers(models.Lobby))
    async def get_lobby(lobby: LobbyName, requester: Watches, request: Request) -> Response:
        """One lobby, also while its match runs and after it. A private one requires one of its
        tokens."""
        found = lobbies.find(lobby)
        if found.setup.private and found.state == "over":
            # it may be public by now, if it was a tournament's game
            record = await archive.get(found.id, requester)
            return encoded(shown(found, request) | {"private": record["private"]})
        action: Action = "watch_private" if found.setup.private else "watch"
        requester.check(action, role_in(found, requester))
        return encoded(shown(found, request))

    @routes.post(
        "/{lobby}/join", status_code=201, responses=answers(models.TakenSeat, 409, status=201)
    )
    async def join_lobby(
        lobby: Annotated[
            str,
            Path(
                description="The id or the name of a lobby; `*`: any open lobby of the game, or a "
                "new one; `new`: a new one."
            ),
        ],
        who: JoinLobby,
        requester: Joins,
        request: Request,
    ) -> Json:
        """Take a seat. The answer has its token and the address of the websocket."""
        newcomer = requests.SeatRequest(
            name=who.name,
            kind=who.kind,
            seat=who.seat,
            invite=who.invite,
            password=who.password,
            address=neighbourhood(address(request.scope)),
        )
        if lobby == requests.ANY:
            elsewhere = AnySeat(others, who.game or "", who.model_dump(), request)
            if (answer := await elsewhere.decided()) is not None:
                return answer
            taken = await service.join_any(who.game, newcomer, requester, elsewhere)
            if not isinstance(taken, requests.TakenSeat):
                return taken
        else:
            taken = await service.join(lobby, who.game, newcomer, requester)
        url = socket_url(request, "play")
        return {"lobby": taken.lobby.id, "seat": taken.seat, "token": taken.token, "url": url}

    @routes.post(
        "/{lobby}/bots", status_code=201, responses=answers(models.BotSeat, 409, status=201)
    )
    async def add_bot(lobby: LobbyName, which: AddBot, requester: AddsBot) -> Json:
        """Put a house bot into a free seat."""
        found = lobbies.find(lobby)
        requester.check("add_bot", role_of(found.opens(requester.token)))
        seat = seating.add_bot(found, which.bot, which.seat)
        return {"lobby": found.id, "seat": seat.number, "bot": which.bot}

    @routes.post("/{lobby}/leave", responses=answers(models.LeftSeat, 409))
    async def leave_lobby(lobby: LobbyName, requester: Leaves) -> Json:
        """Give back the seat of the token; in a running match: resign."""
        found = lobbies.find(lobby)
        seat = found.opens(requester.token)
        requester.check("leave", role_of(seat))
        assert isinstance(seat, int)
        seating.leave(found, seat)
        return {"lobby": found.id, "seat": seat}

    @routes.post("/{lobby}/start", responses=answers(models.Lobby, 409))
    async def start_lobby(lobby: LobbyName, requester: Starts, request: Request) -> Response:
        """Start the match now. House bots take the free seats."""
        found = lobbies.find(lobby)
        requester.check("start", role_of(found.opens(requester.token)))
        seating.start(found)
        return encoded(shown(found, request))

    return routes


def _newest(lobby: dict[str, Json]) -> tuple[bool, int]:
    return lobby["state"] in ("over", "cancelled"), -lobby["created_ms"]


def encoded(answer: Json, status: int = 200) -> Response:
    """A long answer, encoded at once: FastAPI would take a second over 10,000 matches, and every
    clock runs on."""
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


def check_storable(*given: Json) -> None:
    """What Python's reader lets pass and no record could hold: half characters, numbers that are
    none, endless nesting."""
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        why = "the body is not JSON: it holds half a character, or what is not a number"
        raise Refusal(400, "malformed", why) from None
    if too_deep(text):
        raise Refusal(400, "malformed", f"the body is nested deeper than {NESTING}")
