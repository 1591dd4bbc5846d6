"""Routes are read when they are needed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi import routing
from httpx import ASGITransport, AsyncClient

from server.app.arena import create_app
from server.routes.route import Route
from server.settings import Settings
from tests.conformance import DOCUMENT


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """The paths of the routes that FastAPI reads, and whether on the thread of the test's loop."""
    found: list[tuple[str, bool]] = []
    original: Any = routing.get_dependant

    def reads(*, path: str, **given: Any) -> Any:
        found.append((path, threading.current_thread() is threading.main_thread()))
        return original(path=path, **given)

    monkeypatch.setattr(routing, "get_dependant", reads)
    return found


def test_two_servers_have_the_same_document_and_handlers_of_their_own(tmp_path: Path):
    first, second = (create_app(Settings(data_dir=tmp_path)) for _ in range(2))

    assert first.document() == second.document() == DOCUMENT
    routes = [one.http.app.routes for one in (first, second)]
    assert len(routes[0]) > 60
    for a, b in zip(*routes, strict=True):
        assert isinstance(a, Route)
        assert isinstance(b, Route)
        assert a.path == b.path
        assert a.endpoint is not b.endpoint


async def test_only_the_routes_that_are_asked_for_are_read_once_each_and_not_on_the_loop(
    tmp_path: Path, read: list[tuple[str, bool]]
):
    """On the loop clocks of matches run."""
    app = create_app(Settings(data_dir=tmp_path)).http.app
    assert read == []

    async with AsyncClient(transport=ASGITransport(app), base_url="http://server") as client:
        answers = await asyncio.gather(*(client.get("/api/v1/games/pyrat") for _ in range(5)))
        assert {answer.status_code for answer in answers} == {200}
        assert (await client.get("/api/v1/nothing/there")).status_code == 404
    assert read == [("/api/v1/games/{game}", False)]


def test_what_answers_say_is_read_with_the_document(tmp_path: Path):
    app = create_app(Settings(data_dir=tmp_path)).http.app
    (listed,) = (route for route in app.routes if getattr(route, "name", "") == "list_accounts")
    assert isinstance(listed, Route)
    listed.read()
    assert not listed.response_fields

    app.openapi()
    assert listed.response_fields.keys() == {200}
