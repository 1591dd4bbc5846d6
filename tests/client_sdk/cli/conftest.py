"""The command as a function, as a process and as a program, recorded games, and a server that the
tests of a worker share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import client_sdk.cli
from tests.e2e.arena import started as started_server
from tests.forked_process import ForkedProcess, fork_children

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str


def environment() -> dict[str, str]:
    """Our own, so that the command is found from any folder, without what would colour or widen its
    output."""
    plain = {
        name: value
        for name, value in os.environ.items()
        if name not in ("FORCE_COLOR", "COLUMNS", "TERM")
    }
    return plain | {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PYTHONIOENCODING": "utf-8",
    }


def program(*words: object, variables: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The command as it is typed: a Python that imports what it needs. `variables`: of its
    environment, beside ours."""
    return subprocess.Popen(
        [sys.executable, "-m", "client_sdk.cli", *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment() | dict(variables or {}),
    )


def started(*words: object, cwd: Path | None = None) -> ForkedProcess:
    """The command as a process that goes on by itself."""
    return ForkedProcess(words, cwd, environment(), typed=True, errors=True)


def botarena(*words: object, typed: str = "", cwd: Path | None = None) -> Ran:
    """The command as a process, to its end."""
    return ended(started(*words, cwd=cwd), typed)


def ended(process: subprocess.Popen[str] | ForkedProcess, typed: str = "") -> Ran:
    out, err = process.communicate(typed, timeout=60)
    return Ran(process.wait(), out, err)


def forked_server(data: Path, log: object) -> ForkedProcess:
    return ForkedProcess(
        ["serve", "--port", "0", "--data-dir", data, "--log-level", "warning"], errors=data / "log"
    )


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """The command within this process; what it starts of its own is forked."""
    fork_children()
    monkeypatch.setattr("client_sdk.local.server._started", forked_server)

    def call(*words: object) -> Ran:
        capsys.readouterr()
        status = client_sdk.cli.run([str(word) for word in words])
        text = capsys.readouterr()
        return Ran(status, text.out, text.err)

    return call


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the records of one PyRat and one BotStack match, greedy on seat 0."""
    folder = tmp_path_factory.mktemp("games")
    assert (
        client_sdk.cli.run(
            [
                "play",
                "pyrat",
                "greedy",
                "random",
                "--seed",
                "1",
                "--set",
                "preset=tiny",
                "--replay-dir",
                str(folder),
            ]
        )
        == 0
    )
    assert (
        client_sdk.cli.run(
            ["play", "botstack", "greedy", "trivial", "--seed", "12", "--replay-dir", str(folder)]
        )
        == 0
    )
    return folder


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started_server(tmp_path_factory.mktemp("server")) as arena:
        yield arena.url


@pytest.fixture
def bot_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a BotStack bot whose decide has this body."""

    def write(body: str, name: str = "mine") -> Path:
        file = tmp_path / f"{name}.py"
        file.write_text(
            "from botarena import Bot\n\n\n"
            "class Mine(Bot):\n"
            "    game = 'botstack'\n\n"
            "    def decide(self, view):\n"
            + "".join(f"        {line}\n" for line in body.splitlines())
            + "\n\nif __name__ == '__main__':\n    Mine().run()\n",
            encoding="utf-8",
        )
        return file

    return write


HARMLESS = """\
return [{
    "abstain_request": {"type": "abstain", "value": False},
    "abstain_reply": {"type": "abstain", "value": False},
    "item": {"type": "item", "slot": 0},
    "shoot": {"type": "shoot", "target": "opponent"},
}[view["phase"]]]
"""
"""A BotStack bot that does what the trivial one does."""
