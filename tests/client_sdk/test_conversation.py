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
from tests.client_sdk.talk import CLOCK, end, frame, hello, results, start, view


def started(**options):
    talk = Conversation(token="s_1", **options)
    talk.hello()
    talk.receive(hello(), 0.0)
    talk.receive(start(), 0.0)
    return talk


def test_the_hello_has_token_and_options():
    talk = Conversation(token="s_1", client="me", once=("maze",), changes=False)

    sent_hello = json.loads(talk.hello())

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
    talk = Conversation(token="s")
    try:
        talk.receive(text, 0.0)
    except Misspoken:
        return


def test_hello_gives_match_game_and_seat():
    talk = started()

    assert (talk.match, talk.game, talk.seat, talk.started, talk.ended) == (
        "m1",
        "toy",
        0,
        True,
        False,
    )


def test_a_view_that_asks_opens_its_turn_with_a_deadline():
    talk = started()
    talk.receive(view(4, within_ms=500, bank_ms=9), 100.0)

    assert (talk.turn, talk.deadline, talk.bank_ms) == (4, 100.5, 9)


def test_a_view_that_does_not_ask_opens_no_turn():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.receive(view(5, act=False), 0.0)

    assert (talk.turn, talk.deadline) == (None, None)


def test_an_answer_names_its_turn_and_is_numbered():
    talk = started()
    talk.receive(view(4), 0.0)

    message = read_incoming(talk.commands(4, ["UP"]))

    assert (message.turn, message.commands, message.id) == (4, ("UP",), 1)


def test_an_answer_to_a_closed_turn_is_not_sent():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.receive(view(5), 0.0)

    assert talk.commands(4, ["UP"]) is None
    assert talk.provisional(4, ["UP"]) is None


def test_messages_outside_a_turn_can_always_be_sent():
    message = read_incoming(started().commands(None, [{"type": "resign"}]))

    assert message.turn is None


def ticking():
    talk = Conversation(token="s_1")
    talk.hello()
    talk.receive(start(clock=CLOCK | {"tick_ms": 100}), 0.0)
    return talk


def test_commands_of_a_realtime_game_name_the_last_seen_view():
    talk = ticking()
    talk.receive(view(1), 0.0)

    assert read_incoming(talk.commands(None, ["UP"])).seen == 1
    assert talk.outbox() == []


def test_every_second_view_without_commands_is_acknowledged():
    """The server withholds views from a client with more than five unacknowledged ones."""
    talk = ticking()
    sent = []
    for turn in range(1, 8):
        talk.receive(view(turn), 0.0)
        if turn == 3:
            talk.commands(None, ["UP"])
        sent += [(turn, json.loads(text)) for text in talk.outbox()]

    assert [(turn, {"type": "seen", "turn": turn}) for turn in (2, 5, 7)] == sent


def test_a_turn_based_game_acknowledges_no_views():
    talk = started()
    for turn in range(9):
        talk.receive(view(turn), 0.0)

    assert read_incoming(talk.commands(8, ["UP"])).seen is None
    assert talk.outbox() == []


def test_provisional_info_and_ready_are_messages_of_the_protocol():
    talk = started()
    talk.receive(view(4), 0.0)

    messages = [
        read_incoming(text)
        for text in (talk.provisional(4, ["UP"]), talk.info({"depth": 3}), talk.ready())
    ]

    assert [type(message).__name__ for message in messages] == ["Provisional", "Info", "Ready"]
    assert messages[1].turn == 4


@pytest.mark.parametrize("command", [object(), "x" * 70_000, print, "\ud800"])
def test_a_command_too_long_for_a_frame_is_the_callers_fault(command):
    talk = started()
    talk.receive(view(4), 0.0)

    with pytest.raises(ValueError, match=r"."):
        talk.commands(4, [command])


