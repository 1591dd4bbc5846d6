"""RULES §5.4: the switch, landing, the way home."""

from __future__ import annotations

import pytest

from games.cookoff.rules import BLUE, RED
from games.cookoff.state import Food
from tests.games.cookoff.scene import (
    bot,
    cell,
    done,
    hand,
    next_turn,
    part_of,
    refusal,
    scene,
    tried,
)

OPEN_ROOM = "....\n....\n....\n"


@pytest.mark.parametrize(("turn", "allowed"), [(4, False), (5, True), (7, True), (8, False)])
def test_the_window_includes_its_first_and_last_turn(turn: int, allowed: bool) -> None:
    state = scene(bot(0, 0), room=OPEN_ROOM, window=(5, 3), turn=turn)

    assert tried(state, "can_switch_maps", None)[1] == ("ok" if allowed else "no")
    if allowed:
        assert done(state, "switch_maps", None).bots[0].kitchen == BLUE
    else:
        assert refusal(state, "switch_maps", None) == "switch_not_allowed"


def test_an_empty_window_never_opens() -> None:
    assert (
        refusal(scene(bot(0, 0), room=OPEN_ROOM, window=(5, 0), turn=5), "switch_maps", None)
        == "switch_not_allowed"
    )


def test_each_team_switches_once_in_a_match() -> None:
    state = done(
        scene(bot(0, 0), bot(3, 2, team=BLUE), room=OPEN_ROOM, window=(1, 9)), "switch_maps", None
    )

    assert (state.switched, state.switch_used) == ((True, False), (True, False))
    assert refusal(state, "switch_maps", None) == "switch_not_allowed"
    assert done(part_of(state, BLUE), "switch_maps", None).switched == (True, True)


def test_all_bots_switch_with_full_hands_and_at_no_cost() -> None:
    egg = Food("EGG")
    state = scene(bot(0, 0, egg), bot(1, 2), bot(3, 2, team=BLUE), room=OPEN_ROOM, window=(1, 9))
    after = done(done(state, "switch_maps", None), "move", dx=0, dy=1)

    assert [one.kitchen for one in after.bots] == [BLUE, BLUE, BLUE]
    assert [cell(after, number) for number in range(3)] == [(0, 1), (1, 2), (3, 2)]
    assert hand(after) == egg


def test_a_bot_lands_next_to_a_taken_cell_by_dx_then_dy() -> None:
    state = scene(bot(1, 1), bot(1, 1, team=BLUE), room=OPEN_ROOM, window=(1, 9))

    assert cell(done(state, "switch_maps", None), 0) == (0, 0)


def test_bots_land_in_order_of_ids() -> None:
    blues = [bot(x, y, team=BLUE) for x, y in ((0, 0), (1, 0))]
    state = done(
        scene(bot(0, 0), bot(1, 0), *blues, room=OPEN_ROOM, window=(1, 9)), "switch_maps", None
    )

    assert [cell(state, number) for number in (0, 1)] == [(0, 1), (1, 1)]


def test_a_bot_on_a_submit_tile_lands_on_the_nearest_floor() -> None:
    state = scene(bot(1, 0), room="#U#.\n", window=(1, 9))

    assert cell(done(state, "switch_maps", None), 0) == (3, 0)


def test_without_a_free_floor_any_walkable_cell_is_used() -> None:
    state = scene(bot(0, 0), bot(2, 0, team=BLUE), room="U#.\n", window=(1, 9))

    assert cell(done(state, "switch_maps", None), 0) == (0, 0)


def test_bots_return_in_the_turn_after_the_window() -> None:
    state = scene(bot(0, 0), bot(3, 2, team=BLUE), room=OPEN_ROOM, window=(1, 3))
    state = done(state, "switch_maps", None)

    assert [one.bots[0].kitchen for one in (next_turn(state, 2), next_turn(state, 3))] == [
        BLUE,
        RED,
    ]
    assert next_turn(state, 3).switched == (False, False)
    assert next_turn(state, 3).switch_used == (True, False)


def test_red_returns_first_and_remaining_bots_block() -> None:
    away = [bot(1, 1, kitchen=BLUE), bot(1, 1, team=BLUE, kitchen=RED)]
    state = scene(*away, room=OPEN_ROOM, window=(1, 1))._replace(
        switched=(True, True), switch_used=(True, True)
    )
    home = next_turn(state)

    assert [cell(home, number) for number in (0, 1)] == [(0, 0), (1, 1)]
    assert [one.kitchen for one in home.bots] == [RED, BLUE]


def test_a_team_that_never_left_stays_where_it_is() -> None:
    state = scene(bot(1, 1), room=OPEN_ROOM, window=(1, 1))

    assert next_turn(state).bots == state.bots
