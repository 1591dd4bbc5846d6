"""The questions that are put to the dice in play, each under a purpose of its own (RULES §4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, log, sqrt, tau
from typing import Final

from games.core.dice import Dice, Stream
from games.zooscape.board import Cell
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, Kind

_LEAST: Final = 2.0**-54
"""Stands for a uniform number of exactly 0, which has no logarithm."""


def pellet_delay(rules: Rules, dice: Dice) -> int:
    """Ticks until a pellet that was just collected is due to come back."""
    return dice.draw(
        "pellet_delay", lambda stream: int(clipped(rules.pellet_respawn_interval, stream))
    )


def zookeeper_interval(rules: Rules, dice: Dice) -> int:
    """Ticks until the next zookeeper."""
    return dice.draw(
        "zookeeper_interval", lambda stream: int(clipped(rules.zookeeper_interval, stream))
    )


def power_up_interval(rules: Rules, dice: Dice) -> int:
    """Ticks until the next power-up: to the nearest whole number, halves to the even one."""
    return dice.draw(
        "power_up_interval", lambda stream: round(clipped(rules.power_up_interval, stream))
    )


def power_up_cell(candidates: Sequence[Cell], dice: Dice) -> Cell | None:
    """One of the candidates, all alike; None if there are none."""
    return dice.draw(
        "power_up_cell",
        lambda stream: candidates[stream.below(len(candidates))] if candidates else None,
    )


def power_up_kind(rules: Rules, dice: Dice) -> Kind:
    """A kind, by weight."""
    return dice.draw("power_up_kind", lambda stream: weighted(rules.power_up_weights, stream))


def weighted(weights: Mapping[str, int], stream: Stream) -> Kind:
    """A kind of power-up, as often as its weight says. Not all weights are 0."""
    left = stream.below(sum(weights[kind] for kind in KINDS.values()))
    for digit, kind in KINDS.items():
        left -= weights[kind]
        if left < 0:
            return digit
    raise AssertionError("a number below the sum of the weights falls under one of them")


def clipped(interval: Mapping[str, float], stream: Stream) -> float:
    """A number from a normal distribution with this mean and deviation, moved to the nearer end if
    it lies outside."""
    normal = sqrt(-2 * log(stream.unit() or _LEAST)) * cos(tau * stream.unit())
    number = interval["mean"] + interval["std_dev"] * normal
    if number < interval["min"]:
        return interval["min"]
    return interval["max"] if number > interval["max"] else number
