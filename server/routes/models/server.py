"""How the server is."""

from __future__ import annotations

from typing import Literal

from server.routes.models.answer import Model


class Health(Model):
    status: Literal["ok"]
    server: str
    """Name and version."""


class Readiness(Model):
    status: Literal["ready", "not ready"]
    reasons: dict[str, str]
    """What is wrong, by the part of the server."""
