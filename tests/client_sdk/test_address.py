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
def test_every_form_of_an_address_names_the_same_server(url):
    assert socket_url(url) == "ws://127.0.0.1:8000/ws/play"
    assert socket_url(url, "watch") == "ws://127.0.0.1:8000/ws/watch"
    assert http_url(url) == "http://127.0.0.1:8000"


def test_tls_and_a_prefix_are_kept():
    assert socket_url("https://arena.example/club") == "wss://arena.example/club/ws/play"
    assert http_url("wss://arena.example/club/ws/play") == "https://arena.example/club"


@pytest.mark.parametrize("url", ["", "ftp://host", "http://", "http://me:secret@host", "mailto:x"])
def test_an_invalid_address_is_refused(url):
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
def test_local_addresses_are_recognised(url, here):
    assert here == is_loopback(url)
