"""RULES §5.2, §5.3, step 4: filling orders and letting them expire."""

from __future__ import annotations

import pytest

from games.cookoff.rules import BLUE, RED
from games.cookoff.state import Fate, Food, Plate, State, Tile
from tests.games.cookoff.scene import (
    SINK,
    SUBMIT,
    bot,
    done,
    hand,
    next_turn,
    order,
    refusal,
    scene,
    tile,
)

EGG, ONIONS, MEAT = Food("EGG", False, 1), Food("ONIONS", True), Food("MEAT", True, 1)
NOODLES, SAUCE = Food("NOODLES"), Food("SAUCE")


def serving(*foods: Food, required: tuple[str, ...], turn: int = 1) -> State:
    return scene(
        bot(4, 3, Plate(False, foods)), orders=[order(*required, start=5, end=8)], turn=turn
    )


def test_a_dish_is_paid_and_its_plate_goes_dirty_into_the_sink() -> None:
    after = done(
        serving(NOODLES, EGG, required=("EGG", "NOODLES"), turn=6), "submit", target=SUBMIT
    )

    assert after.money == (200, 150)
    assert hand(after) is None
    assert after.fates == ((Fate(6, 0),), (Fate(),))
    assert tile(after, SINK) == Tile(None, 1)


@pytest.mark.parametrize(
    ("dish", "required"),
    [
        ((EGG,), ("EGG",)),
        ((ONIONS,), ("ONIONS",)),
        ((MEAT,), ("MEAT",)),
        ((NOODLES, SAUCE), ("SAUCE", "NOODLES")),
        ((SAUCE, EGG, SAUCE), ("SAUCE", "SAUCE", "EGG")),
        ((), ()),
    ],
)
def test_each_food_has_its_required_state(
    dish: tuple[Food, ...], required: tuple[str, ...]
) -> None:
    assert (
        done(serving(*dish, required=required, turn=5), "submit", target=SUBMIT).money[RED] == 200
    )


@pytest.mark.parametrize(
    ("dish", "required"),
    [
        ((Food("EGG"),), ("EGG",)),
        ((Food("EGG", False, 2),), ("EGG",)),
        ((Food("EGG", True, 1),), ("EGG",)),
        ((Food("ONIONS"),), ("ONIONS",)),
        ((Food("MEAT", False, 1),), ("MEAT",)),
        ((Food("MEAT", True),), ("MEAT",)),
        ((Food("NOODLES", True),), ("NOODLES",)),
        ((SAUCE,), ("SAUCE", "SAUCE")),
        ((SAUCE, SAUCE), ("SAUCE",)),
        ((), ("SAUCE",)),
    ],
)
def test_a_dish_matches_an_order_exactly(dish: tuple[Food, ...], required: tuple[str, ...]) -> None:
    assert (
        refusal(serving(*dish, required=required, turn=5), "submit", target=SUBMIT)
        == "no_matching_order"
    )


@pytest.mark.parametrize(("turn", "fills"), [(4, False), (5, True), (8, True), (9, False)])
def test_an_order_is_active_in_its_first_and_last_turn(turn: int, fills: bool) -> None:
    state = serving(EGG, required=("EGG",), turn=turn)

    if fills:
        assert done(state, "submit", target=SUBMIT).fates[RED][0].completed_turn == turn
    else:
        assert refusal(state, "submit", target=SUBMIT) == "no_matching_order"


def test_the_first_active_order_that_matches_is_filled_and_each_only_once() -> None:
    orders = [
        order("SAUCE"),
        order("EGG", start=9, number=2),
        order("EGG", number=3, reward=7),
        order("EGG", number=4),
    ]
    dish = Plate(False, (EGG,))
    state = scene(bot(4, 3, dish), bot(4, 4, dish), bot(5, 3, dish), orders=orders)
    once = done(state, "submit", 0, SUBMIT)
    twice = done(once, "submit", 1, SUBMIT)

    assert once.money[RED] == 157
    assert twice.fates[RED] == (Fate(), Fate(), Fate(1, 0), Fate(1, 1))
    assert refusal(twice, "submit", 2, SUBMIT) == "no_matching_order"


def test_submitting_is_checked_in_order() -> None:
    orders = [order("EGG")]

    assert refusal(scene(bot(4, 3, EGG), orders=orders), "submit", target=(3, 4)) == "wrong_tile"
    for holding in (None, EGG, Plate(True, (EGG,))):
        assert (
            refusal(scene(bot(4, 3, holding), orders=orders), "submit", target=SUBMIT)
            == "no_clean_plate"
        )


def test_in_the_other_kitchen_its_orders_are_filled_for_its_team() -> None:
    state = scene(bot(4, 3, Plate(False, (EGG,)), kitchen=BLUE), orders=[order("EGG")])
    after = done(state, "submit", target=SUBMIT)

    assert after.money == (150, 200)
    assert after.fates == ((Fate(),), (Fate(1, 0),))
    assert tile(after, SINK, BLUE).amount == 1
    assert tile(after, SINK, RED).amount == 0


@pytest.mark.parametrize(
    ("room", "sink"),
    [
        (".S.\nSUS\n.S.", (2, 1)),
        (".S.\nSU.\n.S.", (0, 1)),
        (".S.\n.U.\n.S.", (1, 2)),
        ("...\n.U.\n.S.", (1, 0)),
        ("S.S\n.U.\nS.S", (0, 0)),
    ],
)
def test_the_plate_goes_to_an_adjacent_sink_or_the_first_one(
    room: str, sink: tuple[int, int]
) -> None:
    state = done(scene(bot(1, 1, Plate()), room=room, orders=[order()]), "submit")

    assert tile(state, sink).amount == 1
    assert sum(one.amount for one in state.kitchens[RED]) == 1


def test_without_a_sink_the_plate_is_removed() -> None:
    state = done(scene(bot(0, 0, Plate()), room="U.", orders=[order()]), "submit")

    assert state.kitchens[RED] == state.plan.pristine
    assert state.money[RED] == 200


def test_an_expired_order_costs_its_penalty_once_in_the_next_turn() -> None:
    state = scene(orders=[order("EGG", end=2, penalty=30)], turn=0, money_per_turn=0)

    assert [next_turn(state, turns).money for turns in (2, 3, 4)] == [
        (150, 150),
        (120, 120),
        (120, 120),
    ]
    assert next_turn(state, 3).fates[RED] == (Fate(penalized=True),)


def test_a_filled_order_has_no_penalty() -> None:
    state = done(
        scene(bot(4, 3, Plate()), orders=[order(end=2)], turn=2, money_per_turn=0),
        "submit",
        target=SUBMIT,
    )

    assert next_turn(state, 3).money == (200, 147)


def test_money_can_become_negative() -> None:
    assert next_turn(scene(orders=[order(end=1, penalty=500)], money_per_turn=0)).money == (
        -350,
        -350,
    )


def test_an_order_with_a_negative_duration_is_never_active_but_has_a_penalty() -> None:
    state = scene(bot(4, 3, Plate()), orders=[order(start=5, end=3)], turn=3, money_per_turn=0)

    assert refusal(state, "submit", target=SUBMIT) == "no_matching_order"
    assert next_turn(state).money == (147, 147)


def test_several_orders_can_expire_at_once() -> None:
    orders = [order(end=1, penalty=1), order(end=9, penalty=2), order(end=1, penalty=4)]

    assert next_turn(scene(orders=orders, money_per_turn=0)).money == (145, 145)
