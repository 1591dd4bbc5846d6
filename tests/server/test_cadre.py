"""Clients of the Cadre protocol play on a live server, through the gateway."""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from client_sdk.gateway.kinds import GATEWAYS
from client_sdk.gateway.running import listeners_at
from client_sdk.gateway.seats import SeatSource
from tests.client_sdk.gateway.joueur import Joueur, Line, Tcp, Websocket, ref
from tests.server.live_server import LiveServer

SHORT = "mapWidth=12&mapHeight=8&maxTurns=12&randomSeed=3"
HOST = "127.0.0.1"
ROOMS = itertools.count(1)


@dataclass
class Gate:
    """A gateway in this process."""

    server: LiveServer
    seats: SeatSource
    ports: list[int]

    def tcp(self, style: str = "Python") -> Tcp:
        return Tcp(HOST, self.ports[0], style)

    def websocket(self) -> Websocket:
        return Websocket(HOST, self.ports[1])


@contextlib.contextmanager
def opened(server: LiveServer, **options: Any) -> Iterator[Gate]:
    kind, seats = GATEWAYS["catastrophe"], SeatSource(server.url, **options)
    with contextlib.ExitStack() as sockets:
        listeners = [sockets.enter_context(one) for one in listeners_at(kind, f"{HOST}:0")]
        gateway = kind.open(listeners, seats)
        try:
            yield Gate(server, seats, [one.getsockname()[1] for one in listeners])
        finally:
            gateway.close("the test is over")


@pytest.fixture
def gate(live_server: LiveServer) -> Iterator[Gate]:
    with opened(live_server) as gate:
        yield gate


def room() -> str:
    """A name that no other lobby has."""
    return f"cup {next(ROOMS)}"


def together(*clients: Joueur) -> list[tuple[str, Any]]:
    """All play to the end; their last messages. A client that would have died fails the test."""
    ends: list[Any] = [None] * len(clients)

    def play(place: int) -> None:
        try:
            ends[place] = clients[place].run()
        except BaseException as fault:  # noqa: BLE001  raised again below
            ends[place] = fault

    threads = [threading.Thread(target=play, args=(place,)) for place in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return ends


def wanders(client: Joueur) -> bool:
    """Moves, works and talks at random; half of it is refused."""
    dice = random.Random(client.orders[-1])
    for unit in client.units():
        for _ in range(4):
            here = client.object(unit["tile"])
            there = ref(dice.choice(list(client.around(here)))["id"])
            client.call(unit["id"], dice.choice(["move", "move", "harvest", "convert"]), tile=there)
        client.call(unit["id"], "changeJob", job=dice.choice(["soldier", "builder", "gatherer"]))
        client.call(unit["id"], "log", message="mu\u0308de \U0001f63a")
    return True


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda gate: gate.tcp("Java"), lambda gate: gate.tcp("c++")),
        (lambda gate: gate.websocket(), lambda gate: gate.tcp("Python")),
    ],
    ids=["Java and C++", "websocket and Python"],
)
def test_strict_clients_play_a_whole_match_and_its_journal_verifies(
    gate: Gate,
    first: Callable[[Gate], Line],
    second: Callable[[Gate], Line],
):
    cup = room()
    clients = [
        Joueur(first(gate), wanders, requestedSession=cup, gameSettings=SHORT),
        Joueur(second(gate), wanders, requestedSession=cup, playerName="Wau"),
    ]
    ends = together(*clients)
    assert [event for event, _ in ends] == ["over", "over"], ends
    (match,) = [one for one in gate.server.get("/matches").json() if one["name"] == cup]
    assert gate.server.verified(match["match"]).kind == "ok"
    assert {player["name"] for player in match["players"]} == {"Miaow", "Wau"}
    winner = match["outcome"]["winner"]
    for client in clients:
        assert client.me["won"] is (client.player == str(winner))
        assert client.me["lost"] is not client.me["won"]
        assert client.me["reasonWon" if client.me["won"] else "reasonLost"].startswith("max turns")
        assert client.end[1]["message"].startswith("You won" if client.me["won"] else "You lost")
        assert f"/watch/{match['match']}" in client.end[1]["message"]
