"""What bots answer, in a message."""

from __future__ import annotations

from typing import Any

import pytest

from client_sdk.answers import shown


def nested(depth: int) -> Any:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    "answer",
    [10**100_000, nested(10_000), CYCLE, Unshowable(), "x" * 10**6],
    ids=["a long number", "deep", "in a circle", "without a form", "a long text"],
)
def test_any_answer_can_be_shown_in_one_short_line(answer: object) -> None:
    assert 1 <= len(shown(answer)) < 100
    assert "\n" not in shown(answer)


@pytest.mark.parametrize("answer", [7, True, None, "UP", ["a", 1], float("nan")])
def test_a_small_answer_is_shown_as_python_writes_it(answer: object) -> None:
    assert shown(answer) == repr(answer)
