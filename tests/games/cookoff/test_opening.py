"""RULES §4.2, §4.3: the first state."""

from __future__ import annotations

import pytest

from games.cookoff import GAME
from games.cookoff.board import parse_board
from games.cookoff.opening import draw_map, pooled
from games.cookoff.rules import BLUE, POOL, RED
from games.cookoff.state import NO_TEAM, WITH_PAN
from games.core import maps
from games.core.contract import BadSetup
from games.core.dice import Scripted, Stream
from tests.games.cookoff.scene import cell, match, rules


def starts(text: str, **config: int) -> list[list[tuple[int, int]]]:
    """The start cells by team, in the order of the ids."""
    state = match(parse_board(text), **config).state
    return [
        [cell(state, number) for number, one in enumerate(state.bots) if one.team == team]
        for team in (RED, BLUE)
    ]


def test_before_turn_1_no_seat_is_awaited_and_both_kitchens_are_equal() -> None:
    state = match("b.U\n$.K\n").state

    assert (state.turn, state.acting, state.money) == (0, NO_TEAM, (150, 150))
    assert state.kitchens[RED] == state.kitchens[BLUE]
    assert state.kitchens[RED][state.plan.cell(2, 0)] == WITH_PAN


def test_bots_start_by_row_from_the_top_and_red_has_the_first_ids() -> None:
    state = match("b.b\n.U.\n.bb\n.b.\n...\n").state

    assert [(one.team, cell(state, number)) for number, one in enumerate(state.bots)] == [
        (team, place) for team in (RED, BLUE) for place in ((0, 4), (2, 4), (1, 2), (2, 2), (1, 1))
    ]


def test_fewer_bots_take_the_first_marks() -> None:
    assert starts("b.b\n.U.\n.bb\n", bots_per_team=2) == [[(0, 2), (2, 2)]] * 2


def test_missing_bots_land_around_the_last_mark() -> None:
    assert (
        starts("b....\n.....\n.....\n", bots_per_team=4) == [[(0, 2), (0, 1), (1, 1), (1, 2)]] * 2
    )
    assert starts("b....\n.....\n.....\n....b\n", bots_per_team=4)[RED][1:] == [
        (4, 0),
        (3, 0),
        (3, 1),
    ]


def test_missing_bots_prefer_the_floor_to_submit_tiles() -> None:
    assert starts("bU.\n#U.\n#..\n", bots_per_team=2)[RED] == [(0, 2), (1, 0)]
    assert starts("bUU\nUUU\n", bots_per_team=3)[RED] == [(0, 1), (0, 0), (1, 0)]


def test_without_a_mark_each_team_has_one_bot_near_the_middle() -> None:
    assert starts(".....\n.....\n.....\n") == [[(2, 1)]] * 2
    assert starts(".....\n..##.\n.....\n") == [[(1, 0)]] * 2


def test_the_middle_is_searched_as_far_as_the_shorter_side_then_the_rows_from_below() -> None:
    assert starts("######.##\n#########\n.########\n") == [[(6, 2)]] * 2
    assert starts("#######.#\n#########\n.########\n") == [[(0, 0)]] * 2


def test_at_equal_distance_from_the_middle_the_lowest_row_is_preferred() -> None:
    assert starts("..#######\n#########\n.########\n") == [[(0, 0)]] * 2


def test_without_a_mark_the_others_land_around_the_first() -> None:
    assert starts(".....\n.....\n.....\n", bots_per_team=3) == [[(2, 1), (1, 0), (1, 1)]] * 2


@pytest.mark.parametrize(
    ("text", "config"), [("bb.\n", {}), ("b..\n", {"bots_per_team": 2}), ("###\n", {})]
)
def test_a_map_with_too_few_cells_is_refused(text: str, config: dict[str, int]) -> None:
    with pytest.raises(BadSetup, match=r"expected [24] walkable cells or more") as refused:
        match(parse_board(text), **config)
    assert refused.value.code == "bad_map"


def test_exactly_enough_cells_suffice() -> None:
    assert len(match(parse_board("bb.U\n")).state.bots) == 4


def test_orders_get_their_ids_in_file_order_and_missing_rewards_and_penalties_from_the_rules():
    text = (
        "bb..\nORDERS:\nstart=3 duration=4 required=EGG\nstart=0 duration=9 required=SAUCE "
        "reward=0 penalty=1\n"
    )
    state = match(text, order_default_reward=70, order_default_penalty=8).state

    assert state.orders[RED] == state.orders[BLUE]
    assert [
        (one.id, one.created_turn, one.expires_turn, one.reward, one.penalty)
        for one in state.orders[RED]
    ] == [
        (1, 3, 7, 70, 8),
        (2, 0, 9, 0, 1),
    ]


def test_the_window_is_the_rules_or_the_maps_or_250_to_349() -> None:
    text = "bb..\nSWITCH: turn=40 duration=9\n"

    assert [match(text).state.plan.switch_turn, match(text).state.plan.switch_end] == [40, 48]
    plain = match("bb..\n").state.plan
    assert (plain.switch_turn, plain.switch_end) == (250, 349)
    assert match(text, switch_turn=5).state.plan.switch_end == 13
    assert match(text, switch_duration=0).state.plan.switch_end == 39


def test_without_a_map_one_of_the_pool_is_drawn() -> None:
    state = GAME.setup(rules(), None, Scripted([("map", "island")]))

    assert state.plan.rows == pooled("island").rows
    assert {draw_map(POOL, Stream(bytes([number]))) for number in range(100)} == set(POOL)


def test_the_pool_contains_our_maps() -> None:
    assert set(POOL) <= set(maps.names("cookoff"))
