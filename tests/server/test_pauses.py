"""The process is paused for a while: a client that left because it received nothing finds its seat
unchanged."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from client_sdk.running import MS, RunningTime
from server.matches.alarm import Alarm, set_within
from server.matches.resume import History
from server.net.limits import Rate
from server.tournaments.invitations import GRACE_S, Invitations
from tests.server.live_server import PATIENCE_S, LiveServer, eventually, hosted

GAP_MS = 200
"""What is a pause here."""
PAUSE_S = 0.35
WHILE_S = 0.3
"""Longer than any limit of these matches, shorter than the recovery."""
RECOVERY_MS = 5_000

Hosted = Callable[..., AbstractContextManager[LiveServer]]


@pytest.fixture
def easily(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosted:
    """A server that is soon paused."""
    monkeypatch.setattr("server.matches.stalls.PAUSE_MS", GAP_MS)
    return lambda **settings: hosted(
        tmp_path, **{"recovery_ms": RECOVERY_MS, "ping_ms": 50} | settings
    )


@contextmanager
def paused(live_server: LiveServer) -> Iterator[None]:
    """Its loop does nothing meanwhile, for PAUSE_S at least."""
    held, go_on, begun = threading.Event(), threading.Event(), time.monotonic()
    live_server.loop.call_soon_threadsafe(lambda: (held.set(), go_on.wait(PATIENCE_S)))
    assert held.wait(PATIENCE_S)
    try:
        yield
        time.sleep(max(0.0, begun + PAUSE_S - time.monotonic()))
    finally:
        go_on.set()


def events(live_server: LiveServer, lobby: str) -> list[dict[str, Any]]:
    return [line for line in live_server.journal(lobby) if line["k"] == "event"]


ABSENCES = ["plays", "misses", "waits", "limited", "forfeits"]


@pytest.mark.parametrize("absence", ABSENCES)
def test_a_seat_that_left_during_a_pause_loses_nothing_on_return(
    easily: Hosted, absence: str
) -> None:
    clock = {"turn_ms": 100, "grace_ms": 0, "absence": absence, "absence_ms": 100}
    with easily() as live_server:
        lobby, taken = live_server.seated(
            "duel", config={"rounds": 2}, clock=clock, faults="forfeit"
        )
        clients = [live_server.seat(one) for one in taken]
        watcher = live_server.viewer(lobby)
        for client in clients:
            client.until("view", act=True)
        with paused(live_server):
            for client in clients:
                client.vanish()
        for _ in clients:
            assert watcher.until("event", event="away")["data"]["excused"]
        time.sleep(WHILE_S)  # the time itself is the subject
        clients = [live_server.seat(one) for one in taken]
        for turn in range(2):
            for client in clients:
                client.until("view", act=True, turn=turn)
                client.say("commands", turn=turn, commands=[1])
        outcome = live_server.over(lobby)

        assert outcome["reason"] == "rounds"
        assert [(seat["absences"], seat["timeouts"]) for seat in outcome["seats"]] == [
            (0, 0),
            (0, 0),
        ]
        assert outcome["seats"][0]["think_ms_total"] < 200
        assert live_server.verified(lobby).kind == "ok"


@pytest.mark.parametrize(
    ("absence", "reason"),
    [
        ("plays", "timeout"),
        ("misses", "rounds"),
        ("waits", "disconnect"),
        ("limited", "disconnect"),
        ("forfeits", "disconnect"),
    ],
)
def test_a_seat_that_does_not_return_after_a_pause_is_absent_from_then_on(
    easily: Hosted, absence: str, reason: str
) -> None:
    bank_ms = 100 if absence == "plays" else 60_000
    clock = {"turn_ms": 0, "bank_ms": bank_ms, "grace_ms": 0, "absence": absence, "absence_ms": 50}
    with easily(recovery_ms=300) as live_server:
        lobby, (left, right) = live_server.started(
            "duel", config={"rounds": 1}, clock=clock, faults="forfeit"
        )
        right.until("view")
        right.answer(0, 1)
        with paused(live_server):
            left.vanish()
        outcome = live_server.over(lobby)
        away = [line for line in events(live_server, lobby) if line["e"] == "away"]

        assert outcome["reason"] == reason
        assert [(line["d"] or {}).get("excused") for line in away] == [True, None]
        assert outcome["seats"][0]["absences"] == 1
        assert live_server.verified(lobby).kind == "ok"


def test_two_seats_that_do_not_return_are_out_at_the_same_time(easily: Hosted) -> None:
    with easily(recovery_ms=100) as live_server:
        lobby, clients = live_server.started(
            "duel", clock={"turn_ms": 60_000, "absence": "forfeits"}
        )
        with paused(live_server):
            for client in clients:
                client.vanish()
        live_server.over(lobby)

        assert [line["s"] for line in live_server.journal(lobby) if line["k"] == "break"] == [
            [0, 1]
        ]


def test_a_pause_does_not_lengthen_an_earlier_absence(easily: Hosted) -> None:
    clock = {"turn_ms": 60_000, "absence": "waits", "absence_ms": 300}
    with easily() as live_server:
        lobby, taken = live_server.seated("duel", config={"rounds": 1}, clock=clock)
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        left.vanish()
        right.until("event", event="away")
        with paused(live_server):
            pass
        time.sleep(WHILE_S)  # the time itself is the subject
        left = live_server.seat(taken[0])
        left.until("view")
        for client in (left, right):
            client.say("commands", turn=0, commands=[1])

        assert live_server.over(lobby)["reason"] == "rounds"


def test_no_tick_is_played_before_the_seats_are_back_after_a_pause(easily: Hosted) -> None:
    with easily() as live_server:
        lobby, taken = live_server.seated(
            "race", config={"seats": 2, "tick_ms": 20, "max_ticks": 60, "length": 100}
        )
        clients = [live_server.seat(one) for one in taken]
        watcher = live_server.viewer(lobby)
        watcher.until("view", turn=3)
        with paused(live_server):
            for client in clients:
                client.vanish()
        for _ in clients:
            watcher.until("event", event="away")
        turn = live_server.lobby(lobby)["turn"]
        live_server.seat(taken[0])
        time.sleep(WHILE_S)  # the time itself is the subject
        assert live_server.lobby(lobby)["turn"] == turn
        live_server.seat(taken[1])
        outcome = live_server.over(lobby)

        assert outcome["reason"] == "max_ticks"
        assert (
            max(line["d"]["ms"] for line in events(live_server, lobby) if line["e"] == "stall")
            > 1000 * PAUSE_S - 20
        )
        assert live_server.verified(lobby).kind == "ok"


def test_preprocessing_waits_for_seats_that_were_ready_during_a_pause(easily: Hosted) -> None:
    clock = {"preprocessing_ms": 250, "grace_ms": 0, "late_ready": "forfeits", "turn_ms": 60_000}
    with easily() as live_server:
        lobby, clients = live_server.started("duel", config={"rounds": 1}, clock=clock)
        with paused(live_server):
            clients[0].say("ready")
        time.sleep(WHILE_S)  # the time itself is the subject
        clients[1].say("ready")
        for client in clients:
            client.until("view", act=True)
            client.say("commands", turn=0, commands=[1])

        assert live_server.over(lobby)["reason"] == "rounds"


def test_a_hello_received_during_a_pause_is_in_time(easily: Hosted) -> None:
    with easily(hello_ms=250) as live_server:
        _, taken = live_server.seated("duel")
        client = live_server.socket()
        with paused(live_server):
            client.say("hello", protocol=1, token=taken[0]["token"])

        assert client.expect("hello")["seat"] == 0


def test_a_lobby_does_not_expire_during_a_pause_and_recovery(easily: Hosted) -> None:
    with easily(recovery_ms=3_000) as live_server:
        expires = live_server.create(start_timeout_ms=1_500)["lobby"]
        lobby, taken = live_server.seated("duel", clock={"startup_ms": 1_500})
        early = live_server.seat(taken[0])
        with paused(live_server):
            early.vanish()
        assert live_server.lobby(expires)["state"] == "open"
        time.sleep(1.5)  # the time itself is the subject
        for one in taken:
            live_server.seat(one)

        assert live_server.lobby(lobby)["state"] == "running"
        eventually(lambda: live_server.lobby(expires)["state"] == "cancelled")


def test_a_client_last_heard_before_a_pause_is_not_closed(easily: Hosted) -> None:
    with easily(quiet_ms=250) as live_server:
        lobby, _ = live_server.seated("duel")
        watcher = live_server.viewer(lobby)
        with paused(live_server):
            pass
        first = json.loads(watcher.socket.recv(PATIENCE_S))["n"]
        while (ping := json.loads(watcher.socket.recv(PATIENCE_S)))["n"] < first + 4:
            assert ping["type"] == "ping"
        counted = live_server.http.get("/metrics").text

    pauses = re.search(r"^botarena_pauses_total (\S+)", counted, re.MULTILINE)
    assert pauses is not None
    assert float(pauses[1]) >= 1  # a busy machine holds it up too


def test_frames_that_queued_during_a_pause_are_not_a_flood(easily: Hosted) -> None:
    config = {"seats": 2, "tick_ms": 20, "max_ticks": 50, "length": 100}
    with easily(frames_per_second=40) as live_server:
        lobby, (one, _) = live_server.started("race", config=config)
        with paused(live_server):
            for _ in range(90):
                one.say("commands", commands=[{"action": "walk"}])

        assert live_server.over(lobby)["reason"] == "max_ticks"
        assert one.rest()[-1]["type"] == "end"


# --- by clocks that the test sets


class Times:
    def __init__(self) -> None:
        self.at = 1_000 * MS

    def read(self) -> int:
        return self.at

    def goes_on(self, running: RunningTime, ms: int) -> None:
        for _ in range(ms // 50):
            self.at += 50 * MS
            running.beat()


def test_a_pause_is_excused_once():
    running = RunningTime(gap_ms=100, read=(times := Times()).read)
    rate = Rate(10, times.at)
    running.beat()
    times.at += 1_000 * MS
    running.beat()
    assert running.last is not None
    allowed = 0
    for _ in range(100):
        rate.pardon(running.last)
        allowed += rate.allows(times.at)

    assert allowed == 2 * 10 + 10


async def test_a_timer_that_fires_during_a_recovery_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = RunningTime(gap_ms=100, recovery_ms=500, read=(times := Times()).read)
    running.beat()
    rung: list[int] = []
    alarm = Alarm(running, 200, lambda: rung.append(times.at))
    times.at += 10_000 * MS
    alarm._look()
    assert alarm.left_ms == 200
    times.goes_on(running, 650)
    alarm._look()
    assert not rung
    times.goes_on(running, 50)
    alarm._look()

    assert len(rung) == 1
    alarm.cancel()


@pytest.mark.parametrize("comes", [True, False])
async def test_a_pause_does_not_end_a_wait(comes: bool) -> None:
    running = RunningTime(gap_ms=100, recovery_ms=500, read=(times := Times()).read)
    running.beat()
    event = asyncio.Event()
    waits = asyncio.create_task(set_within(event, running, 20))
    await asyncio.sleep(0)
    times.at += 25_000 * MS
    while running.last is None:  # until the loop's timer has rung
        await asyncio.sleep(0.005)
    assert not waits.done()
    if comes:
        event.set()
    else:
        times.goes_on(running, 550)

    assert await waits is comes


async def test_a_bot_whose_request_broke_during_a_pause_stays_present() -> None:
    running = RunningTime(gap_ms=100, recovery_ms=500, read=(times := Times()).read)
    running.beat()
    invitations = Invitations(running)
    asks = asyncio.create_task(invitations.wait("a", 0, 60.0))
    await asyncio.sleep(0)
    times.at += 25_000 * MS
    asks.cancel()
    await asyncio.gather(asks, return_exceptions=True)
    times.goes_on(running, 500 + int(GRACE_S * 1000) - 50)
    assert invitations.present("a")
    times.goes_on(running, 50)

    assert not invitations.present("a")


def test_an_excused_loss_is_no_absence_after_a_restart():
    history = History()
    history.take(
        {"k": "event", "e": "away", "s": 0, "d": {"within_ms": 700, "excused": True}}, None
    )
    history.take({"k": "event", "e": "away", "s": 0, "d": {"excused": True}}, None)
    assert (history.tally.absences, history.absence) == (0, 700 * MS)
    history.take({"k": "event", "e": "away", "s": 0, "d": None}, None)

    assert history.tally.absences == 1
