"""Live matches without a lobby and a server, for tests that look into them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from games.core.contract import Pacing
from games.core.match import Match
from server.matches.live_match import LiveMatch, MatchPlan
from server.matches.match_seat import MatchSeat
from server.matches.record import JournalFile
from server.matches.referee import Limits
from server.matches.stalls import Stalls
from server.metrics import Metrics


def match_alone(
    match: Match,
    seats: Sequence[MatchSeat],
    file: Path,
    *,
    pacing: Pacing | None = None,
    limits: Limits | None = None,
) -> LiveMatch:
    """It has not begun. Its journal is open, and is closed by the test."""
    match.journal = journal = JournalFile(file)
    plan = MatchPlan(
        id="alone",
        number=1,
        match=match,
        pacing=match.pacing if pacing is None else pacing,
        seats=seats,
        viewers=set(),
        commitment="",
        file=journal,
        first_turn=0,
    )
    return LiveMatch(plan, limits or Limits(1000, 20, 3_600_000), Stalls(), Metrics())
