"""The contest's hub: bots register and act, all connections get the states."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, assert_never

from client_sdk.conversation import Happening
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.gateway.signalr.calls import (
    BadCall,
    BotCommand,
    Register,
    RegisterVisualiser,
    call_of,
)
from client_sdk.gateway.signalr.client import HubClient, SeatBinding
from client_sdk.gateway.signalr.game_state import StateText
from client_sdk.gateway.signalr.protocol import Invocation
from client_sdk.gateway.signalr.seats import GAME, Seats
from client_sdk.gateway.signalr.visitors import HubSeat, Visitors
from client_sdk.running import running_s
from client_sdk.wire.messages import End, MatchStart, ServerHello, View
from games.core.contract import Json

OVER: Final = "Game complete"
"""The reason of `Disconnect` after a match."""
FULL: Final = "lobby_full"
"""The server's code for a lobby without a free seat, which the contest's hub only logs."""

BACK_S: Final = 10.0
"""A bot that leaves before its match has begun may return for this long, s; then its seat is given
back."""
MAX_SEATS: Final = 10_000
"""Seats that are remembered for bots that may return; beyond it the oldest are forgotten."""

log = logging.getLogger("botarena")


@dataclass(eq=False, slots=True)
class HubMatch:
    """A match in which the hub plays a seat."""

    id: str
    names: tuple[str, ...]
    public: bool = False
    """Connections without a seat may see it."""
    newest: StateText | None = None


class Hub:
    """All connections, and the seats that they play. It belongs to one event loop."""

    def __init__(self, seats: Seats) -> None:
        self.visitors = Visitors()
        self._seats = seats
        self._clients: set[HubClient] = set()
        self._taken: dict[str, HubSeat] = {}
        """The seats whose bots play, or may return, by their keys."""
        self._holders: dict[str, HubClient] = {}
        """The connections that play them, or are about to."""
        self._matches: dict[str, HubMatch] = {}
        self._away: dict[str, asyncio.TimerHandle] = {}
        """By seats whose match has not begun and whose bots have left: when they are given back."""
        self._threads = ThreadPoolExecutor(thread_name_prefix="hub-take")
        self._checks: set[asyncio.Task[None]] = set()

    async def receive(self, client: HubClient, frame: str | bytes) -> None:
        """A frame of this client. Returns when the answers are sent."""
        was_open = client.protocol.open
        invocations = client.protocol.receive(frame, running_s())
        if client.protocol.open and not was_open:
            self._clients.add(client)
            client.protocol.send("Connect", client.id)
            seat = client.visitor.seat
            if seat is not None and self._taken.get(seat.key) is seat:
                await self._bind(client, seat)
        for invocation in invocations:
            await self._invoke(client, invocation)
        await client.flush()

    async def leave(self, client: HubClient) -> None:
        """The connection has ended. Until the bot returns, the server sees that it is away."""
        self._clients.discard(client)
        await self._release(client)

    def _give_up(self, seat: HubSeat) -> None:
        del self._away[seat.key]
        if self._taken.get(seat.key) is seat:
            del self._taken[seat.key]
            self._threads.submit(self._seats.leave, seat)

    def stop(self, why: str) -> None:
        """The hub stops: all clients leave."""
        for away in self._away.values():
            away.cancel()
        self._away.clear()
        for client in self._clients:
            client.end(why)

    # --- invocations ------------------------------------------------------------------------------

    async def _invoke(self, client: HubClient, invocation: Invocation) -> None:
        error = None
        try:
            match call_of(invocation):
                case Register() as call:
                    await self._register(client, call)
                case RegisterVisualiser():
                    self._registered(client, None)
                case BotCommand(action):
                    if action is not None and client.binding is not None:
                        client.binding.command({"action": int(action)})
                case _ as other:
                    assert_never(other)
        except (BadCall, ServerRefused, ConnectionLost) as fault:
            log.debug("%r failed: %s", invocation.target[:80], fault)
            full = isinstance(fault, ServerRefused) and fault.code == FULL
            error = None if full else str(fault)
        client.protocol.complete(invocation.id, error)

    async def _register(self, client: HubClient, call: Register) -> None:
        """Raises ServerRefused, ConnectionLost."""
        key, binding = self._seats.key_of(call), client.binding
        if client.registered:
            log.debug("a connection that is registered calls Register again: ignored")
        elif binding is not None and key in (None, binding.seat.key):
            self._registered(client, binding.seat.own_id)  # it returned, and has its seat
        elif key in self._holders:
            log.debug("Register with a token that another connection uses: ignored")
        else:
            await self._release(client)
            remembered = key in self._taken
            try:
                seat = await self._seated(client, call, key)
            except ServerRefused:
                if not remembered:
                    raise
                seat = await self._seated(client, call, key)  # its match has ended meanwhile
            client.visitor.seat = seat
            self._registered(client, seat.own_id)

    async def _seated(self, client: HubClient, call: Register, key: str | None) -> HubSeat:
        """The seat that the client plays from now on. One that the server refuses is forgotten."""
        seat = await self._take(client, call, key)
        binding = await self._bind(client, seat)
        await binding.accepted
        return seat

    async def _take(self, client: HubClient, call: Register, key: str | None) -> HubSeat:
        """The seat that this key has already, or a new one."""
        if key is not None and key in self._taken:
            return self._taken[key]
        if key is not None:
            self._holders[key] = client
        taking = self._threads.submit(self._seats.take, call, client.address)
        try:
            return await asyncio.wrap_future(taking)
        except BaseException as fault:
            if isinstance(fault, asyncio.CancelledError):
                taking.add_done_callback(self._give_back)
            if key is not None:
                del self._holders[key]
            raise

    def _give_back(self, taking: Future[HubSeat]) -> None:
        """The client has left while its seat was taken, and does not know it."""
        if not taking.cancelled() and taking.exception() is None:
            self._seats.leave(taking.result())

    def _registered(self, client: HubClient, own_id: str | None) -> None:
        client.registered = True
        client.protocol.send("Registered", own_id)

    # --- seats ------------------------------------------------------------------------------------

    async def _bind(self, client: HubClient, seat: HubSeat) -> SeatBinding:
        """From now on the client plays the seat; an older connection loses it."""
        while (older := self._holders.get(seat.key)) is not None and older is not client:
            del self._holders[seat.key]
            older.protocol.close()
            await self._release(older)  # meanwhile another connection may take the seat
        if (away := self._away.pop(seat.key, None)) is not None:
            away.cancel()
        self._holders[seat.key] = client
        self._taken[seat.key] = seat
        while len(self._taken) > MAX_SEATS:
            del self._taken[next(iter(self._taken))]
        client.binding = binding = SeatBinding(seat)
        loop = asyncio.get_running_loop()

        def deliver(message: Happening | Exception) -> None:
            with contextlib.suppress(RuntimeError):  # the hub has stopped
                loop.call_soon_threadsafe(self._deliver, client, binding, message)

        binding.play = self._seats.play(seat, deliver)
        return binding

    async def _release(self, client: HubClient) -> None:
        """The client's connection to the server is closed. The seat stays taken; before the match
        for BACK_S, unless a connection plays it again."""
        binding = self._unbind(client)
        if binding is None:
            return
        seat, loop = binding.seat, asyncio.get_running_loop()
        if binding.match is None:
            self._away[seat.key] = loop.call_later(BACK_S, self._give_up, seat)
        if binding.play is not None:  # it is closed also if the client that waits for it leaves
            await asyncio.shield(loop.run_in_executor(None, binding.play.close))

    def _unbind(self, client: HubClient) -> SeatBinding | None:
        binding, client.binding = client.binding, None
        if binding is not None:
            self._holders.pop(binding.seat.key, None)
            binding.accepted.cancel()
            playing = {one.binding.match for one in self._holders.values() if one.binding}
            if binding.match is not None and binding.match not in playing:
                self._matches.pop(binding.match, None)
        return binding

    def _deliver(
        self, client: HubClient, binding: SeatBinding, message: Happening | Exception
    ) -> None:
        """A message of the server to this seat."""
        if client.binding is not binding:
            return
        match message:
            case ServerHello():
                if not binding.accepted.done():
                    binding.accepted.set_result(None)
            case MatchStart():
                self._start(client, binding, message)
            case View() if binding.match is not None:
                binding.room = binding.queue_size - message.view["you"]["queue_length"]
                if binding.lockstep and message.view["tick"] == 0:
                    binding.command({"action": "skip"})  # bots get their first state after tick 1
                self._show(client, binding, message.view)
            case End():
                aborted = message.outcome["outcome"] == "aborted"
                self._finish(client, binding, str(message.outcome["reason"]) if aborted else OVER)
            case Exception() if not binding.accepted.done():
                binding.accepted.set_exception(message)
                self._forget(client, binding)
            case Exception():
                self._finish(client, binding, str(message))

    def _start(self, client: HubClient, binding: SeatBinding, start: MatchStart) -> None:
        assert start.seat is not None, "a seat's start names it"
        if start.game != GAME:
            client.end(f"this is a seat of {start.game}, not {GAME}")
            return
        binding.match = start.match
        binding.own = {start.seat: binding.seat.own_id}
        binding.lockstep = start.clock.lockstep
        binding.queue_size = start.config["command_queue_size"]
        if start.match not in self._matches:
            names = tuple(seat.name for seat in start.seats)
            self._matches[start.match] = found = HubMatch(start.match, names)
            check = asyncio.create_task(self._check(found))
            self._checks.add(check)
            check.add_done_callback(self._checks.discard)
        if start.within_ms is not None and binding.play is not None:
            binding.play.ready()
        self._show(client, binding, start.view)

    async def _check(self, match: HubMatch) -> None:
        match.public = await asyncio.to_thread(self._seats.is_public, match.id)

    def _show(self, client: HubClient, binding: SeatBinding, view: Json) -> None:
        """The state goes to this seat, and, if it is new, to the connections without a seat."""
        if not view["tick"] or binding.match is None:
            return
        match = self._matches[binding.match]
        if match.newest is None or view["tick"] > match.newest.tick:
            now = datetime.datetime.now(datetime.UTC)
            match.newest = StateText(match.id, view, match.names, now)
            if match is self._shown():
                for one in self._clients:
                    if one.binding is None:
                        one.show(match.newest)
        client.show(match.newest)

    def _shown(self) -> HubMatch | None:
        """The match that connections without a seat see: the oldest public one."""
        return next((match for match in self._matches.values() if match.public), None)

    def _finish(self, client: HubClient, binding: SeatBinding, reason: str) -> None:
        """There is nothing more to play: the bot leaves, and visualisers of the match with it."""
        shown = self._shown()
        over = [client]
        if shown is not None and shown.id == binding.match:
            over += [one for one in self._clients if one.registered and one.binding is None]
        self._forget(client, binding)
        for one in over:
            one.end(reason)

    def _forget(self, client: HubClient, binding: SeatBinding) -> None:
        self._taken.pop(binding.seat.key, None)
        client.visitor.seat = None
        self._unbind(client)
