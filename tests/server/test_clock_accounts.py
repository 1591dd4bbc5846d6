"""The parts of a turn's time: they sum to the elapsed time, and all seats are treated alike."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.wire.messages import ClientHello, Commands
from games.core.match import Match
from server.matches.client import Client
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.live_match import LiveMatch
from server.matches.match_seat import MatchSeat
from server.matches.messages import FrameReceived
from server.matches.referee import Limits
from server.matches.stalls import Stall, Stalls
from tests.core.throw_in import RACE
from tests.server.line import Line
from tests.server.matches_alone import match_alone

LEEWAY = 20 * MS


def opened(
    lag: int | None = None, *, limit: int = 1000, bank: int = 0, grace: int = 50
) -> SeatClock:
    """A clock whose turn opens at 0, all in ms."""
    clock = SeatClock(limit * MS, bank * MS, 0, grace * MS)
    clock.bound_lag(300 * MS, 60_000 * MS)
    clock.open(0, first=True)
    if lag is not None:
        clock.grant_lag(lag * MS)
    return clock


# --- the network's share


def test_network_time_is_not_charged():
    account = opened(lag=240).account(300 * MS)

    assert (account.charged, account.lag) == (60 * MS, 240 * MS)


def test_an_answer_faster_than_the_network_costs_nothing_and_uses_its_own_time():
    account = opened(lag=240).account(100 * MS)

    assert (account.charged, account.lag) == (0, 100 * MS)


def test_network_time_moves_the_deadline_but_not_the_stop():
    """The stop message itself travels one way."""
    clock = opened(lag=240, limit=100, grace=50)
    assert clock.due() == 100 * MS

    clock.stop()

    assert clock.due() == (100 + 240 + 50) * MS


def test_the_time_to_think_is_shown_without_the_networks_share():
    assert opened(lag=240, limit=100, bank=1000).left(50 * MS) == (50 * MS, 1000 * MS)


def test_network_time_per_turn_is_bounded():
    clock = opened()
    clock.bound_lag(150 * MS, 60_000 * MS)
    clock.grant_lag(5_000 * MS)

    assert clock.account(1_000 * MS).lag == 150 * MS


def test_network_time_per_match_is_bounded_and_unused_time_is_not_spent():
    clock = opened()
    clock.bound_lag(100 * MS, 250 * MS)
    used = []
    for turn in range(5):
        clock.open(turn * 1000 * MS, first=not turn)
        clock.grant_lag(100 * MS)
        used.append(clock.close(turn * 1000 * MS + (40 if turn == 1 else 500) * MS).lag // MS)

    assert used == [100, 40, 100, 10, 0]
    assert clock.lag_used == 250 * MS


def test_network_time_granted_to_a_turn_stays():
    clock = opened(lag=40)
    clock.grant_lag(200 * MS)

    assert clock.account(1000 * MS).lag == 40 * MS


def test_without_a_pong_the_network_time_is_zero():
    assert opened().account(500 * MS).lag == 0


@pytest.mark.parametrize(
    ("stall", "charged"),
    [
        pytest.param((10, 40), 120, id="the view was on its way"),
        pytest.param((2, 32), 90, id="the view may have lain unsent"),
        pytest.param((80, 110), 90, id="the seat thought"),
        pytest.param((140, 170), 100, id="the answer was on its way, at the end"),
        pytest.param((160, 175), 120, id="the answer was on its way"),
        pytest.param((170, 195), 95, id="the answer may have lain unread"),
    ],
)
def test_a_stall_during_network_time_is_not_excused_twice(
    stall: tuple[int, int], charged: int
) -> None:
    """40 ms each way; all is over after 200."""
    clock = opened(lag=80)
    clock.spare(stall[0] * MS, stall[1] * MS)

    account = clock.account(200 * MS)

    assert account.charged == charged * MS
    assert sum(account) == 200 * MS


# --- the other parts


def test_the_grace_is_a_separate_part():
    clock = opened(lag=40, limit=100, bank=30, grace=50)

    assert clock.close(195 * MS) == (130 * MS, 40 * MS, 25 * MS, 0, 0, 0)
    assert clock.bank == 0


def test_absence_server_time_and_stalls_are_separate_parts():
    clock = opened()
    clock.book_work(100 * MS, 130 * MS)
    clock.spare(150 * MS, 190 * MS)
    clock.pause(200 * MS)
    clock.resume(900 * MS)

    assert clock.account(1000 * MS) == (230 * MS, 0, 0, 40 * MS, 700 * MS, 30 * MS)


def test_a_frame_received_during_server_work_ends_the_turn_when_it_arrived():
    clock = opened()
    clock.book_work(100 * MS, 600 * MS)

    assert clock.account(250 * MS) == (100 * MS, 0, 0, 0, 0, 150 * MS)


def test_zero_parts_are_left_out_except_the_charge():
    assert opened().account(0).json() == {"charged": 0.0}
    assert opened(lag=2).account(7 * MS).json() == {"charged": 5.0, "lag": 2.0}


HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from(["shown", "stall", "away", "stop", "ask"]), *[st.integers(0, 400 * MS)] * 2
    ),
    max_size=12,
)


@given(
    HAPPENINGS, st.integers(0, 400 * MS), st.integers(0, 400 * MS), st.sampled_from([0, 100, 5_000])
)
def test_the_parts_of_any_turn_sum_to_the_elapsed_time(
    happenings: Any, last: int, lag: int, limit: int
) -> None:
    """Each thing comes a while after the one before, and takes a while."""
    clock = opened(limit=limit, bank=0 if not limit else 50)
    clock.grant_lag(lag)
    at = 0
    for what, after, takes in happenings:
        at, ended = at + after, at + after + takes
        if what == "shown":
            clock.book_work(at, ended)
        elif what == "stall":
            clock.spare(at, ended, LEEWAY)
        elif what == "away":
            clock.pause(at)
            clock.resume(ended)
        elif what == "stop":
            clock.stop()
        else:
            assert sum(clock.account(ended)) == ended
        at = at if what in ("stop", "ask") else ended

    assert sum(clock.account(at + last)) == at + last
    assert min(clock.close(at + last)) >= 0


@given(
    st.lists(st.tuples(*[st.integers(0, 100 * MS)] * 2), min_size=1, max_size=6),
    st.integers(0, 300 * MS),
    st.integers(0, 700 * MS),
    st.sampled_from([100, 5_000]),
)
def test_a_moment_is_excused_once_and_no_seat_pays_more_for_a_stall(
    stalls: Any, lag: int, received: int, limit: int
) -> None:
    """Also of an answer that came before a stall which the clock knows of already."""
    clock = opened(limit=limit)
    clock.grant_lag(lag)
    at = held = 0
    for after, takes in stalls:
        begun, at = at + after, at + after + takes
        held += max(0, min(at, received) - begun)
        clock.spare(begun, at, LEEWAY)
    account = clock.account(received)

    assert sum(account) == received
    assert min(account) >= 0
    assert account.charged <= max(0, received - lag)
    assert account.stalled <= held + len(stalls) * LEEWAY


@given(
    st.lists(st.tuples(st.integers(0, 50 * MS), st.integers(0, 50 * MS)), min_size=1, max_size=8),
    st.integers(0, 50 * MS),
)
def test_the_parts_of_frames_received_during_server_work_sum_up_too(
    frames: list[tuple[int, int]], last: int
) -> None:
    """Each is received a while after the one before, whatever we are at."""
    clock = opened()
    received = ready = 0
    for after, takes in frames:
        received += after
        assert sum(clock.account(received)) == received
        ready = max(ready, received) + takes
        clock.book_work(received, ready)

    assert sum(clock.account(received + last)) == received + last


# --- which stall hides an answer


def test_a_frame_read_right_after_a_short_stall_may_have_arrived_in_it():
    stalls = Stalls()
    stalls.rang(100 * MS, 109 * MS)
    stalls.rang(200 * MS, 201 * MS)

    assert stalls.hiding(110 * MS) == stalls.hiding(105 * MS) == Stall(100 * MS, 109 * MS)
    assert stalls.hiding(112 * MS) is stalls.hiding(99 * MS) is stalls.hiding(202 * MS) is None
    assert (stalls.count, stalls.total) == (0, 0)


def test_a_frame_sent_right_before_a_short_stall_may_have_waited_in_it():
    stalls = Stalls()
    stalls.rang(100 * MS, 109 * MS)
    stalls.rang(200 * MS, 209 * MS)

    assert stalls.following(99 * MS) == stalls.following(105 * MS) == Stall(100 * MS, 109 * MS)
    assert (
        stalls.following(97 * MS)
        is stalls.following(110 * MS)
        is stalls.following(209 * MS)
        is None
    )


def test_long_stalls_are_counted():
    stalls = Stalls()
    stalls.rang(100 * MS, 400 * MS)
    stalls.rang(500 * MS, 530 * MS)

    assert (stalls.count, stalls.total) == (2, 330 * MS)


# --- seats that answer together


def over_a_way_of_10_ms(seat: int) -> Client:
    line = Line(frames=100, size=100_000)
    line.connection.latency.lag = 10 * MS
    return Client(line.connection, ClientHello(1), seat, ())


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Any]:
    made: list[LiveMatch] = []

    def live(seats: int) -> LiveMatch:
        match = Match.begin(RACE, {"seats": seats, "tick_ms": 0}, 1)
        players = [
            MatchSeat(seat, "animal", "x", "bot", seat_clock(match.pacing, "bot"), ready=True)
            for seat in range(seats)
        ]
        for player in players:
            player.client = over_a_way_of_10_ms(player.number)
        file = tmp_path / f"{len(made)}.journal.jsonl"
        limits = Limits(1000, 20, 3_600_000, 300, 60_000)
        made.append(match_alone(match, players, file, limits=limits))
        return made[-1]

    yield live
    for one in made:
        one._file.close()


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_the_charge_does_not_depend_on_the_order_of_simultaneous_answers(
    matches: Any, seats: int
) -> None:
    """Each seat is charged its own thinking time, in any order of processing."""
    for order in itertools.permutations(range(seats)):
        live = matches(seats)
        live._turns.open()
        for seat in live.seats:
            seat.clock.handed(live.seats[0].handed)
        for number in order:
            received = live.seats[0].handed + (30 + number) * MS
            client = live.seats[number].client
            live.post(FrameReceived(client, Commands(({"action": "walk"},)), received))
        turn = live._dispatcher.handle_turn(partial(live._turns.waiting, 0))
        await asyncio.wait_for(live._inbox.run(turn), 5)

        assert [seat.tally.think_total for seat in live.seats] == [
            (20 + number) * MS for number in range(seats)
        ]
        assert [seat.tally.lag for seat in live.seats] == [10 * MS] * seats
