"""One connection of the hub protocol of SignalR (JSON, version 1), without a socket or a clock:
text in, invocations out, text to send.

Every message is a JSON object that ends with the byte 0x1e. Times are seconds of any clock that the
caller goes by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from games.core.contract import Json

END: Final = "\x1e"
"""After every message."""
MAX_BYTES: Final = 64 * 1024
"""Of one message from a client."""
VERSIONS: Final = (0, 1)
"""Of the JSON protocol. Clients that negotiate without a version say 0, and mean 1."""
PING_S: Final = 15.0
"""The server sends a ping after this time in which it sent nothing."""
SILENCE_S: Final = 30.0
"""A client that sends nothing for this time is dropped. Clients do the same with the server."""

INVOCATION: Final = 1
COMPLETION: Final = 3
STREAM_INVOCATION: Final = 4
PING: Final = 6
CLOSE: Final = 7


@dataclass(frozen=True, slots=True)
class Invocation:
    """A client calls a method of the hub."""

    target: str
    """The method, as the client spells it."""
    arguments: tuple[Json, ...]
    id: Json = None
    """Not None: a completion with this id is owed."""


class HubProtocol:
    """The server's side of one connection."""

    def __init__(self, now: float) -> None:
        self.open = False
        """The handshake is done, so that messages may be sent."""
        self.closed = False
        """Nothing more is read or sent: the socket is to be closed once `outgoing` is sent."""
        self._rest = ""
        self._outgoing: list[str] = []
        self._newest: str | None = None
        """Of them, the one that a newer one replaces."""
        self._heard = self._sent = now

    def receive(self, frame: str | bytes, now: float) -> list[Invocation]:
        """The invocations in this frame, in order. What is no message closes the connection."""
        self._heard = now
        found: list[Invocation] = []
        try:
            text = self._rest + (frame if isinstance(frame, str) else frame.decode())
        except UnicodeDecodeError:
            self._refuse("the hub reads JSON in UTF-8")
            return found
        *messages, self._rest = text.split(END)
        for message in messages:
            if not self.closed:
                self._read(message, found)
        if len(self._rest) > MAX_BYTES:
            self._refuse(f"a message may have {MAX_BYTES} bytes")
        return found

    def _read(self, text: str, found: list[Invocation]) -> None:
        try:
            message = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._refuse("expected a JSON object")
        elif not self.open:
            self._shake_hands(message)
        elif message.get("type") == INVOCATION:
            self._invoked(message, found)
        elif message.get("type") == STREAM_INVOCATION:
            self.complete(message.get("invocationId"), "the hub has no streams")
        elif message.get("type") == CLOSE:
            self.closed = True

    def _shake_hands(self, message: dict[str, Any]) -> None:
        protocol, version = message.get("protocol"), message.get("version")
        if protocol != "json" or version not in VERSIONS:
            asked = f"{str(protocol)[:80]}, version {str(version)[:80]}"
            self._refuse(f"expected protocol json, version 1, got {asked}")
            return
        self._put({})
        self.open = True

    def _invoked(self, message: dict[str, Any], found: list[Invocation]) -> None:
        target, arguments = message.get("target"), message.get("arguments")
        if isinstance(target, str) and isinstance(arguments, list):
            found.append(Invocation(target, tuple(arguments), message.get("invocationId")))
        else:
            self.complete(message.get("invocationId"), "expected a target and a list of arguments")

    def _refuse(self, why: str) -> None:
        if self.open:
            self.close(why)
        elif not self.closed:
            self._put({"error": why})
            self.closed = True

    # --- what to send -----------------------------------------------------------------------------

    def send(self, target: str, *arguments: Json) -> None:
        """An event for the client."""
        self._say({"type": INVOCATION, "target": target, "arguments": list(arguments)})

    def send_newest(self, message: str) -> None:
        """A whole message, which replaces the last one of these if that still waits."""
        if self.open and not self.closed:
            if self._newest is not None:
                self._outgoing.remove(self._newest)
            self._newest = message
            self._outgoing.append(message)

    def complete(self, invocation: Json, error: str | None = None) -> None:
        """The invocation with this id is done, or failed; None: no completion is owed."""
        if invocation is not None:
            about = {"type": COMPLETION, "invocationId": invocation}
            self._say(about if error is None else about | {"error": error})

    def close(self, error: str | None = None) -> None:
        """The last message. The client is not to come back."""
        self._say({"type": CLOSE} if error is None else {"type": CLOSE, "error": error})
        self.closed = True

    def outgoing(self, now: float) -> list[str]:
        """The messages to send now, taken from the connection; a ping if it is time for one."""
        if self.open and not self._outgoing and now - self._sent >= PING_S:
            self._say({"type": PING})
        if self._outgoing:
            self._sent = now
        messages, self._outgoing, self._newest = self._outgoing, [], None
        return messages

    def silent(self, now: float) -> bool:
        """Whether the client is to be dropped because it sent nothing."""
        return now - self._heard >= SILENCE_S

    def _say(self, message: dict[str, Json]) -> None:
        if self.open and not self.closed:
            self._put(message)

    def _put(self, message: dict[str, Json]) -> None:
        self._outgoing.append(msgspec.json.encode(message).decode() + END)
