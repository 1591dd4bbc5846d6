"""Servers of the tests share what FastAPI reads of their routes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import routing
from fastapi.routing import APIRoute
from httpx import ASGITransport, AsyncClient

from server.app.arena import Arena, create_app
from server.routes.route import Route
from server.settings import Settings
from tests.conformance import DOCUMENT
from tests.signatures import read_once


def routes(arena: Arena) -> list[APIRoute]:
    return [route for route in arena.http.app.routes if isinstance(route, APIRoute)]


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


async def test_no_route_is_read_at_the_first_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It would be read on the loop, beside matches whose clocks run."""
    app = create_app(Settings(data_dir=tmp_path)).http.app

    def read(**given: object) -> None:
        raise AssertionError(f"{given['path']} is read again")

    monkeypatch.setattr(routing, "get_dependant", read)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://server") as client:
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/api/v1/nothing/there")).status_code == 404


def test_what_answers_say_is_read_with_the_document(tmp_path: Path):
    app = create_app(Settings(data_dir=tmp_path)).http.app
    assert not any(route.response_fields for route in app.routes if isinstance(route, APIRoute))

    app.openapi()
    (listed,) = (route for route in app.routes if getattr(route, "name", "") == "list_accounts")
    assert isinstance(listed, Route)
    assert listed.response_fields.keys() == {200}
