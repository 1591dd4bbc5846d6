"""The server process is stopped and continued, as by a laptop's lid or a virtual machine that
moves: it costs no seat."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from client_sdk import live
from client_sdk.bot import Bot
from client_sdk.conversation import MISSED, Conversation
from client_sdk.process import BotProcess
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, Arena, eventually, started
from tests.e2e.slow_bot import slow
from tests.processes import stopped

ROOT = Path(__file__).parents[2]
LONG: dict[str, dict[str, Any]] = {
    "pyrat": {"config": {"max_turns": 150, "fault_policy": "strict"}},
    "botstack": {},
    "zooscape": {"config": {"seats": 2, "map_size": 15, "max_ticks": 150, "tick_ms": 50}},
    "catastrophe": {"config": {"map_width": 12, "map_height": 8, "max_turns": 150}},
    "cookoff": {"config": {"total_turns": 150}},
}
"""Matches that take some seconds with bots that think for a while."""


BY_THE_SERVER = ("timeout", "not_ready", "disconnect", "disconnected", "both_failed", "abandoned")
SHORT: dict[str, dict[str, Any]] = {
    "pyrat": {"config": {"preset": "small", "max_turns": 30, "fault_policy": "strict"}},
    "cookoff": {"config": {"total_turns": 25}},
}


def made(arena: Arena, game: str, **options: Any) -> tuple[str, list[dict[str, Any]]]:
    """A match and its seats."""
    lobby = arena.rest.create(game, **options)
    seats = [
        arena.rest.join(lobby["lobby"], game, f"bot {seat['seat']}") for seat in lobby["seats"]
    ]
    return lobby["lobby"], seats


def in_the_middle(arena: Arena, match: str) -> bool:
    lobby = arena.rest.lobby(match)
    assert lobby["state"] != "over", f"{lobby['game']} was over before anything was stopped"
    return lobby["state"] == "running" and lobby["turn"] >= 3


def events_of(arena: Arena, match: str) -> list[dict[str, Any]]:
    lines = map(json.loads, arena.record(match, "journal").splitlines())
    return [line for line in lines if line["k"] == "event"]


def wrong(arena: Arena, match: str) -> str | None:
    """What was decided otherwise than by the rules of the game; None: nothing."""
    found = arena.over(match)
    outcome = found["outcome"]
    bad = [
        line["e"]
        for line in events_of(arena, match)
        if line["e"] in ("timeout", "silent", "not_ready")
    ]
    absences = sum(seat["absences"] for seat in outcome["seats"])
    kind = verify(arena.record(match, "journal"), GAMES).kind
    fair = (
        outcome["outcome"] in ("win", "draw", "both_lost")
        and outcome["reason"] not in BY_THE_SERVER
    )
    if fair and not bad and not absences and kind == "ok":
        return None
    return f"{found['game']}: {outcome['outcome']} ({outcome['reason']}), {bad}"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of this process leave a server of which they hear nothing for 0.2 s."""
    monkeypatch.setattr(
        live, "Conversation", partial(Conversation, heartbeat_s=0.2 / (MISSED + 0.5))
    )


@contextmanager
def played(seats: Sequence[tuple[Bot, dict[str, Any]]]) -> Iterator[None]:
    """Bots in threads of this process, which are through when this is left."""
    threads = [
        threading.Thread(target=live.play, args=(bot, seat["url"], seat["token"]))
        for bot, seat in seats
    ]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_clients_that_leave_a_paused_server_find_their_seats_unchanged(
    impatient: None, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """PyRat's policy here is that an absent seat forfeits, Cookoff's that the match does not wait
    for it."""
    with started(tmp_path, BOTARENA_PING_MS="50") as arena:
        matches = {game: made(arena, game, **SHORT[game]) for game in SHORT}
        seats = [
            (slow(game, pace_ms=20), seat) for game, (_, seats) in matches.items() for seat in seats
        ]
        with played(seats):
            eventually(lambda: all(in_the_middle(arena, match) for match, _ in matches.values()))
            with stopped(arena.process.pid):
                time.sleep(1.3)  # the pause itself
                eventually(lambda: caplog.text.count("connection lost") >= len(seats))
        found = [wrong(arena, match) for match, _ in matches.values()]
        events = [events_of(arena, match) for match, _ in matches.values()]
        log = eventually(lambda: [line for line in arena.log if "was paused" in line])

    assert found == [None, None]
    assert len(log) == 1
    for entries in events:
        assert max(line["d"]["ms"] for line in entries if line["e"] == "stall") > 1_250
        # A client that is heard again before its old connection ends was never away.
        away = [line for line in entries if line["e"] == "away"]
        assert all(line["d"]["excused"] for line in away)
        assert {line["s"] for line in away} == {
            line["s"] for line in entries if line["e"] == "back"
        }


@pytest.mark.soak
@pytest.mark.parametrize("pause_s", [25, 120])
def test_a_stopped_bot_continues(pause_s: int, tmp_path: Path) -> None:
    with started(tmp_path) as arena, ExitStack() as stack:
        match, seats = made(arena, "pyrat", config={"max_turns": pause_s + 40, "preset": "small"})
        command = [sys.executable, "-m", "tests.e2e.slow_bot", "pyrat"]
        bots = [
            stack.enter_context(
                BotProcess(command, game="pyrat", url=seat["url"], token=seat["token"], cwd=ROOT)
            )
            for seat in seats
        ]
        eventually(lambda: in_the_middle(arena, match))
        with stopped(bots[0].pid):
            time.sleep(pause_s)  # the pause itself
        statuses = [bot.wait(2 * PATIENCE_S) for bot in bots]
        outcome = arena.over(match)["outcome"]

    assert statuses == [0, 0], [bot.output for bot in bots]
    assert outcome["outcome"] in ("win", "draw")


@pytest.mark.soak
@pytest.mark.parametrize("pause_s", [25, 120])
def test_a_stop_of_the_server_in_any_game_does_not_change_the_outcome(
    pause_s: int, tmp_path: Path
) -> None:
    with started(tmp_path) as arena, ExitStack() as stack:
        matches, bots = [], []
        for game in sorted(GAMES):
            match, seats = made(arena, game, **LONG[game])
            matches.append(match)
            for seat in seats:
                command = [sys.executable, "-m", "tests.e2e.slow_bot", game]
                bot = BotProcess(command, game=game, url=seat["url"], token=seat["token"], cwd=ROOT)
                bots.append(stack.enter_context(bot))
        eventually(lambda: all(in_the_middle(arena, match) for match in matches))
        with stopped(arena.process.pid):
            time.sleep(pause_s)  # the pause itself
        found = {match: wrong(arena, match) for match in matches}
        outcomes = {
            arena.rest.lobby(match)["game"]: arena.rest.lobby(match)["outcome"] for match in matches
        }
        statuses = [bot.wait(PATIENCE_S) for bot in bots]
    for game, outcome in outcomes.items():
        print(game, outcome["outcome"], outcome["reason"])

    assert not any(found.values()), found
    assert not any(statuses), [bot.output for bot in bots]
