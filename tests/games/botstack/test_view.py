"""RULES §7: what is shown, and that nothing else can be found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.botstack import GAME
from games.botstack.state import State
from games.core.contract import SPECTATOR, Json, Viewer
from games.core.dice import Scripted
from games.core.match import Match
from tests.games.botstack.table import AT_OPPONENT, RESIGN, YES, after, random_match, slot, table

ITEMS = (("peek_current", "eject_current"), ("health_kit", "reload_gun"))
PEEKED = after(table("LBBL", phase="item", items=ITEMS), slot(1))

SECRET = ("magazine", "order", "seed", "salt", "dice", "script")


def test_a_seat_sees_the_table_from_its_own_side():
    assert GAME.view(PEEKED, 0) == {
        "game": "botstack",
        "seat": 0,
        "phase": "shoot",
        "your_decision": True,
        "round": 1,
        "starter": 0,
        "turn": 0,
        "load": 1,
        "reloads_left": 2,
        "draws": 0,
        "you": {
            "health": 3,
            "items": ["empty", "eject_current"],
            "rounds_won": 0,
            "skip_pending": False,
            "can_abstain": False,
        },
        "opponent": {
            "health": 3,
            "items": ["health_kit", "reload_gun"],
            "rounds_won": 0,
            "skip_pending": False,
            "can_abstain": False,
        },
        "gun": {"total": 4, "live": 2, "blank": 2},
        "known_next": "live",
        "opponent_request": False,
        "events": [
            {"e": "item", "seat": 0, "slot": 1, "item": "peek_current"},
            {"e": "peek", "seat": 0, "bullet": "live"},
        ],
    }


def test_the_opponent_and_a_spectator_see_the_item_but_not_the_peeked_bullet():
    other, spectator = GAME.view(PEEKED, 1), GAME.view(PEEKED, SPECTATOR)

    assert (
        [{"e": "item", "seat": 0, "slot": 1, "item": "peek_current"}]
        == other["events"]
        == spectator["events"]
    )
    assert other["known_next"] is None
    assert "known_next" not in spectator


def test_a_spectator_sees_both_players_by_seat_and_the_acting_one():
    seen = GAME.view(PEEKED, SPECTATOR)

    assert {
        "game",
        "seat",
        "phase",
        "acting",
        "round",
        "starter",
        "turn",
        "load",
        "reloads_left",
        "draws",
        "players",
        "gun",
        "events",
    } == set(seen)
    assert (seen["seat"], seen["acting"]) == (None, 0)
    assert [GAME.view(PEEKED, 0)["you"], GAME.view(PEEKED, 1)["you"]] == seen["players"]


def test_a_request_is_announced_to_the_seat_that_must_answer():
    state = after(table("LBB", phase="abstain_request", windows=(True, True)), YES)

    assert [GAME.view(state, seat)["opponent_request"] for seat in (0, 1)] == [False, True]
    assert [GAME.view(state, seat)["your_decision"] for seat in (0, 1)] == [False, True]


def test_a_finished_match_shows_its_result():
    state = after(table("LB", health=(3, 1), rounds_won=(1, 0)), AT_OPPONENT)

    for seat in (0, 1):
        seen = GAME.view(state, seat)
        assert {"game", "seat", "phase", "your_decision", "events", "result"} == set(seen)
        assert (seen["phase"], seen["your_decision"]) == ("finished", False)
        assert (seen["result"]["outcome"], seen["result"]["winner"], seen["result"]["reason"]) == (
            "win",
            0,
            "two_wins",
        )
    seen = GAME.view(state, SPECTATOR)
    assert [player["rounds_won"] for player in seen["players"]] == [2, 0]
    assert GAME.view(state, 0)["result"] == seen["result"]


def test_a_resignation_only_adds_the_end_of_the_match():
    seen = GAME.view(after(PEEKED, RESIGN, seat=1), 1)

    assert seen["events"] == [
        {"e": "match_end", "outcome": "forfeit", "winner": 0, "reason": "resignation"}
    ]


def test_a_view_is_an_independent_plain_json_value():
    for state in random_match(3):
        for viewer in (0, 1, SPECTATOR):
            seen = GAME.view(state, viewer)
            assert seen == json.loads(json.dumps(seen))
            text = json.dumps(seen)
            seen["events"].append(1)
            assert text == json.dumps(GAME.view(state, viewer))


def test_no_view_contains_secrets():
    for state in random_match(4):
        for viewer in (0, 1, SPECTATOR):
            assert not [
                word for word in SECRET if f'"{word}"' in json.dumps(GAME.view(state, viewer))
            ]


def leaks(
    state: State,
    other: State,
    viewers: list[Viewer],
    look: Callable[[State, Viewer], Json] = GAME.view,
) -> list[Viewer]:
    """The viewers that can tell two states apart, by a view or by a reply to a command that changes
    nothing."""
    found = [
        viewer
        for viewer in viewers
        if json.dumps(look(state, viewer)) != json.dumps(look(other, viewer))
    ]
    for seat in (viewer for viewer in viewers if isinstance(viewer, int)):
        for raw in ([], {"type": "x"}, {"type": "abstain"}, {"type": "item"}, {"type": "shoot"}):
            replies = [
                Match(GAME, moment.rules, moment, Scripted()).apply(seat, raw)
                for moment in (state, other)
            ]
            if replies[0] != replies[1]:
                found.append(seat)
    return found


def any_state(data: st.DataObject) -> State:
    states = random_match(data.draw(st.integers(0, 200)))
    return states[data.draw(st.integers(0, len(states) - 1))]


@given(data=st.data())
def test_no_view_depends_on_the_order_of_the_magazine(data):
    state = any_state(data)
    other = replace(state, magazine="".join(data.draw(st.permutations(state.magazine))))

    assert leaks(state, other, [0, 1, SPECTATOR]) == []


@given(data=st.data())
def test_only_the_view_of_the_seat_that_peeked_depends_on_the_bullet(data):
    seed = data.draw(st.integers(0, 400))
    peeks = [state for state in random_match(seed) if state.known_next is not None]
    assume(peeks)
    state = data.draw(st.sampled_from(peeks))
    bullet = "blank" if state.known_next == "live" else "live"
    events = tuple(
        replace(event, about=(("seat", state.acting), ("bullet", bullet)))
        if event.name == "peek"
        else event
        for event in state.events
    )
    other = replace(state, known_next=bullet, events=events)

    assert leaks(state, other, [1 - state.acting, SPECTATOR]) == []
    assert [state.acting] == leaks(state, other, [state.acting])


@pytest.mark.parametrize(
    "leak",
    [
        lambda state, viewer: {"known_next": state.known_next},
        lambda state, viewer: {"fires": state.magazine[:1]},
        lambda state, viewer: {"size": len(state.magazine.lstrip("B"))},
        lambda state, viewer: {
            "events": [event.name for event in state.events]
            + [str(event.about) for event in state.events]
        },
    ],
    ids=[
        "the other seat's peek",
        "the next bullet",
        "a length that depends on the order",
        "private events",
    ],
)
def test_a_leaking_view_is_found(leak):
    """The mutation test of the two above."""

    def look(state, viewer):
        return GAME.view(state, viewer) | leak(state, viewer)

    blank = replace(
        PEEKED,
        known_next="blank",
        events=(
            PEEKED.events[0],
            replace(PEEKED.events[1], about=(("seat", 0), ("bullet", "blank"))),
        ),
    )
    orders = [
        replace(PEEKED, magazine="".join(order)) for order in set(permutations(PEEKED.magazine))
    ]

    assert [
        found for other in (blank, *orders) for found in leaks(PEEKED, other, [1, SPECTATOR], look)
    ]
    assert not [
        found for other in (blank, *orders) for found in leaks(PEEKED, other, [1, SPECTATOR])
    ]
