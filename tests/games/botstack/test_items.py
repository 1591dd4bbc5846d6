"""RULES §5.D"""

from __future__ import annotations

from tests.games.botstack.table import AT_OPPONENT, NEW_ROUND, NO, after, events, slot, table

TWO_OF = {
    name: ((name, name), ("empty", "empty"))
    for name in ("peek_current", "eject_current", "skip_enemy", "health_kit", "reload_gun")
}


def asked(magazine, item, **words):
    return table(magazine, phase="item", items=TWO_OF[item], **words)


def test_no_item_leads_to_the_shot_without_an_event():
    state = after(asked("LB", "peek_current"), slot(0))

    assert (state.phase, state.acting) == ("shoot", 0)
    assert state.players[0].items == ("peek_current", "peek_current")
    assert events(state) == []


def test_a_used_item_leaves_its_slot_and_the_shot_follows():
    state = after(asked("LB", "peek_current"), slot(2))

    assert state.players[0].items == ("peek_current", "empty")
    assert (state.phase, state.acting) == ("shoot", 0)


def test_an_empty_slot_can_be_chosen_without_effect():
    before = table("LB", phase="item")
    state = after(before, slot(1))

    assert (before.players, "LB", "shoot") == (state.players, state.magazine, state.phase)
    assert events(state) == [{"e": "item", "seat": 0, "slot": 1, "item": "empty"}]


def test_a_peek_reveals_the_next_bullet():
    assert after(asked("LB", "peek_current"), slot(1)).known_next == "live"
    assert after(asked("BL", "peek_current"), slot(1)).known_next == "blank"


def test_an_ejected_bullet_is_public():
    state = after(asked("LB", "eject_current"), slot(1))

    assert (state.magazine, state.total, state.live) == ("B", 1, 0)
    assert {"e": "eject", "seat": 0, "bullet": "live"} in events(state)


def test_ejecting_the_last_bullet_reloads_before_the_shot_without_a_question():
    draws = [("magazine", "BBL"), ("item/0", "skip_enemy"), ("item/1", "health_kit")]
    state = after(asked("L", "eject_current"), slot(1), *draws)

    assert (state.phase, state.acting, state.load, state.magazine) == ("shoot", 0, 2, "BBL")
    assert [player.can_abstain for player in state.players] == [True, True]
    assert state.players[0].items == ("skip_enemy", "eject_current")
    assert [event["e"] for event in events(state)] == ["item", "eject", "load", "deal", "deal"]


def test_ejecting_the_last_bullet_of_the_last_load_ends_the_round_without_a_shot():
    state = after(asked("L", "eject_current", load=3), slot(1), *NEW_ROUND)

    assert state.rounds[0].reason == "out_of_bullets"
    assert state.round == 2


def test_a_second_skip_is_wasted():
    once = after(asked("BBB", "skip_enemy"), slot(1))
    again = after(after(once, AT_OPPONENT), slot(2))
    assert again.players[0].skip_pending

    twice = after(asked("BBB", "skip_enemy", skips=(True, False)), slot(1))
    passed = after(after(after(twice, AT_OPPONENT), slot(0)), AT_OPPONENT)
    assert (passed.turn, passed.players[0].skip_pending) == (1, False)


def test_a_kit_heals_above_three():
    assert after(asked("LB", "health_kit"), slot(1)).players[0].health == 4


def test_a_kit_at_the_cap_is_spent_without_effect():
    state = after(asked("LB", "health_kit", config={"health_cap": 3}), slot(1))

    assert (state.players[0].health, state.players[0].items[0]) == (3, "empty")


def test_a_kit_below_the_cap_heals():
    assert (
        after(asked("LB", "health_kit", health=(2, 3), config={"health_cap": 3}), slot(1))
        .players[0]
        .health
        == 3
    )


def test_the_reload_item_is_not_a_counted_load_and_deals_and_opens_nothing():
    state = after(asked("LB", "reload_gun"), slot(1), ("magazine", "BBBL"))

    assert (state.load, state.reloads_left, state.magazine, state.phase) == (1, 2, "BBBL", "shoot")
    assert state.players[0].items == ("empty", "reload_gun")
    assert [player.can_abstain for player in state.players] == [False, False]
    assert events(state, "load") == [
        {"e": "load", "load": 1, "cause": "reload_item", "total": 4, "live": 1}
    ]


def test_the_reload_item_leaves_an_open_window_open():
    state = after(asked("LB", "reload_gun", windows=(False, True)), slot(1), ("magazine", "BBBL"))

    assert [player.can_abstain for player in state.players] == [False, True]


def test_the_reload_item_works_on_the_last_load():
    assert after(asked("L", "reload_gun", load=3), slot(1), ("magazine", "BBL")).load == 3


def test_several_items_per_turn_but_one_before_each_shot():
    shot = after(asked("BBL", "health_kit"), slot(1))
    assert shot.phase == "shoot"

    state = after(after(shot, {"type": "shoot", "target": "self"}), slot(2))
    assert (state.players[0].health, state.turn) == (5, 0)


def test_a_declined_question_is_followed_by_the_item_step():
    assert after(table("LB", phase="abstain_request", windows=(True, True)), NO).phase == "item"
