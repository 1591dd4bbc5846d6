"""Every no over HTTP has one shape: `{"code", "text", "field", "allowed"}`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from server.errors import Refusal, not_storable
from server.routes import pages
from server.routes.sockets import ROLES
from server.store.store import NotStorable

CODES: Mapping[int, tuple[str, str]] = {
    400: ("malformed", "the body is not JSON"),
    404: ("not_found", "there is nothing at this address"),
    405: ("method_not_allowed", "this address does not take that method"),
    413: ("too_big", "the body is too big"),
}
NO_STORE = Refusal(503, "no_store", "the server's database does not answer; try again later")
NO_BODY = Refusal(422, "missing", "the request has no body; send a JSON object")
NO_JSON = Refusal(
    415,
    "content_type",
    "the body is read as JSON only: send the header Content-Type: application/json",
    field="Content-Type",
    allowed=["application/json"],
)
NO_UPGRADE = Refusal(
    426,
    "websocket_only",
    "this address takes websockets only; a proxy has to pass on the headers Upgrade and Connection",
)
LIMITS = ("expected", "ge", "le", "gt", "lt", "min_length", "max_length", "pattern")


def install(app: FastAPI, refused: Callable[[str], None]) -> None:
    """`refused`: called with the code of each error."""
    app.state.refused = refused
    app.add_exception_handler(Refusal, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(SQLAlchemyError, _no_store)
    app.add_exception_handler(Exception, _fault)


async def _refusal(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, Refusal)
    return _answer(request, fault)


async def _invalid(request: Request, fault: Exception) -> JSONResponse:
    assert isinstance(fault, RequestValidationError)
    first = fault.errors()[0]
    if first["type"] == "json_invalid":
        return _answer(request, Refusal(400, "malformed", "the body is not JSON"))
    place, *loc = first["loc"]  # the place is body, query or header
    if place == "body" and not loc:
        if first["type"] == "missing":
            return _answer(request, NO_BODY)
        if "json" not in request.headers.get("content-type", ""):
            return _answer(request, NO_JSON)
    return _answer(request, invalid({**first, "loc": loc}))


def invalid(first: Mapping[str, Any]) -> Refusal:
    """What pydantic found first. What was sent is not repeated: it may be a secret."""
    field = ".".join(str(part) for part in first["loc"]) or None
    limits = {name: value for name, value in first.get("ctx", {}).items() if name in LIMITS}
    codes = {"missing": "missing", "extra_forbidden": "unknown_field"}
    code = codes.get(first["type"], "bad_value")
    text = f"{field}: {first['msg']}" if field else str(first["msg"])
    return Refusal(422, code, text, field=field, allowed=limits or None)


async def _http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    if fault.status_code == 404 and request.url.path in ROLES:
        return _answer(request, NO_UPGRADE, Upgrade="websocket", Connection="Upgrade")
    reads = "text/html" in request.headers.get("accept", "")
    if fault.status_code == 404 and reads and not request.url.path.startswith(("/api/", "/web/")):
        return pages.nowhere()
    return _answer(request, refused(fault), **(fault.headers or {}))


def refused(fault: HTTPException) -> Refusal:
    """What the framework refuses, in our shape."""
    code, text = CODES.get(fault.status_code, (f"http_{fault.status_code}", str(fault.detail)))
    headers = dict(fault.headers or {})
    allowed = headers["Allow"].split(", ") if "Allow" in headers else None
    return Refusal(fault.status_code, code, text, allowed=allowed)


async def _no_store(request: Request, fault: Exception) -> JSONResponse:
    if isinstance(fault, NotStorable):
        return _answer(request, not_storable())
    structlog.get_logger().error("the database cannot be used", why=type(fault).__name__)
    return _answer(request, NO_STORE)


async def _fault(request: Request, fault: Exception) -> JSONResponse:
    refusal = Refusal(500, "server_fault", "the server failed at this; it was logged")
    return _answer(request, refusal)


def _answer(request: Request, refusal: Refusal, **headers: str) -> JSONResponse:
    request.app.state.refused(refusal.code)
    if refusal.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(refusal.json(), refusal.status, headers)
