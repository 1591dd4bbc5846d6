"""Invitations to games, ratings and ladders over HTTP (PROTOCOL.md §5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from games.core.contract import Json
from server.lobbies.lobbies import Lobbies
from server.net.disconnect import ClientGone, while_connected
from server.routes.large import RequestBody
from server.routes.lobbies import encoded
from server.routes.may import Enters, Lists
from server.routes.models.answer import answers, nothing
from server.routes.models.ladders import Invitation, LadderBots, LadderPlace, RatingTable
from server.routes.parameters import GameName
from server.tournaments.invitations import Invitations
from server.tournaments.ladder import Ladder
from server.tournaments.ratings import RatingTables


class JoinLadder(RequestBody):
    """A bot that joins a ladder."""

    concurrency: int = Field(
        1, ge=1, le=64, description="The maximum of games that it plays at a time."
    )


def router(
    lobbies: Lobbies,
    invitations: Invitations,
    ladder: Ladder,
    ratings: RatingTables,
    play_url: Callable[[Request], str],
) -> APIRouter:
    routes = APIRouter(tags=["ladders"])

    @routes.get("/bots/me/invitations", responses=answers(list[Invitation]))
    async def list_invitations(
        requester: Enters,
        request: Request,
        after: Annotated[
            int,
            Query(
                ge=0,
                description="Only invitations after this one: the greatest `number` that you have "
                "seen; 0: all.",
            ),
        ] = 0,
        wait_s: Annotated[
            float,
            Query(ge=0, le=25, description="How long to wait for a first invitation, in seconds."),
        ] = 0,
    ) -> list[Json]:
        """The seats that are held for the bot of the key's account, oldest first. Say hello at
        `url` with the `token` within `within_ms`. A bot that does not come loses a tournament game
        by forfeit; a ladder game is not counted. An invitation is repeated while no client plays
        its seat. The bot is present while its request waits and for 5 seconds after an answer; it
        is absent as soon as the connection of a waiting request ends."""
        waiting = invitations.wait(requester.own_account.id, after, wait_s)
        try:
            found = await while_connected(request.receive, waiting)
        except ClientGone:
            return []
        return [one.json() | {"url": play_url(request)} for one in found]

    @routes.get("/ratings", responses=answers(RatingTable, 404))
    async def get_ratings(
        requester: Lists,
        game: Annotated[str, Query(max_length=200, description="The name of a game.")],
    ) -> Response:
        """The ratings of the players of rated matches, the best first. All matches of an account
        count for its rating, under any name."""
        return encoded(await ratings.table(lobbies.game(game)))

    @routes.get("/ladders/{game}", responses=answers(LadderBots))
    async def get_ladder(game: GameName, requester: Lists) -> Response:
        """The bots on the ladder of a game, and whether it plays games."""
        return encoded(await ladder.json(lobbies.game(game).name))

    @routes.post("/ladders/{game}", status_code=201, responses=answers(LadderPlace, status=201))
    async def join_ladder(game: GameName, how: JoinLadder, requester: Enters) -> Json:
        """Add the bot of the key's account to the ladder, which invites it to games while it
        requests invitations. A bot that misses three games in a row is removed; this request adds
        it again."""
        name, account = lobbies.game(game).name, requester.own_account
        await ladder.join(name, account, how.concurrency)
        return {"game": name, "account": account.id, "concurrency": how.concurrency}

    @routes.delete("/ladders/{game}", status_code=204, responses=nothing())
    async def leave_ladder(game: GameName, requester: Enters) -> Response:
        """Remove the bot of the key's account from the ladder."""
        await ladder.leave(lobbies.game(game).name, requester.own_account)
        return Response(status_code=204)

    return routes
