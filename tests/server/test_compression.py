"""Which responses are compressed: files of the page and records are, and nothing with a token."""

from __future__ import annotations

import gzip

import httpx
import pytest

from server.routes.pages import _packed
from tests.server.live_server import PATIENCE_S, LiveServer, hosted

SHORT = {"preset": "tiny", "max_turns": 8, "preprocessing_timeout_ms": 0}


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    with hosted(tmp_path_factory.mktemp("compression")) as live_server:
        yield live_server


def sent(arena: LiveServer, path: str, token: str | None = None) -> tuple[str, int, bytes]:
    """Encoding, bytes on the wire, and the body of a GET that takes gzip."""
    headers = {"Accept-Encoding": "gzip"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    url = f"{arena.url}{path}"
    with httpx.stream("GET", url, headers=headers, timeout=PATIENCE_S) as response:
        raw = b"".join(response.iter_raw())
        encoding = response.headers.get("Content-Encoding", "none")
        assert "Accept-Encoding" in response.headers.get("Vary", "") or encoding == "none"
    return encoding, len(raw), gzip.decompress(raw) if encoding == "gzip" else raw


def test_the_pages_files_are_compressed_once_for_all(arena: LiveServer):
    plain = httpx.get(
        f"{arena.url}/web/app.js",
        headers={"Accept-Encoding": "identity"},
        timeout=PATIENCE_S,
    )
    encoding, size, body = sent(arena, "/web/app.js")

    assert "Content-Encoding" not in plain.headers
    assert encoding == "gzip"
    assert body == plain.content
    assert size < len(body) / 2
    assert _packed(body) is _packed(bytes(bytearray(body)))


def test_records_are_compressed_and_no_answer_to_a_token_is(arena: LiveServer):
    match, taken = arena.seated("pyrat", config=SHORT)
    token = taken[0]["token"]
    clients = [arena.seat(one) for one in taken]
    for turn in range(8):
        for client in clients:
            client.until("view", turn=turn)
        for client in clients:
            client.say("commands", turn=turn, commands=["STAY"])
    arena.over(match)

    for path, whose in (
        (f"/api/v1/matches/{match}/journal", None),
        (f"/api/v1/replays/{match}", None),
        (f"/api/v1/matches/{match}/seats/0", None),
        (f"/api/v1/matches/{match}/seat", token),
    ):
        encoding, size, body = sent(arena, path, whose)
        assert (path, encoding) == (path, "gzip")
        assert size < len(body) * 0.6
        assert body.startswith(b'{"k":')

    assert sent(arena, "/api/v1/games")[0] == "gzip"
    assert sent(arena, "/api/v1/games", token)[0] == "none"
    assert sent(arena, f"/api/v1/matches/{match}", token)[0] == "none"
    made = arena.http.post(
        "/api/v1/lobbies", json={"game": "pyrat"}, headers={"Accept-Encoding": "gzip"}
    )
    assert made.json()["owner_token"]
    assert "Content-Encoding" not in made.headers
