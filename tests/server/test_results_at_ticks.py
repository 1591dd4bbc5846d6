"""Realtime: when the results of commands leave."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from client_sdk.wire.messages import ClientHello, Commands
from games.core.match import Match
from server.matches.client import Client
from server.matches.clock import seat_clock
from server.matches.match_seat import MatchSeat
from server.matches.messages import FrameReceived
from tests.core.throw_in import RACE
from tests.server.line import Line
from tests.server.matches_alone import match_alone


@pytest.mark.parametrize(
    ("tick_ms", "actions", "waits"),
    [(250, ["walk"], True), (250, ["walk", "fly"], False), (251, ["walk"], False)],
    ids=["with the next view", "a refusal at once", "a tick that is far away"],
)
async def test_results_that_are_all_ok_leave_with_the_view_of_a_tick_that_is_near(
    tmp_path: Path, tick_ms: int, actions: list[str], waits: bool
) -> None:
    match = Match.begin(RACE, {"seats": 1, "tick_ms": tick_ms}, 1)
    line = Line(frames=100, size=100_000)
    client = Client(line.connection, ClientHello(1), 0, ())
    seat = MatchSeat(0, "animal", "x", "bot", seat_clock(match.pacing, "bot"), client, ready=True)
    live = match_alone(match, [seat], tmp_path / "1.journal.jsonl")
    live._turns.open()
    frame = Commands(tuple({"action": action} for action in actions))

    live.post(FrameReceived(client, frame, time.monotonic_ns()))
    live._dispatcher.answer_the_rest()
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    assert (b"results" not in line.wire.out) is waits
    match.advance()
    live._broadcaster.release()
    live._turns.open()
    assert line.wire.out.index(b"results") < line.wire.out.rindex(b"view")
    live._file.close()
