"""RULES §7: who may see what."""

from __future__ import annotations

from typing import Any

from games.cookoff import GAME
from games.cookoff.rules import BLUE, RED
from games.cookoff.state import Food, Pan, Plate, Tile
from games.cookoff.view import item_json, private_fields, view
from tests.games.cookoff.scene import (
    BOX,
    COOKER,
    COUNTER,
    SINK,
    TABLE,
    TRASH,
    bot,
    done,
    order,
    scene,
)

EGG = Food("EGG", False, 1)


def records(seen: Any, team: str = "RED") -> dict[tuple[int, int], Any]:
    return {(record["x"], record["y"]): record for record in seen["tiles"][team]}


def test_a_seat_sees_the_spectators_view_and_which_side_is_its_own() -> None:
    state = scene(bot(2, 3), bot(2, 3, team=BLUE))

    for seat, team in ((RED, "RED"), (BLUE, "BLUE")):
        assert view(state, seat) == view(state, None) | private_fields(state, seat)
        assert view(state, seat)["team"] == team
    assert "team" not in view(state, None)
    assert set(GAME.constant_fields) < set(view(state, None))


def test_bots_have_their_hands_and_budgets() -> None:
    state = done(scene(bot(2, 3, EGG), bot(4, 3, team=BLUE, kitchen=RED)), "move", dx=0, dy=-1)
    red, blue = view(state, None)["bots"]

    assert red == {
        "bot_id": 0,
        "team": "RED",
        "map_team": "RED",
        "x": 2,
        "y": 2,
        "holding": {
            "type": "Food",
            "food_name": "EGG",
            "food_id": 0,
            "chopped": False,
            "cooked_stage": 1,
        },
        "moved": True,
        "acted": False,
    }
    assert [blue[key] for key in ("bot_id", "team", "map_team", "holding")] == [
        1,
        "BLUE",
        "RED",
        None,
    ]
    assert view(state, None)["commands"] == 1


def test_items_have_their_type() -> None:
    egg = {"type": "Food", "food_name": "EGG", "food_id": 0, "chopped": False, "cooked_stage": 1}

    assert item_json(None) is None
    assert item_json(Plate(True, (EGG, EGG))) == {
        "type": "Plate",
        "dirty": True,
        "food": [egg, egg],
    }
    assert item_json(Pan(EGG)) == {"type": "Pan", "food": egg}
    assert item_json(Pan()) == {"type": "Pan", "food": None}


def test_stations_are_always_in_the_view_with_their_fields() -> None:
    red = {
        COOKER: Tile(Pan(), 7),
        SINK: Tile(None, 2, 1, True),
        TABLE: Tile(None, 3),
        BOX: Tile(EGG, 4),
    }
    tiles = records(view(scene(red=red), None))

    assert [*tiles] == sorted([COUNTER, COOKER, SINK, TABLE, BOX])
    assert tiles[COUNTER] == {"x": 3, "y": 4, "tile_name": "COUNTER", "item": None}
    assert tiles[COOKER] == {
        "x": 1,
        "y": 2,
        "tile_name": "COOKER",
        "item": item_json(Pan()),
        "cook_progress": 7,
    }
    assert tiles[SINK] == {
        "x": 5,
        "y": 2,
        "tile_name": "SINK",
        "item": None,
        "num_dirty_plates": 2,
        "curr_dirty_plate_progress": 1,
        "using": True,
    }
    assert tiles[TABLE] == {
        "x": 5,
        "y": 1,
        "tile_name": "SINKTABLE",
        "item": None,
        "num_clean_plates": 3,
    }
    assert tiles[BOX] == {"x": 3, "y": 2, "tile_name": "BOX", "item": item_json(EGG), "count": 4}


def test_other_tiles_are_in_the_view_while_they_hold_an_item() -> None:
    seen = view(scene(red={TRASH: Tile(EGG)}, blue={(0, 0): Tile(Plate())}), None)

    assert records(seen)[TRASH] == {"x": 1, "y": 1, "tile_name": "TRASH", "item": item_json(EGG)}
    assert [*records(seen)] == sorted(records(seen))
    assert records(seen, "BLUE")[0, 0]["tile_name"] == "WALL"


def test_only_active_orders_are_in_the_view() -> None:
    orders = [
        order("EGG", start=0, end=4),
        order("SAUCE", start=3, end=9, number=2),
        order(start=6, end=9, number=3),
    ]
    seen = view(scene(orders=orders, turn=5), RED)

    assert seen["orders"]["RED"] == seen["orders"]["BLUE"]
    assert seen["orders"]["RED"] == [
        {
            "order_id": 2,
            "required": ["SAUCE"],
            "created_turn": 3,
            "expires_turn": 9,
            "reward": 50,
            "penalty": 3,
            "claimed_by": None,
            "completed_turn": None,
            "is_active": True,
        }
    ]


def test_a_filled_order_is_not_active() -> None:
    state = done(scene(bot(4, 3, Plate()), orders=[order()]), "submit", target=(5, 4))

    assert [len(view(state, None)["orders"][team]) for team in ("RED", "BLUE")] == [0, 1]


def test_all_orders_are_in_the_view_if_the_rules_say_so() -> None:
    orders = [order(end=4), order(start=3, end=9, number=2), order(start=6, end=9, number=3)]
    state = done(
        scene(bot(4, 3, Plate()), orders=orders, turn=5, orders_visible="all"),
        "submit",
        target=(5, 4),
    )
    listed = view(state, None)["orders"]["RED"]

    assert [(one["order_id"], one["is_active"]) for one in listed] == [
        (1, False),
        (2, False),
        (3, False),
    ]
    assert (listed[1]["completed_turn"], listed[1]["claimed_by"]) == (5, 0)


def test_the_switch_is_shown_from_each_side() -> None:
    state = done(scene(bot(2, 3), bot(4, 3, team=BLUE), window=(1, 5)), "switch_maps", None)

    assert private_fields(state, RED)["switch"] == {
        "turn": 1,
        "switch_turn": 1,
        "switch_duration": 5,
        "window_active": True,
        "window_end_turn": 5,
        "my_team_switched": True,
        "enemy_team_switched": False,
        "has_switched": True,
        "enemy_has_switched": False,
    }
    assert private_fields(state, BLUE)["switch"]["enemy_has_switched"]
    assert view(state, None)["switched"] == {"RED": True, "BLUE": False}


def test_the_constants_have_the_kitchen_and_the_prices() -> None:
    seen = view(scene(window=(30, 9)), None)

    assert seen["map"] == {"width": 7, "height": 6, "rows": list(scene().plan.rows)}
    assert seen["foods"][2] == {
        "name": "MEAT",
        "id": 2,
        "can_chop": True,
        "can_cook": True,
        "cost": 80,
    }
    assert seen["shop"] == {"PLATE": 2, "PAN": 4}
    assert (seen["switch_turn"], seen["switch_duration"]) == (30, 9)
