"""The page: the files under `server/web` as they are, one document for every address."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import RedirectResponse, Response

from server.errors import Refusal

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws: wss:; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}"
)
ADDRESSES = (
    "/",
    "/games/{game}",
    "/lobby/{lobby}",
    "/match/{match}",
    "/replay",
    "/standings",
    "/tournaments",
    "/tournament/{tournament}",
    "/organiser",
    "/screen",
)
"""What the page's own router (app.js) knows."""


def router() -> APIRouter:
    routes = APIRouter(include_in_schema=False)
    served = dict(_below(files("server").joinpath("web")))
    index = served["index.html"]

    async def document(
        embed: Annotated[str | None, Query()] = None,
        if_none_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        """With `?embed=1` any site may show it in a frame: then it only shows, and holds no button
        that changes anything."""
        return _answer(index, if_none_match, frames="'self'" if embed is None else "*")

    for address in ADDRESSES:
        routes.add_api_route(address, document)

    @routes.get("/watch/{match}")
    async def watch(match: str) -> RedirectResponse:
        return RedirectResponse(f"/match/{match}")

    @routes.get("/web/{path:path}")
    async def file(path: str, if_none_match: Annotated[str | None, Header()] = None) -> Response:
        if path not in served:
            raise Refusal(404, "not_found", "there is no such file of the page")
        return _answer(served[path], if_none_match)

    return routes


def _below(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    """The files that may be served, by their path: nothing else is ever looked up."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in TYPES:
            yield prefix + entry.name, entry


def _answer(file: Traversable, known: str | None, frames: str = "'self'") -> Response:
    data = file.read_bytes()
    tag = f'"{sha256(data).hexdigest()[:32]}"'
    headers = {
        "Content-Security-Policy": POLICY.format(frames),
        "Cache-Control": "no-cache",
        "ETag": tag,
    }
    if known == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=TYPES[_suffix(file.name)], headers=headers)


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]
