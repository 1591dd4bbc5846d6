"""Bots in our process: what they change is put back, and they neither end it nor hold it up."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import client_sdk.cli
from client_sdk import leaving
from client_sdk.leaving import CHANGED, process_restored
from client_sdk.loading import own_game
from client_sdk.local.child import begin


def ran(program: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, to its end."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )


def test_what_a_bot_changes_of_the_process_is_put_back(tmp_path: Path) -> None:
    def state() -> list[object]:
        channels = [os.fstat(channel) for channel in range(3)]
        places = [(channel.st_dev, channel.st_ino) for channel in channels]
        return [Path.cwd(), dict(os.environ), sys.getrecursionlimit(), list(sys.path), places]

    before, modules = state(), sys.modules.copy()
    with process_restored():
        os.chdir(tmp_path)
        os.environ.clear()
        sys.setrecursionlimit(12_345)
        sys.path.clear()
        sys.modules.clear()
        os.close(0)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    assert before == state()
    assert modules == sys.modules


def test_a_fault_of_ours_says_that_a_bot_may_have_caused_it() -> None:
    with pytest.raises(ImportError) as fault, process_restored():
        raise ImportError

    assert fault.value.__notes__ == [CHANGED]


def test_a_bot_that_is_asked_for_its_game_leaves_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "import os\nfrom botarena.pyrat import Bot\nos.chdir('/')\n"
        "class Mine(Bot):\n    def think(self, state, ctx):\n        pass\n"
    )

    assert own_game("mine.py") == "pyrat"
    assert Path.cwd() == tmp_path


@pytest.mark.parametrize(
    "holds",
    [
        "import threading; threading.Thread(target=time.sleep, args=(600,)).start()",
        "import atexit; atexit.register(time.sleep, 600)",
    ],
)
def test_what_does_not_end_by_itself_is_left_behind_at_the_end(holds: str) -> None:
    end = f"import sys, time\nfrom client_sdk import leaving\nleaving.ENDING_S = 0.1\n{holds}\n"
    ended = ran(f"{end}print('won', end='')\nleaving.end_soon(7)\nsys.exit(7)")

    assert (ended.returncode, ended.stdout) == (7, "won")
    assert leaving.HELD_UP in ended.stderr


def test_the_command_sees_that_it_ends_with_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(leaving, "end_soon", seen.append)

    with pytest.raises(SystemExit) as left:
        client_sdk.cli.main(["play", "no-such-game"])
    assert [left.value.code] == seen == [2]


def held_up() -> None:
    leaving.ENDING_S = 0.1  # type: ignore[misc]
    begin()
    threading.Thread(target=threading.Event().wait).start()


def test_a_thread_of_a_bot_does_not_hold_up_a_process_of_the_pool() -> None:
    process = multiprocessing.get_context("fork").Process(target=held_up)
    process.start()
    process.join(20)

    assert process.exitcode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGPROF")
def test_a_bot_that_lets_no_other_thread_run_ends_the_run_with_its_line() -> None:
    ended = ran(
        "from client_sdk.local import limits\nlimits.STARVED_S = 0.3\n"
        "def decide():\n    sum(range(10**13))\n"
        "with limits.Watchdog() as watch:\n"
        "    watch._over.wait(2 * limits.LOOK_S)\n    decide()"
    )

    assert ended.returncode == -signal.SIGPROF
    assert 'File "<string>", line 4 in decide' in ended.stderr
