"""A bot that speaks lines on standard input and output: how it plays, and what ends it."""

from __future__ import annotations

import itertools
import json
import logging
import re
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from client_sdk.bot import house
from client_sdk.bots import HOUSE
from client_sdk.errors import BadBot, BotGone
from client_sdk.line_process import LINE_BYTES, WAITING, LineProcess
from client_sdk.lines import LinesBot
from client_sdk.live import play as play_live
from client_sdk.local.headless import FinishedGame, Setting, play_one
from client_sdk.lux import LuxBot
from games import GAMES
from games.core.contract import Json
from tests.client_sdk.test_process import alive
from tests.server.live_server import LiveServer, hosted
from tests.waiting import eventually

PROGRAM = """
import json, os, sys, time
def say(*values, to=sys.stdout):
    for value in values:
        print(value if isinstance(value, str) else json.dumps(value), file=to, flush=True)
def commands(turn, *given):
    say({{"type": "commands", "turn": turn, "commands": list(given)}})
MOVES = ["UP", "RIGHT", "UP", "LEFT", "DOWN"]
seen, heard = 0, open(__file__ + ".heard", "w")
for line in sys.stdin:
    message = json.loads(line)
    say(line.rstrip(), to=heard)
    if message["type"] == "start":
        {start}
    if message["type"] == "view":
        turn, view = message["turn"], message["view"]
        {view}
        seen += 1
{end}
"""
READY = 'say({"type": "ready"})'
MOVE = "commands(turn, MOVES[turn % 5])"
TINY = {"preset": "tiny", "preprocessing_timeout_ms": 20_000, "move_timeout_ms": 20_000}

Start = Callable[..., LinesBot]


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Start]:
    """Writes a program and starts it; all that were started are ended."""
    started: list[LinesBot] = []

    def start(
        view: str = MOVE,
        *,
        start: str = READY,
        end: str = "",
        game: str = "pyrat",
        limit_s: float | None = None,
    ) -> LinesBot:
        file = tmp_path / f"bot{len(started)}.py"
        file.write_text(PROGRAM.format(start=start, view=view, end=end), encoding="utf-8")
        log = tmp_path / f"bot{len(started)}.log"
        command = shlex.join([sys.executable, "-S", "-E", str(file)])
        started.append(LinesBot(command, GAMES[game], log, limit_s=limit_s))
        return started[-1]

    yield start
    for one in started:
        one.close()


class Faults(list[str]):
    """What a game reports of seat 0."""

    def __call__(self, seat: int, where: str, fault: BaseException | str, match: object) -> None:
        assert seat == 0, fault
        self.append(str(fault))


def played(one: LinesBot, game: str = "pyrat", **config: Json) -> tuple[FinishedGame, Faults]:
    """A game of the program against the simplest house bot."""
    opponent = house(game, next(iter(HOUSE[game])))
    if game == "pyrat":
        config = TINY | config
    faults = Faults()
    setting = Setting(game=GAMES[game], config=config, names=["mine", "other"], record=True)
    return play_one(setting, 1, 1, (0, 1), [one, opponent], tell=faults), faults


def heard(bot: LinesBot, tmp_path: Path, number: int = 0) -> list[dict[str, Any]]:
    """What the program got, once it has ended."""
    bot.close()
    heard = (tmp_path / f"bot{number}.py.heard").read_text()
    return [json.loads(line) for line in heard.splitlines()]


def commands(journal: str, seat: int = 0) -> list[Json]:
    lines = map(json.loads, journal.splitlines())
    return [line["c"] for line in lines if line["k"] == "command" and line["s"] == seat]


def hashes(journal: str) -> list[str]:
    return [line["h"] for line in map(json.loads, journal.splitlines()) if line["k"] == "turn"]


# --- how it plays ---------------------------------------------------------------------------------


def test_it_gets_start_then_a_view_for_each_decision_results_and_the_end(bot, tmp_path):
    mine = bot()
    game, faults = played(mine, max_turns=6)
    messages = heard(mine, tmp_path)

    assert faults == []
    assert [message["type"] for message in messages] == [
        "start",
        *["view", "results"] * game.stats[0].turns,
        "end",
    ]
    start, view = messages[0], messages[1]
    assert (start["game"], start["seat"], start["within_ms"]) == ("pyrat", 0, 20_000)
    assert start["config"]["preset"] == "tiny"
    assert start["view"]["maze"]
    assert (view["turn"], view["act"], view["within_ms"]) == (0, True, 20_000)
    assert messages[2]["results"] == [{"code": "ok"}]
    assert messages[-1]["outcome"]["reason"] == "max_turns"


