"""One server, many ways to name it."""

import pytest

from client_sdk.address import http_url, is_loopback, socket_url


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000",
        "http://127.0.0.1:8000/",
        "ws://127.0.0.1:8000",
        "ws://127.0.0.1:8000/ws/play",
        "ws://127.0.0.1:8000/ws/watch",
        "http://127.0.0.1:8000/api/v1",
        "127.0.0.1:8000",
    ],
)
def test_every_way_names_the_same_server(url):
    assert socket_url(url) == "ws://127.0.0.1:8000/ws/play"
    assert socket_url(url, "watch") == "ws://127.0.0.1:8000/ws/watch"
    assert http_url(url) == "http://127.0.0.1:8000"


def test_a_secure_server_stays_secure_and_a_prefix_is_kept():
    assert socket_url("https://arena.example/club") == "wss://arena.example/club/ws/play"
    assert http_url("wss://arena.example/club/ws/play") == "https://arena.example/club"


@pytest.mark.parametrize("url", ["", "ftp://host", "http://", "http://me:secret@host", "mailto:x"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match="expected an address"):
        socket_url(url)


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:1", True),
        ("ws://127.0.0.2", True),
        ("http://[::1]:8000", True),
        ("https://arena.example", False),
    ],
)
def test_this_machine_is_known(url, here):
    assert here == is_loopback(url)
