"""RULES §6: picking up, putting down, throwing away, buying, chopping; boxes and plates."""

from __future__ import annotations

import pytest

from games.cookoff.rules import BLUE, FOODS, KINDS, PRICES, RED
from games.cookoff.state import BARE, Food, Item, Pan, Plate, State, Tile
from games.core.contract import Json
from tests.games.cookoff.scene import (
    BOX,
    COOKER,
    COUNTER,
    SHOP,
    SINK,
    SUBMIT,
    TABLE,
    TRASH,
    Place,
    bot,
    done,
    hand,
    refusal,
    scene,
    tile,
)

EGG, ONIONS, CHOPPED = Food("EGG"), Food("ONIONS"), Food("ONIONS", True)
NEXT_TO = {
    SHOP: (2, 3),
    COUNTER: (3, 3),
    SUBMIT: (4, 3),
    COOKER: (2, 2),
    BOX: (3, 3),
    SINK: (4, 2),
    TRASH: (2, 1),
    TABLE: (4, 1),
}


def at(
    place: Place, holding: Item | None = None, lying: Tile | None = None, **config: Json
) -> State:
    """A bot beside a tile."""
    return scene(
        bot(*NEXT_TO[place], holding), red={} if lying is None else {place: lying}, **config
    )


# --- targets --------------------------------------------------------------------------------------

EMPTY_HANDED = (
    "pickup",
    "buy",
    "chop",
    "take_from_pan",
    "take_clean_plate",
    "wash_sink",
    "add_food_to_plate",
    "submit",
    "start_cook",
)


@pytest.mark.parametrize("kind", EMPTY_HANDED)
def test_a_target_is_at_most_one_cell_away_and_on_the_map(kind: str) -> None:
    state = scene(bot(0, 0), room="..U")

    assert refusal(state, kind, target=(2, 0), item="EGG") == "out_of_range"
    assert refusal(state, kind, target=(-2, 0), item="EGG") == "out_of_range"
    assert refusal(state, kind, target=(-1, 1), item="EGG") == "out_of_bounds"


@pytest.mark.parametrize("kind", ["place", "trash"])
def test_full_hands_have_the_same_range(kind: str) -> None:
    state = scene(bot(0, 0, EGG), room="..U")

    assert refusal(state, kind, target=(2, 0)) == "out_of_range"
    assert refusal(state, kind, target=(0, -1)) == "out_of_bounds"


def test_a_missing_coordinate_is_the_bots_own() -> None:
    state = scene(bot(1, 0, EGG), room="C.U\n.U.")

    assert tile(done(state, "place"), (1, 0)).item == EGG
    assert tile(done(state, "place", x=0, y=1), (0, 1)).item == EGG
    assert refusal(state, "place", x=0) == "not_placeable"


def test_a_bot_acts_in_the_kitchen_in_which_it_stands() -> None:
    state = scene(bot(3, 3, EGG, kitchen=BLUE))
    after = done(state, "place", target=COUNTER)

    assert tile(after, COUNTER, BLUE).item == EGG
    assert tile(after, COUNTER, RED) == BARE


# --- pickup and place -----------------------------------------------------------------------------


def test_an_item_on_a_tile_is_picked_up() -> None:
    after = done(at(COUNTER, lying=Tile(EGG)), "pickup", target=COUNTER)

    assert hand(after) == EGG
    assert tile(after, COUNTER) == BARE


def test_a_pan_is_picked_up_with_its_food_and_the_cooker_keeps_its_ticks() -> None:
    after = done(at(COOKER, lying=Tile(Pan(EGG), 7)), "pickup", target=COOKER)

    assert hand(after) == Pan(EGG)
    assert tile(after, COOKER) == Tile(None, 7)


def test_picking_up_needs_a_free_hand_and_an_item() -> None:
    assert refusal(at(COUNTER, EGG, Tile(EGG)), "pickup", target=COUNTER) == "hands_full"
    assert refusal(at(COUNTER), "pickup", target=COUNTER) == "nothing_there"
    assert refusal(at(BOX), "pickup", target=BOX) == "nothing_there"


