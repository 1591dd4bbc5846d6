"""Servers that play the same matches with the same engine and send the same views, and do nothing
else: no lobbies, clocks, journals, results or checks of what clients send.

    python -m benchmarks.load.twins websockets|asgi|default --game pyrat --config '{}'

A seat's token is JSON: the number of its match, its seed, the seat. `websockets` has viewers too,
whose hello has the number. `default` is uvicorn with its default settings, and only answers a
hello. The server prints its port."""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec
import uvicorn
from websockets.asyncio.server import ServerConnection, broadcast, serve

from benchmarks.seats import loops
from client_sdk.bots.cheap import CHEAP
from client_sdk.wire.messages import Clock, End, MatchStart, View
from games import GAMES
from games.core.contract import SPECTATOR, AnyGame, outcome_json
from games.core.match import Match

encode: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class BareSeat:
    """A seat's connection."""

    send: Callable[[bytes], Awaitable[None]]
    close: Callable[[], Awaitable[None]]


class BareMatch:
    """A match, and the connections of its seats."""

    def __init__(self, game: AnyGame, config: dict[str, Any], seed: int) -> None:
        self.match = Match.begin(game, config, seed)
        self.end_turn = game.end_turn
        self.seats: dict[int, BareSeat] = {}
        self.viewers: list[ServerConnection] = []
        self.once: list[str] = []
        self.tick_ms = self.match.pacing.tick_ms
        self.ticks: asyncio.Task[None] | None = None

    async def joined(self, seat: int, connection: BareSeat) -> None:
        """The match begins with its last seat."""
        self.seats[seat] = connection
        match = self.match
        if len(self.seats) < match.seats:
            return
        clock = Clock(self.tick_ms, 0, 1000, 0, 0, 0, 0, 0)
        for number in range(match.seats):
            start = MatchStart("", "", number, (), {}, clock, "", 0, 0, match.view(number))
            await self.seats[number].send(encode(start))
        await self.show()
        if not match.awaited:
            await self.settled()
        if self.tick_ms:
            self.ticks = asyncio.create_task(self.ticking(self.tick_ms / 1000))

    async def commanded(self, seat: int, frame: str | bytes) -> None:
        """A frame of commands of a seat."""
        message = json.loads(frame)
        match = self.match
        if self.tick_ms:
            for command in message["commands"]:
                match.apply(seat, command)
            return
        if message["turn"] != match.turn:
            return
        for command in message["commands"]:
            match.apply(seat, command)
        if message.get("end_turn"):
            match.apply(seat, self.end_turn)
        if match.turn != message["turn"] or not match.awaited:
            await self.settled()

    async def settled(self) -> None:
        """Advance to where a seat is awaited, and show each turn, as Botarena does."""
        match = self.match
        if match.outcome is None and not match.awaited:
            match.advance()
        await self.show()
        if match.outcome is None and not match.awaited:
            await self.settled()

    async def ticking(self, step: float) -> None:
        due = time.monotonic()
        while self.match.outcome is None:
            due += step
            await asyncio.sleep(due - time.monotonic())
            self.match.advance()
            await self.show()

    async def show(self) -> None:
        match = self.match
        awaited, turn, outcome = match.awaited, match.turn, match.outcome
        for seat, connection in self.seats.items():
            view = match.view(seat)
            for name in self.once:
                view.pop(name, None)
            await connection.send(
                encode(View(turn, turn, view, act=seat in awaited, within_ms=1000))
            )
        if self.viewers:
            broadcast(self.viewers, encode(View(turn, turn, match.view(SPECTATOR))).decode())
        if outcome is not None:
            for connection in self.seats.values():
                await connection.send(encode(End(outcome_json(outcome))))
                await connection.close()
            for viewer in self.viewers:
                await viewer.close()


