"""HTTP clients that never finish or exceed their limits: no other client is affected."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from server.errors import Refusal
from server.net.descriptors import Descriptors
from server.net.http_connections import IDLE_S, LATE_S, SWEEP_S, HttpConnections, RequestPhase
from server.net.http_limits import LARGE, UNIT, Requests
from server.proxies import Proxies
from server.settings import Settings
from tests.server.live_server import PATIENCE_S, LiveServer, eventually, hosted
from tests.server.numbers import number

HEAD = b"POST /api/v1/lobbies HTTP/1.1\r\nHost: arena\r\nContent-Type: application/json\r\n"


@contextlib.contextmanager
def raw(live_server: LiveServer, **options: int) -> Iterator[socket.socket]:
    """A bare connection. `options`: of the socket, by name."""
    address = urlsplit(live_server.url)
    with socket.socket() as bare:
        for name, value in options.items():
            bare.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        bare.settimeout(PATIENCE_S)
        bare.connect((address.hostname, address.port))
        yield bare


def rest(bare: socket.socket) -> bytes:
    """Everything that comes until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := bare.recv(65536):
            parts.append(part)
    return b"".join(parts)


def answered(bare: socket.socket) -> tuple[int, dict]:
    """The status and the JSON of the one answer that comes until the server closes."""
    head, _, body = rest(bare).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def half(size: int = 100) -> bytes:
    """A request with a body of this length, of which half is sent."""
    return HEAD + b"Content-Length: %d\r\n\r\n" % size + b" " * (size // 2)


def trickle(bare: socket.socket) -> None:
    """Send a byte now and then until the server closes."""
    done = threading.Event()

    def send() -> None:
        with contextlib.suppress(OSError):
            while not done.wait(0.05):
                bare.send(b" ")

    sender = threading.Thread(target=send)
    sender.start()
    try:
        rest(bare)
    finally:
        done.set()
        sender.join()


# --- time


@pytest.mark.parametrize(
    "begun", [b"", b"GET /healthz HTT", b"GET /healthz HTTP/1.1\r\nHost: arena\r\n"]
)
def test_an_endless_head_times_out(tmp_path, begun: bytes):
    with hosted(tmp_path, hello_ms=50) as live_server, raw(live_server) as bare:
        bare.sendall(begun)

        assert rest(bare) == b""


def test_the_head_of_a_second_request_has_the_same_timeout(tmp_path):
    with hosted(tmp_path, hello_ms=50) as live_server, raw(live_server) as bare:
        bare.sendall(b"GET /healthz HTTP/1.1\r\nHost: arena\r\n\r\n")
        assert bare.recv(65536).startswith(b"HTTP/1.1 200 ")
        bare.sendall(b"G")
        rest(bare)

        assert number(live_server, "botarena_requests_refused_total", code="request_timeout") == 1


def test_half_a_body_times_out(tmp_path):
    with hosted(tmp_path, body_ms=50) as live_server, raw(live_server) as bare:
        bare.sendall(half())
        status, error = answered(bare)

        assert (status, error["code"]) == (408, "request_timeout")


def test_a_slow_trickle_of_bytes_does_not_extend_a_timeout(tmp_path):
    with hosted(tmp_path, body_ms=100) as live_server, raw(live_server) as bare:
        bare.sendall(half(1000))
        trickle(bare)

        assert number(live_server, "botarena_requests_refused_total", code="request_timeout") == 1


def test_an_answer_that_is_not_read_is_aborted(tmp_path):
    with (
        hosted(tmp_path, answer_ms=50, send_buffer=4096) as live_server,
        raw(live_server, SO_RCVBUF=2048) as bare,
    ):
        asked = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: arena\r\n\r\n"
        bare.sendall(asked)
        eventually(
            lambda: (
                number(live_server, "botarena_requests_refused_total", code="request_timeout") == 1
            )
        )

        length = len(live_server.http.get("/api/v1/openapi.json").content)
        assert len(rest(bare)) < length


def test_unread_answers_to_pipelined_requests_are_no_error(tmp_path, caplog):
    with (
        hosted(tmp_path, answer_ms=50, send_buffer=4096) as live_server,
        raw(live_server, SO_RCVBUF=2048) as bare,
    ):
        bare.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: arena\r\n\r\n" * 8)
        eventually(
            lambda: (
                number(live_server, "botarena_requests_refused_total", code="request_timeout") == 1
            )
        )
        rest(bare)

    assert "Exception in ASGI application" not in caplog.text


class Waiting:
    """A connection that waits for its client in this phase, from the first sweep on."""

    def __init__(self, phase: RequestPhase | None) -> None:
        self.phase = phase
        self.since: float | None = None
        self.ended: list[RequestPhase] = []

    def phase_since(self, clock: float) -> tuple[RequestPhase | None, float]:
        self.since = clock if self.since is None else self.since
        return self.phase, self.since

    def end(self, phase: RequestPhase) -> None:
        self.ended.append(phase)


@pytest.fixture
def connections() -> HttpConnections:
    settings = Settings(hello_ms=10_000, body_ms=20_000, answer_ms=30_000)
    return HttpConnections(
        settings,
        Descriptors(1000),
        Proxies(None),
        lambda code: None,
        lambda code: None,
        lambda scope: False,
    )


@pytest.mark.parametrize(
    ("phase", "most_s"), [("head", 10), ("body", 20), ("answer", 30), ("idle", IDLE_S)]
)
def test_each_phase_has_its_timeout(
    connections: HttpConnections, phase: RequestPhase, most_s: float
):
    waiting, served = Waiting(phase), Waiting(None)
    connections.watch(waiting)
    connections.watch(served)
    lived = next(
        second for second in range(100) if connections.sweep(float(second)) or waiting.ended
    )

    assert lived == most_s + SWEEP_S
    assert served.ended == []


def test_time_during_which_the_process_was_stopped_is_not_counted(connections: HttpConnections):
    """After a stop the clients' bytes are read before the next sweep, which is the first that may
    close."""
    waiting = Waiting("head")
    connections.watch(waiting)
    for second in range(11):
        connections.sweep(float(second))
    connections.sweep(1000.0)
    assert waiting.ended == []

    connections.sweep(1001.0)
    assert waiting.ended == ["head"]


def test_a_process_that_is_always_stalled_still_has_limits(connections: HttpConnections):
    waiting = Waiting("head")
    connections.watch(waiting)
    for number_ in range(30):
        connections.sweep(number_ * (LATE_S + 1))

    assert waiting.ended


# --- numbers


def test_http_connections_per_address_are_limited_and_freed(tmp_path):
    with (
        hosted(tmp_path, http_connections_per_address=3) as live_server,
        contextlib.ExitStack() as held,
    ):
        live_server.get("/games")  # over a connection that is kept
        first, _ = (held.enter_context(raw(live_server)) for _ in range(2))
        with raw(live_server) as refused:
            status, error = answered(refused)
        assert (status, error["code"]) == (429, "too_many_connections")
        assert (
            number(live_server, "botarena_connections_refused_total", code="too_many_connections")
            == 1
        )

        first.close()
        with raw(live_server) as more:
            more.sendall(b"GET /healthz HTTP/1.1\r\nHost: arena\r\nConnection: close\r\n\r\n")
            assert rest(more).startswith(b"HTTP/1.1 200 ")


def test_a_websocket_no_longer_counts_as_an_http_connection(tmp_path):
    with hosted(tmp_path, http_connections_per_address=2) as live_server:
        assert [live_server.socket() for _ in range(5)]


def test_connections_of_a_named_proxy_are_not_counted(tmp_path):
    with (
        hosted(tmp_path, http_connections_per_address=1, proxies="127.0.0.1") as live_server,
        raw(live_server),
        raw(live_server),
    ):
        assert live_server.get("/games").status_code == 200


def test_requests_per_address_have_a_rate_limit(tmp_path):
    with hosted(tmp_path, requests_per_second=1, proxies="127.0.0.1") as live_server:

        def ask(who: str) -> int:
            return live_server.http.get("/healthz", headers={"X-Forwarded-For": who}).status_code

        statuses = [ask("192.0.2.1") for _ in range(30)]
        assert statuses[:2] == [200] * 2
        assert 429 in statuses
        assert ask("192.0.2.2") == 200
        eventually(lambda: ask("192.0.2.1") == 200)


def test_handshakes_count_as_requests(tmp_path):
    with (
        hosted(tmp_path, requests_per_second=1) as live_server,
        pytest.raises(InvalidStatus) as refused,
    ):
        assert not [live_server.socket() for _ in range(100)]

    assert json.loads(refused.value.response.body)["code"] == "too_many_requests"


def test_a_body_counts_as_several_requests():
    requests = Requests(Settings(requests_per_second=5))

    def ask(at: int, length: int) -> bool:
        headers = [(b"content-length", b"%d" % length)]
        try:
            with requests.admitted(
                {"method": "POST", "path": LARGE[0], "headers": headers}, "192.0.2.1", at
            ):
                return True
        except Refusal:
            return False

    assert ask(0, 3 * UNIT)
    assert ask(0, 4 * UNIT)
    assert not ask(0, UNIT)
    assert ask(0, UNIT - 1)
    assert not ask(0, 0)
    assert ask(10**9, 1 << 20), "a burst is never too small for one body"


def test_unanswered_requests_per_address_are_limited(tmp_path):
    with hosted(tmp_path, requests_at_once=1) as live_server:
        with raw(live_server) as held:
            held.sendall(half())
            eventually(lambda: live_server.get("/games").status_code == 429)

        eventually(lambda: live_server.get("/games").status_code == 200)


def test_large_bodies_per_address_are_limited(tmp_path):
    with hosted(tmp_path, large_bodies_at_once=1) as live_server:
        with raw(live_server) as held:
            held.sendall(half(500_000))
            large = json.dumps({"game": "x" * 100_000}).encode()
            eventually(
                lambda: live_server.http.post("/api/v1/lobbies", content=large).status_code == 429
            )
            assert live_server.create()["state"] == "open"

        eventually(
            lambda: live_server.http.post("/api/v1/lobbies", content=large).status_code == 422
        )


LONGEST = [
    ("POST", "/api/v1/lobbies", 1 << 20),
    ("POST", "/api/v1/tournaments", 1 << 20),
    ("POST", "/api/v1/lobbies/x/join", 64 << 10),
    ("POST", "/api/v1/accounts", 64 << 10),
]


@pytest.mark.parametrize(
    ("method", "path", "most"),
    [*LONGEST, ("GET", "/api/v1/lobbies", 64 << 10), ("POST", "/ws/play", 64 << 10)],
)
def test_a_body_with_a_too_large_content_length_is_not_read(
    live_server: LiveServer, method: str, path: str, most: int
):
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: arena\r\nConnection: close\r\nContent-Length: "
        f"{most + 1}\r\n\r\n"
    )
    with raw(live_server) as bare:
        bare.sendall(head.encode())
        status, error = answered(bare)

    assert (status, error["code"]) == (413, "too_big")


