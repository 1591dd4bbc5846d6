"""Bots that are handed in, over HTTP."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from games.core.contract import Json
from server.lobbies.requests import checked_name
from server.routes.may import HandsIn
from server.routes.models import submissions as models
from server.routes.models.answer import answers
from server.routes.models.submissions import SubmissionDetails
from server.routes.parameters import MatchId, SeatNumber, SubmissionId
from server.routes.route import API, routes_below
from server.submissions.check import HandedIn
from server.submissions.logs import MatchLogs
from server.submissions.service import Submissions

OCTETS: Final = "application/octet-stream"
FILE: Final = {"type": "string", "format": "binary"}
BODY: Final = {"requestBody": {"required": True, "content": {OCTETS: {"schema": FILE}}}}

Game = Annotated[str, Query(max_length=40, description="The game that it plays.")]
Name = Annotated[
    str, Query(max_length=200, description="The bot's name, the same for all its versions.")
]
File = Annotated[
    str, Query(max_length=200, description="What the file is called: `mybot.py`, `bot.zip`.")
]
Language = Annotated[
    str | None, Query(max_length=40, description="What it is written in; null: by its files.")
]
Entry = Annotated[
    str | None,
    Query(
        max_length=400,
        description="The file or the command that is played, as on a command line: "
        "`lines:./mybot`; null: as `botarena.toml` says, or by its files.",
    ),
]
OnTrial = Annotated[
    bool,
    Query(
        description="It is tested against the version that is active, and takes its place once it "
        "is shown to be stronger. Without an active version it plays at once."
    ),
]

Everyone = Annotated[bool, Query(description="Organisers only: those of all accounts.")]


def router(service: Submissions, logs: MatchLogs) -> APIRouter:
    routes = routes_below(API, tag="submissions")

    @routes.post(
        "/submissions",
        status_code=202,
        responses=answers(models.Submission, 404, 409, status=202),
        openapi_extra=BODY,
    )
    async def hand_in(
        request: Request,
        requester: HandsIn,
        game: Game,
        name: Name,
        file: File,
        language: Language = None,
        entry: Entry = None,
        trial: OnTrial = False,
    ) -> Json:
        """Hand in a bot: the body is its file, a single one or an archive. It plays as soon as it
        is built and has passed its check; follow its `state`."""
        content = await request.body()
        given = HandedIn(game, checked_name(name), file, content, entry, language, trial=trial)
        (made,) = await service.public([await service.hand_in(requester.own_account, given)])
        return made

    @routes.get("/submissions", responses=answers(models.Submissions))
    async def list_submissions(requester: HandsIn, everyone: Everyone = False) -> Json:
        """The versions of your bots and those of your team, newest first. Organisers may list those
        of all accounts."""
        if everyone:
            requester.check("accounts")
        closed = service.closed
        account = None if everyone else requester.own_account
        return {
            "open": closed is None,
            "why": None if closed is None else closed.text,
            "freeze_ms": service.frozen_ms,
            "submissions": await service.public(await service.listed(account)),
        }

    @routes.get("/submissions/{submission}", responses=answers(SubmissionDetails))
    async def get_submission(submission: SubmissionId, requester: HandsIn) -> Json:
        """One of these versions, with what its build has said and the grades of its check."""
        version = await service.get(requester.own_account, submission)
        _, one = version
        (found,) = await service.public([version])
        return found | {"build_log": one.build_log, "check": one.check_match}

    @routes.post("/submissions/{submission}/activate", responses=answers(models.Submission, 409))
    async def activate_submission(submission: SubmissionId, requester: HandsIn) -> Json:
        """Let a version that was set aside play again, instead of the one that plays now. A ladder
        sets a version aside that did not come to several games in a row, or crashed in them."""
        version = await service.activate(requester.own_account, submission)
        (found,) = await service.public([version])
        return found

    @routes.get(
        "/submissions/{submission}/file",
        response_class=Response,
        responses={200: {"content": {OCTETS: {"schema": FILE}}}},
    )
    async def get_submitted_file(submission: SubmissionId, requester: HandsIn) -> Response:
        """The file that was handed in."""
        content = await service.content(requester.own_account, submission)
        headers = {"Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff"}
        return Response(content, media_type=OCTETS, headers=headers)

    @routes.get("/matches/{match}/seats/{seat}/log", responses=answers(list[models.TurnLog]))
    async def get_own_log(match: MatchId, seat: SeatNumber, requester: HandsIn) -> list[Json]:
        """What your bot at this seat has written and what it did wrong, turn by turn, if the
        server has played it. An organiser sees of every bot why it did not come to a match."""
        return await logs.of(requester.own_account, match, seat)

    return routes
