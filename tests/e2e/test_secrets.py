"""No token is logged or sent to anyone but its owner, wherever a client put it by mistake: all
output of a server is searched."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as ws
from websockets.exceptions import WebSocketException

from server.tokens import new_token
from tests.accounts.people import person
from tests.e2e.arena import Arena, eventually, everything, hello, receive, send, started

PATIENT = {"turn_ms": 600_000, "preprocessing_ms": 600_000, "startup_ms": 600_000}
"""No clock runs out, however slow the machine is."""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with started(
        tmp_path_factory.mktemp("noisy"),
        words=("--log-level", "debug"),
        BOTARENA_METRICS_TOKEN="m" * 40,
        BOTARENA_HELLO_MS="600000",
    ) as running:
        yield running


class Recorder:
    """Everything that the server sends, except the one answer that gives a token to its owner."""

    def __init__(self, arena: Arena) -> None:
        self.http = httpx.Client(base_url=arena.url, trust_env=False, timeout=60)
        self.url = arena.url
        self.heard: list[str] = []

    def asks(
        self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> httpx.Response:
        """Send a request and record the answer."""
        sent = headers | ({} if token is None else {"Authorization": f"Bearer {token}"})
        content = (
            body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        )
        given = {"Content-Type": "application/json"} | sent
        answer = self.http.request(method, path, content=content, headers=given)
        self.heard.append(f"{answer.headers} {answer.text}")
        return answer

    def creates(self, path: str, body: Any, token: str | None = None) -> dict[str, Any]:
        """The answer that creates a token, which is not recorded."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = self.http.post(f"/api/v1{path}", json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def hears(self, arena: Arena, role: str, *frames: str | bytes) -> None:
        """Send these frames on a socket and record everything received."""
        with arena.socket(role) as socket:
            with contextlib.suppress(WebSocketException):
                for frame in frames:
                    socket.send(frame)
                socket.send("that is all")
            self.heard.append(json.dumps(everything(socket)))


def misplaced(recorder: Recorder, lobby: str, token: str) -> None:
    """Send this token over HTTP wherever a client might put it by mistake."""
    api = "/api/v1"
    for path in (
        f"lobbies/{token}",
        f"matches/{token}",
        f"replays/{token}",
        f"games/{token}",
        f"maps/{token}/x",
        f"accounts/{token}",
    ):
        recorder.asks("GET", f"{api}/{path}")
    for path in (
        f"lobbies?game={token}",
        f"lobbies?state={token}",
        f"matches?before={token}",
        f"bots?game={token}",
        token,
    ):
        recorder.asks("GET", f"{api}/{path}")
    recorder.asks("GET", f"/healthz?token={token}")
    recorder.asks("GET", "/metrics", token=token)
    for scheme in ("Basic", "bearer", "Token"):
        recorder.asks("POST", f"{api}/lobbies/{lobby}/start", Authorization=f"{scheme} {token}")
    recorder.asks("GET", f"{api}/admin/matches", token=token)
    recorder.asks("POST", f"{api}/lobbies", {"game": "pyrat", token: token})
    for field in (
        "game",
        "name",
        "map",
        "faults",
        "map_text",
        "seed",
        "config",
        "clock",
        "bots",
        "password",
        "start_timeout_ms",
    ):
        recorder.asks("POST", f"{api}/lobbies", {"game": "pyrat", field: token})
    for config in ({token: 1}, {"width": token}, {"preset": token}, {"cheese": [token]}):
        recorder.asks("POST", f"{api}/lobbies", {"game": "pyrat", "config": config})
    recorder.asks("POST", f"{api}/lobbies", {"game": "pyrat", "bots": [token]})
    recorder.asks("POST", f"{api}/lobbies", {"game": "pyrat", "clock": {token: 1}, "name": "x"})
    recorder.asks("POST", f"{api}/lobbies", ('{"game": "' + token).encode())
    for field in ("name", "game", "kind", "seat", "invite", "password"):
        recorder.asks("POST", f"{api}/lobbies/{lobby}/join", {"name": "x", field: token})
    recorder.asks("POST", f"{api}/accounts", {"name": token})
    recorder.asks("POST", f"{api}/lobbies/{lobby}/bots", {"bot": token}, token=token)


def misplaced_frames(token: str) -> list[str | bytes]:
    """Frames with a token in a wrong place."""
    return [
        f'{{"type": "commands", "turn": 0, "commands": ["{token}"]}}',
        f'{{"type": "commands", "turn": 0, "commands": [{{"{token}": 1}}], "id": 1}}',
        f'{{"type": "provisional", "turn": 0, "commands": ["{token}"]}}',
        f'{{"type": "info", "data": "my token is {token}"}}',
        f'{{"type": "{token}"}}',
        f'{{"type": "seen", "turn": "{token}"}}',
        f'{{"type": "hello", "protocol": 1, "token": "{token}"}}',
        f'{{"type": "hello", "protocol": 1, "token": "{token}',
        f'["{token}"]',
        token,
        token.encode(),
    ]


def wrong_hellos(token: str, match: str) -> list[list[str | bytes]]:
    """First frames that are refused."""
    return [
        [json.dumps({"type": "hello", "protocol": 1, "token": f"{token}x"})],
        [json.dumps({"type": "hello", "protocol": 9, "token": token})],
        [json.dumps({"type": "hello", "protocol": 1, "match": token})],
        [json.dumps({"type": "hello", "protocol": 1, "match": match, "token": f"{token}x"})],
        [json.dumps({"type": "hello", "protocol": token, "token": token})],
        *([frame] for frame in misplaced_frames(token)[-4:]),
    ]


