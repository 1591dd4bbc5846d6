"""The contest's GameState as clients read it."""

from __future__ import annotations

import datetime
import json
from typing import Any

from client_sdk.api.zooscape_values import contest_id
from client_sdk.gateway.signalr.game_state import StateText

AT = datetime.datetime(2025, 7, 1, 12, 30, 15, 250_000, datetime.UTC)
ANIMAL = {
    "seat": 0,
    "x": 1,
    "y": 2,
    "spawn_x": 0,
    "spawn_y": 0,
    "score": 64.0,
    "captured_count": 3,
    "distance_covered": 9,
    "is_viable": True,
    "held_power_up": "scavenger",
    "active_power_up": {"kind": "big_moose_juice", "ticks_remaining": 4, "value": 3.0},
}
IDLE = ANIMAL | {"seat": 1, "held_power_up": None, "active_power_up": None}
ZOOKEEPER = {"id": 0, "name": "zk0", "x": 1, "y": 0, "spawn_x": 1, "spawn_y": 1}
VIEW: Any = {
    "tick": 7,
    "map": ["123", "456"],
    "animals": [ANIMAL, IDLE],
    "zookeepers": [ZOOKEEPER],
    "you": {"queue_length": 1},
}
MINE, THEIRS = "6f9619ff-8b86-d011-b42d-00cf4fc964ff", contest_id("m", "animal", 1)


def message(own: dict[int, str], names: tuple[str, str] = ("Baloo", "Kaa")) -> dict[str, Any]:
    text = StateText("m", VIEW, names, AT).seen_by(own)
    assert text.endswith("\x1e")
    assert text.count("\x1e") == 1
    found: dict[str, Any] = json.loads(text[:-1])
    return found


def state(own: dict[int, str]) -> dict[str, Any]:
    found: dict[str, Any] = message(own)["arguments"][0]
    return found


def test_it_is_an_invocation_without_an_id() -> None:
    found = message({})

    assert (found["type"], found["target"], len(found["arguments"])) == (1, "GameState", 1)
    assert set(found) == {"type", "target", "arguments"}


def test_all_cells_come_column_by_column() -> None:
    assert state({})["cells"] == [
        {"x": 0, "y": 0, "content": 1},
        {"x": 0, "y": 1, "content": 4},
        {"x": 1, "y": 0, "content": 2},
        {"x": 1, "y": 1, "content": 5},
        {"x": 2, "y": 0, "content": 3},
        {"x": 2, "y": 1, "content": 6},
    ]


def test_an_animal_has_the_contests_fields_with_numbers_for_enums_and_nulls_written() -> None:
    one, other = state({0: MINE})["animals"]

    assert one == {
        "id": MINE,
        "nickname": "Baloo",
        "x": 1,
        "y": 2,
        "spawnX": 0,
        "spawnY": 0,
        "score": 64,
        "capturedCounter": 3,
        "distanceCovered": 9,
        "isViable": True,
        "heldPowerUp": 2,
        "activePowerUp": {"value": 3.0, "ticksRemaining": 4, "type": 3},
    }
    assert isinstance(one["score"], int)
    assert (other["heldPowerUp"], other["activePowerUp"]) == (None, None)


def test_a_zookeeper_has_the_contests_fields() -> None:
    assert state({})["zookeepers"] == [
        {
            "id": contest_id("m", "zookeeper", 0),
            "nickname": "zk0",
            "x": 1,
            "y": 0,
            "spawnX": 1,
            "spawnY": 1,
        }
    ]


def test_nothing_else_is_in_it() -> None:
    assert set(state({})) == {"timeStamp", "tick", "cells", "animals", "zookeepers"}
    assert state({})["tick"] == 7


def test_the_time_is_utc_with_a_fraction_and_z() -> None:
    assert state({})["timeStamp"] == "2025-07-01T12:30:15.250000Z"


def test_each_bot_sees_its_own_id_and_others_see_one_of_match_and_seat() -> None:
    assert [animal["id"] for animal in state({0: MINE})["animals"]] == [MINE, THEIRS]
    assert [animal["id"] for animal in state({1: MINE})["animals"]] == [
        contest_id("m", "animal", 0),
        MINE,
    ]
    assert MINE not in json.dumps(state({}))


def test_names_cannot_break_the_text() -> None:
    names = ('","id":"\\', "\x00\x1e\u2028")

    animals = message({0: MINE}, names)["arguments"][0]["animals"]

    assert tuple(animal["nickname"] for animal in animals) == names
    assert [animal["id"] for animal in animals] == [MINE, THEIRS]
