"""A client of the hub over a websocket, as small as can be."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed

END = "\x1e"


def connected(url: str, query: str = "", **options: Any) -> ws.ClientConnection:
    """A websocket to the hub at this host."""
    address = f"ws{url.removeprefix('http')}/bothub{query}"
    return ws.connect(address, proxy=None, close_timeout=1, **options)


class HubSocket:
    """A client without a library."""

    def __init__(self, socket: ws.ClientConnection) -> None:
        self._socket = socket
        self._messages: list[Any] = []

    def says(self, *messages: Any) -> None:
        """Send these messages in one frame. If the connection is closed, `next` reports it."""
        with contextlib.suppress(ConnectionClosed):
            self._socket.send("".join(json.dumps(message) + END for message in messages))

    def calls(self, target: str, *arguments: Any) -> None:
        """Send an invocation without an id."""
        self.says({"type": 1, "target": target, "arguments": arguments})

    def next(self) -> Any:
        """The next message; None: the connection was closed."""
        while not self._messages:
            try:
                text = str(self._socket.recv(timeout=60))
            except ConnectionClosed:
                return None
            self._messages += [json.loads(one) for one in text.split(END) if one]
        return self._messages.pop(0)

    def event(self, target: str) -> Any:
        """The first argument of the next event of this name."""
        while (message := self.next()) is not None:
            if message.get("target") == target:
                return message["arguments"][0]
        raise AssertionError(f"the connection was closed before {target}")

    def greets(self) -> str:
        """The handshake; the connection's id as the hub sends it."""
        self.says({"protocol": "json", "version": 1})
        assert self.next() == {}
        found: str = self.event("Connect")
        return found
