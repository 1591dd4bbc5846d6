"""Games that are due and not played are counted, with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.live_server import eventually
from tests.server.numbers import number
from tests.tournaments.stage import Stage, staged

TABLE = {"format": "round-robin", "matches_per_pairing": 1, "check": False}


def waiting(stage: Stage, reason: str) -> float:
    return number(stage.live_server, "botarena_games_waiting", game="pyrat", reason=reason)


def test_waiting_games_are_counted_by_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.tournaments.results.RETRY_S", 600.0)
    monkeypatch.setattr("server.tournaments.results.LONGEST_RETRY_S", 600.0)
    with staged(tmp_path, monkeypatch, games_at_once=1) as stage:
        guest = stage.guest("Ada")
        with_guest = stage.made("greedy", format=TABLE)
        guest.enter(with_guest)
        stage.led(with_guest, "start")
        (seat,) = eventually(lambda: guest.asked(wait_s=1))
        assert waiting(stage, "called") == 1

        other = stage.made("greedy", "greedy", "random", format=TABLE)
        stage.led(other, "start")
        eventually(lambda: waiting(stage, "busy") == 3)
        stage.led(other, "pause")
        eventually(lambda: waiting(stage, "paused") == 3)
        assert waiting(stage, "busy") == 0

        stage.live_server.seat(seat).until("start")
        assert waiting(stage, "called") == 0
        stage.done(f"/admin/matches/{seat['match']}/abort", {"reason": "thunder"})
        eventually(lambda: waiting(stage, "faults") == 1)
        stage.led(with_guest, "cancel")
        eventually(lambda: waiting(stage, "faults") == 0)


def test_games_that_workers_do_not_return_wait_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async def lost(*_: object) -> None:
        """The worker that takes it never returns."""

    monkeypatch.setattr("server.workers.here.Here.give", lost)
    monkeypatch.setattr("server.tournaments.scheduler.LOOK_S", 0.1)
    monkeypatch.setattr("server.tournaments.delegated.REMIND_MS", 0)
    with staged(tmp_path, monkeypatch, house_games="here") as stage:
        id_ = stage.made("greedy", "random", format=TABLE)
        stage.led(id_, "start")

        eventually(lambda: waiting(stage, "workers") == 1)
