"""A bot plays a match on a server, despite faults of its own and lost connections."""

import functools
import logging
import os
import signal
import subprocess
import sys
import threading

import pytest

from client_sdk import rest as rest_module
from client_sdk.bot import Bot, house
from client_sdk.connection import Connection
from client_sdk.options import Spin
from client_sdk.process import BotProcess, python_bot
from client_sdk.run import BAD_BOT, INTERRUPTED, LOST, OVER, REFUSED, USAGE, main, run
from tests.client_sdk.scripted_server import (
    CLOCK,
    end,
    fake_server,
    frame,
    hello,
    results,
    start,
    view,
)
from tests.waiting import PATIENCE_S, eventually

SOON = 20.0
ASIDE = frame("event", event="aside", turn=0)


class Toy(Bot):
    """Answers with its turn, and keeps what it was sent."""

    name = "toy"
    depth = Spin(1, min=1, max=9)

    def __init__(self):
        self.calls = []
        self.aside = threading.Event()
        """Set when everything before the event `aside` has been dealt with."""

    def on_start(self, start):
        self.calls.append(("start", start.seat))

    def decide(self, view):
        self.calls.append(("decide", view["n"]))
        return [view["n"]]

    def on_view(self, view):
        self.calls.append(("view", view["n"]))

    def on_event(self, event):
        self.calls.append(("event", event["e"], event["seat"]))
        if event["e"] == "aside":
            self.aside.set()

    def on_end(self, outcome):
        self.calls.append(("end", outcome["outcome"]))


def greet(line, **fields):
    line.hear("hello")
    line.say(hello(), start(**fields))


def played(script, bot=None, *more):
    """The exit code of a bot that meets these scripts, and its messages."""
    with fake_server(script, *more) as server:
        code = run(Toy() if bot is None else bot, server.url, "s_1")
    return code, [message for message in server.heard if message["type"] != "hello"]


def simple(line):
    greet(line)
    for turn in range(3):
        line.say(view(turn))
        line.say(results(turn, line.hear("commands")["id"]))
    line.say(end())
    line.wait_closed()


def test_every_turn_is_answered_and_every_hook_is_called():
    bot = Toy()
    code, messages = played(simple, bot)

    assert code == OVER
    assert [(message["turn"], message["commands"]) for message in messages] == [
        (0, [0]),
        (1, [1]),
        (2, [2]),
    ]
    assert bot.calls == [("start", 0), ("decide", 0), ("decide", 1), ("decide", 2), ("end", "draw")]


def test_ready_is_sent_only_after_preprocessing():
    def script(line):
        greet(line, within_ms=1000)
        line.hear("ready")
        line.say(end())
        line.wait_closed()

    bot = Toy()
    code, messages = played(script, bot)

    assert (code, [message["type"] for message in messages]) == (OVER, ["ready"])
    assert bot.calls[0] == ("start", 0)


def test_informational_views_and_events_reach_the_bot():
    def script(line):
        greet(line)
        line.say(view(0, act=False), view(1))
        line.hear("commands")
        line.say(frame("event", event="timeout", turn=1, seat=0), end())
        line.wait_closed()

    bot = Toy()
    played(script, bot)

    assert bot.calls[1:] == [("view", 0), ("decide", 1), ("event", "timeout", 0), ("end", "draw")]


def test_an_exception_costs_its_turn_and_the_match_goes_on(caplog):
    class Failing(Toy):
        def decide(self, view):
            if view["n"] == 0:
                raise RuntimeError("out of ideas")
            return super().decide(view)

    def script(line):
        greet(line)
        line.say(view(0), ASIDE)
        assert bot.aside.wait(SOON)
        line.say(view(1))
        assert line.hear("commands")["turn"] == 1
        line.say(end())
        line.wait_closed()

    bot = Failing()
    assert played(script, bot)[0] == OVER
    assert "out of ideas" in caplog.text
    assert "test_run.py" in caplog.text


