"""What one process asks of another. A shared secret proves that a peer asks; the peer then believes
who the client is."""

from __future__ import annotations

import asyncio
import time
from secrets import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec
import structlog
from starlette.requests import Request

from games.core.contract import Json
from server.asgi import Scope
from server.cluster.peers import Peer, Peers
from server.errors import Refusal
from server.proxies import SECURE, address

if TYPE_CHECKING:
    import httpx

FORWARDED = "forwarded"
"""In the ASGI scope of a request that a peer has forwarded: it is answered where it arrives."""
SECRET = b"x-botarena-peer"
CLIENT, PROTO, HOST = b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"
KEPT = (
    b"authorization",
    b"content-type",
    b"accept",
    b"accept-encoding",
    b"idempotency-key",
    b"if-none-match",
)
"""The client's headers that a peer gets to read."""
CONNECT_S = 2.0
ANSWER_S = 15.0
"""How long a peer may take until it begins to answer."""
LIST_S = 3.0
"""A peer that does not answer within this time is left out of a list, and for as long afterwards.
It gets no request that would change something: if it is stopped, it would carry it out later."""
HEARD_S = 1.0
"""A peer that has answered this recently is not asked first whether it answers."""
POOLS = 32
"""httpx looks at all connections of a pool for each request: with 1,500 bots that waited for
invitations in one pool the loop was held up for seconds."""
KEPT_OPEN = 2
"""Connections of each pool that wait for their next request."""
_log = structlog.get_logger()


class Unreachable(Refusal):
    """The peer has not got the request."""


class PeerClient:
    """A process alone, as most servers are, starts without httpx. With peers all is made now and
    not at the first request to one, when clocks of matches run."""

    def __init__(self, peers: Peers) -> None:
        self._pools = [] if peers.alone else _pools()
        self.peers = peers
        self._secret = peers.secret.encode()
        self._turn = 0
        self._heard: dict[str, float] = {}
        """When each peer has answered last, by its name (monotonic, s)."""
        self._silent: dict[str, float] = {}
        """Until when a peer that did not answer counts as silent."""

    async def close(self) -> None:
        for pool in self._pools:
            await pool.aclose()

    async def send(
        self,
        peer: Peer,
        method: str,
        path: str,
        scope: Scope | None = None,
        body: bytes | None = None,
        within_s: float = ANSWER_S,
    ) -> httpx.Response:
        """What a peer answers, with its body still to be read. `path`: with the query, as in a
        request. `scope`: the request of the client that this is for. Raises Refusal if it does not
        answer, Unreachable if it cannot."""
        import httpx

        text = "the process that has this does not answer; try again soon"
        if method != "GET" and not await self.reaches(peer):
            raise Unreachable(503, "node_down", text)
        pool = self._pool()
        about = {SECRET: self._secret} | ({} if scope is None else _about(scope))
        timeout = httpx.Timeout(within_s, connect=CONNECT_S)
        request = pool.build_request(
            method, peer.url, content=body, headers=list(about.items()), timeout=timeout
        )
        # as it is: httpx would take `..` out of a URL, and another route would answer
        request.extensions["target"] = httpx.URL(peer.url).raw_path.rstrip(b"/") + path.encode()
        try:
            answer = await pool.send(request, stream=True)
        except httpx.HTTPError as fault:
            self._heard.pop(peer.name, None)
            _log.warning("a peer does not answer", node=peer.name, why=type(fault).__name__)
            unreachable = isinstance(fault, httpx.ConnectError | httpx.ConnectTimeout)
            kind = Unreachable if unreachable else Refusal
            raise kind(503, "node_down", text) from None
        self._heard[peer.name] = time.monotonic()
        return answer

    def _pool(self) -> httpx.AsyncClient:
        """Each in its turn."""
        self._turn = (self._turn + 1) % POOLS
        return self._pools[self._turn]

    async def ask(
        self, peer: Peer, method: str, path: str, scope: Scope | None = None, body: Json = None
    ) -> tuple[int, Json]:
        """Status and JSON. Raises Refusal, Unreachable as `send`."""
        import httpx

        encoded = None if body is None else msgspec.json.encode(body)
        answer = await self.send(peer, method, path, scope, encoded)
        try:
            return answer.status_code, msgspec.json.decode(await answer.aread())
        except (httpx.HTTPError, msgspec.MsgspecError):
            text = "the process that has this broke off its answer; try again soon"
            raise Refusal(503, "node_down", text) from None
        finally:
            await answer.aclose()

    async def reaches(self, peer: Peer) -> bool:
        """Whether it answers at all."""
        if time.monotonic() - self._heard.get(peer.name, -HEARD_S) < HEARD_S:
            return True
        return await self._within(peer, "GET", "/healthz") is not None

    async def has(self, peer: Peer, lobby: str) -> bool | None:
        """Whether it has a lobby or a running match of this id, or will have resumed it in a
        moment; None: it does not answer."""
        found = await self.find(peer, lobby)
        return None if found is None else found[0] != 404

    async def find(self, peer: Peer, lobby: str) -> tuple[int, Json] | None:
        """The peer's public status and body of a lobby, by id or name; None: it does not answer."""
        return await self._within(peer, "GET", f"/api/v1/lobbies/{quote(lobby, safe='')}")

    async def each(self, method: str, path: str, request: Request) -> list[tuple[Peer, Json]]:
        """What the other processes answer to this, without those that refuse or are too slow."""
        others = self.peers.others
        asking = [self._within(peer, method, path, request.scope) for peer in others]
        found = zip(others, await asyncio.gather(*asking), strict=True)
        return [(peer, one[1]) for peer, one in found if one is not None and one[0] < 300]

    async def all_of(self, method: str, path: str, request: Request) -> list[Json]:
        """The same without their names; empty for a request that came from a peer, which asks all
        of them itself."""
        if request.scope.get(FORWARDED):
            return []
        return [answer for _, answer in await self.each(method, path, request)]

    async def lists(self, path: str, request: Request) -> list[Json]:
        """The lists of all other processes as one."""
        return [entry for answer in await self.all_of("GET", path, request) for entry in answer]

    async def _within(
        self, peer: Peer, method: str, path: str, scope: Scope | None = None
    ) -> tuple[int, Json] | None:
        if time.monotonic() < self._silent.get(peer.name, 0.0):
            return None
        try:
            async with asyncio.timeout(LIST_S):
                return await self.ask(peer, method, path, scope)
        except TimeoutError:
            self._silent[peer.name] = time.monotonic() + LIST_S
        except Refusal:
            pass
        return None