class BareMatches:
    """All matches of a server that have not ended."""

    def __init__(self, game: AnyGame, config: dict[str, Any]) -> None:
        self.game, self.config = game, config
        self.matches: dict[int, BareMatch] = {}
        self.viewers: dict[int, list[ServerConnection]] = {}

    async def hello(self, frame: str | bytes, connection: BareSeat) -> tuple[BareMatch, int]:
        hello = json.loads(frame)
        number, seed, seat = json.loads(hello["token"])
        match = self.matches.get(number)
        if match is None:
            match = self.matches[number] = BareMatch(self.game, self.config, seed)
            match.viewers = self.viewers.pop(number, [])
        match.once = hello.get("once", [])
        await match.joined(seat, connection)
        if len(match.seats) == match.match.seats:
            self.matches.pop(number, None)
        return match, seat


# --- websockets -----------------------------------------------------------------------------------


async def websockets_server(matches: BareMatches) -> None:
    async def play(connection: ServerConnection) -> None:
        async def send(frame: bytes) -> None:
            await connection.send(frame, text=True)

        hello = await connection.recv()
        if (watched := json.loads(hello).get("match")) is not None:
            matches.viewers.setdefault(watched, []).append(connection)
            await connection.wait_closed()
            return
        match, seat = await matches.hello(hello, BareSeat(send, connection.close))
        async for frame in connection:
            await match.commanded(seat, frame)

    async with serve(play, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        gc.freeze()
        await server.serve_forever()


# --- ASGI -----------------------------------------------------------------------------------------


async def asgi_server(matches: BareMatches) -> None:
    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})

        async def text(frame: bytes) -> None:
            await send({"type": "websocket.send", "text": frame.decode()})

        async def close() -> None:
            await send({"type": "websocket.close"})

        match, seat = await matches.hello((await receive())["text"], BareSeat(text, close))
        while (event := await receive())["type"] == "websocket.receive":
            await match.commanded(seat, event["text"])

    await uvicorn_server(app, ws="websockets-sansio", ws_per_message_deflate=False)


async def default_server(matches: BareMatches) -> None:
    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": event["text"]})

    await uvicorn_server(app)


async def uvicorn_server(app: Any, **options: Any) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        print(listening.getsockname()[1], flush=True)
        config = uvicorn.Config(app, log_level="error", lifespan="off", **options)
        gc.freeze()
        await uvicorn.Server(config).serve(sockets=[listening])


SERVERS: Final = {
    "websockets": websockets_server,
    "asgi": asgi_server,
    "default": default_server,
}


# --- frames for Node ------------------------------------------------------------------------------


def recorded(game: AnyGame, config: dict[str, Any], seed: int) -> dict[str, Any]:
    """What a match sends, for `twin.mjs`; its seats answer as those of the generator do."""
    return asyncio.run(_recorded(game, config, seed))


async def _recorded(game: AnyGame, config: dict[str, Any], seed: int) -> dict[str, Any]:
    match, dice, answer = BareMatch(game, config, seed), Random(seed), CHEAP[game.name]
    sent: list[list[str]] = [[] for _ in range(match.match.seats)]

    async def close() -> None:
        pass

    for seat, frames in enumerate(sent):

        async def send(frame: bytes, frames: list[str] = frames) -> None:
            frames.append(frame.decode())

        await match.joined(seat, BareSeat(send, close))
    if match.ticks is not None:
        match.ticks.cancel()
    starts, turns = [frames.pop(0) for frames in sent], []
    while True:
        awaited, number = sorted(match.match.awaited), match.match.turn
        frames = [[*frames] for frames in sent]
        turns.append({"frames": frames, "awaited": awaited, "number": number})
        if match.match.outcome is not None:
            break
        for all_of_seat in sent:
            all_of_seat.clear()
        for seat in awaited:
            commands = answer(frames[seat][-1].encode(), dice).decode()
            await match.commanded(seat, f'{{"turn":{number},"commands":{commands}}}')
        if match.tick_ms:
            match.match.advance()
            await match.show()
    seats = len(sent)
    return {"seats": seats, "tick_ms": match.tick_ms, "starts": starts, "turns": turns}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=SERVERS)
    parser.add_argument("--game", default="pyrat")
    parser.add_argument("--config", type=json.loads, default={})
    asked = parser.parse_args()
    loops()(SERVERS[asked.kind](BareMatches(GAMES[asked.game], asked.config)))


if __name__ == "__main__":
    main()
