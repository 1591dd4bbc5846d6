"""RULES §5.D"""

from __future__ import annotations

from tests.games.botstack.table import AT_OPPONENT, NEW_ROUND, NO, after, events, slot, table

TWO_OF = {
    name: ((name, name), ("empty", "empty"))
    for name in ("peek_current", "eject_current", "skip_enemy", "health_kit", "reload_gun")
}


def asked(magazine, item, **words):
    return table(magazine, phase="item", items=TWO_OF[item], **words)


def test_no_item_leads_to_the_shot_and_tells_nothing():
    state = after(asked("LB", "peek_current"), slot(0))

    assert ("shoot", 0) == (state.phase, state.acting)
    assert ("peek_current", "peek_current") == state.players[0].items
    assert [] == events(state)


def test_an_item_leaves_its_slot_and_the_shot_follows():
    state = after(asked("LB", "peek_current"), slot(2))

    assert ("peek_current", "empty") == state.players[0].items
    assert ("shoot", 0) == (state.phase, state.acting)


def test_an_empty_slot_may_be_chosen_and_does_nothing():
    before = table("LB", phase="item")
    state = after(before, slot(1))

    assert (before.players, "LB", "shoot") == (state.players, state.magazine, state.phase)
    assert [{"e": "item", "seat": 0, "slot": 1, "item": "empty"}] == events(state)


def test_a_peek_tells_the_next_bullet():
    assert "live" == after(asked("LB", "peek_current"), slot(1)).known_next
    assert "blank" == after(asked("BL", "peek_current"), slot(1)).known_next


def test_an_ejected_bullet_is_shown_to_all():
    state = after(asked("LB", "eject_current"), slot(1))

    assert ("B", 1, 0) == (state.magazine, state.total, state.live)
    assert {"e": "eject", "seat": 0, "bullet": "live"} in events(state)


def test_ejecting_the_last_bullet_reloads_before_the_shot_and_asks_nothing_now():
    draws = [("magazine", "BBL"), ("item/0", "skip_enemy"), ("item/1", "health_kit")]
    state = after(asked("L", "eject_current"), slot(1), *draws)

    assert ("shoot", 0, 2, "BBL") == (state.phase, state.acting, state.load, state.magazine)
    assert [True, True] == [player.can_abstain for player in state.players]
    assert ("skip_enemy", "eject_current") == state.players[0].items
    assert ["item", "eject", "load", "deal", "deal"] == [event["e"] for event in events(state)]


def test_ejecting_the_last_bullet_of_the_last_load_ends_the_round_without_a_shot():
    state = after(asked("L", "eject_current", load=3), slot(1), *NEW_ROUND)

    assert "out_of_bullets" == state.rounds[0].reason
    assert 2 == state.round


def test_a_second_skip_is_wasted():
    once = after(asked("BBB", "skip_enemy"), slot(1))
    again = after(after(once, AT_OPPONENT), slot(2))
    assert again.players[0].skip_pending

    twice = after(asked("BBB", "skip_enemy", skips=(True, False)), slot(1))
    passed = after(after(after(twice, AT_OPPONENT), slot(0)), AT_OPPONENT)
    assert (1, False) == (passed.turn, passed.players[0].skip_pending)


def test_a_kit_heals_above_three():
    assert 4 == after(asked("LB", "health_kit"), slot(1)).players[0].health


def test_a_kit_at_the_cap_is_spent_without_effect():
    state = after(asked("LB", "health_kit", config={"health_cap": 3}), slot(1))

    assert (3, "empty") == (state.players[0].health, state.players[0].items[0])


def test_a_kit_below_the_cap_heals():
    assert 3 == after(asked("LB", "health_kit", health=(2, 3), config={"health_cap": 3}), slot(1)).players[0].health


def test_the_reload_item_is_no_counted_load_deals_nothing_and_opens_nothing():
    state = after(asked("LB", "reload_gun"), slot(1), ("magazine", "BBBL"))

    assert (1, 2, "BBBL", "shoot") == (state.load, state.reloads_left, state.magazine, state.phase)
    assert ("empty", "reload_gun") == state.players[0].items
    assert [False, False] == [player.can_abstain for player in state.players]
    assert [{"e": "load", "load": 1, "cause": "reload_item", "total": 4, "live": 1}] == events(state, "load")


def test_the_reload_item_leaves_an_open_window_open():
    state = after(asked("LB", "reload_gun", windows=(False, True)), slot(1), ("magazine", "BBBL"))

    assert [False, True] == [player.can_abstain for player in state.players]


def test_the_reload_item_works_on_the_last_load():
    assert 3 == after(asked("L", "reload_gun", load=3), slot(1), ("magazine", "BBL")).load


def test_several_items_in_a_turn_but_one_before_each_shot():
    shot = after(asked("BBL", "health_kit"), slot(1))
    assert "shoot" == shot.phase

    state = after(after(shot, {"type": "shoot", "target": "self"}), slot(2))
    assert (5, 0) == (state.players[0].health, state.turn)


def test_a_declined_question_is_followed_by_the_item_step():
    assert "item" == after(table("LB", phase="abstain_request", windows=(True, True)), NO).phase
