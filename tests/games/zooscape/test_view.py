"""RULES §7: what is seen."""

from __future__ import annotations

import json

from games.core.match import Match
from games.zooscape import GAME
from games.zooscape.board import BIG_MOOSE_JUICE, CHAMELEON_CLOAK, SCAVENGER
from games.zooscape.state import NONE
from tests.games.zooscape.table import eats, sent, table, tick

PUBLIC = {"tick", "max_ticks", "game_over", "width", "height", "map", "animals", "zookeepers"}


def corridor(**more):
    return table("4022", "1111", "3004", animals=({}, more), zookeepers=({"at": (1, 2)},))


def test_every_viewer_sees_the_board_and_everything_on_it():
    state = tick(sent(corridor(), "right"))

    assert GAME.view(state, None) == {
        "tick": 1,
        "max_ticks": 2000,
        "game_over": False,
        "width": 4,
        "height": 3,
        "map": ["4022", "1111", "3004"],
        "animals": [
            {
                "seat": 0,
                "x": 1,
                "y": 0,
                "spawn_x": 0,
                "spawn_y": 0,
                "score": 0,
                "captured_count": 0,
                "distance_covered": 1,
                "is_viable": True,
                "held_power_up": None,
                "active_power_up": None,
            },
            {
                "seat": 1,
                "x": 3,
                "y": 2,
                "spawn_x": 3,
                "spawn_y": 2,
                "score": 0,
                "captured_count": 0,
                "distance_covered": 0,
                "is_viable": False,
                "held_power_up": None,
                "active_power_up": None,
            },
        ],
        "zookeepers": [{"id": 0, "name": "zk0", "x": 1, "y": 2, "spawn_x": 0, "spawn_y": 2}],
    }


def test_a_seat_also_sees_its_own_counters():
    state = tick(sent(corridor(), "right", "right", "down"))
    state = tick(state, *eats())

    assert GAME.view(state, 0)["you"] == {
        "seat": 0,
        "direction": "right",
        "streak_multiplier": 2.1,
        "ticks_on_spawn": 0,
        "power_ups_used": 0,
        "queue_length": 1,
        "events": [],
    }


def test_a_seats_view_is_a_spectators_with_its_private_fields_appended():
    state = tick(corridor())
    assert GAME.private_fields is not None

    for seat in (0, 1):
        assert json.dumps(
            GAME.view(state, None) | dict(GAME.private_fields(state, seat))
        ) == json.dumps(GAME.view(state, seat))
    assert set(GAME.view(state, None)) == PUBLIC


def test_the_length_of_a_queue_is_shown_to_its_owner():
    state = sent(corridor(), "right", "right", seat=1)

    assert [GAME.view(state, seat)["you"]["queue_length"] for seat in (0, 1)] == [0, 2]


def test_held_and_active_items_are_shown_with_kind_time_and_value():
    def shown(**more):
        animal = GAME.view(corridor(**more), None)["animals"][1]
        return animal["held_power_up"], animal["active_power_up"]

    assert shown(held=SCAVENGER) == ("scavenger", None)
    for kind, name, value in (
        (CHAMELEON_CLOAK, "chameleon_cloak", 0),
        (SCAVENGER, "scavenger", 5),
        (BIG_MOOSE_JUICE, "big_moose_juice", 3),
    ):
        active = {"kind": name, "ticks_remaining": 4, "value": value}
        assert (None, active) == shown(held=NONE, active=kind, ticks_remaining=4)


def test_an_empty_slot_is_reported_once_and_to_its_owner_only():
    state = tick(sent(corridor(), "use_item"))

    assert [GAME.view(state, seat)["you"]["events"] for seat in (0, 1)] == [["no_item"], []]
    assert GAME.view(tick(state), 0)["you"]["events"] == []


def test_the_last_view_shows_the_end():
    match = Match.begin(GAME, {"map_size": 9, "max_ticks": 1}, 1)
    assert not match.view(0)["game_over"]

    match.advance()
    assert match.view(0)["game_over"]


def test_a_view_of_the_default_board_is_small():
    match = Match.begin(GAME, {"max_ticks": 3}, 1)

    assert len(json.dumps(match.view(0), separators=(",", ":"))) < 4_500
