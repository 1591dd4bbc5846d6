"""Requests that another node has to answer are handed on to it, once.

Whoever is asked knows by the secret that it is a node that asks, and believes it who the client is. A request that was handed on
is answered where it came to. Sockets are never handed on: the answers to requests name the address of the node that plays.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import structlog
from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse

from server.asgi import Receive, Scope, Send
from server.errors import Refusal
from server.nodes.directory import Directory
from server.proxies import SECURE, address
from server.routes import requests
from server.routes.disconnect import ClientGone, while_connected
from server.routes.errors import NO_STORE, refused
from server.store.nodes import Node

Json = Any

SHOWN = b"x-botarena-node"
"""The header with the secret of the node that is asked."""
CLIENT, PROTO, HOST = b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"
KEPT = (b"authorization", b"content-type", b"accept", b"accept-encoding", b"idempotency-key", b"if-none-match")
OURS = ("connection", "transfer-encoding", "date", "keep-alive")
TIMEOUT = httpx.Timeout(30.0, connect=2.0)
LIST_S = 3.0
"""A node that does not answer within this time is left out of a list."""

DOWN = "node_down"
_NO_ANSWER = "the process that has this does not answer; try again soon"
_log = structlog.get_logger()


class Unreachable(Refusal):
    """Nothing has been asked of it."""


class Neighbours:
    def __init__(self, directory: Directory, here: Callable[[str], object | None], front_port: int | None = None) -> None:
        """`here`: what this node has under an id. `front_port`: what comes there might as well have come to another one."""
        self.directory = directory
        self._front_port = front_port
        self._here = here
        self._http: httpx.AsyncClient | None = None

    async def close(self) -> None:
        if self._http is not None:
            await self._http.aclose()

    # --- what comes in

    def handed_on(self, scope: Scope) -> Scope:
        """A request as its client sent it, if a node hands it on; else as it is."""
        if self.directory.alone:
            return scope
        headers = dict(scope["headers"])
        shown = headers.get(SHOWN)
        if shown is None or not self.directory.is_ours(shown.decode("latin-1")):
            return scope
        others = [(name, value) for name, value in scope["headers"] if name not in (b"host", SHOWN)]
        seen = dict(scope)
        seen["handed_on"] = True
        seen["client"] = (headers.get(CLIENT, b"").decode("latin-1"), 0)
        seen["headers"] = [(b"host", headers.get(HOST, b"")), *others]
        if headers.get(PROTO) == b"https":
            seen["scheme"] = SECURE[scope["scheme"]]
        return seen

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Let the node answer that has what this request is about. False: it is for this one."""
        if self.directory.alone or scope.get("handed_on") or not (about := requests.about(scope)):
            return False
        try:
            node = await self._node(about, scope)
            if node is None:
                return False
            await (await self._streamed(node, scope, receive))(scope, receive, send)
        except Refusal as fault:
            await JSONResponse(fault.json(), fault.status)(scope, receive, send)
        except HTTPException as fault:
            await JSONResponse(refused(fault).json(), fault.status_code)(scope, receive, send)
        except SQLAlchemyError as fault:
            _log.error("the directory cannot be asked", why=type(fault).__name__)
            await JSONResponse(NO_STORE.json(), NO_STORE.status)(scope, receive, send)
        except ClientGone:
            pass
        return True

    async def _node(self, about: tuple[str, str], scope: Scope) -> Node | None:
        """Who has this; None: this node, or nobody. Raises Refusal."""
        what, id_ = about
        directory = self.directory
        if what != "key" and self._here(id_) is not None:
            return None
        if what == "key":
            return directory.chosen(id_)
        place = await directory.place(id_)
        if place is not None:
            if place.node == directory.name:
                return None
            node = await directory.host(place.node)
            if node is not None:
                return node
            if what == "lobbies" or (what == "records" and place.state == "running"):
                raise Refusal(503, DOWN, "the process that has this lobby is not there at the moment; try again soon")
        if what == "lobbies" or await directory.keeps(id_):
            return None
        node = await directory.keeper(id_)
        if node is None and what == "records":
            raise Refusal(503, DOWN, "the process that has this match's records is not there at the moment; try again soon")
        return node

    async def _streamed(self, node: Node, scope: Scope, receive: Receive) -> StreamingResponse:
        """Raises Refusal, ClientGone. A client that is gone ends its request at the other node too."""
        body = await _body(receive)
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        url = node.url + (scope["raw_path"] + query).decode("latin-1")
        request = self._client.build_request(scope["method"], url, content=body, headers=_headers(scope, node))
        try:
            found = await while_connected(receive, self._client.send(request, stream=True))
        except httpx.HTTPError as fault:
            _log.warning("a node does not answer", node=node.name, why=type(fault).__name__)
            raise Refusal(503, DOWN, _NO_ANSWER) from None
        headers = {name: value for name, value in found.headers.items() if name not in OURS}

        async def whole() -> AsyncIterator[bytes]:
            try:
                async for part in found.aiter_raw():
                    yield part
            finally:
                await found.aclose()

        return StreamingResponse(whole(), found.status_code, headers)

    # --- what goes out

    async def ask(self, node: Node, method: str, path: str, request: Request, body: Json = None) -> tuple[int, Json]:
        """What a node answers to this, asked for the client of this request: status and JSON. Raises Refusal if it does not,
        Unreachable if it was not even asked."""
        content = None if body is None else json.dumps(body).encode()
        try:
            answer = await self._client.request(
                method, f"{node.url}{path}", content=content, headers=_headers(request.scope, node, body is not None)
            )
            return answer.status_code, answer.json()
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise Unreachable(503, DOWN, _NO_ANSWER) from None
        except (httpx.HTTPError, ValueError) as fault:
            _log.warning("a node does not answer", node=node.name, why=type(fault).__name__)
            raise Refusal(503, DOWN, _NO_ANSWER) from None

    async def each(self, method: str, path: str, request: Request) -> list[Json]:
        """What the other nodes answer to this; those that fail, or take too long, are left out."""
        if self.directory.alone or request.scope.get("handed_on"):
            return []

        async def one(node: Node) -> Json:
            try:
                async with asyncio.timeout(LIST_S):
                    status, answer = await self.ask(node, method, path, request)
            except (Refusal, TimeoutError):
                return None
            return answer if status < 300 else None

        answers = await asyncio.gather(*[one(node) for node in self.directory.others])
        return [answer for answer in answers if answer is not None]

    async def lists(self, path: str, request: Request) -> list[Json]:
        """The lists of all other nodes, one behind the other."""
        return [entry for answer in await self.each("GET", path, request) for entry in answer]

    async def decided(self, game: str, body: Json, request: Request) -> Json | None:
        """The seat in any lobby of this game from the one node that decides about those, so that two who want one at the same
        time find each other; None: this node decides. Raises Refusal."""
        node = None if self.directory.alone or request.scope.get("handed_on") else self.directory.chosen(f"any {game}")
        if node is None:
            return None
        try:
            return told(await self.ask(node, "POST", "/api/v1/lobbies/*/join", request, body))
        except Unreachable:
            return None

    async def made(self, wish: Callable[[], Json], request: Request) -> Json | None:
        """A lobby on the node that has the fewest, if this one was not asked for by its own address: the system gives requests to
        whichever process it likes. None: this node makes it. Raises Refusal."""
        server = request.scope["server"]
        if self._front_port is None or server is None or server[1] != self._front_port:
            return None
        if (node := await self.directory.idlest()) is None:
            return None
        try:
            status, answer = await self.ask(node, "POST", "/api/v1/lobbies", request, wish())
        except Unreachable:
            return None
        return told((status, answer)) if status < 500 else None

    def elsewhere(self, game: str, body: Json, request: Request) -> Elsewhere | None:
        return None if self.directory.alone else Elsewhere(self, game, body, request)

    @property
    def _client(self) -> httpx.AsyncClient:
        if self._http is None:
            self._http = httpx.AsyncClient(timeout=TIMEOUT, trust_env=False)
        return self._http


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A seat on another node for somebody who wants any."""

    neighbours: Neighbours
    game: str
    body: Json
    request: Request

    async def seat(self) -> Json | None:
        """In the oldest open lobby; None: no other node has one."""
        for lobby, node in await self.neighbours.directory.open_ones(self.game):
            if (answer := await self._join(node, lobby)) is not None:
                return answer
        return None

    async def new_seat(self) -> Json | None:
        """In a new lobby on the node that has the fewest; None: that is this one."""
        node = await self.neighbours.directory.idlest()
        return None if node is None else await self._join(node, "new")

    async def _join(self, node: Node, lobby: str) -> Json | None:
        try:
            status, answer = await self.neighbours.ask(node, "POST", f"/api/v1/lobbies/{lobby}/join", self.request, self.body)
        except Unreachable:
            return None
        return answer if status == 201 else None


def _headers(scope: Scope, node: Node, json_body: bool = False) -> list[tuple[bytes, bytes]]:
    given = dict(scope["headers"])
    kept = [(name, given[name]) for name in KEPT if name in given and not (json_body and name == b"content-type")]
    if json_body:
        kept.append((b"content-type", b"application/json"))
    about = [
        (SHOWN, node.secret.encode()),
        (CLIENT, address(scope).encode("latin-1")),
        (PROTO, b"https" if scope["scheme"] in ("https", "wss") else b"http"),
        (HOST, given.get(b"host", b"")),
    ]
    return kept + about


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def told(answer: tuple[int, Json]) -> Mapping[str, Json]:
    """Raises Refusal for what is none."""
    status, body = answer
    if status >= 400:
        raise Refusal(status, body["code"], body["text"], field=body["field"], allowed=body["allowed"])
    return body  # type: ignore[no-any-return]
