"""When a client tries again. Time is a number here: no test waits."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from client_sdk.retry import delay_s, jittered

CLIENTS = 1_000
CONNECT_S = 0.005
"""What an attempt takes."""


def attempts(refused_s: float, grace_s: float | None, seed: int) -> list[float]:
    """When one client tries while the server refuses it for this long, and the first attempt after
    that, s."""
    chance = random.Random(seed)
    tried = [delay_s(0, 0.0, grace_s, chance.random()) + CONNECT_S]
    while tried[-1] < refused_s:
        tried.append(
            tried[-1] + delay_s(len(tried), tried[-1], grace_s, chance.random()) + CONNECT_S
        )
    return tried


@pytest.mark.parametrize(
    ("refused_s", "at_most_s"), [(0.0, 0.1), (2.0, 2.3), (4.0, 4.5), (8.0, 8.8)]
)
def test_during_the_grace_a_drop_costs_little_more_than_its_duration(
    refused_s: float, at_most_s: float
):
    assert max(attempts(refused_s, 10.0, seed)[-1] for seed in range(CLIENTS)) <= at_most_s


@pytest.mark.parametrize("grace_s", [2.0, 10.0, 30.0])
def test_the_last_moments_of_the_grace_are_used(grace_s: float):
    for seed in range(CLIENTS):
        assert attempts(grace_s * 0.95, grace_s, seed)[-1] < grace_s


def test_during_the_grace_attempts_are_limited():
    assert max(len(attempts(10.0, 10.0, seed)) for seed in range(CLIENTS)) < 70


def test_without_a_grace_attempts_become_rare():
    assert max(len(attempts(60.0, None, seed)) for seed in range(CLIENTS)) < 60
    assert delay_s(99, 3600.0, None, 1.0) == 5.0


def test_after_the_grace_the_client_backs_off():
    assert delay_s(50, 10.0, 10.0, 1.0) == delay_s(50, 10.0, None, 1.0) == 5.0


@pytest.mark.parametrize(("grace_s", "slot_s"), [(None, 0.05), (10.0, 0.02)])
def test_many_clients_do_not_return_at_once(grace_s: float | None, slot_s: float):
    """Of those that a server finds when it is back after two seconds, no moment has more than a few
    times its share."""
    back = Counter(int(attempts(2.0, grace_s, seed)[-1] / slot_s) for seed in range(CLIENTS))

    assert max(back.values()) < CLIENTS / 5


def test_the_jitter_does_not_use_the_bots_random_numbers():
    """A bot that seeds the global generator plays the same match again, however often its
    connection breaks."""
    random.seed(7)
    delay = jittered()
    expected = [random.random() for _ in range(3)]
    random.seed(7)
    found = []
    for attempt in range(3):
        delay(attempt, 1.0, None)
        found.append(random.random())

    assert found == expected
