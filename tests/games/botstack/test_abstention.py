"""RULES §5.B, C"""

from __future__ import annotations

from tests.games.botstack.table import (
    AT_OPPONENT,
    AT_SELF,
    ITEMS,
    NEW_ROUND,
    NO,
    YES,
    after,
    events,
    slot,
    table,
)


def asked(**words):
    return table("LBBL", phase="abstain_request", windows=(True, True), **words)


def windows(state):
    return [player.can_abstain for player in state.players]


def test_a_request_is_put_to_the_opponent():
    state = after(asked(), YES)

    assert (state.phase, state.turn, state.acting, state.pending_request) == (
        "abstain_reply",
        0,
        1,
        0,
    )
    assert windows(state) == [False, True]
    assert events(state) == [{"e": "request", "seat": 0}]


def test_a_refusal_to_request_is_not_announced():
    assert events(after(asked(), NO)) == []


def test_an_accepted_request_gives_both_a_draw_credit():
    state = after(after(asked(), YES), YES, *NEW_ROUND)

    assert (state.draws, [player.rounds_won for player in state.players]) == (1, [0, 0])
    assert (state.rounds[0].result, state.rounds[0].winner, state.rounds[0].reason) == (
        "draw",
        None,
        "abstention",
    )
    assert {"e": "reply", "seat": 1, "accepted": True} in events(state)


def test_a_declined_request_costs_the_turn_and_both_windows():
    state = after(after(asked(), YES), NO)

    assert (state.phase, state.turn, state.acting, state.pending_request) == ("item", 1, 1, None)
    assert windows(state) == [False, False]
    assert events(state) == [{"e": "reply", "seat": 1, "accepted": False}]


def test_a_declined_request_uses_up_a_pending_skip_instead_of_the_turn():
    state = after(after(asked(skips=(True, False)), YES), NO)

    assert (state.phase, state.turn, state.acting) == ("item", 0, 0)
    assert not state.players[0].skip_pending


def test_the_requester_goes_on_where_a_declined_request_passes_no_turn():
    state = after(
        after(asked(skips=(True, False), config={"declined_abstain_passes_turn": False}), YES), NO
    )

    assert (state.phase, state.turn) == ("item", 0)
    assert state.players[0].skip_pending


def test_the_replier_is_asked_where_a_reply_leaves_its_window_open():
    state = after(after(asked(config={"reply_closes_own_window": False}), YES), NO)

    assert (state.phase, state.turn, state.acting) == ("abstain_request", 1, 1)
    assert windows(state) == [False, True]


def test_the_opponents_window_waits_for_its_first_action():
    state = after(asked(), NO)
    state = after(after(state, slot(0)), AT_OPPONENT)

    assert (state.phase, state.acting) == ("abstain_request", 1)


def test_a_blank_at_oneself_that_empties_the_gun_asks_the_same_seat_again():
    state = after(
        table("B"),
        AT_SELF,
        ("magazine", "LBB"),
        ("item/0", "peek_current"),
        ("item/1", "peek_current"),
    )

    assert (state.phase, state.acting) == ("abstain_request", 0)


def test_a_load_can_pass_without_the_second_player_ever_being_asked():
    state = after(after(after(asked(skips=(True, False)), NO), slot(0)), AT_OPPONENT)
    assert (state.phase, state.acting, windows(state)) == ("item", 0, [False, True])

    state = after(table("B", windows=(False, True)), AT_SELF, ("magazine", "LBB"), *ITEMS[1:3])
    assert (state.phase, state.acting, windows(state)) == ("abstain_request", 0, [True, True])


def test_without_windows_on_the_first_load_no_one_is_asked():
    option = {"abstain_on_first_load": False}
    state = after(table("LB", health=(3, 1), config=option), AT_OPPONENT, *NEW_ROUND)
    assert (state.phase, windows(state)) == ("item", [False, False])

    draws = [("magazine", "LBB"), ("item/0", "peek_current"), ("item/1", "peek_current")]
    assert windows(after(table("B", config=option), AT_OPPONENT, *draws)) == [True, True]
