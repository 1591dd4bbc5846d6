"""RULES §4, §5.F, G"""

from __future__ import annotations

import pytest

from games.botstack import GAME
from games.core.dice import Scripted
from tests.games.botstack.table import AT_OPPONENT, NEW_ROUND, after, events, rules, table


def test_a_match_starts_with_a_starter_four_items_and_a_magazine():
    dice = Scripted(
        [
            ("starter", 1),
            ("item/0", "peek_current"),
            ("item/0", "skip_enemy"),
            ("item/1", "health_kit"),
            ("item/1", "reload_gun"),
            ("magazine", "BLB"),
        ]
    )
    state = GAME.setup(rules(), None, dice)
    dice.finish()

    assert (state.round, state.starter, state.turn, state.acting, state.phase) == (
        1,
        1,
        1,
        1,
        "abstain_request",
    )
    assert [player.items for player in state.players] == [
        ("peek_current", "skip_enemy"),
        ("health_kit", "reload_gun"),
    ]
    assert (state.total, state.live, state.load, state.reloads_left) == (3, 1, 1, 2)
    assert events(state)[-1] == {
        "e": "load",
        "load": 1,
        "cause": "round_start",
        "total": 3,
        "live": 1,
    }


def test_a_counted_reload_opens_both_windows_and_keeps_turn_health_and_skips():
    draws = [("magazine", "LLB"), ("item/0", "skip_enemy"), ("item/1", "skip_enemy")]
    state = after(table("B", health=(2, 5), skips=(False, True)), AT_OPPONENT, *draws)

    assert (state.load, state.reloads_left, state.turn) == (2, 1, 1)
    assert [player.can_abstain for player in state.players] == [True, True]
    assert [player.health for player in state.players] == [2, 5]
    assert [player.skip_pending for player in state.players] == [False, True]
    assert events(state, "load") == [
        {"e": "load", "load": 2, "cause": "dry", "total": 3, "live": 2}
    ]


@pytest.mark.parametrize(
    ("held", "drawn", "kept"),
    [
        (("empty", "empty"), True, ("skip_enemy", "empty")),
        (("empty", "health_kit"), True, ("skip_enemy", "health_kit")),
        (("health_kit", "empty"), True, ("health_kit", "skip_enemy")),
        (("health_kit", "health_kit"), False, ("health_kit", "health_kit")),
    ],
)
def test_an_item_goes_to_the_first_empty_slot_and_full_ones_draw_none(held, drawn, kept):
    draws = [
        ("magazine", "LLB"),
        ("item/0", "peek_current"),
        *([("item/1", "skip_enemy")] if drawn else []),
    ]
    state = after(table("B", items=(("empty", "empty"), held)), AT_OPPONENT, *draws)

    assert kept == state.players[1].items


def test_the_next_round_starts_with_the_other_seat_and_everything_of_a_round_is_reset():
    before = table(
        "LB",
        health=(5, 1),
        skips=(True, False),
        load=2,
        items=(("skip_enemy", "empty"), ("empty", "empty")),
    )
    state = after(before, AT_OPPONENT, *NEW_ROUND)

    assert (state.round, state.starter, state.turn, state.acting, state.phase) == (
        2,
        1,
        1,
        1,
        "abstain_request",
    )
    assert (state.load, state.magazine) == (1, "LBB")
    for player in state.players:
        assert (
            player.health,
            player.items,
            player.skip_pending,
            player.can_abstain,
        ) == (3, ("peek_current", "peek_current"), False, True)


def test_items_are_dealt_before_the_load_at_a_round_start_and_after_it_at_a_reload():
    draws = [("magazine", "LLB"), ("item/0", "skip_enemy"), ("item/1", "skip_enemy")]
    begun = after(table("L", health=(3, 1)), AT_OPPONENT, *NEW_ROUND)
    reloaded = after(table("B"), AT_OPPONENT, *draws)

    assert [event["e"] for event in events(begun)] == [
        "shot",
        "round_end",
        "round_start",
        *["deal"] * 4,
        "load",
    ]
    assert [event["e"] for event in events(reloaded)] == ["shot", "load", "deal", "deal"]


def test_the_last_shot_of_a_match_draws_nothing():
    state = after(table("LB", health=(3, 1), rounds_won=(1, 0)), AT_OPPONENT)

    assert (state.phase, state.acting) == ("finished", None)
    assert [event["e"] for event in events(state)] == ["shot", "round_end", "match_end"]
