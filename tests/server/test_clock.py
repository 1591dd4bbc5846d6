"""A seat's clock and the grid of ticks, on times that the tests make up."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from games.core.contract import Pacing
from server.matches.clock import MS, ClockState, SeatClock, TickGrid, phase, seat_clock


def clock(limit: int = 1000, bank: int = 0, increment: int = 0, grace: int = 50) -> SeatClock:
    return SeatClock(limit * MS, bank * MS, increment * MS, grace * MS)


def test_a_turn_is_due_at_its_limit_and_again_at_the_end_of_the_grace():
    one = clock(limit=1000, grace=50)
    one.open(7 * MS, first=True)
    assert one.due() == 1007 * MS

    one.stop()

    assert one.due() == 1057 * MS


def test_the_bank_is_used_only_beyond_the_limit():
    one = clock(limit=100, bank=500)
    one.open(0, first=True)
    assert one.close(80 * MS).charged == 80 * MS
    assert one.bank == 500 * MS

    one.open(1000 * MS, first=True)
    assert one.due() == 1600 * MS
    assert one.close(1250 * MS).charged == 250 * MS

    assert one.bank == 350 * MS


def test_the_grace_is_not_charged():
    one = clock(limit=100, bank=50, grace=40)
    one.open(0, first=True)

    assert one.close(190 * MS).charged == 150 * MS
    assert one.bank == 0


def test_the_increment_is_added_when_a_turn_begins_except_the_first():
    one = clock(limit=0, bank=1000, increment=100)
    one.open(0, first=True)
    assert one.bank == 1000 * MS
    one.close(300 * MS)

    one.open(500 * MS, first=False)

    assert one.bank == 800 * MS


def test_a_bank_without_a_limit_is_the_whole_time():
    one = clock(limit=0, bank=60_000)
    one.open(0, first=True)

    assert one.due() == 60_000 * MS
    assert one.left(10_000 * MS) == (0, 50_000 * MS)


def test_without_limit_bank_and_increment_nothing_is_due():
    one = clock(limit=0)
    one.open(0, first=True)

    assert one.due() is None
    assert one.left(10**15) == (None, 0)
    assert one.close(5 * MS).charged == 5 * MS


def test_a_paused_clock_continues_where_it_stopped():
    one = clock(limit=100, bank=30)
    one.open(0, first=True)
    one.pause(60 * MS)
    assert one.due() is None
    assert one.left(10_000 * MS) == (40 * MS, 30 * MS)

    one.resume(5_000 * MS)

    assert one.due() == 5_070 * MS
    assert one.close(5_010 * MS).charged == 70 * MS


def test_the_rest_of_limit_and_bank_are_shown_separately():
    one = clock(limit=100, bank=500)
    one.open(0, first=True)

    assert one.left(40 * MS) == (60 * MS, 500 * MS)
    assert one.left(160 * MS) == (0, 440 * MS)
    assert one.left(900 * MS) == (0, 0)


def test_a_closed_clock_is_never_due():
    one = clock()
    one.open(0, first=True)
    one.close(1)

    assert one.stage is ClockState.IDLE
    assert one.due() is None


def test_a_person_has_a_long_limit_and_no_bank():
    one = seat_clock(replace(Pacing(), turn_ms=100, human_turn_ms=9_000, bank_ms=5_000), "human")

    assert one.limit == 9_000 * MS
    assert not one.has_bank


def test_frames_that_wait_for_the_one_before_cost_and_gain_nothing():
    bank = SeatClock(limit=0, bank=1_000, increment=0, grace=0)
    bank.open(0, first=True)
    bank.book_work(100, 600)

    assert bank.charged(101) == 100
    assert bank.left(101) == (0, 900)
    assert bank.close(101).charged == 100
    assert bank.bank == 900


def test_a_client_lost_while_its_frame_is_processed_gains_nothing():
    clock = SeatClock(limit=1_000, bank=0, increment=0, grace=0)
    clock.open(0, first=True)
    clock.book_work(100, 600)
    clock.pause(300)

    assert clock.charged(300) == 100


def test_ticks_follow_an_absolute_grid():
    grid = TickGrid(1_000, 200)
    assert grid.due == 1_200

    grid.next(1_203)

    assert grid.due == 1_400


def test_a_late_tick_does_not_shorten_the_next_one():
    """Missed beats are dropped, ticks never are."""
    grid = TickGrid(0, 200)

    grid.next(650)

    assert grid.due == 800


def test_a_tick_late_by_a_whole_period_waits_for_the_next_point():
    grid = TickGrid(0, 200)

    grid.next(400)

    assert grid.due == 600


@pytest.mark.parametrize("matches", [10, 100])
def test_the_phases_of_many_matches_are_spread(matches):
    phases = sorted(phase(number, 200 * MS) for number in range(matches))
    gaps = [after - before for before, after in pairwise(phases)]

    assert min(gaps) > 0.3 * 200 * MS / matches
    assert max(gaps) < 3 * 200 * MS / matches