def test_a_field_is_found_by_its_name_where_there_is_no_json_library(bot, tmp_path):
    mine = bot()
    played(mine, max_turns=2)
    mine.close()
    start, view, *_ = (tmp_path / "bot0.py.heard").read_text().splitlines()

    for line in (start, view):
        message = json.loads(line)
        assert line == json.dumps(message, separators=(",", ":"), ensure_ascii=False)
        names = list(message)
        assert names.index("type") < names.index("turn") < names.index("view")


@pytest.mark.parametrize(
    "answer",
    [
        "say(json.dumps({move}))",
        "say([{move}])",
        'say({{"type": "commands", "commands": [{move}]}})',
        'say({{"commands": [{move}]}})',
    ],
)
def test_an_answer_is_a_message_a_list_or_one_command(bot, answer):
    moves = "MOVES[seen % 5]"
    game, faults = played(bot(answer.format(move=moves)), max_turns=10)
    same, _ = played(bot(), max_turns=10)

    assert faults == []
    assert hashes(game.journal) == hashes(same.journal)


def test_turns_have_the_numbers_of_the_match(bot, tmp_path):
    mine = bot('say(["no command"])', game="botstack")
    game, _ = played(mine, "botstack")
    asked = [message["turn"] for message in heard(mine, tmp_path) if message["type"] == "view"]
    lines = map(json.loads, game.journal.splitlines())
    answered = [line["n"] for line in lines if line["k"] == "command" and line["s"] == 0]

    assert asked
    assert asked == list(dict.fromkeys(answered))


def test_an_answer_is_the_whole_turn_where_turns_are_many_commands(bot):
    game, faults = played(bot("say([])", game="catastrophe"), "catastrophe")

    assert faults == []
    assert set(map(str, commands(game.journal))) == {"{'cmd': 'end_turn'}"}


def test_a_realtime_game_without_a_clock_waits_for_the_answer_to_each_view(bot):
    say = 'say({"action": "UP"}) if turn % 2 else say([])'
    game, faults = played(bot(say, game="zooscape"), "zooscape", seats=2, max_ticks=9)

    assert faults == []
    assert commands(game.journal) == [{"action": "UP"}] * 4


def test_ready_is_optional_and_ends_the_preparation(bot):
    begun = time.monotonic()
    game, faults = played(bot(start="pass"), max_turns=3, preprocessing_timeout_ms=300)

    assert faults == []
    assert time.monotonic() - begun > 0.25
    assert game.turns == 3


def test_what_a_program_writes_to_standard_error_is_its_log(bot, tmp_path):
    mine = bot(end='say("over", to=sys.stderr)')
    played(mine, max_turns=2)
    mine.close()

    assert (tmp_path / "bot0.log").read_text().splitlines()[-1] == "over"


LUX = """
import json, sys
for number, line in enumerate(sys.stdin):
    step = json.loads(line)
    print(line, end="", file=sys.stderr, flush=True)
    print({answer}, flush=True)
"""


def lux(tmp_path: Path, answer: str) -> LuxBot:
    (tmp_path / "lux.py").write_text(LUX.format(answer=answer), encoding="utf-8")
    command = shlex.join([sys.executable, "-S", "-E", str(tmp_path / "lux.py")])
    return LuxBot(command, GAMES["pyrat"], tmp_path / "lux.log")


def test_a_program_in_the_form_of_lux_gets_a_line_for_each_step(tmp_path):
    answers = """['{"action": ["UP"]}', '{"action": "LEFT"}'][number % 2]"""
    with lux(tmp_path, answers) as mine:
        game, faults = played(mine, max_turns=4)
    steps = [json.loads(line) for line in (tmp_path / "lux.log").read_text().splitlines()]

    assert faults == []
    assert commands(game.journal) == ["UP", "LEFT"] * 2
    assert [step["step"] for step in steps] == [0, 1, 2, 3]
    assert steps[0].keys() == {"step", "obs", "remainingOverageTime", "player", "info"}
    assert steps[0]["info"]["env_cfg"]["preset"] == "tiny"
    assert [step["info"] for step in steps[1:]] == [{}] * 3
    assert (steps[1]["obs"]["turn"], steps[1]["player"]) == (1, 0)


def test_a_line_without_an_action_is_no_answer_and_gets_no_error(tmp_path):
    with lux(tmp_path, """'{}\\n{"action": "UP"}'""") as mine:
        game, faults = played(mine, max_turns=2)
    lines = (tmp_path / "lux.log").read_text().splitlines()

    assert len(faults) == 1
    assert "a line without an action" in faults[0]
    assert commands(game.journal) == ["UP"] * 2
    assert len(lines) == 2


