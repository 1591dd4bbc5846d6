"""What the sessions of one server share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from client_sdk.running import RunningTime
from games.core.contract import Seat
from server.accounts.authentication import Authenticator
from server.matches.archive import Archive
from server.matches.lobby import Lobby
from server.metrics import Metrics
from server.net.limits import Crowd, Rates
from server.settings import Settings


class MatchLookup(Protocol):
    """Finds the lobby or match with an id. See `server.lobbies.lobbies`."""

    def get(self, id_: str) -> Lobby | None: ...

    def to_be_resumed(
        self, *, match: str | None = None, token: str | None = None
    ) -> asyncio.Event | None: ...


class TokenLookup(Protocol):
    """Finds what a token is for. See `server.lobbies.tokens`."""

    def seat(self, token: str) -> tuple[Lobby, Seat] | None: ...

    def opens_something_else(self, token: str) -> bool: ...

    def ended_before(self, token: str) -> str | None: ...


class RemoteLookup(Protocol):
    """Where a client finds what another process of the server has. See `server.routes.urls`."""

    async def match(self, match: str) -> str | None:
        """None: no other process that answers has this match."""

    async def seat(self, token: str) -> str | None:
        """None: no other process has the seat. Raises Refusal if that process does not answer."""


@dataclass(frozen=True, slots=True)
class SessionContext:
    lobbies: MatchLookup
    tokens: TokenLookup
    archive: Archive
    settings: Settings
    server: str
    """The name that the server gives itself."""
    crowd: Crowd
    rates: Rates
    metrics: Metrics
    running: RunningTime
    authenticator: Authenticator
    questions: set[asyncio.Task[None]] = field(default_factory=set)
    """Those that sessions have for the store."""

    def ask(self, question: Coroutine[Any, Any, None]) -> None:
        """Start a question. It goes on when its session ends: a driver that is stopped in the
        middle of one may keep the database locked."""
        task = asyncio.get_running_loop().create_task(question)
        self.questions.add(task)
        task.add_done_callback(self.questions.discard)
