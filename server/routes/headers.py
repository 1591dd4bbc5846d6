"""The headers that every HTTP response carries unless its route sets them."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders

from server.asgi import Message, Send

NOTHING: Final = ("default-src", "base-uri", "form-action", "frame-ancestors")
DEFAULTS: Final = {
    "Content-Security-Policy": "; ".join(f"{what} 'none'" for what in NOTHING),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
"""A browser that opens a response as a document runs and loads nothing, and guesses no type."""


def guarded(send: Send) -> Send:
    """An ASGI `send` that adds the default headers to the start of a response."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in DEFAULTS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