# --- what is no answer ----------------------------------------------------------------------------


def test_chatter_is_one_fault_gets_errors_back_and_the_bot_plays_on(bot, tmp_path):
    mine = bot(f'say("thinking..."); {MOVE}')
    game, faults = played(mine, max_turns=5)
    messages = heard(mine, tmp_path)

    assert faults == [
        "turn 0: the bot wrote what is no JSON: 'thinking...'; log to standard error instead"
    ]
    assert game.stats[0].late == 0
    assert {message["code"] for message in messages if message["type"] == "error"} == {"malformed"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f'"[" + " " * {LINE_BYTES} + "]"', "a line of more than 1 MB"),
        ('{"type": "commands", "commands": "UP"}', "a message that is none: Expected `array`"),
        ('"[" * 90 + "]" * 90', "commands nested deeper than 64"),
        ('["UP"] * 5001', "more than 5000 commands in one answer"),
        ('"[NaN]"', "what is no JSON"),
    ],
)
def test_an_answer_that_is_none_gets_an_error_and_the_next_one_counts(bot, line, why):
    game, faults = played(bot(f"say({line}); {MOVE}"), max_turns=2)

    assert len(faults) == 1
    assert f"the bot wrote {why}" in faults[0]
    assert commands(game.journal) == ["UP", "RIGHT"]


def test_a_late_answer_is_not_played_in_a_later_turn(bot, tmp_path, monkeypatch):
    """The answer to turn 1 comes in turn 2."""
    late = "None if seen == 1 else say(*[[move] for move in MOVES[seen - (seen == 2) : seen + 1]])"
    mine = bot(late)
    monkeypatch.setattr(mine, "_within_s", lambda: 0.2 if mine._turn == 1 else 20.0)
    game, faults = played(mine, max_turns=5)
    messages = heard(mine, tmp_path)

    assert faults == ["turn 1: no answer within 200 ms"]
    assert commands(game.journal) == ["UP", "UP", "LEFT", "DOWN"]
    assert [message["code"] for message in messages if message["type"] == "error"] == ["stale_turn"]


def test_an_answer_to_a_turn_that_is_not_open_is_refused(bot, tmp_path):
    mine = bot(f'commands(turn + 1, "UP"); {MOVE}')
    _, faults = played(mine, max_turns=2)
    codes = [message["code"] for message in heard(mine, tmp_path) if message["type"] == "error"]

    assert faults == []
    assert codes == ["future_turn"] * 2


# --- what ends it ---------------------------------------------------------------------------------


def test_a_silent_bot_is_ended_once_it_hangs(bot):
    mine = bot("pass", limit_s=0.2)
    game, faults = played(mine, max_turns=30)

    assert faults == ["turn 0: no answer within 200 ms", "turn 1: no answer within 200 ms"]
    assert game.outcome["reason"] != "forfeit"
    assert not alive(mine.pid)


def test_a_bot_that_does_not_come_back_forfeits_where_a_disconnected_one_does(bot):
    mine = bot("sys.exit(3)", game="botstack")
    game, faults = played(mine, "botstack")

    assert "no answer, for the bot has ended with status 3" in faults[0]
    assert (game.outcome["outcome"], game.outcome["reason"]) == ("forfeit", "disconnect")


def test_a_bot_that_dies_is_silent_and_its_last_words_are_reported(bot):
    game, faults = played(bot("seen / (seen - 2); " + MOVE), max_turns=6)

    assert len(faults) == 1
    assert "turn 2: no answer, for the bot has ended with status 1" in faults[0]
    assert "ZeroDivisionError" in faults[0]
    assert game.outcome["reason"] == "max_turns"


def test_a_bot_that_closes_its_output_has_ended(bot):
    mine = bot("os.close(1); time.sleep(60)")
    _, faults = played(mine, max_turns=6)

    assert faults == ["turn 0: no answer, for the bot has closed its standard output"]
    assert not alive(mine.pid)


def test_a_bot_that_closes_its_input_has_ended(bot):
    mine = bot(f"{MOVE}; os.close(0); time.sleep(60)")
    _, faults = played(mine, max_turns=6)

    assert faults == ["turn 1: no answer, for the bot has closed its standard input"]


def test_a_bot_that_writes_without_end_is_ended(bot, monkeypatch):
    monkeypatch.setattr("client_sdk.line_process.TALK_BYTES", 1 << 20)
    mine = bot('\n        while True: say("x" * 10000)')
    _, faults = played(mine, max_turns=6)

    assert "no answer, for the bot has written more than 1 MB in one match" in faults[-1]


