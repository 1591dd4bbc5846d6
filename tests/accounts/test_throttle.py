"""Tries by key, on a clock of the test's own."""

from __future__ import annotations

from server.accounts.throttle import MINUTE, MOST_KEYS, Throttle


def spent(throttle: Throttle, key: str, times: int, at: int = 0) -> Throttle:
    for _ in range(times):
        throttle.spend(key, at)
    return throttle


def test_so_many_tries_are_open_and_no_more():
    throttle = Throttle(3)

    assert spent(throttle, "here", 2).open("here", 0)
    assert not spent(throttle, "here", 1).open("here", 0)


def test_tries_come_back_evenly_over_the_minute_up_to_their_number():
    throttle = spent(Throttle(3), "here", 3)

    assert not throttle.open("here", MINUTE // 3 - 1_000)
    assert throttle.open("here", MINUTE // 3 + 1_000)
    assert not spent(throttle, "here", 3, 10 * MINUTE).open("here", 10 * MINUTE)


def test_what_one_spends_costs_nobody_else():
    throttle = spent(Throttle(1), "here", 1)

    assert throttle.open("there", 0)


def test_of_too_many_the_one_that_tried_longest_ago_is_forgotten():
    throttle = spent(Throttle(1), "first", 1)
    spent(throttle, "second", 1)
    for number in range(MOST_KEYS - 1):
        throttle.spend(str(number), 0)

    assert throttle.open("first", 0)
    assert not throttle.open("second", 0)
