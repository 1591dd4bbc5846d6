"""Catastrophe's API over the real server: against plain JSON, on a connection that drops within a
turn, and with a wrong result."""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import threading
from collections.abc import Iterable
from typing import Any

import pytest

from client_sdk.api import catastrophe_mirror
from client_sdk.api.catastrophe import AI
from client_sdk.bot import Bot, Start, house
from client_sdk.live import play
from games import GAMES
from games.core.contract import Reply
from games.core.journal import lines
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, Arena

TURNS = 24
CONFIG = {"map_width": 12, "map_height": 8, "max_turns": TURNS}


class Plain(Bot):
    """A bot of plain JSON that sends its commands one by one."""

    def on_start(self, start: Start) -> None:
        self.seat = start.seat
        self.codes: list[str] = []

    def decide(self, view: Any) -> Iterable[Any]:
        human = next(
            one
            for one in view["units"]
            if one["owner"] == self.seat and one["job"] == "fresh human"
        )
        way = 1 if view["turn"] % 4 < 2 else -1
        return [
            {"cmd": "move", "unit": human["id"], "x": human["x"], "y": human["y"] + way},
            {"cmd": "end_turn"},
        ]

    def on_results(self, results: Iterable[Reply]) -> None:
        self.codes += [reply.code for reply in results]


class Restless(AI):
    """Moves all its units step by step, each as a frame of its own, and records its commands."""

    def start(self) -> None:
        self.did: list[tuple[int, dict[str, Any]]] = []
        self.dice = random.Random(1)

    def run_turn(self) -> bool:
        for unit in self.player.units:
            while unit.moves:
                free = (
                    [tile for tile in unit.tile.get_neighbors() if tile.is_pathable()]
                    if unit.tile
                    else []
                )
                if not free:
                    break
                tile = self.dice.choice(free)
                assert unit.move(tile)
                self.did.append(
                    (
                        self.game.current_turn,
                        {"cmd": "move", "unit": unit.id, "x": tile.x, "y": tile.y},
                    )
                )
                self.between()
        return True

    def between(self) -> None:
        """After every step."""


class Torn(Restless):
    """Its connection drops every few steps, right after a frame."""

    breaks = 0

    def between(self) -> None:
        if len(self.did) % 5 == 0:
            line = self.link._connection._socket
            if line is not None:
                self.breaks += 1
                with contextlib.suppress(OSError):  # broken already
                    line.socket.shutdown(socket.SHUT_RDWR)


class Misled(Restless):
    """In the middle of the match one result differs from the server's."""

    looks = 0

    def run_turn(self) -> bool:
        if self.game.current_turn == 6:
            pending, fresh = self.link.pending_results, self.link.fresh_view

            def spoilt() -> list[list[Reply]]:
                results = pending()
                if results and not self.looks:
                    results[0][0] = Reply("refused", "out_of_moves", "so it says")
                return results

            def looked() -> Any:
                self.looks += 1
                return fresh()

            self.link.pending_results, self.link.fresh_view = spoilt, looked
        return super().run_turn()

    def between(self) -> None:
        while self.game.current_turn == 6 and not self.looks:
            self._mirror.keep_pace()  # until the results are there


def played(arena: Arena, *bots: Bot) -> tuple[dict[str, Any], bytes]:
    """A whole match of these; its outcome and its journal, which holds."""
    rest = arena.rest
    lobby = rest.create("catastrophe", config=CONFIG, clock={"absence_ms": 60_000}, seed=7)["lobby"]
    seats = [rest.join(lobby, "catastrophe", name) for name in ("left", "right")]
    threads = [
        threading.Thread(target=play, args=(bot, seat["url"], seat["token"]), daemon=True)
        for bot, seat in zip(bots, seats, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    outcome = arena.over(lobby)["outcome"]
    journal = arena.record(lobby, "journal")
    assert verify(journal, GAMES).kind == "ok"
    return outcome, journal


def carried_out(journal: bytes, seat: int) -> list[tuple[int, Any]]:
    """The commands of a seat, by their turns, without its ends of turns. None of them was
    refused."""
    found = [
        line.fields
        for line in lines(journal.decode())
        if line.fields["k"] == "command" and line.fields["s"] == seat
    ]
    assert {"ok"} == {fields["r"] for fields in found}
    return [(fields["n"], fields["c"]) for fields in found if fields["c"] != {"cmd": "end_turn"}]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command goes out at once."""
    monkeypatch.setattr(catastrophe_mirror, "FRESH_S", -1.0)


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Log records of the SDK, without those of the websocket library about cut connections."""
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno >= logging.ERROR and record.name == "botarena"
    ]


def test_the_api_and_plain_json_play_a_whole_match(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    plain, restless = Plain(), Restless()

    outcome, journal = played(arena, plain, restless)

    assert outcome["turns"] == TURNS - 1
    assert plain.codes.count("ok") >= TURNS // 2
    assert restless.did == carried_out(journal, 1)
    assert len(restless.did) > TURNS
    assert errors(caplog) == []


@pytest.mark.usefixtures("impatient")
def test_a_drop_within_a_turn_loses_and_doubles_no_command(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    torn = Torn()

    _, journal = played(arena, torn, house("catastrophe", "gatherers"))

    assert torn.breaks > 10
    assert torn.did == carried_out(journal, 0)
    assert errors(caplog) == []


@pytest.mark.usefixtures("impatient")
def test_a_wrong_result_is_logged_and_the_servers_view_is_used(
    arena: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    misled = Misled()

    _, journal = played(arena, misled, house("catastrophe", "gatherers"))

    assert misled.looks == 1
    (error,) = errors(caplog)
    assert "the server and this bot's mirror differ" in error
    assert "out_of_moves so it says" in error
    assert misled.did == carried_out(journal, 0)