def test_an_empty_hand_places_nothing() -> None:
    assert refusal(at(COUNTER), "place", target=COUNTER) == "hands_empty"


@pytest.mark.parametrize("place", [COUNTER, SINK, TRASH, SUBMIT])
def test_a_placeable_tile_accepts_an_item(place: Place) -> None:
    after = done(at(place, EGG), "place", target=place)

    assert hand(after) is None
    assert tile(after, place) == Tile(EGG)
    assert refusal(at(place, EGG, Tile(Plate())), "place", target=place) == "tile_occupied"


@pytest.mark.parametrize("place", [SHOP, TABLE, (3, 3), (0, 3)])
def test_other_tiles_accept_an_item_if_the_rules_allow_it(place: Place) -> None:
    beside = NEXT_TO.get(place, (2, 3)) if place != (0, 3) else (1, 3)

    assert refusal(scene(bot(*beside, EGG)), "place", target=place) == "not_placeable"
    assert (
        tile(
            done(scene(bot(*beside, EGG), placement="anywhere"), "place", target=place), place
        ).item
        == EGG
    )


def test_a_sink_keeps_its_plates_under_an_item() -> None:
    after = done(at(SINK, EGG, Tile(None, 2, 1)), "place", target=SINK)

    assert tile(after, SINK) == Tile(EGG, 2, 1)
    assert tile(done(at(SINK, None, tile(after, SINK)), "pickup", target=SINK), SINK) == Tile(
        None, 2, 1
    )


# --- boxes ----------------------------------------------------------------------------------------


def test_a_box_is_a_stack_of_one_kind() -> None:
    one = done(at(BOX, EGG), "place", target=BOX)
    two = done(at(BOX, EGG, tile(one, BOX)), "place", target=BOX)

    assert tile(one, BOX) == Tile(EGG, 1)
    assert tile(two, BOX) == Tile(EGG, 2)
    assert tile(done(at(BOX, None, Tile(EGG, 2)), "pickup", target=BOX), BOX) == Tile(EGG, 1)
    assert tile(done(at(BOX, None, Tile(EGG, 1)), "pickup", target=BOX), BOX) == BARE


@pytest.mark.parametrize(
    ("inside", "held"),
    [
        (ONIONS, CHOPPED),
        (EGG, Food("EGG", False, 1)),
        (EGG, Plate()),
        (Plate(), Plate(True)),
        (Plate(False, (EGG, CHOPPED)), Plate(False, (CHOPPED, EGG))),
        (Pan(), Pan(EGG)),
        (Pan(EGG), Pan(Food("EGG", False, 2))),
    ],
)
def test_an_item_that_differs_does_not_go_into_the_box(inside: Item, held: Item) -> None:
    assert refusal(at(BOX, held, Tile(inside, 1)), "place", target=BOX) == "box_mismatch"
    assert tile(done(at(BOX, inside, Tile(inside, 1)), "place", target=BOX), BOX).amount == 2


# --- trash, shop, chopping ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (EGG, None),
        (Plate(True, (EGG,)), Plate()),
        (Plate(), Plate()),
        (Pan(EGG), Pan()),
        (Pan(), Pan()),
    ],
)
def test_trash_takes_food_and_leaves_plate_and_pan(before: Item, after: Item | None) -> None:
    assert hand(done(at(TRASH, before), "trash", target=TRASH)) == after


def test_trashing_needs_an_item_in_hand_and_a_trash() -> None:
    assert refusal(at(TRASH), "trash", target=TRASH) == "hands_empty"
    assert refusal(at(COUNTER, EGG), "trash", target=COUNTER) == "wrong_tile"


