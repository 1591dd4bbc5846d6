"""Programs that attack over sockets: in the sandbox they reach the play socket of their match's
server, and nothing else."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from client_sdk.bounds import MB, Bounds
from client_sdk.local.games import Task, TaskResult, play
from client_sdk.local.players import PlayerSpec
from client_sdk.local.server import local_server
from client_sdk.replay import JOURNAL_SUFFIX
from tests.hostile.test_files import states
from tests.hostile.world import World, namespaces, sandboxed, world
from tests.waiting import eventually

pytestmark = sandboxed
BOUNDS = Bounds(memory_bytes=256 * MB, processes=16, disk_bytes=24 * MB, sandbox="bubblewrap")
CONFIG = {
    "preset": "tiny",
    "max_turns": 3,
    "preprocessing_timeout_ms": 0,
    "move_timeout_ms": 300,
    "network_grace_ms": 0,
}
SILENT = """
from botarena import Bot

class Silent(Bot):
    game = "pyrat"
    def decide(self, view):
        return []
"""
PROGRAM = """
import json, os, socket, subprocess, sys, time
from urllib.parse import urlsplit
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

print("namespace", os.readlink("/proc/self/ns/pid"))
{world}
URL = os.environ["BOTARENA_URL"]
SERVER = (urlsplit(URL).hostname, urlsplit(URL).port)


def asks(*requests):
    \"\"\"Send these requests on one connection. The number of answers, and the first status.\"\"\"
    about = "HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 2\\r\\n\\r\\n{{}}"
    with socket.create_connection(SERVER, 10) as line:
        line.sendall("".join(f"{{request}} {{about}}" for request in requests).encode())
        answer = b""
        while chunk := line.recv(65536):
            answer += chunk
    return answer.decode().count("HTTP/1.1 "), answer.decode().split()[1]


{attack}
sys.stdout.flush()
os.execv(sys.executable, [sys.executable, "-m", "client_sdk.run", "silent.py"])
"""

ATTACKS = {
    "asks_the_server_for_other_matches": (
        "print('answers', *asks('GET /api/v1/matches'))",
        r"answers 1 403",
    ),
    "makes_lobbies": ("print('answers', *asks('POST /api/v1/lobbies'))", r"answers 1 403"),
    "hides_a_request_behind_another": (
        "print('answers', *asks('GET /ws/play', 'GET /healthz'))",
        r"answers 1 4\d\d",
    ),
    "holds_all_connections": (
        """
        held = [socket.create_connection(SERVER, 10) for _ in range(5)]
        late = socket.create_connection(SERVER, 10)
        late.settimeout(1)
        late.sendall(b"GET /healthz HTTP/1.1\\r\\n\\r\\n")
        try:
            print("answered", late.recv(100))
        except TimeoutError:
            print("no answer to the fifth")
        for line in (*held, late):
            line.close()
        """,
        "no answer to the fifth",
    ),
    "guesses_the_token_of_another_seat": (
        """
        for token in ("s_1", os.environ["BOTARENA_TOKEN"][:-1] + "x"):
            with connect(URL, proxy=None) as line:
                line.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
                try:
                    print(line.recv(5), line.recv(5))
                except ConnectionClosed as closed:
                    print("closed with", closed.rcvd.code)
        """,
        r"closed with 4401",
    ),
    "speaks_garbage": (
        """
        with connect(URL, proxy=None) as line:
            line.send(b"\\xff" * 1000)
            try:
                while True: line.recv(5)
            except ConnectionClosed as closed:
                print("closed with", closed.rcvd.code)
        """,
        r"closed with 4\d\d\d",
    ),
    "connects_to_the_database": (
        """
        try:
            socket.create_connection(("127.0.0.1", PORT), 5)
            print("Gained")
        except ConnectionRefusedError as fault:
            print(fault)
        """,
        "Connection refused",
    ),
    "reads_the_plan_and_leaves_a_daemon": (
        "subprocess.run(f'cat {PLAN} {RIVAL}; setsid sleep 600 &', shell=True, "
        "stderr=subprocess.STDOUT)",
        "No such file or directory",
    ),
}


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("contest")) as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    folder = tmp_path_factory.mktemp("server")
    with local_server(folder) as url:
        yield url, folder


def played(
    attack: str, around: World, server: tuple[str, Path], folder: Path
) -> tuple[TaskResult, list[dict[str, Any]], str]:
    """A game against a house bot: what became of it, its journal, and what the program printed."""
    home = folder / "mine"
    for made in (home / "tmp", folder / "games", folder / "logs"):
        made.mkdir(parents=True)
    names = "\n".join(
        f"{name} = {value!r}" for name, value in around.names.items() if name != "URL"
    )
    (home / "attack.py").write_text(PROGRAM.format(world=names, attack=dedent(attack)))
    (home / "silent.py").write_text(SILENT)
    task = Task(
        record="game",
        game="pyrat",
        config=CONFIG,
        map_text=None,
        seed=5,
        players=(
            PlayerSpec(
                "hostile", shlex.join([sys.executable, "attack.py"]), "command", home=str(home)
            ),
            PlayerSpec("greedy", "greedy", "house"),
        ),
        limit_s=None,
        games=folder / "games",
        logs=folder / "logs",
        limits=BOUNDS,
        server=server,
    )
    done = play(task)
    journal = folder / "games" / f"game{JOURNAL_SUFFIX}"
    lines = (
        [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    )
    return done, lines, (folder / "logs" / "game.0.hostile.log").read_text()


@pytest.fixture(scope="module")
def silent(
    around: World, server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Any, ...]]:
    return states(played("", around, server, tmp_path_factory.mktemp("silent"))[1])


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_program_affects_only_its_own_match(
    name: str,
    around: World,
    server: tuple[str, Path],
    silent: list[tuple[Any, ...]],
    tmp_path: Path,
) -> None:
    attack, cause = ATTACKS[name]
    done, journal, output = played(attack, around, server, tmp_path)

    assert done.outcome is not None, done.why
    assert re.search(cause, output), output
    assert "Gained" not in output
    assert around.secret not in output
    assert silent == states(journal)
    around.unharmed()
    lived_in = set(re.findall(r"namespace (pid:\[\d+\])", output))
    assert lived_in
    eventually(lambda: not lived_in & namespaces())
