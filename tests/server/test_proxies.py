"""Behind a proxy: which peers are believed about a client's address, TLS, and which pages may open
a socket."""

from __future__ import annotations

import ssl
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
import websockets.sync.client as ws
from pydantic import ValidationError
from websockets.exceptions import InvalidStatus

from client_sdk.bot import house as house_bot
from client_sdk.run import play
from server.proxies import Proxies, address, allowed_origin, from_this_machine
from server.settings import Settings
from tests.server.live_server import PATIENCE_S, LiveServer, hosted
from tests.server.numbers import number
from tests.server.tls import terminating

NGINX = [
    ("X-Forwarded-For", "192.0.2.7"),
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-Host", "arena.example"),
]


def scope(client: str | None = "127.0.0.1", scheme: str = "http", **headers: str) -> dict[str, Any]:
    return {
        "client": None if client is None else (client, 50_000),
        "scheme": scheme,
        "headers": [
            (name.replace("_", "-").encode(), value.encode("latin-1"))
            for name, value in headers.items()
        ],
    }


def forwarded(
    named: str | None, client: str | None, *, scheme: str = "http", **headers: str
) -> tuple[str, str, str]:
    """Who asks, how, and for which host."""
    seen = Proxies(named).seen_through(scope(client, scheme, **({"host": "inside:8000"} | headers)))
    return address(seen), seen["scheme"], dict(seen["headers"])[b"host"].decode()


# --- who is believed


def test_a_named_proxy_gives_the_clients_address_and_scheme():
    headers = {
        "x_forwarded_for": "192.0.2.7",
        "x_forwarded_proto": "https",
        "x_forwarded_host": "arena.example",
    }

    assert forwarded("10.0.0.0/8", "10.1.2.3", **headers) == ("192.0.2.7", "https", "arena.example")
    assert forwarded("10.0.0.0/8", "10.1.2.3", scheme="ws", **headers) == (
        "192.0.2.7",
        "wss",
        "arena.example",
    )


@pytest.mark.parametrize("named", [None, "", "192.0.2.0/24", "::1"])
def test_other_peers_are_not_believed(named: str | None):
    headers = {
        "x_forwarded_for": "192.0.2.7",
        "x_forwarded_proto": "https",
        "x_forwarded_host": "arena.example",
    }

    assert forwarded(named, "127.0.0.1", **headers) == ("127.0.0.1", "http", "inside:8000")


