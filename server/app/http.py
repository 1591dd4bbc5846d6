"""What is answered over HTTP and websockets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI
from starlette.datastructures import URL

from server.app.cluster import ClusterParts
from server.app.matches import MatchParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.app.submissions import SubmissionParts
from server.app.tournaments import TournamentParts
from server.cluster.client import from_peer
from server.cluster.forward import Forwarder
from server.net.http_connections import HttpConnections
from server.net.http_limits import Requests
from server.proxies import Proxies
from server.routes import (
    accounts,
    admin,
    calls,
    errors,
    games,
    lobbies,
    operations,
    pages,
    schemas,
    tournament_tables,
)
from server.routes import matches as match_routes
from server.routes import submissions as submission_routes
from server.routes import tournaments as tournament_routes
from server.routes.compression import Compressed
from server.routes.ingress import Ingress
from server.routes.openapi import DocumentedApp
from server.routes.previews import Previews, origins
from server.routes.requests import subject
from server.routes.resuming import unless_resuming
from server.routes.route import add
from server.routes.sockets import Sockets
from server.routes.urls import PeerUrls, socket_urls
from server.submissions.logs import MatchLogs

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


class HttpParts:
    def __init__(
        self,
        process: ProcessParts,
        storage: StorageParts,
        cluster: ClusterParts,
        matches: MatchParts,
        tournaments: TournamentParts,
        submissions: SubmissionParts,
        lifespan: Lifespan,
    ) -> None:
        settings, metrics = process.settings, process.metrics
        secret = settings.gateway_secret
        proxies = Proxies(settings.proxies, "" if secret is None else secret.get_secret_value())
        requests = Requests(settings)
        self.connections = HttpConnections(
            settings,
            process.descriptors,
            proxies,
            metrics.turned_away,
            metrics.request_refused,
            lambda scope: from_peer(scope, cluster.peers.secret),
        )
        self.sockets = Sockets(
            matches.sessions,
            requests,
            proxies,
            lambda scope, role: PeerUrls(cluster.others, settings, URL(scope=scope), role),
        )
        self.app = _app(process, storage, cluster, matches, tournaments, submissions, lifespan)
        forwarder = Forwarder(
            unless_resuming(Compressed(self.app), matches.lobbies, metrics.request_refused),
            cluster.others,
            cluster.leader,
            subject=subject,
            here=matches.lobbies.has,
            keeps=matches.archive.keeps,
            front_port=settings.front_port,
        )
        self.ingress = Ingress(
            forwarder, requests, proxies, cluster.peers.secret, metrics, matches.lobbies.get
        )


def _app(
    process: ProcessParts,
    storage: StorageParts,
    cluster: ClusterParts,
    matches: MatchParts,
    tournaments: TournamentParts,
    submissions: SubmissionParts,
    lifespan: Lifespan,
) -> FastAPI:
    """The routes."""
    settings, metrics, others = process.settings, process.metrics, cluster.others
    app = DocumentedApp(
        title="Botarena",
        version=process.version or "0",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    errors.install(app, metrics.request_refused)
    app.state.authenticator = storage.authenticator
    app.state.offload = process.offload
    url = socket_urls(settings)
    previews = Previews(
        matches.lobbies,
        matches.archive,
        tournaments.service,
        storage.authenticator,
        origins(settings),
    )
    routers = (
        games.router(matches.service),
        schemas.router(matches.lobbies),
        lobbies.router(matches.service, matches.archive, others, url),
        match_routes.router(
            matches.lobbies, matches.archive, matches.files, others, process.offload, url
        ),
        tournament_tables.router(tournaments.service),
        tournament_routes.router(
            tournaments.service, matches.lobbies, storage.accounts, process.reader
        ),
        calls.router(
            matches.lobbies,
            tournaments.invitations,
            tournaments.ladder_board,
            tournaments.challenges,
            tournaments.map_pools,
            tournaments.ratings,
            storage.accounts,
            lambda request: url(request, "play"),
        ),
        submission_routes.router(submissions.service, MatchLogs(storage.store)),
        accounts.router(storage.accounts, settings.sign_ups_per_minute),
        admin.router(matches.lobbies, matches.admission, storage.accounts, others),
        operations.router(process.name, process.health, metrics, settings.metrics_token),
        pages.router(previews.tags),
    )
    add(app, routers)
    return app
