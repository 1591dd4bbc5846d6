"""An empty bank and another seat's time away: who was due first is out, however late the driver
looks at its clocks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from games.core.contract import Outcome, Pacing
from games.core.match import Match
from server.matches.clock import MS, seat_clock
from server.matches.live_match import LiveMatch
from server.matches.match_seat import Absence, MatchSeat
from tests.core.throw_in import WALK
from tests.server.matches_alone import match_alone

PACING = Pacing(turn_ms=0, bank_ms=300, grace_ms=0, strikes=1, absence="limited", absence_ms=300)
BEGUN = 10_000 * MS


@pytest.mark.parametrize(
    ("away_since_ms", "out", "reason"),
    [(-1, 1, "disconnect"), (0, 0, "disconnect"), (1, 0, "disconnect")],
    ids=["the other's time was over first", "both at one instant", "the bank was empty first"],
)
async def test_the_first_seat_to_be_out_loses_and_at_one_instant_the_acting_one(
    tmp_path, away_since_ms: int, out: int, reason: str
) -> None:
    """No seat is connected here, so that an empty bank is an absence as well."""
    live = waiting(tmp_path, PACING)
    live.seats[1].absence.waits_since = BEGUN + away_since_ms * MS

    outcome = late(live)

    assert (outcome.winner, outcome.reason) == (1 - out, reason)


@pytest.mark.parametrize(
    ("away_since_ms", "reason"),
    [(-1, "abandoned"), (0, "timeout"), (1, "timeout")],
    ids=["all were away for too long first", "both at one instant", "the bank was empty first"],
)
async def test_a_bank_emptied_before_all_are_absent_too_long_loses_by_time(
    tmp_path, away_since_ms: int, reason: str
) -> None:
    live = waiting(tmp_path, replace(PACING, absence="plays"))
    for seat in live.seats:
        seat.absence.since = BEGUN + away_since_ms * MS

    assert late(live).reason == reason


def waiting(tmp_path: Path, pacing: Pacing) -> LiveMatch:
    """A match without connections whose seat 0 has a turn since BEGUN."""
    match = Match.begin(WALK, {}, 1)
    seats = [
        MatchSeat(seat, role, role, "bot", seat_clock(pacing, "bot"), absence=Absence(300 * MS))
        for seat, role in enumerate(WALK.roles)
    ]
    live = match_alone(match, seats, tmp_path / "tie.journal.jsonl", pacing=pacing)
    live._broadcaster.take_snapshots()
    live.seats[0].clock.open(BEGUN, first=True)
    return live


def late(live: LiveMatch) -> Outcome:
    """The outcome, when the driver looks at its clocks long after everything was due."""
    live._dispatcher._deadlines.expire(BEGUN + 400 * MS)
    if live.match.outcome is None:
        live._turns.close(0)
    assert live.match.outcome is not None
    return live.match.outcome
