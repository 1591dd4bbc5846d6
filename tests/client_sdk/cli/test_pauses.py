"""A playing command is stopped and continued, alone or with all its processes: none of its bots is
late."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from client_sdk.bot import Bot
from client_sdk.local.seated import Ear, Seated
from client_sdk.turn_limit import TurnLimit
from tests.client_sdk.cli.conftest import environment
from tests.client_sdk.cli.test_tournament import config_of, toml
from tests.e2e.arena import PATIENCE_S, eventually
from tests.processes import stopped, with_all

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

LIMIT_MS = 400
TURNS = 40
BOT = """
import os, time
class BotPlayer:
    def __init__(self, map_copy):
        self.log = open(f"LOGS/{os.getpid()}", "w")

    def play_turn(self, controller):
        print(controller.get_turn(), file=self.log, flush=True)
        time.sleep(0.03)
"""
"""Silence is harmless to it, a turn that was not answered in time loses the match."""
PROGRAM = f"{sys.executable} -m client_sdk.run"
Who = Callable[[int], list[int]]


def alone(pid: int) -> list[int]:
    return [pid]


def players(pid: int) -> list[int]:
    """The descendants of this process that play games side by side."""
    return [
        one for one in with_all(pid) if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()
    ]


def written(folder: Path, bot: str = BOT) -> tuple[Path, Path]:
    """The bot's file, and the folder where each process of it writes down its turns."""
    file, logs = folder / "mine.py", folder / "turns"
    logs.mkdir()
    file.write_text(bot.replace("LOGS", str(logs)))
    return file, logs


def turns(logs: Path) -> list[int]:
    """How many turns each bot has been asked so far."""
    return [
        len(log.read_text().splitlines())
        for log in sorted(logs.iterdir(), key=lambda log: log.stat().st_ctime)
    ]


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "client_sdk.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment(),
    )


