"""Liveness, readiness (whether the server should get new work) and metrics."""

from __future__ import annotations

import secrets

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import SecretStr

from games.core.contract import Json
from server.errors import Refusal
from server.health import Health
from server.metrics import Metrics
from server.proxies import from_this_machine
from server.routes.may import BROWSE, Authorization, bearer
from server.routes.models import server as models
from server.routes.models.answer import answers, text
from server.routes.models.server import Readiness
from server.routes.openapi import METRICS
from server.routes.route import routes_below


def router(server: str, health: Health, metrics: Metrics, token: SecretStr | None) -> APIRouter:
    """`server`: its name. `token`: opens the metrics; None: they are for this machine itself."""
    routes = routes_below("", tag="server", dependencies=BROWSE)

    @routes.get("/healthz", responses=answers(models.Liveness))
    async def get_health() -> Json:
        """The process runs and answers."""
        return {"status": "ok", "server": server}

    @routes.get("/readyz", responses=answers(Readiness) | answers(Readiness, status=503))
    async def get_readiness() -> JSONResponse:
        """Whether the server should get new matches: 200, or 503 with a reason for each part that
        has a problem."""
        reasons = health.problems
        body = {"status": "not ready" if reasons else "ready", "reasons": reasons}
        return JSONResponse(body, 503 if reasons else 200, {"Cache-Control": "no-store"})

    @routes.get(
        "/metrics",
        response_class=Response,
        responses=text("text/plain"),
        openapi_extra={"security": [{METRICS: []}, {}]},
    )
    async def get_metrics(request: Request, authorization: Authorization = None) -> Response:
        """Metrics in the text format of Prometheus."""
        if token is None:
            if not from_this_machine(request.scope):
                raise Refusal(
                    403,
                    "not_here",
                    "the metrics are for this machine itself, unless the operator set a token",
                )
        elif not secrets.compare_digest(
            (bearer(authorization) or "").encode(), token.get_secret_value().encode()
        ):
            raise Refusal(
                403,
                "wrong_token",
                "this takes the metrics' token, as Authorization: Bearer …",
                field="Authorization",
            )
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return routes