def test_a_bot_that_writes_without_end_does_not_get_more_time(bot, monkeypatch):
    """Each line is one of an earlier turn, so that none is malformed and none is an answer."""
    monkeypatch.setattr("client_sdk.lines.LOOK_S", 0.01)
    mine = bot("\n        while True: commands(-1)", limit_s=0.3)
    _, faults = played(mine, max_turns=6)

    assert faults == ["turn 0: no answer within 300 ms", "turn 1: no answer within 300 ms"]


def test_a_bot_that_writes_malformed_lines_only_is_ended(bot):
    _, faults = played(bot("\n        while True: say('{')"), max_turns=6)

    assert "the bot has written more than 1000 malformed lines in one turn" in faults[-1]


def test_lines_that_no_one_receives_wait_in_the_program():
    count = 50 * WAITING
    program = [sys.executable, "-S", "-E", "-c", f"print('12345678\\n' * {count})"]
    read: list[bytes] = []
    child = LineProcess(program, "pyrat", take=lambda line: bool(read.append(line)))
    eventually(lambda: len(read) > WAITING)
    for left in range(count, 0, -1):
        assert len(read) <= count - left + WAITING + 1
        assert child.receive(60.0) == b"12345678"
    child.close()


def test_a_program_whose_lines_no_one_receives_can_be_ended():
    program = [sys.executable, "-S", "-E", "-c", "while True: print('12345678')"]
    read: list[bytes] = []
    child = LineProcess(program, "pyrat", take=lambda line: bool(read.append(line)))
    eventually(lambda: len(read) > WAITING)
    child.end()

    eventually(lambda: not any(thread.is_alive() for thread in child._threads))


def test_only_the_first_view_waits_for_a_program_that_starts(bot, monkeypatch):
    waited: list[float] = []
    monkeypatch.setattr(LineProcess, "await_reader", lambda child, until: waited.append(until))
    played(bot("pass", limit_s=0.2), max_turns=6)

    assert len(waited) == 1


def test_a_bot_that_goes_on_after_the_end_of_its_input_is_ended(bot):
    mine = bot(end="time.sleep(60)")
    played(mine, max_turns=2)
    mine.close()

    eventually(lambda: not alive(mine.pid))


def test_a_program_that_cannot_be_started_is_no_bot():
    with pytest.raises(BadBot, match="/no/such/program cannot be started: No such file"):
        LinesBot("/no/such/program", GAMES["pyrat"])


# --- on a server ----------------------------------------------------------------------------------


@pytest.fixture
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("server"), GAMES) as server:
        yield server


ANSWERS = {
    "pyrat": (TINY | {"max_turns": 12}, "[MOVES[turn % 5]]"),
    "catastrophe": (
        {"map_width": 12, "map_height": 8, "max_turns": 8},
        '[{"cmd": "rest", "unit": view["players"][view["current_player"]]["cat"]},'
        ' {"cmd": "end_turn"}]',
    ),
    "cookoff": (
        {"total_turns": 5, "turn_time_ms": 20_000, "init_time_ms": 20_000},
        '[{"type": "move", "bot_id": view["bot_ids"][0], "dx": 1, "dy": 0}, {"type": "end_turn"}]',
    ),
    "botstack": (
        {"decision_timeout_ms": 20_000},
        '[{"abstain_request": {"type": "abstain", "value": False},'
        ' "abstain_reply": {"type": "abstain", "value": False},'
        ' "item": {"type": "item", "slot": 0},'
        ' "shoot": {"type": "shoot", "target": "opponent"}}[view["phase"]]]',
    ),
}
"""Of each game of turns a short match, and what a bot answers, as Python."""
SLOW_MS = 20_000


@pytest.mark.parametrize("game", ANSWERS)
def test_its_answers_make_the_same_match_as_over_a_websocket(bot, live_server, game):
    config, answers = ANSWERS[game]
    setting = Setting(
        game=GAMES[game],
        config=config,
        names=["a", "b"],
        record=True,
        limit_s=SLOW_MS / 1000,
    )
    line = f"commands(turn, *{answers})"
    bots = [bot(line, game=game, limit_s=SLOW_MS / 1000) for _ in range(4)]
    headless = play_one(setting, 1, 7, (0, 1), bots[:2], tell=Faults())

    lobby, clients = live_server.started(game, config=config, seed=7)
    threads = [
        threading.Thread(target=answer_all, args=(client, compile(answers, game, "eval")))
        for client in clients
    ]
    for thread in threads:
        thread.start()
    live_server.over(lobby)
    for thread in threads:
        thread.join()

    assert hashes(headless.journal) == hashes(live_server.journal_text(lobby))

    lobby, taken = live_server.seated(game, config=config, seed=7)
    threads = [live(one, live_server, seat) for one, seat in zip(bots[2:], taken, strict=True)]
    live_server.over(lobby)
    for thread in threads:
        thread.join()

    assert hashes(headless.journal) == hashes(live_server.journal_text(lobby))