@pytest.mark.parametrize(
    ("expected", "state", "kind", "target"),
    [
        ("hands_full", at(COUNTER, EGG), "pickup", (9, 9)),
        ("out_of_range", at(COUNTER), "pickup", (0, 0)),
        ("hands_empty", at(COUNTER), "place", (9, 9)),
        ("out_of_range", at(COUNTER, EGG), "place", (0, 0)),
        ("not_placeable", at(SHOP, EGG, Tile(EGG)), "place", SHOP),
        ("hands_empty", at(COUNTER), "trash", (9, 9)),
        ("out_of_range", at(COUNTER, EGG), "trash", (0, 0)),
        ("out_of_range", at(COUNTER), "start_cook", (0, 0)),
        ("wrong_tile", at(COUNTER), "start_cook", COUNTER),
        ("no_pan", at(COOKER, None, BARE), "start_cook", COOKER),
        ("hands_full", at(COUNTER, EGG), "take_from_pan", (9, 9)),
        ("out_of_range", at(COUNTER), "take_from_pan", (0, 0)),
        ("hands_full", at(COUNTER, EGG), "take_clean_plate", (9, 9)),
        ("out_of_range", at(COUNTER), "take_clean_plate", (0, 0)),
        ("out_of_range", at(COUNTER, Plate(True)), "put_dirty_plate_in_sink", (0, 0)),
        ("out_of_range", at(COUNTER), "wash_sink", (0, 0)),
        ("out_of_range", at(COUNTER), "add_food_to_plate", (0, 0)),
        ("out_of_range", at(COUNTER), "submit", (0, 0)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_checks_of_each_command_have_their_order(
    expected: str, state: State, kind: str, target: Place
) -> None:
    """Each of these fails the named check and a later one."""
    assert refusal(state, kind, target=target) == expected


def test_foods_equipment_and_tiles_have_the_numbers_of_the_rules() -> None:
    assert {
        name: (food.id, food.can_chop, food.can_cook, PRICES[name]) for name, food in FOODS.items()
    } == {
        "EGG": (0, False, True, 20),
        "ONIONS": (1, True, False, 30),
        "MEAT": (2, True, True, 80),
        "NOODLES": (3, False, False, 40),
        "SAUCE": (4, False, False, 10),
    }
    assert (PRICES["PLATE"], PRICES["PAN"]) == (2, 4)
    assert {
        kind.name: (kind.symbol, kind.id, kind.walkable, kind.placeable, kind.interactable)
        for kind in KINDS
    } == {
        "FLOOR": (".", 0, True, False, False),
        "WALL": ("#", 1, False, False, False),
        "COUNTER": ("C", 2, False, True, False),
        "BOX": ("B", 3, False, True, True),
        "SINK": ("S", 4, False, True, True),
        "SINKTABLE": ("T", 5, False, False, True),
        "COOKER": ("K", 6, False, True, True),
        "TRASH": ("R", 9, False, True, False),
        "SUBMIT": ("U", 10, True, True, True),
        "SHOP": ("$", 11, False, False, True),
    }


@pytest.mark.parametrize("item", sorted(PRICES))
def test_the_shop_sells_all_seven_items_at_their_price(item: str) -> None:
    after = done(scene(bot(2, 3), money=(PRICES[item], 9)), "buy", target=SHOP, item=item)

    assert after.money == (0, 9)
    assert hand(after) == {"PLATE": Plate(), "PAN": Pan()}.get(item, Food(item))


def test_buying_is_checked_in_order() -> None:
    poor = scene(bot(2, 3), bot(4, 3, EGG), bot(1, 3, EGG), money=(0, 0))

    assert refusal(poor, "buy", 1, SHOP, item="BREAD") == "out_of_range"
    assert refusal(poor, "buy", 1, (3, 4), item="BREAD") == "wrong_tile"
    assert refusal(poor, "buy", 2, SHOP, item="BREAD") == "hands_full"
    assert refusal(poor, "buy", 0, SHOP, item="egg") == "unknown_item"
    assert refusal(poor, "buy", 0, SHOP, item="PLATE") == "no_money"


def test_the_bots_own_team_pays_in_any_kitchen() -> None:
    state = scene(bot(2, 3, team=BLUE, kitchen=RED), acting=BLUE)

    assert done(state, "buy", target=SHOP, item="MEAT").money == (150, 70)


def test_chopping_is_immediate_on_a_counter_and_harmless_when_repeated() -> None:
    for lying in (ONIONS, CHOPPED):
        assert tile(done(at(COUNTER, lying=Tile(lying)), "chop", target=COUNTER), COUNTER) == Tile(
            CHOPPED
        )
    assert tile(
        done(at(COUNTER, lying=Tile(Food("MEAT", False, 2))), "chop", target=COUNTER), COUNTER
    ).item == Food("MEAT", True, 2)


def test_chopping_is_checked_in_order() -> None:
    assert refusal(at(BOX, EGG, Tile(ONIONS, 1)), "chop", target=BOX) == "wrong_tile"
    assert refusal(at(COUNTER, EGG, Tile(EGG)), "chop", target=COUNTER) == "hands_full"
    assert refusal(at(COUNTER, lying=Tile(EGG)), "chop", target=COUNTER) == "not_choppable"
    assert refusal(at(COUNTER), "chop", target=COUNTER) == "nothing_there"
    assert (
        refusal(at(COUNTER, lying=Tile(Plate(False, (ONIONS,)))), "chop", target=COUNTER)
        == "nothing_there"
    )


# --- plating --------------------------------------------------------------------------------------


def test_a_plate_in_hand_takes_food_from_a_tile_in_order() -> None:
    after = done(
        at(COUNTER, Plate(False, (EGG,)), Tile(CHOPPED)), "add_food_to_plate", target=COUNTER
    )

    assert hand(after) == Plate(False, (EGG, CHOPPED))
    assert tile(after, COUNTER) == BARE


def test_a_plate_takes_one_unit_from_a_box() -> None:
    after = done(at(BOX, Plate(), Tile(EGG, 2)), "add_food_to_plate", target=BOX)

    assert hand(after) == Plate(False, (EGG,))
    assert tile(after, BOX) == Tile(EGG, 1)
    assert tile(done(at(BOX, Plate(), Tile(EGG, 1)), "add_food_to_plate", target=BOX), BOX) == BARE


def test_food_in_hand_goes_onto_a_plate_on_the_tile() -> None:
    for place, lying in (
        (COUNTER, Tile(Plate(False, (EGG,)))),
        (BOX, Tile(Plate(False, (EGG,)), 1)),
    ):
        after = done(at(place, CHOPPED, lying), "add_food_to_plate", target=place)
        assert hand(after) is None
        assert tile(after, place) == lying._replace(item=Plate(False, (EGG, CHOPPED)))


def test_plating_can_be_refused() -> None:
    assert (
        refusal(at(COUNTER, Plate(True), Tile(EGG)), "add_food_to_plate", target=COUNTER)
        == "plate_dirty"
    )
    assert refusal(at(COUNTER, Plate()), "add_food_to_plate", target=COUNTER) == "nothing_there"
    assert (
        refusal(at(COUNTER, Plate(), Tile(Plate())), "add_food_to_plate", target=COUNTER)
        == "nothing_there"
    )
    assert (
        refusal(at(COOKER, Plate(), Tile(Pan(EGG))), "add_food_to_plate", target=COOKER)
        == "nothing_there"
    )
    assert (
        refusal(at(COUNTER, EGG, Tile(Plate(True))), "add_food_to_plate", target=COUNTER)
        == "plate_dirty"
    )
    assert refusal(at(BOX, EGG, Tile(Plate(), 2)), "add_food_to_plate", target=BOX) == "box_stack"
    for holding, lying in (
        (None, Tile(Plate())),
        (EGG, Tile(EGG)),
        (EGG, BARE),
        (Pan(EGG), Tile(Plate())),
    ):
        assert (
            refusal(at(COUNTER, holding, lying), "add_food_to_plate", target=COUNTER)
            == "bad_combination"
        )
