"""Catastrophe's vectors in our words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isclose
from statistics import fmean
from typing import Any

from games.catastrophe import GAME
from games.catastrophe.board import Board, judge
from games.catastrophe.entries import StructurePlan, TilePlan, UnitPlan
from games.catastrophe.generate import drawn, food_chance, harvest_rate
from games.catastrophe.view import CONSTANT_FIELDS, loaded
from games.core.contract import Json, Reply, Seat
from games.core.dice import Scripted, Seeded
from games.core.match import Match
from games.core.parameters import configure
from tests.vectors.runner import Adapter, Difference, Vector, differences, exact

SMALL = 1e-9
"""How far an energy may be off."""

STATISTICS_MAPS = 150


class Followed(Match):
    """A match that also follows the vector: what its moments should be, by the expected changes."""

    __slots__ = ("expected",)

    expected: dict[str, Any]


def begin(vector: Vector, script: Scripted) -> Match:
    rules = configure(GAME, vector.get("config") or {})
    initial = {"result": None} | vector["initial"]
    size = {"map": {"width": rules.map_width, "height": rules.map_height}}
    match = Followed(GAME, rules, loaded(rules, initial | size), script)
    match.expected = _by_id(initial)
    for contradiction in differences(match.expected, close(match.expected, _now(match)), "initial"):
        raise ValueError(str(contradiction))
    return match


def moves(step: Vector) -> Iterator[tuple[Seat, Json]]:
    yield step["player"], step["command"]


def draws(step: Vector) -> Iterator[tuple[str, Any]]:
    for name, value in (step.get("random") or {}).items():
        yield {"coin_flip": "coin"}[name], value


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    """The command's result, and the differences between the state after it and the vector's
    changes."""
    assert isinstance(match, Followed)
    (reply,) = replies
    expect = step["expect"]
    if not expect:
        match.expected = _now(match)
        return {}
    changes = expect.get("changes") or {}
    match.expected = _changed(match.expected, changes)
    actual = {
        "ok": reply.ok,
        "error": None if reply.ok else reply.code,
        "changes": close(changes, reply.changes or {}) or expect.get("changes"),
        "moment": [
            str(one) for one in differences(match.expected, close(match.expected, _now(match)))
        ][:5],
    }
    return exact(expect, {key: value for key, value in actual.items() if key in expect or value})


def final(match: Match, vector: Vector) -> Json:
    expected = vector["final"]
    return close(
        expected,
        {key: value for key, value in _seen(match).items() if key in expected or value is not None},
    )


def _seen(match: Match) -> dict[str, Any]:
    return {key: value for key, value in match.view(None).items() if key not in CONSTANT_FIELDS}


def _now(match: Match) -> dict[str, Any]:
    return _by_id(_seen(match))


def _by_id(seen: Mapping[str, Any]) -> dict[str, Any]:
    """A moment whose lists are objects by seat, id or place."""
    return dict(seen) | {
        "players": {str(one["seat"]): one for one in seen["players"]},
        "units": {str(one["id"]): one for one in seen["units"]},
        "structures": {str(one["id"]): one for one in seen["structures"]},
        "tiles": {f"{one['x']},{one['y']}": one for one in seen["tiles"]},
    }


def _changed(before: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The moment that follows, by a vector's changes. Tiles without anything are in no list."""
    after = dict(before) | {
        key: changes[key]
        for key in ("turn", "current_player", "next_id", "result")
        if key in changes
    }
    for name in ("players", "units", "structures"):
        kept = {
            key: value
            for key, value in before[name].items()
            if int(key) not in changes.get(f"removed_{name}", ())
        }
        kept |= {key: kept[key] | fields for key, fields in changes.get(name, {}).items()}
        after[name] = kept | {str(one["id"]): one for one in changes.get(f"new_{name}", ())}
    tiles = dict(before["tiles"])
    for fields in changes.get("tiles", ()):
        place = f"{fields['x']},{fields['y']}"
        bare = {"harvest_rate": 0, "turns_to_harvest": 0, "food": 0, "materials": 0}
        tiles[place] = bare | tiles.get(place, {}) | fields
        if not any(tiles[place][name] for name in bare):
            del tiles[place]
    return after | {"tiles": tiles}