def test_stop_applies_to_the_open_turn_only():
    talk = started()
    talk.receive(view(4), 0.0)
    assert talk.receive(frame("stop", turn=3, within_ms=50), 0.0) is None
    assert not talk.stopped

    assert isinstance(talk.receive(frame("stop", turn=4, within_ms=50), 0.0), Stop)
    assert talk.stopped

    talk.receive(view(5), 0.0)
    assert not talk.stopped


def test_a_view_older_than_the_last_is_dropped():
    talk = started()
    talk.receive(view(5), 0.0)

    assert talk.receive(view(3), 0.0) is None
    assert talk.turn == 5


def test_the_end_closes_the_turn():
    talk = started()
    talk.receive(view(5), 0.0)
    talk.receive(end(), 0.0)

    assert (talk.ended, talk.turn) == (True, None)


def test_a_field_sent_once_is_added_to_every_view():
    talk = Conversation(token="s", once=("maze", "map"))
    talk.receive(start(view={"n": 0, "maze": [1, 2]}), 0.0)

    assert talk.receive(view(1), 0.0).view == {"n": 1, "maze": [1, 2]}
    assert talk.receive(view(2, view={"n": 2, "maze": [3]}), 0.0).view == {"n": 2, "maze": [3]}


def test_a_start_without_the_field_does_not_lose_it():
    talk = Conversation(token="s", once=("maze",))
    talk.receive(start(view={"n": 0, "maze": 1}), 0.0)
    talk.receive(start(view={"n": 5}, turn=5, seq=6), 0.0)

    assert talk.receive(view(6), 0.0).view == {"n": 6, "maze": 1}


# --- coming back ----------------------------------------------------------------------------------


def test_an_answer_that_may_be_lost_is_sent_again():
    talk = started()
    talk.receive(view(4), 0.0)
    answer = talk.commands(4, ["UP"])

    talk.hello()
    talk.receive(hello(), 1.0)
    talk.receive(start(turn=4, seq=5), 1.0)

    assert talk.receive(view(4), 1.0) is None
    assert [answer] == talk.outbox()
    assert talk.outbox() == []


def test_a_confirmed_answer_is_not_sent_again():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.commands(4, ["UP"])
    talk.receive(results(4, 1), 0.0)

    talk.hello()
    talk.receive(start(turn=4, seq=5), 1.0)

    assert isinstance(talk.receive(view(4), 1.0), View)
    assert talk.outbox() == []


def test_a_bot_can_answer_its_turn_after_a_lost_connection():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.hello()

    assert talk.commands(4, ["UP"]) == ""
    talk.receive(start(turn=4, seq=5), 1.0)
    talk.receive(view(4), 1.0)

    assert sent(talk) == [(1, ("UP",))]


def sent(talk):
    """The frames of commands that the conversation itself wants sent: id, commands."""
    messages = [read_incoming(text) for text in talk.outbox()]
    return [(one.id, one.commands) for one in messages if isinstance(one, Commands)]


def test_unanswered_parts_of_a_turn_are_sent_again_in_order_after_a_drop():
    talk = started()
    talk.receive(view(4), 0.0)
    for step in ("one", "two", "three"):
        talk.commands(4, [step])
    talk.receive(results(4, 1), 0.0)
    talk.hello()
    assert talk.commands(4, ["four"]) == ""  # it must not be there before the others
    talk.receive(start(turn=4, seq=5), 1.0)

    assert talk.receive(view(4), 1.0) is None
    assert sent(talk) == [(2, ("two",)), (3, ("three",)), (4, ("four",))]
    assert talk.commands(4, ["five"]) != ""


def test_parts_of_a_turn_wait_for_the_view_that_asks_through_several_drops():
    """A server that comes back may show the turn before it opens it."""
    talk = started()
    talk.receive(view(4, seq=4), 0.0)
    part = talk.commands(4, ["UP"])
    for _ in range(2):
        talk.hello()
        talk.receive(start(turn=4, seq=0), 1.0)
        talk.receive(view(4, seq=1, act=False), 1.0)
        assert talk.outbox() == []

    assert talk.receive(view(4, seq=2), 1.0) is None
    assert [part] == talk.outbox()


