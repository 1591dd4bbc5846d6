"""How the server is."""

from __future__ import annotations

from typing import Literal

from server.routes.models.answer import Model


class Liveness(Model):
    """A running server."""

    status: Literal["ok"]
    """Always `ok`."""
    server: str
    """Its name and version."""


class Readiness(Model):
    """Whether the server should get new matches."""

    status: Literal["ready", "not ready"]
    """The answer."""
    reasons: dict[str, str]
    """The problems, by the part of the server."""
