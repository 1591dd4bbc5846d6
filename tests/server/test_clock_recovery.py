"""After a crash the clocks stand where they stood, by what the journal says alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from server.matches.clock import MS
from server.matches.match_seat import MatchSeat
from server.matches.resume import Interrupted, interrupted, loaded
from tests.server.live_server import PLAYED, LiveServer, hosted

BANKED = {"turn_ms": 20, "grace_ms": 0, "bank_ms": 60_000, "increment_ms": 500, "absence": "plays"}


def crashed(live_server: LiveServer, lobby: str, folder: Path) -> Interrupted:
    """The match as restored from the current journal."""
    path = folder / f"{lobby}.journal.jsonl"
    path.write_text(live_server.journal_text(lobby))
    return loaded(interrupted(path, PLAYED), PLAYED)


def seats(live_server: LiveServer, lobby: str) -> list[MatchSeat]:
    live = live_server.arena.matches.lobbies.unfinished[lobby].live
    assert live is not None
    return list(live.seats)


def test_banks_network_time_and_thinking_time_continue_after_a_restart(tmp_path):
    (tmp_path / "after").mkdir()
    with hosted(tmp_path / "before") as live_server:
        lobby, (red, blue) = live_server.started("walk", config={"turns": 12}, clock=BANKED)
        for turn in range(4):
            seat = (red, blue)[turn % 2]
            seat.until("view", act=True, turn=turn)
            time.sleep(0.05)
            seat.answer(turn, {"do": "step", "by": 1})
            seat.answer(turn, end_turn=True)
        red.until("view", act=True, turn=4)
        live = seats(live_server, lobby)
        found = crashed(live_server, lobby, tmp_path / "after")

        for seat, clock, history in zip(live, found.clocks, found.histories, strict=True):
            increment = (
                500 * MS if seat.number == 0 else 0
            )  # the open turn's, which comes when that begins again
            assert clock.bank == pytest.approx(seat.clock.bank - increment, abs=4_000)
            assert clock.lag_used == pytest.approx(seat.clock.lag_used, abs=4_000) != 0
            assert history.tally.think_total == pytest.approx(seat.tally.think_total, abs=4_000)
            assert history.tally.think_max == pytest.approx(seat.tally.think_max, abs=4_000)
            assert history.tally.lag == pytest.approx(seat.tally.lag, abs=4_000)


def test_an_answered_open_turn_stays_charged(tmp_path):
    (tmp_path / "after").mkdir()
    with hosted(tmp_path / "before", lag_turn_ms=0) as live_server:
        lobby, (left, right) = live_server.started("duel", config={"rounds": 3}, clock=BANKED)
        left.until("view", act=True)
        right.until("view", act=True)
        time.sleep(0.3)
        left.answer(0, 1)
        live = seats(live_server, lobby)
        found = crashed(live_server, lobby, tmp_path / "after")

        assert live[0].clock.bank < (60_000 - 50) * MS
        assert found.clocks[0].bank == pytest.approx(live[0].clock.bank, abs=4_000)
        assert found.clocks[1].bank == 60_000 * MS


def test_a_seat_that_ran_out_of_time_has_nothing_left(tmp_path):
    (tmp_path / "after").mkdir()
    with hosted(tmp_path / "before") as live_server:
        clock = {"turn_ms": 10, "grace_ms": 0, "bank_ms": 30, "increment_ms": 0, "absence": "plays"}
        lobby, (left, _) = live_server.started("duel", config={"rounds": 100}, clock=clock)
        left.until("event", event="timeout", turn=1)
        live = seats(live_server, lobby)
        found = crashed(live_server, lobby, tmp_path / "after")

        assert [0, 0] == [one.bank for one in found.clocks] == [seat.clock.bank for seat in live]
