"""Requests about a match that is still to be resumed after a restart."""

from __future__ import annotations

from starlette.responses import JSONResponse

from server.asgi import Scope
from server.errors import Refusal
from server.lobbies.lobbies import Lobbies
from server.routes.requests import subject

RETRY_AFTER_S = 1
RESUMING = Refusal(
    503,
    "resuming",
    "the server has been restarted, and this match is resumed in a moment; send the request "
    "again after that",
)


def answer(scope: Scope, lobbies: Lobbies) -> JSONResponse | None:
    """None: the request is not about such a match."""
    what, id_ = subject(scope) or ("", "")
    if what not in ("lobby", "match", "record") or not lobbies.is_resuming(id_):
        return None
    return JSONResponse(RESUMING.json(), RESUMING.status, {"Retry-After": str(RETRY_AFTER_S)})
