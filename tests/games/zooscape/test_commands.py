"""RULES §6: what a bot may ask, and §3: seq."""

from __future__ import annotations

import pytest

from games.core.contract import Rejected
from games.core.match import Match
from games.zooscape import GAME
from games.zooscape.commands import parse
from games.zooscape.maze import DOWN, LEFT, RIGHT, UP
from games.zooscape.state import SKIP, USE_ITEM
from tests.games.zooscape.table import answered, sent, table, tick

CORRIDOR = "400000"


def code(raw):
    with pytest.raises(Rejected) as rejected:
        parse(raw)
    return rejected.value.code


@pytest.mark.parametrize(
    ("action", "read"),
    [
        *zip(("up", "down", "left", "right", "use_item"), (1, 2, 3, 4, 5), strict=True),
        ("UP", UP),
        ("Down", DOWN),
        ("LEFT", LEFT),
        ("rIGHT", RIGHT),
        ("USE_ITEM", USE_ITEM),
        ("UseItem", USE_ITEM),
        ("useitem", USE_ITEM),
        ("skip", SKIP),
        ("SKIP", SKIP),
        (1, UP),
        (2, DOWN),
        (3, LEFT),
        (4, RIGHT),
        (5, USE_ITEM),
    ],
)
def test_an_action_is_a_case_insensitive_name_or_a_number(action, read):
    assert read == parse({"action": action, "turn": 9})


@pytest.mark.parametrize(
    "raw",
    [
        None,
        1,
        "up",
        [],
        ["up"],
        {},
        {"move": "up"},
        {"action": None},
        {"action": True},
        {"action": 1.0},
        {"action": ["up"]},
    ],
)
def test_a_command_without_a_name_or_an_integer_is_bad(raw):
    assert code(raw) == "bad_command"


@pytest.mark.parametrize(
    "action", ["", "idle", "north", "1", "use item", 0, 6, -1, 10**30, "x" * 10_000]
)
def test_any_other_name_or_number_is_an_unknown_action(action):
    assert code({"action": action}) == "unknown_action"


def test_a_queued_command_is_answered_with_the_length_of_the_queue():
    state, reply = answered(sent(table(CORRIDOR), "right"), "left")

    assert (reply.code, reply.changes) == ("ok", {"queue_length": 2})
    assert state.queues[0] == ((RIGHT, 1), (LEFT, 2))


def test_a_full_queue_drops_the_command_but_counts_its_seq():
    state, reply = answered(sent(table(CORRIDOR, command_queue_size=2), "right", "right"), "left")

    assert (reply.verdict, reply.code) == ("refused", "queue_full")
    assert state.queues[0] == ((RIGHT, 1), (RIGHT, 2))
    assert state.next_seq == 4


def test_seqs_count_the_commands_of_all_animals():
    state = table(CORRIDOR, animals=({"at": (1, 0)}, {"at": (1, 0), "cage": (0, 0)}))
    state = sent(sent(sent(state, "right", seat=1), "left"), "up", seat=1)

    assert state.queues == (((LEFT, 2),), ((RIGHT, 1), (UP, 3)))
    assert state.first_command_seqs == (2, 1)


def test_the_first_seq_stays():
    state = tick(sent(table(CORRIDOR), "right"))

    assert sent(state, "left").first_command_seqs == (1,)


def test_with_a_clock_a_skip_does_nothing():
    state = table(CORRIDOR)
    after, reply = answered(state, "skip")

    assert reply.ok
    assert state is after


def test_with_a_clock_every_seat_is_always_awaited():
    state = sent(table(CORRIDOR, animals=({}, {"cage": (0, 0)})), "right", "right")

    assert frozenset({0, 1}) == GAME.awaited(state)


@pytest.mark.parametrize("action", ["right", "skip"])
def test_without_a_clock_a_command_or_a_skip_answers_the_tick(action):
    state = sent(table(CORRIDOR, animals=({}, {"cage": (0, 0)}), tick_ms=0), action)

    assert frozenset({1}) == GAME.awaited(state)
    assert frozenset({0, 1}) == GAME.awaited(tick(state))


def test_without_a_clock_a_dropped_command_answers_too():
    state = sent(table(CORRIDOR, tick_ms=0, command_queue_size=1), "right")._replace(answered=())
    state, reply = answered(state, "left")

    assert ("queue_full", frozenset()) == (reply.code, GAME.awaited(state))


def test_a_skip_takes_no_seq_and_is_not_a_first_command():
    state = sent(table(CORRIDOR, tick_ms=0), "skip")

    assert (state.next_seq, state.first_command_seqs, state.queues) == (1, (None,), ((),))


def test_a_skip_does_not_end_a_movement():
    state = tick(sent(table(CORRIDOR, tick_ms=0), "right"))

    assert tick(sent(state, "skip")).animals[0].cell == 2


def test_after_the_end_a_malformed_command_is_still_reported_as_such():
    match = Match.begin(GAME, {"map_size": 9, "max_ticks": 1}, 1)
    match.advance()

    assert [match.apply(0, raw).code for raw in ("up", {"action": "jump"}, {"action": "up"})] == [
        "bad_command",
        "unknown_action",
        "game_not_running",
    ]
