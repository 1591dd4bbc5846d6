"""One websocket's session: its client says hello, then it may send messages.

Frames come by a call, with the time of their receipt. Whatever comes here ends at most this
connection; the match and the other clients notice nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
import structlog

from client_sdk.wire.codes import MALFORMED, TOO_FAST, Close
from client_sdk.wire.messages import (
    ClientHello,
    CommandResult,
    Commands,
    Error,
    Incoming,
    Results,
    Resync,
    Seen,
    ServerHello,
)
from games.core.contract import Seat
from server.matches.client import Client
from server.matches.context import RemoteLookup, SessionContext
from server.matches.hello import Greeting, SocketRole
from server.matches.incoming import MalformedFrame, read
from server.matches.lobby import Lobby
from server.matches.messages import BadFrameReceived, FrameReceived
from server.net.limits import Rate
from server.net.transport import ServerConnection, framed
from server.tokens import holds_token, masked


class Session:
    """Listens to one connection. `address`: where it comes from, as a limit counts it. `elsewhere`:
    what its client finds at other processes. `on_end` is called when it is over."""

    def __init__(
        self,
        connection: ServerConnection,
        context: SessionContext,
        *,
        role: SocketRole,
        address: str,
        elsewhere: RemoteLookup,
        on_end: Callable[[Session], None],
    ) -> None:
        self.connection = connection
        self.client: Client | None = None
        self.lobby: Lobby | None = None
        self.address = address
        self._context = context
        self._settings = context.settings
        self._role = role
        self._on_end = on_end
        self._bad = 0
        self._rate = Rate(self._settings.frames_per_second, time.monotonic_ns())
        """Its own before the hello; a seat's is the same for all its connections, so that a new one
        brings no new burst."""
        self._log = structlog.get_logger()
        self._greeting = Greeting(context, connection, self, role=role, elsewhere=elsewhere)

    # --- what happens to the connection

    def on_message(self, payload: bytes, text: bool, received: int) -> None:
        client = self.client
        if client is None and self._greeting.keep(payload, text):
            return
        self._context.metrics.frames_received += 1
        free = client is not None and client.takes_an_answer()
        if not free and self._too_fast(received):
            self.refuse(TOO_FAST)
            return
        try:
            if client is not None and holds_token(payload):
                raise MalformedFrame("it holds what looks like a token, and others would see it")
            message = read(payload, text)
        except MalformedFrame as fault:
            self._malformed(str(fault), received)
            return
        if client is None:
            self._greeting.take(message, received)
        elif self._role == "play":
            self._from_seat(client, message, received)
        else:
            self._from_viewer(client, message, received)

    def on_other_frame(self, received: int) -> None:
        """It counts as a message."""
        self._context.metrics.frames_received += 1
        if self._too_fast(received):
            self.refuse(TOO_FAST)

    def on_writable(self) -> None:
        if self.client is not None:
            self.client.show_latest()

    def on_closed(self, at: int) -> None:
        self._greeting.end()
        self._context.metrics.closed(self._role, self.connection.code)
        self._context.metrics.frames_sent += self.connection.outbox.written
        if self.client is not None and self.lobby is not None:
            self._context.crowd.viewers -= self.client.seat is None
            self.lobby.disconnect(self.client, at)
        self._on_end(self)

    def _too_fast(self, received: int, cost: int = 1) -> bool:
        """Whether this frame, or one that costs this much, is beyond the rate. What came in a pause
        was not sent at once."""
        if self._rate.allows(received, cost):
            return False
        pause = self._context.running.last
        if pause is not None:
            self._rate.pardon(pause)
        return not self._rate.allows(received, cost)

    # --- what the server does with it

    def welcome(self, lobby: Lobby, hello: ClientHello, seat: Seat | None, received: int) -> None:
        """The hello is right: its client takes the seat, or watches."""
        self.lobby = lobby
        once = lobby.game.start_only(lobby.setup.match.rules)
        self.client = client = Client(self.connection, hello, seat, once)
        if seat is None:
            self._context.crowd.viewers += 1
        else:
            self._rate = self._context.rates.of((lobby.id, seat), time.monotonic_ns())
            self.connection.latency.measure()
        client.send(framed(ServerHello(self._context.server, lobby.id, lobby.game.name, seat)))
        self._log = self._log.bind(match=lobby.id, seat=seat)
        self._log.info("connected", client=masked(hello.client))
        if seat is None:
            lobby.watch(client)
        else:
            lobby.connect(client, received)

    def heartbeat(self, quiet_since: int) -> None:
        """Ping the client. Drop it if it was quiet since then (monotonic ns) and is not awaited."""
        if self.client is None or self.lobby is None:
            return
        self.client.ping()
        live = self.lobby.live
        may_think = live is not None and self.client.seat in live.match.awaited
        if self.connection.reader.received < quiet_since and not may_think:
            self._log.info("gone quiet", match=self.lobby.id, seat=self.client.seat)
            self.connection.drop("quiet")

    def refuse(
        self, close: Close, text: str | None = None, url: str | msgspec.UnsetType = msgspec.UNSET
    ) -> None:
        """End the connection, and say why."""
        self._log.info("refused", code=close.code)
        if self.client is None:
            self.connection.close(close, text, url=url)
        else:
            self.client.close(close, text)

    # --- messages

    def _from_seat(self, client: Client, message: Incoming, received: int) -> None:
        assert self.lobby is not None
        live = self.lobby.live
        if isinstance(message, Commands):
            if live is None:
                refusal = CommandResult("not_started", "the match has not started yet")
                client.send(framed(Results(0, (refusal,) * len(message.commands), message.id)))
                return
            if message.seen is not None:
                client.saw(message.seen)
            # in realtime each command counts as a frame
            more = len(message.commands) - 1
            if more > 0 and live.realtime and self._too_fast(received, more):
                self.refuse(TOO_FAST)
            else:
                live.post(FrameReceived(client, message, received))
        elif isinstance(message, Seen):
            client.saw(message.turn)
        elif isinstance(message, ClientHello):
            self._malformed("you have said hello already", received)
        elif live is not None:
            live.post(FrameReceived(client, message, received))

    def _from_viewer(self, client: Client, message: Incoming, received: int) -> None:
        assert self.lobby is not None
        if isinstance(message, Seen):
            client.saw(message.turn)
        elif not isinstance(message, Resync):
            self._malformed("a viewer may say resync and seen, nothing else", received)
        elif self.lobby.live is not None:
            self.lobby.live.gallery.greet(client)

    def _malformed(self, why: str, received: int) -> None:
        """Answer and count it; a first frame like that, or too many of them, close the connection.
        Where the match counts them too, the connection stays."""
        if self.client is None:
            self.refuse(MALFORMED, f"the first frame has to be a hello: {why}")
            return
        self._bad += 1
        self._context.metrics.bad_frame(self._role)
        live = None if self.lobby is None or self.client.seat is None else self.lobby.live
        if live is not None:
            live.post(BadFrameReceived(self.client, received))
        counted = live is not None and live.counts_bad_frames
        if self._bad >= self._settings.bad_frames and not counted:
            self.refuse(MALFORMED)
        else:
            self.client.send(framed(Error(MALFORMED.code, why)))
