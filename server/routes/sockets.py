"""The two websocket endpoints, as bare ASGI: accept, then a session listens until the connection is gone."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Literal

from server.matches.session import Doors, Session
from server.settings import Settings
from server.transport import EXTENSION, Connection

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Sockets = set[Session]

ROLES: dict[str, Literal["play", "watch"]] = {"/ws/play": "play", "/ws/watch": "watch"}


async def serve(
    scope: Scope, receive: Receive, send: Send, doors: Doors, settings: Settings, sessions: Sockets, server: str
) -> None:
    """One websocket, from the handshake to its end. An unknown path is refused at the handshake (403)."""
    role = ROLES.get(scope["path"])
    await receive()
    if role is None:
        await send({"type": "websocket.close"})
        return
    connection: Connection = scope["extensions"][EXTENSION]
    session = Session(connection, doors, settings, role=role, server=server)
    connection.listener = session.take
    sessions.add(session)
    try:
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    finally:
        sessions.discard(session)
        session.gone(time.monotonic_ns())
