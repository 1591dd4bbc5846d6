"""Being called to games, and the ladders (PROTOCOL.md §5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from games.core.contract import Json
from server.lobbies.lobbies import Lobbies
from server.net.disconnect import ClientGone, while_connected
from server.routes.large import Body
from server.routes.lobbies import encoded
from server.routes.may import Enters, Lists
from server.routes.models.answer import answers, nothing
from server.routes.models.ladders import Invitation, LadderBots, LadderPlace, RatingTable
from server.tournaments.invitations import Invitations
from server.tournaments.ladder import Ladder
from server.tournaments.ratings import RatingTables


class JoinLadder(Body):
    concurrency: int = Field(1, ge=1, le=64, description="games it plays at a time, at most")


def router(
    lobbies: Lobbies,
    invitations: Invitations,
    ladder: Ladder,
    ratings: RatingTables,
    play_url: Callable[[Request], str],
) -> APIRouter:
    routes = APIRouter(tags=["calls"])

    @routes.get("/bots/me/invitations", responses=answers(list[Invitation]))
    async def list_invitations(
        asker: Enters,
        request: Request,
        after: Annotated[
            int,
            Query(ge=0, description="only later ones: the greatest number that is known; 0: all"),
        ] = 0,
        wait_s: Annotated[
            float,
            Query(
                ge=0, le=25, description="how long the answer may wait for a first one, in seconds"
            ),
        ] = 0,
    ) -> list[Json]:
        """Seats that are kept for the bot of the key's account, oldest first:
        `{"number","match","game","seat","role","name", "token","url","within_ms"}` and what it is
        about: `"tournament"` and `"fixture"`, or `"ladder"`. Say hello with the token within that
        time; a bot that does not come loses a game of a tournament by forfeit, and a game of a
        ladder does not count. An invitation is listed until a client plays the seat. The bot is
        present while its request waits and for 5 seconds after an answer; it is gone at once when
        the connection of a waiting request ends."""
        try:
            found = await while_connected(
                request.receive, invitations.wait(asker.own_account.id, after, wait_s)
            )
        except ClientGone:
            return []
        return [one.json() | {"url": play_url(request)} for one in found]

    @routes.get("/ratings", responses=answers(RatingTable, 404))
    async def get_ratings(asker: Lists, game: Annotated[str, Query(max_length=200)]) -> Response:
        """How strong those are who played rated matches of a game:
        `{"game","method","anchor","matches","ratings":[…]}`, the best first, each
        `{"rank","name","bot","account","rating","low","high","games","wins","draws","losses","provisional"}`.
        The rating lies between low and high with 95 % probability. An account's matches count
        whatever name it played under."""
        return encoded(await ratings.table(lobbies.game(game)))

    @routes.get("/ladders/{game}", responses=answers(LadderBots))
    async def get_ladder(game: str, asker: Lists) -> Response:
        """Whether pairs are played here, and who is on it: `{"game","on","bots":[…]}`, each
        `{"name","bot","account", "concurrency","present"}`."""
        return encoded(await ladder.json(lobbies.game(game).name))

    @routes.post("/ladders/{game}", status_code=201, responses=answers(LadderPlace, status=201))
    async def join_ladder(game: str, how: JoinLadder, asker: Enters) -> Json:
        """The bot of the key's account is on this ladder from now on, and is called to games while
        it asks for invitations. After a game that it did not come to it is called again when it
        asks again; three such games in a row take it off the ladder, and this request puts it
        back."""
        await ladder.join(lobbies.game(game).name, asker.own_account, how.concurrency)
        return {
            "game": lobbies.game(game).name,
            "account": asker.own_account.id,
            "concurrency": how.concurrency,
        }

    @routes.delete("/ladders/{game}", status_code=204, responses=nothing())
    async def leave_ladder(game: str, asker: Enters) -> Response:
        """It is called to no further games."""
        await ladder.leave(lobbies.game(game).name, asker.own_account)
        return Response(status_code=204)

    return routes
