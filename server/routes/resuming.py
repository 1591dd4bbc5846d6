"""Requests about a match that is still to be resumed after a restart."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import JSONResponse

from server.asgi import App, Receive, Scope, Send
from server.errors import Refusal
from server.lobbies.lobbies import Lobbies
from server.routes.requests import subject

RETRY_AFTER_S = 1
RESUMING = Refusal(
    503, "resuming", "the server has been restarted and resumes this match; try again in a moment"
)


def unless_resuming(app: App, lobbies: Lobbies, refused: Callable[[str], None]) -> App:
    """An ASGI application that answers requests about such matches with an error, and passes all
    others to `app`. `refused` is called with the code of each error."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        what, id_ = subject(scope) or ("", "")
        if what not in ("lobby", "match", "record") or not lobbies.is_resuming(id_):
            await app(scope, receive, send)
            return
        refused(RESUMING.code)
        headers = {"Retry-After": str(RETRY_AFTER_S)}
        await JSONResponse(RESUMING.json(), RESUMING.status, headers)(scope, receive, send)

    return answer
