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
    monkeypatch.setattr("server.tournaments.delegated.LATE_MS", 0)
    with staged(tmp_path, monkeypatch, house_games="here") as stage:
        id_ = stage.made("greedy", "random", format=TABLE)
        stage.led(id_, "start")

        eventually(lambda: waiting(stage, "workers") == 1)


def test_the_bracket_waits_until_the_screen_has_shown_a_game_but_not_for_a_closed_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.scheduler.SCREEN_S", 0.1)
    monkeypatch.setattr("server.tournaments.screen.GONE_MS", 600_000)
    with staged(tmp_path, monkeypatch) as stage:
        bracket = {"format": "knock-out", "bracket_size": 4, "check": False, "max_extra_games": 0}
        bots = ("greedy", "random", "greedy", "random")
        id_ = stage.made(*bots, format=bracket | {"wait_for_screen_s": 3600})

        def report(shown: str | None) -> None:
            body = {"shown": shown}
            answer = stage.live_server.post(f"/tournaments/{id_}/screen", body, stage.organiser.key)
            assert answer.status_code == 204

        def over() -> list[str]:
            games = stage.get(id_)["games"]
            return [game["game"] for game in games if game["result"] is not None]

        report(None)
        stage.led(id_, "start")
        (first,) = eventually(over)
        eventually(lambda: waiting(stage, "screen") == 1)
        assert over() == [first]
        report(first)
        second = eventually(lambda: set(over()) - {first}).pop()
        assert set(over()) == {first, second}

        monkeypatch.setattr("server.tournaments.screen.GONE_MS", -1)
        stage.until(id_, "finished")
        assert stage.refused(f"/tournaments/{id_}/screen", {"shown": "X-9"})[:2] == (
            404,
            "no_such_game",
        )
