"""The limits of an untrusted program: each limit, and what it ends."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bounds import MB, Bounds, Usage
from client_sdk.guard import Guard, Process, usage
from client_sdk.isolated import Isolated
from client_sdk.launch import LOCALE, TOOLS
from client_sdk.process import BotProcess
from games import GAMES
from games.core.match import Match
from tests.client_sdk.cli.conftest import environment
from tests.client_sdk.test_process import alive
from tests.waiting import eventually

SOON = 20.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="the guard reads /proc")
posix = pytest.mark.skipif(os.name != "posix", reason="limits of processes are POSIX")


def bot(code: str, bounds: Bounds, **about: object) -> BotProcess:
    return BotProcess(
        [sys.executable, "-c", code], url="u", token="t", game="g", bounds=bounds, **about
    )


def test_a_program_within_its_bounds_plays_normally() -> None:
    with bot("import os; print(os.environ['BOTARENA_URL'])", Bounds()) as process:
        assert process.wait(SOON) == 0
        assert (process.output.strip(), process.passed) == ("u", None)


@posix
def test_one_process_cannot_exceed_the_memory_limit() -> None:
    with bot("b = bytearray(300 << 20)", Bounds(memory_bytes=128 * MB)) as process:
        assert process.wait(SOON) != 0
        assert "MemoryError" in process.output or process.passed is not None


@linux
def test_many_processes_together_cannot_exceed_the_memory_limit() -> None:
    code = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        b = bytearray(os.urandom(1 << 20)) * 60
        break
time.sleep(600)
"""
    with bot(code, Bounds(memory_bytes=128 * MB)) as process:
        process.wait(SOON)
        assert process.passed == "more than 128 MB of memory"
        assert "ended by the referee: it used more than 128 MB of memory" in process.output


@linux
def test_a_fork_bomb_is_ended_with_all_its_processes() -> None:
    code = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
print("all there", flush=True)
time.sleep(600)
"""
    with bot(code, Bounds(processes=20)) as process:
        process.wait(SOON)
        assert process.passed == "more than 20 processes"
        eventually(lambda: not [pid for pid in children_of(process.pid) if alive(pid)])


def children_of(pid: int) -> list[int]:
    text = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
    ).stdout
    return [int(line) for line in text.split()]


@posix
def test_a_busy_program_is_ended_when_its_cpu_time_is_used_up() -> None:
    begun = time.monotonic()
    with bot("while True: pass", Bounds(cpu_s=1)) as process:
        assert process.wait(SOON) != 0
    assert time.monotonic() - begun < SOON


@posix
def test_a_file_cannot_exceed_its_size_limit(tmp_path: Path) -> None:
    code = "f = open('big', 'wb', buffering=0)\nwhile True: f.write(bytes(1 << 20))"
    with bot(code, Bounds(file_bytes=3 * MB), cwd=tmp_path) as process:
        assert process.wait(SOON) != 0
    assert (tmp_path / "big").stat().st_size == 3 * MB


@posix
def test_open_files_are_limited() -> None:
    with bot("import os\nwhile True: os.open('/', 0)", Bounds(open_files=32)) as process:
        assert process.wait(SOON) != 0
        assert "Too many open files" in process.output


def test_a_missing_program_is_reported_at_once() -> None:
    with pytest.raises(FileNotFoundError, match="no such program"):
        BotProcess(["no-such-program"], url="u", token="t", game="g", bounds=Bounds())


@linux
def test_an_isolated_bot_that_exceeds_its_memory_loses(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "eater.py"
    file.write_text(
        "from client_sdk.bot import Bot\n"
        "class Eater(Bot):\n"
        "    game = 'botstack'\n"
        "    def decide(self, view):\n"
        "        self.eaten = [bytearray(1 << 20) for _ in range(4000)]\n"
    )
    game = GAMES["botstack"]
    match = Match.begin(game, {}, 1)
    with Isolated(file, game, tmp_path / "log", bounds=Bounds(memory_bytes=200 * MB)) as eater:
        play_headless(match, [eater, house("botstack", "greedy")])

    assert match.outcome.seats[1].outcome == "win"
    assert any(
        "MemoryError" in record.getMessage() or "of memory" in record.getMessage()
        for record in caplog.records
    )


# Programs that try to stay. `stay.py` says its process when it is there.
STAYS = {
    "a double fork without its environment": (
        "subprocess.run(['env', '-i', 'setsid', sys.executable, 'stay.py']); wait()"
    ),
    "a daemon that ignores signals": (
        "[signal.signal(number, signal.SIG_IGN) for number in (1, 2, 15)]; daemon(); wait()"
    ),
    "a daemon of a program that goes on": "daemon(); print('goes on', flush=True); time.sleep(600)",
    "a daemon of a program that crashes": "daemon(); wait(); os.kill(os.getpid(), 11)",
}
STAY = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("there", "a").write(f"{os.getpid()}\\n")
        time.sleep(600)
"""
STARTS = """
import os, signal, subprocess, sys, time
def daemon():
    subprocess.run(["env", "-i", "setsid", sys.executable, "stay.py"])
def wait():
    while not os.path.exists("there") or not open("there").read().endswith("\\n"):
        time.sleep(0.01)
"""


