"""A bot that is a web server: what it is sent, what counts as no answer, where it may not play."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from client_sdk.bot import house
from client_sdk.console import UserError
from client_sdk.errors import BadBot
from client_sdk.local.headless import FinishedGame, Setting, play_one
from client_sdk.local.players import player_spec
from client_sdk.webhook import WebhookBot
from games import GAMES
from tests.client_sdk.cli.test_kinds import web_server
from tests.client_sdk.test_lines import TINY, Faults, commands

TURNS = 4


class Hook(BaseHTTPRequestHandler):
    """Answers each request as `answers` says, by path; keeps what was asked."""

    protocol_version = "HTTP/1.1"
    asked: list[tuple[str, Any]]
    connections: set[Any]
    answers: dict[str, tuple[int, bytes]]
    hold: threading.Event | None
    headers_sent: dict[str, str]

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append((self.path, body))
        if self.path == "/move" and self.hold is not None:
            self.hold.wait(60)
        self.answer()

    def answer(self) -> None:
        type(self).connections.add(self.client_address)
        status, body = self.answers.get(self.path, (200, b"{}"))
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def hook() -> Iterator[Any]:
    """Starts a web server with these answers: its address and its handler."""
    with ExitStack() as stack:

        def start(move: bytes = b'{"move": "UP"}', status: int = 200, **more: Any) -> Any:
            about = (200, b'{"name": "hook", "version": "1"}')
            handler = type(
                "Handler",
                (Hook,),
                {
                    "asked": [],
                    "connections": set(),
                    "answers": {"/": about, "/move": (status, move)},
                    "hold": None,
                    "headers_sent": {},
                }
                | more,
            )
            url = stack.enter_context(web_server(handler))
            if handler.hold is not None:
                stack.callback(handler.hold.set)
            return url, handler

        yield start


def played(url: str, limit_s: float | None = None) -> tuple[FinishedGame, Faults]:
    config = TINY | {"max_turns": TURNS}
    setting = Setting(game=GAMES["pyrat"], config=config, names=["hook", "other"], record=True)
    faults = Faults()
    with WebhookBot(url, GAMES["pyrat"], limit_s=limit_s) as bot:
        game = play_one(setting, 1, 1, (0, 1), [bot, house("pyrat", "random")], tell=faults)
    return game, faults


def test_it_is_asked_for_each_move_over_one_connection(hook):
    url, handler = hook(b'{"commands": ["UP"], "shout": "up"}')
    game, faults = played(url)

    assert faults == []
    assert commands(game.journal) == ["UP"] * TURNS
    assert [path for path, _ in handler.asked] == ["/start", *["/move"] * TURNS, "/end"]
    assert len(handler.connections) == 1
    turns = [body["turn"] for path, body in handler.asked if path == "/move"]
    assert turns == [*range(TURNS)]
    first, last = handler.asked[1][1], handler.asked[-1][1]
    assert first["game"]["ruleset"]["name"] == "pyrat"
    assert first["game"]["timeout"] == 20_000
    assert first["you"] == {"seat": 0, "role": "rat", "name": "hook", "kind": "bot"}
    assert first["board"]["turn"] == 0
    assert last["outcome"]["reason"] == "max_turns"


@pytest.mark.parametrize(
    ("move", "status", "why"),
    [
        (b'{"move": "UP"}', 500, "/move answers with HTTP status 500"),
        (b"UP", 200, "/move answers with what is no JSON object"),
        (b"[" * 60_000, 200, "/move answers with what is no JSON object"),
        (b'{"moves": "UP"}', 200, 'expected {"move": ...} or {"commands": [...]}'),
        (b'{"commands": "UP"}', 200, "commands: expected a list"),
        (b'{"move": ' + b"[" * 99 + b"]" * 99 + b"}", 200, "nested in at most 64 levels"),
        (b" " * 70_000, 200, "an answer of more than 64 KB"),
    ],
)
def test_what_is_no_answer_is_silence_in_that_turn(hook, move, status, why):
    game, faults = played(hook(move, status)[0])

    assert commands(game.journal) == []
    assert len(faults) == TURNS
    assert faults[0].startswith("turn 0: no answer: ")
    assert why in faults[0]


def test_redirects_are_not_followed(hook):
    other, elsewhere = hook()
    url, _ = hook(answers={"/": (307, b"")}, headers_sent={"Location": other})
    with pytest.raises(BadBot, match="/ answers with HTTP status 307"):
        WebhookBot(url, GAMES["pyrat"])

    assert elsewhere.asked == []
    assert elsewhere.connections == set()


def test_a_late_answer_is_silence_and_after_two_it_is_not_asked_any_more(hook):
    url, handler = hook(hold=threading.Event())
    game, faults = played(url, limit_s=0.2)

    assert faults == [f"turn {turn}: no answer within 200 ms" for turn in (0, 1)]
    assert commands(game.journal) == []
    assert sum(path == "/move" for path, _ in handler.asked) == 2


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_comes_byte_by_byte_is_late(hook, part):
    """The time is that of the whole answer, not of each part of it."""

    def answer(self: Hook) -> None:
        if self.path != "/move":
            Hook.answer(self)
            return
        begun = b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n"
        self.wfile.write(begun + (b"X-Slow: " if part == "head" else b"\r\n"))
        with suppress(OSError):
            for _ in range(600):  # a minute: only a fault waits for it
                self.wfile.write(b" ")
                sleep(0.1)
        self.close_connection = True

    game, faults = played(hook(answer=answer)[0], limit_s=0.3)

    assert faults == [f"turn {turn}: no answer within 300 ms" for turn in (0, 1)]
    assert commands(game.journal) == []


def test_a_packed_answer_is_not_unpacked(hook):
    packed = gzip.compress(b'{"move": "UP"}' + b" " * 60_000)
    _, faults = played(hook(packed, headers_sent={"Content-Encoding": "gzip"})[0])

    assert len(faults) == TURNS
    assert "what is no JSON object" in faults[0]


@pytest.mark.parametrize(
    "address",
    [
        "http://",
        "http://[::1",
        "http://127.0.0.1:99999",
        "https://:80/",
        "http://me:secret@127.0.0.1:9",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(address):
    with pytest.raises(UserError, match="no address of a webhook: expected http://HOST") as raised:
        player_spec("pyrat", address)

    assert "secret" not in str(raised.value)


def test_a_host_name_that_is_none_is_no_bot():
    with pytest.raises(BadBot, match="the web server cannot be reached"):
        WebhookBot(f"http://{'a' * 300}/", GAMES["pyrat"])


def test_a_web_server_that_is_not_there_is_no_bot():
    with pytest.raises(BadBot, match=r"http://127\.0\.0\.1:9: the web server cannot be reached"):
        WebhookBot("http://127.0.0.1:9", GAMES["pyrat"])


def test_it_plays_no_realtime_game(hook):
    url, handler = hook()
    with pytest.raises(BadBot, match="a webhook plays no realtime game, and zooscape is one"):
        WebhookBot(url, GAMES["zooscape"])

    assert handler.connections == set()


def test_no_module_of_the_server_plays_webhooks():
    """A server that asks addresses of others can be made to attack them."""
    sources = Path(__file__).parents[2].joinpath("server").rglob("*.py")
    player = re.compile("client_sdk.webhook|WebhookBot")

    assert not [path for path in sources if player.search(path.read_text(encoding="utf-8"))]