def close(expected: Any, got: Any) -> Json:
    """`got`, exact in its keys, with every number that is near enough replaced by the expected
    one."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return exact(expected, {key: close(expected.get(key), value) for key, value in got.items()})
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        return [close(left, right) for left, right in zip(expected, got, strict=True)]
    if (
        isinstance(expected, int | float)
        and isinstance(got, float)
        and not isinstance(expected, bool)
    ):
        return expected if isclose(expected, got, rel_tol=0, abs_tol=SMALL) else got
    return got


def mapgen(vector: Vector) -> Iterator[Difference]:
    """Rates and chances exactly; the drawn maps' means within a wide tolerance; the sample maps are
    valid.

    The measured maps were kept however little was on them, and so are those that are compared with
    them."""
    config = vector.get("config") or {}
    rules = configure(GAME, config)
    unchosen = configure(GAME, config | {"min_food_tiles_per_half": 0, "min_neutral_per_half": 0})
    half, rows = rules.map_width // 2, range(rules.map_height)
    road = (rules.map_height // 2 - 1, rules.map_height // 2)
    for y in rows:
        for x in range(half):
            where = f"[{x}, {y}]"
            if y in road:
                yield from differences(
                    0, vector["food_chance_rows_left_half"][y][x], f"food_chance{where}"
                )
                continue
            expected = vector["harvest_rate_rows_left_half"][y][x]
            yield from differences(expected, harvest_rate(rules, x, y), f"harvest_rate{where}")
            chance = vector["food_chance_rows_left_half"][y][x]
            yield from differences(
                True, isclose(chance, food_chance(rules, x, y), abs_tol=1e-6), f"food_chance{where}"
            )
    boards = [
        Seeded(seed).at(0).draw("map", lambda stream: drawn(unchosen, stream))
        for seed in range(STATISTICS_MAPS)
    ]
    counts = {
        "left_half_food_tiles": [len(board.tiles) / 2 for board in boards],
        "left_half_neutral_structures": [(len(board.structures) - 2) / 2 for board in boards],
    }
    for name, values in counts.items():
        measured = vector[name]
        within = measured["sd"] / STATISTICS_MAPS**0.5 * 4 + 0.25
        if abs(fmean(values) - measured["mean"]) > within:
            yield Difference(None, name, f"{measured['mean']} within {within:.2f}", fmean(values))
    for axis in ("x", "y"):
        places = {str(getattr(board.units[0], axis)) for board in boards}
        yield from differences(
            True, places <= set(vector[f"overlord_{axis}_counts"]), f"overlord_{axis}"
        )
    for index, state in enumerate(vector["sample_initial_states"]):
        judge(_board(state, rules.map_width, rules.map_height))
        match = Match(
            GAME,
            rules,
            loaded(rules, state | {"map": {"width": rules.map_width, "height": rules.map_height}}),
            Scripted(),
        )
        yield from differences(_by_id(state), _now(match), f"sample_initial_states[{index}]")


def _board(state: Vector, width: int, height: int) -> Board:
    """The map that a first moment was made of."""
    return Board(
        width,
        height,
        tuple(TilePlan(**tile) for tile in state["tiles"]),
        tuple(
            StructurePlan(one["type"], one["owner"], one["x"], one["y"], one["materials"])
            for one in state["structures"]
        ),
        tuple(
            UnitPlan(one["job"], one["owner"], one["x"], one["y"], one["energy"])
            for one in state["units"]
        ),
    )


ADAPTER = Adapter(begin, moves, draws, found, final, {"catastrophe-mapgen-1": mapgen})