def play_through(arena: Arena, recorder: Recorder) -> list[str]:
    """Accounts, lobbies and a match with every misplaced frame; returns all tokens."""
    organiser, bot = (
        person(arena.data, "organiser").key,
        recorder.creates("/accounts", {"name": "mine"})["key"],
    )
    options = {
        "game": "pyrat",
        "config": {"preset": "tiny", "max_turns": 3},
        "private": True,
        "clock": PATIENT,
    }
    made = recorder.creates("/lobbies", options | {"password": "xyzzy"}, organiser)
    first = recorder.creates(
        f"/lobbies/{made['lobby']}/join", {"name": "mine", "invite": made["invite"]}, bot
    )
    second = recorder.creates(
        f"/lobbies/{made['lobby']}/join", {"name": "other", "password": "xyzzy"}
    )
    open_one = recorder.creates(
        "/lobbies", {"game": "botstack", "bots": ["trivial"], "clock": PATIENT}
    )
    third = recorder.creates(f"/lobbies/{open_one['lobby']}/join", {"name": "third"}, bot)
    wrong = [new_token(kind) for kind in ("seat", "owner", "invite", "key")]
    tokens = [
        organiser,
        bot,
        made["owner_token"],
        made["invite"],
        first["token"],
        second["token"],
        third["token"],
        *wrong,
    ]
    for token in (organiser, made["owner_token"], made["invite"], first["token"], *wrong[:2]):
        misplaced(recorder, made["lobby"], token)
        for frames in wrong_hellos(token, made["lobby"]):
            recorder.hears(arena, "play", *frames)
            recorder.hears(arena, "watch", *frames)
        for path in (f"ws/play?token={token}", token):
            with (
                contextlib.suppress(WebSocketException),
                ws.connect(f"ws{arena.url.removeprefix('http')}/{path}", proxy=None),
            ):
                pass
    plays(arena, recorder, first["token"], second["token"], made, tokens)
    recorder.asks(
        "POST", f"/api/v1/admin/matches/{open_one['lobby']}/abort", {"reason": "enough"}, organiser
    )
    for path in (
        "lobbies",
        "matches",
        "replays",
        "admin/matches",
        "admin/actions",
        "accounts",
        "accounts/me",
        "openapi.json",
    ):
        recorder.asks("GET", f"/api/v1/{path}", token=organiser)
    recorder.asks("GET", "/metrics", token="m" * 40)
    arena.over(made["lobby"], made["owner_token"])
    for path in (
        f"matches/{made['lobby']}",
        f"matches/{made['lobby']}/journal",
        f"replays/{made['lobby']}",
    ):
        assert (
            eventually(
                lambda path=path: recorder.asks("GET", f"/api/v1/{path}", token=organiser)
            ).status_code
            == 200
        )
    return tokens


def plays(
    arena: Arena,
    recorder: Recorder,
    first: str,
    second: str,
    lobby: dict[str, Any],
    tokens: list[str],
) -> None:
    """Both seats and a viewer send every misplaced frame once, then play to the end."""
    with arena.socket("play") as red, arena.socket("play") as blue, arena.socket("watch") as viewer:
        greetings = [
            hello(red, token=first, client=f"my bot {first}"),
            hello(blue, token=second, client=second),
            hello(viewer, match=lobby["lobby"], token=lobby["invite"]),
        ]
        send(red, type="ready")
        send(blue, type="ready")
        heard: list[Any] = [*greetings, receive(red, "view"), receive(blue, "view")]
        for token in tokens[:2]:
            viewer.send(f'{{"type": "info", "data": "{token}"}}')
        for token in (first, second, *tokens[:3]):
            for frame in misplaced_frames(token)[:8]:
                red.send(frame)
                heard.append(receive(red, "error"))
        send(red, type="info", data="nothing secret")
        for turn in range(3):
            for socket in (red, blue):
                send(socket, type="commands", turn=turn, commands=["STAY"])
            heard += [receive(red, "view"), receive(blue, "view")]
        for socket in (red, blue, viewer):
            heard += everything(socket)
        recorder.heard.append(json.dumps(heard))
        assert "nothing secret" in recorder.heard[-1]


def leaks(tokens: list[str], where: str, text: bytes) -> list[tuple[str, str]]:
    return [(where, token[:2]) for token in tokens if token[2:].encode() in text]


def test_no_token_is_logged_echoed_or_kept(noisy: Arena) -> None:
    recorder = Recorder(noisy)
    with contextlib.closing(recorder.http):
        tokens = play_through(noisy, recorder)
    files = [path for path in noisy.data.rglob("*") if path.is_file()]
    kept = {path.name: path.read_bytes() for path in files}
    noisy.process.terminate()
    noisy.process.wait(60)
    eventually(lambda: any("stopping" in line for line in noisy.log))

    assert {path.suffix for path in map(Path, kept)} >= {".jsonl", ".sqlite3"}
    assert len(recorder.heard) > 300  # six tokens, everywhere
    assert sum("xyzzy" in text for text in recorder.heard) == 0
    found = leaks(tokens, "what the server says", "".join(recorder.heard).encode())
    found += leaks(tokens, "the log", "".join(noisy.log).encode())
    for name, content in kept.items():
        found += leaks(tokens, name, content)
        assert b"xyzzy" not in content
    assert found == []
    assert "Traceback" not in "".join(noisy.log)
