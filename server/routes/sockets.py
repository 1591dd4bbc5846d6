"""The two websocket endpoints, as bare ASGI: accept, then a session listens until the connection is gone."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Literal

import structlog

from server.errors import Refusal
from server.http_limits import Requests
from server.limits import neighbourhood
from server.matches.session import Hall, Session
from server.proxies import address, allowed_origin
from server.transport import EXTENSION, Connection

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

ROLES: dict[str, Literal["play", "watch"]] = {"/ws/play": "play", "/ws/watch": "watch"}

NO_SOCKET = Refusal(403, "no_socket", f"there are two sockets here: {' and '.join(ROLES)}")
BAD_ORIGIN = Refusal(403, "bad_origin", "pages of other servers may not open this socket", field="Origin")
TOO_MANY = Refusal(429, "too_many_connections", "there are as many connections from your address as one may have")


async def serve(scope: Scope, receive: Receive, send: Send, hall: Hall, requests: Requests) -> None:
    """One websocket, from the handshake to its end. What may not be is refused at the handshake."""
    await receive()
    place = neighbourhood(address(scope))
    refusal = requests.too_fast(place, time.monotonic_ns()) or _refused(scope, hall)
    if refusal is None and not hall.crowd.enter(place):
        refusal = TOO_MANY
    if refusal is not None:
        await _turn_away(send, hall, refusal)
        return
    role = ROLES[scope["path"]]
    connection: Connection = scope["extensions"][EXTENSION]
    session = Session(connection, hall, role=role, address=place, url_of=lambda node: hall.url_of(node, scope, role))
    connection.listener, connection.noted = session.take, session.take_note
    hall.sessions.add(session)
    try:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    finally:
        hall.sessions.discard(session)
        hall.crowd.leave(place)
        session.gone(time.monotonic_ns())


def _refused(scope: Scope, hall: Hall) -> Refusal | None:
    """Why no such socket is opened from there."""
    if scope["path"] not in ROLES:
        return NO_SOCKET
    known = allowed_origin(scope, hall.settings.own_url, hall.settings.allowed_origins, hall.settings.front_port)
    return None if known else BAD_ORIGIN


async def _turn_away(send: Send, hall: Hall, refusal: Refusal) -> None:
    hall.metrics.turned_away(refusal.code)
    structlog.get_logger().info("websocket refused", code=refusal.code)
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": json.dumps(refusal.json()).encode()})
