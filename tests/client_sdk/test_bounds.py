"""What a stranger's program may use: each bound, what is ended by it, and the wall."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bounds import MB, Bounds
from client_sdk.guard import Guard, Process, Usage, usage
from client_sdk.isolated import Isolated
from client_sdk.process import BotProcess
from games import GAMES
from games.core.match import Match
from tests.client_sdk.test_process import alive, eventually

SOON = 20.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="the guard reads /proc")
posix = pytest.mark.skipif(os.name != "posix", reason="limits of processes are POSIX")


def bot(code: str, bounds: Bounds, **about: object) -> BotProcess:
    return BotProcess([sys.executable, "-c", code], url="u", token="t", game="g", bounds=bounds, **about)


def walls() -> bool:
    """Whether bubblewrap is here and may be used."""
    program = shutil.which("bwrap")
    return program is not None and subprocess.run([program, "--ro-bind", "/", "/", "--unshare-pid", "true"]).returncode == 0


walled = pytest.mark.skipif(not walls(), reason="bubblewrap is not here (package bubblewrap), or may not be used")


def test_a_program_within_its_bounds_plays_as_ever() -> None:
    with bot("import os; print(os.environ['BOTARENA_URL'])", Bounds()) as process:
        assert 0 == process.wait(SOON)
        assert ("u", None) == (process.output.strip(), process.passed)


@posix
def test_one_process_cannot_have_more_memory_than_all_may_have() -> None:
    with bot("b = bytearray(300 << 20)", Bounds(memory_bytes=128 * MB)) as process:
        assert 0 != process.wait(SOON)
        assert "MemoryError" in process.output or process.passed is not None


@linux
def test_many_processes_together_cannot_have_it_either() -> None:
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
        assert "more than 128 MB of memory" == process.passed
        assert "ended by the referee: it used more than 128 MB of memory" in process.output


@linux
def test_a_program_that_multiplies_is_ended_with_all_that_it_has_started() -> None:
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
        assert "more than 20 processes" == process.passed
        eventually(lambda: not [pid for pid in children_of(process.pid) if alive(pid)])


def children_of(pid: int) -> list[int]:
    text = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line) for line in text.split()]


@posix
def test_a_program_that_never_rests_is_ended_when_its_time_on_the_processor_is_used() -> None:
    begun = time.monotonic()
    with bot("while True: pass", Bounds(cpu_s=1)) as process:
        assert 0 != process.wait(SOON)
    assert time.monotonic() - begun < SOON


@posix
def test_a_file_cannot_grow_beyond_its_bound(tmp_path: Path) -> None:
    code = "f = open('big', 'wb', buffering=0)\nwhile True: f.write(bytes(1 << 20))"
    with bot(code, Bounds(file_bytes=3 * MB), cwd=tmp_path) as process:
        assert 0 != process.wait(SOON)
    assert 3 * MB == (tmp_path / "big").stat().st_size


@posix
def test_only_so_many_files_are_open_at_once() -> None:
    with bot("import os\nwhile True: os.open('/', 0)", Bounds(open_files=32)) as process:
        assert 0 != process.wait(SOON)
        assert "Too many open files" in process.output


def test_a_program_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(FileNotFoundError, match="no such program"):
        BotProcess(["no-such-program"], url="u", token="t", game="g", bounds=Bounds())


@linux
def test_a_bot_in_a_process_of_its_own_that_eats_the_memory_loses_by_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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

    assert "win" == match.outcome.seats[1].outcome
    assert any("MemoryError" in record.getMessage() or "of memory" in record.getMessage() for record in caplog.records)


@walled
def test_behind_the_wall_only_the_bots_own_folder_can_be_written(tmp_path: Path) -> None:
    own, secret = tmp_path / "own", tmp_path / "secret"
    own.mkdir()
    secret.mkdir()
    (secret / "journal").write_text("who wins")
    code = f"""
from pathlib import Path
Path("mine").write_text("x")
print(sorted(p.name for p in Path({str(secret)!r}).iterdir()))
try:
    Path("/etc/mine").write_text("x")
except OSError as fault:
    print(fault.strerror)
print(sum(p.name.isdigit() for p in Path("/proc").iterdir()) < 10)
"""
    with bot(code, Bounds(wall="bubblewrap", hidden=(secret,)), cwd=own) as process:
        assert 0 == process.wait(SOON), process.output
        assert ["[]", "Read-only file system", "True"] == process.output.split("\n")[:3]
    assert "x" == (own / "mine").read_text()


@walled
def test_nothing_behind_the_wall_outlives_the_bot(tmp_path: Path) -> None:
    code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\nprint('there', flush=True)\ntime.sleep(600)"
    with bot(code, Bounds(wall="bubblewrap"), cwd=tmp_path) as process:
        eventually(lambda: process.output.count("there") == 3)
        began = process.pid
    assert not alive(began)


def test_all_that_a_program_has_started_is_counted_with_it() -> None:
    table = {
        1: Process(0, 1, 9.0, 900),
        10: Process(1, 10, 1.0, 100),
        11: Process(10, 10, 2.0, 200),
        12: Process(1, 10, 4.0, 400),  # its parent has ended, its session is the bot's
        13: Process(11, 13, 8.0, 800),  # a session of its own, below the bot
        20: Process(1, 20, 16.0, 1600),
    }
    assert {10: Usage(1500, 15.0, 4), 20: Usage(1600, 16.0, 1)} == usage(table, [10, 20])


def test_a_table_read_while_numbers_were_used_again_is_looked_through_to_an_end() -> None:
    assert {10: Usage()} == usage({3: Process(4, 3, 1.0, 1), 4: Process(3, 4, 1.0, 1)}, [10])


@linux
def test_the_guard_rests_when_nobody_is_to_be_watched() -> None:
    guard = Guard()
    ended: list[str] = []
    guard.watch(os.getpid(), Bounds(memory_bytes=1), ended.append)
    eventually(lambda: ended == ["more than 0 MB of memory"])
    eventually(lambda: guard._thread is None)
