"""A bot's file in a process of its own: what it gets, what is kept, and that it cannot affect
others."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bot_files import copied
from client_sdk.errors import BadBot
from client_sdk.isolated import Isolated
from games import GAMES
from games.core.match import Match
from tests.client_sdk.test_process import alive
from tests.waiting import eventually

GAME = GAMES["cookoff"]
CONFIG = {"rules": "awap2026", "total_turns": 12, "turn_time_ms": 20_000}

PLAYER = """
{before}
class BotPlayer:
    def __init__(self, map_copy):
        {init}

    def play_turn(self, controller):
        turn = controller.get_turn()
        {turn}
"""


@pytest.fixture
def bot(tmp_path):
    """Writes a contest bot and starts it; all that were started are ended."""
    started = []

    def start(turn="pass", *, init="pass", before="", name="mine", text=None):
        folder = tmp_path / "bots"
        folder.mkdir(exist_ok=True)
        file = folder / f"{name}.py"
        file.write_text(
            text or PLAYER.format(turn=turn, init=init, before=before), encoding="utf-8"
        )
        started.append(Isolated(file, GAME, tmp_path / f"{name}.log"))
        return started[-1]

    yield start
    for one in started:
        one.close()


def play(bot, **config):
    """A match against a house bot that stands still; its outcome, of seat 0."""
    match = Match.begin(GAME, CONFIG | config, seed=1)
    play_headless(match, [bot, house("cookoff", "noodles")])
    return match.outcome


def test_an_isolated_bot_plays_a_match_and_its_output_is_in_the_log(bot, tmp_path):
    mine = bot('print("turn", turn)', before='print("read")', init='print("width", map_copy.width)')
    outcome = play(mine)
    mine.close()

    output = (tmp_path / "mine.log").read_text().splitlines()
    assert outcome.reason == "max_turns"
    assert output[0] == "read"
    assert output[1].startswith("width ")
    assert [f"turn {turn}" for turn in range(1, 13)] == output[2:]


def test_a_time_limit_of_any_length_is_one(bot):
    assert play(bot(), turn_time_ms=2**53 - 1).reason == "max_turns"


def test_an_exception_is_reported_with_turn_and_source_line(bot, caplog, tmp_path):
    outcome = play(bot("if turn == 3: raise ValueError('too many cooks')"))

    assert (outcome.reason, outcome.winner, outcome.details["turns"]) == ("bot_error", 1, 3)
    text = next(record.getMessage() for record in caplog.records if record.levelno == logging.ERROR)
    assert text.startswith("turn 3: the bot failed in play_turn\n")
    assert text.endswith("ValueError: too many cooks")
    assert f'File "{tmp_path / "bots" / "mine.py"}", line 9, in play_turn' in text
    assert "client_sdk" not in text


def test_commands_before_an_exception_count(bot):
    match = Match.begin(GAME, CONFIG, seed=1)
    before = match.state.bots[0].cell
    turn = (
        "[controller.move(0, dx, 0) or controller.move(0, 0, dx) for dx in (1, -1)]; raise "
        "ValueError"
    )
    play_headless(match, [bot(turn), house("cookoff", "noodles")])

    assert match.state.bots[0].cell != before
    assert match.outcome.reason == "bot_error"


def test_a_bot_that_hangs_is_killed_at_the_limit_with_its_processes(bot, caplog, tmp_path):
    child = tmp_path / "child"
    sleeper = (
        "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; "
        "time.sleep(600)'])\n"
    )
    sleeper += f"open({str(child)!r}, 'w').write(str(child.pid))"
    mine = bot(
        "spin() if turn == 3 else None", before=f"{sleeper}\ndef spin():\n    while True: pass\n"
    )
    begun = time.monotonic()
    outcome = play(mine, turn_time_ms=300)

    assert (outcome.reason, outcome.winner, outcome.details["turns"]) == ("timeout", 1, 3)
    assert time.monotonic() - begun < 10
    assert "turn 3: no answer within 300 ms" in caplog.text
    assert f'File "{tmp_path / "bots" / "mine.py"}", line' in caplog.text
    assert "in spin" in caplog.text
    assert not alive(int(child.read_text()))
    eventually(lambda: not alive(mine.pid))


def test_with_skip_a_late_bot_plays_on_and_its_late_answer_is_dropped(bot, caplog):
    mine = bot("__import__('time').sleep(0.5) if turn == 3 else None; controller.move(0, 0, 0)")
    match = Match.begin(GAME, CONFIG | {"failure_policy": "skip", "turn_time_ms": 400}, seed=1)
    skips = []
    play_headless(
        match,
        [mine, house("cookoff", "noodles")],
        shown=lambda now: skips.append(now.state.skips[0]),
    )

    assert match.outcome.reason == "max_turns"
    assert max(skips) == 1
    assert caplog.text.count("no answer within") == 1
    assert "in the match" not in caplog.text


def test_with_skip_a_bot_that_hangs_is_killed_too(bot):
    mine = bot("while turn == 3: pass")
    outcome = play(mine, failure_policy="skip", turn_time_ms=200, max_skips=4)

    assert (outcome.reason, outcome.details["turns"]) == ("timeout", 6)
    assert not alive(mine.pid)


def test_a_bot_that_kills_its_process_is_gone(bot, caplog):
    outcome = play(bot("import os; os._exit(7) if turn == 2 else None"))

    assert (outcome.reason, outcome.winner) == ("disconnected", 1)
    assert "turn 2: no answer, for the process has ended with status 7" in caplog.text


def test_a_bot_that_calls_exit_has_failed(bot):
    assert play(bot("import sys; sys.exit(0)")).reason == "bot_error"


@pytest.mark.parametrize(
    "init", ["raise KeyError('x')", "import time; time.sleep(30)", "import os; os._exit(3)"]
)
def test_a_bot_that_cannot_start_loses_in_turn_1(bot, init):
    outcome = play(bot(init=init), init_time_ms=500)

    assert (outcome.reason, outcome.winner, outcome.details["turns"]) == ("init_failed", 1, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "class BotPlayer:\n    def play_turn(self, c)\n        pass\n",
            r"mine\.py, line 2: expected ':'",
        ),
        (
            "import game_constants\nimport no_such_package\n",
            r"mine\.py, line 2: ModuleNotFoundError",
        ),
        (
            "import os\nos._exit(5)\n",
            r"mine\.py: the process has ended with status 5 while it was read",
        ),
        (
            "class Bot:\n    pass\n",
            r"no bot in this file; a bot is .* a class BotPlayer with play_turn",
        ),
        (
            "class BotPlayer:\n    pass\n",
            r"there is BotPlayer, but the bot needs play_turn\(controller\)",
        ),
    ],
)
def test_a_file_without_a_bot_is_reported_with_its_line(bot, text, why, tmp_path):
    with pytest.raises(BadBot, match=why) as fault:
        bot(text=text)
    assert "/botarena-bot-" not in str(fault.value)


@pytest.mark.parametrize(
    "name", ["map", "item", "tiles", "my bot", "json", "random", "robot_controller"]
)
def test_a_file_may_have_any_name(bot, name):
    """Dataclasses look for their module; the contest's modules are the contest's, whatever lies
    beside."""
    before = (
        "from dataclasses import dataclass\nfrom map import Map\nfrom item import Food\nimport "
        "json, random\n"
        "@dataclass\nclass Plan:\n    at: 'int' = 0\n"
    )
    init = (
        "self.plan = Plan(); assert isinstance(map_copy, Map); "
        "json.dumps(random.Random(1).random())"
    )
    assert play(bot(before=before, init=init, name=name)).reason == "max_turns"


def test_a_file_can_import_itself(bot):
    before = "import sys\nKNOWN = __name__\n"
    assert (
        play(
            bot(
                "import mine; assert KNOWN == 'mine' and mine.BotPlayer is BotPlayer", before=before
            )
        ).reason
        == "max_turns"
    )


def test_two_files_of_one_name_are_separate(tmp_path):
    logs, bots = [], []
    for who in ("red", "blue"):
        (tmp_path / who).mkdir()
        file = tmp_path / who / "same.py"
        (tmp_path / who / "helper.py").write_text(f"WHO = {who!r}")
        file.write_text(
            PLAYER.format(before="", init="pass", turn="from helper import WHO; print(WHO)")
        )
        logs.append(tmp_path / f"{who}.log")
        bots.append(Isolated(file, GAME, logs[-1]))
    with bots[0], bots[1]:
        match = Match.begin(GAME, CONFIG, seed=1)
        play_headless(match, bots)

    assert [log.read_text() for log in logs] == ["red\n" * 12, "blue\n" * 12]


def test_a_bots_files_are_written_to_its_private_folder(bot, tmp_path):
    """Beside its file, into tmp, and into the system's temporary folder."""
    beside = tmp_path / "bots"
    beside.mkdir()
    (beside / "weights.txt").write_text("7")
    init = (
        "import os, tempfile; here = os.path.dirname(os.path.abspath(__file__)); "
        "assert open(os.path.join(here, 'weights.txt')).read() == '7'; "
        "[open(place, 'w').write('x') for place in (os.path.join(here, 'weights.txt'), "
        "'tmp/a.log', 'b.log')]; "
        "print(tempfile.gettempdir() == os.path.abspath('tmp'), os.getcwd())"
    )
    mine = bot(init=init)
    outcome = play(mine)
    mine.close()
    in_own, folder = (tmp_path / "mine.log").read_text().split()

    assert outcome.reason == "max_turns"
    assert in_own == "True"
    assert (beside / "weights.txt").read_text() == "7"
    assert sorted(path.name for path in beside.iterdir()) == ["mine.py", "weights.txt"]
    assert not Path(folder).exists()


