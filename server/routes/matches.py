"""Matches and their records over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response

from games.core.contract import Json, Seat
from server.accounts.authentication import role_of
from server.accounts.scopes import Action
from server.cluster.client import PeerClient
from server.lobbies.lobbies import Lobbies
from server.matches.archive import Archive, RecordFiles
from server.matches.lobby import Lobby
from server.matches.lobby_record import match_record
from server.matches.seat_records import seat_record
from server.offload import Offload
from server.routes.lobbies import encoded
from server.routes.may import Lists, SeesSeat, Watches
from server.routes.models.answer import LINES, answers, text
from server.routes.models.matches import Match
from server.routes.parameters import MatchId, OnlyGame, SeatNumber
from server.routes.urls import SocketUrl

PAGE = 100
Limit = Annotated[
    int, Query(ge=1, le=1_000, description="The maximum of finished matches in the answer.")
]
After = Annotated[int, Query(ge=0, description="Skip this number of lines.")]
Before = Annotated[
    str | None,
    Query(
        max_length=40,
        description="Only matches that ended before this one: the last one of the previous page.",
    ),
]


def router(
    lobbies: Lobbies,
    archive: Archive,
    files: RecordFiles,
    others: PeerClient,
    offload: Offload,
    socket_url: SocketUrl,
) -> APIRouter:
    routes = APIRouter(tags=["matches"])

    async def record_of(journal: Path, seat: Seat, after: int = 0) -> Response:
        record = await offload.answer(seat_record, journal, seat, after, lobbies.games)
        return Response(record, media_type=LINES)

    @routes.get("/matches", responses=answers(list[Match], 404))
    async def list_matches(
        requester: Lists,
        request: Request,
        game: OnlyGame = None,
        limit: Limit = PAGE,
        before: Before = None,
    ) -> Response:
        """Running matches, then finished ones, newest first. Running matches are on the first page
        only, and do not count towards `limit`."""
        name = None if game is None else lobbies.game(game).name
        running: list[dict[str, Json]] = []
        if before is None:
            about = "" if name is None else f"&game={name}"
            there = await others.lists(f"/api/v1/matches?limit=1{about}", request)
            running = [_running_json(lobby) for lobby in lobbies.public(name, "running")]
            running += [match for match in there if match["state"] == "running"]
        return encoded(running + await archive.page(name, limit=limit, before=before))

    @routes.get("/matches/{match}", responses=answers(Match))
    async def get_match(match: MatchId, requester: Watches, request: Request) -> Response:
        """One match. If it is over, the answer has the attempts to play it."""
        lobby = lobbies.unfinished.get(match)
        if lobby is not None and lobby.state == "running":
            action: Action = "watch_private" if lobby.setup.private else "watch"
            requester.check(action, role_of(lobby.opens(requester.token)))
            where = {} if others.peers.alone else {"watch_url": socket_url(request, "watch")}
            return encoded(_running_json(lobby) | where)
        return encoded(await archive.get(match, requester))

    @routes.get("/matches/{match}/journal", response_class=FileResponse, responses=text(LINES, 409))
    async def get_journal(match: MatchId, requester: Watches) -> FileResponse:
        """The journal of a match as JSON lines, once it is released: it holds the seed, from which
        the match can be replayed and verified."""
        return FileResponse(await files.journal(match, requester), media_type=LINES)

    @routes.get("/matches/{match}/seat", response_class=Response, responses=text(LINES, 409))
    async def get_own_seat(match: MatchId, requester: SeesSeat, after: After = 0) -> Response:
        """What the seat of the token received and sent, up to the last closed turn, as JSON lines
        (`client_sdk/sight.py` describes them)."""
        lobby = lobbies.unfinished.get(match)
        if lobby is None:
            return await record_of(*await files.seat(match, requester), after)
        opened = lobby.opens(requester.token)
        requester.check("see_seat", role_of(opened))
        assert isinstance(opened, int)
        if lobby.file is None:
            return Response(media_type=LINES)
        return await record_of(lobby.file.path, opened, after)

    @routes.get(
        "/matches/{match}/seats/{seat}", response_class=Response, responses=text(LINES, 409)
    )
    async def get_seat(match: MatchId, seat: SeatNumber, requester: Watches) -> Response:
        """What any seat received and sent, as JSON lines, once the match is released."""
        return await record_of(await files.journal(match, requester), seat)

    @routes.get("/replays", responses=answers(list[Match], 404))
    async def list_replays(
        requester: Lists, limit: Limit = PAGE, before: Before = None
    ) -> Response:
        """Released matches, newest first."""
        return encoded(await archive.page(limit=limit, before=before, released=True))

    @routes.get("/replays/{match}", response_class=FileResponse, responses=text(LINES, 409))
    async def get_replay(match: MatchId, requester: Watches) -> FileResponse:
        """The replay of a released match as JSON lines: what the viewers saw."""
        return FileResponse(await files.replay(match, requester), media_type=LINES)

    return routes


def _running_json(lobby: Lobby) -> dict[str, Json]:
    return match_record(lobby).running_json(lobby.setup.match.turn)
