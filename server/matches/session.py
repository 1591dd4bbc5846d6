"""One socket's talk from its first frame on: who it is, and what it may say.

Frames come by a call, with the time of their receipt. Whatever comes here ends at most this connection; the match and the other
clients notice nothing.
"""

from __future__ import annotations

import asyncio
import re
import time
from array import array
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal, Protocol

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from client_sdk.running import RunningTime
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
from client_sdk.wire.messages import (
    ClientHello,
    Commands,
    End,
    Error,
    Incoming,
    Info,
    Result,
    Results,
    Resync,
    Seen,
    ServerHello,
    read_incoming,
)
from games.core.contract import Seat
from server.accounts.gate import Asker, Gate, role_of
from server.errors import Refusal
from server.limits import Crowd, Rate, Rates
from server.matches.alarm import Alarm, set_within
from server.matches.archive import Archive, asked
from server.matches.client import Client
from server.matches.live_match import LiveMatch
from server.matches.messages import BadFrameReceived, FrameReceived
from server.matches.room import Room
from server.metrics import Metrics
from server.settings import Settings
from server.store.nodes import Node
from server.tokens import holds_token, is_key, masked
from server.transport import Connection, framed

Json = Any

NESTING = 32
INFO_BYTES = 4096


_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
"""One that never ends goes to the end of the text, so that nothing is looked through twice."""
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class Lobbies(Protocol):
    """See `server.lobbies.lobbies`."""

    def get(self, id_: str) -> Room | None: ...

    def to_be_resumed(self, *, match: str | None = None, token: str | None = None) -> asyncio.Event | None: ...


class Tokens(Protocol):
    """See `server.lobbies.tokens`."""

    def seat(self, token: str) -> tuple[Room, Seat] | None: ...

    async def seat_elsewhere(self, token: str, address: str) -> str | None: ...

    def opens_something_else(self, token: str) -> bool: ...

    def ended_before(self, token: str) -> str | None: ...


class Malformed(Exception):
    """A frame that is no message of a client."""


@dataclass(frozen=True, slots=True)
class Hall:
    """What all sessions of a server share."""

    lobbies: Lobbies
    tokens: Tokens
    archive: Archive
    node_of: Callable[[str], Awaitable[Node | None]]
    """Another node that lives and has this lobby. Raises SQLAlchemyError."""
    settings: Settings
    server: str
    """What it calls itself."""
    crowd: Crowd
    rates: Rates
    metrics: Metrics
    running: RunningTime
    gate: Gate
    url_of: Callable[[Node, MutableMapping[str, Any], Literal["play", "watch"]], str]
    """Where the client that came with this ASGI scope reaches another node with such a socket."""
    sessions: set[Session] = field(default_factory=set)
    asking: set[asyncio.Task[None]] = field(default_factory=set)
    """What sessions want to know from the store."""