@pytest.mark.parametrize("hook", ["on_start", "on_view", "on_event", "on_end"])
def test_a_failing_hook_is_harmless(hook, caplog):
    def fail(self, *_):
        raise RuntimeError("no idea")

    bot = type("Failing", (Toy,), {hook: fail})()

    def script(line):
        greet(line)
        line.say(view(0, act=False), frame("event", event="away", turn=0, seat=1), view(1))
        line.hear("commands")
        line.say(end())
        line.wait_closed()

    assert played(script, bot)[0] == OVER
    assert f"failed in {hook}" in caplog.text


def test_an_answer_too_long_for_a_frame_sends_nothing(caplog):
    class Odd(Toy):
        def decide(self, view):
            return [object()] if view["n"] == 0 else ["fine"]

    def script(line):
        greet(line)
        line.say(view(0), ASIDE)
        assert bot.aside.wait(SOON)
        line.say(view(1))
        assert line.hear("commands")["commands"] == ["fine"]
        line.say(end())
        line.wait_closed()

    bot = Odd()
    assert played(script, bot)[0] == OVER
    assert "cannot be sent" in caplog.text


def test_an_empty_answer_sends_nothing():
    class Silent(Toy):
        def decide(self, view):
            return []

    def script(line):
        greet(line)
        line.say(view(0), end())
        line.wait_closed()

    assert played(script, Silent()) == (OVER, [])


