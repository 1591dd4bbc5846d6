"""The page: what is open, what runs, what was played, and one match live. Files of ours only, no other host."""

from __future__ import annotations

from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import Response

TYPES = {"index.html": "text/html; charset=utf-8", "app.js": "text/javascript; charset=utf-8"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self' ws: wss:; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


def router() -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def index() -> Response:
        return _file("index.html")

    @routes.get("/watch/{match}")
    async def watch(match: str) -> Response:
        return _file("index.html")

    @routes.get("/web/app.js")
    async def script() -> Response:
        return _file("app.js")

    return routes


def _file(name: str) -> Response:
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(files("server").joinpath("web", name).read_bytes(), media_type=TYPES[name], headers=headers)
