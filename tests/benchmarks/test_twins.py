"""The bare servers that Botarena is measured beside."""

from __future__ import annotations

import json

import pytest

from benchmarks.load.turns import OURS as US
from benchmarks.load.turns import summary, table
from benchmarks.load.twins import recorded
from games import GAMES
from games.core.contract import Json
from games.every import OURS
from tests.e2e.arena import QUICK


@pytest.mark.parametrize("name", OURS)
def test_a_twin_shows_every_turn_to_every_seat(name: str) -> None:
    """Otherwise it would do less than Botarena does."""
    match = recorded(GAMES[name], dict(QUICK[name]), 3)
    seats = range(match["seats"])
    sent = [
        [json.loads(frame) for turn in match["turns"] for frame in turn["frames"][seat]]
        for seat in seats
    ]

    for seat in seats:
        *views, end = sent[seat]
        assert (end["type"], {view["type"] for view in views}) == ("end", {"view"})
        turns = [view["turn"] for view in views]
        assert sorted({*turns}) == [*range(turns[-1] + 1)]
        assert turns[-1] > 10
    assert all(turn["awaited"] for turn in match["turns"][:-1])


def row(peer: str, number: int, us: float) -> Json:
    return {
        "game": "pyrat",
        "matches": 10,
        "peer": peer,
        "round": number,
        "late_ms": None,
        "turn_ms": {"p50": 1.0, "p99": 2.0},
        "turns_per_second": 100.0,
        "failed": 0,
        "generator": {"share": 0.1},
        "saturated": ["server"],
        "server": {
            "us_per_turn": us,
            "us_per_turn_in_all": us + 10,
            "share": 0.5,
            "waiting": 0.4,
            "kb_per_match": 100 + number,
        },
    }


def test_ratios_are_those_of_one_round() -> None:
    """Other work on the machine changes both figures of a round."""
    ours, its = [300.0, 600.0, 900.0], [200.0, 400.0, 300.0]
    rows = [row(US, number, us) for number, us in enumerate(ours)]
    rows += [row("websockets", number, us) for number, us in enumerate(its)]
    us, twin = summary(rows)

    assert (us["ratio"], twin["ratio"]) == (1.0, 1.5)
    assert (twin["us_per_turn"], twin["kb_per_match"]) == (300.0, 100)
    assert table([us, twin]).splitlines()[3:] == [
        "| pyrat | 10 | websockets | 300 | 1.50x | 310 | 100 | 100 | 1.00 | 2.00 | server |"
    ]
