"""The client's address and the URL it used, behind proxies that the operator named and gateways of
this server.

`X-Forwarded-For` has the address, `-Proto` and `-Host` the URL. These headers of any other peer are
ignored.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from secrets import compare_digest
from urllib.parse import urlsplit

from client_sdk.gateway import HEADER
from server.asgi import Scope

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

FORWARDED = (b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"forwarded")
GATEWAY_HEADER = HEADER.lower().encode()
SECURE = {"http": "https", "ws": "wss", "https": "https", "wss": "wss"}
PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
HOST = re.compile(r"[A-Za-z0-9._:\[\]-]+")
NO_ADDRESS = "unknown"
"""The client's address on a transport that has none."""


class Proxies:
    def __init__(self, named: str | None, gateway_secret: str = "") -> None:
        """`named`: addresses and networks with commas between. `gateway_secret`: what a gateway
        proves itself with; empty: there is none. Raises ValueError."""
        self._secret = gateway_secret.encode()
        parts = [] if named is None else [part.strip() for part in named.split(",") if part.strip()]
        self._networks: list[Network] = [ipaddress.ip_network(part, strict=False) for part in parts]

    def seen_through(self, scope: Scope) -> Scope:
        """The request as its client sent it, if a named proxy or a gateway brings it; else as it
        is."""
        peer = _parsed(address(scope))
        if not self._is_gateway(scope) and (peer is None or not self._named(peer)):
            return scope
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            if name in FORWARDED:
                parts = value.decode("latin-1").split(",")
                headers.setdefault(name, []).extend(part.strip() for part in parts)
        seen = dict(scope)
        if (client := self._client(headers.get(b"x-forwarded-for", []))) is not None:
            seen["client"] = (str(client), 0)
        if headers.get(b"x-forwarded-proto", [""])[-1].lower() in ("https", "wss"):
            seen["scheme"] = SECURE[scope["scheme"]]
        host = headers.get(b"x-forwarded-host", [""])[-1]
        if netloc(host, seen["scheme"]) is not None:
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            seen["headers"] = [(b"host", host.encode("latin-1")), *others]
        return seen

    def _is_gateway(self, scope: Scope) -> bool:
        given = dict(scope["headers"]).get(GATEWAY_HEADER, b"")
        return bool(self._secret) and compare_digest(given, self._secret)

    def trusts(self, address: str) -> bool:
        """Whether this is the address of a named proxy: many clients share its connections."""
        peer = _parsed(address)
        return peer is not None and self._named(peer)

    def _client(self, hops: Iterable[str]) -> Address | None:
        """The last hop that is not a named proxy. The client may have made up those before it."""
        last = None
        for hop in reversed(list(hops)):
            known = _parsed(hop)
            if known is None:
                break
            last = known
            if not self._named(known):
                break
        return last

    def _named(self, peer: Address) -> bool:
        return any(peer in network for network in self._networks)


def address(scope: Scope) -> str:
    """Where the request comes from."""
    client = scope.get("client")
    return NO_ADDRESS if client is None else str(_parsed(client[0]) or client[0])


def from_this_machine(scope: Scope) -> bool:
    """Whether it comes from this machine itself, and not through a proxy."""
    peer = _parsed(address(scope))
    forwarded = any(name in FORWARDED for name, _ in scope["headers"])
    return peer is not None and peer.is_loopback and not forwarded


def allowed_origin(
    scope: Scope, public_url: str | None, others: Iterable[str], front_port: int | None = None
) -> bool:
    """Whether the page that opens this socket, if it is a page, is the server's own or one that the
    operator allows. A bot names no origin. `front_port`: from there the server's pages come too."""
    headers = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
    origins = [value for name, value in headers if name == b"origin"]
    if not origins:
        return True
    if len(origins) > 1:
        return False
    asked = _origin(origins[0])
    if asked is None:
        return False
    own = next((netloc(value, scope["scheme"]) for name, value in headers if name == b"host"), None)
    pages = {_origin(page) for page in (*others, *([] if public_url is None else [public_url]))}
    if asked in pages:
        return True
    if own is None:
        return False
    scheme, (host, port) = SECURE_PAGE[scope["scheme"]], own
    return asked in ((scheme, host, port), (scheme, host, front_port))


SECURE_PAGE = {"ws": "http", "wss": "https"}
"""The scheme of the page whose own sockets have this one."""


def netloc(host: str, scheme: str) -> tuple[str, int] | None:
    """A host header as name and port; None: it is none."""
    if not HOST.fullmatch(host):
        return None
    try:
        parts = urlsplit(f"//{host}")
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None:
        return None
    return parts.hostname, PORTS[scheme] if port is None else port


def _origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None: no page of the web."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    place = netloc(parts.netloc, parts.scheme)
    return None if place is None else (parts.scheme, *place)


def _parsed(text: str) -> Address | None:
    try:
        known = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return known.ipv4_mapped or known if known.version == 6 else known
