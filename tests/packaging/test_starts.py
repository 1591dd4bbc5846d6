"""What a start does not import: what it takes is measured by `python -m benchmarks.load start`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from threading import Thread
from typing import Final

import pytest
from websockets.sync.server import ServerConnection, serve

from games.every import OURS

SERVER: Final = {"alembic", "fastapi", "pydantic", "server.cli", "sqlalchemy", "uvicorn"}
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
