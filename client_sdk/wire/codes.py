"""Closes and errors: each has a machine code, a sentence, and whether trying again can help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PROTOCOL: Final = 1
"""The version of the protocol that this package speaks."""

MAX_FRAME: Final = 64 * 1024
"""Bytes of the largest frame a client may send."""


@dataclass(frozen=True, slots=True)
class Close:
    """One way a socket ends. `status` is the websocket close code, `code` the word that the last
    `error` message carries."""

    status: int
    code: str
    text: str
    retry: bool


DONE: Final = Close(1000, "done", "the match is over", retry=False)
LEAVING: Final = Close(1001, "leaving", "the server is going away", retry=True)
TOO_BIG: Final = Close(1009, "too_big", f"a frame may have {MAX_FRAME} bytes", retry=False)
RESTART: Final = Close(
    1012, "restart", "the server restarts; come back with the same token", retry=True
)
MALFORMED: Final = Close(
    4400, "malformed", "too many frames that are no message of this protocol", retry=False
)
BAD_TOKEN: Final = Close(4401, "bad_token", "no seat has this token", retry=False)
WRONG_ROLE: Final = Close(4403, "wrong_role", "this socket is not for you", retry=False)
NO_SUCH_MATCH: Final = Close(4404, "no_such_match", "there is no such match here", retry=False)
HANDSHAKE_TIMEOUT: Final = Close(4408, "handshake_timeout", "no hello came in time", retry=True)
REPLACED: Final = Close(4409, "replaced", "a newer connection took this seat", retry=False)
MATCH_OVER: Final = Close(4410, "match_over", "the match is over", retry=False)
VERSION_REFUSED: Final = Close(
    4426, "version_refused", "the server speaks another protocol version", retry=False
)
ELSEWHERE: Final = Close(
    4421, "elsewhere", "another process of this server has this match: go to its url", retry=True
)
TOO_FAST: Final = Close(4429, "too_fast", "too many frames per second", retry=True)
SLOW_CONSUMER: Final = Close(
    4430, "slow_consumer", "the connection does not keep up with the match", retry=True
)

CLOSES: Final = {
    close.status: close
    for close in (
        DONE,
        LEAVING,
        TOO_BIG,
        RESTART,
        MALFORMED,
        BAD_TOKEN,
        WRONG_ROLE,
        NO_SUCH_MATCH,
        HANDSHAKE_TIMEOUT,
        REPLACED,
        MATCH_OVER,
        ELSEWHERE,
        VERSION_REFUSED,
        TOO_FAST,
        SLOW_CONSUMER,
    )
}
