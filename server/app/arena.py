"""One server as an ASGI application: its parts, and its life from the start to the shutdown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

import structlog
from fastapi import FastAPI
from prometheus_client.core import Metric

from client_sdk.bots import HOUSE
from games import GAMES
from games.core.contract import AnyGame, Json
from server.app.cluster import ClusterParts
from server.app.http import HttpParts
from server.app.matches import MatchParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.app.submissions import SubmissionParts
from server.app.tournaments import TournamentParts
from server.asgi import Receive, Scope, Send
from server.chores import Chore, keep_up
from server.lobbies.bots import Catalogue
from server.match_record import EndHandlers, MatchEnded
from server.matches.lobby import Lobby
from server.metrics import gauge, gauges
from server.settings import Settings
from server.tournaments.cache import TournamentCache
from server.tournaments.changes import Changes
from server.tournaments.mirror import Mirror
from server.tournaments.results import ResultCounter
from server.upkeep import Upkeep
from server.watch import Watch


def create_app(
    settings: Settings, games: Mapping[str, AnyGame] = GAMES, catalogue: Catalogue | None = None
) -> Arena:
    """A server. Raises OSError if its data directory cannot be used."""
    if catalogue is None:
        catalogue = {
            game: {name: bot.about for name, bot in bots.items()} for game, bots in HOUSE.items()
        }
    return Arena(settings, games, catalogue)


class Arena:
    """Its life is the lifespan: `stop` leaves every match whole in its journal."""

    def __init__(
        self, settings: Settings, games: Mapping[str, AnyGame], catalogue: Catalogue
    ) -> None:
        """Raises OSError if the data directory cannot be used."""
        self.process = process = ProcessParts(settings)
        self.storage = storage = StorageParts(process)
        self.cluster = cluster = ClusterParts(settings, storage.store)
        mirror = Mirror(process.offload)
        changes, results = Changes(), ResultCounter(TournamentCache(mirror))
        handlers = EndHandlers(
            storing=(results.on_match_end,),
            stored=(
                cluster.seeds.on_match_stored,
                lambda ended: changes.notify(),
                self._match_stored,
            ),
        )
        self.matches = MatchParts(
            process, storage, cluster, games, catalogue, handlers, self._lobby_ended
        )
        self.tournaments = TournamentParts(
            process, storage, cluster, self.matches, changes, results, mirror
        )
        self.submissions = SubmissionParts(process, storage, cluster)
        self.http = HttpParts(
            process,
            storage,
            cluster,
            self.matches,
            self.tournaments,
            self.submissions,
            self._lifespan,
        )
        process.metrics.watch(self._gauges)
        self._resuming: asyncio.Task[None] | None = None
        self._stopped = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle = self.http.ingress if scope["type"] == "http" else self.http.app
        await handle(scope, receive, send)

    def document(self) -> dict[str, Json]:
        """The OpenAPI document of what is answered over HTTP."""
        return self.http.app.openapi()

    async def stop(self) -> None:
        """Take no new matches, give running ones a moment and leave the rest in their journals,
        close sockets, end house bots."""
        if self._stopped:
            return
        self._stopped = True
        self.process.health.report("draining", "leaving: the server is going away")
        structlog.get_logger().info("stopping")
        await self.matches.recovery.close()
        if self._resuming is not None:
            await self.storage.store.end(self._resuming)
            await asyncio.gather(self._resuming, return_exceptions=True)
        await self.tournaments.close()
        await self.cluster.leader.close()
        await self.matches.service.stop(self.process.settings.drain_ms)
        self.http.sockets.close()

    @asynccontextmanager
    async def _lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        await self._open()
        chores = [asyncio.create_task(keep_up(chore)) for chore in self._chores()]
        try:
            yield
        finally:
            await self.stop()
            self.process.stalls.close()
            tasks = [*chores, *self.matches.sessions.questions]
            for task in tasks:
                await self.storage.store.end(task)
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.matches.writer.settle()
            await self.tournaments.executor.close()
            await self.submissions.close()
            await self.process.reader.close()
            await self.process.offload.close()
            await self.cluster.close()
            await self.storage.close()

    async def _open(self) -> None:
        """Be ready to answer; matches that were interrupted are resumed from then on. Raises
        OSError, SQLAlchemyError, StoreProblem."""
        await self.storage.store.open()
        await self.cluster.open()
        await self.matches.recovery.open()
        await self.tournaments.executor.open()
        await self.submissions.service.open()
        self.process.stalls.watch()
        self._resuming = asyncio.create_task(keep_up(self._resume))

    async def _resume(self) -> None:
        """Matches first: tournaments and ladders need to know which of their games go on."""
        await self.matches.recovery.run()
        if not self._stopped:
            await self.tournaments.scheduler.open()
            await self.tournaments.ladder.open()
            if self.process.settings.submissions:
                await self.tournaments.trials.open()

    def _chores(self) -> Sequence[Chore]:
        process, storage, matches = self.process, self.storage, self.matches
        watch = Watch(
            process.settings,
            process.health,
            storage.health,
            process.stalls,
            process.descriptors,
            matches.admission,
        )
        upkeep = Upkeep(
            process.settings, storage.store, matches.lobbies, matches.writer.node, process.metrics
        )
        return (
            self.http.sockets.heartbeat,
            *upkeep.chores,
            *watch.chores,
            matches.recovery.retry,
            self.submissions.service.keep,
            self.cluster.leader.keep,
            process.webhook.keep,
        )

    def _gauges(self) -> Iterator[Metric]:
        """The metrics that are read at each scrape."""
        states: Counter[tuple[str, ...]] = Counter(
            (lobby.game.name, lobby.state) for lobby in self.matches.lobbies.unfinished.values()
        )
        yield gauges(
            "matches", "Lobbies and matches that are not over yet.", ("game", "state"), states
        )
        yield from self.http.sockets.now()
        yield gauge("house_bots", "Processes of house bots.", self.matches.bots.count)
        yield gauges(
            "games_waiting",
            "Tournament games that are due and not played.",
            ("game", "reason"),
            self.tournaments.scheduler.waiting,
        )
        yield gauges(
            "play_outstanding_seconds",
            "Seconds of play that workers have still to do.",
            ("game",),
            self.tournaments.scheduler.outstanding_s,
        )
        yield gauge("tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        ready = not self.process.health.problems
        yield gauge("ready", "1: new matches are welcome here; see /readyz.", ready)

    def _match_stored(self, ended: MatchEnded) -> None:
        self.tournaments.ladder.on_match_stored(ended)

    def _lobby_ended(self, lobby: Lobby) -> None:
        """A lobby is over or cancelled."""
        metrics = self.process.metrics
        if lobby.end is not None:
            self.tournaments.ladder.on_match_end(lobby.end)
            metrics.match_ended(lobby.end)
        if "disk_full" in (lobby.reason, lobby.result and lobby.result["reason"]):
            metrics.store_failed("journal")
            self.process.health.report("disk", "no_space: a record could not be written")
