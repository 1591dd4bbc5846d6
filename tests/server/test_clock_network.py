"""The round trip to a seat is measured by pings; a seat that does not answer them, or answers late,
gains little."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from client_sdk.cli.clock import PARTS, MatchTimes, match_times
from tests.server.live_server import LiveServer, SocketClient, eventually, hosted

PATIENT = {"turn_ms": 60_000, "absence": "plays"}


def slow_to_answer(
    live_server: LiveServer, taken: dict[str, Any], pong_s: float | None
) -> SocketClient:
    """A seat that delays its pongs by this time; None: it sends none."""
    client = live_server.socket()
    protocol = client.socket.protocol
    send_frame = protocol.send_frame

    def late(data: bytes) -> None:
        with contextlib.suppress(ConnectionClosed):
            client.socket.pong(data)

    def sent(frame: Frame) -> None:
        if frame.opcode is not Opcode.PONG or threading.current_thread() in timers:
            send_frame(frame)
        elif pong_s is not None:
            timer = threading.Timer(pong_s, late, [bytes(frame.data)])
            timers.add(timer)
            timer.start()

    timers: set[threading.Thread] = set()
    live_server.sockets.callback(lambda: [timer.join() for timer in timers])
    protocol.send_frame = sent
    client.say("hello", protocol=1, token=taken["token"])
    client.expect("hello")
    return client


def duel(live_server: LiveServer, rounds: int, think_s: float, pong_s: float | None) -> MatchTimes:
    """Seat 0 delays its pongs and thinks for this time; seat 1 does neither."""
    lobby, taken = live_server.seated("duel", config={"rounds": rounds}, clock=PATIENT)
    right = live_server.seat(taken[1])
    left = slow_to_answer(
        live_server, taken[0], pong_s
    )  # the match starts with it: no seat is silent before that
    for turn in range(rounds):
        left.until("view", act=True, turn=turn)
        right.until("view", act=True, turn=turn)
        right.say("commands", turn=turn, commands=[1])
        time.sleep(think_s)
        left.say("commands", turn=turn, commands=[1])
    assert live_server.over(lobby)["reason"] == "rounds"
    return match_times(live_server.journal(lobby))


def lags(account: MatchTimes, seat: int) -> list[float]:
    return [turn.parts[1] for turn in account.seats[seat].turns]


def test_a_seat_that_delays_its_pongs_gains_no_more_than_the_bounds(
    tmp_path,
):
    with hosted(tmp_path, lag_turn_ms=30, lag_match_ms=100) as live_server:
        account = duel(live_server, rounds=8, think_s=0.08, pong_s=0.15)

    assert max(lags(account, 0)) == 30
    # each is rounded to a microsecond
    assert sum(lags(account, 0)) == pytest.approx(100, abs=0.005)
    assert all(turn.parts[0] >= 80 - 30 - turn.parts[3] for turn in account.seats[0].turns)
    assert account.off < 2


def test_a_seat_that_never_answers_pings_is_granted_no_network_time(
    tmp_path,
):
    with hosted(tmp_path, ping_ms=100, quiet_ms=300) as live_server:
        account = duel(live_server, rounds=2, think_s=0.8, pong_s=None)

    assert lags(account, 0) == [0, 0]
    assert max(lags(account, 1)) > 0


def test_the_round_trip_is_known_before_the_first_answer(tmp_path):
    """A few pings go out with the server's hello."""
    with hosted(tmp_path, ping_ms=60_000) as live_server:
        lobby, (left, right) = live_server.started("duel", config={"rounds": 1}, clock=PATIENT)
        left.until("view", act=True)
        right.until("view", act=True)
        seats = live_server.arena.matches.lobbies.unfinished[lobby].live.seats
        eventually(lambda: all(seat.client.connection.latency.lag is not None for seat in seats))
        for client in (left, right):
            client.answer(0, 1)
        live_server.over(lobby)

        assert all(
            lag > 0
            for seat in (0, 1)
            for lag in lags(match_times(live_server.journal(lobby)), seat)
        )


def test_an_organiser_can_switch_network_time_off(tmp_path):
    with hosted(tmp_path, lag_turn_ms=0) as live_server:
        account = duel(live_server, rounds=2, think_s=0.05, pong_s=0)

    assert lags(account, 0) == lags(account, 1) == [0, 0]


def test_the_result_has_network_time_and_remaining_bank(tmp_path):
    clock = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 0, "absence": "plays"}
    with hosted(tmp_path, ping_ms=60_000) as live_server:
        lobby, (red, blue) = live_server.started("walk", config={"turns": 2}, clock=clock)
        red.until("view", act=True)
        time.sleep(0.1)
        red.answer(0, {"do": "step", "by": 1})
        red.answer(0, end_turn=True)
        blue.until("view", act=True)
        blue.answer(1, end_turn=True)
        outcome = live_server.over(lobby)
        account = match_times(live_server.journal(lobby))

    (red_turn,) = account.seats[0].turns
    assert red_turn.parts[PARTS.index("worked")] > 0
    assert outcome["seats"][0]["lag_ms_total"] == red_turn.parts[1]
    assert (
        outcome["seats"][0]["bank_ms"]
        == account.seats[0].bank
        == round(60_000 - red_turn.parts[0], 3)
    )
