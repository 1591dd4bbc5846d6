"""RULES §4: map files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.catastrophe import GAME
from games.catastrophe.board import parse_board, written
from games.core import maps
from games.core.contract import BadSetup
from games.core.match import Match
from tests.games.catastrophe.table import reaches_road

EXAMPLE: dict[str, Any] = {
    "width": 8,
    "height": 6,
    "tiles": [],
    "structures": [
        {"type": "shelter", "owner": 0, "x": 0, "y": 0},
        {"type": "shelter", "owner": 1, "x": 7, "y": 5},
    ],
    "units": [
        {"job": "cat overlord", "owner": 0, "x": 0, "y": 0},
        {"job": "fresh human", "owner": 0, "x": 1, "y": 0},
        {"job": "cat overlord", "owner": 1, "x": 7, "y": 5},
        {"job": "fresh human", "owner": 1, "x": 6, "y": 5},
    ],
}


def with_more(**more: list[Any]) -> dict[str, Any]:
    return EXAMPLE | {name: EXAMPLE[name] + entries for name, entries in more.items()}


def fault(raw: Any, config: Any = None) -> str:
    text = raw if isinstance(raw, str) else json.dumps(raw)
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, config or {}, 1, text)
    assert refused.value.why
    assert refused.value.field == "map"
    return refused.value.code


def test_the_example_of_the_rules_sets_a_match_up():
    match = Match.begin(GAME, {"starting_food": 7}, 1, json.dumps(EXAMPLE))
    seen = match.view(None)

    assert seen["map"] == {"width": 8, "height": 6, "road_rows": [2, 3]}
    assert [one["id"] for one in seen["structures"]] == [1, 2]
    assert [one["id"] for one in seen["units"]] == [3, 4, 5, 6]
    assert seen["players"] == [
        {"seat": 0, "food": 7, "upkeep": 1, "cat": 3},
        {"seat": 1, "food": 7, "upkeep": 1, "cat": 5},
    ]
    assert [seen["units"][1][name] for name in ("energy", "moves")] == [100.0, 4]
    assert (seen["turn"], seen["next_id"], seen["structures"][0]["materials"]) == (0, 7, 50)


def test_entries_can_have_more_fields():
    human = {
        "job": "builder",
        "x": 2,
        "y": 1,
        "owner": 0,
        "energy": 40.5,
        "moves": 0,
        "acted": True,
        "materials": 5,
        "starving": True,
    }
    walker = {"job": "fresh human", "x": 1, "y": 2, "turns_to_die": 6, "movement_target": [7, 2]}
    units = [
        human,
        human | {"x": 5, "y": 4, "owner": 1},
        walker,
        walker | {"x": 6, "y": 3, "movement_target": [0, 3]},
    ]
    tile = {"harvest_rate": 61, "turns_to_harvest": 2, "food": 3, "materials": 4}
    raw = with_more(units=units, tiles=[{"x": 3, "y": 0} | tile, {"x": 4, "y": 5} | tile])

    seen = Match.begin(GAME, {}, 1, json.dumps(raw)).view(None)
    assert human.items() <= seen["units"][4].items()
    assert {"owner": None, "movement_target": [7, 2], "turns_to_die": 6}.items() <= seen["units"][
        6
    ].items()
    assert {"x": 3, "y": 0} | tile == seen["tiles"][0]
    assert seen["players"][0]["upkeep"] == 3


RUIN = {"type": "neutral", "x": 3, "y": 1}
WALKER = {"job": "fresh human", "x": 1, "y": 2}


@pytest.mark.parametrize(
    ("code", "raw"),
    [
        ("bad_map", ""),
        ("bad_map", "{" * 100_000),
        ("bad_map", "[" * 100_000),
        ("bad_map", []),
        ("bad_map", EXAMPLE | {"name": "mine"}),
        ("bad_map", EXAMPLE | {"tiles": None}),
        ("bad_map", json.dumps(EXAMPLE).replace("[]", '[{"x": NaN}]')),
        ("bad_size", EXAMPLE | {"width": 9}),
        ("bad_size", EXAMPLE | {"height": 4}),
        ("bad_size", EXAMPLE | {"width": 66}),
        ("bad_size", EXAMPLE | {"width": 8.0}),
        ("bad_tile", with_more(tiles=[{"x": 8, "y": 0}])),
        ("bad_tile", with_more(tiles=[{"x": 3}])),
        ("bad_tile", with_more(tiles=[{"x": 3, "y": 0, "rate": 3}])),
        ("bad_tile", with_more(tiles=[{"x": 3, "y": 0, "food": -1}])),
        ("bad_tile", with_more(tiles=[[3, 0]])),
        ("bad_structure", with_more(structures=[RUIN | {"type": "road"}])),
        ("bad_structure", with_more(structures=[RUIN | {"owner": 0}])),
        ("bad_structure", with_more(structures=[RUIN | {"type": "wall"}])),
        ("bad_structure", with_more(structures=[RUIN | {"materials": 0}])),
        ("bad_unit", with_more(units=[WALKER | {"job": "wizard"}])),
        ("bad_unit", with_more(units=[WALKER | {"job": "cat overlord"}])),
        ("bad_unit", with_more(units=[WALKER | {"food": 11}])),
        ("bad_unit", with_more(units=[WALKER | {"owner": 2}])),
        ("bad_unit", with_more(units=[WALKER | {"energy": True}])),
        ("bad_unit", with_more(units=[WALKER | {"turns_to_die": 0}])),
        ("bad_unit", with_more(units=[WALKER | {"owner": 0, "turns_to_die": 3}])),
        ("bad_unit", with_more(units=[WALKER | {"movement_target": [3, 3]}])),
        ("bad_unit", with_more(units=[WALKER | {"movement_target": [9, 2]}])),
        (
            "bad_unit",
            with_more(units=[WALKER | {"energy": 101}, WALKER | {"x": 6, "y": 3, "energy": 101}]),
        ),
        ("on_road", with_more(structures=[RUIN | {"y": 2}])),
        ("on_road", with_more(tiles=[{"x": 0, "y": 3, "food": 1}])),
        ("duplicate_tile", with_more(tiles=[{"x": 3, "y": 0}, {"x": 3, "y": 0}])),
        ("duplicate_structure", with_more(structures=[RUIN, RUIN])),
        ("duplicate_unit", with_more(units=[WALKER, WALKER])),
        ("bad_overlord", EXAMPLE | {"units": EXAMPLE["units"][1:]}),
        ("bad_overlord", EXAMPLE | {"structures": []}),
        ("bad_overlord", with_more(units=[{"job": "cat overlord", "owner": 0, "x": 4, "y": 1}])),
        ("no_humans", EXAMPLE | {"units": EXAMPLE["units"][::2]}),
        ("not_symmetric", with_more(tiles=[{"x": 3, "y": 0, "food": 1}])),
        ("not_symmetric", with_more(structures=[RUIN])),
        ("not_symmetric", with_more(structures=[RUIN, RUIN | {"x": 4, "y": 4, "materials": 200}])),
        (
            "not_symmetric",
            with_more(units=[WALKER | {"owner": 0}, WALKER | {"x": 6, "y": 3, "owner": 0}]),
        ),
    ],
)
def test_a_faulty_map_has_the_code_of_its_fault(code, raw):
    assert code == fault(raw)


def test_the_rules_decide_what_a_map_can_hold():
    units = [WALKER | {"energy": 80}, WALKER | {"x": 6, "y": 3, "energy": 80}]

    assert Match.begin(GAME, {}, 1, json.dumps(with_more(units=units))).outcome is None
    assert fault(with_more(units=units), {"max_energy": 60}) == "bad_unit"


@pytest.mark.parametrize("name", maps.names("catastrophe"))
def test_our_maps_are_canonical_and_every_unit_can_walk_to_the_road(name):
    text = maps.text("catastrophe", name)
    state = Match.begin(GAME, {}, 1, text).state

    assert text == written(parse_board(text))
    for unit in state.units.values():
        assert reaches_road(state, unit.cell)
        overlord = state.units[state.cats[unit.owner]]
        assert unit.job == "soldier" or state.ground.distance(unit.cell, overlord.cell) <= 1


def test_maps_exist():
    assert {"learning", "granary", "ruins", "frontier"} == set(maps.names("catastrophe"))
