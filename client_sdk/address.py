"""Where a server is: `http://host:port`, `ws://host:port/ws/play` or `host:port`."""

from __future__ import annotations

from typing import Literal
from urllib.parse import SplitResult, urlsplit

LOCAL = "http://127.0.0.1:8000"

_SOCKET = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_HTTP = {"ws": "http", "wss": "https", "http": "http", "https": "https"}


def socket_url(url: str, end: Literal["play", "watch"] = "play") -> str:
    """The websocket endpoint of the server that `url` names. Raises ValueError for a wrong one."""
    scheme, host, path = _parts(url)
    return f"{_SOCKET[scheme]}://{host}{path}/ws/{end}"


def http_url(url: str) -> str:
    """The root of the server that `url` names, without a slash at the end. Raises ValueError for
    what is no address."""
    scheme, host, path = _parts(url)
    return f"{_HTTP[scheme]}://{host}{path}"


def is_loopback(url: str) -> bool:
    """Whether the server runs on this machine. Raises ValueError for what is no address."""
    host = urlsplit(f"//{_parts(url)[1]}").hostname or ""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host with port, and the path that the whole server stands under."""
    split = urlsplit(url if "://" in url else f"http://{url}")
    if (
        split.scheme not in _HTTP
        or not split.hostname
        or split.username is not None
        or not _port_is_right(split)
    ):
        raise ValueError(f"expected an address such as {LOCAL} or ws://host/ws/play, got {url!r}")
    path = split.path.rstrip("/")
    for known in ("/ws/play", "/ws/watch", "/api/v1"):
        path = path.removesuffix(known)
    return split.scheme, split.netloc, path


def _port_is_right(split: SplitResult) -> bool:
    try:
        return split.port is None or split.port > 0
    except ValueError:
        return False
