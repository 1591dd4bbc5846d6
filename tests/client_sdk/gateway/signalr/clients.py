"""Bots that play over the hub with the libraries that the contest's bots use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[4]
JAVASCRIPT = ("signalr8", "signalr10")
"""Packages of package.json: two major versions of @microsoft/signalr."""
PYTHON = "signalrcore"


CLIENTS = (*JAVASCRIPT, PYTHON)


def missing(client: str) -> str | None:
    """Why this client cannot run here."""
    if client == PYTHON:
        return None if find_spec(PYTHON) else "make venv has not installed it"
    if which("node") is None:
        return "node is not installed"
    return None if (ROOT / "node_modules" / client).is_dir() else "npm ci has not installed it"


def available() -> list[str]:
    """The clients that can run here; skips the test if there are none."""
    found = [client for client in CLIENTS if missing(client) is None]
    if not found:
        pytest.skip("none of the clients is installed")
    return found


class HubBot:
    """A bot in a process of its own."""

    def __init__(
        self,
        client: str,
        url: str,
        token: str | None = None,
        nickname: str = "Mowgli",
        **environment: str,
    ) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        named = {"RUNNER_IPV4": host, "RUNNER_PORT": port, "BOT_NICKNAME": nickname}
        if token is not None:
            named["Token"] = token
        program = (
            [sys.executable, str(HERE / "python_bot.py")]
            if client == PYTHON
            else ["node", str(HERE / "bot.mjs"), client]
        )
        self.process = subprocess.Popen(
            program,
            env=os.environ | named | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def report(self, within_s: float = 120.0) -> dict[str, Any]:
        """What the bot saw, once it has ended by itself with status 0."""
        try:
            out, err = self.process.communicate(timeout=within_s)
        finally:
            self.process.kill()
        assert self.process.returncode == 0, err
        report: dict[str, Any] = json.loads(out.splitlines()[-1])
        return report


def reports(bots: Iterable[HubBot]) -> list[dict[str, Any]]:
    """What each of them saw."""
    bots = list(bots)
    try:
        return [bot.report() for bot in bots]
    finally:
        for bot in bots:
            bot.process.kill()


def own_animal(report: Mapping[str, Any]) -> dict[str, Any]:
    """The animal with the bot's id in the last state that it saw."""
    [animal] = [one for one in report["last"]["animals"] if one["id"] == report["botId"]]
    return dict(animal)
