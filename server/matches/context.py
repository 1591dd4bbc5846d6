"""What the sessions of one server share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from client_sdk.running import RunningTime
from games.core.contract import Seat
from server.accounts.gate import Gate
from server.limits import Crowd, Rates
from server.matches.archive import Archive
from server.matches.room import Room
from server.metrics import Metrics
from server.settings import Settings
from server.store.nodes import Node


class MatchLookup(Protocol):
    """Finds the lobby or match with an id. See `server.lobbies.lobbies`."""

    def get(self, id_: str) -> Room | None: ...

    def to_be_resumed(self, *, match: str | None = None, token: str | None = None) -> asyncio.Event | None: ...


class TokenLookup(Protocol):
    """Finds what a token is for. See `server.lobbies.tokens`."""

    def seat(self, token: str) -> tuple[Room, Seat] | None: ...

    async def seat_elsewhere(self, token: str, address: str) -> str | None: ...

    def opens_something_else(self, token: str) -> bool: ...

    def ended_before(self, token: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class SessionContext:
    lobbies: MatchLookup
    tokens: TokenLookup
    archive: Archive
    node_of: Callable[[str], Awaitable[Node | None]]
    """Another node that lives and has this lobby. Raises SQLAlchemyError."""
    settings: Settings
    server: str
    """The name that the server gives itself."""
    crowd: Crowd
    rates: Rates
    metrics: Metrics
    running: RunningTime
    gate: Gate
    questions: set[asyncio.Task[None]] = field(default_factory=set)
    """Those that sessions have for the store."""

    def ask(self, question: Coroutine[Any, Any, None]) -> None:
        """Start a question. It goes on when its session ends: a driver that is stopped in the middle of one may keep the database
        locked."""
        task = asyncio.get_running_loop().create_task(question)
        self.questions.add(task)
        task.add_done_callback(self.questions.discard)
