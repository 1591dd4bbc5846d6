"""Negotiation and the websocket of the hub, over real sockets."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import httpx
import pytest
import websockets.sync.client as ws
from websockets.exceptions import InvalidStatus

from client_sdk.gateway.signalr import http
from tests.client_sdk.gateway.signalr.hubs import running_hub
from tests.client_sdk.gateway.signalr.sockets import HubSocket, connected
from tests.client_sdk.gateway.signalr.test_hub import GUID, ScriptedSeats
from tests.waiting import PATIENCE_S, eventually


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_hub(ScriptedSeats()) as found:
        yield found


def negotiated(url: str, query: str = "", **headers: str) -> httpx.Response:
    response = httpx.post(
        f"{url}/bothub/negotiate{query}", headers=headers, trust_env=False, timeout=PATIENCE_S
    )
    assert response.status_code == 200, response.text
    return response


def test_clients_that_negotiate_version_1_get_an_id_and_a_token(url: str) -> None:
    answer = negotiated(url, "?negotiateVersion=1").json()

    assert answer == {
        "negotiateVersion": 1,
        "connectionId": answer["connectionId"],
        "connectionToken": answer["connectionToken"],
        "availableTransports": [{"transport": "WebSockets", "transferFormats": ["Text", "Binary"]}],
    }


def test_clients_that_negotiate_without_a_version_get_version_0(url: str) -> None:
    answer = negotiated(url).json()

    assert answer["negotiateVersion"] == 0
    assert answer["connectionId"]
    assert "connectionToken" not in answer


@pytest.mark.parametrize("name", ["connectionId", "connectionToken"])
def test_a_websocket_has_the_id_that_was_negotiated(url: str, name: str) -> None:
    answer = negotiated(url, "?negotiateVersion=1").json()

    with connected(url, f"?id={answer[name]}") as socket:
        assert HubSocket(socket).greets() == answer["connectionId"]


@pytest.mark.parametrize("query", ["", "?id=made-up"])
def test_a_websocket_that_was_not_negotiated_gets_an_id_of_its_own(url: str, query: str) -> None:
    with connected(url, query) as socket:
        assert len(HubSocket(socket).greets()) > 20


def test_every_negotiation_has_an_id_of_its_own_and_keeps_the_cookie(url: str) -> None:
    first = negotiated(url)
    cookie = first.headers["set-cookie"].partition(";")[0]
    again = negotiated(url, cookie=cookie)

    assert again.headers["set-cookie"].partition(";")[0] == cookie
    assert again.json()["connectionId"] != first.json()["connectionId"]
    assert "HttpOnly" in first.headers["set-cookie"]


@pytest.mark.parametrize("header", ["", "=;=", "botarena_hub=unknown", 'botarena_hub="a b'])
def test_a_cookie_that_is_none_is_ignored(url: str, header: str) -> None:
    assert negotiated(url, cookie=header).json()["connectionId"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/bothub/negotiate")])
def test_other_requests_are_not_found(url: str, method: str, path: str) -> None:
    response = httpx.request(method, f"{url}{path}", trust_env=False, timeout=PATIENCE_S)

    assert response.status_code == 404
    assert "/bothub" in response.json()["error"]


def test_other_sockets_and_pages_of_other_hosts_are_refused(url: str) -> None:
    with pytest.raises(InvalidStatus), connected(f"{url}/other"):
        pass
    with pytest.raises(InvalidStatus), connected(url, origin="https://other.example"):
        pass
    with pytest.raises(InvalidStatus, match="403"), connected(url, origin="http://["):
        pass
    with connected(url, origin="http://127.0.0.1") as socket:
        assert HubSocket(socket).greets()


@pytest.mark.parametrize("limit", ["AT_ONCE", "PER_ADDRESS"])
def test_connections_have_a_limit(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """A websocket counts until it is lost, a negotiation until it is answered."""
    monkeypatch.setattr(http, limit, 1)
    with (
        running_hub(ScriptedSeats()) as url,
        httpx.Client(trust_env=False, timeout=PATIENCE_S) as requests,
    ):

        def negotiates() -> bool:
            with contextlib.suppress(httpx.TransportError):
                return requests.post(f"{url}/bothub/negotiate").status_code == 200
            return False

        assert negotiates()
        with eventually(lambda: opened(url)) as socket:
            assert HubSocket(socket).greets()
            assert not negotiates()
        eventually(negotiates)


def opened(url: str) -> ws.ClientConnection | None:
    """A websocket, unless there are too many connections."""
    try:
        return connected(url)
    except (InvalidStatus, ConnectionError, AssertionError):
        return None


def test_a_connection_without_a_request_is_closed_after_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "REQUESTS_S", 0.05)
    with running_hub(ScriptedSeats()) as url:
        where = ("127.0.0.1", int(url.rpartition(":")[2]))
        silent = socket.create_connection(where, PATIENCE_S)
        with silent, contextlib.suppress(ConnectionError):
            assert silent.recv(1) == b""


def test_silent_connections_count_for_their_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "PER_ADDRESS", 1)
    monkeypatch.setattr(http, "REQUESTS_S", PATIENCE_S)
    with running_hub(ScriptedSeats()) as url:
        where = ("127.0.0.1", int(url.rpartition(":")[2]))
        with socket.create_connection(where, PATIENCE_S):
            for source in ("127.0.0.1", "127.0.0.2"):
                other = socket.create_connection(where, PATIENCE_S, (source, 0))
                with other, contextlib.suppress(ConnectionError):
                    other.sendall(b"GET / HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n")
                    refused = b"503" in other.recv(12)
                    assert refused is (source == "127.0.0.1")


def test_messagepack_is_answered_with_an_error_and_the_end(url: str) -> None:
    with connected(url) as socket:
        client = HubSocket(socket)
        client.says({"protocol": "messagepack", "version": 1})

        assert "error" in client.next()
        assert client.next() is None


def test_a_frame_over_64_kb_closes_the_connection(url: str) -> None:
    with connected(url) as socket:
        client = HubSocket(socket)
        client.greets()
        client.calls("Register", GUID, "x" * 70_000)

        assert client.next() is None

    assert socket.close_code == 1009


def test_a_bot_registers_over_a_socket(url: str) -> None:
    call = {"type": 1, "target": "Register", "arguments": [GUID, "Baloo"], "invocationId": "0"}
    with connected(url, compression="deflate") as socket:
        client = HubSocket(socket)
        client.greets()
        client.says(call)

        assert client.event("Registered") == GUID
        assert client.next() == {"type": 3, "invocationId": "0"}