@pytest.mark.parametrize(("method", "path", "most"), LONGEST)
def test_a_body_in_chunks_is_read_to_its_limit(
    live_server: LiveServer, method: str, path: str, most: int
):
    given = iter([b" " * most, b" "])
    response = live_server.http.request(
        method, path, content=given, headers={"Content-Type": "application/json"}
    )

    assert (response.status_code, response.json()["code"]) == (413, "too_big")


@pytest.mark.parametrize("length", ["Content-Length: 100000000", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("request_line", ["POST /api/v1/lobbies", "GET /healthz"])
def test_a_body_that_continues_after_its_answer_is_not_read_for_long(
    live_server: LiveServer, request_line: str, length: str
):
    endless = (b"10000\r\n" + b" " * 65536 + b"\r\n") * 1000
    with raw(live_server) as bare:
        bare.sendall(f"{request_line} HTTP/1.1\r\nHost: arena\r\n{length}\r\n\r\n".encode())
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            bare.sendall(endless)


def test_a_refused_client_is_not_read(tmp_path):
    with hosted(tmp_path, requests_at_once=1) as live_server, raw(live_server) as held:
        held.sendall(half())
        eventually(lambda: live_server.get("/games").status_code == 429)
        with raw(live_server) as bare:
            bare.sendall(half(200_000))
            status, error = answered(bare)

    assert (status, error["code"]) == (429, "too_many_requests")
