"""Bots as programs of their own: their environment and output, and that no process remains."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from client_sdk.process import BotProcess, clean_environment, python_bot
from client_sdk.reaper import MARK, becoming, marked, sweep
from tests.waiting import PATIENCE_S, eventually

ROOT = Path(__file__).parents[2]
COMMAND = shlex.join([sys.executable, "-m", "client_sdk.run", "pyrat/greedy"])
LONG = ["--set", "max_turns=100000", "--set", "preset=small", "--games", "50"]
posix = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")


def bot(code, **about):
    return BotProcess(
        [sys.executable, "-c", code],
        **{"url": "ws://127.0.0.1:1/ws/play", "token": "s_1", "game": "toy"} | about,
    )


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_a_bot_finds_its_seat_in_its_environment():
    with bot(
        "import os; print(*(os.environ['BOTARENA_' + n] for n in ('URL', 'TOKEN', 'GAME')))"
    ) as process:
        assert process.wait(PATIENCE_S) == 0
        assert process.output.strip() == "ws://127.0.0.1:1/ws/play s_1 toy"


STARTS = """
import sys, time
from client_sdk.process import BotProcess
sleeps = "import time; time.sleep(600)"
code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {sleeps!r}]); {sleeps}"
with BotProcess([sys.executable, "-c", code], url="u", token="t", game="g"):
    print("started", flush=True)
    time.sleep(600)
"""


def below(pid):
    """Everything that a process has started, and what those have, with what each runs: by the
    system's own list (Linux)."""
    parents, runs = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int(
                (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            )
            words = [
                word
                for word in (folder / "cmdline").read_text().split("\0")[1:]
                if word not in ("-m", "-P")
            ]
            runs[int(folder.name)] = words[0] if words else ""
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return {one: runs[one] for one in found[1:]}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which process started which")
@pytest.mark.parametrize(
    ("command", "programs"),
    [
        (["-c", STARTS], ["-c", "-c"]),
        (
            ["-m", "client_sdk.cli", "play", "pyrat", COMMAND, COMMAND, *LONG],
            ["client_sdk.cli", "client_sdk.run", "client_sdk.run"],
        ),
    ],
    ids=["a bot", "a match with its server"],
)
def test_a_killed_program_leaves_no_process(command, programs):
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, *command], cwd=ROOT, **silent) as program:
        try:
            started = eventually(
                lambda: (
                    (found := below(program.pid))
                    and Counter(programs) <= Counter(found.values())
                    and found
                )
            )
        finally:
            program.kill()
    eventually(lambda: not any(map(alive, started)))


def test_stdout_and_stderr_are_kept_in_order():
    code = (
        "import sys; print('one', flush=True); print('two', file=sys.stderr, flush=True); "
        "sys.exit(7)"
    )
    with bot(code) as process:
        assert process.wait(PATIENCE_S) == 7
        assert process.output.replace("\r", "").strip() == "one\ntwo"
        assert process.returncode == 7


def test_a_verbose_bot_never_blocks_and_its_last_lines_are_kept():
    with bot("print('x' * 3_000_000); print('last words')", log_bytes=1000) as process:
        process.wait(PATIENCE_S)
        assert process.output.endswith("last words\n")
        assert len(process.output) == 1000


def test_a_log_file_keeps_the_first_lines(tmp_path):
    log = tmp_path / "bot.log"
    with bot("print('first words'); print('x' * 3_000_000)", log=log, log_bytes=1000) as process:
        process.wait(PATIENCE_S)
        assert process.output.startswith("first words")
    assert log.stat().st_size == 1000


def test_a_bots_stdin_is_empty():
    with bot("print(repr(input()))") as process:
        assert process.wait(PATIENCE_S) != 0


def test_a_command_can_be_one_string():
    command = f'"{sys.executable}" -c "print(\'spoken\')"'
    with BotProcess(command, url="u", token="t", game="g") as process:
        assert process.wait(PATIENCE_S) == 0
        assert process.output.strip() == "spoken"


def test_a_missing_command_is_reported():
    with pytest.raises(OSError, match="no-such-program"):
        BotProcess(["/no-such-program"], url="u", token="t", game="g")


def test_leaving_the_context_ends_a_running_bot():
    with bot("import time; print('up', flush=True); time.sleep(600)") as process:
        eventually(lambda: process.output)
        assert process.returncode is None
    assert process.returncode is not None
    process.end()