def _pools() -> list[httpx.AsyncClient]:
    import httpx

    # requests that wait must not hold up others, so their number has no limit here: the process
    # that they came to limits it
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=KEPT_OPEN)
    tls = httpx.create_ssl_context(trust_env=False)
    return [httpx.AsyncClient(verify=tls, trust_env=False, limits=limits) for _ in range(POOLS)]


def from_peer(scope: Scope, secret: str) -> bool:
    """Whether another process of this server sends this request."""
    given = dict(scope["headers"]).get(SECRET, b"") if secret else b""
    return bool(secret) and compare_digest(given, secret.encode())


def received(scope: Scope, secret: str) -> Scope:
    """A request as its client sent it, if a peer forwards it; else as it is."""
    if not from_peer(scope, secret):
        return scope
    headers = dict(scope["headers"])
    others = [(name, value) for name, value in scope["headers"] if name not in (b"host", SECRET)]
    client = headers.get(CLIENT, b"").decode("latin-1")
    seen = dict(scope) | {FORWARDED: True, "client": (client, 0)}
    seen["headers"] = [(b"host", headers.get(HOST, b"")), *others]
    if headers.get(PROTO) == b"https":
        seen["scheme"] = SECURE[scope["scheme"]]
    return seen


def _about(scope: Scope) -> dict[bytes, bytes]:
    """The client, as a peer shall see it."""
    given = dict(scope["headers"])
    return {name: given[name].strip() for name in KEPT if name in given} | {
        CLIENT: address(scope).encode("latin-1"),
        PROTO: b"https" if scope["scheme"] in ("https", "wss") else b"http",
        HOST: given.get(b"host", b"").strip(),
    }
