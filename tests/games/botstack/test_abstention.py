"""RULES §5.B, C"""

from __future__ import annotations

from tests.games.botstack.table import AT_OPPONENT, AT_SELF, NEW_ROUND, NO, YES, after, events, slot, table


def asked(**words):
    return table("LBBL", phase="abstain_request", windows=(True, True), **words)


def windows(state):
    return [player.can_abstain for player in state.players]


def test_a_request_is_put_to_the_opponent():
    state = after(asked(), YES)

    assert ("abstain_reply", 0, 1, 0) == (state.phase, state.turn, state.acting, state.pending_request)
    assert [False, True] == windows(state)
    assert [{"e": "request", "seat": 0}] == events(state)


def test_no_request_is_told_to_nobody():
    assert [] == events(after(asked(), NO))


def test_an_accepted_request_is_a_draw_credit_for_both():
    state = after(after(asked(), YES), YES, *NEW_ROUND)

    assert (1, [0, 0]) == (state.draws, [player.rounds_won for player in state.players])
    assert ("draw", None, "abstention") == (state.rounds[0].result, state.rounds[0].winner, state.rounds[0].reason)
    assert {"e": "reply", "seat": 1, "accepted": True} in events(state)


def test_a_declined_request_costs_the_turn_and_both_windows():
    state = after(after(asked(), YES), NO)

    assert ("item", 1, 1, None) == (state.phase, state.turn, state.acting, state.pending_request)
    assert [False, False] == windows(state)
    assert [{"e": "reply", "seat": 1, "accepted": False}] == events(state)


def test_a_declined_request_uses_up_a_pending_skip_instead_of_the_turn():
    state = after(after(asked(skips=(True, False)), YES), NO)

    assert ("item", 0, 0) == (state.phase, state.turn, state.acting)
    assert not state.players[0].skip_pending


def test_the_requester_plays_on_where_a_declined_request_passes_no_turn():
    state = after(after(asked(skips=(True, False), config={"declined_abstain_passes_turn": False}), YES), NO)

    assert ("item", 0) == (state.phase, state.turn)
    assert state.players[0].skip_pending


def test_the_replier_is_still_asked_where_a_reply_leaves_its_window_open():
    state = after(after(asked(config={"reply_closes_own_window": False}), YES), NO)

    assert ("abstain_request", 1, 1) == (state.phase, state.turn, state.acting)
    assert [False, True] == windows(state)


def test_the_window_of_the_opponent_waits_for_its_first_action():
    state = after(asked(), NO)
    state = after(after(state, slot(0)), AT_OPPONENT)

    assert ("abstain_request", 1) == (state.phase, state.acting)


def test_a_blank_at_oneself_that_empties_the_gun_asks_the_same_seat_in_mid_turn():
    state = after(table("B"), AT_SELF, ("magazine", "LBB"), ("item/0", "peek_current"), ("item/1", "peek_current"))

    assert ("abstain_request", 0) == (state.phase, state.acting)


def test_nobody_is_asked_on_the_first_load_where_only_reloads_open_the_windows():
    option = {"abstain_on_first_load": False}
    state = after(table("LB", health=(3, 1), config=option), AT_OPPONENT, *NEW_ROUND)
    assert ("item", [False, False]) == (state.phase, windows(state))

    draws = [("magazine", "LBB"), ("item/0", "peek_current"), ("item/1", "peek_current")]
    assert [True, True] == windows(after(table("B", config=option), AT_OPPONENT, *draws))