def test_a_refused_command_is_reported(caplog):
    def script(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.say(results(0, 1, "bad_action"), end())
        line.wait_closed()

    played(script)

    assert "bad_action" in caplog.text


def test_a_turn_that_closed_while_the_bot_thought_is_not_answered(caplog):
    thinking, closed = threading.Event(), threading.Event()

    class Slow(Toy):
        def decide(self, view):
            if view["n"] == 0:
                thinking.set()
                assert closed.wait(SOON)
                while not self.link.stopped():
                    pass
            return super().decide(view)

    def script(line):
        greet(line)
        line.say(view(0))
        assert thinking.wait(SOON)
        line.say(view(1))
        closed.set()
        assert line.hear("commands")["turn"] == 1
        line.say(end())
        line.wait_closed()

    assert played(script, Slow())[0] == OVER
    assert "too late" in caplog.text


def test_a_turn_that_closed_before_the_bot_read_it_is_only_shown():
    deciding = threading.Event()

    class Slow(Toy):
        def decide(self, view):
            if view["n"] == 0:
                deciding.set()
                eventually(lambda: self.link._connection.conversation.turn == 2)
            return super().decide(view)

    def script(line):
        greet(line)
        line.say(view(0))
        assert deciding.wait(PATIENCE_S)
        line.say(view(1), view(2))
        assert line.hear("commands")["turn"] == 2
        line.say(end())
        line.wait_closed()

    bot = Slow()
    played(script, bot)

    assert bot.calls[-3:] == [("view", 1), ("decide", 2), ("end", "draw")]


def test_stop_and_provisional_apply_to_the_open_turn():
    class Anytime(Toy):
        def decide(self, view):
            self.link.provisional(["first idea"])
            self.link.info({"depth": 1})
            while not self.link.stopped():
                pass
            return ["last idea"]

    def script(line):
        greet(line)
        line.say(view(0))
        assert line.hear("provisional")["commands"] == ["first idea"]
        assert line.hear("info")["turn"] == 0
        line.say(frame("stop", turn=0, within_ms=50))
        assert line.hear("commands")["commands"] == ["last idea"]
        line.say(end())
        line.wait_closed()

    assert played(script, Anytime())[0] == OVER


def test_after_a_drop_the_match_goes_on_without_a_second_start():
    def dropped(line):
        greet(line)
        line.say(view(0))
        line.hear("commands")
        line.say(results(0, 1))
        line.break_off()

    def back(line):
        greet(line, turn=1, seq=2)
        line.say(view(1))
        line.hear("commands")
        line.say(end())
        line.wait_closed()

    bot = Toy()
    assert played(dropped, bot, back)[0] == OVER
    assert bot.calls == [("start", 0), ("decide", 0), ("decide", 1), ("end", "draw")]


def test_a_match_that_ended_during_a_drop_is_over():
    def dropped(line):
        greet(line)
        line.break_off()

    def back(line):
        line.hear("hello")
        line.close(4410, "match_over")

    assert played(dropped, None, back)[0] == OVER


def test_realtime_commands_have_no_turn_and_name_the_last_seen_view():
    def script(line):
        greet(line, clock=CLOCK | {"tick_ms": 100})
        line.say(view(1))
        answer = line.hear("commands")
        assert (answer["turn"], answer["seen"]) == (None, 1)
        line.say(end())
        line.wait_closed()

    assert played(script)[0] == OVER


def test_a_bot_slower_than_the_ticks_gets_the_newest_state_next():
    """While it thinks of state 1, states 2 to 6 come."""
    thinking, arrived = threading.Event(), threading.Event()

    class Slow(Toy):
        def decide(self, view):
            if view["n"] == 1:
                thinking.set()
                assert arrived.wait(SOON)
            return super().decide(view)

    def script(line):
        greet(line, clock=CLOCK | {"tick_ms": 100})
        line.say(view(1))
        assert thinking.wait(SOON)
        line.say(*(view(turn) for turn in range(2, 7)))
        assert [line.hear("seen")["turn"] for _ in range(3)] == [2, 4, 6]
        arrived.set()
        assert [line.hear("commands")["seen"] for _ in range(2)] == [6, 6]
        line.say(end())
        line.wait_closed()

    bot = Slow()
    assert played(script, bot)[0] == OVER
    assert bot.calls[1:-1] == [("decide", 1), ("decide", 6)]


@pytest.mark.parametrize("clock", [{"tick_ms": 100}, {"lockstep": True}], ids=str)
def test_a_state_shown_again_after_a_drop_is_not_answered_again(clock):
    """Its command is on the server, and a second one would wait in front of the next answer."""

    def dropped(line):
        greet(line, clock=CLOCK | clock)
        line.say(view(1))
        line.hear("commands")
        line.break_off()

    def back(line):
        greet(line, clock=CLOCK | clock, turn=1)
        line.say(view(1), view(2))
        answer = line.hear("commands")
        assert (answer["turn"], answer["commands"]) == (None, [2])
        line.say(end())
        line.wait_closed()

    assert played(dropped, None, back)[0] == OVER


def test_a_refusal_gives_an_exit_code_and_one_clear_line(caplog):
    def refuse(line):
        line.hear("hello")
        line.close(4401, "bad_token")

    assert played(refuse)[0] == REFUSED
    assert [one.message for one in caplog.records] == [
        "the server refuses: bad_token, it says (bad_token)"
    ]


def test_the_token_is_never_logged(caplog):
    caplog.set_level(logging.DEBUG)
    with fake_server(simple) as server:
        run(Toy(), server.url, "s_very_secret")

    assert "s_very_secret" not in caplog.text


# --- where the seat comes from --------------------------------------------------------------------


@pytest.fixture
def lobby(monkeypatch):
    """A REST side that hands out a seat of the server that it is given."""
    asked = {}

    class Desk:
        def __init__(self, url, *, key):
            asked.update(url=url, key=key)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def join(self, lobby, game, name, *, invite, password):
            asked.update(lobby=lobby, game=game, name=name, invite=invite, password=password)
            return {"lobby": "p7", "seat": 0, "token": "s_1", "url": asked["url"]}

    monkeypatch.setattr(rest_module, "RestClient", Desk)
    return asked


def test_the_environment_has_server_and_seat(monkeypatch):
    with fake_server(simple) as server:
        monkeypatch.setenv("BOTARENA_URL", server.url)
        monkeypatch.setenv("BOTARENA_TOKEN", "s_7")

        assert run(Toy(), argv=[]) == OVER

    assert server.heard[0]["token"] == "s_7"


def test_the_command_line_joins_a_lobby(lobby):
    with fake_server(simple) as server:
        asked = {
            "url": server.url,
            "lobby": "new",
            "name": "me",
            "game": "toy",
            "invite": "i_1",
            "password": "pw",
            "key": "k_1",
        }
        command = [word for name, value in asked.items() for word in (f"--{name}", value)]
        bot = Toy()
        assert run(bot, argv=[*command, "--set", "depth=4"]) == OVER

    assert asked == lobby
    assert bot.depth == 4


def test_by_default_any_open_lobby_is_joined(lobby):
    with fake_server(simple) as server:
        bot = house("pyrat", "random")
        bot.decide = lambda view: ["UP"]
        assert run(bot, server.url) == OVER

    assert (lobby["lobby"], lobby["game"], lobby["name"]) == ("*", "pyrat", "random")


@pytest.mark.parametrize(
    "command",
    [
        ["--set", "depth=99"],
        ["--set", "colour=red"],
        ["--url", "ftp://x", "--token", "s"],
        ["--url", "http://127.0.0.1:1"],
    ],
    ids=" ".join,
)
def test_contradictory_arguments_are_a_usage_error(command, lobby):
    assert run(Toy(), argv=command) == USAGE


@pytest.mark.parametrize("command", [["--nonsense"], ["--set", "depth"]], ids=" ".join)
def test_invalid_arguments_print_the_usage(command):
    with pytest.raises(SystemExit) as left:
        run(Toy(), argv=command)

    assert left.value.code == USAGE


@pytest.mark.parametrize(
    "command", [["nowhere.py"], ["pyrat/unknown"], ["--house", "pyrat", "unknown"]], ids=" ".join
)
def test_a_bot_that_cannot_be_loaded_gives_an_exit_code(command):
    assert main(command) == BAD_BOT


@pytest.mark.parametrize("command", [[], ["--house"], ["--help"]], ids=" ".join)
def test_a_command_without_a_bot_is_a_usage_error(command):
    assert main(command) == USAGE


def test_an_absent_server_gives_an_exit_code(monkeypatch):
    monkeypatch.setattr("client_sdk.live.Connection", functools.partial(Connection, patience_s=0.1))

    assert run(Toy(), "ws://127.0.0.1:9", "s_1") == LOST


# --- in a process of its own ----------------------------------------------------------------------


def test_a_house_bot_plays_in_a_process_of_its_own():
    table = {
        "phase": "shoot",
        "draws": 0,
        "known_next": None,
        "opponent_request": False,
        "events": [],
    }
    player = {
        "health": 3,
        "items": ["empty", "empty"],
        "rounds_won": 0,
        "skip_pending": False,
        "can_abstain": False,
    }
    shown = table | {"you": player, "opponent": player, "gun": {"total": 3, "live": 1, "blank": 2}}

    def script(line):
        greet(line, game="botstack", view=shown)
        line.say(view(0, view=shown))
        assert line.hear("commands")["commands"] == [{"type": "shoot", "target": "opponent"}]
        line.say(end())
        line.wait_closed()

    with (
        fake_server(script) as server,
        BotProcess(
            python_bot("botstack/trivial"), url=server.url, token="s_1", game="botstack"
        ) as process,
    ):
        assert process.wait(SOON) == OVER, process.output
        assert "over: draw (done)" in process.output
        assert "s_1" not in process.output


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is POSIX")
def test_ctrl_c_leaves_cleanly():
    connected = threading.Event()

    def script(line):
        greet(line)
        connected.set()
        line.wait_closed()

    with fake_server(script) as server:
        environment = os.environ | {"BOTARENA_URL": server.url, "BOTARENA_TOKEN": "s_1"}
        command = [sys.executable, "-m", "client_sdk.run", "--house", "botstack", "trivial"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        assert connected.wait(SOON)
        process.send_signal(signal.SIGINT)
        _, calls = process.communicate(timeout=SOON)

    assert process.returncode == INTERRUPTED
    assert "Traceback" not in calls


def test_a_bot_imports_its_own_game_and_no_server():
    """A match of four house bots starts four such processes."""
    program = "import sys, client_sdk.run, client_sdk.bots.pyrat.greedy; print(*sys.modules)"
    imported = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.split()
    ours = {name for name in imported if name.startswith(("games.", "server"))}

    assert "games.pyrat" in ours
    assert all(name.startswith(("games.core", "games.pyrat")) for name in ours)
