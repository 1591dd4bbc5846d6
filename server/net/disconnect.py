"""Requests that wait: they end with the connection of the client that sent them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from server.asgi import Receive

T = TypeVar("T")


class ClientGone(Exception):
    """The client closed its connection before it got an answer."""


async def while_connected(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, which is cancelled if the client closes its connection first. The body
    of the request has been read, or is thrown away. Raises ClientGone, and what `work` raises.
    """
    task, leaving = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait([task, leaving], return_when=asyncio.FIRST_COMPLETED)
        if leaving.done():
            raise ClientGone
        return task.result()
    finally:
        task.cancel()
        leaving.cancel()
        await asyncio.gather(task, leaving, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
