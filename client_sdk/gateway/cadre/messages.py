"""Messages of the Cadre protocol: one JSON object each, `{"event", "data"}`. On TCP each is
followed by the byte 4."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from games.core.contract import Json

END: Final = b"\x04"
LONGEST: Final = 256 * 1024
"""Bytes of the largest message of a client."""
REMOVED, LENGTH = "&RM", "&LEN"
"""In deltas: a value that deletes its key, and the key of a list's length."""
GAME: Final = "Catastrophe"
ALIASES: Final = ("catastrophe", "megaminerai-20-catastrophe")
"""What clients call the game, in lower case."""
VERSION: Final = "ede84ab86376b00287c09558f05e8f2a61b92109d93aad9ebd3379ff4215fb53"
"""Of the game, as all clients of 2022 expect it. Older ones do not look."""


class BadMessage(Exception):
    """A client's message cannot be understood; the text says why."""


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A message of a client. Other fields than these two are ignored."""

    event: str
    data: Json = None


class MessageStream:
    """The messages in a stream of bytes."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The messages that this chunk completes. Raises BadMessage for one that is too long."""
        *whole, rest = chunk.split(END)
        if whole:
            whole[0] = bytes(self._rest) + whole[0]
            self._rest.clear()
        self._rest += rest
        if len(self._rest) > LONGEST:
            raise BadMessage(f"a message has at most {LONGEST} bytes and ends with byte 4")
        return whole


def read(text: str | bytes) -> ClientMessage:
    """A client's message. Raises BadMessage."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("expected a message in JSON") from None
    if not isinstance(found, dict) or not isinstance(found.get("event"), str):
        raise BadMessage('expected an object with an "event"')
    return ClientMessage(found["event"], found.get("data"))


def written(event: str, data: Json) -> str:
    """A message to a client, in ASCII: some clients read nothing else."""
    return json.dumps({"event": event, "data": data}, separators=(",", ":"))


def is_game(name: Json) -> bool:
    """Whether clients call Catastrophe so."""
    return isinstance(name, str) and name.lower() in ALIASES


def lobbied(session: str) -> Json:
    """The data of `lobbied`: the client is in this session."""
    return {
        "gameName": GAME,
        "gameSession": session,
        "gameVersion": VERSION,
        "constants": {"DELTA_REMOVED": REMOVED, "DELTA_LIST_LENGTH": LENGTH},
    }
