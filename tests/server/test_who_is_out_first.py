"""An empty bank and another seat's time away: who was due first is out, however late the driver looks at its clocks."""

from __future__ import annotations

import pytest

from games.core.contract import Pacing
from games.core.match import Match
from server.matches.clock import MS, seat_clock
from server.matches.driver import Table
from server.matches.places import Place
from server.matches.record import JournalFile
from server.matches.referee import Limits
from server.matches.stalls import Stalls
from server.metrics import Metrics
from tests.core.throw_in import WALK

PACING = Pacing(turn_ms=0, bank_ms=300, grace_ms=0, strikes=1, absence="limited", absence_ms=300)


@pytest.mark.parametrize(
    ("away_since_ms", "out", "reason"),
    [(-1, 1, "disconnect"), (0, 0, "disconnect"), (1, 0, "disconnect")],
    ids=["the other's time was over first", "both at one instant", "the bank was empty first"],
)
async def test_of_two_that_are_out_the_first_loses_and_at_one_instant_the_seat_whose_turn_it_is(
    tmp_path, away_since_ms: int, out: int, reason: str
) -> None:
    """Nobody is connected here, so that an empty bank is an absence as well."""
    match = Match.begin(WALK, {}, 1)
    places = [Place(seat, role, role, "bot", seat_clock(PACING, "bot"), absence=300 * MS) for seat, role in enumerate(WALK.roles)]
    table = Table(
        id_="tie",
        match=match,
        pacing=PACING,
        places=places,
        viewers=set(),
        commitment="",
        file=JournalFile(tmp_path / "tie.journal.jsonl"),
        limits=Limits(1000, 20, 3_600_000),
        stalls=Stalls(),
        metrics=Metrics(),
        number=1,
        first_turn=0,
    )
    begun = 10_000 * MS
    table.audience.look()
    places[0].clock.open(begun, first=True)
    places[1].waits_since = begun + away_since_ms * MS

    table._time_passes(begun + 400 * MS)
    if match.outcome is None:
        table._close_turn(0)

    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason) == (1 - out, reason)
