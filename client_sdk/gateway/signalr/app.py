"""The hub as an ASGI application: `POST /bothub/negotiate` and the websocket `/bothub`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

import msgspec

from client_sdk.gateway.connections import same_host
from client_sdk.gateway.signalr.client import HubClient
from client_sdk.gateway.signalr.hub import Hub

PATH: Final = "/bothub"
COOKIE: Final = "botarena_hub"
TRANSPORTS: Final = [{"transport": "WebSockets", "transferFormats": ["Text", "Binary"]}]

CLOSE_S: Final = 2.0
"""How long the last messages to a client may take."""

AsgiMessage: TypeAlias = MutableMapping[str, Any]
AsgiReceive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
AsgiSend: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]


class HubApp:
    """The application."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def __call__(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        path = scope.get("path", "").rstrip("/").lower()
        if scope["type"] == "websocket":
            await receive()
            own = same_host(_header(scope, b"origin"), _header(scope, b"host"))
            if path == PATH and own:
                await self._websocket(scope, receive, send)
            else:
                await send({"type": "websocket.close"})
        elif scope["type"] == "http":
            while (await receive()).get("more_body"):
                pass  # nothing is in it; but a broken one ends the connection before the answer
            if path == f"{PATH}/negotiate" and scope["method"] == "POST":
                await self._negotiate(scope, send)
            else:
                await _answer(send, 404, {"error": f"expected POST {PATH}/negotiate or {PATH}"})

    async def _negotiate(self, scope: AsgiMessage, send: AsgiSend) -> None:
        version = 1 if _query(scope, "negotiateVersion") not in (None, "0") else 0
        name, visitor = self._hub.visitors.negotiate(_query(scope, "id"), _cookie(scope))
        about: dict[str, Any] = {"negotiateVersion": version, "connectionId": name}
        if version:
            about["connectionToken"] = name
        cookie = f"{COOKIE}={visitor.cookie}; Path={PATH}; HttpOnly; SameSite=Lax"
        await _answer(send, 200, about | {"availableTransports": TRANSPORTS}, cookie)

    async def _websocket(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        name, visitor = self._hub.visitors.connect(_query(scope, "id"), _cookie(scope))
        await send({"type": "websocket.accept"})

        async def send_text(text: str) -> None:
            await send({"type": "websocket.send", "text": text})

        async def read() -> None:
            while (event := await receive())["type"] == "websocket.receive":
                await self._hub.receive(client, event.get("text") or event.get("bytes") or "")
                if client.protocol.closed:
                    return

        client = HubClient(name, visitor, scope["client"][0], send_text)
        tasks = [asyncio.create_task(read()), asyncio.create_task(client.keep())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for result in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(result, Exception) and not isinstance(result, OSError):
                    raise result
            await self._hub.leave(client)
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await client.flush()
                await send({"type": "websocket.close", "code": 1000})


def _query(scope: AsgiMessage, name: str) -> str | None:
    """A parameter of the address."""
    found = parse_qs(scope["query_string"].decode("latin-1")).get(name)
    return None if found is None else found[0]


def _header(scope: AsgiMessage, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def _cookie(scope: AsgiMessage) -> str | None:
    try:
        found = SimpleCookie(_header(scope, b"cookie")).get(COOKIE)
    except CookieError:
        return None
    return None if found is None else found.value


async def _answer(send: AsgiSend, status: int, about: Any, cookie: str | None = None) -> None:
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    headers.append((b"connection", b"close"))  # it would count beside the client's websocket
    if cookie is not None:
        headers.append((b"set-cookie", cookie.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode(about)})
