"""Lobbies over HTTP (PROTOCOL.md §5)."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Header, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from games.core.contract import Seat
from server.errors import Refusal
from server.lobbies.desk import Desk, Wish
from server.matches.limits import LONGEST_MS
from server.matches.room import Room
from server.matches.session import NESTING, too_deep

Json = Any
Authorization = Annotated[str | None, Header()]
Label = Annotated[str, Field(max_length=200)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Create(Body):
    game: Label
    name: Label | None = None
    config: dict[str, Json] = {}
    map: Label | None = None
    map_text: str | None = None
    seed: Json = Field(None, description="whole number, 0 to 2**63-1; null: a random one", json_schema_extra={"type": "integer"})
    private: bool = False
    bots: Annotated[list[Label], Field(max_length=64)] = []
    start_timeout_ms: int = Field(120_000, ge=1, le=LONGEST_MS)
    faults: Label | None = None
    clock: dict[str, Json] = {}


class Join(Body):
    game: Label | None = None
    name: Label
    kind: Literal["bot", "human"] = "bot"
    seat: int | None = Field(None, description="null or -1: any free one")
    invite: Label | None = None


class AddBot(Body):
    bot: Label
    seat: int | None = None


def router(desk: Desk, public_url: str | None) -> APIRouter:
    routes = APIRouter(prefix="/lobbies", tags=["lobbies"])

    def play_url(request: Request) -> str:
        base = public_url or str(request.base_url)
        return "ws" + base.rstrip("/").removeprefix("http") + "/ws/play"

    @routes.get("", response_model=list[Json])
    async def lobbies(game: str | None = None, state: Literal["open", "running", "over", "cancelled"] | None = None) -> Response:
        return listed([room.described() for room in desk.public(None if game is None else desk.game(game).name, state)])

    @routes.post("", status_code=201)
    async def create(wish: Create, idempotency_key: Annotated[str | None, Header(max_length=200)] = None) -> Json:
        _check_storable(wish.config, wish.clock, wish.seed, wish.map_text)
        made = await desk.create(Wish(**dict(wish)), idempotency_key)
        return made.room.described() | {"owner_token": made.owner, "invite": made.invite if wish.private else None}

    @routes.get("/{lobby}")
    async def lobby(lobby: str, authorization: Authorization = None) -> Json:
        return _seen(desk, lobby, bearer(authorization)).described()

    @routes.post("/{lobby}/join", status_code=201)
    async def join(lobby: str, who: Join, request: Request) -> Json:
        taken = await desk.join(lobby, who.game, who.name, who.kind, who.seat, who.invite)
        return {"lobby": taken.room.id, "seat": taken.seat, "token": taken.token, "url": play_url(request)}

    @routes.post("/{lobby}/bots", status_code=201)
    async def add_bot(lobby: str, which: AddBot, authorization: Authorization = None) -> Json:
        room = desk.find(lobby)
        if room.opens(bearer(authorization)) in (None, "invite"):
            raise _forbidden("the token of the lobby's owner or of one of its seats")
        chair = desk.add_bot(room, which.bot, which.seat)
        return {"lobby": room.id, "seat": chair.seat, "bot": which.bot}

    @routes.post("/{lobby}/leave")
    async def leave(lobby: str, authorization: Authorization = None) -> Json:
        room = desk.find(lobby)
        role = room.opens(bearer(authorization))
        if not isinstance(role, Seat):
            raise _forbidden("the token of the seat that is to be left")
        desk.leave(room, role)
        return {"lobby": room.id, "seat": role}

    @routes.post("/{lobby}/start")
    async def start(lobby: str, authorization: Authorization = None) -> Json:
        room = desk.find(lobby)
        if room.opens(bearer(authorization)) != "owner":
            raise _forbidden("the token of the lobby's owner")
        desk.start(room)
        return room.described()

    return routes


def listed(records: list[Json]) -> Response:
    """A long list as an answer, encoded at once: FastAPI would take a second over 10,000 matches, and every clock runs on."""
    return Response(msgspec.json.encode(records), media_type="application/json")


def bearer(authorization: str | None) -> str | None:
    """The token of an `Authorization: Bearer …` header. Raises Refusal."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refusal(401, "bad_authorization", "Authorization: expected Bearer and a token", field="Authorization")
    return token.strip()


def _check_storable(*given: Json) -> None:
    """What Python's reader lets pass and no record could hold: half characters, numbers that are none, endless nesting."""
    try:
        text = json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        raise Refusal(400, "malformed", "the body is not JSON: it holds half a character, or what is not a number") from None
    if too_deep(text):
        raise Refusal(400, "malformed", f"the body is nested deeper than {NESTING}")


def _seen(desk: Desk, lobby: str, token: str | None) -> Room:
    room = desk.find(lobby)
    if not room.may_look(token):
        raise Refusal(403, "private", "this lobby is private: its owner's, a seat's or the invite's token opens it")
    return room


def _forbidden(needed: str) -> Refusal:
    return Refusal(403, "wrong_token", f"this takes {needed}, as Authorization: Bearer …", field="Authorization")
