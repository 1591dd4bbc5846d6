"""PROTOCOL.md against the real server: its transcript is played, and every frame of it fits the
published schemas."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws
from jsonschema_rs import Draft202012Validator
from websockets.exceptions import ConnectionClosed

import client_sdk
from tests.e2e.arena import Arena, receive

TEXT = (Path(client_sdk.__file__).parent / "PROTOCOL.md").read_text()
LINES = [line for line in TEXT.split("```transcript\n")[1].split("```")[0].splitlines() if line]
ANYTHING = "…"
MORE = '"…":"…"'


def read(text: str) -> Any:
    """A line's JSON; a bare … among the fields becomes a field of that name."""
    return json.loads(re.sub(r"([,{])…(?=})", rf"\1{MORE}", text))


def differing(expected: Any, got: Any, path: str = "") -> str | None:
    """Where `got` is not what the transcript says, or None."""
    if expected == ANYTHING:
        return None
    if isinstance(expected, dict) and isinstance(got, dict):
        if ANYTHING not in expected and expected.keys() != got.keys():
            return f"{path}: expected the fields {sorted(expected)}, got {sorted(got)}"
        found = (
            differing(expected[key], got.get(key), f"{path}.{key}")
            for key in expected
            if key != ANYTHING
        )
        return next((fault for fault in found if fault), None)
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        found = (
            differing(left, right, f"{path}[{index}]")
            for index, (left, right) in enumerate(zip(expected, got, strict=True))
        )
        return next((fault for fault in found if fault), None)
    return None if expected == got else f"{path}: expected {expected}, got {got}"


class Player:
    """Plays the transcript's lines and remembers what later lines refer to."""

    def __init__(self, arena: Arena, open_: ExitStack) -> None:
        self.arena = arena
        self.open = open_
        self.lobby = ""
        self.tokens: list[str] = []
        self.sockets: dict[str, ws.Connection] = {}
        self.answer: Any = None
        served = arena.rest.schemas()
        self.schema = Draft202012Validator(
            {"$ref": "#/$defs/ServerMessage", "$defs": served["$defs"]}
        )

    def play(self, line: str) -> None:
        if line.startswith("POST "):
            _, path, body = line.split(" ", 2)
            response = self.arena.rest._client.post(
                path.replace("{lobby}", self.lobby), json=read(body)
            )
            self.answer = (response.status_code, response.json())
        elif line.startswith("201 "):
            status, body = self.answer
            assert status == 201, body
            assert differing(read(line[4:]), body) is None, differing(read(line[4:]), body)
            self.lobby = body["lobby"]
            self.tokens += [body["token"]] if "token" in body else []
        else:
            who, direction, what = re.match(r"(seat \d|watch) ([→←×]) (.*)", line).groups()
            getattr(self, {"→": "say", "←": "hear", "×": "closed"}[direction])(who, what)

    def say(self, who: str, what: str) -> None:
        if who not in self.sockets:
            self.sockets[who] = self.open.enter_context(
                self.arena.socket("watch" if who == "watch" else "play")
            )
        token = "" if who == "watch" else self.tokens[int(who[-1])]
        self.sockets[who].send(what.replace("{token}", token).replace("{lobby}", self.lobby))

    def hear(self, who: str, what: str) -> None:
        got = receive(self.sockets[who])
        assert (error := next(self.schema.iter_errors(got), None)) is None, error
        assert differing(read(what), got) is None, f"{differing(read(what), got)}\nin {got}"

    def closed(self, who: str, status: str) -> None:
        with pytest.raises(ConnectionClosed) as closed:
            receive(self.sockets[who])
        assert int(status) == closed.value.rcvd.code


def test_the_transcript_matches_a_real_server(arena: Arena) -> None:
    with ExitStack() as open_:
        player = Player(arena, open_)
        for line in LINES:
            player.play(line)


def test_a_wrong_transcript_is_found() -> None:
    assert differing(read('{"a":1,…}'), {"a": 1, "b": 2}) is None
    assert differing(read('{"a":1}'), {"a": 1, "b": 2}) is not None
    assert differing(read('{"a":[1,{"b":"…"}]}'), {"a": [1, {"b": 7}]}) is None
    assert (
        differing(read('{"a":[1,{"b":2}]}'), {"a": [1, {"b": 3}]}) == ".a[1].b: expected 2, got 3"
    )


def test_every_close_code_is_documented_with_its_retry() -> None:
    from client_sdk.wire.codes import CLOSES

    rows = dict(re.findall(r"^\| (\d{4}) \| (.*) \|$", TEXT, re.MULTILINE))
    assert {str(status) for status in CLOSES} == set(rows)
    for close in CLOSES.values():
        code, retry = rows[str(close.status)].split(" | ")[:2]
        assert (f"`{close.code}`", "yes" if close.retry else "no") == (code, retry)
