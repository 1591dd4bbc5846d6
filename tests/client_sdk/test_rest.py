"""The REST side, against answers as a server gives them."""

import json

import httpx
import pytest

from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.rest import RestClient


def rest(answer, asked=None, key=None):
    def handle(request):
        if asked is not None:
            asked.append(request)
        return answer(request) if callable(answer) else answer

    return RestClient("ws://127.0.0.1:1/ws/play", key=key, transport=httpx.MockTransport(handle))


def ok(body=None):
    return httpx.Response(200, json={} if body is None else body)


CALLS = [
    (lambda r: r.health(), "GET", "/healthz", None),
    (lambda r: r.games(), "GET", "/api/v1/games", None),
    (lambda r: r.game("pyrat"), "GET", "/api/v1/games/pyrat", None),
    (lambda r: r.maps("pyrat"), "GET", "/api/v1/maps?game=pyrat", None),
    (lambda r: r.maps(), "GET", "/api/v1/maps", None),
    (lambda r: r.bots("pyrat"), "GET", "/api/v1/bots?game=pyrat", None),
    (lambda r: r.schemas(), "GET", "/api/v1/schemas", None),
    (lambda r: r.lobbies("pyrat", "open"), "GET", "/api/v1/lobbies?game=pyrat&state=open", None),
    (lambda r: r.lobby("p/7"), "GET", "/api/v1/lobbies/p%2F7", None),
    (lambda r: r.create("pyrat", seed=7), "POST", "/api/v1/lobbies", {"game": "pyrat", "seed": 7}),
    (
        lambda r: r.join("*", "pyrat", "mine"),
        "POST",
        "/api/v1/lobbies/*/join",
        {"game": "pyrat", "name": "mine", "kind": "bot", "seat": None, "invite": None},
    ),
    (
        lambda r: r.join("p7", "pyrat", "mine", password="xyzzy"),
        "POST",
        "/api/v1/lobbies/p7/join",
        {
            "game": "pyrat",
            "name": "mine",
            "kind": "bot",
            "seat": None,
            "invite": None,
            "password": "xyzzy",
        },
    ),
    (lambda r: r.sign_up("mine"), "POST", "/api/v1/accounts", {"name": "mine", "kind": "bot"}),
    (lambda r: r.account(), "GET", "/api/v1/accounts/me", None),
    (lambda r: r.all_matches(), "GET", "/api/v1/admin/matches", None),
    (lambda r: r.abort("p7", "fire"), "POST", "/api/v1/admin/matches/p7/abort", {"reason": "fire"}),
    (lambda r: r.drain(), "POST", "/api/v1/admin/drain", None),
    (lambda r: r.drain(on=False), "DELETE", "/api/v1/admin/drain", None),
    (lambda r: r.draining(), "GET", "/api/v1/admin/drain", None),
    (lambda r: r.actions(), "GET", "/api/v1/admin/actions", None),
    (
        lambda r: r.add_bot("p7", "greedy", "o_1"),
        "POST",
        "/api/v1/lobbies/p7/bots",
        {"bot": "greedy", "seat": None},
    ),
    (lambda r: r.start("p7", "o_1"), "POST", "/api/v1/lobbies/p7/start", None),
    (lambda r: r.leave("p7", "s_1"), "POST", "/api/v1/lobbies/p7/leave", None),
    (lambda r: r.matches(), "GET", "/api/v1/matches", None),
    (lambda r: r.match("p7"), "GET", "/api/v1/matches/p7", None),
    (lambda r: r.replays(), "GET", "/api/v1/replays", None),
]


@pytest.mark.parametrize(
    ("call", "method", "path", "body"),
    CALLS,
    ids=[f"{method} {path}" for _, method, path, _ in CALLS],
)
def test_every_call_sends_the_documented_request(call, method, path, body):
    asked = []
    with rest(ok({"a": 1}), asked) as server:
        assert call(server) == {"a": 1}

    (request,) = asked
    assert (method, path) == (request.method, request.url.raw_path.decode())
    assert body == (json.loads(request.content) if request.content else None)


def test_records_are_returned_as_text():
    text = '{"k":"match"}\n'
    with rest(httpx.Response(200, text=text)) as server:
        assert (
            text == server.journal("p7") == server.replay("p7") == server.map_text("pyrat", "tiny")
        )


def test_a_key_is_sent_unless_a_lobbys_token_is():
    asked = []
    with rest(ok(), asked, key="k_mine") as server:
        server.join("*", "pyrat", "mine")
        server.start("p7", "o_secret")

    assert [request.headers["Authorization"] for request in asked] == [
        "Bearer k_mine",
        "Bearer o_secret",
    ]


def test_a_token_is_sent_in_a_header_and_never_in_the_url():
    asked = []
    with rest(ok(), asked) as server:
        server.start("p7", "o_secret")

    assert asked[0].headers["Authorization"] == "Bearer o_secret"
    assert "o_secret" not in str(asked[0].url)


def test_a_repeated_call_can_have_an_idempotency_key():
    asked = []
    with rest(ok(), asked) as server:
        server.create("pyrat", key="once")

    assert asked[0].headers["Idempotency-Key"] == "once"


def test_a_refusal_has_code_text_field_and_allowed_values():
    error = {
        "code": "bad_choice",
        "text": "expected one of lenient, strict",
        "field": "faults",
        "allowed": ["lenient", "strict"],
    }
    with rest(httpx.Response(422, json=error)) as server, pytest.raises(ServerRefused) as refused:
        server.create("pyrat")

    fault = refused.value
    assert (
        fault.code,
        fault.text,
        fault.field,
        fault.allowed,
        fault.retry,
    ) == ("bad_choice", "expected one of lenient, strict", "faults", ["lenient", "strict"], False)


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(502, text="<html>"), httpx.Response(404, json=["?"]), httpx.Response(500)],
)
def test_an_unknown_error_is_reported_with_its_status(answer):
    with (
        rest(answer) as server,
        pytest.raises(ServerRefused, match=f"HTTP status {answer.status_code}"),
    ):
        server.games()


def test_html_instead_of_json_is_reported():
    with (
        rest(httpx.Response(200, text="<html>")) as server,
        pytest.raises(ServerRefused, match="without JSON"),
    ):
        server.games()


@pytest.mark.parametrize(
    "call",
    [
        lambda r: r.lobby("x" * 70_000),
        lambda r: r.lobbies("\udcff"),
        lambda r: r.create("pyrat", name="\udcff"),
        lambda r: r.create("pyrat", config={"speed": float("nan")}),
        lambda r: r.abort("p7", "\udcff"),
        lambda r: RestClient("http://127.0.0.1:1", key="k_\u043a").account(),
        lambda r: RestClient("http://xn--/").health(),
    ],
)
def test_what_no_request_can_hold_is_refused_with_the_reason(call):
    with pytest.raises(ServerRefused, match="this holds what no request can") as refused:
        call(rest(ok()))
    assert refused.value.code == "no_request"
    assert not refused.value.retry


def test_a_name_that_no_encoding_can_hold_is_one_that_is_not_there():
    asked = []
    rest(ok(), asked).lobby("caf\udce9")
    assert asked[0].url.raw_path == b"/api/v1/lobbies/caf%3F"


def test_an_unreachable_server_is_reported():
    def broken(request):
        raise httpx.ConnectError("no route")

    with rest(broken) as server, pytest.raises(ConnectionLost, match="cannot be reached"):
        server.games()
