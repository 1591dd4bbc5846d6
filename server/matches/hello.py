"""A connection's first message: which seat or match it is for, and whether it may have it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Literal, Protocol

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from client_sdk.wire.codes import (
    BAD_TOKEN,
    ELSEWHERE,
    HANDSHAKE_TIMEOUT,
    MALFORMED,
    MATCH_OVER,
    NO_SUCH_MATCH,
    PROTOCOL,
    RESTART,
    TOO_FAST,
    VERSION_REFUSED,
    WRONG_ROLE,
    Close,
)
from client_sdk.wire.messages import ClientHello, End, Incoming
from games.core.contract import Json, Seat
from server.accounts.authentication import Requester
from server.accounts.scopes import Action
from server.errors import Refusal
from server.matches.alarm import Alarm, set_within
from server.matches.context import RemoteLookup, SessionContext
from server.matches.lobby import Lobby, role_in
from server.net.transport import ServerConnection, framed
from server.tokens import is_key

SocketRole = Literal["play", "watch"]


class Greeted(Protocol):
    """The session that is to begin."""

    def on_message(self, payload: bytes, text: bool, received: int) -> None: ...

    def welcome(
        self, lobby: Lobby, hello: ClientHello, seat: Seat | None, received: int
    ) -> None: ...

    def refuse(
        self, close: Close, text: str | None = None, url: str | msgspec.UnsetType = msgspec.UNSET
    ) -> None: ...


class Greeting:
    """Waits for the hello and ends with a welcome or a refusal. `elsewhere`: what its client finds
    at other processes."""

    def __init__(
        self,
        context: SessionContext,
        connection: ServerConnection,
        session: Greeted,
        *,
        role: SocketRole,
        elsewhere: RemoteLookup,
    ) -> None:
        self._context = context
        self._lobbies = context.lobbies
        self._tokens = context.tokens
        self._connection = connection
        self._session = session
        self._role = role
        self._elsewhere = elsewhere
        self._questions = 0
        """Queries to the store and waits for a match to be resumed. Nothing else is taken then."""
        self._kept: list[tuple[bytes, bool]] | None = None
        """Messages that came in one piece with a hello that waits for its match."""
        hello_ms = context.settings.hello_ms
        self._timer = Alarm(context.running, hello_ms, lambda: self._refuse(HANDSHAKE_TIMEOUT))

    def end(self) -> None:
        """No hello is waited for any more."""
        self._timer.cancel()

    def keep(self, payload: bytes, text: bool) -> bool:
        """Keep a message for later, if the hello waits for its match."""
        if self._kept is None:
            return False
        self._kept.append((payload, text))
        return True

    def take(self, hello: Incoming, received: int) -> None:
        """The first message."""
        if self._questions:
            return
        if not isinstance(hello, ClientHello):
            self._refuse(MALFORMED, "the first frame has to be a hello")
        elif hello.protocol != PROTOCOL:
            text = f"the server speaks protocol version {PROTOCOL}, not version {hello.protocol}"
            self._refuse(VERSION_REFUSED, text)
        else:
            self._take(hello, received)

    def _take(self, hello: ClientHello, received: int) -> None:
        if (resumed := self._to_be_resumed(hello)) is not None:
            self._kept = []
            self._ask(self._wait(hello, resumed))
        elif self._role == "play":
            self._take_seat(hello, received)
        elif hello.token is not None and is_key(hello.token):
            self._ask(self._look_up_key(hello, hello.token))
        elif hello.match is not None and self._lobbies.get(hello.match) is None:
            self._ask(self._look_up_match(hello.match))
        else:
            self._take_viewer(hello, self._context.authenticator.anonymous(hello.token))

    def _refuse(
        self, close: Close, text: str | None = None, url: str | msgspec.UnsetType = msgspec.UNSET
    ) -> None:
        self._timer.cancel()
        self._session.refuse(close, text, url)

    def _welcome(self, lobby: Lobby, hello: ClientHello, seat: Seat | None, received: int) -> None:
        self._timer.cancel()
        self._session.welcome(lobby, hello, seat, received)

    # --- seats

    def _take_seat(self, hello: ClientHello, received: int) -> None:
        token = hello.token
        if token is None:
            self._refuse(BAD_TOKEN)
        elif (found := self._tokens.seat(token)) is not None:
            lobby, seat = found
            if lobby.unfinished:
                self._welcome(lobby, hello, seat, received)
            else:
                self._end_match(lobby.result)
        elif (match := self._tokens.ended_before(token)) is not None:
            self._ask(self._look_up_result(match))
        elif self._tokens.opens_something_else(token):
            self._refuse(WRONG_ROLE, "this token is no seat's")
        else:
            self._ask(self._look_up_seat(token))

    def _end_match(self, result: dict[str, Json] | None) -> None:
        """The match is over; the client may have missed how."""
        if result is not None:
            self._connection.send(framed(End(result)))
        self._refuse(MATCH_OVER)

    # --- viewers

    def _take_viewer(self, hello: ClientHello, requester: Requester) -> None:
        lobby = None if hello.match is None else self._lobbies.get(hello.match)
        if lobby is None:
            self._refuse(NO_SUCH_MATCH)
            return
        action: Action = "watch_private" if lobby.setup.private else "watch"
        if not requester.may(action, role_in(lobby, requester)):
            text = "on this server watching takes the key of an account"
            if lobby.setup.private:
                text = "this match is private: a seat's or its owner's token lets you watch"
            self._refuse(WRONG_ROLE, text)
        elif not lobby.unfinished:
            self._end_match(lobby.result)
        elif len(lobby.viewers) >= self._context.settings.spectators:
            self._refuse(TOO_FAST, "this match has as many viewers as it takes; try again later")
        elif self._context.crowd.crowded:
            self._refuse(TOO_FAST, "this server has as many viewers as it takes; try again later")
        else:
            self._welcome(lobby, hello, None, time.monotonic_ns())

    # --- what takes time

    def _to_be_resumed(self, hello: ClientHello) -> asyncio.Event | None:
        if self._role == "play":
            return self._lobbies.to_be_resumed(token=hello.token)
        return self._lobbies.to_be_resumed(match=hello.match)

    async def _wait(self, hello: ClientHello, resumed: asyncio.Event) -> None:
        """Until the match is resumed, at most as long as for a hello. What the client says
        meanwhile is read after that, in its order."""
        self._timer.cancel()
        self._connection.reader.pause()
        if not await set_within(resumed, self._context.running, self._context.settings.hello_ms):
            self._refuse(RESTART)
        elif self._connection.open:
            self._take(hello, time.monotonic_ns())
        kept, self._kept = self._kept or [], None
        for payload, text in kept:
            if self._connection.open:
                self._session.on_message(payload, text, time.monotonic_ns())
        self._connection.reader.resume()

    def _ask(self, question: Coroutine[Any, Any, None]) -> None:
        self._questions += 1
        self._context.ask(self._asked(question))

    async def _asked(self, question: Coroutine[Any, Any, None]) -> None:
        try:
            await question
        except Refusal as fault:
            self._refuse(TOO_FAST if fault.status >= 500 else NO_SUCH_MATCH, fault.text)
        finally:
            self._questions -= 1

    async def _look_up_key(self, hello: ClientHello, key: str) -> None:
        """Whose key this is."""
        try:
            requester = await self._context.authenticator.requester(key)
        except Refusal as fault:
            self._refuse(BAD_TOKEN, fault.text)
        except SQLAlchemyError:
            structlog.get_logger().exception("a key cannot be looked up")
            self._refuse(TOO_FAST, "the server cannot look up this key; try again later")
        else:
            if hello.match is not None and self._lobbies.get(hello.match) is None:
                await self._look_up_match(hello.match)
            elif self._connection.open:
                self._take_viewer(hello, requester)

    async def _look_up_match(self, match: str) -> None:
        """A match that is not here: another process has it, or it is over. Raises Refusal."""
        url = await self._elsewhere.match(match)
        if url is not None:
            self._refuse(ELSEWHERE, url=url)
        else:
            state = await self._context.archive.state_of(match)
            self._refuse({"running": RESTART, "over": MATCH_OVER}.get(state or "", NO_SUCH_MATCH))

    async def _look_up_seat(self, token: str) -> None:
        """A token of no seat here: it may be one of another process."""
        try:
            url = await self._elsewhere.seat(token)
        except Refusal:
            self._refuse(RESTART)
        else:
            self._refuse(BAD_TOKEN) if url is None else self._refuse(ELSEWHERE, url=url)

    async def _look_up_result(self, match: str) -> None:
        """How a match ended before this process started. Raises Refusal."""
        self._end_match(await self._context.archive.result(match))
