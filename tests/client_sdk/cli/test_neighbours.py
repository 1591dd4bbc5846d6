"""Files beside a bot that have the name of one of our packages, or of a module of Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.client_sdk.cli.conftest import botarena, environment

TINY = ("--set", "preset=tiny", "--set", "max_turns=12", "--set", "move_timeout_ms=20000")
BOT = """\
import random

import games
import server
from botarena.pyrat import Bot, Direction

assert games.MINE and server.MINE


class Mine(Bot):
    def think(self, state, ctx):
        return random.choice(list(Direction))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("games", "server", "random", "json", "queue"):
        (tmp_path / f"{name}.py").write_text("MINE = True\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(BOT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("play", "pyrat", "mine.py", "greedy", *TINY),
        ("play", "pyrat", "mine.py", "greedy", "--isolate", *TINY),
        ("play", "pyrat", "mine.py", f'"{sys.executable}" -P -m client_sdk.run mine.py', *TINY),
        ("batch", "pyrat", "mine.py", "greedy", "--pairs", "1", "--jobs", "1", *TINY),
        ("check-bot", "mine.py", "--game", "pyrat", *TINY),
    ],
    ids=["play", "isolate", "command", "batch", "check-bot"],
)
def test_modules_beside_a_bot_are_its_own_and_harm_no_command(folder, words):
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "client_sdk.cli", *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )

    assert ran.returncode == (2 if words[0] == "batch" else 0), ran.stderr
    assert "failed" not in ran.stderr
    assert "Error" not in ran.stdout + ran.stderr


def test_modules_beside_a_bot_do_not_harm_a_match_on_a_server(folder, server):
    ran = botarena("join", server, "mine.py", "--game", "pyrat", "--lobby", "absent", cwd=folder)

    assert "no lobby" in ran.err
