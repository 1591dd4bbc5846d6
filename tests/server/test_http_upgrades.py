"""Requests as the HTTP clients of several languages send them by default. Some ask for HTTP/2."""

from __future__ import annotations

import contextlib
import json

import pytest

from tests.server.live_server import LiveServer
from tests.server.test_http_limits import answered, raw, rest

BODY = json.dumps({"game": "duel"}).encode()
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
JSON = b"Content-Type: application/json\r\n"

CLIENTS = {
    "curl": b"Host: arena\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n" + JSON + LENGTH,
    "curl --http2": b"Host: arena\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n"
    b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n" + JSON + LENGTH,
    "Java HttpClient": b"Connection: Upgrade, HTTP2-Settings\r\n"
    + LENGTH
    + b"Host: arena\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n"
    b"Upgrade: h2c\r\nUser-Agent: Java-http-client/17.0.9\r\n" + JSON,
    "Java HttpURLConnection": JSON
    + b"User-Agent: Java/17.0.9\r\nHost: arena\r\nAccept: text/html, image/gif, image/jpeg, "
    b"*; q=.2, */*; q=.2\r\nConnection: keep-alive\r\n" + LENGTH,
    "Go net/http": b"Host: arena\r\nUser-Agent: Go-http-client/1.1\r\n"
    + LENGTH
    + JSON
    + b"Accept-Encoding: gzip\r\n",
    ".NET HttpClient": b"Host: arena\r\nContent-Type: application/json; charset=utf-8\r\n" + LENGTH,
    "Node fetch": b"host: arena\r\nconnection: keep-alive\r\ncontent-type: application/json\r\n"
    b"accept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\nuser-agent: node\r\n"
    b"accept-encoding: gzip, deflate\r\n" + LENGTH,
    "Python urllib": b"Accept-Encoding: identity\r\n"
    + JSON
    + LENGTH
    + b"Host: arena\r\nUser-Agent: Python-urllib/3.11\r\nConnection: close\r\n",
    "an upgrade to TLS": b"Host: arena\r\nUpgrade: TLS/1.0\r\nConnection: keep-alive, upgrade\r\n"
    + JSON
    + LENGTH,
}
"""The head of a POST as each client sends it with its defaults."""


def post(head: bytes, path: bytes = b"/api/v1/lobbies") -> bytes:
    return b"POST " + path + b" HTTP/1.1\r\n" + head + b"\r\n"


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("pieces", ["at once", "head and body", "byte by byte"])
def test_the_body_of_a_request_is_read_whatever_upgrade_it_asks_for(
    live_server: LiveServer, client: str, pieces: str
):
    request = post(CLIENTS[client].replace(b"Connection: keep-alive\r\n", b"")) + BODY
    cut = {"at once": len(request), "head and body": len(request) - len(BODY), "byte by byte": 1}
    last = b"GET /api/v1/nowhere HTTP/1.1\r\nHost: arena\r\nConnection: close\r\n\r\n"
    with raw(live_server) as bare:
        for at in range(0, len(request), cut[pieces]):
            bare.sendall(request[at : at + cut[pieces]])
        bare.sendall(last)
        answers = rest(bare)

    assert answers.startswith(b"HTTP/1.1 201"), answers
    assert b"lobby" in answers
    expected = 1 if b"close" in CLIENTS[client] else 2
    assert answers.count(b"HTTP/1.1 ") == expected


@pytest.mark.parametrize("head", [b"", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"])
def test_a_request_for_a_tunnel_is_refused(live_server: LiveServer, head: bytes):
    with raw(live_server) as client:
        client.sendall(b"CONNECT arena:443 HTTP/1.1\r\nHost: arena:443\r\n" + head + b"\r\n")
        assert b" 400 " in rest(client).partition(b"\r\n")[0]
    assert live_server.get("/lobbies").status_code == 200


def test_a_head_that_is_too_big_is_refused(live_server: LiveServer):
    with raw(live_server) as client, contextlib.suppress(ConnectionError):
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: arena\r\nX: ")
        for _ in range(100):
            client.sendall(b"x" * 100_000)
        pytest.fail("it was read")


def test_pipelined_requests_with_an_upgrade_are_all_answered(live_server: LiveServer):
    head = CLIENTS["curl --http2"]
    many = 50
    last = b"GET /api/v1/nowhere HTTP/1.1\r\nHost: arena\r\nConnection: close\r\n\r\n"
    with raw(live_server) as bare:
        bare.sendall((post(head, b"/api/v1/nowhere") + BODY) * many + last)
        answers = rest(bare)

    assert answers.count(b"HTTP/1.1 404") == many + 1


@pytest.mark.parametrize("kind", [b"", b"Content-Type: application/x-www-form-urlencoded\r\n"])
def test_a_body_without_the_content_type_of_json_is_refused_with_the_remedy(
    live_server: LiveServer, kind: bytes
):
    with raw(live_server) as bare:
        bare.sendall(post(b"Host: arena\r\nConnection: close\r\n" + kind + LENGTH) + BODY)
        status, error = answered(bare)

    assert (status, error["code"], error["field"]) == (415, "content_type", "Content-Type")
    assert "Content-Type: application/json" in error["text"]


def test_a_request_without_a_body_gets_an_error_that_says_so(live_server: LiveServer):
    with raw(live_server) as bare:
        bare.sendall(post(b"Host: arena\r\nConnection: close\r\n" + JSON))
        status, error = answered(bare)

    assert (status, error["code"]) == (422, "missing")
    assert "no body" in error["text"]


@pytest.mark.parametrize("path", ["/ws/play", "/ws/watch"])
def test_a_request_that_asks_for_no_websocket_reads_that_one_is_expected(
    live_server: LiveServer, path: str
):
    response = live_server.http.get(path, headers={"Accept": "text/html"})

    assert (response.status_code, response.json()["code"]) == (426, "websocket_only")
    assert response.headers["Upgrade"] == "websocket"
