"""RULES §5.1, §5.3 and step 3 of the turn: cooking and washing."""

from __future__ import annotations

import pytest

from games.cookoff.rules import RED
from games.cookoff.state import BARE, WITH_PAN, Food, Item, Pan, Plate, Tile
from tests.games.cookoff.scene import (
    COOKER,
    SINK,
    TABLE,
    bot,
    done,
    hand,
    next_turn,
    refusal,
    scene,
    tile,
)

EGG, COOKED, BURNT = Food("EGG"), Food("EGG", False, 1), Food("EGG", False, 2)
MEAT = Food("MEAT", True)


def test_raw_food_is_cooked_after_20_ticks_and_burnt_after_40() -> None:
    state = done(scene(bot(2, 2, EGG)), "start_cook", target=COOKER)

    assert tile(state, COOKER) == Tile(Pan(EGG), 0)
    for ticks, food in ((19, EGG), (20, COOKED), (39, COOKED), (40, BURNT), (41, BURNT)):
        assert tile(next_turn(state, ticks), COOKER) == Tile(Pan(food), ticks)


def test_the_ticks_of_cooking_and_burning_are_parameters() -> None:
    state = done(scene(bot(2, 2, EGG), cook_progress=2, burn_progress=3), "place", target=COOKER)

    assert [tile(next_turn(state, ticks), COOKER).item for ticks in (1, 2, 3)] == [
        Pan(EGG),
        Pan(COOKED),
        Pan(BURNT),
    ]


def test_food_that_burns_before_it_is_cooked_is_burnt() -> None:
    state = done(scene(bot(2, 2, EGG), cook_progress=9, burn_progress=2), "place", target=COOKER)

    assert tile(next_turn(state, 2), COOKER).item == Pan(BURNT)


def test_a_cooker_without_food_keeps_its_number() -> None:
    for lying in (WITH_PAN, Tile(None, 7)):
        state = scene(red={COOKER: lying})
        assert tile(next_turn(state, 3), COOKER) == lying
        assert next_turn(state).kitchens[RED] is state.kitchens[RED]


@pytest.mark.parametrize(("food", "start"), [(EGG, 0), (COOKED, 20), (BURNT, 40)])
def test_cooking_starts_at_the_beginning_of_the_stage(food: Food, start: int) -> None:
    assert tile(done(scene(bot(2, 2, food)), "place", target=COOKER), COOKER) == Tile(
        Pan(food), start
    )
    assert tile(done(scene(bot(2, 2, food)), "start_cook", target=COOKER), COOKER) == Tile(
        Pan(food), start
    )
    swapped = done(
        scene(bot(2, 2, Pan(food)), red={COOKER: Tile(Pan(), 9)}), "place", target=COOKER
    )
    assert tile(swapped, COOKER) == Tile(Pan(food), start)


def test_pans_are_swapped_unless_the_one_on_the_cooker_is_in_use() -> None:
    swapped = done(scene(bot(2, 2, Pan(EGG)), red={COOKER: Tile(Pan(), 9)}), "place", target=COOKER)
    bare = done(scene(bot(2, 2, Pan()), red={COOKER: Tile(None, 9)}), "place", target=COOKER)

    assert hand(swapped) == Pan()
    assert hand(bare) is None
    assert tile(bare, COOKER) == Tile(Pan(), 0)
    assert (
        refusal(scene(bot(2, 2, Pan()), red={COOKER: Tile(Pan(EGG), 9)}), "place", target=COOKER)
        == "cooker_busy"
    )


@pytest.mark.parametrize("kind", ["place", "start_cook"])
@pytest.mark.parametrize(
    ("holding", "lying", "code"),
    [
        (Food("SAUCE"), BARE, "no_pan"),
        (Food("SAUCE"), Tile(Pan(EGG)), "pan_full"),
        (Food("SAUCE"), WITH_PAN, "not_cookable"),
        (Food("ONIONS"), WITH_PAN, "not_cookable"),
        (Food("MEAT"), WITH_PAN, "not_chopped"),
        (Food("MEAT", False, 1), WITH_PAN, "not_chopped"),
    ],
)
def test_a_cooker_checks_in_order(kind: str, holding: Item, lying: Tile, code: str) -> None:
    assert refusal(scene(bot(2, 2, holding), red={COOKER: lying}), kind, target=COOKER) == code


def test_start_cook_needs_food_in_hand_and_a_cooker() -> None:
    for holding in (None, Plate(), Pan(EGG)):
        assert refusal(scene(bot(2, 2, holding)), "start_cook", target=COOKER) == "not_cookable"
    assert refusal(scene(bot(2, 2, EGG)), "start_cook", target=(3, 2)) == "wrong_tile"


@pytest.mark.parametrize("placement", ["placeable_only", "anywhere"])
def test_a_plate_cannot_be_put_on_a_cooker(placement: str) -> None:
    assert (
        refusal(scene(bot(2, 2, Plate()), placement=placement), "place", target=COOKER)
        == "not_placeable"
    )


def test_unchopped_meat_cooks_if_the_rules_allow_it() -> None:
    state = scene(bot(2, 2, Food("MEAT")), require_chop_before_cook=False)

    assert tile(done(state, "place", target=COOKER), COOKER).item == Pan(Food("MEAT"))


