"""What an organiser does to a running server. It is written down before it is done, so that nothing
is done that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from games.core.contract import Json
from server.blame import OURS
from server.cluster.client import FORWARDED, PeerClient
from server.errors import Refusal
from server.lobbies.admission import Admission
from server.lobbies.lobbies import Lobbies
from server.matches.lobby import Lobby
from server.routes.large import RequestBody
from server.routes.lobby_json import lobby_json
from server.routes.may import Administers, did
from server.routes.models.accounts import Drain, OrganiserAction
from server.routes.models.answer import answers
from server.routes.models.lobbies import AdminLobby
from server.routes.parameters import MatchId
from server.routes.route import API, routes_below
from server.store.accounts import Accounts

DRAIN = "/api/v1/admin/drain"
NOT_THEIRS = {*OURS, "no_show", "idle"}
"""Reasons that blame the server, or seats."""


class AbortMatch(RequestBody):
    """Why a match is ended."""

    reason: Annotated[
        str, Field(max_length=80, description="Sent to the players and kept in the record.")
    ]


def router(
    lobbies: Lobbies, admission: Admission, accounts: Accounts, others: PeerClient
) -> APIRouter:
    routes = routes_below(f"{API}/admin", tag="admin")

    def drain(there: Sequence[Json]) -> Json:
        """Of this node and the others together."""
        draining = admission.draining and all(other["draining"] for other in there)
        return {"draining": draining, "left": lobbies.left + sum(other["left"] for other in there)}

    @routes.get("/matches", responses=answers(list[AdminLobby]))
    async def list_all_matches(requester: Administers, request: Request) -> list[Json]:
        """All lobbies and matches that are not over, including private ones, oldest first."""
        there = await others.lists("/api/v1/admin/matches", request)
        here = [_to_json(lobby) for lobby in lobbies.unfinished.values()]
        return sorted(here + there, key=lambda lobby: lobby["created_ms"])

    @routes.post("/matches/{match}/abort", responses=answers(AdminLobby))
    async def abort_match(match: MatchId, why: AbortMatch, requester: Administers) -> Json:
        """End a match without a result and without blame for its players. The answer comes when it
        is over, or at once where viewers have still to see that."""
        lobby = lobbies.unfinished.get(match)
        if lobby is None:
            text = "no lobby or match with this id is open or running"
            raise Refusal(404, "no_such_match", text, field="match")
        reason = checked_reason(why.reason)
        await did(accounts, requester, "abort", lobby.id, {"reason": reason})
        lobby.stop(reason)
        if not lobby.setup.spectator_delay:
            await asyncio.shield(lobby.played())
        return _to_json(lobby)

    @routes.get("/drain", responses=answers(Drain))
    async def get_drain(requester: Administers, request: Request) -> Json:
        """Whether the server is draining, and how many matches still run."""
        return drain(await others.all_of("GET", DRAIN, request))

    @routes.post("/drain", responses=answers(Drain))
    async def start_drain(requester: Administers, request: Request) -> Json:
        """Accept no new lobbies and give no new seats. Running matches continue."""
        if not request.scope.get(FORWARDED):
            await did(accounts, requester, "drain")
        admission.drain(True)
        return drain(await others.all_of("POST", DRAIN, request))

    @routes.delete("/drain", responses=answers(Drain))
    async def stop_drain(requester: Administers, request: Request) -> Json:
        """Accept new lobbies and give seats again."""
        if not request.scope.get(FORWARDED):
            await did(accounts, requester, "undrain")
        admission.drain(False)
        return drain(await others.all_of("DELETE", DRAIN, request))

    @routes.get("/actions", responses=answers(list[OrganiserAction]))
    async def list_actions(
        requester: Administers,
        limit: Annotated[
            int, Query(ge=1, le=1000, description="The maximum of actions in the answer.")
        ] = 100,
    ) -> list[Json]:
        """The log of organisers' actions, newest first."""
        return [done.json() for done in await accounts.done(limit)]

    return routes


def checked_reason(reason: str) -> str:
    """Raises Refusal."""
    reason = reason.strip()
    if not reason or not reason.isprintable() or reason in NOT_THEIRS:
        text = "reason: expected 1 to 80 printable characters, none of the server's own reasons"
        raise Refusal(422, "bad_reason", text, field="reason", allowed={"not": sorted(NOT_THEIRS)})
    return reason


def _to_json(lobby: Lobby) -> Json:
    return lobby_json(lobby) | {"viewers": len(lobby.viewers)}
