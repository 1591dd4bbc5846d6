"""How a route says what it answers, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from games.core.contract import Json
from server.routes.models.documented import Documented

Answers = dict[int | str, dict[str, Any]]
"""What FastAPI takes for `responses`."""

LINES = "application/x-ndjson"
"""Text of which every line is JSON."""
PNG = "image/png"


class Model(Documented):
    """What an object has. More fields may come in a later version, so that clients ignore those
    they do not know."""

    model_config = ConfigDict(defer_build=True)  # nothing but the document needs it


class ErrorBody(Model):
    """The body of every answer with a status of 400 or more."""

    code: str
    """What went wrong. A code never changes its meaning, so compare it."""
    text: str
    """The same as a sentence, for people."""
    field: str | None
    """The field of the request that is wrong."""
    allowed: Json
    """The values or limits that are accepted there; null: not stated."""


ERRORS = {
    400: "The body is not JSON.",
    401: "The key or the token is missing or unknown.",
    403: "The key or the token does not allow this.",
    404: "There is no such thing.",
    408: "The body did not come in time.",
    409: "The state of the thing does not allow this now.",
    413: "The body is too big.",
    415: "The body is not sent as JSON.",
    422: "A field is missing, unknown or has a wrong value.",
    429: "Too many requests, or too many of what is asked for; try again later.",
    500: "The server failed, and logged it.",
    503: "The server cannot do this at the moment; try again later.",
}
"""What each status says. `server.routes.openapi` adds to an operation those that its shape makes
possible."""


def answers(model: Any, *errors: int, status: int = 200) -> Answers:
    """JSON of this type, or one of these errors beside the usual ones."""
    return {status: {"model": model}, **{error: {} for error in errors}}


def text(media_type: str, *errors: int) -> Answers:
    """Text of this type. The route's response class is to be one without a type of its own."""
    content = {media_type: {"schema": {"type": "string"}}}
    return {200: {"content": content}, **{error: {} for error in errors}}


def picture(*errors: int) -> Answers:
    """A PNG. The route's response class is to be one without a type of its own."""
    content = {PNG: {"schema": {"type": "string", "format": "binary"}}}
    return {200: {"content": content}, **{error: {} for error in errors}}


def nothing(*errors: int) -> Answers:
    """No body, status 204."""
    return {204: {"description": "Done."}, **{error: {} for error in errors}}
