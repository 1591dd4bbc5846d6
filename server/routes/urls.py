"""Where clients reach the processes of this server with their sockets."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import URL

from client_sdk.address import is_loopback
from server.settings import Settings
from server.store.nodes import Node

SocketUrl = Callable[[Request, Literal["play", "watch"]], str]


def socket_urls(settings: Settings) -> SocketUrl:
    """This very process, for the clients of a request: what the operator says; else what the request says, with this process's
    own port where several share one."""

    def url(request: Request, role: Literal["play", "watch"]) -> str:
        base = settings.own_url
        if base is None and settings.front_port is not None:
            base = str(request.base_url.replace(port=settings.port))
        if base is None:
            base = settings.node_url
        if base is None:  # who handed this on is on this machine, and was asked at its own port
            base = str(request.base_url.replace(port=settings.port) if request.scope.get("handed_on") else request.base_url)
        return _socket_url(base, role)

    return url


def node_url(settings: Settings, node: Node, scope: MutableMapping[str, Any], role: Literal["play", "watch"]) -> str:
    """Another node, for the client that came with this ASGI scope: what the operator says; else where we reach it ourselves,
    which on this machine is the host that the client asked for."""
    base = settings.url_of(node.name)
    if base is None and is_loopback(node.url):
        asked = URL(scope=scope).replace(port=urlsplit(node.url).port)
        base = f"{'https' if asked.scheme == 'wss' else 'http'}://{asked.netloc}"
    return _socket_url(node.url if base is None else base, role)


def _socket_url(base: str, role: Literal["play", "watch"]) -> str:
    return "ws" + base.rstrip("/").removeprefix("http") + f"/ws/{role}"
