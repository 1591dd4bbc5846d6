"""Connections over HTTP: how many one address may have, and how long each phase may take.

uvicorn waits for a client without end. Here a request's head, its body and the client's reading of
the answer each have a time limit, and a connection over a limit is closed as it is accepted.

Time is counted by a sweep once a second, and a sweep counts for no more than that second. The
first sweep after the process was stopped or held up closes nothing: what clients sent meanwhile is
read before the next one.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

import structlog

from server.asgi import Scope
from server.errors import Refusal
from server.net.answers import HEAD_TOO_BIG, NOT_HTTP, whole_answer
from server.net.descriptors import Descriptors
from server.net.limits import PerAddress, neighbourhood
from server.proxies import NO_ADDRESS, Proxies
from server.settings import Settings

HEAD_BYTES = 128 * 1024
FAST = all(importlib.util.find_spec(name) is not None for name in ("uvloop", "httptools"))
"""Whether the fast loop and parser are installed."""

if TYPE_CHECKING or FAST:
    from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser

if TYPE_CHECKING or not FAST:
    from uvicorn.protocols.http.h11_impl import H11Protocol as Uvicorn
else:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Uvicorn

SWEEP_S = 1.0
"""A sweep comes this often."""
LATE_S = 2.0
"""A sweep this long after the last one is late."""
IDLE_S = 5.0
"""A connection is kept this long for its next request."""
DISCARDED = 2 << 20
"""Bytes that may come of a request's body after its answer, so that a client that sends all of it
before it reads learns why. Those are thrown away; more of them close the connection."""

TOO_MANY = Refusal(
    429,
    "too_many_connections",
    "there are as many connections from your address as one may have; close one or try again later",
)
FULL = Refusal(
    503, "too_many_files", "the server has as many connections as it can hold; try again later"
)
SLOW = Refusal(408, "request_timeout", "the request's body did not come in time")

RequestPhase = Literal["head", "body", "answer", "idle"]


class Watched(Protocol):
    """A connection, as the sweep sees it."""

    def phase_since(self, clock: float) -> tuple[RequestPhase | None, float]:
        """What it waits for its client to do, and since when (s). None: the client waits for us."""

    def end(self, phase: RequestPhase) -> None:
        """Close it, because this took too long."""


class HttpConnections:
    """The limits of all connections of one server. `refused` is called with the code of each one
    that is turned away, `cut` with that of each one that ran out of time. `from_peer`: whether a
    request comes from another process of this server."""

    def __init__(
        self,
        settings: Settings,
        descriptors: Descriptors,
        proxies: Proxies,
        refused: Callable[[str], None],
        cut: Callable[[str], None],
        from_peer: Callable[[Scope], bool],
    ) -> None:
        self._counts = PerAddress(descriptors.per_address(settings.http_connections_per_address))
        self._descriptors = descriptors
        self._proxies = proxies
        self._refused = refused
        self._cut = cut
        self.from_peer = from_peer
        self._most_s: dict[RequestPhase, float] = {
            "head": settings.hello_ms / 1000,
            "body": settings.body_ms / 1000,
            "answer": settings.answer_ms / 1000,
            "idle": IDLE_S,
        }
        self._open: set[Watched] = set()
        self._swept: float | None = None
        self._late = False
        self._clock = 0.0
        """Seconds that have been counted."""

    def place(self, address: str) -> str | None:
        """What a connection from there counts for. None: for nothing, as it is a proxy's and
        carries the requests of many."""
        return None if self._proxies.trusts(address) else neighbourhood(address)

    def enter(self, place: str | None, descriptor: int) -> Refusal | None:
        """Count a new connection, or say why it is not taken."""
        refusal = None
        if self._descriptors.reserved(descriptor):
            refusal = FULL
        elif place is not None and not self._counts.enter(place):
            refusal = TOO_MANY
        if refusal is not None:
            self._refused(refusal.code)
        return refusal

    def leave(self, place: str) -> None:
        self._counts.leave(place)

    def watch(self, connection: Watched) -> None:
        """Look after this one in every sweep."""
        self._open.add(connection)

    def forget(self, connection: Watched) -> None:
        self._open.discard(connection)

    def sweep(self, now: float) -> None:
        """Close the connections that are in a phase for too long. `now`: monotonic, s."""
        step = SWEEP_S if self._swept is None else now - self._swept
        self._swept = now
        self._clock += min(step, SWEEP_S)
        was_late, self._late = self._late, step > LATE_S
        spared = self._late and not was_late
        for one in list(self._open):
            phase, since = one.phase_since(self._clock)
            if phase is None or spared or self._clock - since <= self._most_s[phase]:
                continue
            if phase != "idle":
                structlog.get_logger().info("a client was too slow", phase=phase)
                self._cut(SLOW.code)
            one.end(phase)


class FastParser:
    """httptools' parser, which also reads requests that ask for an upgrade we do not take. Java's
    HttpClient and `curl --http2` ask for h2c with every request; httptools then skips the body.
    Such a request is parsed again without the headers that ask for it."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._parser = self._made()

    def feed_data(self, data: bytes) -> None:
        while data:
            try:
                self._parser.feed_data(data)
                return
            except HttpParserUpgrade as upgrade:
                if not self.declines_upgrade():
                    raise
                if self.get_method() == b"CONNECT":  # whatever its head says, it is an upgrade
                    raise HttpParserError("this is no proxy") from None
                (end,) = upgrade.args
                data = self._plain_head() + data[end:]
                self._parser = self._made()

    def declines_upgrade(self) -> bool:
        """Whether this request asks for an upgrade that we do not take."""
        return self._parser.should_upgrade() and not self._connection._should_upgrade()

    def should_upgrade(self) -> bool:
        return bool(self._parser.should_upgrade())

    def should_keep_alive(self) -> bool:
        return bool(self._parser.should_keep_alive())

    def get_method(self) -> bytes:
        return bytes(self._parser.get_method())

    def get_http_version(self) -> str:
        return str(self._parser.get_http_version())

    def _made(self) -> Any:
        parser = HttpRequestParser(self._connection)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        return parser

    def _plain_head(self) -> bytes:
        """The head that was read, without the request for an upgrade."""
        connection = self._connection
        lines = [
            b"%b %b HTTP/%b" % (self.get_method(), connection.url, self.get_http_version().encode())
        ]
        for name, value in connection.headers:
            if name == b"connection":
                words = [word.strip() for word in value.split(b",")]
                words = [word for word in words if word.lower() != b"upgrade"]
                lines.append(b"connection: " + b", ".join(words))
            elif name != b"upgrade":
                lines.append(name + b": " + value)
        return b"\r\n".join([*lines, b"", b""])


