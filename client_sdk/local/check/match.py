"""One match of the bot that is checked, observed from outside."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from client_sdk.console import UserError
from client_sdk.local.check.relay import Passed, relay
from client_sdk.local.players import PlayerSpec, command
from client_sdk.local.server import local_server
from client_sdk.process import BotProcess
from client_sdk.rest import RestClient
from client_sdk.running import running_s
from games.core.contract import Json

TURNS: Final = 10
"""Answered turns that are checked before the messages have unknown fields."""
EXIT_S: Final = 5.0
STARTUP_S: Final = 30.0


@dataclass(slots=True)
class ObservedMatch:
    passed: Passed
    seat: int
    launched: float
    status: int | None
    """The exit status; None: it did not end by itself."""
    output: str
    outcome: dict[str, Json] | None
    exit_s: float = 0.0

    def received(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that the bot got."""
        return [(at, message) for at, message in self.passed.to_bot if message.get("type") == kind]

    def sent(self, kind: str) -> list[tuple[float, dict[str, Json]]]:
        """The messages of this kind that it sent."""
        messages = [(at, message) for at, message in self.passed.from_bot if message is not None]
        return [(at, message) for at, message in messages if message.get("type") == kind]

    def asked(self) -> dict[int, tuple[float, int | None]]:
        """When each turn was put to the bot, and its limit, ms."""
        asked: dict[int, tuple[float, int | None]] = {}
        for at, view in self.received("view"):
            if view.get("act"):
                asked.setdefault(view["turn"], (at, view.get("within_ms")))
        return asked

    def answered(self) -> dict[int, float]:
        """How long each answer took, s."""
        asked = self.asked()
        took: dict[int, float] = {}
        for at, message in self.sent("commands"):
            turn = message.get("turn")
            if isinstance(turn, int) and turn in asked:
                took.setdefault(turn, at - asked[turn][0])
        return took


def observe(
    game: str, player: PlayerSpec, opponent: str, config: dict[str, Json], seed: int
) -> ObservedMatch:
    """Let the bot play one match through a relay. Raises UserError."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = stack.enter_context(local_server(Path(folder)))
        rest = stack.enter_context(RestClient(url))
        lobby = rest.create(game, config=config, seed=seed)
        seat = rest.join(lobby["lobby"], game, player.label, seat=0)
        address, passed = stack.enter_context(relay(seat["url"], TURNS))
        launched = running_s()
        try:
            process = stack.enter_context(
                BotProcess(command(game, player), url=address, token=seat["token"], game=game)
            )
        except OSError as fault:
            raise UserError(f"{player.spec} cannot be started: {fault}") from None
        _until(lambda: bool(passed.from_bot) or process.returncode is not None, STARTUP_S)
        for place in range(1, len(lobby["seats"])):
            rest.add_bot(lobby["lobby"], opponent, lobby["owner_token"], place)
        outcome = _outcome(rest, lobby["lobby"], seat["token"], process)
        status, exit_s = _ended(process)
        return ObservedMatch(passed, 0, launched, status, process.output, outcome, exit_s)


def _until(condition: Callable[[], bool], timeout_s: float) -> bool:
    deadline = running_s() + timeout_s
    while not condition():
        if running_s() > deadline:
            return False
        time.sleep(0.02)
    return True


def _outcome(
    rest: RestClient, match: str, token: str, process: BotProcess
) -> dict[str, Json] | None:
    """Wait for the end of the match. The seat of a program that has ended before is given up, so
    that the match does not wait for it."""
    left = False
    while True:
        lobby: dict[str, Json] = rest.lobby(match)
        if lobby["state"] in ("over", "cancelled"):
            outcome: dict[str, Json] | None = lobby["outcome"]
            return outcome
        gone = process.returncode is not None and not left
        if gone and not _until(lambda: rest.lobby(match)["state"] == "over", 1.0):
            left = True
            rest.leave(match, token)
            if lobby["state"] == "open":
                return None
        time.sleep(0.05)


def _ended(process: BotProcess) -> tuple[int | None, float]:
    """The exit status, and how long the end took."""
    begun = running_s()
    if _until(lambda: process.returncode is not None, EXIT_S):
        process.wait()
    return process.returncode, running_s() - begun
