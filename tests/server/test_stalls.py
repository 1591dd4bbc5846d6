"""The process stalls: no seat is charged for it."""

from __future__ import annotations

import json
import threading
import time
from typing import Any, cast

from client_sdk.cli.clock import PARTS, match_times
from server.matches.clock import MS, ClockState, Countdown, SeatClock
from server.matches.match_seat import MatchSeat
from server.matches.stalls import Stall, Stalls
from server.matches.timekeeper import Timekeeper
from tests.server.live_server import PATIENCE_S, LiveServer, SocketClient, hosted


def test_a_late_timer_reports_a_stall_and_a_nearly_punctual_one_does_not():
    stalls = Stalls()
    stalls.rang(100 * MS, 119 * MS)
    stalls.rang(200 * MS, 260 * MS)
    stalls.rang(300 * MS, 400 * MS)

    assert stalls.after(0) == [Stall(200 * MS, 260 * MS), Stall(300 * MS, 400 * MS)]
    assert stalls.after(250 * MS) == [Stall(300 * MS, 400 * MS)]
    assert stalls.after(300 * MS) == []


def test_a_clock_does_not_pay_for_a_stall_or_a_part_of_one():
    clock = SeatClock(limit=0, bank=10_000, increment=0, grace=0)
    clock.open(100, first=True)
    clock.spare(200, 700, leeway=20)
    assert clock.charged(750) == 150

    clock.book_work(750, 800)
    clock.spare(790, 900, leeway=20)
    assert clock.charged(900) == 150


def test_a_seat_with_hardly_any_time_after_a_stall_has_time_to_be_read():
    clock = SeatClock(limit=100, bank=0, increment=0, grace=0)
    clock.open(0, first=True)
    clock.spare(99, 500, leeway=20)

    assert clock.stage is ClockState.RUNNING
    assert clock.due() == 520


class Announcements:
    """Stands for the broadcaster."""

    def __init__(self) -> None:
        self.ms: list[float] = []

    def announce_later(self, event: str, seat: None, data: dict[str, float]) -> None:
        assert event == "stall"
        self.ms.append(data["ms"])


def test_short_stalls_are_all_credited_and_announced_together_once_a_second():
    stalls, announced = Stalls(), Announcements()
    seat = MatchSeat(0, "", "", "bot", SeatClock(limit=0, bank=60_000 * MS, increment=0, grace=0))
    keeper = Timekeeper([seat], stalls, cast(Any, announced), Countdown())
    begun = time.monotonic_ns()
    seat.clock.open(begun, first=True)

    for number in range(1, 31):  # every 100 ms
        ended = begun + number * 100 * MS
        stalls.rang(ended - 30 * MS, ended)
        assert keeper.credit(None, ended)
    before = [*announced.ms]
    stalls.rang(begun + 3100 * MS, begun + 3200 * MS)
    assert keeper.credit(None, begun + 3200 * MS)

    assert before == [30, 300, 300]
    assert announced.ms == [*before, 9 * 30 + 100]
    assert seat.clock.charged(begun + 3200 * MS) == (3200 - 30 * 30 - 100) * MS

    stalls.rang(begun + 3270 * MS, begun + 3300 * MS)
    assert keeper.credit(None, begun + 3300 * MS)
    keeper.announce_rest()  # at the end of a match
    keeper.announce_rest()

    assert announced.ms == [*before, 9 * 30 + 100, 30]


def hold_up(live_server: LiveServer, lobby: str, seconds: float) -> None:
    """Block the loop from now on for this time."""
    held = threading.Event()
    task = live_server.arena.matches.lobbies.unfinished[lobby]._task
    assert task is not None
    task.get_loop().call_soon_threadsafe(lambda: (held.set(), time.sleep(seconds)))
    assert held.wait(5)


def test_a_bank_does_not_pay_for_a_stall_within_a_turn(tmp_path):
    with hosted(tmp_path) as live_server:
        clock = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 0, "absence": "plays"}
        lobby, (red, blue) = live_server.started("walk", config={"turns": 2}, clock=clock)
        red.until("view")
        hold_up(live_server, lobby, 0.5)
        red.answer(0, end_turn=True)
        blue.until("view", act=True)
        blue.answer(1, end_turn=True)

        outcome = live_server.over(lobby)

        assert outcome["seats"][0]["think_ms_total"] < 250
        assert (
            next(line["n"] for line in live_server.journal(lobby) if line.get("e") == "stall") == 0
        )
        assert live_server.verified(lobby).kind == "ok"


def test_a_stall_is_announced_when_the_turn_closes_and_is_in_the_clock(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, (red, blue) = live_server.started(
            "walk", config={"turns": 2}, clock={"turn_ms": 60_000, "absence": "plays"}
        )
        red.until("view", act=True)
        hold_up(live_server, lobby, 0.3)
        red.say("commands", turn=0, commands=[], end_turn=True)
        announced = [heard(client, "stall", 250) for client in (red, blue)]
        blue.until("view", act=True)
        blue.answer(1, end_turn=True)
        live_server.over(lobby)
        account = match_times(live_server.journal(lobby))
        counted = live_server.arena.process.stalls

    assert announced[0] == announced[1]
    assert announced[0]["turn"] == 0
    assert account.seats[0].turns[0].parts[PARTS.index("stalled")] > 250
    assert account.off < 2
    assert counted.count >= 1
    assert counted.total > 250 * MS


def heard(client: SocketClient, event: str, least_ms: int = 0) -> dict[str, Any]:
    """The next event of this name, whatever comes before it; a stall of at least this length, as a
    busy machine adds short ones."""
    while True:
        message: dict[str, Any] = json.loads(client.socket.recv(PATIENCE_S))
        if message.get("event") == event and (not least_ms or message["data"]["ms"] >= least_ms):
            return message


def test_thinking_after_a_stall_is_charged(tmp_path):
    with hosted(tmp_path, lag_turn_ms=0) as live_server:
        lobby, (red, blue) = live_server.started(
            "walk", config={"turns": 2}, clock={"turn_ms": 0, "bank_ms": 60_000, "absence": "plays"}
        )
        red.until("view")
        hold_up(live_server, lobby, 0.2)
        assert red.silent_for(0.7)
        red.answer(0, end_turn=True)
        blue.until("view", act=True)
        blue.answer(1, end_turn=True)

        assert live_server.over(lobby)["seats"][0]["think_ms_total"] > 300
