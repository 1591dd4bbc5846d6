"""`botarena bridge zooscape` as a process."""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client_sdk.cli import run
from tests.client_sdk.gateway.signalr.sockets import HubSocket, connected
from tests.forked_process import ForkedProcess
from tests.server.live_server import LiveServer, hosted

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
QUICK = {"seats": 1, "map_size": 15, "max_ticks": 30, "tick_ms": 20}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("data")) as found:
        yield found


@contextlib.contextmanager
def bridged(server: LiveServer, *options: str) -> Iterator[tuple[str, ForkedProcess]]:
    """The address of its host, and the process."""
    words = ["bridge", "zooscape", server.url, "--listen", "127.0.0.1:0", *options]
    process = ForkedProcess(words)
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        listening = next(line for line in lines if line.startswith("listening on "))
        yield f"http://{listening.split()[-1]}", process
    finally:
        process.terminate()
        process.wait(60)
        process.close()


def test_a_bot_plays_over_the_bridge_with_the_token_of_a_seat(server: LiveServer) -> None:
    """It sends commands as fast as the Java starter does, and is not closed for it."""
    lobby = server.create("zooscape", config=QUICK)["lobby"]
    seat = server.join(lobby, "Mowgli")
    with bridged(server, "--token", seat["token"]) as (url, _), connected(url) as socket:
        bot = HubSocket(socket)
        bot.greets()
        bot.calls("Register", GUID, "Kaa")
        assert bot.event("Registered") == GUID
        command = {"type": 1, "target": "BotCommand", "arguments": [{"action": "RIGHT"}]}
        states = []
        while (message := bot.next())["target"] == "GameState":
            states.append(message["arguments"][0])
            bot.says(*[command] * 30)

        assert message == {"type": 1, "target": "Disconnect", "arguments": ["Game complete"]}
        assert bot.next() == {"type": 7}
        assert bot.next() is None

    ticks = [state["tick"] for state in states]
    assert ticks == sorted(set(ticks))
    assert (ticks[0] > 0, ticks[-1]) == (True, server.over(lobby)["ticks"])
    assert {(animal["id"], animal["nickname"]) for animal in states[-1]["animals"]} == {
        (GUID, "Mowgli")
    }
    assert len(states[-1]["cells"]) == 15 * 15
    assert server.verified(lobby).kind == "ok"


def test_a_bridge_that_is_stopped_lets_its_bots_leave_and_ends_with_status_0(
    server: LiveServer,
) -> None:
    with bridged(server, "--lobby", "new") as (url, process), connected(url) as socket:
        bot = HubSocket(socket)
        bot.greets()
        bot.calls("Register", None, "Kaa")
        assert bot.event("Registered")
        process.send_signal(signal.SIGINT)

        assert "stops" in bot.event("Disconnect")
        assert bot.next() == {"type": 7}
        assert process.wait(60) == 0


def test_a_bridge_without_uvicorn_names_the_extra(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    assert run(["bridge", "zooscape", server.url, "--listen", "127.0.0.1:0"]) == 2

    assert "pip install 'botarena[server]'" in capsys.readouterr().err


def test_a_starter_that_the_bridge_starts_is_a_command_for_every_verb(
    server: LiveServer, capfd: pytest.CaptureFixture[str]
) -> None:
    """It finds the hub in its environment, and the bridge finds the seat in its own."""
    starter = shlex.join([sys.executable, str(Path(__file__).with_name("python_bot.py"))])
    bridge = [sys.executable, "-m", "client_sdk.cli", "bridge", "zooscape"]
    command = shlex.join([*bridge, "--listen", "127.0.0.1:0", "--run", starter])
    lobby = server.create("zooscape", config=QUICK)["lobby"]

    words = ["join", server.url, command, "--game", "zooscape", "--lobby", lobby]
    assert run([*words, "--name", "Akela"]) == 0

    report = capfd.readouterr().err
    assert '"reason": "Game complete"' in report
    assert '"nickname": "Akela"' in report
    assert server.over(lobby)["reason"] == "max_ticks"


@pytest.mark.parametrize(
    ("starter", "status", "why"),
    [
        (f"{shlex.quote(sys.executable)} -c 'raise SystemExit(7)'", 7, ""),
        ("no-such-starter", 2, "--run: "),
        ("'", 2, "--run: "),
    ],
)
def test_a_bridge_ends_with_the_status_of_its_starter(
    server: LiveServer, capfd: pytest.CaptureFixture[str], starter: str, status: int, why: str
) -> None:
    words = ["bridge", "zooscape", server.url, "--listen", "127.0.0.1:0", "--run"]

    assert run([*words, starter]) == status

    assert why in capfd.readouterr().err
