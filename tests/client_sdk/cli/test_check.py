"""What `botarena check-bot` finds: every house bot is ready for its game."""

from __future__ import annotations

import pytest

from client_sdk.bots import HOUSE
from client_sdk.local.check.match import observe
from client_sdk.local.check.phases import Report, judge
from client_sdk.local.players import player_spec
from games import GAMES
from tests.forked_process import fork_children

PATIENT = {
    "pyrat": {"move_timeout_ms": 20_000, "preprocessing_timeout_ms": 20_000},
    "botstack": {"decision_timeout_ms": 20_000},
    "cookoff": {"turn_time_ms": 20_000, "init_time_ms": 20_000},
}
"""Where other tests take the processor, an answer is late without the bot's fault."""
DUEL = {"zooscape": {"seats": 2}}
"""Every seat is a process, and each bot is checked against one other."""
LIMIT_S = 60.0
"""One takes a second or two where nothing else runs."""


@pytest.mark.parametrize("game", list(HOUSE))
def test_every_house_bot_passes_check_bot(server: str, game: str) -> None:
    fork_children()
    bots = list(HOUSE[game])
    config = GAMES[game].short | PATIENT.get(game, {}) | DUEL.get(game, {})
    for name, opponent in zip(bots, bots[1:] + bots[:1], strict=True):
        report = Report()
        player = player_spec(game, name)
        seen = observe(GAMES[game], player, opponent, config, 1, LIMIT_S, print, server)
        judge(seen, report)

        grades = {phase.name: phase.grade for phase in report.phases}
        slow = grades.pop("answer time")
        assert set(grades.values()) <= {"pass", "skip"}, (name, report.phases)
        assert (grades["end"], grades["exit"], slow == "fail") == ("pass", "pass", False)