def test_taking_food_out_empties_the_pan_and_resets_its_ticks() -> None:
    after = done(
        scene(bot(2, 2), red={COOKER: Tile(Pan(MEAT), 19)}), "take_from_pan", target=COOKER
    )

    assert hand(after) == MEAT
    assert tile(after, COOKER) == WITH_PAN


def test_taking_food_out_can_be_refused() -> None:
    busy = {COOKER: Tile(Pan(EGG))}

    assert refusal(scene(bot(2, 2, EGG), red=busy), "take_from_pan", target=COOKER) == "hands_full"
    assert refusal(scene(bot(2, 2), red=busy), "take_from_pan", target=(3, 2)) == "wrong_tile"
    assert refusal(scene(bot(2, 2)), "take_from_pan", target=COOKER) == "nothing_there"
    assert (
        refusal(scene(bot(2, 2), red={COOKER: BARE}), "take_from_pan", target=COOKER)
        == "nothing_there"
    )


# --- washing --------------------------------------------------------------------------------------


def test_washing_counts_in_the_next_tick_and_two_ticks_clean_a_plate() -> None:
    state = scene(bot(4, 2), red={SINK: Tile(None, 2)})
    state = done(state, "wash_sink", target=SINK)
    assert tile(state, SINK) == Tile(None, 2, 0, True)

    state = next_turn(state)
    assert tile(state, SINK) == Tile(None, 2, 1, False)

    state = next_turn(done(state._replace(acting=RED), "wash_sink", target=SINK))
    assert tile(state, SINK) == Tile(None, 1, 0, False)
    assert tile(state, TABLE) == Tile(None, 1)


def test_progress_waits_while_no_bot_washes() -> None:
    state = scene(red={SINK: Tile(None, 1, 1)})

    assert tile(next_turn(state, 5), SINK) == Tile(None, 1, 1)


def test_two_bots_wash_no_faster() -> None:
    state = scene(bot(4, 2), bot(4, 1), red={SINK: Tile(None, 2)})
    state = done(done(state, "wash_sink", 0, SINK), "wash_sink", 1, SINK)

    assert tile(next_turn(state), SINK).progress == 1


def test_a_bot_with_full_hands_can_wash() -> None:
    state = done(scene(bot(4, 2, EGG), red={SINK: Tile(None, 1)}), "wash_sink", target=SINK)

    assert hand(state) == EGG


def test_a_sink_without_plates_stops() -> None:
    assert tile(next_turn(scene(red={SINK: Tile(None, 0, 1, True)})), SINK) == Tile(
        None, 0, 1, False
    )


def test_washing_takes_as_many_ticks_as_the_rules_say() -> None:
    state = scene(red={SINK: Tile(None, 1, 0, True)}, plate_wash_progress=1)

    assert tile(next_turn(state), TABLE).amount == 1


def test_washing_can_be_refused() -> None:
    assert refusal(scene(bot(4, 2)), "wash_sink", target=SINK) == "nothing_there"
    assert refusal(scene(bot(4, 2)), "wash_sink", target=TABLE) == "wrong_tile"
    assert refusal(scene(bot(4, 2)), "take_clean_plate", target=TABLE) == "nothing_there"
    assert refusal(scene(bot(4, 2)), "take_clean_plate", target=SINK) == "wrong_tile"
    assert (
        refusal(scene(bot(4, 2, EGG), red={TABLE: Tile(None, 1)}), "take_clean_plate", target=TABLE)
        == "hands_full"
    )
    for holding in (None, EGG, Plate()):
        assert (
            refusal(scene(bot(4, 2, holding)), "put_dirty_plate_in_sink", target=(9, 9))
            == "no_dirty_plate"
        )
    assert (
        refusal(scene(bot(4, 2, Plate(True))), "put_dirty_plate_in_sink", target=TABLE)
        == "wrong_tile"
    )


def test_clean_plates_are_taken_and_dirty_ones_put_in() -> None:
    taken = done(scene(bot(4, 2), red={TABLE: Tile(None, 2)}), "take_clean_plate", target=TABLE)
    put = done(
        scene(bot(4, 2, Plate(True)), red={SINK: Tile(None, 1, 1)}),
        "put_dirty_plate_in_sink",
        target=SINK,
    )

    assert hand(taken) == Plate()
    assert tile(taken, TABLE) == Tile(None, 1)
    assert hand(put) is None
    assert tile(put, SINK) == Tile(None, 2, 1)


@pytest.mark.parametrize(
    ("room", "table"),
    [
        (".T.\nTST\n.T.", (2, 1)),
        (".T.\nTS.\n.T.", (0, 1)),
        (".T.\n.S.\n.T.", (1, 2)),
        ("...\n.S.\n.T.", (1, 0)),
        ("T.T\n.S.\nT.T", (0, 0)),
    ],
)
def test_a_clean_plate_goes_to_an_adjacent_table_or_the_first_one(
    room: str, table: tuple[int, int]
) -> None:
    state = next_turn(scene(room=room, red={(1, 1): Tile(None, 1, 1, True)}))

    assert tile(state, table).amount == 1
    assert sum(one.amount for one in state.kitchens[RED]) == 1


def test_without_a_table_the_plate_is_removed() -> None:
    state = next_turn(scene(room=".S.", red={(1, 0): Tile(None, 1, 1, True)}))

    assert state.kitchens[RED] == state.plan.pristine
