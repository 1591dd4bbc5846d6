"""The log: one line an event, with the match that it is about, and nothing of what a client
wrote."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import Connection, connect

from client_sdk.rest import RestClient
from server.log import ORDER, Logfmt
from tests.e2e.arena import everything, hello, receive, send
from tests.server.live_server import PATIENCE_S, eventually
from tests.server.test_serving import serving

ABOUT_NO_MATCH = {
    "stopping",
    "not well",
    "well again",
    "the process was paused; no seat pays for that",  # as a busy machine may do
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def lived(data: Path, **environment: str) -> tuple[str, list[dict[str, Any]]]:
    """The log of a server on which a match is played, looked at, broken by a client, and asked for
    what it has not."""
    with (
        serving(data, "--log-level", "debug", BOTARENA_LOG_FORMAT="json", **environment) as (
            process,
            url,
        ),
        RestClient(url) as rest,
    ):
        made = rest.create("botstack", config={"decision_timeout_ms": 60_000}, bots=["greedy"])
        lobby = made["lobby"]
        seat = rest.join(lobby, "botstack", "me")
        rest.lobby(lobby)
        with ws(url, "play") as wrong:
            send(wrong, type="hello", protocol=1, token="s_no-such-token")
            everything(wrong)
        with ws(url, "play") as socket, ws(url, "watch") as viewer:
            hello(viewer, match=lobby)
            hello(socket, token=seat["token"])
            receive(socket, "start")
            for _ in range(50):
                socket.send("nonsense")
            everything(socket)
        httpx.get(
            f"{url}/api/v1/lobbies/no-such-lobby?token=s_in-the-query",
            trust_env=False,
            timeout=PATIENCE_S,
        )
        httpx.get(f"{url}/api/v1/nowhere/s_in-the-path", trust_env=False, timeout=PATIENCE_S)
        eventually(
            lambda: (
                [line for line in lines(data / "log") if line["event"] == "request"][-1]["path"]
                is None
            )
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    return lobby, lines(data / "log")


def ws(url: str, role: str) -> Connection:
    return connect(f"ws{url.removeprefix('http')}/ws/{role}", compression=None, proxy=None)


def test_every_log_line_is_an_object_with_its_match(tmp_path):
    lobby, log = lived(tmp_path, BOTARENA_DRAIN_MS="50")
    about = [line for line in log if "match" in line]
    others = [line for line in log if "match" not in line and line["event"] not in ABOUT_NO_MATCH]

    assert {line["match"] for line in about} == {lobby}
    assert {"seat taken", "connected", "refused", "house bot started", "request"} <= {
        line["event"] for line in about
    }
    assert [line["code"] for line in others if line["event"] == "refused"] == ["bad_token"]
    assert {line["event"] for line in others} == {"refused", "request"}
    for line in others:
        if line["event"] == "request":
            assert line["status"] == 404 or not re.search(r"\{(lobby|match)\}", line["path"]), line
    assert all({"timestamp", "level", "event"} <= line.keys() for line in log)


def test_a_request_is_logged_by_its_route_without_client_data(tmp_path):
    _, log = lived(tmp_path, BOTARENA_DRAIN_MS="50")
    fields = {
        (line["method"], line["path"], line["status"], line["level"])
        for line in log
        if line["event"] == "request"
    }

    assert {
        ("POST", "/api/v1/lobbies", 201, "info"),
        ("POST", "/api/v1/lobbies/{lobby}/join", 201, "info"),
        ("GET", "/api/v1/lobbies/{lobby}", 200, "debug"),
        ("GET", "/api/v1/lobbies/{lobby}", 404, "debug"),
        ("GET", None, 404, "debug"),
    } <= fields
    assert not re.search("no-such|in-the-", (tmp_path / "log").read_text())
    assert all(line["ms"] >= 0 for line in log if line["event"] == "request")


def test_client_data_cannot_start_a_line_or_move_the_cursor() -> None:
    words = 'x\nlevel=error\rlevel=error \x1b[2J\u2028 "ü"'

    line = Logfmt(key_order=ORDER, drop_missing=True)(
        None, "info", {"event": "connected", "level": "info", "client": words}
    )

    assert (
        line
        == r'level=info event=connected client="x\nlevel=error\rlevel=error \x1b[2J\u2028 \"ü\""'
    )
