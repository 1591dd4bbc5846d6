"""How routes are declared, so that FastAPI reads each of them once, and when it is needed: to read
all of them would be a tenth of a server's start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field

from server.asgi import Receive, Scope, Send
from server.routes.models.answer import Answers

API: Final = "/api/v1"


class Route(APIRoute):
    """A route that FastAPI reads at the first request to it. Its `responses` are for the document
    only."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        responses: Answers | None = None,
        name: str | None = None,
        methods: Iterable[str] | None = None,
        **options: Any,
    ) -> None:
        super(APIRoute, self).__init__(path, endpoint, name=name)  # what a request is matched with
        self.methods = set(methods or ("GET",))
        self._options = {"name": name, "methods": methods, **options}
        self._responses = responses or {}
        self._reading = Lock()
        self._read = False

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._read:
            await asyncio.to_thread(self.read)  # clocks of matches may run
        await super().handle(scope, receive, send)

    def read(self) -> None:
        """Read what is needed to answer, if that is not done."""
        with self._reading:
            if not self._read:
                super().__init__(self.path, self.endpoint, **self._options)
                self.responses = self._responses
                self._read = True

    def read_responses(self) -> None:
        """Read what the document says of the answers too, as FastAPI would have."""
        self.read()
        for status, response in self.responses.items():
            if "model" in response:
                self.response_fields[status] = create_model_field(
                    name=f"Response_{status}_{self.unique_id}",
                    type_=response["model"],
                    mode="serialization",
                )


def routes_below(
    prefix: str,
    *,
    tag: str,
    dependencies: Sequence[Any] = (),
    route_class: type[Route] = Route,
) -> APIRouter:
    """A router. `prefix` is all that stands before the paths of its routes."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        dependencies=dependencies,
        route_class=route_class,
        generate_unique_id_function=lambda route: route.name,
    )


def add(app: FastAPI, routers: Iterable[APIRouter]) -> None:
    """Serve their routes. `include_router` would have FastAPI read all of them at the first
    request, on the loop, for longer than the clocks of matches may wait."""
    for router in routers:
        app.router.routes.extend(router.routes)