def test_a_bot_that_does_not_end_in_time_raises():
    with bot("import time; time.sleep(600)") as process, pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)


GRANDCHILD = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], {how})
print(child.pid, flush=True)
{then}
"""


@posix
@pytest.mark.parametrize(
    "then", ["time.sleep(600)", ""], ids=["its parent runs", "its parent has left"]
)
def test_a_grandchild_is_ended_too(then):
    with bot(GRANDCHILD.format(how="", then=then)) as process:
        pid = int(eventually(lambda: process.output))
        if not then:
            process.wait(PATIENCE_S)
    eventually(lambda: not alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows environments")
@pytest.mark.parametrize(
    "then", ["time.sleep(600)", ""], ids=["its parent runs", "its parent has left"]
)
def test_a_grandchild_in_another_group_is_ended_too(then):
    with bot(GRANDCHILD.format(how="start_new_session=True", then=then)) as process:
        pid = int(eventually(lambda: process.output))
    eventually(lambda: not alive(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows environments")
def test_no_process_has_a_mark_that_was_not_given():
    assert marked("no-such-mark")[0] == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows environments")
def test_a_process_that_shows_no_environment_yet_is_waited_for(monkeypatch):
    """A processor that is busy elsewhere leaves a new program so for a long while."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        new, shown = {process.pid: None}, {process.pid: [f"{MARK}=m".encode()]}
        looks = iter([new, new, new, shown, {}, {}])
        monkeypatch.setattr("client_sdk.reaper._environments", lambda: next(looks).items())
        sweep(-1, "m")
        assert process.wait(PATIENCE_S) == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process is")
def test_a_process_that_runs_is_no_new_one_even_without_an_environment():
    assert not becoming(Path("/proc/self/stat").read_text())
    with subprocess.Popen(["sleep", "600"], env={}) as process:
        eventually(lambda: b"sleep" in Path(f"/proc/{process.pid}/cmdline").read_bytes())
        assert not becoming(Path(f"/proc/{process.pid}/stat").read_text())
        process.kill()
    started = "7 (a) b) R 1 7 7 0 -1 {flags}" + " 0" * 43
    assert becoming(started.format(flags=0x400000))
    assert not becoming(started.format(flags=0x200000 | 0x400000))


@pytest.mark.parametrize(
    "name",
    [
        "GITHUB_TOKEN",
        "API_KEY",
        "OPENAI_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "DB_PASSWORD",
        "PGPASSWORD",
        "MYSQL_PWD",
        "SSH_AUTH_SOCK",
        "NPM_CONFIG__AUTH",
        "DATABASE_URL",
        "SENTRY_DSN",
        "BOTARENA_TOKEN",
        "BOTARENA_DATABASE_URL",
        "my_secret",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "SESSION_COOKIE",
    ],
)
def test_variables_that_look_like_secrets_are_not_passed_on(name):
    assert clean_environment({name: "x"}) == {}


@pytest.mark.parametrize("value", ["http://me:secret@proxy:3128", "postgresql://arena:pw@db/arena"])
def test_an_address_with_a_password_is_not_passed_on(value):
    assert clean_environment({"HTTPS_PROXY": value}) == {}


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "LANG",
        "LC_ALL",
        "TMPDIR",
        "PWD",
        "SystemRoot",
        "APPDATA",
        "PATHEXT",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "JAVA_HOME",
        "KEYBOARD",
        "MONKEY",
        "HTTP_PROXY",
        "USERNAME",
    ],
)
def test_variables_that_a_program_needs_are_passed_on(name):
    assert {name: "http://proxy:3128"} == clean_environment({name: "http://proxy:3128"})


def test_the_callers_secrets_do_not_reach_the_bot():
    code = "import os; print(sorted(n for n in os.environ if n.startswith('MY')))"
    with bot(code, environment=dict(os.environ) | {"MY_TOKEN": "x", "MY_COLOUR": "red"}) as process:
        process.wait(PATIENCE_S)
        assert process.output.strip() == "['MY_COLOUR']"


def test_a_house_bot_runs_in_the_same_python():
    assert [sys.executable, "-P", "-m", "client_sdk.run", "pyrat/greedy"] == python_bot(
        "pyrat/greedy"
    )
