"""One connection of a client of the hub, and the seat that it plays."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from client_sdk.gateway.signalr.game_state import StateText
from client_sdk.gateway.signalr.protocol import SILENCE_S, HubProtocol
from client_sdk.gateway.signalr.visitors import HubSeat, Visitor
from client_sdk.running import running_s
from games.core.contract import Json, Seat

if TYPE_CHECKING:
    from client_sdk.gateway.signalr.seats import Play

LOOK_S: Final = 1.0
"""How often a connection looks whether a ping is due or the client is gone."""

SendText: TypeAlias = Callable[[str], Awaitable[None]]


class SeatBinding:
    """The seat that a connection plays, for as long as it does."""

    def __init__(self, seat: HubSeat) -> None:
        self.seat = seat
        self.play: Play | None = None
        self.accepted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the server knows the seat, or refuses it."""
        self.match: str | None = None
        self.own: Mapping[Seat, str] = {}
        """The id of the bot's own animal, by its seat."""
        self.lockstep = False
        self.queue_size = 0
        self.room = 0
        """Commands that the animal's queue still takes in this tick."""
        self.tick = 0
        """Of the last state that was sent."""

    def command(self, command: Json) -> None:
        """Send a command; more than the queue takes are dropped."""
        if self.play is not None and self.room > 0:
            self.room -= 1
            self.play.command(command)


class HubClient:
    """One connection of a client."""

    def __init__(self, connection_id: str, visitor: Visitor, address: str, send: SendText) -> None:
        """`send`: sends one text frame, and waits while the client does not read."""
        self.id = connection_id
        self.address = address
        self.visitor = visitor
        self.protocol = HubProtocol(running_s())
        self.registered = False
        """It was sent `Registered`."""
        self.binding: SeatBinding | None = None
        self._send = send
        self._sending = asyncio.Lock()
        self._wake = asyncio.Event()

    def show(self, state: StateText) -> None:
        """The client gets this state, unless a newer one comes first."""
        own: Mapping[Seat, str] = {}
        if self.binding is not None:
            if state.tick == self.binding.tick:
                return
            self.binding.tick, own = state.tick, self.binding.own
        self.protocol.send_newest(state.seen_by(own))
        self._wake.set()

    def end(self, reason: str) -> None:
        """The match is over for this client."""
        self.protocol.send("Disconnect", reason)
        self.protocol.close()
        self._wake.set()

    async def flush(self) -> None:
        """Send what waits."""
        async with self._sending:
            for message in self.protocol.outgoing(running_s()):
                await self._send(message)

    async def keep(self) -> None:
        """Send what others have for this client, and pings. Returns when the connection is to be
        closed. Raises TimeoutError if the client does not read."""
        while not self.protocol.closed and not self.protocol.silent(running_s()):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._wake.wait()
            self._wake.clear()
            async with asyncio.timeout(SILENCE_S):
                await self.flush()
