"""Whole matches with the real libraries: the contest's bots connect unchanged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client_sdk.gateway.seats import SeatSource
from client_sdk.gateway.signalr.seats import ServerSeats
from tests.client_sdk.gateway.signalr.clients import (
    CLIENTS,
    PYTHON,
    HubBot,
    available,
    missing,
    own_animal,
    reports,
)
from tests.client_sdk.gateway.signalr.hubs import running_hub
from tests.server.live_server import LiveServer, hosted

SHORT = {"seats": 2, "map_size": 15, "max_ticks": 40, "tick_ms": 25}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("data")) as found:
        yield found


def guid(number: int) -> str:
    return f"6F9619FF-8B86-D011-B42D-00CF4FC964F{number}"


def played(server: LiveServer, lobby: str) -> dict[str, Any]:
    """The outcome of a match whose journal verifies."""
    outcome = server.over(lobby)
    assert server.verified(lobby).kind == "ok"
    return outcome


def lobby_of(server: LiveServer, bots: int, **config: Any) -> str:
    """A lobby for these bots."""
    lobby: str = server.create("zooscape", config=SHORT | {"seats": bots} | config)["lobby"]
    return lobby


@pytest.mark.parametrize("client", CLIENTS)
def test_a_library_that_is_installed_plays_below(client: str) -> None:
    """The others are reported as skipped."""
    if why := missing(client):
        pytest.skip(f"{client}: {why}")


def test_bots_with_every_library_play_a_whole_match(server: LiveServer) -> None:
    clients = available()
    lobby = lobby_of(server, len(clients))
    with running_hub(ServerSeats(SeatSource(server.url, lobby=lobby))) as url:
        bots = [
            HubBot(client, url, None if client == PYTHON else guid(number), client)
            for number, client in enumerate(clients)
        ]
        seen = reports(bots)

    outcome = played(server, lobby)
    for number, (client, report) in enumerate(zip(clients, seen, strict=True)):
        assert report["reason"] == "Game complete"
        assert len(report["connect"]) == 1
        assert report["registered"] == [report["botId"]]
        if client != PYTHON:
            assert report["botId"] == guid(number)
        assert report["ticks"] == sorted(set(report["ticks"]))
        assert 0 < report["ticks"][0] < report["ticks"][-1] == outcome["ticks"]
        assert len(report["ids"]) == len(clients)
        assert own_animal(report)["nickname"] == client
        own_ids = {other["botId"] for other in seen} - {report["botId"]}
        assert own_ids.isdisjoint(report["ids"]), "a bot sees the token of another"
    assert {seat["distance_covered"] > 0 for seat in outcome["seats"]} == {True}


def test_bots_whose_connections_break_return_to_their_seats(server: LiveServer) -> None:
    """The JavaScript clients by their cookie, the Python client by the id of its old connection.
    None of them calls Register again."""
    clients = available()
    lobby = lobby_of(server, len(clients), max_ticks=100_000)
    with running_hub(ServerSeats(SeatSource(server.url, lobby=lobby))) as url:
        seen = reports([HubBot(client, url, None, client, DROP_AT="5") for client in clients])

    for client, report in zip(clients, seen, strict=True):
        assert len(set(report["connect"])) == 2, client
        assert len(report["registered"]) == 1, client
        assert report["back"] == 5, "states in which it finds its own animal again"
        assert own_animal(report)["nickname"] == client


@pytest.mark.documents
def test_a_bot_with_the_older_python_library_plays_and_returns(
    server: LiveServer, tmp_path: Path
) -> None:
    """Two versions of it cannot be installed in one environment."""
    words = ["-m", "pip", "install", "--quiet", "--target", str(tmp_path), "signalrcore==0.9.71"]
    subprocess.run([sys.executable, *words], check=True)
    lobby = lobby_of(server, 1, max_ticks=100_000)
    with running_hub(ServerSeats(SeatSource(server.url, lobby=lobby))) as url:
        bot = HubBot(PYTHON, url, guid(0), "Akela", DROP_AT="5", SIGNALRCORE=str(tmp_path))
        report = bot.report()

    assert report["registered"] == [guid(0)]
    assert report["back"] == 5
    assert own_animal(report)["nickname"] == "Akela"
