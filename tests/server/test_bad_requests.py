"""What is no HTTP, and handshakes that are none, get an error in the form of all others."""

from __future__ import annotations

import pytest

from tests.server.live_server import LiveServer
from tests.server.test_http_limits import answered, raw

NO_HTTP = {
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32) + b"\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
    "a header without a colon": b"GET / HTTP/1.1\r\nHost\r\n\r\n",
    "a length that is no number": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n",
}
HANDSHAKE = {
    "Host": "arena",
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    "Sec-WebSocket-Version": "13",
}


@pytest.mark.parametrize("kind", NO_HTTP)
def test_what_is_no_http_gets_an_error_that_says_what_was_expected(
    live_server: LiveServer, kind: str
):
    with raw(live_server) as client:
        client.sendall(NO_HTTP[kind])
        status, error = answered(client)

    assert (status, error["code"]) == (400, "not_http")
    assert "HTTP/1.1" in error["text"]


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Sec-WebSocket-Version", "8"),
        ("Sec-WebSocket-Version", None),
        ("Sec-WebSocket-Key", "short"),
        ("Sec-WebSocket-Key", None),
    ],
)
def test_a_handshake_with_a_wrong_header_gets_an_error_that_names_it(
    live_server: LiveServer, header: str, value: str | None
):
    status, error = shaken(live_server, {header: value})

    assert (status, error["code"], error["field"]) == (400, "bad_handshake", header)
    assert header in error["text"]


def test_a_handshake_with_another_method_gets_an_error(live_server: LiveServer):
    status, error = shaken(live_server, {}, method="POST")

    assert (status, error["code"], error["field"]) == (400, "bad_handshake", None)
    assert "POST" in error["text"]


@pytest.mark.parametrize("field", [{"X": "x" * 9_000}, {f"X{n}": "x" for n in range(200)}])
def test_a_handshake_with_too_big_a_head_gets_an_error(live_server: LiveServer, field: dict):
    status, error = shaken(live_server, field)

    assert (status, error["code"]) == (431, "too_big")


def shaken(
    live_server: LiveServer, changes: dict[str, str | None], method: str = "GET"
) -> tuple[int, dict]:
    """The answer to a handshake with these headers changed. None: left out."""
    lines = [
        f"{name}: {value}\r\n" for name, value in (HANDSHAKE | changes).items() if value is not None
    ]
    with raw(live_server) as client:
        client.sendall(f"{method} /ws/play HTTP/1.1\r\n{''.join(lines)}\r\n".encode())
        return answered(client)
