"""Frames in, messages out: no socket, no clock (PROTOCOL.md)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_sdk.conversation import LOOKS, Conversation, Misspoken
from client_sdk.wire.delta import diff
from client_sdk.wire.messages import (
    Commands,
    End,
    Error,
    Event,
    MatchStart,
    Results,
    ServerHello,
    Stop,
    View,
    read_incoming,
)
from tests.client_sdk.scripted_server import CLOCK, end, frame, hello, results, start, view


def started(**options):
    conversation = Conversation(token="s_1", **options)
    conversation.hello()
    conversation.receive(hello(), 0.0)
    conversation.receive(start(), 0.0)
    return conversation


def test_the_hello_has_token_and_options():
    conversation = Conversation(token="s_1", client="me", once=("maze",), changes=False)

    sent_hello = json.loads(conversation.hello())

    assert {
        key: value for key, value in sent_hello.items() if key not in ("match", "deltas", "steps")
    } == {
        "type": "hello",
        "protocol": 1,
        "token": "s_1",
        "client": "me",
        "once": ["maze"],
        "changes": False,
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (hello(), ServerHello),
        (start(), MatchStart),
        (view(0), View),
        (results(0, 1), Results),
        (frame("event", event="timeout", turn=1, seat=0), Event),
        (end(), End),
        (frame("error", code="malformed", text="no"), Error),
    ],
)
def test_every_message_reaches_the_caller(text, kind):
    assert isinstance(Conversation(token="s").receive(text, 0.0), kind)


def test_a_ping_is_answered_within_the_conversation():
    assert Conversation(token="s").receive(frame("ping", n=1), 0.0) is None


def test_unknown_fields_are_ignored():
    assert isinstance(Conversation(token="s").receive(view(3, colour="red"), 0.0), View)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"type":"view"}', '{"type":"nonsense"}', "[" * 5000, b"\xff\xfe"],
)
def test_an_invalid_frame_is_reported_as_such(text):
    with pytest.raises(Misspoken):
        Conversation(token="s").receive(text, 0.0)


@given(st.text() | st.binary())
def test_any_frame_is_a_message_or_invalid(text):
    conversation = Conversation(token="s")
    try:
        conversation.receive(text, 0.0)
    except Misspoken:
        return


def test_hello_gives_match_game_and_seat():
    conversation = started()

    assert (
        conversation.match,
        conversation.game,
        conversation.seat,
        conversation.started,
        conversation.ended,
    ) == (
        "m1",
        "toy",
        0,
        True,
        False,
    )


def test_a_view_that_asks_opens_its_turn_with_a_deadline():
    conversation = started()
    conversation.receive(view(4, within_ms=500, bank_ms=9), 100.0)

    assert (conversation.turn, conversation.deadline, conversation.bank_ms) == (4, 100.5, 9)


def test_a_view_that_does_not_ask_opens_no_turn():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.receive(view(5, act=False), 0.0)

    assert (conversation.turn, conversation.deadline) == (None, None)


def test_an_answer_names_its_turn_and_is_numbered():
    conversation = started()
    conversation.receive(view(4), 0.0)

    message = read_incoming(conversation.commands(4, ["UP"]))

    assert (message.turn, message.commands, message.id) == (4, ("UP",), 1)


def test_an_answer_to_a_closed_turn_is_not_sent():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.receive(view(5), 0.0)

    assert conversation.commands(4, ["UP"]) is None
    assert conversation.provisional(4, ["UP"]) is None


def test_messages_outside_a_turn_can_always_be_sent():
    message = read_incoming(started().commands(None, [{"type": "resign"}]))

    assert message.turn is None


def ticking():
    conversation = Conversation(token="s_1")
    conversation.hello()
    conversation.receive(start(clock=CLOCK | {"tick_ms": 100}), 0.0)
    return conversation


def test_commands_of_a_realtime_game_name_the_last_seen_view():
    conversation = ticking()
    conversation.receive(view(1), 0.0)

    assert read_incoming(conversation.commands(None, ["UP"])).seen == 1
    assert conversation.outbox() == []


def test_every_second_view_without_commands_is_acknowledged():
    """The server withholds views from a client with more than five unacknowledged ones."""
    conversation = ticking()
    sent = []
    for turn in range(1, 8):
        conversation.receive(view(turn), 0.0)
        if turn == 3:
            conversation.commands(None, ["UP"])
        sent += [(turn, json.loads(text)) for text in conversation.outbox()]

    assert [(turn, {"type": "seen", "turn": turn}) for turn in (2, 5, 7)] == sent


def test_a_turn_based_game_acknowledges_no_views():
    conversation = started()
    for turn in range(9):
        conversation.receive(view(turn), 0.0)

    assert read_incoming(conversation.commands(8, ["UP"])).seen is None
    assert conversation.outbox() == []


def test_provisional_info_and_ready_are_messages_of_the_protocol():
    conversation = started()
    conversation.receive(view(4), 0.0)

    messages = [
        read_incoming(text)
        for text in (
            conversation.provisional(4, ["UP"]),
            conversation.info({"depth": 3}),
            conversation.ready(),
        )
    ]

    assert [type(message).__name__ for message in messages] == ["Provisional", "Info", "Ready"]
    assert messages[1].turn == 4


@pytest.mark.parametrize("command", [object(), "x" * 70_000, print, "\ud800"])
def test_a_command_too_long_for_a_frame_is_the_callers_fault(command):
    conversation = started()
    conversation.receive(view(4), 0.0)

    with pytest.raises(ValueError, match=r"."):
        conversation.commands(4, [command])


def test_stop_applies_to_the_open_turn_only():
    conversation = started()
    conversation.receive(view(4), 0.0)
    assert conversation.receive(frame("stop", turn=3, within_ms=50), 0.0) is None
    assert not conversation.stopped

    assert isinstance(conversation.receive(frame("stop", turn=4, within_ms=50), 0.0), Stop)
    assert conversation.stopped

    conversation.receive(view(5), 0.0)
    assert not conversation.stopped


def test_a_view_older_than_the_last_is_dropped():
    conversation = started()
    conversation.receive(view(5), 0.0)

    assert conversation.receive(view(3), 0.0) is None
    assert conversation.turn == 5


def test_the_end_closes_the_turn():
    conversation = started()
    conversation.receive(view(5), 0.0)
    conversation.receive(end(), 0.0)

    assert (conversation.ended, conversation.turn) == (True, None)


def test_a_field_sent_once_is_added_to_every_view():
    conversation = Conversation(token="s", once=("maze", "map"))
    conversation.receive(start(view={"n": 0, "maze": [1, 2]}), 0.0)

    assert conversation.receive(view(1), 0.0).view == {"n": 1, "maze": [1, 2]}
    assert conversation.receive(view(2, view={"n": 2, "maze": [3]}), 0.0).view == {
        "n": 2,
        "maze": [3],
    }


def test_a_start_without_the_field_does_not_lose_it():
    conversation = Conversation(token="s", once=("maze",))
    conversation.receive(start(view={"n": 0, "maze": 1}), 0.0)
    conversation.receive(start(view={"n": 5}, turn=5, seq=6), 0.0)

    assert conversation.receive(view(6), 0.0).view == {"n": 6, "maze": 1}


# --- coming back ----------------------------------------------------------------------------------


def test_an_answer_that_may_be_lost_is_sent_again():
    conversation = started()
    conversation.receive(view(4), 0.0)
    answer = conversation.commands(4, ["UP"])

    conversation.hello()
    conversation.receive(hello(), 1.0)
    conversation.receive(start(turn=4, seq=5), 1.0)

    assert conversation.receive(view(4), 1.0) is None
    assert [answer] == conversation.outbox()
    assert conversation.outbox() == []


def test_a_confirmed_answer_is_not_sent_again():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.commands(4, ["UP"])
    conversation.receive(results(4, 1), 0.0)

    conversation.hello()
    conversation.receive(start(turn=4, seq=5), 1.0)

    assert isinstance(conversation.receive(view(4), 1.0), View)
    assert conversation.outbox() == []


def test_a_bot_can_answer_its_turn_after_a_lost_connection():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.hello()

    assert conversation.commands(4, ["UP"]) == ""
    conversation.receive(start(turn=4, seq=5), 1.0)
    conversation.receive(view(4), 1.0)

    assert sent(conversation) == [(1, ("UP",))]


def sent(conversation):
    """The frames of commands that the conversation itself wants sent: id, commands."""
    messages = [read_incoming(text) for text in conversation.outbox()]
    return [(one.id, one.commands) for one in messages if isinstance(one, Commands)]


def test_unanswered_parts_of_a_turn_are_sent_again_in_order_after_a_drop():
    conversation = started()
    conversation.receive(view(4), 0.0)
    for step in ("one", "two", "three"):
        conversation.commands(4, [step])
    conversation.receive(results(4, 1), 0.0)
    conversation.hello()
    assert conversation.commands(4, ["four"]) == ""  # it must not be there before the others
    conversation.receive(start(turn=4, seq=5), 1.0)

    assert conversation.receive(view(4), 1.0) is None
    assert sent(conversation) == [(2, ("two",)), (3, ("three",)), (4, ("four",))]
    assert conversation.commands(4, ["five"]) != ""


def test_parts_of_a_turn_wait_for_the_view_that_asks_through_several_drops():
    """A server that comes back may show the turn before it opens it."""
    conversation = started()
    conversation.receive(view(4, seq=4), 0.0)
    part = conversation.commands(4, ["UP"])
    for _ in range(2):
        conversation.hello()
        conversation.receive(start(turn=4, seq=0), 1.0)
        conversation.receive(view(4, seq=1, act=False), 1.0)
        assert conversation.outbox() == []

    assert conversation.receive(view(4, seq=2), 1.0) is None
    assert [part] == conversation.outbox()


def test_parts_of_a_turn_that_closed_meanwhile_are_dropped():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.commands(4, ["one"])
    conversation.hello()
    conversation.receive(start(turn=5, seq=6), 1.0)
    conversation.receive(view(6), 1.0)
    conversation.commands(6, ["two"])

    assert (sent(conversation), conversation.unanswered) == ([], 1)


def test_a_view_on_the_same_connection_repeats_nothing():
    """It was made before the server read the frames in flight."""
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.commands(4, ["one"])

    assert conversation.receive(view(4), 0.0) is None
    assert sent(conversation) == []


def test_a_requested_view_contains_the_whole_turn():
    """The view of a new connection does not contain them if frames had to be sent again, so it is
    requested once more."""
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.commands(4, ["one"])
    conversation.resync()
    conversation.hello()
    conversation.receive(start(turn=4, seq=5), 1.0)
    assert conversation.receive(view(4), 1.0) is None
    assert [json.loads(text)["type"] for text in conversation.outbox()] == ["commands", "resync"]
    assert conversation.fresh_view is None
    conversation.receive(results(4, 1), 1.0)

    assert conversation.receive(view(4), 1.0) is conversation.fresh_view is not None


def test_a_turn_that_closed_meanwhile_is_closed():
    conversation = started()
    conversation.receive(view(4), 0.0)
    conversation.hello()
    conversation.receive(start(turn=6, seq=7), 1.0)

    assert conversation.commands(4, ["UP"]) is None


# --- liveness -------------------------------------------------------------------------------------


def test_three_missed_heartbeats_mean_a_dead_connection():
    conversation = Conversation(token="s", heartbeat_s=5.0)
    conversation.hello()
    assert not any(conversation.silent() for _ in range(LOOKS - 1))
    conversation.receive(frame("ping", n=1), 5.0)

    assert [conversation.silent() for _ in range(LOOKS)] == [False] * (LOOKS - 1) + [True]
    assert 3 * 5.0 < LOOKS * conversation.look_s < 4 * 5.0


# --- deltas ---------------------------------------------------------------------------------------


def change(seq, base, old, new):
    return frame("delta", turn=seq, seq=seq, base=base, delta=diff(old, new))


def test_a_delta_is_returned_as_the_whole_view():
    conversation = started(deltas=True)
    first, second = {"n": 0, "rows": ["ab", "cd"]}, {"n": 1, "rows": ["ab", "ce"]}
    conversation.receive(start(view=first), 0.0)

    assert second == conversation.receive(change(1, 0, first, second), 0.0).view


def test_a_delta_to_an_unknown_view_requests_the_whole_view_once():
    conversation = started(deltas=True)

    assert conversation.receive(change(5, 4, {"n": 4}, {"n": 5}), 0.0) is None
    assert [json.loads(text)["type"] for text in conversation.outbox()] == ["resync"]
    assert conversation.receive(change(6, 5, {"n": 5}, {"n": 6}), 0.0) is None
    assert conversation.outbox() == []

    conversation.receive(start(seq=6, turn=6, view={"n": 6}), 0.0)
    assert conversation.receive(change(7, 6, {"n": 6}, {"n": 7}), 0.0).view == {"n": 7}


def test_a_delta_that_does_not_apply_requests_the_whole_view():
    conversation = started(deltas=True)

    assert conversation.receive(frame("delta", turn=1, seq=1, base=0, delta={"x": 0}), 0.0) is None
    assert [json.loads(text)["type"] for text in conversation.outbox()] == ["resync"]


def test_once_and_deltas_exclude_each_other():
    with pytest.raises(ValueError, match="once and deltas"):
        Conversation(match="m", once=("maze",), deltas=True)