class Session:
    def __init__(
        self, connection: Connection, hall: Hall, *, role: Literal["play", "watch"], address: str, url_of: Callable[[Node], str]
    ) -> None:
        """`address`: where it comes from, as a limit counts it. `url_of`: where it reaches another node with such a socket."""
        self.connection = connection
        self.client: Client | None = None
        self.room: Room | None = None
        self._hall = hall
        self._lobbies = hall.lobbies
        self._tokens = hall.tokens
        self._settings = settings = hall.settings
        self._role = role
        self._address = address
        self._url_of = url_of
        self._bad = 0
        self._rate = Rate(settings.frames_per_second, time.monotonic_ns())
        """Its own before the hello; a seat's is the same for all its connections, so that none of them brings a fresh burst."""
        self._asking = 0
        """Somebody showed a key, or wants what nobody plays here: the store is asked, or a match is waited for that is still to
        be resumed."""
        self._kept: list[tuple[bytes, bool]] | None = None
        """What came in one piece with a hello that waits."""
        self._log = structlog.get_logger()
        self._hello_timer = Alarm(hall.running, settings.hello_ms, self._no_hello)

    def take(self, payload: bytes, text: bool, received: int) -> None:
        """A message."""
        if self._kept is not None:
            self._kept.append((payload, text))
            return
        self._hall.metrics.frames_received += 1
        if self.client is not None and self.client.dismissed:
            return
        free = self.client is not None and self.client.takes_an_answer()
        if not free and self._too_fast(received):
            self._refuse(TOO_FAST)
            return
        try:
            if self.client is not None and holds_token(payload):
                raise Malformed("it holds what looks like a token, and others would see it")
            message = read(payload, text)
        except Malformed as fault:
            self._malformed(str(fault), received)
            return
        if self.client is None:
            if not self._asking:
                self._greeted(message, received)
        elif self._role == "play":
            self._from_seat(self.client, message, received)
        else:
            self._from_viewer(self.client, message, received)

    def take_note(self, received: int) -> None:
        """A frame that is no message: a ping, a pong, a part of a message. It counts as one all the same."""
        self._hall.metrics.frames_received += 1
        if self.client is not None and self.client.dismissed:
            return
        if self._too_fast(received):
            self._refuse(TOO_FAST)

    def _too_fast(self, received: int, cost: int = 1) -> bool:
        """Whether this frame, or what counts as so many, is beyond the rate. What came in a pause was not sent at once."""
        if self._rate.allows(received, cost):
            return False
        pause = self._hall.running.last
        if pause is not None:
            self._rate.pardon(pause)
        return not self._rate.allows(received, cost)

    def leave(self, close: Close) -> None:
        """The server has a reason of its own to end this connection."""
        self._refuse(close)

    def gone(self, at: int) -> None:
        """The connection is closed, by whomever."""
        self._hello_timer.cancel()
        goodbye = None if self.client is None else self.client.goodbye
        self._hall.metrics.closed(self._role, self.connection.said or (None if goodbye is None else goodbye.code))
        self._hall.metrics.frames_sent += self.connection.written
        if self.client is not None and self.room is not None:
            self._hall.crowd.viewers -= self.client.seat is None
            self.room.went(self.client, at)

    # --- hello

    def _greeted(self, hello: Incoming, received: int) -> None:
        if not isinstance(hello, ClientHello):
            self._refuse(MALFORMED, "the first frame has to be a hello")
        elif hello.protocol != PROTOCOL:
            self._refuse(
                VERSION_REFUSED, f"the server speaks protocol version {PROTOCOL}, you asked for version {hello.protocol}"
            )
        elif (resumed := self._to_be_resumed(hello)) is not None:
            self._kept = []
            self._inquire(self._hold(hello, resumed))
        elif self._role == "play":
            self._seat_greeted(hello, received)
        elif hello.token is not None and is_key(hello.token):
            self._inquire(self._ask(hello, hello.token))
        elif hello.match is not None and self._lobbies.get(hello.match) is None:
            self._inquire(self._look(hello.match))
        else:
            self._viewer_greeted(hello, self._hall.gate.nobody(hello.token))

    def _to_be_resumed(self, hello: ClientHello) -> asyncio.Event | None:
        if self._role == "play":
            return self._lobbies.to_be_resumed(token=hello.token)
        return self._lobbies.to_be_resumed(match=hello.match)

    async def _hold(self, hello: ClientHello, resumed: asyncio.Event) -> None:
        """The match is still to be resumed: wait for that, at most as long as for a hello. What the client says meanwhile is read
        after that, in its order."""
        self._hello_timer.cancel()
        self.connection.pause()
        if not await set_within(resumed, self._hall.running, self._settings.hello_ms):
            self._refuse(RESTART)
        elif not self.connection.closed:
            self._greeted(hello, time.monotonic_ns())
        kept, self._kept = self._kept or [], None
        for payload, text in kept:
            if not self.connection.closed:
                self.take(payload, text, time.monotonic_ns())
        self.connection.go_on()

    def _inquire(self, question: Coroutine[Any, Any, None]) -> None:
        """Ask the store, or wait; meanwhile nothing else is heard. Whoever leaves breaks nothing off: a driver that is stopped
        in the middle of a question may keep the database locked."""
        task = asyncio.get_running_loop().create_task(self._inquired(question))
        self._asking += 1
        self._hall.asking.add(task)
        task.add_done_callback(self._hall.asking.discard)

    async def _inquired(self, question: Coroutine[Any, Any, None]) -> None:
        try:
            await question
        except Refusal as fault:
            self._refuse(TOO_FAST, fault.text)
        finally:
            self._asking -= 1

    async def _ask(self, hello: ClientHello, key: str) -> None:
        """Whose this key is."""
        try:
            asker = await self._hall.gate.asker(key)
        except Refusal as fault:
            self._refuse(BAD_TOKEN, fault.text)
        except SQLAlchemyError:
            self._log.exception("whose a key is cannot be told")
            self._refuse(TOO_FAST, "the server cannot tell whose this key is; try again later")
        else:
            if hello.match is not None and self._lobbies.get(hello.match) is None:
                await self._look(hello.match)
            elif not self.connection.closed:
                self._viewer_greeted(hello, asker)

    async def _look(self, match: str) -> None:
        """Nobody plays this match here: whether somebody does, or did. Raises Refusal."""
        async with asked():
            node = await self._hall.node_of(match)
        if node is not None:
            self._refuse(ELSEWHERE, url=self._url_of(node))
        else:
            state = await self._hall.archive.state_of(match)
            self._refuse({"running": RESTART, "over": MATCH_OVER}.get(state or "", NO_SUCH_MATCH))

    async def _seek(self, token: str) -> None:
        """No seat here has this token: whether one of another node's does. Raises Refusal."""
        match = await self._tokens.seat_elsewhere(token, self._address)
        if match is None:
            self._refuse(BAD_TOKEN)
        else:
            await self._look(match)

    async def _recall(self, match: str) -> None:
        """How a match of an earlier life ended. Raises Refusal."""
        self._tell_the_end(await self._hall.archive.result(match))

    def _seat_greeted(self, hello: ClientHello, received: int) -> None:
        if hello.token is None:
            self._refuse(BAD_TOKEN)
            return
        found = self._tokens.seat(hello.token)
        if found is None:
            self._stranger_greeted(hello.token)
            return
        room, seat = found
        if not room.unfinished:
            self._tell_the_end(room.result)
            return
        self._welcome(room, hello, seat)
        assert self.client is not None
        room.came(self.client, received)

    def _stranger_greeted(self, token: str) -> None:
        """No seat here has this token."""
        if (match := self._tokens.ended_before(token)) is not None:
            self._inquire(self._recall(match))
        elif self._tokens.opens_something_else(token):
            self._refuse(WRONG_ROLE, "this token is no seat's")
        else:
            self._inquire(self._seek(token))

    def _tell_the_end(self, result: dict[str, Json] | None) -> None:
        """Whoever comes after it, or was away when it came."""
        if result is not None:
            self.connection.write(framed(End(result)))
        self._refuse(MATCH_OVER)

    def _viewer_greeted(self, hello: ClientHello, asker: Asker) -> None:
        room = None if hello.match is None else self._lobbies.get(hello.match)
        if room is None:
            self._refuse(NO_SUCH_MATCH)
        elif not asker.may("watch_private" if room.setup.private else "watch", role_of(room.opens(asker.token))):
            private = "this match is private: a seat's or its owner's token lets you watch"
            self._refuse(WRONG_ROLE, private if room.setup.private else "on this server watching takes the key of an account")
        elif not room.unfinished:
            self._tell_the_end(room.result)
        elif room.crowded or self._hall.crowd.crowded:
            whose = "match" if room.crowded else "server"
            self._refuse(TOO_FAST, f"this {whose} has as many viewers as it takes; try again later")
        else:
            self._welcome(room, hello, None)
            assert self.client is not None
            room.watch(self.client)

    def _welcome(self, room: Room, hello: ClientHello, seat: Seat | None) -> None:
        self._hello_timer.cancel()
        settings = self._settings
        self.room = room
        if seat is None:
            self._hall.crowd.viewers += 1
        else:
            self._rate = self._hall.rates.of((room.id, seat), time.monotonic_ns())
        bounds = {"frames": settings.outbox_frames, "size": settings.outbox_bytes}
        self.client = Client(self.connection, hello, seat, once=room.once, **bounds)
        self.client.send(framed(ServerHello(self._hall.server, room.id, room.game.name, seat)))
        self._log = self._log.bind(match=room.id, seat=seat)
        self._log.info("connected", client=masked(hello.client))

    def _no_hello(self) -> None:
        if self.client is None:
            self._refuse(HANDSHAKE_TIMEOUT)

    # --- messages

    def _from_seat(self, client: Client, message: Incoming, received: int) -> None:
        assert self.room is not None
        live = self.room.live
        if isinstance(message, Seen):
            client.saw(message.turn)
        elif isinstance(message, ClientHello):
            self._malformed("you have said hello already", received)
        elif live is not None:
            if isinstance(message, Commands) and self._answers_too_fast(client, message, live, received):
                self._refuse(TOO_FAST)
            else:
                live.post(FrameReceived(client, message, received))
        elif isinstance(message, Commands):
            refusal = Result("not_started", "the match has not started yet")
            client.send(framed(Results(0, (refusal,) * len(message.commands), message.id)))

    def _answers_too_fast(self, client: Client, frame: Commands, live: LiveMatch, received: int) -> bool:
        """Take note of the view that the frame answers; in realtime each of its commands counts as a frame."""
        if frame.seen is not None:
            client.saw(frame.seen)
        return live.realtime and self._too_fast(received, max(0, len(frame.commands) - 1))

    def _from_viewer(self, client: Client, message: Incoming, received: int) -> None:
        assert self.room is not None
        if isinstance(message, Seen):
            client.saw(message.turn)
        elif not isinstance(message, Resync):
            self._malformed("a viewer may say resync and seen, nothing else", received)
        elif self.room.live is not None:
            self.room.live.greet_viewer(client)

    # --- no

    def _malformed(self, why: str, received: int) -> None:
        """Told and counted; a first frame like that, or too many of them, close the connection. A match may count them too, and
        then the connection stays."""
        if self.client is None:
            self._refuse(MALFORMED, f"the first frame has to be a hello: {why}")
            return
        self._bad += 1
        self._hall.metrics.bad_frame(self._role)
        live = None if self.room is None or self.client.seat is None else self.room.live
        if live is not None:
            live.post(BadFrameReceived(self.client, received))
        if self._bad >= self._settings.bad_frames and not (live is not None and live.counts_bad_frames):
            self._refuse(MALFORMED)
        else:
            self.client.send(framed(Error(MALFORMED.code, why)))

    def _refuse(self, close: Close, text: str | None = None, url: str | msgspec.UnsetType = msgspec.UNSET) -> None:
        self._log.info("refused", code=close.code)
        if self.client is not None:
            self.client.refuse(close, text)
            return
        self._hello_timer.cancel()
        self.connection.write(framed(Error(close.code, text or close.text, close.retry, url)))
        self.connection.close(close)


def read(payload: bytes, text: bool) -> Incoming:
    """A frame as a message. Raises Malformed; what it says quotes nothing that was sent."""
    if not text:
        raise Malformed("expected a text frame, got a binary one")
    if payload.count(b"[") + payload.count(b"{") > NESTING and too_deep(payload):
        raise Malformed(f"nested deeper than {NESTING}")
    try:
        message = read_incoming(payload)
    except msgspec.ValidationError as fault:
        why = "its type is none of those that a client may send" if str(fault).startswith("Invalid value") else str(fault)
        raise Malformed(f"no message of this protocol: {why}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed("not JSON") from None
    if isinstance(message, Info) and len(payload) > INFO_BYTES:
        raise Malformed(f"an info message may have {INFO_BYTES} bytes")
    return message


def too_deep(payload: bytes) -> bool:
    """Whether brackets outside of strings are nested deeper than allowed."""
    brackets = _STRING.sub(b"", payload).translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(array("b", brackets)), default=0) > NESTING
