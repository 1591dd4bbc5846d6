"""The sandbox around an untrusted program: what it sees, where it writes, and that ordinary
programs work there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from client_sdk import sandbox, seccomp
from client_sdk.bot import house, play_headless
from client_sdk.bounds import MB, Bounds
from client_sdk.errors import BadBot
from client_sdk.isolated import Isolated
from client_sdk.process import BotProcess
from games import GAMES
from games.core.match import Match
from tests.client_sdk.test_process import alive
from tests.hostile.world import sandboxed
from tests.waiting import eventually

SOON = 30.0
ROOT = Path(__file__).parents[2]


def program(command: list[str], home: Path, **bounds: object) -> BotProcess:
    (home / "tmp").mkdir(exist_ok=True)
    return BotProcess(
        command,
        url="http://127.0.0.1:8000/ws/play",
        token="t",
        game="g",
        cwd=home,
        bounds=Bounds(sandbox="bubblewrap", **bounds),
    )


def output_of(command: list[str], home: Path, **bounds: object) -> str:
    with program(command, home, **bounds) as process:
        assert process.wait(SOON) == 0, process.output
        return process.output.strip()


@sandboxed
def test_a_program_works_in_a_copy_of_its_folder_and_cannot_write_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "own" / "data").mkdir(parents=True)
    (tmp_path / "own" / "data" / "weights").write_text("7")
    (tmp_path / "secret").write_text("who wins")
    script = tmp_path / "own" / "run"
    script.write_text(
        "#!/bin/sh\npwd; cat data/weights; echo 8 > data/weights; cat data/weights; touch /x || "
        "ls /tmp /dev/shm\n"
    )
    script.chmod(0o755)

    assert output_of(["./run"], tmp_path / "own").split()[:2] == ["/bot", "78"]
    assert "Read-only file system" in output_of(["sh", "-c", "touch /x || true"], tmp_path / "own")
    assert (tmp_path / "own" / "data" / "weights").read_text() == "7"
    assert f"cat: {tmp_path / 'secret'}: No such file or directory" == output_of(
        ["sh", "-c", f"cat {tmp_path / 'secret'} || true"], tmp_path / "own"
    )


@sandboxed
def test_the_root_directory_has_only_the_named_paths(tmp_path: Path) -> None:
    found = output_of(["sh", "-c", "ls / /etc"], tmp_path).split()
    shown = {
        path.parts[1]
        for path in map(
            Path, (sys.prefix, sys.base_prefix, str(ROOT), *sandbox.SYSTEM, *sandbox.LINKS, "/etc")
        )
    }

    assert {*found} <= shown | {"bot", "given", "proc", "/:", "/etc:"} | {
        path.name for path in Path("/etc").iterdir()
    }
    assert not {"passwd", "shadow", "ssh", "home", "run", "mnt", "srv"} & {*found}


@sandboxed
def test_no_process_in_the_sandbox_outlives_the_program(tmp_path: Path) -> None:
    code = (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.fork()\nprint('there', "
        "flush=True)\ntime.sleep(600)"
    )
    with program([sys.executable, "-c", code], tmp_path) as process:
        eventually(lambda: process.output.count("there") == 3)
        began = process.pid
    assert not alive(began)


@sandboxed
def test_the_named_paths_are_readable(tmp_path: Path) -> None:
    for name in ("own", "toolchain"):
        (tmp_path / name).mkdir()
    tool = tmp_path / "toolchain" / "tool"
    tool.write_text("#!/bin/sh\ncat " + str(tmp_path / "toolchain" / "data"))
    tool.chmod(0o755)
    (tmp_path / "toolchain" / "data").write_text("found")

    assert output_of([str(tool)], tmp_path / "own", readable=(tmp_path / "toolchain",)) == "found"
    with program([str(tool)], tmp_path / "own") as process:
        process.wait(SOON)
        assert "No such file or directory" in process.output


@sandboxed
@pytest.mark.parametrize(
    ("name", "command", "answer"),
    [
        ("node", ["node", "-e", "console.log([1, 2].map(x => 2 * x).join())"], "2,4"),
        ("java", ["java", "-XshowSettings:none", "-Xmx64m", "--version"], ""),
        ("perl", ["perl", "-e", "print join(',', map {2 * $_} 1, 2)"], "2,4"),
    ],
)
def test_programs_of_other_languages_run_in_the_sandbox(
    name: str, command: list[str], answer: str, tmp_path: Path
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    assert output_of(command, tmp_path, memory_bytes=4096 * MB).startswith(answer)


@sandboxed
def test_the_files_of_a_program_have_a_size_limit(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("x = 1\n")
    (tmp_path / "large.bin").write_bytes(bytes(3 * MB))
    with pytest.raises(BadBot, match=r"bot\.py: its files take more than 2 MB"):
        Isolated(
            tmp_path / "bot.py",
            GAMES["pyrat"],
            tmp_path / "log",
            bounds=Bounds(disk_bytes=2 * MB, sandbox="bubblewrap"),
        )


def test_a_missing_bubblewrap_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    why = sandbox.missing.__wrapped__()
    assert (
        "it takes Linux"
        if sys.platform != "linux"
        else "the program bwrap (package bubblewrap) is not installed"
    ) == why


@sandboxed
def test_an_unusable_bubblewrap_is_reported_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1\n"
    )
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert sandbox.missing.__wrapped__() == "No permissions to create new namespace"
    with pytest.raises(sandbox.NoSandbox, match="No permissions"):
        program(["true"], tmp_path)


def test_a_folder_that_every_program_can_read_is_recognised(tmp_path: Path) -> None:
    assert Path("/usr") == sandbox.exposed(Path("/usr/local/contest"))
    assert sandbox.exposed(tmp_path) is None


def test_the_filter_exists_for_machines_with_known_system_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = {}
    for machine in ("x86_64", "aarch64", "riscv64"):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        sizes[machine] = None if (made := seccomp.program()) is None else len(made) % 8
    assert sizes == {"x86_64": 0, "aarch64": 0, "riscv64": None}


PLAYS = """
import logging, sys
from pathlib import Path
from client_sdk.bot import house, play_headless
from client_sdk.bounds import Bounds
from client_sdk.isolated import Isolated
from client_sdk.sandbox import missing
from games import GAMES
from games.core.match import Match
assert missing() is None, missing()
match = Match.begin(GAMES["pyrat"], {"preset": "tiny", "max_turns": 3}, 1)
bounds = Bounds(sandbox="bubblewrap", processes=8)
with Isolated(sys.argv[1], GAMES["pyrat"], Path(sys.argv[2]), bounds=bounds) as bot:
    play_headless(match, [bot, house("pyrat", "greedy")])
