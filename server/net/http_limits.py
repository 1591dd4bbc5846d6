"""Requests over HTTP: how many one address may make, and how long their bodies may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.exceptions import HTTPException

from server.asgi import Message, Receive, Scope
from server.errors import Refusal
from server.net.limits import PerAddress, Rates
from server.settings import Settings

LARGE = ("/api/v1/lobbies", "/api/v1/tournaments", "/api/v1/tournaments/toml")
"""POST requests that may hold a board or a tournament's plan."""
SUBMISSIONS = "/api/v1/submissions"
"""POST: a bot's file."""
UNIT = 16 * 1024
"""Bytes of a body that count as one more request."""
LARGE_SHARES = 8
"""All addresses together may send this many times as many large bodies as one."""


class Requests:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rates = Rates(settings.requests_per_second)
        self._at_once = PerAddress(settings.requests_at_once)
        self._large = PerAddress(settings.large_bodies_at_once)
        self._all_large = 0

    @contextmanager
    def admitted(self, scope: Scope, place: str, at: int) -> Iterator[int]:
        """Count a request from `place` at this moment (monotonic ns) as long as the context lasts:
        the bytes that its body may have. Raises Refusal."""
        most = self.longest(scope)
        length = _length(scope)
        taken = self._settings.small_body_bytes if length is None else length
        if (refusal := self.too_fast(place, at, 1 + taken // UNIT)) is not None:
            raise refusal
        if length is not None and length > most:
            raise too_big(most)
        large = most > self._settings.small_body_bytes and (
            length is None or length > self._settings.small_body_bytes
        )
        if not self._at_once.enter(place):
            raise _too_many("there are too many unanswered requests from your address")
        try:
            if not large:
                yield most
                return
            with self._one_large(place):
                yield most
        finally:
            self._at_once.leave(place)

    def too_fast(self, place: str, at: int, cost: int = 1) -> Refusal | None:
        """Count a request, or a websocket's handshake, unless there were too many just now."""
        rate = self._settings.requests_per_second
        if not rate or self._rates.of(place, at).allows(at, min(cost, rate)):
            return None
        return _too_many("there are too many requests from your address")

    def longest(self, scope: Scope) -> int:
        """The bytes that this request's body may have."""
        if scope["method"] == "POST" and scope["path"] == SUBMISSIONS:
            return self._settings.submission_bytes
        large = scope["method"] == "POST" and scope["path"] in LARGE
        return self._settings.body_bytes if large else self._settings.small_body_bytes

    @contextmanager
    def _one_large(self, place: str) -> Iterator[None]:
        most = self._settings.large_bodies_at_once
        if 0 < most * LARGE_SHARES <= self._all_large:
            text = "the server reads as many large bodies as it can hold; try again later"
            raise Refusal(503, "overloaded", text)
        if not self._large.enter(place):
            raise _too_many("there are too many large requests from your address")
        self._all_large += 1
        try:
            yield
        finally:
            self._all_large -= 1
            self._large.leave(place)


def hang_up(scope: Scope) -> bool:
    """Whether reading the body of a refused request costs more than a new connection."""
    length = _length(scope)
    return length is None or length > UNIT


def bounded(receive: Receive, most: int) -> Receive:
    """An ASGI `receive` that takes at most `most` bytes of a body. Raises HTTPException."""
    taken = 0

    async def receive_bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413)
        return message

    return receive_bounded


def too_big(most: int) -> Refusal:
    return Refusal(413, "too_big", f"the body is too big: at most {most} bytes are taken here")


def _too_many(what: str) -> Refusal:
    return Refusal(429, "too_many_requests", f"{what}; try again in a moment")


def _length(scope: Scope) -> int | None:
    """The length of the body. None: it comes in chunks, and the request does not say."""
    headers = dict(scope["headers"])
    if b"transfer-encoding" in headers:
        return None
    length = headers.get(b"content-length", b"0")
    return int(length) if length.isdigit() else None