def test_of_a_very_large_folder_only_small_files_are_copied(tmp_path, monkeypatch):
    monkeypatch.setattr("client_sdk.bot_files.COPIED_BYTES", 1000)
    folder = tmp_path / "bots"
    for name, size in (
        ("bot.py", 10),
        ("data/small.bin", 900),
        ("large.bin", 2000),
        (".git/x", 1),
        ("venv/y", 1),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x" * size)
    (tmp_path / "work").mkdir()
    copy = copied(folder / "bot.py", tmp_path / "work", [folder])

    found = sorted(
        str(path.relative_to(copy.parent)) for path in copy.parent.rglob("*") if path.is_file()
    )
    assert ["bot.py", str(Path("data") / "small.bin")] == found


@pytest.mark.parametrize(
    ("turn", "cause"),
    [
        (r"TALK.send(b'\xff\n')", "answered with what is no frame"),
        ("TALK.sendall(b'x' * (2 << 20))", "answered with a line of more than 1024 KB"),
        (r"""TALK.sendall(b'{"number": 99}\n')""", "answered a question that was not asked"),
        ("TALK.shutdown(2); __import__('time').sleep(60)", "has closed its line to the referee"),
    ],
)
def test_a_message_out_of_turn_ends_the_bot(bot, caplog, turn, cause):
    find = (
        "import gc, socket\nTALK = next(one for one in gc.get_objects() if type(one) is "
        "socket.socket)"
    )
    outcome = play(bot(turn, before=find))

    assert (outcome.reason, outcome.winner) == ("disconnected", 1)
    assert f"turn 1: no answer, for the process {cause}" in caplog.text


STOPS = """
import os, signal
from botarena import Bot

class Stops(Bot):
    game = "pyrat"
    def on_view(self, view):
        os.kill(os.getpid(), signal.SIGSTOP)
    def decide(self, view):
        return []
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no such signal")
def test_a_bot_that_does_not_read_is_ended(caplog, monkeypatch, tmp_path):
    monkeypatch.setattr("client_sdk.isolated.LISTENING_S", 0.3)
    (tmp_path / "stops.py").write_text(STOPS)
    with Isolated(tmp_path / "stops.py", GAMES["pyrat"], tmp_path / "log") as stops:
        for _ in range(50):
            stops.on_view({"x": "x" * 100_000})
        assert caplog.text.count("on_view: the bot does not listen") == 1
        eventually(lambda: not alive(stops.pid))


def test_a_bot_of_any_game_can_play_isolated(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from client_sdk.api.pyrat import Bot, Direction\n\n\nclass Mine(Bot):\n"
        "    def think(self, state, ctx):\n        return Direction.UP\n"
    )
    with Isolated(file, GAMES["pyrat"], tmp_path / "log") as mine:
        match = Match.begin(GAMES["pyrat"], {"preset": "tiny", "max_turns": 20}, seed=1)
        play_headless(match, [mine, house("pyrat", "random")])

    assert match.outcome is not None
