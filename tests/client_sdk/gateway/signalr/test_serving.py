"""A server that serves the hub of Zooscape's contest too."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.client_sdk.gateway.signalr.sockets import HubSocket, connected
from tests.e2e.arena import started
from tests.waiting import eventually

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="sockets are handed to a process")


def hub_of(log: list[str]) -> str | None:
    """The address of the hub, once it listens."""
    lines = [line for line in log if "node=zooscape" in line and "listens" in line]
    return f"http://{re.findall(r'127.0.0.1:[0-9]+', lines[0])[0]}" if lines else None


def test_bots_of_the_contest_get_seats_in_open_lobbies_of_a_server(tmp_path: Path) -> None:
    config = {"seats": 2, "map_size": 15, "max_ticks": 20, "tick_ms": 20}
    with started(tmp_path, BOTARENA_SIGNALR_PORT="0") as arena:
        url = eventually(lambda: hub_of(arena.log))
        lobby = arena.rest.create("zooscape", config=config)["lobby"]
        with connected(url) as first, connected(url) as second:
            bots = [HubSocket(socket) for socket in (first, second)]
            for bot, token in zip(bots, (GUID, None), strict=True):
                bot.greets()
                bot.calls("Register", token, f"bot {token}")
            ids = [bot.event("Registered") for bot in bots]
            assert ids[0] == GUID

            assert [bot.event("Disconnect") for bot in bots] == ["Game complete"] * 2
        assert arena.over(lobby)["outcome"]["reason"] == "max_ticks"
