"""What every request over HTTP passes on its way to a route."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.responses import JSONResponse

from server.asgi import App, Receive, Scope, Send
from server.cluster.client import FORWARDED, received
from server.errors import Refusal
from server.metrics import Metrics
from server.net.http_limits import Requests, bounded, hang_up
from server.net.limits import neighbourhood
from server.proxies import Proxies, address
from server.routes.headers import guarded
from server.routes.requests import Noted


class Ingress:
    """An ASGI application around one (`app`) that may refuse a request: it finds the client behind
    proxies and peers, applies the limits, sends refusals, and notes each request when it is
    answered. `secret`: proves that a peer forwards a request. `lobby` finds one by its id."""

    def __init__(
        self,
        app: App,
        requests: Requests,
        proxies: Proxies,
        secret: str,
        metrics: Metrics,
        lobby: Callable[[str], object | None],
    ) -> None:
        self._app = app
        self._requests = requests
        self._proxies = proxies
        self._secret = secret
        self._metrics = metrics
        self._lobby = lobby

    async def __call__(self, asked: Scope, receive: Receive, send: Send) -> None:
        scope = received(self._proxies.seen_through(asked), self._secret)
        noted = Noted(scope, guarded(send), self._metrics, self._lobby)
        try:
            await self._admit(scope, receive, noted.send)
        except Refusal as refusal:
            self._metrics.request_refused(refusal.code)
            headers = {} if refusal.status == 413 else {"Retry-After": "1"}
            if headers and hang_up(scope):
                headers["Connection"] = "close"
            await JSONResponse(refusal.json(), refusal.status, headers)(scope, receive, noted.send)
        finally:
            noted.over()

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises Refusal."""
        if scope.get(FORWARDED):  # it was counted where it came in
            await self._app(scope, bounded(receive, self._requests.longest(scope)), send)
            return
        place = neighbourhood(address(scope))
        with self._requests.admitted(scope, place, time.monotonic_ns()) as most:
            await self._app(scope, bounded(receive, most), send)
