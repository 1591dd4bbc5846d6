"""How routes are declared, so that FastAPI reads each of them once, before the server listens, and
only what it needs to answer: what the document says of the answers is read when it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field

from server.routes.models.answer import Answers

API: Final = "/api/v1"


class Route(APIRoute):
    """A route whose `responses` are for the document only."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        responses: Answers | None = None,
        **options: Any,
    ) -> None:
        super().__init__(path, endpoint, **options)
        self.responses = responses or {}

    def read_responses(self) -> None:
        """Read them as FastAPI would have."""
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
    """Serve their routes. `include_router` would have FastAPI read them again, at the first request
    and on the loop, for longer than the clocks of matches may wait."""
    for router in routers:
        app.router.routes.extend(router.routes)
