"""One client's outbox, over a connection that takes as much as the test says."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.wire.codes import DONE, SLOW_CONSUMER, TOO_FAST, Close
from client_sdk.wire.messages import ClientHello
from server.matches.client import Client


class Line:
    """A connection that can be stuck."""

    def __init__(self) -> None:
        self.congested = False
        self.closed = False
        self.written: list[bytes] = []
        self.said: Close | None = None
        self.dropped = False
        self.drained = lambda: None

    def write(self, frame: bytes) -> None:
        self.written.append(frame)

    def measure(self) -> None:
        pass

    def close(self, close: Close) -> None:
        self.said = close
        self.closed = True

    def drop(self) -> None:
        self.dropped = True

    def hold(self, seconds: float, then) -> None:
        self.release = then

    def flows(self) -> None:
        self.congested = False
        self.drained()


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def client(line: Line) -> Client:
    return Client(line, ClientHello(1), None, frames=4, size=100)  # type: ignore[arg-type]


def shown(turn: int):
    return lambda skipped: f"view {turn} skipped {skipped}".encode()


def test_a_client_that_reads_gets_everything_at_once(line, client):
    client.send(b"a")
    client.show(1, shown(1))
    client.send(b"b")

    assert line.written == [b"a", b"view 1 skipped 0", b"b"]


def test_replies_wait_in_order_and_of_the_views_only_the_newest(line, client):
    line.congested = True
    client.send(b"a")
    for turn in (1, 2, 3):
        client.show(turn, shown(turn))
    client.send(b"b")
    assert line.written == []

    line.flows()

    assert line.written == [b"a", b"b", b"view 3 skipped 2"]


async def test_more_replies_than_the_bound_close_the_connection(line, client):
    line.congested = True
    for _ in range(5):
        client.send(b"x")
    assert client.dismissed

    line.flows()

    assert line.said is SLOW_CONSUMER
    assert json.loads(line.written[-1][2:])["code"] == "slow_consumer"


async def test_more_bytes_than_the_bound_close_it_too(line, client):
    line.congested = True
    client.send(b"x" * 101)

    assert client.dismissed


async def test_the_last_frames_leave_before_the_goodbye_the_newest_view_among_them(line, client):
    line.congested = True
    client.show(7, shown(7))
    client.send_last(b"end")
    client.leave(DONE)
    client.send(b"never")
    client.show(8, shown(8))
    assert line.said is None

    line.flows()

    assert line.written == [b"view 7 skipped 0", b"end"]
    assert line.said is DONE


async def test_a_client_that_never_reads_its_last_frames_is_dropped(line, client, monkeypatch):
    monkeypatch.setattr("server.matches.client.PATIENCE_S", 0.01)
    line.congested = True
    client.send(b"x")
    client.leave(DONE)
    while not line.dropped:
        await asyncio.sleep(0.001)

    assert line.written == []


def written(*turns: int) -> list[bytes]:
    """The views of these turns, with what was left out between them."""
    return [f"view {turn} skipped {turn - before - 1}".encode() for before, turn in pairwise((0, *turns))]


def test_who_tells_what_it_saw_has_two_views_on_the_way_and_then_the_newest(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn))
    assert line.written == written(1, 2)

    client.saw(1)

    assert line.written == written(1, 2, 8)


def test_who_tells_of_more_at_once_gets_more_ahead_five_at_most(line, client):
    for turn in range(1, 8):
        client.show(turn, shown(turn))
    client.saw(7)
    for turn in range(8, 17):
        client.show(turn, shown(turn))
    assert line.written == written(*range(1, 13))

    client.saw(10)
    client.show(17, shown(17))

    assert line.written == written(*range(1, 13), 16)


def test_who_has_seen_all_it_got_gets_the_newest_however_old_that_was(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn))

    client.saw(2)
    client.show(9, shown(9))

    assert line.written == written(1, 2, 8, 9)


def test_who_tells_no_more_gets_a_view_now_and_then(line, client):
    client.saw(0)
    for turn in range(1, 25):
        client.show(turn, shown(turn))

    assert line.written == written(1, 2, 12, 22)


def test_a_turn_that_waits_for_its_seat_is_shown_whatever_was_seen(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn), waited_for=True)

    assert line.written == written(*range(1, 9))


@given(st.lists(st.integers(1, 5), min_size=5, max_size=60))
def test_who_tells_what_it_is_done_with_never_looks_at_a_state_of_more_than_five_ticks_ago(thinking):
    """A client that reads one view after the other and takes so many ticks for each."""
    line = Line()
    client = Client(line, ClientHello(1), 0, frames=4, size=100)  # type: ignore[arg-type]
    client.saw(0)
    now = 0
    for looked_at, ticks in enumerate(thinking):
        while len(line.written) == looked_at:
            now += 1
            client.show(now, shown(now))
        turn = int(line.written[looked_at].split()[1])
        assert now - turn <= 5
        for _ in range(ticks):
            now += 1
            client.show(now, shown(now))
        client.saw(turn)


async def test_who_sends_too_much_is_told_so_after_a_while_and_not_heard_before(line, client):
    client.refuse(TOO_FAST)
    assert client.dismissed
    client.send(b"never")
    client.show(1, shown(1))
    line.flows()
    assert (line.written, line.said) == ([], None)

    line.release()

    assert json.loads(line.written[0][2:])["code"] == "too_fast"
    assert (len(line.written), line.said) == (1, TOO_FAST)


def test_who_tells_nothing_gets_every_view(line, client):
    for turn in range(1, 30):
        client.show(turn, shown(turn))

    assert len(line.written) == 29


def test_pings_are_counted_and_never_wait(line, client):
    client.ping()
    line.congested = True
    client.ping()
    line.flows()
    client.ping()

    assert [json.loads(frame[2:])["n"] for frame in line.written] == [1, 3]
