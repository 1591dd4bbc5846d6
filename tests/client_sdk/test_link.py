"""What a bot sends, receives and requests while its turn is open: parts of a turn sent ahead, their
results, the whole view."""

from __future__ import annotations

import threading

import pytest

from client_sdk import live
from client_sdk.bot import Bot, HeadlessLink
from client_sdk.conversation import Conversation
from client_sdk.live import PART, play
from tests.client_sdk.scripted_server import Fake, end, fake_server, hello, results, start, view

SOON = 20.0


class Thinker(Bot):
    """Each decision runs the next of the given functions."""

    def __init__(self, *thoughts):
        self.thoughts = list(thoughts)
        self.codes = []

    def decide(self, view):
        return self.thoughts.pop(0)(self.link)

    def on_results(self, results):
        self.codes.append([reply.code for reply in results])


def played(script, *thoughts) -> tuple[Thinker, Fake]:
    bot = Thinker(*thoughts)
    scripts = script if isinstance(script, tuple) else (script,)
    with fake_server(*scripts) as fake:
        player = threading.Thread(target=play, args=(bot, fake.url, "s_1"))
        player.start()
        player.join(SOON)
        assert not player.is_alive()
    return bot, fake


def greet(line, **fields):
    line.hear("hello")
    line.say(hello(), start(**fields))


def awaited_results(link):
    """Wait for the first results."""
    while not (found := link.pending_results()):
        threading.Event().wait(0.001)
    return [[reply.code for reply in frame] for frame in found]


def sent_commands(fake):
    return [
        (message["id"], message["commands"])
        for message in fake.heard
        if message["type"] == "commands"
    ]


def test_parts_of_a_turn_are_sent_ahead_and_their_results_received():
    def server(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.say(results(0, 1, "ok", "refused"))
        line.hear("commands")
        line.say(results(0, 2), end())
        line.wait_closed()

    got = []

    def think(link):
        assert link.send_early(["one", "two"])
        got.append(awaited_results(link))
        return ["three"]

    bot, fake = played(server, think)

    assert sent_commands(fake) == [(1, ["one", "two"]), (2, ["three"])]
    assert got == [[["ok", "refused"]]]
    assert bot.codes == [["ok"]]


def test_messages_received_while_waiting_for_results_keep_their_order():
    def server(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.say(view(1, act=False), results(0, 1))
        line.say(view(2, act=False), end())
        line.wait_closed()

    seen = []

    class Watcher(Thinker):
        def on_view(self, view):
            seen.append(view["n"])

    def think(link):
        link.send_early(["one"])
        awaited_results(link)
        return []

    bot = Watcher(think)
    with fake_server(server) as fake:
        play(bot, fake.url, "s_1")

    assert seen == [1, 2]


def test_a_request_for_the_whole_view_drops_older_results():
    def server(line):
        greet(line)
        line.say(view(0, bank_ms=9000))
        line.hear("commands")
        line.hear("resync")
        line.say(results(0, 1), start(), view(0, view={"n": "fresh"}, bank_ms=7000))
        line.hear("commands")
        line.say(results(0, 2), end())
        line.wait_closed()

    got = []

    def think(link):
        got.append(link.bank_s())
        link.send_early(["one"])
        got.append(link.fresh_view())
        got.append(link.bank_s())
        assert link.pending_results() == []
        return ["two"]

    bot, fake = played(server, think)

    assert got == [9.0, {"n": "fresh"}, 7.0]
    assert sent_commands(fake) == [(1, ["one"]), (2, ["two"])]
    assert bot.codes == [["ok"]]


def test_a_closed_turn_gets_no_view_and_sends_nothing():
    def server(line):
        greet(line)
        line.say(view(0))
        line.hear("resync")
        line.say(view(1, act=False), end())
        line.wait_closed()

    got = []

    def think(link):
        got.extend([link.fresh_view(), link.send_early(["late"]), link.fresh_view()])
        return []

    _, fake = played(server, think)

    assert got == [None, False, None]
    assert sent_commands(fake) == []


def test_frames_without_results_are_sent_first_on_a_new_connection():
    gone = threading.Event()

    def first(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.hear("commands")
        line.break_off()
        gone.set()

    def second(line):
        greet(line)
        line.say(view(0))
        assert [line.hear("commands")["commands"] for _ in range(3)] == [
            ["one"],
            ["two"],
            ["three"],
        ]
        line.say(results(0, 1), results(0, 2), results(0, 3), end())
        line.wait_closed()

    def think(link):
        link.send_early(["one"])
        link.send_early(["two"])
        gone.wait(SOON)
        return ["three"]

    bot, _ = played((first, second), think)

    assert bot.codes == [["ok"], ["ok"], ["ok"]]


def test_frames_in_flight_are_limited(monkeypatch):
    """The server recognises only a limited number of repeated frames."""
    monkeypatch.setattr(live, "WINDOW", 2)

    def server(line):
        greet(line)
        line.say(view(0))
        for _ in range(3):
            line.hear("commands")
        line.say(results(0, 1), results(0, 2), results(0, 3), end())
        line.wait_closed()

    got = []

    def think(link):
        got.extend(link.send_early([number]) for number in range(3))
        return ["rest"]

    _, fake = played(server, think)

    assert got == [True, True, False]
    assert sent_commands(fake)[-1] == (3, ["rest"])


def test_a_long_answer_is_split_into_several_frames():
    def server(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.hear("commands")
        line.say(results(0, 1), results(0, 2), end())
        line.wait_closed()

    _, fake = played(server, lambda link: range(PART + 1))

    assert [len(commands) for _, commands in sent_commands(fake)] == [PART, 1]


def test_without_a_server_nothing_is_sent_ahead():
    link = HeadlessLink()

    assert link.send_early(["one"]) is False
    assert link.pending_results() == []
    assert (link.fresh_view(), link.bank_s()) == (None, None)
    assert Conversation(token="s").unanswered == 0


@pytest.mark.parametrize("turns", [1, 3])
def test_a_turn_sent_ahead_in_full_can_end_with_an_empty_answer(turns):
    def server(line):
        greet(line)
        for turn in range(turns):
            line.say(view(turn))
            line.hear("commands")
            line.say(results(turn, turn + 1))
        line.say(end())
        line.wait_closed()

    def think(link):
        assert link.send_early(["all"])
        return []

    _, fake = played(server, *[think] * turns)

    assert sent_commands(fake) == [(turn + 1, ["all"]) for turn in range(turns)]
