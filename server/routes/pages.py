"""The page: the files under `server/web` as they are, one document for every address, with what a
link to it shows (`server.routes.previews`)."""

from __future__ import annotations

import gzip
import posixpath
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import RedirectResponse, Response

from server.errors import Refusal
from server.routes.route import Route

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws: wss:; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {}"
)
HEAD_END = "  </head>"
IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];""", re.MULTILINE)
"""A static import of a module of the page."""
ADDRESSES = (
    "/",
    "/games/{game}",
    "/lobby/{lobby}",
    "/match/{match}",
    "/matches",
    "/replay",
    "/standings",
    "/ladder/{game}",
    "/tournaments",
    "/tournament/{tournament}",
    "/submit",
    "/organiser",
    "/screen",
)
"""What the page's own router (app.js) knows."""
Known = Annotated[str | None, Header(alias="If-None-Match")]
Encodings = Annotated[str, Header(alias="Accept-Encoding")]


def nowhere() -> Response:
    """For a browser that asks for an address which is not there: the page says so in words."""
    index = files("server").joinpath("web", "index.html")
    response = _answer(index.read_bytes(), ".html", None, "", POLICY.format("'self'"))
    response.status_code = 404
    return response


def router(tags: Callable[[Request], Awaitable[str]]) -> APIRouter:
    """`tags`: what the head of the document has at the address of a request, beside the usual."""
    routes = APIRouter(include_in_schema=False, route_class=Route)
    served = _served()
    before, _, after = served["index.html"].read_text(encoding="utf-8").partition(HEAD_END)
    preloads = _preloads()

    async def document(
        request: Request,
        embed: Annotated[str | None, Query()] = None,
        if_none_match: Known = None,
    ) -> Response:
        """With `?embed=1` any site may show it in a frame: then it only shows, and holds no button
        that changes anything."""
        frames = "'self'" if embed is None else "*"
        early = preloads if request.url.path.startswith("/match/") else ""
        text = f"{before}{await tags(request)}{early}{HEAD_END}{after}"
        return _answer(text.encode(), ".html", if_none_match, "", POLICY.format(frames))

    for address in ADDRESSES:
        routes.add_api_route(address, document)

    @routes.get("/watch/{match}")
    async def watch(match: str) -> RedirectResponse:
        return RedirectResponse(f"/match/{match}")

    @routes.get("/web/{path:path}")
    async def file(
        path: str, if_none_match: Known = None, accept_encoding: Encodings = ""
    ) -> Response:
        if path not in served:
            raise Refusal(404, "not_found", "there is no such file of the page")
        content = served[path].read_bytes()
        return _answer(content, _suffix(path), if_none_match, accept_encoding)

    return routes


@cache
def _served() -> Mapping[str, Traversable]:
    """The files that may be served, by their path: nothing else is ever looked up."""
    return dict(_below(files("server").joinpath("web")))


@cache
def _preloads() -> str:
    """A match has most modules, five levels of them, and those who come to it late wait for all."""
    return "".join(
        f'    <link rel="modulepreload" href="/web/{path}" />\n'
        for path in _imported(_served(), "pages/match.js")
    )


def _below(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in TYPES:
            yield prefix + entry.name, entry


def _imported(served: Mapping[str, Traversable], module: str) -> list[str]:
    """A module and all that it imports: the browser alone learns of them level by level."""
    found = [module]
    for name in found:
        for other in IMPORT.findall(served[name].read_text(encoding="utf-8")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), other))
            if path not in found:
                found.append(path)
    return found


def _answer(
    data: bytes, suffix: str, known: str | None, encodings: str, policy: str | None = None
) -> Response:
    """A file of the page, compressed once for all requests that name `encodings`. Without a
    `policy` it has that of every response: as a document it may load nothing."""
    tag = f'W/"{sha256(data).hexdigest()[:16]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag, "Vary": "Accept-Encoding"}
    if policy is not None:
        headers["Content-Security-Policy"] = policy
    if known == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in encodings:
        headers["Content-Encoding"] = "gzip"
        data = _packed(data)
    return Response(data, media_type=TYPES[suffix], headers=headers)


@lru_cache(maxsize=256)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]
