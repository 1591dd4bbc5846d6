"""docs/games.md builds a game outside this project: it is installed, played, verified, served and
watched as written there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.docs.test_documents import ROOT, blocks

PATIENCE_S = 120
TEXT = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
FILES = dict(zip(("nim.py", "fours.py", "ones.py"), blocks(TEXT, "python"), strict=True))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process in which the package is installed, as the document says."""
    project, site = tmp_path_factory.mktemp("nim"), tmp_path_factory.mktemp("site")
    (project / "nim.py").write_text(FILES["nim.py"], encoding="utf-8")
    (text,) = blocks(TEXT, "toml")
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(site)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(project)],
        check=True,
        timeout=PATIENCE_S,
    )
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("fours.py", "ones.py"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    return tmp_path


def botarena(
    environment: dict[str, str], folder: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "client_sdk.cli", *words]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S
    )


@pytest.fixture
def server(installed: dict[str, str], folder: Path) -> Iterator[str]:
    command = [
        sys.executable,
        "-m",
        "client_sdk.cli",
        "serve",
        "--port",
        "0",
        "--data-dir",
        "data",
        "--log-level",
        "error",
    ]
    process = subprocess.Popen(
        command,
        env=installed,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()


def test_the_whole_game_has_at_most_fifty_lines_and_eleven_fields():
    code = [line for line in FILES["nim.py"].splitlines() if line.strip()]
    fields = re.findall(r"^    \w+=\w+", FILES["nim.py"].partition("GAME = ")[2], re.M)

    assert len(code) <= 50
    assert 9 <= len(fields) <= 11


def test_the_documented_game_is_listed_played_and_verified(installed, folder):
    listed = botarena(installed, folder, "games")
    shown = botarena(installed, folder, "games", "nim")
    played = botarena(
        installed,
        folder,
        "play",
        "nim",
        "fours.py",
        "ones.py",
        "--set",
        "sticks=30",
        "--seed",
        "1",
        "--replay-dir",
        "replays",
    )
    verified = botarena(installed, folder, "verify", "replays")

    assert "nim" in listed.stdout
    assert "sticks at the start" in shown.stdout
    assert (played.returncode, played.stderr.count("Error")) == (0, 0), played.stderr
    assert verified.returncode == 0, verified.stdout
    assert verified.stderr.startswith("2 records: 2 verified")


def test_a_bot_that_knows_the_game_wins_from_both_seats(installed, folder):
    code = (
        "import botarena\n"
        "winners = [botarena.play('nim', *order, seed=1, config={'sticks': 30}).winner\n"
        "           for order in (('fours.py', 'ones.py'), ('ones.py', 'fours.py'))]\n"
        "assert winners == [0, 1], winners\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        env=installed,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_documented_game_is_served_and_watched(installed, folder, server):
    schema = httpx.get(f"{server}/api/v1/games/nim", timeout=PATIENCE_S).json()
    lobby = httpx.post(
        f"{server}/api/v1/lobbies",
        json={"game": "nim", "config": {"sticks": 9}, "seed": 4},
        timeout=PATIENCE_S,
    ).json()
    id_ = lobby["lobby"]
    bots = []
    with connect(server.replace("http", "ws") + "/ws/watch") as viewer:
        viewer.send(json.dumps({"type": "hello", "protocol": 1, "match": id_}))
        for file in ("ones.py", "fours.py"):
            command = [
                sys.executable,
                "-m",
                "client_sdk.cli",
                "join",
                server,
                file,
                "--game",
                "nim",
                "--lobby",
                id_,
            ]
            bots.append(
                subprocess.Popen(
                    command,
                    env=installed,
                    cwd=folder,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                )
            )
        seen = []
        while not seen or seen[-1]["type"] != "end":
            seen.append(json.loads(viewer.recv(timeout=PATIENCE_S)))
    assert [bot.wait(PATIENCE_S) for bot in bots] == [0, 0]
    for bot in bots:
        assert bot.stdout is not None
        bot.stdout.close()
    replay = httpx.get(f"{server}/api/v1/replays/{id_}", timeout=PATIENCE_S)
    (folder / "match.journal.jsonl").write_bytes(
        httpx.get(f"{server}/api/v1/matches/{id_}/journal", timeout=PATIENCE_S).content
    )
    verified = botarena(installed, folder, "verify", "match.journal.jsonl")

    assert "sticks" in schema["parameters"]["properties"]
    assert [message["view"]["sticks"] for message in seen if message["type"] == "view"][-1] == 0
    assert replay.status_code == 200
    assert verified.returncode == 0, verified.stdout


def test_an_unusable_entry_point_is_logged_and_left_out(tmp_path):
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    points = [
        "missing = nowhere:GAME",
        "pyrat = games.botstack:GAME",
        "other = games.botstack:GAME",
        "text = json:dumps",
    ]
    (about / "entry_points.txt").write_text("\n".join(["[botarena.games]", *points, ""]))
    code = "from games import GAMES; print(sorted(GAMES))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}

    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )

    assert done.stdout.strip() == "['botstack', 'catastrophe', 'cookoff', 'pyrat', 'zooscape']"
    assert all(
        f"installed game {name!r} is left out" in done.stderr
        for name in ("missing", "pyrat", "other", "text")
    )
