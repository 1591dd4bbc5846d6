"""Files beside a bot that have the name of one of our packages, or of a module of Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.client_sdk.cli.conftest import botarena

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
    ran = botarena(*words, cwd=folder)

    assert ran.status == (2 if words[0] == "batch" else 0), ran.err
    assert "failed" not in ran.err
    assert "Error" not in ran.out + ran.err


def test_modules_beside_a_bot_do_not_harm_a_match_on_a_server(folder, server):
    ran = botarena("join", server, "mine.py", "--game", "pyrat", "--lobby", "absent", cwd=folder)

    assert "no lobby" in ran.err
