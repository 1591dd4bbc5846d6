"""A line per event for a chat or a log, sent to the one URL that the operator has set. Nothing
waits for it: what cannot be delivered is dropped, and logged."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from games.core.contract import Json
from server.wall_clock import wall_ms

if TYPE_CHECKING:
    import httpx

TIMEOUT_S: Final = 5.0
RETRIES_S: Final = (1.0, 5.0, 25.0)
"""Waits before an event is sent again; then it is dropped."""
MOST: Final = 1_000
"""Events that wait; further ones are dropped."""
TOO_MANY: Final = 429
SERVER_ERROR: Final = 500
_log = structlog.get_logger()


class Webhook:
    """`url`: None: nothing is sent, and httpx is not imported."""

    def __init__(self, url: str | None, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._transport = transport
        self._events: asyncio.Queue[dict[str, Json]] = asyncio.Queue(MOST)

    def post(self, event: str, text: str, **about: Json) -> None:
        """Send this soon, after all before it. `text` becomes one line; `about` is public."""
        if self._url is None:
            return
        line = " ".join(text.split())
        try:
            self._events.put_nowait({"text": line, "event": event, "at_ms": wall_ms(), **about})
        except asyncio.QueueFull:
            _log.warning("an event is not sent to the webhook: too many wait", webhook=event)

    async def keep(self) -> None:
        """Send what comes, for as long as the server lives."""
        if self._url is None:
            return
        import httpx

        async with httpx.AsyncClient(
            transport=self._transport,
            timeout=TIMEOUT_S,
            follow_redirects=False,
            trust_env=False,
        ) as client:
            while True:
                await self._send(client, self._url, await self._events.get())

    async def _send(self, client: httpx.AsyncClient, url: str, event: dict[str, Json]) -> None:
        import httpx

        why = ""
        for wait_s in (0.0, *RETRIES_S):
            await asyncio.sleep(wait_s)
            try:
                async with (
                    asyncio.timeout(TIMEOUT_S),
                    client.stream("POST", url, json=event) as got,
                ):
                    if got.is_success:
                        return
                    why = f"status {got.status_code}"
                    if got.status_code < SERVER_ERROR and got.status_code != TOO_MANY:
                        break
            except (httpx.HTTPError, TimeoutError) as fault:
                why = type(fault).__name__
        _log.warning("the webhook has not taken an event", webhook=event["event"], why=why)
