"""The time in which this process ran, by clocks that the test sets."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from client_sdk.running import MS, Pause, RunningTime
from tests.processes import stopped


class Times:
    """A monotonic clock and the processor's time, in ms."""

    def __init__(self) -> None:
        self.at = 1_000
        self.used = 0

    def read(self) -> int:
        return self.at * MS

    def cpu(self) -> int:
        return self.used * MS


@pytest.fixture
def times() -> Times:
    return Times()


def beaten(times: Times, **options: Any) -> RunningTime:
    running = RunningTime(gap_ms=100, read=times.read, **options)
    running.beat()
    return running


def passed(running: RunningTime, since: int) -> int:
    return (running.now() - since) // MS


def test_the_clock_follows_the_monotonic_clock_while_the_process_runs(times):
    running = beaten(times)
    begun = running.now()
    for _ in range(10):
        times.at += 100
        running.beat()

    assert passed(running, begun) == 1_000
    assert running.last is None


@pytest.mark.parametrize("paused", [101, 25_000, 120_000, 30 * 24 * 3_600_000])
def test_a_pause_of_any_length_is_excluded_at_the_first_reading(times, paused: int):
    running = beaten(times)
    begun = running.now()
    times.at += paused

    assert passed(running, begun) == 0
    assert running.last == Pause(1_000 * MS, (1_000 + paused) * MS)
    times.at += 50
    assert passed(running, begun) == 50


def test_after_a_pause_the_clock_stands_still_for_the_recovery(times):
    running = beaten(times, recovery_ms=500)
    begun = running.now()
    times.at += 25_000
    running.beat()
    assert running.recovering()
    assert running.resumed == (26_000 + 500) * MS
    for _ in range(5):
        times.at += 100
        running.beat()
    assert passed(running, begun) == 0
    times.at += 70

    assert passed(running, begun) == 70
    assert not running.recovering()


def test_a_pause_during_the_recovery_restarts_it(times):
    running = beaten(times, recovery_ms=500)
    begun = running.now()
    times.at += 2_000
    running.beat()
    times.at += 90
    running.beat()
    times.at += 3_000
    running.beat()
    for _ in range(6):
        assert passed(running, begun) == 0
        times.at += 90
        running.beat()

    assert passed(running, begun) == 40


def test_the_clock_never_goes_back(times):
    running = beaten(times, recovery_ms=300)
    seen = []
    for step in (10, 90, 4_000, 20, 99, 250, 101, 60, 500, 5):
        times.at += step
        seen.append(running.now())
        running.beat()

    assert seen == sorted(seen)


def test_a_process_that_computes_without_a_beat_counts_as_running(times):
    running = beaten(times, cpu=times.cpu)
    begun = running.now()
    times.at, times.used = times.at + 2_000, times.used + 1_950
    assert passed(running, begun) == 2_000

    running.beat()
    times.at, times.used = times.at + 2_000, times.used + 300
    assert passed(running, begun) == 2_300
    assert running.last == Pause(3_300 * MS, 5_000 * MS)


def test_outside_of_beats_there_are_no_pauses(times):
    running = RunningTime(gap_ms=100, read=times.read)
    times.at += 5_000
    running.now()
    running.beat()
    running.stop()
    times.at += 5_000
    running.now()

    assert running.last is None


def test_each_pause_is_reported_once(times):
    reported: list[Pause] = []
    running = beaten(times, on_pause=reported.append)
    times.at += 3_000
    running.now()
    running.now()
    running.beat()

    assert len(reported) == 1


CHILD = """
import time
from client_sdk.running import running_s
begun, ran = time.monotonic(), running_s()
print(flush=True)
while running_s() - ran < 0.3:
    time.sleep(0.01)
print(time.monotonic() - begun, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the state of a process is read from /proc")
def test_a_stopped_process_excludes_that_time():
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        with stopped(child.pid):
            time.sleep(0.6)  # the pause itself
        assert float(child.stdout.readline()) > 0.8
