"""Requests about what another process has are forwarded to it, once: that one answers what arrives.

Websockets are never forwarded: answers name the address of the process that plays the match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Literal

import structlog
from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

from server.asgi import App, Message, Receive, Scope, Send
from server.cluster.client import ANSWER_S, FORWARDED, PeerClient, Unreachable
from server.cluster.leader import Leader
from server.cluster.peers import Peer
from server.errors import Refusal
from server.net.disconnect import ClientGone, while_connected
from server.tokens import is_id

if TYPE_CHECKING:
    import httpx

Subject = tuple[Literal["new", "key", "leader", "lobby", "match", "record"], str]
"""What a request is about: a new lobby, a key that stands for one, what the leader does, or a lobby
(an id or a name), a match or its record."""
WAIT_S = 30.0
"""How long the leader may take: a bot's request for invitations waits for the next one."""
OURS = ("connection", "transfer-encoding", "date", "keep-alive")
"""Headers that each process writes itself."""

_log = structlog.get_logger()


class CutShort(Exception):
    """The peer broke off the body of its answer."""


class Forwarder:
    """An ASGI application around one (`app`) that answers what this process has.

    `subject` reads what a request is about. `here(lobby)`: whether this process has it.
    `keeps(match)`: whether its record, which is over, can be read here. `front_port`: the port that
    all processes of this machine share."""

    def __init__(
        self,
        app: App,
        client: PeerClient,
        leader: Leader,
        *,
        subject: Callable[[Scope], Subject | None],
        here: Callable[[str], bool],
        keeps: Callable[[str], Awaitable[bool]],
        front_port: int | None,
    ) -> None:
        self._app = app
        self._client = client
        self._peers = client.peers
        self._leader = leader
        self._subject = subject
        self._here = here
        self._keeps = keeps
        self._front_port = front_port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises Refusal."""
        subject = None if self._peers.alone or scope.get(FORWARDED) else self._subject(scope)
        peer = None if subject is None else await self._peer(subject, scope)
        if subject is None or peer is None:
            await self._app(scope, receive, send)
            return
        try:
            body = await _body(receive)
            try:
                found = await while_connected(receive, self._sent(subject, peer, scope, body))
            except Refusal as refusal:
                if not await self._answers_instead(subject, refusal):
                    raise
                await self._app(scope, _replayed(body, receive), send)
                return
            headers = {name: value for name, value in found.headers.items() if name not in OURS}
            await StreamingResponse(_parts(found), found.status_code, headers)(scope, receive, send)
        except ClientGone:
            return
        except CutShort as fault:  # so is ours: to end it would pass a part off as the whole
            _log.warning("a peer broke its answer off", node=peer.name, why=str(fault))

    async def _peer(self, subject: Subject, scope: Scope) -> Peer | None:
        """The process that has to answer; None: this one."""
        what, id_ = subject
        if what == "new":  # the system gives connections to the shared port to any process
            shared = scope["server"] is not None and scope["server"][1] == self._front_port
            return self._peers.in_turn() if shared else None
        if what == "key":
            return self._peers.order(id_)[0]
        if what == "leader":
            return None if self._leader.leads else self._peers.named(self._leader.name)
        if self._here(id_):
            return None
        if what == "lobby" and not is_id(id_):
            return await self._with_name(id_)
        return self._peers.home(id_)

    async def _with_name(self, name: str) -> Peer | None:
        """The process that has the oldest lobby of this name, a free seat first."""
        peers = self._peers.others
        found = await asyncio.gather(*[self._client.find(peer, name) for peer in peers])
        pairs = zip(peers, found, strict=True)
        known = [(peer, one[1]) for peer, one in pairs if one is not None and one[0] != 404]
        return min(known, key=lambda one: _age(one[1]), default=(None,))[0]

    async def _sent(self, about: Subject, peer: Peer, scope: Scope, body: bytes) -> httpx.Response:
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        path = (scope["raw_path"] + query).decode("latin-1")
        within_s = WAIT_S if about[0] == "leader" else ANSWER_S
        found = await self._client.send(peer, scope["method"], path, scope, body, within_s)
        if about[0] == "new" and found.status_code >= 500:
            await found.aclose()
            raise Unreachable(found.status_code, "node_down", "this process makes no lobbies now")
        return found

    async def _answers_instead(self, subject: Subject, refusal: Refusal) -> bool:
        """Whether this process answers as well, if its peer does not."""
        what, id_ = subject
        if what == "new":
            return isinstance(refusal, Unreachable)
        return what == "match" or (what == "record" and await self._keeps(id_))


def _age(lobby: dict[str, object]) -> tuple[bool, object]:
    seats = lobby.get("seats")
    full = not isinstance(seats, list) or all(seat["taken"] for seat in seats)
    return full, lobby.get("created_ms", 0)


async def _body(receive: Receive) -> bytes:
    """Raises ClientGone, Refusal."""
    parts = []
    while True:
        try:
            message = await receive()
        except HTTPException as fault:
            raise Refusal(fault.status_code, "too_big", "the body is too big") from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, then what comes."""
    read = False

    async def again() -> Message:
        nonlocal read
        if read:
            return await receive()
        read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _parts(found: httpx.Response) -> AsyncIterator[bytes]:
    """Raises CutShort."""
    import httpx

    try:
        async for part in found.aiter_raw():
            yield part
    except httpx.HTTPError as fault:
        raise CutShort(type(fault).__name__) from None
    finally:
        await found.aclose()
