"""The calls of a Cadre client as commands: ids, functions and the conversion of arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.gateway.cadre.calls import FUNCTIONS, LogCall, UnitCall, read_call
from client_sdk.gateway.cadre.messages import BadMessage
from client_sdk.gateway.cadre.objects import JOB_ORDER, Found, ObjectIds
from games.catastrophe.commands import parse
from games.catastrophe.rules import Rules
from games.catastrophe.state import ground

GROUND = ground(Rules(), 26, 18)
IDS = ObjectIds(GROUND)
UNIT = IDS.thing(7)
TILE = {"id": IDS.tile(3 + 2 * 26)}


def call(function: str, args: Any = None, caller: Any = UNIT) -> Any:
    found = read_call(
        IDS, GROUND, {"caller": {"id": caller}, "functionName": function, "args": args}
    )
    return found.command if isinstance(found, UnitCall) else found


def test_ids_are_decimal_numbers_in_the_order_of_the_contest():
    assert [IDS.player(0), IDS.player(1)] == ["0", "1"]
    assert [IDS.job(title) for title in JOB_ORDER] == ["2", "3", "4", "5", "6", "7"]
    assert IDS.tile(0) == "8"
    assert IDS.tile(26 * 18 - 1) == str(7 + 26 * 18)
    assert IDS.road(8 * 26) == str(8 + 26 * 18)
    assert IDS.road(9 * 26 + 25) == str(8 + 26 * 18 + 51)
    assert IDS.thing(1) == str(8 + 26 * 18 + 53)


def test_every_id_is_found_again():
    roads = [cell for cell, road in enumerate(GROUND.road) if road]
    objects = {
        **{IDS.player(seat): Found("Player", seat) for seat in (0, 1)},
        **{IDS.job(title): Found("Job", place) for place, title in enumerate(JOB_ORDER)},
        **{IDS.tile(cell): Found("Tile", cell) for cell in range(GROUND.cells)},
        **{IDS.road(cell): Found("Road", cell) for cell in roads},
        **{IDS.thing(number): Found("Thing", number) for number in range(100)},
    }
    assert len(objects) == 2 + 6 + 468 + 52 + 100
    assert {id_: IDS.find(id_) for id_ in objects} == objects


@pytest.mark.parametrize("id_", ["", "-1", "01", "1.0", "x", "\u0663", "9" * 30, " 1"])
def test_what_is_no_number_is_no_id(id_: str):
    assert IDS.find(id_) is None


def test_a_function_is_a_command_of_the_unit():
    assert call("move", {"tile": TILE}) == {"cmd": "move", "unit": 7, "x": 3, "y": 2}
    assert call("rest") == {"cmd": "rest", "unit": 7}
    assert call("construct", {"tile": TILE, "type": "wall"}) == {
        "cmd": "construct",
        "unit": 7,
        "x": 3,
        "y": 2,
        "type": "wall",
    }
    assert call("changeJob", {"job": "soldier"})["job"] == "soldier"
    assert call("changeJob", {"job": {"id": IDS.job("soldier")}})["job"] == "soldier"
    assert len(FUNCTIONS) == 10


@pytest.mark.parametrize(
    ("amount", "number"),
    [
        (None, 0),
        (3, 3),
        ("3", 3),
        (3.7, 3),
        ("3.7", 3),
        (True, 0),
        ("many", 0),
        ([], 0),
        (1e400, 0),
        (-2, -2),
    ],
)
def test_amounts_are_cut_to_whole_numbers(amount: Any, number: int):
    command = call("drop", {"tile": TILE, "resource": "food", "amount": amount})
    assert command["amount"] == number
    assert type(command["amount"]) is int


@pytest.mark.parametrize("tile", [None, {"id": UNIT}, {"id": "0"}, {"id": 8}, {}, "8", 8, []])
def test_what_is_no_tile_is_null(tile: Any):
    assert call("move", {"tile": tile}) == {"cmd": "move", "unit": 7, "x": None, "y": None}


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (7, "7"), (True, "true"), ({}, ""), ("material", "material")]
)
def test_texts_are_converted(value: Any, text: str):
    assert call("pickup", {"tile": TILE, "resource": value})["resource"] == text


def test_any_object_can_log():
    assert call("log", {"message": "hi"}) == LogCall(UNIT, "hi")
    assert call("log", {"message": 7}, caller="8") == LogCall("8", "7")
    assert len(call("log", {"message": "x" * 100_000}).message) == 1_000


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"caller": None, "functionName": "rest"},
        {"caller": {"id": 500}, "functionName": "rest"},
        {"caller": {"id": "x"}, "functionName": "rest"},
        {"caller": {"id": UNIT}, "functionName": "fly"},
        {"caller": {"id": UNIT}, "functionName": None},
        {"caller": {"id": UNIT}, "functionName": []},
        {"caller": {"id": UNIT}, "functionName": "rest", "args": [1]},
        {"caller": {"id": "8"}, "functionName": "rest"},
        {"caller": {"id": "0"}, "functionName": "attack", "args": {}},
    ],
)
def test_a_malformed_call_is_refused_with_the_reason(data: Any):
    with pytest.raises(BadMessage, match=r"^run: "):
        read_call(IDS, GROUND, data)


VALUE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
ANY = VALUE | st.lists(VALUE, max_size=2) | st.fixed_dictionaries({"id": VALUE})


@given(
    st.sampled_from([*FUNCTIONS, "log"]),
    st.dictionaries(st.sampled_from(["tile", "job", "type", "resource", "amount", "message"]), ANY),
)
def test_the_rules_read_every_call_that_is_not_malformed(function: str, args: Any):
    found = call(function, args)
    if function != "log":
        assert parse(json.loads(json.dumps(found))) is not None
