"""Bots that attack the contest in which they play: a spy in a whole tournament, two that try to
meet."""

from __future__ import annotations

import re
import secrets
import sys
from pathlib import Path

import pytest

from client_sdk.bounds import MB, Bounds
from client_sdk.local.games import Task, play
from client_sdk.local.players import PlayerSpec
from client_sdk.local.tournament import folder as folders
from games.contest import as_json
from tests.client_sdk.cli.conftest import botarena
from tests.hostile.world import sandboxed

pytestmark = sandboxed

SILENT = """
from botarena import Bot

class Mine(Bot):
    game = "pyrat"
    def decide(self, view):
        return []
"""
SPY = (
    """
import os

SECRET = {reversed!r}[::-1]
SYSTEM = ("/proc", "/sys", "/dev", "/usr", {system})

def holds(path):
    try:
        with open(path, "rb") as file:
            return SECRET.encode() in file.read(1 << 22)
    except OSError:
        return False

def spied():
    files = [
        os.path.join(where, name)
        for where, folders, names in os.walk("/")
        if not where.startswith(SYSTEM)
        for name in names
    ]
    found = [path for path in files if SECRET in path or holds(path)]
    found += [name for name, value in os.environ.items() if SECRET in value]
    for pid in filter(str.isdigit, os.listdir("/proc")):
        for path in (f"/proc/{{pid}}/cmdline", f"/proc/{{pid}}/environ"):
            found += [path] if holds(path) else []
    print("searched", len(files), "found", found, flush=True)

spied()
"""
    + SILENT
)
PLAN = """\
name = "Spring {secret}"
game = "pyrat"
seed = {seed}
[config]
preset = "tiny"
max_turns = 3
preprocessing_timeout_ms = 0
[format]
format = "round-robin"
matches_per_pairing = 1
"""


def tournament(folder: Path, secret: str, spy: str) -> Path:
    """Run a tournament of a spy, a rival with a secret in its source, and a house bot: its
    folder."""
    folder.mkdir()
    (folder / "spy.py").write_text(spy)
    (folder / "rival.py").write_text(f"# {secret}\n{SILENT}")
    bots = "".join(f"[[bots]]\nname = '{name}'\n{bot}\n" for name, bot in BOTS.items())
    plan = folder / "spring.toml"
    plan.write_text(PLAN.format(secret=secret, seed=int(secret, 16) % 2**31) + bots)
    ran = botarena("tournament", "run", plan, "--out", folder / secret, "--jobs", 1)
    assert ran.status == 0, ran.err
    return folder / secret


BOTS = {"spy": "file = 'spy.py'", "rival": "file = 'rival.py'", "greedy": "house = 'greedy'"}


def test_a_hostile_bot_in_a_tournament_finds_nothing_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = secrets.token_hex(12)
    monkeypatch.setenv("MYPASS", secret)
    system = ", ".join(repr(path) for path in {sys.prefix, sys.base_prefix})
    spy = SPY.format(reversed=secret[::-1], system=system)
    spied = tournament(tmp_path / "spied", secret, spy)
    plain = tournament(tmp_path / "plain", secret, SILENT)

    output = "\n".join(log.read_text() for log in (spied / "logs").glob("*.log"))
    looked = re.findall(r"searched (\d+) found (.*)", output)
    assert len(looked) >= 2
    assert {found for _, found in looked} == {"[]"}
    assert all(int(files) > 100 for files, _ in looked)
    assert as_json.tournament(folders.read(spied)[1]) == as_json.tournament(folders.read(plain)[1])


MEET = """
import ctypes, os, secrets, signal, socket, time
from botarena import Bot

ME = secrets.token_hex(8)
MARK = "botarena-" + {meeting!r}
FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/bot", "/bot/tmp", "/run", "/")
LIBC = ctypes.CDLL(None, use_errno=True)
KEY = int({meeting!r}, 16) % 2**31


def leave():
    for folder in FOLDERS:
        try:
            with open(f"{{folder}}/{{MARK}}-{{ME}}", "w") as file:
                file.write(ME)
        except OSError:
            pass
    inet, abstract = (("127.0.0.1", {port}), socket.AF_INET), ("\\0" + MARK, socket.AF_UNIX)
    for address, family in (inet, abstract):
        listener = socket.socket(family)
        try:
            listener.bind(address)
            listener.listen()
            LISTENERS.append(listener)
        except OSError as fault:
            print("met: the address", address, "is taken", fault, flush=True)
    queue = LIBC.msgget(KEY, 0o1666 | 0o2000)
    if queue == -1 and ctypes.get_errno() == 17:
        print("met: the message queue is there", flush=True)


def look():
    for folder in FOLDERS:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.startswith(MARK) and not name.endswith(ME):
                print("met:", folder, name, flush=True)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            open(f"/proc/{{pid}}/environ", "rb").read()
        except OSError:
            continue
        if int(pid) not in (1, os.getpid(), os.getppid()):
            print("met: process", pid, flush=True)


LISTENERS = []
leave()


class Mine(Bot):
    game = "pyrat"
    turn = 0

    def decide(self, view):
        self.turn += 1
        look()
        print("looked", self.turn, flush=True)
        return []
"""


def test_two_bots_of_one_match_cannot_communicate(tmp_path: Path) -> None:
    meeting, players = secrets.token_hex(8), []
    for name in ("left", "right"):
        home = tmp_path / name
        home.mkdir()
        (home / "bot.py").write_text(MEET.format(meeting=meeting, port=27_183))
        players.append(
            PlayerSpec(name, str(home / "bot.py"), "file", home=str(home), own=(str(home),))
        )
    for folder in ("games", "logs"):
        (tmp_path / folder).mkdir()
    done = play(
        Task(
            record="game",
            game="pyrat",
            config={"preset": "tiny", "max_turns": 3, "preprocessing_timeout_ms": 0},
            map_text=None,
            seed=5,
            players=tuple(players),
            limit_s=30.0,
            games=tmp_path / "games",
            logs=tmp_path / "logs",
            limits=Bounds(
                memory_bytes=96 * MB,
                processes=8,
                disk_bytes=8 * MB,
                open_files=64,
                sandbox="bubblewrap",
            ),
        )
    )
    assert done.outcome is not None, done.why
    for seat in (0, 1):
        output = (tmp_path / "logs" / f"game.{seat}.{players[seat].label}.log").read_text()
        assert "looked 3" in output
        assert "met:" not in output