class HttpConnection(Uvicorn):
    """One connection, until it is closed or becomes a websocket's."""

    def __init__(self, *args: Any, among: HttpConnections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._among = among
        self._place: str | None = None
        self._running: Any = None
        """The request that is answered. With pipelined ones uvicorn's `cycle` is the newest."""
        self._in_head, self._head = False, 0
        """Whether a head is being read, and its bytes after those that came first."""
        self._drained = 0
        """How often the client has taken enough of an answer for more to be written."""
        self._answered: Any = None
        self._discarded = 0
        """Bytes that came after that cycle was answered."""
        self._state: tuple[Any, ...] = ()
        self._since = 0.0
        if FAST:
            self.parser: Any = FastParser(self)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        place = self._among.place(self.client[0] if self.client else NO_ADDRESS)
        descriptor = self.transport.get_extra_info("socket").fileno()
        self._among.watch(self)
        if (refusal := self._among.enter(place, descriptor)) is None:
            self._place = place
        else:
            self.transport.write(whole_answer(refusal))
            self.transport.close()

    def on_message_begin(self) -> None:  # of the fast parser only, as the next two
        self._in_head, self._head = True, 0
        super().on_message_begin()  # type: ignore[misc]

    def on_headers_complete(self) -> None:
        self._in_head = False
        if not self.parser.declines_upgrade():
            super().on_headers_complete()  # type: ignore[misc]

    def on_message_complete(self) -> None:
        if not self.parser.declines_upgrade():
            super().on_message_complete()  # type: ignore[misc]

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        if self._running is not None:  # else it writes to a closed socket, which logs an error
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
            if self._head > HEAD_BYTES:  # to read on takes time in the square of its length
                self.transport.write(whole_answer(HEAD_TOO_BIG))
                self.transport.close()
                return
        super().data_received(data)
        scope: Any = self.scope
        if self._place is not None and scope is not None and self._among.from_peer(scope):
            self._among.leave(self._place)  # it carries the requests of many, as a proxy's
            self._place = None
        cycle = self.cycle
        if cycle is None or not cycle.response_complete:
            return
        if cycle is not self._answered:
            self._answered, self._discarded = cycle, 0
        self._discarded += len(data)
        if self._discarded > DISCARDED:
            self.transport.close()

    def handle_websocket_upgrade(self, *args: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(*args)

    def _leave(self) -> None:
        self._among.forget(self)
        if self._place is not None:
            self._among.leave(self._place)
            self._place = None

    def resume_writing(self) -> None:
        self._drained += 1
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """uvicorn's answer to what it cannot parse, in the form of all errors."""
        self.transport.write(whole_answer(NOT_HTTP))
        self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        """uvicorn's own timer goes on while the process is stopped: the sweep does this."""

    def phase_since(self, clock: float) -> tuple[RequestPhase | None, float]:
        phase, *state = self._phase()
        if (phase, *state) != self._state:
            self._state, self._since = (phase, *state), clock
        return phase, self._since

    def _phase(self) -> tuple[Any, ...]:
        if unread := self.transport.get_write_buffer_size():
            return "answer", unread, self._drained
        if self.transport.is_closing():
            return (None,)
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return ("head" if self.timeout_keep_alive_task is None else "idle"), cycle
        return ("body", cycle) if cycle.more_body else (None,)

    def end(self, phase: RequestPhase) -> None:
        if phase == "answer":
            self.transport.abort()
            return
        if phase == "body" and not self.cycle.response_started:
            self.transport.write(whole_answer(SLOW))
        self.transport.close()
