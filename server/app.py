"""The composition root: the only place where the parts are wired together.

Nothing is global; two servers can live in one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import structlog
from fastapi import FastAPI

from client_sdk.bots import HOUSE
from client_sdk.wire.codes import LEAVING
from games import GAMES
from games.core.contract import AnyGame
from server.health import Health, disk_problem
from server.lobbies.bots import Catalogue, HouseBots
from server.lobbies.desk import Desk
from server.matches.clock import MS
from server.routes import errors, games, lobbies, matches, operations, pages, sockets
from server.settings import Settings

Json = Any

BODY_BYTES = 2 << 20
"""The largest request over HTTP: a board with all its walls fits many times."""
SYNC_MS = 1_000
"""A journal gets to the disk itself this often."""
DISK_MS = 1_000
"""The disk is tried this often."""


def house_bots() -> Catalogue:
    return {game: {name: bot.about for name, bot in bots.items()} for game, bots in HOUSE.items()}


def server_name() -> str:
    try:
        return f"botarena/{version('botarena')}"
    except PackageNotFoundError:
        return "botarena"


class Arena:
    """One server as an ASGI application. Its life is the lifespan: `stop` ends every match with its record."""

    def __init__(self, settings: Settings, play_games: Mapping[str, AnyGame], catalogue: Catalogue) -> None:
        """Raises OSError if the data directory cannot be used."""
        self.settings = settings
        local = f"ws://{_local(settings.host)}:{settings.port}/ws/play"
        self.health = Health()
        self.bots = HouseBots(catalogue, local, enabled=settings.house_bots)
        self.desk = Desk(settings, play_games, self.bots, settings.data_dir / "matches")
        self.sessions: sockets.Sockets = set()
        self._name = server_name()
        self._http = _http(self)
        self._log = structlog.get_logger()
        self._stopped = False

    async def __call__(self, scope: sockets.Scope, receive: sockets.Receive, send: sockets.Send) -> None:
        if scope["type"] == "websocket":
            await sockets.serve(scope, receive, send, self.desk, self.settings, self.sessions, self._name)
        elif scope["type"] == "http":
            await self._http(scope, _bounded(scope, receive), send)
        else:
            await self._http(scope, receive, send)

    async def stop(self) -> None:
        """End everything: no new matches, running ones a moment and then broken off, sockets told, house bots ended."""
        if self._stopped:
            return
        self._stopped = True
        self.health.report("draining", "leaving: the server is going away")
        self._log.info("stopping")
        await self.desk.stop(self.settings.drain_ms)
        for session in list(self.sessions):
            session.leave(LEAVING)

    async def heartbeat(self) -> None:
        """A counted ping to every client, and an end to those of which nothing is heard any more."""
        while True:
            await asyncio.sleep(self.settings.ping_ms / 1000)
            quiet = time.monotonic_ns() - self.settings.quiet_ms * MS
            for session in list(self.sessions):
                client, room = session.client, session.room
                if client is None or room is None:
                    continue
                client.ping()
                if session.connection.received < quiet and not room.thinks(client):
                    self._log.info("gone quiet", match=room.id, seat=client.seat)
                    session.connection.drop()

    async def watch_the_disk(self) -> None:
        """Whether there is room for what is written, off the loop."""
        settings = self.settings
        while True:
            self.health.report("disk", await asyncio.to_thread(disk_problem, settings.data_dir, settings.min_free_bytes))
            await asyncio.sleep(DISK_MS / 1000)

    async def keep_journals(self) -> None:
        """What running matches have written reaches the disk, off the loop."""
        while True:
            await asyncio.sleep(SYNC_MS / 1000)
            for room in list(self.desk.rooms.values()):
                if room.file is not None and room.state == "running":
                    try:
                        await asyncio.to_thread(room.file.sync)
                    except OSError:
                        self._log.exception("a journal could not be synced", match=room.id)


def create_app(settings: Settings, games_: Mapping[str, AnyGame] = GAMES, catalogue: Catalogue | None = None) -> Arena:
    """A server. Raises OSError if its data directory cannot be used."""
    return Arena(settings, games_, house_bots() if catalogue is None else catalogue)


def _http(arena: Arena) -> FastAPI:
    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await arena.desk.resume()
        chores = [asyncio.create_task(chore()) for chore in (arena.heartbeat, arena.keep_journals, arena.watch_the_disk)]
        arena.desk.stalls.watch()
        try:
            yield
        finally:
            await arena.stop()
            arena.desk.stalls.close()
            for chore in chores:
                chore.cancel()
            await asyncio.gather(*chores, return_exceptions=True)

    app = FastAPI(
        title="Botarena",
        version=server_name().partition("/")[2] or "0",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    errors.install(app)
    app.include_router(games.router(arena.desk), prefix="/api/v1")
    app.include_router(lobbies.router(arena.desk, arena.settings.public_url), prefix="/api/v1")
    app.include_router(matches.router(arena.desk), prefix="/api/v1")
    app.include_router(operations.router(arena.health))
    app.include_router(pages.router())

    return app


def _bounded(scope: sockets.Scope, receive: sockets.Receive) -> sockets.Receive:
    """Takes no more than BODY_BYTES of a request's body."""
    taken = 0

    async def bounded() -> Any:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > BODY_BYTES:
            raise errors.too_big()
        return message

    return bounded


def _local(host: str) -> str:
    """Where a process on this machine reaches a server that listens on `host`."""
    if host in ("0.0.0.0", ""):  # noqa: S104
        return "127.0.0.1"
    if host == "::":
        return "[::1]"
    return f"[{host}]" if ":" in host else host