def paused(process: subprocess.Popen[str], who: Who, logs: Path, pause_s: float) -> str:
    """What it says, stopped for a while once its bots are at work."""
    with process:
        try:
            eventually(
                lambda: (
                    process.poll() is not None
                    or (len(turns(logs)) >= 2 and min(turns(logs)[-2:]) >= 3)
                )
            )
            assert process.poll() is None, process.stdout and process.stdout.read()
            with stopped(*who(process.pid)):
                time.sleep(pause_s)  # the pause itself
            output, _ = process.communicate(timeout=2 * PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == 0, output
    return output


def wrong(journals: Path) -> list[str]:
    """The games that did not end by the rules alone."""
    records = [journal.read_text() for journal in sorted(journals.glob("*.journal.jsonl"))]
    assert records
    return [record[-600:] for record in records if "max_turns" not in record]


PAUSES = [
    pytest.param(1.0),
    *(pytest.param(pause_s, marks=pytest.mark.soak) for pause_s in (25.0, 120.0)),
]
CONFIG = {"total_turns": TURNS, "turn_time_ms": LIMIT_MS}


@pytest.mark.parametrize("pause_s", PAUSES)
@pytest.mark.parametrize(
    ("kind", "who"),
    [
        ("files", alone),
        ("files", with_all),
        ("programs", with_all),
        pytest.param("programs", alone, marks=pytest.mark.soak),
    ],
)
def test_a_paused_play_fails_no_bot(kind: str, who: Who, pause_s: float, tmp_path: Path) -> None:
    file, logs = written(tmp_path)
    bots = [str(file)] * 2 if kind == "files" else [f"{PROGRAM} {file}"] * 2
    options = ["--isolate", "--no-sandbox"] if kind == "files" else []
    config = [f"--set={name}={value}" for name, value in CONFIG.items()]
    process = command(
        tmp_path, "play", "cookoff", *bots, *options, *config, "--replay-dir", "games"
    )
    output = paused(process, who, logs, pause_s)

    assert not wrong(tmp_path / "games"), output


@pytest.mark.parametrize("pause_s", PAUSES)
@pytest.mark.parametrize(
    ("kind", "who"),
    [
        ("files", with_all),
        pytest.param("files", players, marks=pytest.mark.soak),
        pytest.param("programs", with_all, marks=pytest.mark.soak),
    ],
)
def test_a_paused_tournament_fails_no_bot(
    kind: str, who: Who, pause_s: float, tmp_path: Path
) -> None:
    file, logs = written(tmp_path)
    bot = f"file = '{file}'" if kind == "files" else f"command = '{PROGRAM} {file}'"
    plan = toml(
        tmp_path,
        bot,
        bot,
        game="cookoff",
        trusted=True,
        more=config_of(CONFIG),
        format="round-robin",
        matches_per_pairing=1,
        check=False,
    )
    output = paused(
        command(tmp_path, "tournament", "run", str(plan), "--jobs", "1"), who, logs, pause_s
    )
    games = tmp_path / "spring" / "games"

    assert not wrong(games), output


ANY = """
import os
from botarena import Bot
from tests.e2e.slow_bot import slow

class Mine(Bot):
    game = "GAME"

    def __init__(self):
        self.log = open(f"LOGS/{os.getpid()}", "w")
        self.bot = slow(self.game)

    def on_start(self, start):
        self.bot.link = self.link
        self.bot.on_start(start)

    def on_view(self, view):
        self.bot.on_view(view)

    def on_results(self, results):
        self.bot.on_results(results)

    def decide(self, view):
        self.bot.link = self.link
        print(file=self.log, flush=True)
        return self.bot.decide(view)
"""
SLOW = {
    "pyrat": ["max_turns=60"],
    "botstack": [],
    "zooscape": ["seats=2", "map_size=15", "max_ticks=120"],
    "catastrophe": ["map_width=12", "map_height=8", "max_turns=80"],
    "cookoff": ["total_turns=60"],
}


@pytest.mark.soak
@pytest.mark.parametrize("pause_s", [25.0, 120.0])
@pytest.mark.parametrize("kind", ["files", "programs"])
def test_paused_plays_of_all_games_fail_no_bot(kind: str, pause_s: float, tmp_path: Path) -> None:
    """Each with all its processes, at the same time."""

    def play(game: str) -> str:
        folder = tmp_path / game
        folder.mkdir()
        file, logs = written(folder, ANY.replace("GAME", game))
        bots = [str(file)] * 2 if kind == "files" else [f"{PROGRAM} {file}"] * 2
        options = ["--isolate", "--no-sandbox"] if kind == "files" else []
        process = command(
            folder,
            "play",
            game,
            *bots,
            *options,
            *[f"--set={one}" for one in SLOW[game]],
            "--replay-dir",
            "games",
        )
        output = paused(process, with_all, logs, pause_s)
        (journal,) = (folder / "games").glob("*.journal.jsonl")
        lines = [json.loads(line) for line in journal.read_text().splitlines()]
        bad = [
            line
            for line in lines
            if line["k"] == "break" or line.get("e") in ("timeout", "away", "silent", "not_ready")
        ]
        bad = [line for line in bad if not (line.get("d") or {}).get("excused")]
        return (
            output if bad or "no answer" in output or "disconnected" in journal.read_text() else ""
        )

    with ThreadPoolExecutor() as pool:
        found = dict(zip(SLOW, pool.map(play, SLOW), strict=True))

    assert not any(found.values()), found


def test_a_bot_in_the_same_process_has_a_limit_of_running_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter([10.0, 10.3, 20.0, 20.6])
    monkeypatch.setattr("client_sdk.local.seated.running_s", lambda: next(times))

    class Mine(Bot):
        def decide(self, view: object) -> list[str]:
            return ["UP"]

    seated = Seated(Mine(), TurnLimit(0.5), Ear(), lambda what, fault: None, None, lambda: "")

    assert [seated.decide(None), seated.decide(None)] == [["UP"], []]
    assert (seated.stats.late, seated.stats.longest_s) == (1, pytest.approx(0.6))
