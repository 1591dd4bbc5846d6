"""Gateways as processes: started beside a bot, and by a server."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from client_sdk.gateway.kinds import GATEWAYS
from client_sdk.gateway.running import listeners_at
from client_sdk.gateway.seats import SeatSource
from tests.client_sdk.gateway.joueur import Joueur, Tcp, Websocket, ref
from tests.e2e.arena import PATIENCE_S, Arena, free_port, started
from tests.forked_process import ForkedProcess
from tests.waiting import eventually

ROOT = Path(__file__).parents[2]
TINY = "mapWidth=12&mapHeight=8&maxTurns=4"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="sockets are handed to a process")


def gateways(log: list[str]) -> list[tuple[int, list[int]]]:
    """The process and ports of every gateway that has listened, from the log of the server."""
    lines = [line for line in log if "node=catastrophe" in line and "listens" in line]
    return [
        (
            int(re.findall(r"pid=(\d+)", line)[0]),
            [*map(int, re.findall(r"127\.0\.0\.1:(\d+)", line))],
        )
        for line in lines
    ]


def played(*clients: Joueur) -> None:
    """They join one after the other and play to the end."""
    for client in clients:
        client.join()
    for client in clients:
        client.begin()
    first, second = sorted(clients, key=lambda client: client.player)
    for turn in range(4):
        mover = (first, second)[turn % 2]
        mover.await_order()
        mover.finish(True)
    for client in clients:
        assert client.ending()[0] == "over"
        client.line.close()


def test_a_bridge_beside_a_client_plays_its_seat(arena: Arena):
    words = ["bridge", "catastrophe", arena.url, "--listen", "127.0.0.2:0"]
    bridge = ForkedProcess(words, errors=True)
    try:
        line = bridge.stdout.readline()
        tcp, websocket = map(int, re.findall(r"127\.0\.0\.2:(\d+)", line))
        play: dict[str, Any] = {"requestedSession": "bridged", "gameSettings": TINY}
        played(
            Joueur(Tcp("127.0.0.2", tcp), **play), Joueur(Websocket("127.0.0.2", websocket), **play)
        )
        client = Joueur(Tcp("127.0.0.2", tcp), requestedSession="new")
        client.join()
        bridge.send_signal(signal.SIGINT)
        assert client.ending() == ("fatal", {"message": "the gateway stops"})
        client.line.close()
        assert bridge.wait(PATIENCE_S) == 0
    finally:
        bridge.kill()
        bridge.wait()
        bridge.close()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["chess"], "no gateway"),
        (["catastrophe", "--listen", "127.0.0.1:http"], "HOST:PORT"),
        (["catastrophe", "--listen", "127.0.0.1:99999"], "--listen"),
    ],
)
def test_a_bridge_that_cannot_start_says_why(arena: Arena, words: list[str], why: str):
    bridge = ForkedProcess(["bridge", words[0], arena.url, *words[1:]])
    output, _ = bridge.communicate(timeout=PATIENCE_S)
    assert bridge.returncode == 2
    assert why in output


def test_a_server_starts_a_gateway_restarts_it_and_ends_it(tmp_path: Path):
    with started(tmp_path, BOTARENA_CADRE_PORT="0") as arena:
        ((pid, ports),) = eventually(lambda: gateways(arena.log))
        play: dict[str, Any] = {"requestedSession": "cup", "gameSettings": TINY}
        played(
            Joueur(Tcp("127.0.0.1", ports[0]), **play), Joueur(Tcp("127.0.0.1", ports[0]), **play)
        )
        os.kill(pid, signal.SIGTERM)
        _, (other, again) = eventually(lambda: len(gateways(arena.log)) > 1 and gateways(arena.log))
        assert other != pid
        assert again == ports
        client = Joueur(Websocket("127.0.0.1", ports[1]), requestedSession="new")
        client.join()
        arena.process.send_signal(signal.SIGTERM)
        assert client.ending()[0] == "fatal"
        client.line.close()
        assert arena.process.wait(PATIENCE_S) == 0
        eventually(lambda: not Path(f"/proc/{other}").exists())


@pytest.mark.soak
def test_several_server_processes_have_one_gateway(tmp_path: Path):
    program = ("-m", "client_sdk.cli", "serve", "--workers", "2", "--cadre-port", "0")
    with started(tmp_path, program=program) as arena:
        ((_, (port, _)),) = eventually(lambda: gateways(arena.log))
        play: dict[str, Any] = {"gameSettings": TINY}
        for room in ("one", "two", "three"):
            played(
                Joueur(Tcp("127.0.0.1", port), requestedSession=room, **play),
                Joueur(Tcp("127.0.0.1", port), requestedSession=room, **play),
            )


def test_a_client_notices_nothing_of_a_server_that_is_killed_and_started_again(tmp_path: Path):
    port = free_port()
    with contextlib.ExitStack() as bridge:
        with started(tmp_path, port=port) as arena:
            kind = GATEWAYS["catastrophe"]
            listeners = [*map(bridge.enter_context, listeners_at(kind, "127.0.0.1:0"))]
            gateway = kind.open(listeners, SeatSource(arena.url))
            bridge.callback(gateway.close, "the test is over")
            tcp = listeners[0].getsockname()[1]
            clients = [Joueur(Tcp("127.0.0.1", tcp), gameSettings=TINY) for _ in range(2)]
            for client in clients:
                client.join()
            for client in clients:
                client.begin()
            first, second = sorted(clients, key=lambda client: client.player)
            first.await_order()
            assert moves(first)
            arena.process.kill()
            arena.process.wait()
        before = {one["id"]: one["tile"] for one in first.units()}
        with started(tmp_path, port=port) as arena:
            first.finish(True)
            second.await_order()
            assert {id_: second.object(id_)["tile"] for id_ in before} == before
            second.finish(True)
            for mover in (first, second):
                mover.await_order()
                mover.finish(True)
            assert [client.ending()[0] for client in clients] == ["over", "over"]
            for client in clients:
                client.line.close()


def moves(client: Joueur) -> bool:
    """The client moves a unit."""
    return any(
        client.call(unit["id"], "move", tile=ref(tile["id"]))
        for unit in client.units()
        for tile in client.around(client.object(unit["tile"]))
    )


@pytest.mark.soak
def test_a_bridge_with_its_client_is_a_bot_like_any_command(tmp_path: Path):
    client = tmp_path / "client.py"
    client.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.client_sdk.gateway.joueur import Joueur, Tcp\n"
        "end = Joueur(Tcp(sys.argv[1], int(sys.argv[2]))).run()\n"
        "sys.exit(end[0] != 'over')\n"
    )
    host, port = "127.0.0.3", free_port()
    start = f"{sys.executable} {client} {host} {port}"
    bridge = f"{sys.executable} -m client_sdk.cli bridge catastrophe"
    bot = f"{bridge} --listen {host}:{port} --run {shlex.quote(start)}"
    words = ["play", "catastrophe", bot, "greedy", "--set", "max_turns=6"]
    play = ForkedProcess(words, environment=os.environ | {"PYTHONPATH": str(ROOT)})
    output, _ = play.communicate(timeout=PATIENCE_S)
    assert play.returncode == 0, output
    assert "turn 5" in output
