"""A seat in any lobby of a game (`*`): one process decides, so that two bots that want one at the
same time find each other."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request

from games.core.contract import Json
from server.cluster.client import FORWARDED, PeerClient, Unreachable
from server.cluster.peers import Peer
from server.errors import Refusal


@dataclass(frozen=True, slots=True)
class AnySeat:
    """`body`: of the request to join, which asks for a seat of this game."""

    client: PeerClient
    game: str
    body: Json
    request: Request

    async def decided(self) -> Json | None:
        """The seat, if another process decides about this game; None: this one does. Raises
        Refusal."""
        peers = self.client.peers
        if peers.alone or self.request.scope.get(FORWARDED):
            return None
        for peer in peers.order(self.game):
            if peer is None:
                return None
            try:
                status, answer = await self._ask(peer, "*")
            except Unreachable:
                continue
            if status >= 400:
                body = {name: answer[name] for name in ("code", "text", "field", "allowed")}
                raise Refusal(status, **body)
            return answer
        return None

    async def seat(self) -> Json | None:
        """In the oldest open lobby of another process; None: there is none."""
        path = f"/api/v1/lobbies?state=open&game={self.game}"
        lists = await self.client.each("GET", path, self.request)
        open_ = [(lobby, peer) for peer, lobbies in lists for lobby in lobbies if _is_open(lobby)]
        for lobby, peer in sorted(open_, key=lambda one: (one[0]["created_ms"], one[0]["lobby"])):
            if (answer := await self._join(peer, lobby["lobby"])) is not None:
                return answer
        return None

    async def new_seat(self) -> Json | None:
        """In a new lobby, which each process makes in its turn; None: it is this one's turn."""
        peer = self.client.peers.in_turn()
        return None if peer is None else await self._join(peer, "new")

    async def _join(self, peer: Peer, lobby: str) -> Json | None:
        try:
            status, answer = await self._ask(peer, lobby)
        except Unreachable:
            return None
        return answer if status == 201 else None

    async def _ask(self, peer: Peer, lobby: str) -> tuple[int, Json]:
        """Raises Refusal, Unreachable."""
        path = f"/api/v1/lobbies/{lobby}/join"
        return await self.client.ask(peer, "POST", path, self.request.scope, self.body)


def _is_open(lobby: Json) -> bool:
    return not lobby["password"] and any(not seat["taken"] for seat in lobby["seats"])
