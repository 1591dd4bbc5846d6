"""The composition root: the only place where the parts are wired together.

Nothing is global; two servers can live in one process.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import structlog
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from prometheus_client.core import Metric
from starlette.datastructures import URL

from client_sdk.bots import HOUSE
from client_sdk.running import Pause
from client_sdk.version import installed
from games import GAMES
from games.core.contract import AnyGame, Json
from server.accounts.gate import Gate
from server.asgi import Receive, Scope, Send
from server.cluster.client import FORWARDED, PeerClient, received
from server.cluster.forward import Forwarder
from server.cluster.leader import Leader
from server.cluster.peers import Peers
from server.cluster.seeds import SharedSeeds
from server.errors import Refusal
from server.health import Health
from server.lobbies.admission import Admission
from server.lobbies.bots import Catalogue, HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.recovery import Recovery
from server.lobbies.service import LobbyService
from server.lobbies.tokens import Tokens
from server.match_record import EndHandlers
from server.matches.archive import Archive, RecordFiles
from server.matches.clock import MS
from server.matches.context import SessionContext
from server.matches.importer import Importer
from server.matches.lobby import Lobby
from server.matches.record import match_folder, named
from server.matches.referee import Limits
from server.matches.setup import LobbyContext
from server.matches.stalls import Stalls
from server.matches.writer import MatchWriter
from server.metrics import Metrics, gauge, gauges
from server.net.descriptors import Descriptors
from server.net.http_connections import HttpConnections
from server.net.http_limits import Requests, bounded, hang_up
from server.net.limits import Crowd, Rates, neighbourhood
from server.offload import Offload
from server.proxies import Proxies, address
from server.routes import (
    accounts,
    admin,
    calls,
    errors,
    games,
    lobbies,
    matches,
    operations,
    pages,
    schemas,
    tournaments,
)
from server.routes import resuming as still_resuming
from server.routes.headers import guarded
from server.routes.may import BROWSE
from server.routes.openapi import DocumentedApp
from server.routes.requests import Noted, subject
from server.routes.sockets import Sockets
from server.routes.urls import Elsewhere, Role, socket_urls
from server.settings import Settings
from server.store.accounts import Accounts
from server.store.store import Store, StoreProblem, sqlite_url
from server.store.store_health import StoreHealth
from server.tournaments.attempts import Attempts
from server.tournaments.changes import Changes
from server.tournaments.delegated import DelegatedGames
from server.tournaments.invitations import Invitations
from server.tournaments.ladder import Ladder
from server.tournaments.matchmaker import Matchmaker
from server.tournaments.ratings import RatingTables
from server.tournaments.results import Results
from server.tournaments.scheduler import Scheduler
from server.tournaments.service import TournamentService
from server.tournaments.snapshots import Snapshots
from server.upkeep import Upkeep
from server.watch import Watch
from server.workers.here import Here

if TYPE_CHECKING:
    from server.workers.jobs import ToWorkers


RESTART_MS = 1_000
"""A chore that failed is started again after this."""


def house_bots() -> Catalogue:
    return {game: {name: bot.about for name, bot in bots.items()} for game, bots in HOUSE.items()}


def server_name() -> str:
    version = installed()
    return "botarena" if version is None else f"botarena/{version}"


class Arena:
    """One server as an ASGI application. Its life is the lifespan: `stop` leaves every match whole
    in its journal.

    Every part of the server is built here and nowhere else, hence the number of attributes.
    """

    def __init__(
        self, settings: Settings, play_games: Mapping[str, AnyGame], catalogue: Catalogue
    ) -> None:
        """Raises OSError if the data directory cannot be used."""
        self.settings = settings
        local = f"ws{settings.local_url.removeprefix('http')}/ws/play"
        self.health = Health()
        self.descriptors = Descriptors()
        self.metrics = Metrics()
        self.store = Store(settings.database_url or sqlite_url(settings.data_dir))
        self.accounts = Accounts(self.store)
        self.gate = Gate(self.accounts, closed=settings.closed, sign_up=settings.sign_up)
        self.bots = HouseBots(
            catalogue, local, enabled=settings.house_bots, most=settings.house_bot_processes
        )
        self.stalls = Stalls(settings.recovery_ms, on_lag=self.metrics.lag, on_pause=self._paused)
        self.peers = Peers.of(settings)
        self.leader = Leader(self.store, self.peers)
        self.others = PeerClient(self.peers)
        self.seeds = SharedSeeds(self.store, self.peers)
        self.offload = Offload()
        self.lobbies = Lobbies(play_games, self.peers, self.seeds)
        changes, snapshots = Changes(), Snapshots()
        results = Results(snapshots)
        self.store_health = StoreHealth(self.store, self.health, settings.data_dir)
        folder, node = match_folder(settings.data_dir), named(settings.data_dir)
        handlers = EndHandlers(
            storing=(results.on_match_end,),
            stored=(self.seeds.on_match_stored, lambda ended: changes.notify()),
        )
        self.writer = MatchWriter(self.store, node, handlers, self.store_health, self.metrics)
        self.archive = Archive(self.store, self.writer, lambda: self.lobbies.seeds)
        self.files = RecordFiles(
            settings.data_dir, play_games, self.archive, self.writer, self.offload
        )
        tokens = Tokens(self.lobbies)
        self.admission = Admission(settings, self.health, self.lobbies)
        context = LobbyContext(
            folder=folder,
            limits=Limits(
                settings.refusals_per_turn,
                settings.infos_per_turn,
                settings.idle_ms,
                settings.lag_turn_ms,
                settings.lag_match_ms,
            ),
            stalls=self.stalls,
            metrics=self.metrics,
            empty_ms=settings.empty_lobby_ms,
        )
        self.lobby_service = LobbyService(
            self.lobbies,
            tokens,
            self.admission,
            self.bots,
            self.writer,
            self.seeds,
            context,
            self.offload,
            self._ended,
        )
        importer = Importer(settings.data_dir, node, play_games, self.store, self.writer)
        self.recovery = Recovery(
            self.lobbies,
            self.lobby_service,
            tokens,
            importer,
            self.peers,
            self.health,
            self.offload,
        )
        self._forwarder = Forwarder(
            self._answer,
            self.others,
            self.leader,
            subject=subject,
            here=self.lobbies.has,
            keeps=self.archive.keeps,
            front_port=settings.front_port,
        )
        self.context = SessionContext(
            lobbies=self.lobbies,
            tokens=tokens,
            archive=self.archive,
            settings=settings,
            server=server_name(),
            crowd=Crowd(
                per_address=self.descriptors.per_address(settings.connections_per_address),
                viewers=settings.spectators_in_all,
            ),
            rates=Rates(settings.frames_per_second),
            metrics=self.metrics,
            running=self.stalls.running,
            gate=self.gate,
        )
        self.invitations = Invitations(self.stalls.running)
        matchmaker = Matchmaker(
            self.store,
            self.lobby_service,
            self.admission,
            self.invitations,
            self.peers,
            settings.games_at_once,
        )
        self.apart = _apart(settings, self.store, changes)
        self.tournaments = TournamentService(
            self.store, self.bots, snapshots, changes, self.offload
        )
        attempts = Attempts(
            self.store,
            self.lobby_service,
            self.stalls.running,
            self.leader,
            self.others,
            matchmaker,
            snapshots,
            changes,
            results,
        )
        delegated = DelegatedGames(self.store, attempts, self.apart)
        self.scheduler = Scheduler(
            self.lobbies,
            self.bots,
            self.leader,
            matchmaker,
            self.tournaments,
            attempts,
            delegated,
            changes,
        )
        self.ratings = RatingTables(self.store, self.bots, self.offload)
        self.ladder = Ladder(
            self.store,
            self.lobby_service,
            matchmaker,
            self.invitations,
            self.ratings,
            self.leader,
            games=settings.ladders,
            pace_s=settings.ladder_pace_ms / 1000,
        )
        self.metrics.watch(self.now)
        self._proxies = Proxies(settings.proxies)
        self.http_connections = HttpConnections(
            settings,
            self.descriptors,
            self._proxies,
            self.metrics.turned_away,
            self.metrics.request_refused,
        )
        self._requests = Requests(settings)
        self.sockets = Sockets(self.context, self._requests, self._proxies, self._elsewhere)
        self._http = _http(self)
        self._log = structlog.get_logger()
        self._resuming: asyncio.Task[None] | None = None
        self._stopped = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(
                received(self._proxies.seen_through(scope), self.peers.secret), receive, send
            )
        else:
            await self._http(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request over HTTP, noted when it is answered."""
        noted = Noted(scope, guarded(send), self.metrics, self.lobbies.get)
        try:
            if scope.get(FORWARDED):  # it was counted where it came in
                await self._forwarder(
                    scope, bounded(receive, self._requests.longest(scope)), noted.send
                )
                return
            with self._requests.admitted(
                scope, neighbourhood(address(scope)), time.monotonic_ns()
            ) as most:
                await self._forwarder(scope, bounded(receive, most), noted.send)
        except Refusal as refusal:
            self.metrics.request_refused(refusal.code)
            headers = {} if refusal.status == 413 else {"Retry-After": "1"}
            if headers and hang_up(scope):
                headers["Connection"] = "close"
            await JSONResponse(refusal.json(), refusal.status, headers)(scope, receive, noted.send)
        finally:
            noted.over()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (later := still_resuming.answer(scope, self.lobbies)) is not None:
            self.metrics.request_refused(still_resuming.RESUMING.code)
        await (later or self._http)(scope, receive, send)

    def document(self) -> dict[str, Json]:
        """The OpenAPI document of what is answered over HTTP."""
        return self._http.openapi()

    def now(self) -> Iterator[Metric]:
        """What is so at this moment, for the metrics."""
        states: Counter[tuple[str, ...]] = Counter(
            (lobby.game.name, lobby.state) for lobby in self.lobbies.unfinished.values()
        )
        yield gauges(
            "matches", "Lobbies and matches that are not over yet.", ("game", "state"), states
        )
        yield from self.sockets.now()
        yield gauge("house_bots", "Processes of house bots.", self.bots.count)
        yield gauges(
            "games_waiting",
            "Tournament games that are due and not played.",
            ("game", "reason"),
            self.scheduler.waiting,
        )
        yield gauge("tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        yield gauge(
            "ready", "1: new matches are welcome here; see /readyz.", not self.health.problems
        )

    async def open(self) -> None:
        """Be ready to answer; matches that were interrupted are resumed from then on. Raises
        OSError, SQLAlchemyError, StoreProblem."""
        await self.store.open()
        await self.seeds.open()
        await self.leader.open()
        await self.recovery.open()
        if self.apart is not None:
            await self.apart.open()
        self.stalls.watch()
        self._resuming = asyncio.create_task(self.kept_up(self.resume))

    async def resume(self) -> None:
        """Matches first: tournaments and ladders need to know which of their games go on."""
        await self.recovery.run()
        if not self._stopped:
            await self.scheduler.open()
            await self.ladder.open()

    async def stop(self) -> None:
        """Take no new matches, give running ones a moment and leave the rest in their journals,
        close sockets, end house bots."""
        if self._stopped:
            return
        self._stopped = True
        self.health.report("draining", "leaving: the server is going away")
        self._log.info("stopping")
        await self.recovery.close()
        if self._resuming is not None:
            await self.store.end(self._resuming)
            await asyncio.gather(self._resuming, return_exceptions=True)
        await self.invitations.close()
        await self.scheduler.close()
        await self.ladder.close()
        await self.leader.close()
        await self.lobby_service.stop(self.settings.drain_ms)
        self.sockets.close()

    @property
    def chores(self) -> Sequence[Callable[[], Coroutine[Any, Any, None]]]:
        """What is done again and again as long as the server lives."""
        watch = Watch(
            self.settings,
            self.health,
            self.store_health,
            self.stalls,
            self.descriptors,
            self.admission,
        )
        keep = Upkeep(self.settings, self.store, self.lobbies, self.writer.node, self.metrics)
        return (
            self.sockets.heartbeat,
            *keep.chores,
            *watch.chores,
            self.recovery.retry,
            self.leader.keep,
        )

    async def kept_up(self, chore: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """A fault in one round of a chore does not end the chore."""
        while True:
            try:
                await chore()
            except Exception:  # noqa: BLE001  it is our bug, and the next round may be without it
                self._log.exception(
                    "a chore failed; it is started again", chore=getattr(chore, "__name__", "")
                )
                await asyncio.sleep(RESTART_MS / 1000)
            else:
                return

    def _elsewhere(self, scope: Scope, role: Role) -> Elsewhere:
        return Elsewhere(self.others, self.settings, URL(scope=scope), role)

    def _ended(self, lobby: Lobby) -> None:
        """A lobby is over or cancelled."""
        if lobby.end is not None:
            self.ladder.on_match_end(lobby.end)
            self.metrics.match_ended(lobby.end)
        if "disk_full" in (lobby.reason, lobby.result and lobby.result["reason"]):
            self.metrics.store_failed("journal")
            self.health.report("disk", "no_space: a record could not be written")

    def _paused(self, pause: Pause) -> None:
        ms = (pause.ended - pause.begun) // MS
        self.metrics.paused(ms)
        self._log.warning("the process was paused; no seat pays for that", ms=ms)


def _apart(settings: Settings, store: Store, changes: Changes) -> Here | ToWorkers | None:
    """Who plays tournament games without sockets. Raises StoreProblem."""
    if settings.house_games == "here":
        return Here(store, changes.notify)
    if settings.house_games == "workers":
        try:
            from server.workers.jobs import ToWorkers
        except ImportError:
            raise StoreProblem("workers take the extra postgres: botarena[postgres]") from None
        return ToWorkers(store)
    return None


def create_app(
    settings: Settings, games_: Mapping[str, AnyGame] = GAMES, catalogue: Catalogue | None = None
) -> Arena:
    """A server. Raises OSError if its data directory cannot be used."""
    return Arena(settings, games_, house_bots() if catalogue is None else catalogue)


def _http(arena: Arena) -> FastAPI:
    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await arena.open()
        chores = [asyncio.create_task(arena.kept_up(chore)) for chore in arena.chores]
        try:
            yield
        finally:
            await arena.stop()
            arena.stalls.close()
            for task in (still := [*chores, *arena.context.questions]):
                await arena.store.end(task)
            await asyncio.gather(*still, return_exceptions=True)
            await arena.writer.settle()
            if arena.apart is not None:
                await arena.apart.close()
            await arena.offload.close()
            await arena.others.close()
            await arena.seeds.close()
            await arena.accounts.close()
            await arena.store.close()

    app = DocumentedApp(
        title="Botarena",
        version=installed() or "0",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    errors.install(app, arena.metrics.request_refused)
    app.state.gate = arena.gate
    app.state.offload = arena.offload
    socket_url = socket_urls(arena.settings)
    app.include_router(games.router(arena.lobby_service), prefix="/api/v1", dependencies=BROWSE)
    app.include_router(schemas.router(arena.lobbies), prefix="/api/v1", dependencies=BROWSE)
    app.include_router(
        lobbies.router(arena.lobby_service, arena.archive, arena.others, socket_url),
        prefix="/api/v1",
    )
    finished = matches.router(
        arena.lobbies, arena.archive, arena.files, arena.others, arena.offload, socket_url
    )
    app.include_router(finished, prefix="/api/v1")
    app.include_router(
        tournaments.router(arena.tournaments, arena.lobbies, arena.accounts), prefix="/api/v1"
    )
    invited = calls.router(
        arena.lobbies,
        arena.invitations,
        arena.ladder,
        arena.ratings,
        lambda request: socket_url(request, "play"),
    )
    app.include_router(invited, prefix="/api/v1")
    app.include_router(
        accounts.router(arena.accounts, arena.settings.sign_ups_per_minute), prefix="/api/v1"
    )
    app.include_router(
        admin.router(arena.lobbies, arena.admission, arena.accounts, arena.others), prefix="/api/v1"
    )
    watching = operations.router(
        server_name(), arena.health, arena.metrics, arena.settings.metrics_token
    )
    app.include_router(watching, dependencies=BROWSE)
    app.include_router(pages.router())

    return app
