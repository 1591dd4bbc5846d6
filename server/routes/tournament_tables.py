"""The tables of tournaments over HTTP (PROTOCOL.md §5), a page at a time."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from server.accounts.authentication import Requester
from server.routes.lobbies import Label
from server.routes.may import Lists
from server.routes.models.answer import answers
from server.routes.models.tournament_tables import (
    EntrantsPage,
    GamesPage,
    LogPage,
    StandingsPage,
    TournamentOverview,
)
from server.routes.parameters import TournamentId
from server.routes.route import API, routes_below
from server.tournaments.service import TableName, TournamentService

JSON = "application/json"


class Part(BaseModel):
    """Which part of a table is asked for."""

    offset: int = Field(0, ge=0, le=2**31, description="How many lines to leave out.")
    limit: int = Field(100, ge=1, le=200, description="The maximum of lines in the answer.")
    search: Label = Field("", description="Only lines of entrants with this in their names.")


Within = Annotated[Part, Query()]


def router(service: TournamentService) -> APIRouter:
    routes = routes_below(f"{API}/tournaments", tag="tournaments")

    async def page_of(id_: str, name: TableName, within: Part, requester: Requester) -> Response:
        of = await service.sight(id_, requester)
        found = await service.table(id_, name, within.offset, within.limit, within.search, of)
        return Response(found, media_type=JSON)

    @routes.get("/{tournament}/overview", responses=answers(TournamentOverview))
    async def get_tournament_overview(tournament: TournamentId, requester: Lists) -> Response:
        """One tournament without the tables that grow with it."""
        of = await service.sight(tournament, requester)
        return Response(await service.overview(tournament, of), media_type=JSON)

    @routes.get("/{tournament}/standings", responses=answers(StandingsPage))
    async def get_standings(tournament: TournamentId, requester: Lists, within: Within) -> Response:
        """A page of the table of stage 1, the best first."""
        return await page_of(tournament, "standings", within, requester)

    @routes.get("/{tournament}/entrants", responses=answers(EntrantsPage))
    async def get_entrants(tournament: TournamentId, requester: Lists, within: Within) -> Response:
        """A page of the entrants, by their numbers."""
        return await page_of(tournament, "entrants", within, requester)

    @routes.get("/{tournament}/games", responses=answers(GamesPage))
    async def get_games(tournament: TournamentId, requester: Lists, within: Within) -> Response:
        """A page of the games, the last one of the schedule first."""
        return await page_of(tournament, "games", within, requester)

    @routes.get("/{tournament}/log", responses=answers(LogPage))
    async def get_log(tournament: TournamentId, requester: Lists, within: Within) -> Response:
        """A page of the log, the last fact first."""
        return await page_of(tournament, "log", within, requester)

    return routes
