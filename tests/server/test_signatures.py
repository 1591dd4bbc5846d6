"""Servers of the tests share what FastAPI reads of their routes, and nothing else."""

from __future__ import annotations

from pathlib import Path

from fastapi.routing import APIRoute

from server.app.arena import Arena, create_app
from server.settings import Settings
from tests.conformance import DOCUMENT
from tests.signatures import read_once


def routes(arena: Arena) -> list[APIRoute]:
    routers = [arena.http.app.router]
    for router in routers:
        routers += [
            route.original_router for route in router.routes if hasattr(route, "original_router")
        ]
    return [route for router in routers for route in router.routes if isinstance(route, APIRoute)]


def test_each_server_calls_its_own_handlers(tmp_path: Path):
    read_once()
    first, second = (routes(create_app(Settings(data_dir=tmp_path))) for _ in range(2))

    assert [route.path for route in first] == [route.path for route in second]
    assert len(first) > 60
    for route in first + second:
        assert route.dependant.call is route.endpoint
    assert not {route.endpoint for route in first} & {route.endpoint for route in second}


def test_a_server_made_from_what_was_read_once_has_the_same_document(tmp_path: Path):
    read_once()

    assert create_app(Settings(data_dir=tmp_path)).document() == DOCUMENT
