"""A server that hosts the throw-in games too, and whose loop is held up now and then for HOLD_MS
(0: never): a fault on purpose.

python -m tests.e2e.stalling_server --port 0 --data-dir data
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import time
from functools import partial

import typer

from server import cli
from server.app.arena import create_app
from tests.server.live_server import PLAYED

HOLD_MS = int(os.environ.get("HOLD_MS", "0"))
BETWEEN_S = (0.2, 1.2)


class HeldUp(cli.ArenaServer):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if HOLD_MS:
            self._fault = asyncio.create_task(hold_up())


async def hold_up() -> None:
    dice = random.Random(HOLD_MS)
    while True:
        await asyncio.sleep(dice.uniform(*BETWEEN_S))
        time.sleep(HOLD_MS / 1000)


if __name__ == "__main__":
    cli.create_app = partial(create_app, games=PLAYED)
    cli.ArenaServer = HeldUp
    typer.run(cli.serve)
