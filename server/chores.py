"""What a server does in the background for as long as it lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

Chore = Callable[[], Coroutine[Any, Any, None]]
RESTART_S = 1.0
"""A chore that failed is started again after this."""


async def keep_up(chore: Chore) -> None:
    """Run a chore until it returns. If it fails, it is started again."""
    while True:
        try:
            await chore()
        except Exception:  # noqa: BLE001  it is our bug, and the next round may be without it
            name = getattr(chore, "__name__", "")
            structlog.get_logger().exception("a chore failed; it is started again", chore=name)
            await asyncio.sleep(RESTART_S)
        else:
            return
