"""Matches and their records over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, Response

from server.accounts.gate import role_of
from server.lobbies.desk import Desk
from server.routes.lobbies import encoded
from server.routes.may import Lists, Watches

Json = Any
LINES = "application/x-ndjson"
PAGE = 100
Limit = Annotated[int, Query(ge=1, le=1_000, description="so many finished ones at most")]
Before = Annotated[str | None, Query(max_length=40, description="only what ended before this match: the last one of a page")]


def router(desk: Desk) -> APIRouter:
    routes = APIRouter(tags=["matches"])
    archive = desk.archive

    @routes.get("/matches", response_model=list[Json])
    async def matches(asker: Lists, game: str | None = None, limit: Limit = PAGE, before: Before = None) -> Response:
        """Running ones first, then finished ones, newest first. Running ones stand on the first page only, and do not count."""
        name = None if game is None else desk.game(game).name
        running = [] if before is not None else [_running(room.described()) for room in desk.public(name, "running")]
        return encoded(running + await archive.page(name, limit=limit, before=before))

    @routes.get("/matches/{match}")
    async def match(match: str, asker: Watches) -> Response:
        room = desk.rooms.get(match)
        if room is not None and room.state == "running":
            asker.check("watch_private" if room.setup.private else "watch", role_of(room.opens(asker.token)))
            return encoded(_running(room.described()))
        return encoded(await archive.get(match, asker))

    @routes.get("/matches/{match}/journal", response_class=FileResponse)
    async def journal(match: str, asker: Watches) -> FileResponse:
        return FileResponse(await archive.journal(match, asker), media_type=LINES)

    @routes.get("/replays", response_model=list[Json])
    async def replays(asker: Lists, limit: Limit = PAGE, before: Before = None) -> Response:
        """Matches whose replays may be seen, newest first."""
        return encoded(await archive.page(limit=limit, before=before, released=True))

    @routes.get("/replays/{match}", response_class=FileResponse)
    async def replay(match: str, asker: Watches) -> FileResponse:
        return FileResponse(await archive.replay(match, asker), media_type=LINES)

    return routes


def _running(lobby: dict[str, Json]) -> dict[str, Json]:
    """A running match in the shape of a finished one."""
    players = [{key: seat[key] for key in ("seat", "role", "name", "kind", "bot", "account")} for seat in lobby["seats"]]
    kept = (
        "name",
        "game",
        "state",
        "private",
        "rated",
        "config",
        "map",
        "faults",
        "commitment",
        "turn",
        "created_ms",
        "started_ms",
    )
    return {"match": lobby["lobby"], "players": players, "outcome": None, "released": False} | {key: lobby[key] for key in kept}