@pytest.mark.parametrize(
    ("hops", "who"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("203.0.113.9, 192.0.2.7", "192.0.2.7"),
        ("203.0.113.9, 192.0.2.7, 10.0.0.2", "192.0.2.7"),
        ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("192.0.2.7, nonsense", "10.0.0.1"),
        ("nonsense, 10.0.0.2", "10.0.0.2"),
        ("", "10.0.0.1"),
        ("2001:db8::5", "2001:db8::5"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_of_many_hops_the_last_that_is_no_proxy_counts(hops: str, who: str):
    """Everything before it was invented by the client."""
    assert forwarded("10.0.0.0/8", "10.0.0.1", x_forwarded_for=hops)[0] == who


@pytest.mark.parametrize(
    "host",
    ["", "two words", "user@arena.example", "arena.example/path", "arena.example:port", "[::1"],
)
def test_an_invalid_forwarded_host_is_ignored(host: str):
    assert forwarded("127.0.0.1", "127.0.0.1", x_forwarded_host=host)[2] == "inside:8000"


def test_a_peer_without_an_address_has_no_name():
    assert forwarded("0.0.0.0/0", None, x_forwarded_for="192.0.2.7")[0] == "unknown"
    assert not from_this_machine(scope(None))


def test_invalid_proxies_are_refused_at_the_start():
    with pytest.raises(ValidationError, match="proxies"):
        Settings(proxies="my proxy")


def test_limits_count_the_client_behind_a_named_proxy(tmp_path):
    with hosted(tmp_path, connections_per_address=1, proxies="127.0.0.0/8") as live_server:
        live_server.socket(additional_headers={"X-Forwarded-For": "192.0.2.1"})
        live_server.socket(additional_headers={"X-Forwarded-For": "192.0.2.2"})
        with pytest.raises(InvalidStatus, match="429"):
            live_server.socket(additional_headers={"X-Forwarded-For": "192.0.2.1"})


def test_an_invented_address_gains_nothing(tmp_path):
    with hosted(tmp_path, connections_per_address=1) as live_server:
        live_server.socket(additional_headers={"X-Forwarded-For": "192.0.2.1"})
        with pytest.raises(InvalidStatus, match="429"):
            live_server.socket(additional_headers={"X-Forwarded-For": "192.0.2.2"})


def url_of_a_seat(live_server: LiveServer) -> str:
    """The address at which a seat connects, for a request through a proxy."""
    joined = live_server.http.post(
        "/api/v1/lobbies/new/join", json={"name": "me", "game": "duel"}, headers=dict(NGINX)
    )
    return joined.json()["url"]


def test_a_seat_gets_the_public_address(tmp_path):
    with hosted(tmp_path / "a", public_url="https://club.example/") as live_server:
        assert url_of_a_seat(live_server) == "wss://club.example/ws/play"
    with hosted(tmp_path / "b", proxies="127.0.0.1") as live_server:
        assert url_of_a_seat(live_server) == "wss://arena.example/ws/play"
    with hosted(tmp_path / "c") as live_server:
        assert url_of_a_seat(live_server) == f"ws{live_server.url.removeprefix('http')}/ws/play"


# --- TLS


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[trustme.CA, Path]:
    ca = trustme.CA()
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    ca.cert_pem.write_to_path(str(path))
    return ca, path


def test_bots_play_over_tls_through_a_proxy(tmp_path, authority, monkeypatch: pytest.MonkeyPatch):
    ca, path = authority
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    with (
        hosted(tmp_path, proxies="127.0.0.1") as live_server,
        terminating(ca, live_server.url) as url,
    ):
        with httpx.Client(
            base_url=url,
            verify=ssl.create_default_context(),
            trust_env=False,
            timeout=PATIENCE_S,
        ) as http:
            lobby = http.post(
                "/api/v1/lobbies", json={"game": "pyrat", "config": {"preset": "tiny"}}
            ).json()["lobby"]
            seats = [
                http.post(f"/api/v1/lobbies/{lobby}/join", json={"name": "bot"}).json()
                for _ in range(2)
            ]
        assert [seat["url"] for seat in seats] == [f"wss{url.removeprefix('https')}/ws/play"] * 2
        bots = [
            threading.Thread(target=play, args=(house_bot("pyrat", "greedy"), s["url"], s["token"]))
            for s in seats
        ]
        for bot in bots:
            bot.start()
        result = live_server.over(lobby)
        for bot in bots:
            bot.join(PATIENCE_S)

        assert [seat["absences"] + seat["timeouts"] for seat in result["seats"]] == [0, 0]
        assert live_server.verified(lobby).kind == "ok"


def test_an_unknown_certificate_authority_ends_the_connection(tmp_path, authority):
    ca, _ = authority
    with (
        hosted(tmp_path) as live_server,
        terminating(ca, live_server.url) as url,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        ws.connect(f"wss{url.removeprefix('https')}/ws/play", proxy=None)


# --- pages


@pytest.mark.parametrize(
    ("origin", "public_url", "let_in"),
    [
        ("http://arena.example:8000", None, True),
        ("http://ARENA.example:8000", None, True),
        ("https://arena.example:8000", None, False),
        ("http://arena.example", None, False),
        ("http://evil.example", None, False),
        ("https://club.example", None, False),
        ("https://club.example", "https://club.example", True),
        ("https://club.example:443", "https://club.example/", True),
        ("http://club.example", "https://club.example", False),
        ("https://friends.example", "https://club.example", True),
        ("null", None, False),
        ("", None, False),
        ("http://", None, False),
        ("http://[", None, False),
        ("file:///etc/passwd", None, False),
    ],
)
def test_only_our_pages_can_open_a_socket(origin: str, public_url: str | None, let_in: bool):
    asked = scope(scheme="ws", host="arena.example:8000", origin=origin)

    assert allowed_origin(asked, public_url, ["https://friends.example"]) is let_in


def test_a_bot_without_an_origin_is_accepted():
    assert allowed_origin(scope(scheme="ws", host="arena.example"), "https://club.example", [])


def test_another_origin_is_refused_and_the_servers_own_is_not(tmp_path):
    with hosted(tmp_path, origins="https://friends.example") as live_server:
        with pytest.raises(InvalidStatus) as refused:
            live_server.socket(origin="http://evil.example")

        assert refused.value.response.status_code == 403
        assert b"bad_origin" in refused.value.response.body
        assert number(live_server, "botarena_connections_refused_total", code="bad_origin") == 1
        live_server.socket(origin=live_server.url)
        live_server.socket(origin="https://friends.example")
        live_server.socket()


# --- the documents


def test_the_documented_proxies_send_what_the_server_reads():
    """The braces of both files close, and nginx sets what it has to, for it sends nothing
    unasked."""
    text = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    nginx, caddy = (
        text.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("nginx", "caddy")
    )

    for block in (nginx, caddy):
        assert block.count("{") == block.count("}") > 0
        assert "127.0.0.1:8000" in block
    lines = [
        line.split() for line in nginx.splitlines() if "{" not in line and "}" not in line and line
    ]
    assert all(line[-1].endswith(";") for line in lines)
    set_headers = {line[1]: line[2].rstrip(";") for line in lines if line[0] == "proxy_set_header"}
    assert set_headers == {
        "Upgrade": "$http_upgrade",
        "Connection": '"upgrade"',
        "Host": "$host",
        "X-Forwarded-For": "$remote_addr",
        "X-Forwarded-Proto": "$scheme",
    }
