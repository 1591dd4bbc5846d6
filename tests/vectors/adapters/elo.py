"""The kind `elo`: head-to-head records in, ratings out, within the tolerances that the vectors'
origin names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.contest.ratings import Ratings, Record, Unrated, fit
from games.core.contract import Json
from tests.vectors.runner import Difference, Vector, differences

TOLERANCES = {
    "elo": 0.5,
    "stderr": 0.5,
    "effective_games": 0.05,
    "los_first_over_second": 0.002,
    "win_expectancy_first_over_second": 0.002,
}

OPTIONS = ("anchor", "anchor_elo", "prior_games", "draw_weight")


def elo(vector: Vector) -> Iterator[Difference]:
    """Every case of the file: a whole table in order, or an error by name."""
    for number, case in enumerate(vector["cases"]):
        yield from differences(
            case["expect"], near(case["expect"], found(case)), f"cases[{number}]"
        )


def order(case: Vector) -> list[str]:
    """The players in the vector's order: no rule orders equal ratings."""
    return [rating["player"] for rating in case["expect"].get("ratings", ())]


def found(case: Vector) -> Json:
    try:
        return rating_table(
            fit(
                map(record, case["records"]),
                **{key: case[key] for key in OPTIONS if case.get(key) is not None},
            ),
            order(case),
        )
    except Unrated as unrated:
        return {"error": type(unrated).__name__}


def record(entry: Vector) -> Record:
    return Record(
        entry["player_a"],
        entry["player_b"],
        *(entry.get(count) or 0 for count in ("wins_a", "wins_b", "draws")),
    )


def rating_table(ratings: Ratings, names: list[str]) -> Json:
    place = {name: index for index, name in enumerate(names)}
    table = sorted(
        ratings.table,
        key=lambda rating: (-round(rating.elo, 6), place.get(rating.player, len(place))),
    )
    first, second = (rating.player for rating in table[:2])
    return {
        "ratings": [
            {
                "player": rating.player,
                "elo": rating.elo,
                "stderr": rating.stderr,
                "effective_games": rating.effective_games,
            }
            for rating in table
        ],
        "los_first_over_second": ratings.superiority(first, second),
        "win_expectancy_first_over_second": ratings.expectancy(first, second),
    }


def near(expected: Any, got: Any) -> Json:
    """`got`, with every number that is within its tolerance replaced by the expected one."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return {key: _rounded(key, expected.get(key), value) for key, value in got.items()}
    if isinstance(expected, list) and isinstance(got, list):
        return [near(left, right) for left, right in zip(expected, got, strict=False)] + got[
            len(expected) :
        ]
    return got


def _rounded(key: str, expected: Any, got: Any) -> Json:
    close = (
        key in TOLERANCES
        and isinstance(expected, int | float)
        and abs(expected - got) <= TOLERANCES[key]
    )
    return expected if close else near(expected, got)
