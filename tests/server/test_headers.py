"""What every HTTP response tells a browser: run nothing, load nothing, guess no type."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from tests.accounts.people import person
from tests.server.live_server import LiveServer, hosted


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    with hosted(tmp_path_factory.mktemp("headers")) as live_server:
        yield live_server


def policies(live_server: LiveServer, path: str) -> dict[str, str]:
    headers = live_server.http.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff", path
    assert headers["Referrer-Policy"] == "same-origin", path
    return dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )


@pytest.fixture(scope="module")
def tournament(arena: LiveServer) -> str:
    request = {
        "name": "Spring",
        "game": "pyrat",
        "bots": [{"house": "greedy"}, {"house": "random"}],
    }
    return arena.post("/tournaments", request, person(arena.data, "organiser").key).json()[
        "tournament"
    ]


def test_responses_cannot_run_scripts_or_be_taken_for_another_type(
    arena: LiveServer, tournament: str
):
    match, clients = arena.started("walk", config={"turns": 1})
    clients[0].until("view")
    clients[0].answer(0, end_turn=True)
    arena.over(match)
    for path in (
        f"/api/v1/matches/{match}/journal",
        f"/api/v1/replays/{match}",
        f"/api/v1/matches/{match}/seats/0",
        f"/api/v1/tournaments/{tournament}/standings.csv",
        f"/api/v1/tournaments/{tournament}",
        "/api/v1/maps/zooscape/none",
        "/api/v1/lobbies",
        "/api/v1/openapi.json",
        "/nothing/at/all",
        "/metrics",
        "/healthz",
    ):
        policy = policies(arena, path)
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'", path
        assert "script-src" not in policy, path


def test_the_printed_page_allows_only_its_own_style(arena: LiveServer, tournament: str):
    path = f"/api/v1/tournaments/{tournament}/page"
    policy, text = policies(arena, path), arena.http.get(path).text
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()

    assert policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
    }
    meta = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert meta is not None
    assert f"style-src 'sha256-{digest}'" in meta[1]


def test_the_page_has_each_header_once(arena: LiveServer):
    for path, scripts in (("/", "'self'"), ("/web/app.js", None)):
        assert policies(arena, path).get("script-src") == scripts
        assert len(arena.http.get(path).headers.get_list("Content-Security-Policy")) == 1