def test_on_a_server_the_log_names_a_program_that_never_said_ready(bot, live_server, caplog):
    config = TINY | {"max_turns": 1, "preprocessing_timeout_ms": 300}
    _, taken = live_server.seated("pyrat", config=config)
    threads = [
        live(bot(start=start), live_server, seat)
        for start, seat in zip(("pass", READY), taken, strict=True)
    ]
    for thread in threads:
        thread.join()

    assert "never said ready: the first turn waited" in caplog.text


def answer_all(client: Any, answers: CodeType) -> None:
    """The same as PROGRAM, on a websocket."""
    moves = ["UP", "RIGHT", "UP", "LEFT", "DOWN"]
    client.say("ready")
    kept: Json = {}
    while (message := client.until("view", "end"))["type"] == "view":
        if message["act"]:
            kept |= message["view"]
            words = {"MOVES": moves, "turn": message["turn"], "view": kept}
            client.say("commands", turn=message["turn"], commands=eval(answers, words))


def live(bot: LinesBot, server: LiveServer, seat: dict[str, Any]) -> threading.Thread:
    def run() -> None:
        try:
            play_live(bot, f"ws{server.url.removeprefix('http')}/ws/play", seat["token"])
        except BotGone:
            logging.getLogger("tests").info("the bot has gone")

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_in_realtime_its_commands_are_sent_when_they_come(bot, live_server, tmp_path):
    config = {"seats": 1, "tick_ms": 30, "max_ticks": 5000}
    twice = 'say({"action": "UP"}, {"action": "LEFT"}) if seen == 2 else None'
    lobby, taken = live_server.seated("zooscape", config=config)
    thread = live(bot(twice, game="zooscape"), live_server, taken[0])
    file = tmp_path / "bot0.py.heard"
    eventually(lambda: file.exists() and file.read_text().count('"code":"ok"') == 2)
    live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])
    thread.join()
    live_server.over(lobby)

    assert commands(live_server.journal_text(lobby)) == [{"action": "UP"}, {"action": "LEFT"}]


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe there does not show what is unread")
def test_in_realtime_a_slow_bot_gets_newer_views_only(bot, live_server, tmp_path):
    mine = bot("time.sleep(0.15)", game="zooscape")
    config = {"seats": 1, "tick_ms": 20, "max_ticks": 5000}
    lobby, taken = live_server.seated("zooscape", config=config)
    thread = live(mine, live_server, taken[0])
    file = tmp_path / "bot0.py.heard"
    skipped = re.compile(r'"skipped":[1-9]')
    eventually(lambda: file.exists() and len(skipped.findall(file.read_text())) >= 3)
    live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])
    thread.join()
    views = [message for message in heard(mine, tmp_path) if message["type"] == "view"]

    for before, after in itertools.pairwise(views):
        assert after["turn"] > before["turn"] + after["skipped"]


def test_a_bot_that_dies_leaves_its_seat_on_a_server(bot, live_server):
    lobby, taken = live_server.seated("pyrat", config=TINY | {"move_timeout_ms": 500})
    threads = [live(bot("sys.exit(1)"), live_server, seat) for seat in taken]
    for thread in threads:
        thread.join()

    eventually(lambda: not any(seat["connected"] for seat in live_server.lobby(lobby)["seats"]))
    live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])


def test_the_bank_of_a_match_counts_without_a_server(bot, tmp_path):
    slow = 'time.sleep(1.3 * (seen == 0)); say([{"type": "shoot", "target": "opponent"}])'
    config = {"decision_timeout_ms": 1000}
    mine = bot(slow, game="botstack")
    game, faults = played(mine, "botstack", **config)
    first, second = [one for one in heard(mine, tmp_path) if one["type"] == "view"][:2]

    assert game.stats[0].late == 0
    assert (first["within_ms"], first["bank_ms"]) == (1000, 10_000)
    assert second["bank_ms"] < 10_000
    assert not [fault for fault in faults if "no answer" in fault]