@linux
@pytest.mark.parametrize("how", STAYS)
def test_no_process_of_a_bounded_program_outlives_it(how: str, tmp_path: Path) -> None:
    (tmp_path / "stay.py").write_text(STAY)
    with bot(f"{STARTS}\n{STAYS[how]}", Bounds(), cwd=tmp_path) as process:
        if "goes on" not in how:
            process.wait(SOON)
        eventually(
            lambda: (
                (tmp_path / "there").exists() and (tmp_path / "there").read_text().endswith("\n")
            )
        )
    started = [*map(int, (tmp_path / "there").read_text().split())]

    assert started
    assert not [pid for pid in started if alive(pid)]


@linux
def test_a_program_that_forks_and_exits_endlessly_is_ended(tmp_path: Path) -> None:
    code = f"""
import os, time
if os.fork() == 0:
    open("there", "w").close()
    while True:  # {tmp_path}
        if os.fork():
            os._exit(0)
        os.setsid()
time.sleep(600)
"""
    with bot(code, Bounds(), cwd=tmp_path):
        eventually((tmp_path / "there").exists)
        assert running(str(tmp_path))
    assert not running(str(tmp_path))


def running(word: str) -> list[str]:
    """The processes that have this word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if word.encode() in (entry / "cmdline").read_bytes():
                    found.append(entry.name)
    return found


@linux
def test_a_bounded_program_is_ended_when_its_parent_is_killed(tmp_path: Path) -> None:
    (tmp_path / "stay.py").write_text(STAY)
    starts = f"""
import sys
from pathlib import Path
from client_sdk.bounds import Bounds
from client_sdk.launch import LOCALE, TOOLS
from client_sdk.process import BotProcess
code = {STARTS + "daemon(); time.sleep(600)"!r}
bounded = {{"bounds": Bounds(), "cwd": Path.cwd()}}
BotProcess([sys.executable, "-c", code], url="u", token="t", game="g", **bounded).wait()
"""
    with subprocess.Popen(
        [sys.executable, "-c", starts], cwd=tmp_path, env=environment()
    ) as program:
        eventually(
            lambda: (
                (tmp_path / "there").exists() and (tmp_path / "there").read_text().endswith("\n")
            )
        )
        program.kill()
    stayed = int((tmp_path / "there").read_text())
    eventually(lambda: not alive(stayed))


@posix
@pytest.mark.parametrize(
    ("code", "cause"),
    [("exit(7)", "has ended with status 7"), ("os.abort()", "was ended by SIGABRT")],
)
def test_the_end_of_a_bounded_program_is_reported(code: str, cause: str) -> None:
    with bot(f"import os; {code}", Bounds()) as process:
        process.wait(SOON)
        assert cause == process.cause


def test_a_bounded_program_gets_only_the_named_variables() -> None:
    given = dict(os.environ) | {"MYPASS": "x", "GITHUB_SHA": "x", "LC_ALL": "C", "PASSWORD": "x"}
    with bot("import os; print(*sorted(os.environ))", Bounds(), environment=given) as process:
        process.wait(SOON)
        found = process.output.split()
    assert {"LC_ALL", "PATH", "BOTARENA_TOKEN"} <= {*found}
    assert {*found} <= {
        *LOCALE,
        *TOOLS,
        "BOTARENA_TOKEN",
        "BOTARENA_URL",
        "BOTARENA_GAME",
        "BOTARENA_PROCESS",
    }


def test_child_processes_are_counted_with_their_program() -> None:
    table = {
        1: Process(0, 1, 9.0),
        10: Process(1, 10, 1.0),
        11: Process(10, 10, 2.0),
        12: Process(1, 10, 4.0),  # its parent has ended, its session is the bot's
        13: Process(11, 13, 8.0),  # a session of its own, below the bot
        20: Process(1, 20, 16.0),
    }
    memory = {11: 200, 12: 400, 13: 800}
    assert {10: Usage(1400, 15.0, 4), 20: Usage(0, 16.0, 1)} == usage(
        table, [10, 20], memory.__getitem__
    )


def test_a_process_table_with_reused_numbers_is_read_to_its_end() -> None:
    assert {10: Usage()} == usage({3: Process(4, 3, 1.0), 4: Process(3, 4, 1.0)}, [10])


@linux
def test_the_guard_sleeps_without_programs_to_watch() -> None:
    guard = Guard()
    ended: list[str] = []
    with subprocess.Popen(["sleep", "600"]) as program:
        guard.watch(os.getpid(), Bounds(memory_bytes=1), ended.append)
        eventually(lambda: ended == ["more than 0 MB of memory"])
        program.kill()
    eventually(lambda: guard._thread is None)
