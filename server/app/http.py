"""What is answered over HTTP and websockets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI
from starlette.datastructures import URL

from client_sdk.version import installed
from server.app.cluster import ClusterParts
from server.app.matches import MatchParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.app.tournaments import TournamentParts
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
)
from server.routes import matches as match_routes
from server.routes import tournaments as tournament_routes
from server.routes.ingress import Ingress
from server.routes.may import BROWSE
from server.routes.openapi import DocumentedApp
from server.routes.requests import subject
from server.routes.resuming import unless_resuming
from server.routes.sockets import Sockets
from server.routes.urls import PeerUrls, socket_urls

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


class HttpParts:
    def __init__(
        self,
        process: ProcessParts,
        storage: StorageParts,
        cluster: ClusterParts,
        matches: MatchParts,
        tournaments: TournamentParts,
        lifespan: Lifespan,
    ) -> None:
        settings, metrics = process.settings, process.metrics
        secret = settings.gateway_secret
        proxies = Proxies(settings.proxies, "" if secret is None else secret.get_secret_value())
        requests = Requests(settings)
        self.connections = HttpConnections(
            settings, process.descriptors, proxies, metrics.turned_away, metrics.request_refused
        )
        self.sockets = Sockets(
            matches.sessions,
            requests,
            proxies,
            lambda scope, role: PeerUrls(cluster.others, settings, URL(scope=scope), role),
        )
        self.app = _app(process, storage, cluster, matches, tournaments, lifespan)
        forwarder = Forwarder(
            unless_resuming(self.app, matches.lobbies, metrics.request_refused),
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
    lifespan: Lifespan,
) -> FastAPI:
    """The routes."""
    settings, metrics, others = process.settings, process.metrics, cluster.others
    app = DocumentedApp(
        title="Botarena",
        version=installed() or "0",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=lambda route: route.name,
    )
    errors.install(app, metrics.request_refused)
    app.state.authenticator = storage.authenticator
    app.state.offload = process.offload
    url = socket_urls(settings)
    for router in (games.router(matches.service), schemas.router(matches.lobbies)):
        app.include_router(router, prefix="/api/v1", dependencies=BROWSE)
    for router in (
        lobbies.router(matches.service, matches.archive, others, url),
        match_routes.router(
            matches.lobbies, matches.archive, matches.files, others, process.offload, url
        ),
        tournament_routes.router(tournaments.service, matches.lobbies, storage.accounts),
        calls.router(
            matches.lobbies,
            tournaments.invitations,
            tournaments.ladder,
            tournaments.ratings,
            lambda request: url(request, "play"),
        ),
        accounts.router(storage.accounts, settings.sign_ups_per_minute),
        admin.router(matches.lobbies, matches.admission, storage.accounts, others),
    ):
        app.include_router(router, prefix="/api/v1")
    watching = operations.router(process.name, process.health, metrics, settings.metrics_token)
    app.include_router(watching, dependencies=BROWSE)
    app.include_router(pages.router())
    return app
