"""The two websocket endpoints: what may be opened, and the sessions that are open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

import structlog
from prometheus_client.core import CounterMetricFamily, Metric

from client_sdk.running import MS
from client_sdk.wire.codes import LEAVING
from server.asgi import Scope
from server.errors import Refusal
from server.matches.context import RemoteLookup, SessionContext
from server.matches.hello import SocketRole
from server.matches.session import Session
from server.metrics import gauge
from server.net.http_limits import Requests
from server.net.limits import neighbourhood
from server.net.transport import ServerConnection
from server.proxies import Proxies, address, allowed_origin

ROLES: dict[str, SocketRole] = {"/ws/play": "play", "/ws/watch": "watch"}

NO_SOCKET = Refusal(403, "no_socket", f"there are two sockets here: {' and '.join(ROLES)}")
BAD_ORIGIN = Refusal(
    403, "bad_origin", "pages of other servers may not open this socket", field="Origin"
)
TOO_MANY = Refusal(
    429, "too_many_connections", "there are as many connections from your address as one may have"
)


class Sockets:
    """`elsewhere`: what the client that came with this ASGI scope finds at other processes with
    such a socket."""

    def __init__(
        self,
        context: SessionContext,
        requests: Requests,
        proxies: Proxies,
        elsewhere: Callable[[Scope, SocketRole], RemoteLookup],
    ) -> None:
        self._context = context
        self._requests = requests
        self._proxies = proxies
        self._elsewhere = elsewhere
        self._sessions: set[Session] = set()

    def open(self, asked: Scope, connection: ServerConnection) -> Session | Refusal:
        """A session for a connection at its handshake."""
        scope = self._proxies.seen_through(asked)
        place = neighbourhood(address(scope))
        refusal = self._requests.too_fast(place, time.monotonic_ns()) or self._refusal(scope)
        if refusal is None and not self._context.crowd.enter(place):
            refusal = TOO_MANY
        if refusal is not None:
            self._context.metrics.turned_away(refusal.code)
            structlog.get_logger().info("websocket refused", code=refusal.code)
            return refusal
        role = ROLES[scope["path"]]
        session = Session(
            connection,
            self._context,
            role=role,
            address=place,
            elsewhere=self._elsewhere(scope, role),
            on_end=self._on_end,
        )
        self._sessions.add(session)
        return session

    def close(self) -> None:
        """The server is going away."""
        for session in list(self._sessions):
            session.refuse(LEAVING)

    async def heartbeat(self) -> None:
        """Ping every client, and close the connections of those that are quiet for too long."""
        settings, running = self._context.settings, self._context.running
        while True:
            await asyncio.sleep(settings.ping_ms / 1000)
            running.now()  # finds a pause, after which clients may be quiet for as long again
            quiet_since = time.monotonic_ns() - settings.quiet_ms * MS
            for session in list(self._sessions):
                session.heartbeat(quiet_since if running.resumed < quiet_since else 0)

    def now(self) -> Iterator[Metric]:
        """The metrics that are read at each scrape."""
        clients = [session.client for session in self._sessions if session.client is not None]
        waiting = [client.waiting for client in clients]
        written = sum(session.connection.outbox.written for session in self._sessions)
        seats = sum(client.seat is not None for client in clients)
        slowest = max(waiting, default=0)
        sent = self._context.metrics.frames_sent + written
        yield gauge("seats_connected", "Seats with a connection.", seats)
        yield gauge("viewers", "Viewers of all matches.", self._context.crowd.viewers)
        yield gauge("connections", "Websockets, also before their hello.", len(self._sessions))
        yield gauge("outbox_frames", "Frames that wait for slow clients.", sum(waiting))
        yield gauge("outbox_frames_max", "Frames that wait for the slowest client.", slowest)
        yield CounterMetricFamily("botarena_frames_sent", "Messages to clients.", sent)

    def _refusal(self, scope: Scope) -> Refusal | None:
        """Why no such socket is opened from there."""
        if scope["path"] not in ROLES:
            return NO_SOCKET
        settings = self._context.settings
        pages, port = settings.allowed_origins, settings.front_port
        known = allowed_origin(scope, settings.own_url, pages, port)
        return None if known else BAD_ORIGIN

    def _on_end(self, session: Session) -> None:
        self._sessions.discard(session)
        self._context.crowd.leave(session.address)
