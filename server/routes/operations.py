"""What whoever runs the server asks it: whether it lives, and whether it should get new work."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from server.health import Health

Json = Any


def router(health: Health) -> APIRouter:
    routes = APIRouter(tags=["server"])

    @routes.get("/healthz")
    async def healthz() -> dict[str, Json]:
        """The process lives and answers."""
        return {"status": "ok"}

    @routes.get("/readyz", responses={503: {"description": "not ready: `reasons` says why"}})
    async def readyz() -> JSONResponse:
        """Whether new matches are welcome here: 200, or 503 with a reason for each part that is not well."""
        reasons = health.problems
        body = {"status": "not ready" if reasons else "ready", "reasons": reasons}
        return JSONResponse(body, 503 if reasons else 200, {"Cache-Control": "no-store"})

    return routes
