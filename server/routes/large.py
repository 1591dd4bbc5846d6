"""Routes whose large bodies are read and checked in another process."""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import ConfigDict, ValidationError
from starlette.requests import ClientDisconnect

from games.core.contract import Json
from server.errors import Refusal
from server.offload import Offload
from server.routes.errors import invalid
from server.routes.models.documented import Documented
from server.routes.route import API, Route, routes_below

SMALL = 64 * 1024
"""Bytes of a body that are read on the loop."""


class RequestBody(Documented):
    """What a request brings."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def prepared(self) -> Any:
        """What can be made of it without the server, picklable; for the route in
        `request.state.prepared`. Raises Refusal."""


class Large(Route):
    """A route with one body, a `RequestBody`. `app.state.offload` is the process."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        if not self.dependant.body_params:
            return handle
        model: Any = self.dependant.body_params[0].field_info.annotation

        async def handle_large(request: Request) -> Response:
            read = _Read(request.scope, request.receive)
            read.state.prepared = None
            try:
                body = await read.body()
            except ClientDisconnect:
                return Response(status_code=400)  # no one is there to read it
            if len(body) > SMALL:
                offload: Offload = request.app.state.offload
                read.data, read.state.prepared = loaded(await offload.answer(parsed, model, body))
            return await handle(read)

        return handle_large


def large_routes(prefix: str, *, tag: str) -> APIRouter:
    """A router of such routes, below the prefix of the API."""
    return routes_below(f"{API}{prefix}", tag=tag, route_class=Large)


class _Read(Request):
    """A request whose body may have been parsed already."""

    data: Json = None

    async def json(self) -> Json:
        return await super().json() if self.data is None else self.data


def parsed(model: type[RequestBody], body: bytes) -> bytes:
    """The JSON, and what `RequestBody.prepared` makes of it, pickled. Raises Refusal."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "malformed", "the body is not JSON") from None
    try:
        made = model.model_validate(data, from_attributes=True)  # as FastAPI does
    except ValidationError as fault:
        raise invalid(fault.errors()[0]) from None
    return pickle.dumps((data, made.prepared()), pickle.HIGHEST_PROTOCOL)


def loaded(pickled: bytes) -> tuple[Json, Any]:
    """What `parsed` has pickled. No collection in between: a large board is many objects, none of
    them garbage, and to look for some among all objects takes longer than to load them."""
    gc.disable()
    try:
        found: tuple[Json, Any] = pickle.loads(pickled)  # noqa: S301  our own process made it
        return found
    finally:
        gc.enable()
