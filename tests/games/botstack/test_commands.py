"""RULES §6"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.botstack import GAME
from games.botstack.commands import apply, parse
from games.core.contract import Rejected
from games.core.dice import Scripted
from games.core.match import Match
from tests.games.botstack.table import (
    AT_OPPONENT,
    AT_SELF,
    NO,
    RESIGN,
    after,
    rules,
    silent,
    slot,
    table,
)

ASKED = table("LBB", phase="abstain_request", windows=(True, True))
ANSWERS = table("LBB", phase="abstain_reply", windows=(False, True), pending_request=0)
CHOOSES = table(
    "LBB", phase="item", items=(("peek_current", "eject_current"), ("reload_gun", "health_kit"))
)
SHOOTS = table("LBB")
OPEN = {"abstain_request": ASKED, "abstain_reply": ANSWERS, "item": CHOOSES, "shoot": SHOOTS}

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
NEAR_MISSES = st.fixed_dictionaries(
    {"type": st.sampled_from(["abstain", "item", "shoot", "resig"]) | ANYTHING},
    optional={"value": ANYTHING, "slot": ANYTHING, "target": ANYTHING},
)


def code(state, seat, raw):
    """The code of a rejection; `ok` if there is none."""
    try:
        apply(state, seat, parse(raw), Scripted([("magazine", "LBB")]))
    except Rejected as fault:
        return fault.code
    return "ok"


@pytest.mark.parametrize("raw", [None, 1, "abstain", [], [1], {}, {"slot": 1}, True])
def test_a_command_that_is_not_an_object_with_a_type_is_malformed(raw):
    assert code(ASKED, 0, raw) == "malformed"


@pytest.mark.parametrize(
    "kind", ["pass", "", None, 1, True, [], ["abstain"], {"abstain": 1}, "Abstain", "value"]
)
def test_every_other_type_is_unknown(kind):
    assert code(ASKED, 0, {"type": kind}) == "unknown_command"


def test_malformed_commands_are_refused_before_the_turn_is_checked():
    assert code(ASKED, 1, []) == "malformed"
    assert code(ASKED, 1, {"type": "pass"}) == "unknown_command"


@pytest.mark.parametrize("state", OPEN.values(), ids=OPEN)
def test_the_turn_is_checked_before_the_phase_and_the_value(state):
    for raw in (
        {"type": "abstain", "value": 1},
        {"type": "item"},
        {"type": "shoot", "target": "me"},
    ):
        assert code(state, 1 - state.acting, raw) == "not_your_turn"


@pytest.mark.parametrize(
    ("phase", "wrong"),
    [
        ("abstain_request", ["item", "shoot"]),
        ("abstain_reply", ["item", "shoot"]),
        ("item", ["abstain", "shoot"]),
        ("shoot", ["abstain", "item"]),
    ],
)
def test_the_phase_is_checked_before_the_value(phase, wrong):
    state = OPEN[phase]

    assert [code(state, state.acting, {"type": kind}) for kind in wrong] == ["wrong_phase"] * 2


@pytest.mark.parametrize("value", [None, 1, 0, "true", [], {}, 1.0])
def test_only_booleans_answer_the_abstention_question(value):
    assert code(ASKED, 0, {"type": "abstain", "value": value}) == "bad_value"
    assert code(ANSWERS, 1, {"type": "abstain", "value": value}) == "bad_value"


@pytest.mark.parametrize(
    "number",
    [None, -1, 3, "1", True, False, 1.0, [1], {}, float("nan"), 10**5000],
    ids=lambda value: type(value).__name__,
)
def test_only_an_integer_is_a_slot(number):
    assert code(CHOOSES, 0, slot(number)) == "bad_slot"


@pytest.mark.parametrize("target", [None, "me", "", 0, 1, True, ["self"], {}, "Self"])
def test_only_self_and_opponent_are_targets(target):
    assert code(SHOOTS, 0, {"type": "shoot", "target": target}) == "bad_target"


@pytest.mark.parametrize("kind", ["abstain", "item", "shoot"])
def test_a_missing_argument_is_a_bad_one(kind):
    state, expected = {
        "abstain": (ASKED, "bad_value"),
        "item": (CHOOSES, "bad_slot"),
        "shoot": (SHOOTS, "bad_target"),
    }[kind]

    assert expected == code(state, 0, {"type": kind})


def test_extra_keys_are_ignored():
    assert code(SHOOTS, 0, {"type": "shoot", "target": "self", "turn": 7, "value": 1}) == "ok"
    assert code(SHOOTS, 0, {"type": "resign", "target": 7}) == "ok"


@pytest.mark.parametrize("phase", OPEN)
@pytest.mark.parametrize("seat", [0, 1])
def test_either_seat_can_resign_during_any_decision(phase, seat):
    state = after(OPEN[phase], RESIGN, seat=seat)
    ended = GAME.outcome(state)

    assert (state.phase, state.acting) == ("finished", None)
    assert ("forfeit", 1 - seat, "resignation") == (ended.kind, ended.winner, ended.reason)
    assert (OPEN[phase].players, OPEN[phase].draws, ()) == (
        state.players,
        state.draws,
        state.rounds,
    )
    assert OPEN[phase].decision + 1 == state.decision


def test_after_the_end_every_command_is_match_over():
    match = Match.begin(GAME, {}, 1)
    match.apply(0, RESIGN)
    state = match.state

    assert [match.apply(seat, raw).code for seat in (0, 1) for raw in (RESIGN, [])] == [
        "match_over"
    ] * 4
    assert match.state is state


def test_an_error_states_what_was_expected_and_what_came():
    with pytest.raises(Rejected) as rejected:
        apply(CHOOSES, 0, parse(slot(3)), Scripted())
    assert rejected.value.why == "slot: expected a whole number, 0 to 2, got 3"


def test_an_error_quotes_at_most_a_line():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for raw in (
        deep,
        {"type": deep},
        {"type": "x" * 10**6},
        {"type": "shoot", "target": deep},
        {"type": "shoot", "target": 10**5000},
    ):
        with pytest.raises(Rejected) as rejected:
            apply(SHOOTS, 0, parse(raw), Scripted())
        assert len(rejected.value.why) < 200
    while deep:
        deep = deep.pop()


@given(
    raw=ANYTHING | NEAR_MISSES, seat=st.sampled_from([0, 1]), phase=st.sampled_from(sorted(OPEN))
)
def test_a_command_closes_the_decision_or_is_rejected(raw, seat, phase):
    state = OPEN[phase]
    before = repr(state)
    try:
        following, _ = apply(state, seat, parse(raw), Scripted([("magazine", "LBB")]))
    except Rejected:
        pass
    else:
        assert seat == state.acting
        assert state.decision + 1 == following.decision
    assert before == repr(state)


@pytest.mark.parametrize(
    ("phase", "choice"),
    [("abstain_request", NO), ("abstain_reply", NO), ("item", slot(0)), ("shoot", AT_OPPONENT)],
)
def test_the_default_choices_are_no_decline_slot_0_and_a_shot_at_the_opponent(phase, choice):
    assert after(OPEN[phase], choice) == silent(OPEN[phase])


def test_a_silent_bot_cannot_hold_the_gun():
    assert silent(table("BB")).turn == 1


def test_a_rejected_command_closes_no_decision():
    match = Match.begin(GAME, {}, 1)
    turn = match.turn

    assert match.apply(match.state.acting, AT_SELF).code == "wrong_phase"
    assert turn == match.turn
    match.apply(match.state.acting, NO)
    assert turn + 1 == match.turn


def test_only_the_acting_seat_is_awaited():
    assert frozenset({0}) == GAME.awaited(ASKED)
    assert frozenset({1}) == GAME.awaited(ANSWERS)
    assert frozenset() == GAME.awaited(after(ASKED, RESIGN))


def test_slots_count_up_to_the_configured_number():
    state = table(
        "LB", phase="item", items=(("empty",) * 4, ("empty",) * 4), config={"item_slots": 4}
    )

    assert code(state, 0, slot(4)) == "ok"
    assert code(state, 0, slot(5)) == "bad_slot"
    assert rules(item_slots=4).item_slots == 4


def test_only_a_resignation_is_independent_of_decisions() -> None:
    """RULES §6"""
    assert GAME.is_out_of_turn({"type": "resign"})
    assert not any(
        GAME.is_out_of_turn(raw)
        for raw in ({"type": "abstain"}, {"type": ["resign"]}, "resign", None, [], 1)
    )