def test_parts_of_a_turn_that_closed_meanwhile_are_dropped():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.commands(4, ["one"])
    talk.hello()
    talk.receive(start(turn=5, seq=6), 1.0)
    talk.receive(view(6), 1.0)
    talk.commands(6, ["two"])

    assert (sent(talk), talk.unanswered) == ([], 1)


def test_a_view_on_the_same_connection_repeats_nothing():
    """It was made before the server read the frames in flight."""
    talk = started()
    talk.receive(view(4), 0.0)
    talk.commands(4, ["one"])

    assert talk.receive(view(4), 0.0) is None
    assert sent(talk) == []


def test_a_requested_view_contains_the_whole_turn():
    """The view of a new connection does not contain them if frames had to be sent again, so it is
    requested once more."""
    talk = started()
    talk.receive(view(4), 0.0)
    talk.commands(4, ["one"])
    talk.resync()
    talk.hello()
    talk.receive(start(turn=4, seq=5), 1.0)
    assert talk.receive(view(4), 1.0) is None
    assert [json.loads(text)["type"] for text in talk.outbox()] == ["commands", "resync"]
    assert talk.fresh_view is None
    talk.receive(results(4, 1), 1.0)

    assert talk.receive(view(4), 1.0) is talk.fresh_view is not None


def test_a_turn_that_closed_meanwhile_is_closed():
    talk = started()
    talk.receive(view(4), 0.0)
    talk.hello()
    talk.receive(start(turn=6, seq=7), 1.0)

    assert talk.commands(4, ["UP"]) is None


# --- liveness -------------------------------------------------------------------------------------


def test_three_missed_heartbeats_mean_a_dead_connection():
    talk = Conversation(token="s", heartbeat_s=5.0)
    talk.hello()
    assert not any(talk.silent() for _ in range(LOOKS - 1))
    talk.receive(frame("ping", n=1), 5.0)

    assert [talk.silent() for _ in range(LOOKS)] == [False] * (LOOKS - 1) + [True]
    assert 3 * 5.0 < LOOKS * talk.look_s < 4 * 5.0


# --- deltas ---------------------------------------------------------------------------------------


def change(seq, base, old, new):
    return frame("delta", turn=seq, seq=seq, base=base, delta=diff(old, new))


def test_a_delta_is_returned_as_the_whole_view():
    talk = started(deltas=True)
    first, second = {"n": 0, "rows": ["ab", "cd"]}, {"n": 1, "rows": ["ab", "ce"]}
    talk.receive(start(view=first), 0.0)

    assert second == talk.receive(change(1, 0, first, second), 0.0).view


def test_a_delta_to_an_unknown_view_requests_the_whole_view_once():
    talk = started(deltas=True)

    assert talk.receive(change(5, 4, {"n": 4}, {"n": 5}), 0.0) is None
    assert [json.loads(text)["type"] for text in talk.outbox()] == ["resync"]
    assert talk.receive(change(6, 5, {"n": 5}, {"n": 6}), 0.0) is None
    assert talk.outbox() == []

    talk.receive(start(seq=6, turn=6, view={"n": 6}), 0.0)
    assert talk.receive(change(7, 6, {"n": 6}, {"n": 7}), 0.0).view == {"n": 7}


def test_a_delta_that_does_not_apply_requests_the_whole_view():
    talk = started(deltas=True)

    assert talk.receive(frame("delta", turn=1, seq=1, base=0, delta={"x": 0}), 0.0) is None
    assert [json.loads(text)["type"] for text in talk.outbox()] == ["resync"]


def test_once_and_deltas_exclude_each_other():
    with pytest.raises(ValueError, match="once and deltas"):
        Conversation(match="m", once=("maze",), deltas=True)
