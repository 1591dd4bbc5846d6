"""Answers that are written to a connection without the app: those to what is not yet a request."""

from __future__ import annotations

import json
from http import HTTPStatus

from server.errors import Refusal

HEAD_TOO_BIG = Refusal(
    431, "too_big", "the head of the request is too big; send fewer and shorter headers"
)
NOT_HTTP = Refusal(
    400,
    "not_http",
    "expected a request in HTTP/1.1, got what cannot be read as one; use an HTTP client, and "
    "http:// or ws:// unless the server's address begins with https://",
)


def whole_answer(refusal: Refusal, *headers: str) -> bytes:
    """A response with additional headers, after which the connection is closed."""
    body = json.dumps(refusal.json()).encode()
    head = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        *headers,
        "connection: close",
        "\r\n",
    )
    return "\r\n".join(head).encode() + body