print(match.outcome.reason)
"""
ASKS = """
import os
from pathlib import Path
from botarena import Bot
class Asks(Bot):
    game = "pyrat"
    def decide(self, view):
        for path in ("/", "/etc", "/proc", "/usr", "/given"):
            try:
                (Path(path) / "x").write_text("x")
                print("Gained", path)
            except OSError:
                pass
        processes = [pid for pid in os.listdir("/proc") if pid.isdigit()]
        print("as", os.getuid(), Path("/etc/shadow").exists(), len(processes) < 5)
        children = 0
        while children < 1000:
            try:
                if os.fork() == 0:
                    os._exit(0)
                children += 1
            except BlockingIOError:
                break
        print("children", children < 1000)
"""


@sandboxed
@pytest.mark.skipif(
    os.name != "posix" or os.getuid() != 0, reason="who is not root tries it in every other test"
)
def test_the_sandbox_works_for_other_users_than_root() -> None:
    python, setpriv = shutil.which("python3", path="/usr/bin"), shutil.which("setpriv")
    version = "import sys; print(sys.version_info[:2])"
    if (
        python is None
        or setpriv is None
        or _answer(python, version) != _answer(sys.executable, version)
    ):
        pytest.skip("it takes setpriv, and a Python of this version that all users may run")
    packages = os.pathsep.join(
        [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    )
    with tempfile.TemporaryDirectory() as folder:  # one that this user may read
        file, log = Path(folder, "asks.py"), Path(folder, "logs", "log")
        file.write_text(ASKS)
        log.parent.mkdir()
        for path, mode in ((file.parent, 0o755), (log.parent, 0o777)):
            path.chmod(mode)
        ran = subprocess.run(
            [
                setpriv,
                "--reuid=12345",
                "--regid=12345",
                "--clear-groups",
                python,
                "-c",
                PLAYS,
                file,
                log,
            ],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": packages, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            cwd="/",
        )
        assert (ran.returncode, ran.stdout.strip()) == (0, "max_turns"), ran.stderr
        output = log.read_text()
    assert "as 1000 False True\n" in output
    assert "Gained" not in output
    assert re.search(
        "children True|used more than 8 processes", output
    )  # the system's limit, or the guard's


def _answer(python: str, code: str) -> str:
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout


@sandboxed
def test_a_bot_plays_the_same_in_the_sandbox(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from client_sdk.api.pyrat import Bot, Direction\n\n\nclass Mine(Bot):\n"
        "    def think(self, state, ctx):\n        return Direction.UP\n"
    )
    states = []
    for bounds in (None, Bounds(), Bounds(sandbox="bubblewrap")):
        match = Match.begin(GAMES["pyrat"], {"preset": "tiny", "max_turns": 20}, seed=1)
        with Isolated(
            tmp_path / "mine.py", GAMES["pyrat"], tmp_path / "log", bounds=bounds
        ) as mine:
            play_headless(match, [mine, house("pyrat", "greedy")])
        states.append((match.turn, match.outcome, match.view(0)))

    assert states[0] == states[1] == states[2]
