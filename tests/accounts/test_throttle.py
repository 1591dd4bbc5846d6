"""Tries by key, on a clock of the test's own."""

from __future__ import annotations

from server.accounts.throttle import MINUTE, MOST_KEYS, Throttle


def spent(throttle: Throttle, key: str, times: int, at: int = 0) -> Throttle:
    for _ in range(times):
        throttle.spend(key, at)
    return throttle


def test_tries_are_limited():
    throttle = Throttle(3)

    assert spent(throttle, "here", 2).open("here", 0)
    assert not spent(throttle, "here", 1).open("here", 0)


def test_tries_return_evenly_over_the_minute_up_to_the_limit():
    throttle = spent(Throttle(3), "here", 3)

    assert not throttle.open("here", MINUTE // 3 - 1_000)
    assert throttle.open("here", MINUTE // 3 + 1_000)
    assert not spent(throttle, "here", 3, 10 * MINUTE).open("here", 10 * MINUTE)


def test_tries_are_counted_per_key():
    throttle = spent(Throttle(1), "here", 1)

    assert throttle.open("there", 0)


def test_beyond_its_capacity_the_table_forgets_the_oldest():
    throttle = spent(Throttle(1), "first", 1)
    spent(throttle, "second", 1)
    for number in range(MOST_KEYS - 1):
        throttle.spend(str(number), 0)

    assert throttle.open("first", 0)
    assert not throttle.open("second", 0)
