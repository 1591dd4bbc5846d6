"""Where clients reach the processes of this server with their sockets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import URL

from client_sdk.address import is_loopback
from server.cluster.client import PeerClient
from server.cluster.peers import Peer
from server.errors import Refusal
from server.matches.hello import SocketRole
from server.settings import Settings

SocketUrl = Callable[[Request, SocketRole], str]


def socket_urls(settings: Settings) -> SocketUrl:
    """This very process, for the clients of a request: what the operator says; else what the
    request says, with this process's own port where several share one."""

    def url(request: Request, role: SocketRole) -> str:
        if settings.own_url is not None:
            return _socket_url(settings.own_url, role)
        if settings.front_port is not None:
            return _socket_url(str(request.base_url.replace(port=settings.port)), role)
        if settings.node is None:
            return _socket_url(str(request.base_url), role)
        own = Peer(settings.node, settings.peer_urls[settings.node])
        return _peer_url(settings, own, request.base_url, role)

    return url


@dataclass(frozen=True, slots=True)
class PeerUrls:
    """Where a client finds what another process has. `asked`: the URL that it came to, `role`: the
    socket that it opened."""

    others: PeerClient
    settings: Settings
    asked: URL
    role: SocketRole

    async def match(self, match: str) -> str | None:
        """None: no other process that answers has this match."""
        peer = self.others.peers.home(match)
        return self._url(peer) if peer is not None and await self.others.has(peer, match) else None

    async def seat(self, token: str) -> str | None:
        """None: no other process has the seat. Raises Refusal if that process does not answer."""
        peer = self.others.peers.home_of_seat(token)
        if peer is not None and not await self.others.reaches(peer):
            text = "the process that has this seat does not answer; try again soon"
            raise Refusal(503, "node_down", text)
        return None if peer is None else self._url(peer)

    def _url(self, peer: Peer) -> str:
        return _peer_url(self.settings, peer, self.asked, self.role)


def _peer_url(settings: Settings, peer: Peer, asked: URL, role: SocketRole) -> str:
    """What the operator says; else where the others reach it, which on this machine is the host
    that the client asked for."""
    base = settings.url_of(peer.name)
    if base is None and is_loopback(peer.url):
        here = asked.replace(port=urlsplit(peer.url).port)
        base = f"{'https' if asked.scheme in ('https', 'wss') else 'http'}://{here.netloc}"
    return _socket_url(peer.url if base is None else base, role)


def _socket_url(base: str, role: SocketRole) -> str:
    return "ws" + base.rstrip("/").removeprefix("http") + f"/ws/{role}"
