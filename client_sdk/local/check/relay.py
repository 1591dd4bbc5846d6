"""A relay between a bot and a server: it forwards every frame and records it.

From a given moment on, messages to the bot carry a field that no protocol knows; a bot has to
ignore it (PROTOCOL.md)."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.sync.server import ServerConnection, serve

from client_sdk.connection import MAX_VIEW
from client_sdk.running import running_s
from games.core.contract import Json

STRANGE: Final = {"a_field_from_tomorrow": {"to": ["be", "ignored"]}}


@dataclass(slots=True)
class Passed:
    """What went over the wire, and when (`running_s`). None: a frame that is no JSON object."""

    connected: float | None = None
    to_bot: list[tuple[float, dict[str, Json]]] = field(default_factory=list)
    from_bot: list[tuple[float, dict[str, Json] | None]] = field(default_factory=list)
    strange_since: float | None = None
    """When the first strange message was handed on."""


@contextlib.contextmanager
def relay(server: str, strange_after: int) -> Iterator[tuple[str, Passed]]:
    """The address that the bot connects to, and what passes. After `strange_after` answered turns,
    messages become strange."""
    passed = Passed()

    def handle(bot: ServerConnection) -> None:
        passed.connected = passed.connected or running_s()
        with connect(server, compression=None, proxy=None, max_size=MAX_VIEW) as upstream:
            pump = threading.Thread(target=_up, args=(bot, upstream, passed), daemon=True)
            pump.start()
            _down(upstream, bot, passed, strange_after)
            pump.join(timeout=5)

    with serve(handle, "127.0.0.1", 0, compression=None) as listener:
        thread = threading.Thread(target=listener.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{listener.socket.getsockname()[1]}/ws/play", passed
        finally:
            listener.shutdown()
            thread.join(timeout=5)


def _up(bot: ServerConnection, upstream: ClientConnection, passed: Passed) -> None:
    """From the bot to the server."""
    try:
        for frame in bot:
            passed.from_bot.append((running_s(), _object(frame)))
            upstream.send(frame)
    except ConnectionClosed:
        pass
    finally:
        upstream.close()


def _down(
    upstream: ClientConnection, bot: ServerConnection, passed: Passed, strange_after: int
) -> None:
    """From the server to the bot."""
    answered = 0
    try:
        for frame in upstream:
            message = _object(frame) or {}
            answered += message.get("type") == "results"
            if answered >= strange_after:
                passed.strange_since = passed.strange_since or running_s()
                message |= STRANGE
            passed.to_bot.append((running_s(), message))
            bot.send(json.dumps(message))
    except ConnectionClosed:
        pass
    finally:
        close = upstream.protocol.close_rcvd
        bot.close(close.code if close else 1001, close.reason if close else "")


def _object(frame: str | bytes) -> dict[str, Json] | None:
    try:
        value = json.loads(frame)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
