"""A bot that is a web server: it is asked for its moves over HTTP.

`GET /` describes it; `POST /start`, `/move` and `/end` get `{"game": {"id", "ruleset", "timeout"},
"turn", "board", "you"}`, where `board` is the view of the seat. The answer to a move is `{"move":
COMMAND}` or `{"commands": [...]}`; a text `shout` in it is shown to viewers. The time of an answer
has the network's in it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Iterable
from typing import Any, Final

import httpx
import msgspec

from client_sdk.address import is_loopback
from client_sdk.answers import whole_turn
from client_sdk.errors import BadBot
from client_sdk.isolated_process import DEPTH, deeper
from client_sdk.process import printable
from client_sdk.remote import RemoteBot
from client_sdk.running import running_s
from client_sdk.start import Start
from games.core.contract import AnyGame, Json
from games.core.parameters import configure

ANSWER_BYTES: Final = 64 * 1024
HEADERS: Final = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
CALL_S: Final = 5.0
"""What calls may take besides those for a move."""
NAME_LONGEST: Final = 64
LONGEST_S: Final = 60.0
"""The time of a turn where a match has no limit."""

log = logging.getLogger("botarena")


class WebhookBot(RemoteBot):
    """Plays what the web server at `url` answers. Connects to no other address: redirects are not
    followed."""

    def __init__(self, url: str, game: AnyGame, *, limit_s: float | None = None) -> None:
        """Asks the server what it is. Raises BadBot if it does not answer, or for a realtime
        game."""
        super().__init__(game, limit_s, LONGEST_S)
        if game.pacing(configure(game, {})).realtime:
            raise BadBot(f"{url}: a webhook plays no realtime game, and {game.name} is one")
        self._url = url.rstrip("/")
        self._board: Json = None
        self._turn = 0
        self._id = secrets.token_hex(8)
        self._runner = asyncio.Runner()
        self._client = httpx.AsyncClient(
            trust_env=not is_loopback(url),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )
        try:
            about = self._called("GET", "/", CALL_S)
        except _NoAnswer as fault:
            self.close()
            raise BadBot(f"{url}: {fault}") from None
        self.name = printable(str(about.get("name") or ""), NAME_LONGEST)

    def close(self) -> None:
        """Close the connection. Doing it twice is no fault."""
        if not self._client.is_closed:
            self._runner.run(self._client.aclose())
            self._runner.close()

    def on_start(self, start: Start) -> None:
        super().on_start(start)
        self._turn, self._board = start.turn, start.view
        self._tell("/start", CALL_S if start.within_ms is None else start.within_ms / 1000)

    def decide(self, view: Json) -> Iterable[Json]:
        turn = self.link.turn()
        self._turn, self._board = self._turn if turn is None else turn, view
        if self._silence is not None:
            return self._silent(self._silence)
        within_s = self._within_s()
        assert within_s is not None
        begun = running_s()
        try:
            return self._commands(self._called("POST", "/move", within_s))
        except _Late:
            late = "turn %s: no answer within %.0f ms"
            log.error(late, self._turn, within_s * 1000, extra={"late": True})
            if self._hangs():
                self._silence = "timeout"
        except _NoAnswer as fault:
            log.error("turn %s: no answer: %s", self._turn, fault)
        finally:
            self._took(running_s() - begun)
        return self._silent("timeout")

    def on_view(self, view: Json) -> None:
        self._board = view

    def on_end(self, outcome: dict[str, Json]) -> None:
        if self._silence is None:
            self._tell("/end", CALL_S, outcome=outcome)

    def _commands(self, answer: dict[str, Json]) -> list[Json]:
        """Raises _NoAnswer."""
        if "commands" not in answer and "move" not in answer:
            raise _NoAnswer('expected {"move": ...} or {"commands": [...]}')
        commands = answer.get("commands", [answer.get("move")])
        if not isinstance(commands, list) or deeper(commands, DEPTH):
            raise _NoAnswer(f"commands: expected a list, nested in at most {DEPTH} levels")
        self._missed = 0
        if isinstance(shout := answer.get("shout"), str) and shout:
            with contextlib.suppress(ValueError):  # more than a frame can hold
                self.link.info({"text": shout})
        return whole_turn(self._game, commands)

    def _tell(self, path: str, within_s: float, **more: Json) -> None:
        """A call whose answer does not matter."""
        with contextlib.suppress(_NoAnswer):
            self._called("POST", path, within_s, more)

    def _called(
        self, method: str, path: str, within_s: float, more: dict[str, Json] | None = None
    ) -> dict[str, Json]:
        """The answer. Raises _NoAnswer."""
        body = None if method == "GET" else msgspec.json.encode(self._message(within_s, more or {}))
        try:
            status, found = self._runner.run(self._fetched(method, path, within_s, body))
        except (TimeoutError, httpx.TimeoutException):
            raise _Late from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as fault:
            raise _NoAnswer(f"the web server cannot be reached: {fault}") from None
        if status != httpx.codes.OK:
            raise _NoAnswer(f"{path} answers with HTTP status {status}")
        if method == "POST" and path != "/move":
            return {}
        try:
            return msgspec.json.decode(found, type=dict[str, Any])
        except (msgspec.MsgspecError, RecursionError):
            raise _NoAnswer(f"{path} answers with what is no JSON object") from None

    async def _fetched(
        self, method: str, path: str, within_s: float, body: bytes | None
    ) -> tuple[int, bytes]:
        """Status and body; the time is that of the whole call. Raises TimeoutError, _NoAnswer."""
        found = bytearray()
        request = self._client.stream(
            method, self._url + path, content=body, headers=HEADERS, timeout=None
        )
        async with asyncio.timeout(within_s), request as response:
            async for chunk in response.aiter_raw():
                found += chunk
                if len(found) > ANSWER_BYTES:
                    raise _NoAnswer(f"an answer of more than {ANSWER_BYTES >> 10} KB")
        return response.status_code, bytes(found)

    def _message(self, within_s: float, more: dict[str, Json]) -> dict[str, Json]:
        start = self._start
        assert start is not None
        return {
            "game": {
                "id": start.match or self._id,
                "ruleset": {
                    "name": start.game,
                    "version": str(self._game.rules_version),
                    "settings": start.config,
                },
                "timeout": round(within_s * 1000),
            },
            "turn": self._turn,
            "board": self._board,
            "you": msgspec.to_builtins(start.seats[start.seat]),
            **more,
        }


class _NoAnswer(Exception):
    """The text says why."""


class _Late(_NoAnswer):
    def __init__(self) -> None:
        super().__init__("no answer in time")
