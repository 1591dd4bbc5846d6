"""The wheel: what is in it, and that it plays where there is no clone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from itertools import cycle, islice
from pathlib import Path

import pytest

from client_sdk.bots import HOUSE
from games import GAMES
from games.core import maps
from games.core.parameters import configure

pytestmark = pytest.mark.documents
ROOT = Path(__file__).parents[2]
SHIPPED = ("botarena", "games", "client_sdk", "server", "maps")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the tree, without a network."""
    out = tmp_path_factory.mktemp("dist")
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(out),
        str(ROOT),
    ]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A venv outside the clone with the wheel in it; the dependencies are those of the tests."""
    venv = tmp_path_factory.mktemp("a bot author's") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = program(venv, "python")
    install = [
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    done = subprocess.run([sys.executable, *install], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (site,) = (
        venv.glob("lib/python*/site-packages")
        if os.name == "posix"
        else venv.glob("Lib/site-packages")
    )
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return venv


def program(venv: Path, name: str) -> Path:
    return venv / ("bin" if os.name == "posix" else "Scripts") / name


SHORT = {"zooscape": "max_ticks=100", "catastrophe": "max_turns=60", "cookoff": "total_turns=60"}
"""That a game is played shows as well in a short match."""


def run(program: Path, *arguments: str, cwd: Path) -> str:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "BOTARENA"))
    }
    done = subprocess.run(
        [str(program), *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_contains_the_packages_and_nothing_else(wheel: Path) -> None:
    """Code, maps, pages, rules, the protocol and the type markers; no tests, no examples."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    tree = {
        path.relative_to(ROOT).as_posix()
        for folder in SHIPPED
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert packed == tree
    assert {f"{folder}/py.typed" for folder in SHIPPED[:-1]} <= packed
    assert {f"games/{game}/RULES.md" for game in GAMES} | {
        "client_sdk/PROTOCOL.md",
        "server/web/index.html",
    } <= packed


def test_the_wheel_has_its_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = next(
            name for name in archive.namelist() if name.endswith(".dist-info/METADATA")
        ).removesuffix("METADATA")
        metadata = archive.read(f"{info}METADATA").decode()
        entries = archive.read(f"{info}entry_points.txt").decode()
        licence = archive.read(f"{info}licenses/LICENSE").decode()

    assert "Name: botarena\n" in metadata
    assert "License-Expression: MIT\n" in metadata
    assert "Requires-Python: >=3.11\n" in metadata
    assert "botarena = client_sdk.cli:main" in entries
    assert "The Botarena contributors" in licence
    base = {
        line.split(" ")[1].split(">")[0]
        for line in metadata.splitlines()
        if line.startswith("Requires-Dist: ") and "extra" not in line
    }
    assert base == {"httpx", "msgspec", "rich", "typer", "websockets"}


def test_each_game_can_be_played_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = run(
        program(installed, "python"),
        "-c",
        "import games, maps; print(games.__file__, maps.__file__)",
        cwd=tmp_path,
    )
    assert str(ROOT) not in where
    listed = run(program(installed, "botarena"), "games", cwd=tmp_path)
    for name, game in GAMES.items():
        bots = islice(cycle(HOUSE[name]), game.seats(configure(game, {})))
        short = ["--set", SHORT[name]] if name in SHORT else []
        words = ["play", name, *bots, "--seed", "1", "--replay-dir", "records", *short]
        assert "seed 1" in run(program(installed, "botarena"), *words, cwd=tmp_path)
        assert name in listed
    assert len(list((tmp_path / "records").glob("*.journal.jsonl"))) == len(GAMES)
    run(program(installed, "botarena"), "verify", "records", cwd=tmp_path)


def test_maps_are_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    listed = run(program(installed, "botarena"), "maps", cwd=tmp_path)

    every = [(own, board) for own in GAMES for board in maps.names(own)]
    assert all(name in listed for _, name in every)
    show = (
        f"from client_sdk.cli import run\nfor game, name in {every}: assert not run(['maps', game, "
        "'--show', name])"
    )
    run(program(installed, "python"), "-c", show, cwd=tmp_path)


def test_the_server_in_the_wheel_hosts_a_match_of_each_game(
    installed: Path, tmp_path: Path
) -> None:
    """`botarena demo` starts `botarena serve`, which the server's own part of the wheel brings
    along."""
    output = run(
        program(installed, "botarena"), "demo", "--data-dir", str(tmp_path / "data"), cwd=tmp_path
    )

    for name in GAMES:
        assert f"{name}: watch it at http://127.0.0.1:" in output
    journals = list((tmp_path / "data").rglob("*.journal.jsonl"))
    assert len(journals) == len(GAMES)
    run(program(installed, "botarena"), "verify", *map(str, journals), cwd=tmp_path)
