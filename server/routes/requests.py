"""A line in the log and a count for each request over HTTP."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import structlog

from server.asgi import Message, Scope, Send
from server.cluster.forward import Subject
from server.metrics import Metrics

API = ["", "api", "v1"]
ASKED = ("GET", "HEAD", "OPTIONS")
"""Requests that change nothing are noted at the level of debug."""


class Noted:
    """One request. It is logged by the route's pattern and the match's id. What a client wrote is
    not logged: it may be a token in the wrong place."""

    def __init__(
        self, scope: Scope, send: Send, metrics: Metrics, lobby: Callable[[str], object | None]
    ) -> None:
        self._scope = scope
        self._send = send
        self._metrics = metrics
        self._lobby = lobby
        self._begun = time.monotonic()
        self._status = 0
        """0: the client was gone before it got an answer."""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        await self._send(message)

    def over(self) -> None:
        method = self._scope["method"]
        self._metrics.request(method, self._status)
        asked = self._scope.get("path_params", {})
        id_ = asked.get("match", asked.get("lobby"))
        known = {"match": id_} if id_ is not None and self._lobby(id_) is not None else {}
        log = structlog.get_logger()
        tell = log.warning if self._status >= 500 else log.debug if method in ASKED else log.info
        path, ms = self._pattern(asked), round((time.monotonic() - self._begun) * 1000, 1)
        tell("request", **known, method=method, path=path, status=self._status, ms=ms)

    def _pattern(self, asked: Mapping[str, str]) -> str | None:
        """The path with the names of its parts instead of what the client put there; None: we have
        no such route."""
        if self._scope.get("route") is None:
            return None
        names = {str(value): f"{{{name}}}" for name, value in asked.items()}
        path: str = self._scope["path"]
        return "/".join(names.get(part, part) for part in path.split("/"))


def subject(scope: Scope) -> Subject | None:
    """What a request is about, by its path; None: what every process answers."""
    parts = scope["path"].split("/")
    if parts[:3] != API:
        return None
    match parts[3:]:
        case ["lobbies"] if scope["method"] == "POST":
            key = dict(scope["headers"]).get(b"idempotency-key")
            return ("new", "") if key is None else ("key", key.decode("latin-1"))
        case ["lobbies", id_, *_] if id_ not in ("*", "new"):
            return "lobby", id_
        case ["matches", id_]:
            return "match", id_
        case ["matches" | "replays", id_, *_]:
            return "record", id_
        case ["bots", "me", "invitations"] | ["ladders", *_]:
            return "leader", ""
        case ["admin", "matches", id_, *_]:
            return "lobby", id_
    return None
