"""Files that play in processes of their own, from the command line: Cookoff's do so by themselves,
others on request."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from client_sdk.api.cookoff.__main__ import main
from games import GAMES
from games.core.journal import lines
from games.core.rerun import verify
from tests.client_sdk.cookoff_bots import BOTS, KITCHEN
from tests.hostile.world import sandboxed

CHATTY = """
class BotPlayer:
    def __init__(self, map_copy):
        print("hello")

    def play_turn(self, controller):
        if controller.get_turn() == 4:
            {at_four}
"""


@pytest.fixture
def contest(tmp_path):
    """Writes contest files and the kitchen; returns the folder."""
    for name, text in BOTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "kitchen.txt").write_text(KITCHEN)
    return tmp_path


def rules(turns=20):
    return [
        "--set",
        "rules=awap2026",
        "--set",
        f"total_turns={turns}",
        "--set",
        "turn_time_ms=20000",
    ]


def test_the_output_of_two_contest_files_is_in_a_log_per_match_and_seat(cli, contest):
    (contest / "chatty.py").write_text(CHATTY.format(at_four="pass"))
    words = [
        "play",
        "cookoff",
        contest / "chatty.py",
        contest / "scholar.py",
        *rules(),
        "--map",
        contest / "kitchen.txt",
    ]
    ran = cli(
        *words,
        "--seed",
        3,
        "--swap",
        "--logs",
        contest / "logs",
        "--replay-dir",
        contest / "records",
    )

    assert ran.status == 0
    assert f"what the bots printed is in {contest / 'logs'}" in ran.err
    assert "hello" not in ran.out + ran.err
    logs = sorted(path.name for path in (contest / "logs").iterdir())
    assert [f"cookoff-3-{game}-{seat}-{who}.log" for game, seat, who in LOGS] == logs
    assert (contest / "logs" / "cookoff-3-1-0-chatty.log").read_text() == "hello\n"
    for number in (1, 2):
        journal = (contest / "records" / f"cookoff-3-{number}.journal.jsonl").read_bytes()
        assert verify(journal, GAMES).kind == "ok"
        assert any(line.fields["k"] == "command" for line in lines(journal.decode()))


LOGS = [(1, 0, "chatty"), (1, 1, "scholar"), (2, 0, "scholar"), (2, 1, "chatty")]


def test_without_output_there_is_no_log(cli, contest, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(contest / "temporary"))
    (contest / "temporary").mkdir()
    ran = cli("play", "cookoff", contest / "raider.py", "noodles", *rules())

    assert (ran.status, ran.err) == (0, "")
    assert [*(contest / "temporary").iterdir()] == []


@pytest.mark.parametrize(
    ("at_four", "reason", "pattern"),
    [
        (
            "raise ValueError('salt')",
            "bot_error",
            r"turn 4: the bot failed in play_turn\n.*chatty\.py\", line 8(.*\n)+?ValueError: salt",
        ),
        (
            "while True: pass",
            "timeout",
            r"turn 4: no answer within 400 ms\n.*chatty\.py\", line 8 in play_turn",
        ),
    ],
    ids=["fails", "hangs"],
)
def test_a_bots_failure_is_reported_with_turn_and_line(cli, contest, at_four, reason, pattern):
    (contest / "chatty.py").write_text(CHATTY.format(at_four=at_four))
    limit = ["--time-limit", 400] if reason == "timeout" else []
    ran = cli(
        "play",
        "cookoff",
        contest / "chatty.py",
        "noodles",
        *rules(),
        *limit,
        "--logs",
        contest / "logs",
    )

    assert ran.status == 0
    assert re.search(pattern, ran.err), ran.err
    assert f"noodles wins by forfeit ({reason})" in ran.out


def test_a_syntax_error_is_reported_with_its_line(cli, contest):
    (contest / "bad.py").write_text("class BotPlayer:\n    def play_turn(self controller): pass\n")
    ran = cli("play", "cookoff", "noodles", contest / "bad.py", "--logs", contest / "logs")

    assert ran.status == 2
    assert f"{contest / 'bad.py'}, line 2: " in ran.err


def test_a_file_of_another_game_plays_isolated_on_request(cli, bot_file, contest):
    body = 'print("seen", view["phase"])\nreturn [{"type": "resign"}]'
    ran = cli(
        "play",
        "botstack",
        bot_file(body),
        "trivial",
        "--isolate",
        "--logs",
        contest / "logs",
        "--seed",
        1,
    )
    here = cli("play", "botstack", bot_file(body), "trivial", "--seed", 1)

    assert (ran.status, here.status) == (0, 0)
    assert "seen" not in ran.out
    assert "seen" in here.out
    assert (contest / "logs" / "botstack-1-1-0-mine.log").read_text().startswith("seen ")


def test_a_contest_file_joins_a_match_on_a_server_isolated(cli, contest, server):
    from client_sdk.rest import RestClient

    (contest / "chatty.py").write_text(CHATTY.format(at_four="pass"))
    config = {"rules": "awap2026", "total_turns": 10, "turn_time_ms": 20_000}
    with RestClient(server) as rest:
        lobby = rest.create("cookoff", config=config, map_text=KITCHEN)
        rest.add_bot(lobby["lobby"], "noodles", lobby["owner_token"])
        ran = cli(
            "join", server, contest / "chatty.py", "--game", "cookoff", "--lobby", lobby["lobby"]
        )

    assert ran.status == 0, ran.err
    log = re.search(r"what chatty prints goes to (.*\.log)", ran.err)[1]
    assert "hello" not in ran.out + ran.err
    assert Path(log).read_text() == "hello\n"


def test_the_contests_own_flags_are_accepted(capsys, contest):
    words = ["--red", "line_cook.py", "--blue", "raider.py", "--map", "kitchen.txt"]
    arguments = [str(contest / word) if "." in word else word for word in words]
    shown = ["--render", "--fps", "1000"]
    arguments += ["--turns", "12", "--timeout", "20", "--replay", str(contest / "records")]
    status = main([*arguments, *shown])
    out = capsys.readouterr().out

    assert status == 0
    assert "line_cook" in out
    assert "(max_turns)" in out
    (journal,) = (contest / "records").glob("*.journal.jsonl")
    header = next(lines(journal.read_text())).fields
    assert header["config"] == {"rules": "awap2026", "total_turns": 12}
    assert header["map"] == KITCHEN


def test_the_contests_replay_flag_takes_a_file(tmp_path, capsys):
    replay = tmp_path / "out.json"
    words = ["--red", "greedy", "--blue", "fifo", "--turns", "3", "--replay", str(replay)]

    assert main(words) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"out.json", "out.journal.jsonl"}
    assert json.loads(replay.read_text().partition("\n")[0])["k"] == "replay"
    assert verify((tmp_path / "out.journal.jsonl").read_text(), GAMES).kind == "ok"


# --- the sandbox ----------------------------------------------------------------------------------

LOOKS = (
    f"print(sorted(os.listdir('/bot')), os.path.exists({str(Path(__file__))!r}))\nreturn "
    "[{'type': 'resign'}]"
)


@sandboxed
@pytest.mark.parametrize(
    "options", [["--isolate"], ["--sandbox"], ["--isolate", "--sandbox"]], ids=" ".join
)
def test_an_isolated_file_sees_nothing_of_the_machine(cli, bot_file, contest, options):
    """Nor what lies beside it, where another player does too."""
    mine, theirs = bot_file(f"import os\n{LOOKS}"), bot_file("return []", "theirs")
    ran = cli("play", "botstack", mine, theirs, *options, "--logs", contest / "logs", "--seed", 1)

    assert ran.status == 0, ran.err
    assert (
        f"['{mine.parent.name}', 'tmp'] False"
        in (contest / "logs" / "botstack-1-1-0-mine.log").read_text()
    )


@sandboxed
@pytest.mark.parametrize(
    "options", [["--isolate", "--no-sandbox"], ["--no-isolate"], []], ids=" ".join
)
def test_ones_own_files_need_no_sandbox(cli, bot_file, options):
    mine = bot_file(
        f"import os\nassert os.path.exists({str(Path(__file__))!r})\nreturn [{{'type': 'resign'}}]"
    )
    ran = cli("play", "botstack", mine, "trivial", *options, "--seed", 1)
    assert (ran.status, "failed" in ran.err) == (0, False)


def test_a_missing_sandbox_is_reported_and_a_required_one_refused(cli, bot_file, monkeypatch):
    monkeypatch.setattr("client_sdk.sandbox.missing", lambda: "it takes Linux")
    mine = bot_file("return [{'type': 'resign'}]")
    isolated = cli("play", "botstack", mine, "trivial", "--isolate", "--seed", 1)
    sandboxed = cli("play", "botstack", mine, "trivial", "--sandbox", "--seed", 1)

    assert (isolated.status, isolated.err) == (
        0,
        "no sandbox (it takes Linux): what plays can do all that you can\n",
    )
    assert (
        sandboxed.status,
        "--sandbox: there can be no sandbox: it takes Linux" in sandboxed.err,
    ) == (
        2,
        True,
    )


def test_a_command_plays_without_a_sandbox(cli):
    ran = cli("play", "botstack", f'"{sys.executable}" -c 0', "trivial", "--sandbox")
    assert (ran.status, "--sandbox is for files" in ran.err) == (2, True)
