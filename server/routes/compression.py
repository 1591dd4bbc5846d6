"""Which responses are sent compressed.

Compression tells the length of a secret that is compressed beside what an attacker chose. So no
response that holds a token is compressed: only those to GET are, for tokens are made by other
methods, and among the answers to a request with credentials only records, which hold none.
Starlette compresses what is large in a thread, without holding the interpreter."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware

from server.asgi import App, Receive, Scope, Send

SMALLEST: Final = 600
"""Bytes. What is smaller fits in one packet either way."""
LEVEL: Final = 5
IN_THREAD: Final = 16 << 10
"""Bytes that are compressed in a thread: fewer take less than half a millisecond."""
CREDENTIALS: Final = ("authorization", "cookie")


class Compressed:
    """An ASGI application around one, whose responses are compressed where that is safe."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._public = _compressing(app, ())
        self._records = _compressing(app, ("application/json", "text/*"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            headers = Headers(scope=scope)
            private = any(name in headers for name in CREDENTIALS)
            app = self._records if private else self._public
        await app(scope, receive, send)


def _compressing(app: App, never: tuple[str, ...]) -> App:
    return GZipMiddleware(
        app,
        SMALLEST,
        LEVEL,
        IN_THREAD,
        exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, *never),
    )
