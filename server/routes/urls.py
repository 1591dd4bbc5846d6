"""Where the clients of a request reach this very process with a socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from fastapi import Request

from server.settings import Settings

SocketUrl = Callable[[Request, Literal["play", "watch"]], str]


def socket_urls(settings: Settings) -> SocketUrl:
    """What the operator says; else what the request says, with this process's own port where several share one."""

    def url(request: Request, role: Literal["play", "watch"]) -> str:
        base = settings.own_url
        if base is None and settings.front_port is not None:
            base = str(request.base_url.replace(port=settings.port))
        if base is None:
            base = settings.node_url or str(request.base_url)
        return "ws" + base.rstrip("/").removeprefix("http") + f"/ws/{role}"

    return url
