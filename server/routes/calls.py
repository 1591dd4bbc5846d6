"""Invitations to games, ratings and ladders over HTTP (PROTOCOL.md §5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from games.core.contract import Json
from server.errors import Refusal
from server.lobbies.lobbies import Lobbies
from server.net.disconnect import ClientGone, while_connected
from server.routes.large import RequestBody
from server.routes.lobbies import Label, encoded
from server.routes.may import Enters, Leads, Lists, did, signed_in
from server.routes.models.answer import answers, nothing
from server.routes.models.ladders import (
    Challenge,
    ChallengeRule,
    Invitation,
    LadderBots,
    LadderMatch,
    LadderPlace,
    MapPool,
    RatingTable,
)
from server.routes.parameters import ChallengeId, GameName
from server.routes.route import API, routes_below
from server.store import challenges as stored
from server.store.accounts import Accounts
from server.store.challenges import Accepts
from server.tournaments.challenges import Challenges
from server.tournaments.invitations import Invitations
from server.tournaments.ladder_board import LadderBoard
from server.tournaments.map_pools import MapPools
from server.tournaments.ratings import RatingTables


class JoinLadder(RequestBody):
    """A bot that joins a ladder."""

    concurrency: int = Field(
        1, ge=1, le=64, description="The maximum of games that it plays at a time."
    )
    submitted: Label | None = Field(
        None,
        description="The name of a bot that the account or its team has handed in: the server "
        "plays it.",
    )


class WeightedMap(RequestBody):
    """A map of a pool."""

    map: Label | None = Field(
        None, description="The name of a map of the catalogue; null: a board of the game's own."
    )
    weight: int = Field(
        1, ge=1, le=1_000, description="Twice the weight: it is drawn twice as often."
    )


class SetMapPool(RequestBody):
    """The maps of a ladder."""

    maps: list[WeightedMap] = Field(min_length=1, max_length=50)
    """Each map once."""


class SendChallenge(RequestBody):
    """A challenge to send."""

    name: Label | None = Field(None, description="The name of a bot on the ladder, in any case.")
    account: Label | None = Field(None, description="Its account, instead of its name.")


class SetChallengeRule(RequestBody):
    """Which challenges a bot accepts; what is left out has its default."""

    accepts: Accepts = Field(
        "window", description="`window`: of bots whose rating is at most `window` points away."
    )
    window: int = Field(300, ge=1, le=10_000, description="Points of the rating.")
    per_day: int = Field(
        10, ge=0, le=1_000, description="The maximum of challenges that it accepts within 24 h."
    )
    rated: bool = Field(True, description="Their games count for the ratings.")


def router(
    lobbies: Lobbies,
    invitations: Invitations,
    ladder: LadderBoard,
    challenges: Challenges,
    pools: MapPools,
    ratings: RatingTables,
    accounts: Accounts,
    play_url: Callable[[Request], str],
) -> APIRouter:
    routes = routes_below(API, tag="ladders")

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
        if found and wait_s:  # the key may have been revoked meanwhile
            await signed_in(request, request.headers.get("authorization"))
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
        """The bots on the ladder of a game, how long those that are present can expect to wait for
        a game, and whether it plays games."""
        return encoded(await ladder.json(lobbies.game(game).name))

    @routes.get("/ladders/{game}/games", responses=answers(list[LadderMatch]))
    async def list_ladder_games(game: GameName, requester: Lists) -> Response:
        """The last 50 games of a ladder, newest first, and why their players were paired."""
        return encoded(await ladder.games(lobbies.game(game).name))

    @routes.post(
        "/ladders/{game}", status_code=201, responses=answers(LadderPlace, 409, status=201)
    )
    async def join_ladder(game: GameName, how: JoinLadder, requester: Enters) -> Json:
        """Add the bot of the key's account to the ladder, which invites it to games while it
        requests invitations. A bot that misses three games in a row is removed; this request adds
        it again. Of a bot that was handed in (`submitted`) the server plays the active version. An
        account has one place on a ladder: the bot that had it leaves."""
        name, account = lobbies.game(game).name, requester.own_account
        if how.submitted is not None:
            return await ladder.join_submitted(name, account, how.submitted)
        return await ladder.join(name, account, how.concurrency)

    @routes.get("/ladders/{game}/pools", responses=answers(list[MapPool]))
    async def list_map_pools(game: GameName, requester: Lists) -> list[Json]:
        """The versions of the ladder's map pool, newest first: that one is in use. Each pair of
        games draws a map from it; without a pool the game generates a board."""
        return await pools.versions(lobbies.game(game).name)

    @routes.post("/ladders/{game}/pools", status_code=201, responses=answers(MapPool, status=201))
    async def set_map_pool(game: GameName, pool: SetMapPool, requester: Leads) -> Json:
        """Set the ladder's map pool as a new version. The same maps and weights again are no new
        version."""
        name, maps = lobbies.game(game).name, [(one.map, one.weight) for one in pool.maps]
        made = await pools.set(name, maps, requester.own_account)
        await did(accounts, requester, "ladder_pool", name, {"version": made["version"]})
        return made

    @routes.post(
        "/ladders/{game}/challenges",
        status_code=201,
        responses=answers(Challenge, 409, status=201),
    )
    async def send_challenge(game: GameName, whom: SendChallenge, requester: Enters) -> Json:
        """Challenge another bot on the ladder to a pair of games, which begins as soon as both bots
        are free; it expires after 24 hours. The rule of the challenged bot says whether it accepts
        it, and whether the games are rated; those with house bots are not."""
        if (whom.name is None) == (whom.account is None):
            raise Refusal(422, "two_bots", "name and account: give one of the two", field="name")
        of, account = lobbies.game(game), requester.own_account
        return await challenges.send(of, account, whom.name, whom.account)

    @routes.get("/ladders/{game}/challenges", responses=answers(list[Challenge]))
    async def list_challenges(game: GameName, requester: Enters) -> list[Json]:
        """The challenges that the bot of the key's account has sent and received, newest first."""
        return await challenges.mine(lobbies.game(game).name, requester.own_account)

    @routes.put("/ladders/{game}/accepts", responses=answers(ChallengeRule))
    async def set_challenge_rule(game: GameName, rule: SetChallengeRule, requester: Enters) -> Json:
        """Set which challenges the bot of the key's account accepts. With `never` those that are
        open are refused."""
        wanted = stored.ChallengeRule(**rule.model_dump())
        return await challenges.set_rule(lobbies.game(game).name, requester.own_account, wanted)

    @routes.delete(
        "/ladders/{game}/challenges/{challenge}", status_code=204, responses=nothing(409)
    )
    async def end_challenge(game: GameName, challenge: ChallengeId, requester: Enters) -> Response:
        """Withdraw an open challenge of your bot, or refuse one to it. A bot that was refused
        cannot challenge the other one again for 7 days."""
        await challenges.end(requester.own_account, challenge)
        return Response(status_code=204)

    @routes.delete("/ladders/{game}", status_code=204, responses=nothing())
    async def leave_ladder(
        game: GameName,
        requester: Enters,
        submitted: Annotated[
            str | None,
            Query(
                max_length=200,
                description="The name of a bot that the account or its team has handed in.",
            ),
        ] = None,
    ) -> Response:
        """Remove the bot of the key's account from the ladder."""
        await ladder.leave(lobbies.game(game).name, requester.own_account, submitted)
        return Response(status_code=204)

    return routes
