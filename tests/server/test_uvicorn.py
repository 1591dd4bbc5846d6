"""What we need of uvicorn that it does not document. pyproject.toml keeps uvicorn below the next
minor version; when one is allowed, each failure here says what has changed."""

from __future__ import annotations

import asyncio
import inspect
import re
from importlib.metadata import version

import pytest
from uvicorn import Config, Server
from uvicorn.protocols.http import h11_impl, httptools_impl
from uvicorn.server import ServerState

from server.net.http_connections import FastParser

METHODS = {
    "httptools_impl.HttpToolsProtocol": {
        "__init__": "self, config, server_state, app_state, _loop",
        "connection_made": "self, transport",
        "connection_lost": "self, exc",
        "data_received": "self, data",
        "resume_writing": "self",
        "handle_websocket_upgrade": "self",
        "timeout_keep_alive_handler": "self",
        "on_headers_complete": "self",
        "on_message_complete": "self",
        "_should_upgrade": "self",
        "_start_asgi_task": "self, cycle, app",
    },
    "h11_impl.H11Protocol": {
        "__init__": "self, config, server_state, app_state, _loop",
        "connection_made": "self, transport",
        "connection_lost": "self, exc",
        "data_received": "self, data",
        "resume_writing": "self",
        "handle_websocket_upgrade": "self, event",
        "timeout_keep_alive_handler": "self",
    },
    "Server": {
        "startup": "self, sockets",
        "on_tick": "self, counter",
        "handle_exit": "self, sig, frame",
        "shutdown": "self, sockets",
        "capture_signals": "self",
    },
}
"""What server/net/http_connections.py and server/cli.py override, with the parameters."""

CLASSES = {
    "httptools_impl.HttpToolsProtocol": httptools_impl.HttpToolsProtocol,
    "h11_impl.H11Protocol": h11_impl.H11Protocol,
    "Server": Server,
}
HTTP = [httptools_impl.HttpToolsProtocol, h11_impl.H11Protocol]

ATTRIBUTES = ("transport", "client", "cycle", "timeout_keep_alive_task")
"""What server/net/http_connections.py reads of a connection over HTTP."""
OF_A_CYCLE = ("disconnected", "message_event", "response_started", "response_complete", "more_body")
"""What it reads, and in part sets, of the request that is answered."""
OF_A_REQUEST = ("url", "headers")
"""What it reads of the head that the fast parser has read."""
PARSER = {"feed_data", "should_upgrade", "should_keep_alive", "get_method", "get_http_version"}
"""What uvicorn calls of the fast parser, for which ours stands."""
OF_A_SERVER = ("started", "should_exit", "force_exit", "server_state")
"""What server/cli.py reads and sets."""


def changed(what: str) -> str:
    return (
        f"uvicorn {version('uvicorn')}: {what}; see server/net/http_connections.py, "
        "server/net/websocket.py and server/cli.py"
    )


def connection(http):
    config = Config(print, loop="asyncio", ws="none", log_config=None)
    config.load()
    return http(config, ServerState(), {})


@pytest.mark.parametrize(
    ("name", "method"), [(name, method) for name, methods in METHODS.items() for method in methods]
)
def test_overridden_methods_have_the_expected_parameters(name, method):
    found = getattr(CLASSES[name], method, None)
    assert found is not None, changed(f"{name} has no method {method} any more")
    parameters = ", ".join(inspect.signature(found).parameters)
    assert METHODS[name][method] == parameters, changed(
        f"{name}.{method} takes ({parameters}), not ({METHODS[name][method]})"
    )


@pytest.mark.parametrize("http", HTTP)
async def test_an_http_connection_has_the_attributes_that_we_read(http):
    made = connection(http)
    for name in ATTRIBUTES:
        assert hasattr(made, name), changed(
            f"{type(made).__name__} has no attribute {name} any more"
        )


@pytest.mark.parametrize("http", HTTP)
def test_an_answered_request_has_the_attributes_that_we_read(http):
    source = inspect.getsource(inspect.getmodule(http).RequestResponseCycle.__init__)
    for name in OF_A_CYCLE:
        assert f"self.{name}" in source, changed(
            f"the RequestResponseCycle of {http.__name__} sets no {name} any more"
        )


async def test_the_fast_parser_has_the_methods_that_uvicorn_calls():
    source = inspect.getsource(httptools_impl)
    called = set(re.findall(r"self\.parser\.(\w+)\(", source)) - {"set_dangerous_leniencies"}
    assert called == PARSER, changed(f"it calls {called} of its parser")
    assert all(hasattr(FastParser, name) for name in called)
    assert "set_dangerous_leniencies(lenient_data_after_close=True)" in source
    made = connection(httptools_impl.HttpToolsProtocol)
    made.on_message_begin()
    assert all(hasattr(made, name) for name in OF_A_REQUEST)


def test_a_server_has_the_attributes_that_we_use():
    server = Server(Config(print, log_config=None))
    for name in OF_A_SERVER:
        assert hasattr(server, name), changed(f"Server has no attribute {name} any more")
    assert "self.servers" in inspect.getsource(Server.startup), changed(
        "Server.startup sets no servers any more"
    )
    assert "sleep(0.1)" in inspect.getsource(Server.main_loop), changed(
        "Server.main_loop does not tick ten times a second"
    )


class Upgraded(asyncio.Protocol):
    """A websocket protocol that writes down how it is made and called."""

    calls: list[object]

    def __init__(self, **given: object) -> None:
        Upgraded.calls = [sorted(given), given["server_state"]]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        Upgraded.calls.append("connection_made")

    def data_received(self, data: bytes) -> None:
        Upgraded.calls.append(data)


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.protocol: object = None

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def pause_reading(self) -> None: ...


@pytest.mark.parametrize("http", HTTP)
async def test_an_upgrade_creates_our_protocol_and_passes_transport_and_head(http):
    made = connection(http)
    made.ws_protocol_class = Upgraded
    transport = Transport()
    made.connection_made(transport)
    made.data_received(
        b"GET /ws/play HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
    )

    given, state, call, head = Upgraded.calls
    assert given == ["app_state", "config", "server_state"], changed(
        f"a websocket protocol is made with {given}"
    )
    assert isinstance(state, ServerState), changed(
        "a websocket protocol gets no ServerState any more"
    )
    assert state.connections == set(), changed(
        "the connection over HTTP stays among the server's connections"
    )
    assert call == "connection_made", changed(
        "a websocket protocol does not get its transport first"
    )
    assert isinstance(head, bytes), changed("a websocket protocol does not get the request's head")
    assert head.startswith(b"GET /ws/play HTTP/1.1\r\n"), changed(
        f"a websocket protocol gets {head!r} for the request's head"
    )
    assert isinstance(transport.protocol, Upgraded), changed(
        "the transport does not get the websocket protocol"
    )


def test_a_shutdown_calls_every_connection():
    source = inspect.getsource(Server.shutdown)
    assert "connection.shutdown()" in source, changed(
        "Server.shutdown does not call shutdown() of every connection any more"
    )
