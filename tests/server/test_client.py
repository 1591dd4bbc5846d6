"""One client's views and replies, over a connection that takes as much as the test says."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.wire.codes import DONE, SLOW_CONSUMER, TOO_FAST
from client_sdk.wire.messages import ClientHello, Ping
from server.matches.client import Client
from server.net.transport import framed
from tests.server.line import Line


class Shown(Line):
    """A line whose listener is the client, as a session's is."""

    def __init__(self) -> None:
        super().__init__()
        self.client = Client(self.connection, ClientHello(1), None, ())

    def on_writable(self) -> None:
        self.client.show_latest()


@pytest.fixture
async def line() -> Shown:
    return Shown()


@pytest.fixture
async def client(line: Shown) -> Client:
    return line.client


def shown(turn: int):
    return lambda skipped: f"view {turn} skipped {skipped}\n".encode()


async def test_a_client_that_reads_gets_everything_at_once(line, client):
    client.send(b"a\n")
    client.show(1, shown(1))
    client.send(b"b\n")

    assert line.written == [b"a", b"view 1 skipped 0", b"b"]


async def test_replies_are_queued_in_order_but_only_the_newest_view(line, client):
    line.jams()
    client.send(b"a\n")
    for turn in (1, 2, 3):
        client.show(turn, shown(turn))
    client.send(b"b\n")
    assert line.written == []

    line.flows()

    assert line.written == [b"a", b"b", b"view 3 skipped 2"]


async def test_too_many_queued_replies_close_the_connection(line, client):
    line.jams()
    for _ in range(5):
        client.send(b"x\n")
    assert client.dismissed

    line.flows()

    assert line.status == SLOW_CONSUMER.status
    assert b'"code":"slow_consumer"' in line.written[-1]


async def test_too_many_queued_bytes_close_the_connection(line, client):
    line.jams()
    client.send(b"x" * 101)

    assert client.dismissed


async def test_the_last_frames_and_the_newest_view_are_sent_before_the_close(line, client):
    line.jams()
    client.show(7, shown(7))
    client.send_last(b"end\n")
    client.close(DONE)
    client.send(b"never\n")
    client.show(8, shown(8))
    assert line.status is None

    line.flows()

    assert line.written == [b"view 7 skipped 0", b"end"]
    assert line.status == DONE.status


async def test_a_client_that_never_reads_its_last_frames_is_dropped(line, client, monkeypatch):
    monkeypatch.setattr("server.net.transport.PATIENCE_S", 0.01)
    line.jams()
    client.send(b"x\n")
    client.close(DONE)
    while not line.wire.closing:
        await asyncio.sleep(0.001)

    assert line.written == []


def written(*turns: int) -> list[bytes]:
    """The views of these turns, with what was left out between them."""
    return [
        f"view {turn} skipped {turn - before - 1}".encode()
        for before, turn in pairwise((0, *turns))
    ]


async def test_an_acknowledging_client_has_two_views_in_flight_and_then_the_newest(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn))
    assert line.written == written(1, 2)

    client.saw(1)

    assert line.written == written(1, 2, 8)


async def test_a_client_that_acknowledges_several_at_once_has_up_to_five_in_flight(line, client):
    for turn in range(1, 8):
        client.show(turn, shown(turn))
    client.saw(7)
    for turn in range(8, 17):
        client.show(turn, shown(turn))
    assert line.written == written(*range(1, 13))

    client.saw(10)
    client.show(17, shown(17))

    assert line.written == written(*range(1, 13), 16)


async def test_a_client_that_has_acknowledged_all_gets_the_newest(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn))

    client.saw(2)
    client.show(9, shown(9))

    assert line.written == written(1, 2, 8, 9)


async def test_a_client_that_stops_acknowledging_gets_a_view_now_and_then(line, client):
    client.saw(0)
    for turn in range(1, 25):
        client.show(turn, shown(turn))

    assert line.written == written(1, 2, 12, 22)


async def test_an_open_turn_is_sent_without_acknowledgement(line, client):
    client.saw(0)
    for turn in range(1, 9):
        client.show(turn, shown(turn), waited_for=True)

    assert line.written == written(*range(1, 9))


@given(st.lists(st.integers(1, 5), min_size=5, max_size=60))
def test_a_client_that_acknowledges_processed_views_is_at_most_five_ticks_behind(
    thinking,
):
    """A client that reads one view after the other and takes this number of ticks for each."""

    async def play() -> None:
        line = Shown()
        line.client.saw(0)
        now = 0
        for looked_at, ticks in enumerate(thinking):
            while len(line.written) == looked_at:
                now += 1
                line.client.show(now, shown(now))
            turn = int(line.written[looked_at].split()[1])
            assert now - turn <= 5
            for _ in range(ticks):
                now += 1
                line.client.show(now, shown(now))
            line.client.saw(turn)

    asyncio.run(play())


async def test_a_client_that_sends_too_much_is_closed_after_a_while_and_not_read_before(
    line, client, monkeypatch
):
    monkeypatch.setattr("server.matches.client.HELD_S", 0.01)
    client.close(TOO_FAST)
    assert client.dismissed
    client.send(b"never\n")
    client.show(1, shown(1))
    line.flows()
    assert (line.written, line.status, line.paused) == ([], None, True)

    while line.paused:
        await asyncio.sleep(0.001)

    assert b'"code":"too_fast"' in line.written[0]
    assert (len(line.written), line.status) == (1, TOO_FAST.status)


async def test_a_client_that_acknowledges_nothing_gets_every_view(line, client):
    for turn in range(1, 30):
        client.show(turn, shown(turn))

    assert len(line.written) == 29


async def test_pings_are_counted_and_not_queued(line, client):
    client.ping()
    line.jams()
    client.ping()
    line.flows()
    client.ping()

    assert b"".join(line.written) == framed(Ping(1)) + framed(Ping(3))
