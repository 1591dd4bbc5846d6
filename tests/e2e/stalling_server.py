"""What a forked server calls first in order to host the throw-in games too and to be held up now
and then: a fault on purpose."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from functools import partial

from games import GAMES
from server import cli
from server.app.arena import create_app
from tests.core.throw_in import THROW_IN

BETWEEN_S = (0.2, 1.2)


def stall(hold_ms: int) -> None:
    """The server's loop will be held up for this time, 0: never."""

    class HeldUp(cli.ArenaServer):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if hold_ms:
                self._fault = asyncio.create_task(hold_up(hold_ms))

    cli.create_app = partial(create_app, games=dict(GAMES) | dict(THROW_IN))
    cli.ArenaServer = HeldUp


async def hold_up(hold_ms: int) -> None:
    dice = random.Random(hold_ms)
    while True:
        await asyncio.sleep(dice.uniform(*BETWEEN_S))
        time.sleep(hold_ms / 1000)
