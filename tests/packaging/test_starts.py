"""What a start does not import: what it takes is measured by `python -m benchmarks.load start`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from threading import Thread
from typing import Final

import httpx
import pytest
from websockets.sync.server import ServerConnection, serve

from games.every import OURS
from tests.waiting import eventually

SERVER: Final = {"alembic", "fastapi", "pydantic", "server.cli", "sqlalchemy", "uvicorn"}
NOT_AT_THE_START: Final = {
    "alembic": "the tables of a new database are created, those of a current one are left",
    "client_sdk.connection": "the gateways are processes of their own",
    "client_sdk.local.check": "bots that are handed in are checked in a child process",
    "httpx": "there are no peers and there is no webhook",
    "pydantic.v1": "FastAPI imports it for a parameter of a route that it reads",
}
SCREEN: Final = {"rich", "typer.rich_utils"}
BOT: Final = """\
import botarena.{game}
from botarena import Bot


class Mine(Bot):
    game = "{game}"

    def decide(self, view):
        return []


if __name__ == "__main__":
    Mine().run()
"""


def imports(*arguments: object) -> list[str]:
    """The command that runs Python with these arguments and says what it imports."""
    return [sys.executable, "-X", "importtime", *map(str, arguments)]


def imported(said: str) -> set[str]:
    """The modules, and the packages that they are in."""
    names = re.findall(r"^import time:.*\| +([\w.]+)$", said, re.MULTILINE)
    parts = [name.split(".") for name in names]
    return {".".join(one[:number]) for one in parts for number in range(1, len(one) + 1)}


def test_help_imports_no_verb_and_nothing_that_a_verb_needs():
    ran = subprocess.run(
        imports("-m", "client_sdk.cli", "--help"), capture_output=True, text=True, check=True
    )
    found = imported(ran.stderr)

    assert {name for name in found if name.startswith(("client_sdk.", "games."))} == {
        "client_sdk.cli",
        "client_sdk.cli.options",
        "client_sdk.cli.overview",
        "client_sdk.cli.verbs",
        "client_sdk.console",
        "client_sdk.version",
        "games.core",
        "games.core.errors",
    }
    assert not found & (SERVER | SCREEN | {"asyncio", "httpx", "msgspec", "websockets"})


def test_a_server_imports_until_it_is_ready_only_what_it_needs_then(tmp_path):
    log = tmp_path / "log"
    with (
        log.open("w") as err,
        subprocess.Popen(
            imports("-m", "client_sdk.cli", "serve", "--port", 0, "--data-dir", tmp_path / "data"),
            env={name: text for name, text in os.environ.items() if "BOTARENA_" not in name},
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        assert eventually(lambda: httpx.get(f"{url}/readyz").status_code == 200)
        process.terminate()
    found = imported(log.read_text(encoding="utf-8"))

    assert {"fastapi", "pydantic", "sqlalchemy", "uvicorn"} <= found
    assert {name: why for name, why in NOT_AT_THE_START.items() if name in found} == {}


@pytest.mark.parametrize(
    ("peers", "loaded"), [("", False), ("'a', {'a': 'http://a', 'b': 'http://b'}", True)]
)
def test_a_server_with_peers_imports_their_client_before_matches_run(peers, loaded):
    program = f"""
from server.cluster.client import PeerClient
from server.cluster.peers import Peers
PeerClient(Peers({peers}))
"""
    ran = subprocess.run(imports("-c", program), capture_output=True, text=True, check=True)

    assert ("httpx" in imported(ran.stderr)) is loaded


@pytest.mark.parametrize("game", OURS)
def test_a_bot_imports_until_its_hello_its_own_game_and_no_command_line(game, tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(BOT.format(game=game))

    def hello(connection: ServerConnection) -> None:
        connection.recv()
        process.kill()

    with serve(hello, "127.0.0.1", 0) as server:
        url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}/ws/play"
        process = subprocess.Popen(
            imports(file),
            env=os.environ | {"BOTARENA_URL": url, "BOTARENA_TOKEN": "s_1"},
            stderr=subprocess.PIPE,
            text=True,
        )
        accepting = Thread(target=server.serve_forever)
        accepting.start()
        _, said = process.communicate(timeout=60)
        server.shutdown()
        accepting.join()
    found = imported(said)

    assert {"websockets.sync.client", f"games.{game}"} <= found
    assert not found & (SERVER | SCREEN)
    assert not found & {"typer", "asyncio", "httpx", "client_sdk.cli", "games.every"}
    assert not found & {f"games.{other}" for other in OURS if other != game}
