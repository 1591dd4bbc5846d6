"""`botarena new-bot`: what it writes plays, and is worth starting from."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import botarena as package
import client_sdk
from client_sdk.bots import HOUSE
from client_sdk.cli.scaffold import LINES, lines_bot
from games import GAMES
from tests.client_sdk.cli.conftest import botarena, environment
from tests.e2e.arena import QUICK

SHORT = {
    "zooscape": ("max_ticks", 100),
    "catastrophe": ("max_turns", 60),
    "cookoff": ("total_turns", 60),
}
"""Matches that take long otherwise."""
SCAFFOLDS = sorted(
    file.parent.name for file in Path(client_sdk.__file__).parent.glob("api/scaffold/*/bot.py")
)


def test_every_game_with_house_bots_has_a_scaffold():
    assert set(SCAFFOLDS) >= set(QUICK)  # a game that is added may have none


@pytest.mark.parametrize("game", SCAFFOLDS)
def test_a_new_bot_plays_with_the_command_that_is_printed(cli, tmp_path, game):
    made = botarena("new-bot", game, tmp_path / "lucky")
    words = ["--set", "{}={}".format(*SHORT[game])] if game in SHORT else []
    words += ["--seed", "1", "--time-limit", "60000"]  # the machine may be busy
    played = cli(*shlex.split(made.out.partition("Try it: botarena ")[2]), *words)

    assert sorted(p.name for p in (tmp_path / "lucky").iterdir() if p.is_file()) == [
        "README.md",
        "bot.py",
        "test_bot.py",
    ]
    assert (made.status, made.err) == (0, "")
    assert (played.status, played.err) == (0, "")


def test_new_bots_pass_their_own_tests(cli, tmp_path):
    """In one run for all games, in short matches."""
    for game in SCAFFOLDS:
        cli("new-bot", game, tmp_path / game)
        own = tmp_path / game / "test_bot.py"
        text = own.read_text(encoding="utf-8")
        assert "{}, seed=1" in text
        config = dict([SHORT[game]] if game in SHORT else [])
        own.write_text(text.replace("{}, seed=1", f"{config}, seed=1"), encoding="utf-8")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )

    assert f"{2 * len(SCAFFOLDS)} passed" in tested.stdout


def test_a_new_bot_overwrites_nothing(cli, tmp_path):
    (tmp_path / "bot.py").write_text("mine")
    ran = cli("new-bot", "pyrat", tmp_path)

    assert ran.status == 2
    assert "is there already; nothing was written. Name another folder" in ran.err
    assert [tmp_path / "bot.py"] == list(tmp_path.iterdir())


MATCHES = {
    "pyrat": (2, {"preset": "tiny"}),
    "botstack": (10, {}),
    "zooscape": (1, {"max_ticks": 200, "seats": 2}),
    "catastrophe": (1, {"max_turns": 120}),
    "cookoff": (1, {"total_turns": 120}),
}
"""How many seeds tell the better bot, and with which parameters a match is soon over."""


@pytest.mark.parametrize("game", SCAFFOLDS)
def test_a_new_bot_wins_most_matches_against_the_weakest_house_bot(tmp_path, game):
    seeds, config = MATCHES[game]
    weakest = next(iter(HOUSE[game]))
    botarena("new-bot", game, tmp_path)
    file = tmp_path / "bot.py"

    winners = []
    for seed in range(1, seeds + 1):
        for seat in range(2):
            bots = [weakest, weakest]
            bots[seat] = file
            winners.append(package.play(game, *bots, seed=seed, config=config).winner == seat)

    assert sum(winners) >= 0.7 * len(winners)


# --- bots that speak lines


EXAMPLES = Path(__file__).parents[3] / "examples" / "lines"
GAME_OF = {
    "c": "pyrat",
    "java": "cookoff",
    "node": "zooscape",
    "rust": "botstack",
    "sh": "catastrophe",
}
"""The game of each language's example."""
BRIEF = QUICK | {
    "pyrat": {"preset": "tiny", "preprocessing_timeout_ms": 60_000},
    "zooscape": {"seats": 2, "map_size": 15, "max_ticks": 60, "tick_ms": 0},
    "cookoff": {"total_turns": 30, "init_time_ms": 60_000},
}
"""Matches of two seats that are soon over, also where a program takes long to start."""
LIMIT_MS = 20_000


@pytest.mark.parametrize("language", LINES)
def test_an_example_is_what_new_bot_writes(language):
    game, lines = GAME_OF[language], LINES[language]
    example = (EXAMPLES / lines.file).read_text(encoding="utf-8")
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    (row,) = [row for row in readme.splitlines() if row.startswith(f"| `{lines.file}`")]

    assert len(example.splitlines()) <= 40
    assert example == lines_bot(game, GAMES[game].title, language)
    assert lines.build in row
    assert f'`botarena play {game} "lines:{lines.run}" greedy' in row


@pytest.mark.parametrize("language", LINES)
def test_a_new_bot_of_every_language_builds_and_plays(cli, tmp_path, monkeypatch, language):
    builds_and_plays(cli, tmp_path, monkeypatch, GAME_OF[language], language)


@pytest.mark.documents
@pytest.mark.parametrize("language", LINES)
@pytest.mark.parametrize("game", SCAFFOLDS)
def test_a_new_bot_of_every_game_and_language_builds_and_plays(
    cli, tmp_path, monkeypatch, game, language
):
    builds_and_plays(cli, tmp_path, monkeypatch, game, language)


def test_the_example_in_python_plays(cli):
    command = shlex.join([sys.executable, str(EXAMPLES / "bot.py")])
    plays_well(cli, "pyrat", f"lines:{command}")


def builds_and_plays(cli, folder, monkeypatch, game, language):
    """The commands that `new-bot` prints, with a short match in place of the whole one."""
    lines = LINES[language]
    tools = [command.split()[0] for command in (lines.build, lines.run) if command]
    for tool in [*tools, *(["jq"] if language == "sh" else [])]:
        if not tool.startswith("./") and shutil.which(tool) is None:
            pytest.skip(f"there is no {tool}")
    monkeypatch.chdir(folder)
    made = cli("new-bot", game, "made", "--language", language)
    *before, play = made.out.partition("Try it: ")[2].strip().split(" && ")
    monkeypatch.chdir(folder / "made")

    assert (made.status, made.err) == (0, "")
    assert before == ["cd made", lines.build][: len(before)]
    assert {file.name for file in (folder / "made").iterdir()} == {lines.file, "README.md"}
    if lines.build:
        subprocess.run(lines.build, shell=True, check=True)
    assert shlex.split(play)[:4] == ["botarena", "play", game, f"lines:{lines.run}"]
    plays_well(cli, game, f"lines:{lines.run}")


def plays_well(cli, game, bot):
    """A match against the weakest house bot: no turn of the bot has failed or was late."""
    short = [word for key, value in BRIEF[game].items() for word in ("--set", f"{key}={value}")]
    ran = cli(
        "play", game, bot, next(iter(HOUSE[game])), "--seed", 1, "--time-limit", LIMIT_MS, *short
    )
    (row,) = [
        line for line in ran.out.splitlines() if line.split()[:2] in (["bot", "1"], ["Bot", "1"])
    ]

    assert (ran.status, ran.err) == (0, "")
    assert row.split()[-2:] == ["0", "0"]
