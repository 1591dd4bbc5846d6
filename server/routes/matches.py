"""Matches and their records over HTTP."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response

from games.core.contract import Json, Seat, SeatResult
from games.core.names import composed
from server.accounts.authentication import role_of
from server.accounts.scopes import Action
from server.cluster.client import PeerClient
from server.lobbies.lobbies import Lobbies
from server.matches.archive import Archive, RecordFiles
from server.matches.history import Histories
from server.matches.kept import Kept
from server.matches.lobby import Lobby, role_in
from server.matches.lobby_record import match_record
from server.matches.pictures import draw_picture
from server.matches.turn_clocks import turn_clocks
from server.matches.viewer_records import viewer_record
from server.offload import Offload
from server.routes.lobbies import encoded
from server.routes.may import Lists, SeesSeat, Watches
from server.routes.models.answer import LINES, PNG, answers, picture, text
from server.routes.models.matches import Match, TurnClocks
from server.routes.parameters import MatchId, OnlyBot, OnlyGame, SeatNumber
from server.routes.route import API, routes_below
from server.routes.urls import SocketUrl

PAGE = 100
FRESH = {"Cache-Control": "max-age=3600"}
"""What is made of a record may be kept this long; by shared caches too, if no key was sent for
it."""
KEPT = 256
"""Answers of each kind that are kept here, of some ten kilobytes each."""
Limit = Annotated[
    int, Query(ge=1, le=1_000, description="The maximum of finished matches in the answer.")
]
OnlyResult = Annotated[
    SeatResult | None,
    Query(description="Only with this result: of `bot`, or of any player without it."),
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
    routes = routes_below(API, tag="matches")
    histories, pictures = Histories(lobbies.games, offload), Kept(offload, draw_picture, KEPT)
    clocks = Kept(offload, partial(turn_clocks, games=lobbies.games), KEPT)

    async def record_of(journal: Path, seat: Seat, after: int = 0) -> Response:
        record = await offload.answer(viewer_record, journal, seat, after, lobbies.games)
        return Response(record, media_type=LINES)

    @routes.get("/matches", responses=answers(list[Match], 404))
    async def list_matches(
        requester: Lists,
        request: Request,
        game: OnlyGame = None,
        bot: OnlyBot = None,
        result: OnlyResult = None,
        limit: Limit = PAGE,
        before: Before = None,
    ) -> Response:
        """Running matches, then finished ones, newest first. Running matches are on the first page
        only, and do not count towards `limit`; with `result` there are none."""
        name = None if game is None else lobbies.game(game).name
        bot = None if bot is None else composed(bot)
        running: list[dict[str, Json]] = []
        if before is None and result is None:
            about = {"limit": 1, "game": name, "bot": bot}
            query = urlencode({key: value for key, value in about.items() if value is not None})
            there = await others.lists(f"/api/v1/matches?{query}", request)
            running = [
                _running_json(lobby)
                for lobby in lobbies.public(name, "running")
                if bot is None or any(seat.name == bot for seat in lobby.seats)
            ]
            running += [match for match in there if match["state"] == "running"]
        past = await archive.page(name, limit=limit, bot=bot, result=result, before=before)
        return encoded(running + past)

    @routes.get("/matches/{match}", responses=answers(Match))
    async def get_match(match: MatchId, requester: Watches, request: Request) -> Response:
        """One match. If it is over, the answer has the attempts to play it."""
        lobby = lobbies.unfinished.get(match)
        if lobby is not None and lobby.state == "running":
            action: Action = "watch_private" if lobby.setup.private else "watch"
            requester.check(action, role_in(lobby, requester))
            where = {} if others.peers.alone else {"watch_url": socket_url(request, "watch")}
            return encoded(_running_json(lobby) | where)
        return encoded(await archive.get(match, requester))

    @routes.get("/matches/{match}/journal", response_class=FileResponse, responses=text(LINES, 409))
    async def get_journal(match: MatchId, requester: Watches) -> FileResponse:
        """The journal of a match as JSON lines, once it is released: it holds the seed, from which
        the match can be replayed and verified."""
        return FileResponse(await files.journal(match, requester), media_type=LINES)

    @routes.get("/matches/{match}/history", response_class=Response, responses=text(LINES, 409))
    async def get_history(match: MatchId, requester: Watches, after: After = 0) -> Response:
        """What viewers were shown of a match so far, as JSON lines (`client_sdk/sight.py` describes
        them): of a running match, and of one that is released."""
        lobby = lobbies.unfinished.get(match)
        if lobby is None:
            journal = await files.journal(match, requester)
            return Response(await histories.lines(journal, after, None), media_type=LINES)
        action: Action = "watch_private" if lobby.setup.private else "watch"
        requester.check(action, role_in(lobby, requester))
        if lobby.file is None:
            return Response(media_type=LINES)
        size = None if lobby.live is None else lobby.live.gallery.size
        return Response(await histories.lines(lobby.file.path, after, size), media_type=LINES)

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

    @routes.get("/matches/{match}/picture.png", response_class=Response, responses=picture(409))
    async def get_picture(match: MatchId, requester: Watches) -> Response:
        """The board in the middle of a released match, as a picture."""
        found = await pictures.of(await files.replay(match, requester))
        return Response(found, media_type=PNG, headers=FRESH)

    @routes.get("/matches/{match}/clocks", responses=answers(list[TurnClocks], 409))
    async def get_clocks(match: MatchId, requester: Watches) -> Response:
        """The time of each seat turn by turn, once the match is released. A match whose turns have
        no limit has none."""
        found = await clocks.of(await files.journal(match, requester))
        return Response(found, media_type="application/json", headers=FRESH)

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
    return match_record(lobby).running_json(lobby.turn)
