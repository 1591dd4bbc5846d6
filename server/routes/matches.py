"""Matches and their records over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.responses import FileResponse, Response

from server.lobbies.desk import Desk
from server.routes.lobbies import bearer, listed

Json = Any
Authorization = Annotated[str | None, Header()]
LINES = "application/x-ndjson"


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(tags=["matches"])
    archive = desk.archive

    @routes.get("/matches", response_model=list[Json])
    async def matches(game: str | None = None) -> Response:
        """Running ones first, then finished ones, newest first."""
        name = None if game is None else desk.game(game).name
        return listed([_running(room.described()) for room in desk.public(name, "running")] + archive.public(name))

    @routes.get("/matches/{match}")
    async def match(match: str, authorization: Authorization = None) -> Json:
        token = bearer(authorization)
        room = desk.rooms.get(match)
        if room is not None and room.state == "running" and room.may_look(token):
            return _running(room.described())
        return archive.get(match, token)

    @routes.get("/matches/{match}/journal", response_class=FileResponse)
    async def journal(match: str, authorization: Authorization = None) -> FileResponse:
        return FileResponse(await archive.journal(match, bearer(authorization)), media_type=LINES)

    @routes.get("/replays", response_model=list[Json])
    async def replays() -> Response:
        return listed(archive.replays())

    @routes.get("/replays/{match}", response_class=FileResponse)
    async def replay(match: str, authorization: Authorization = None) -> FileResponse:
        return FileResponse(await archive.replay(match, bearer(authorization)), media_type=LINES)

    return routes


def _running(lobby: dict[str, Json]) -> dict[str, Json]:
    """A running match in the shape of a finished one."""
    players = [{key: seat[key] for key in ("seat", "role", "name", "kind", "bot")} for seat in lobby["seats"]]
    kept = ("name", "game", "state", "private", "config", "map", "faults", "commitment", "turn", "created_ms", "started_ms")
    return {"match": lobby["lobby"], "players": players, "outcome": None, "released": False} | {key: lobby[key] for key in kept}
