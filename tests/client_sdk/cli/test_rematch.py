"""`botarena play --watch-file`: the lost match is played again after each save."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

from tests.client_sdk.cli.conftest import botarena, ended, started

BOT = """from botarena.pyrat import Bot, Direction


class MyBot(Bot):
    def think(self, state, ctx):
        {body}
"""
IDLE, EAGER = "return Direction.STAY", "return state.nearest_cheese().first_moves[0]"
TINY = ("--set", "preset=tiny", "--set", "max_turns=40")


@pytest.fixture
def bot(tmp_path) -> Path:
    file = tmp_path / "mybot.py"
    saved(file, IDLE)
    return file


def saved(file: Path, body: str) -> None:
    """As an editor saves: the new file takes the old one's place."""
    fresh = file.with_suffix(".new")
    fresh.write_text(BOT.format(body=body))
    fresh.replace(file)


def test_a_lost_match_is_played_again_after_each_save(bot):
    process = started("play", "pyrat", "--watch-file", bot.name, "greedy", *TINY, cwd=bot.parent)
    try:
        about, first = process.stdout.readline(), process.stdout.readline()
        saved(bot, EAGER)
        second = process.stdout.readline()
        saved(bot, "return (")
        assert process.stderr is not None
        assert "never closed" in process.stderr.readline()
        saved(bot, IDLE)
        third = process.stdout.readline()
    finally:
        os.kill(process.pid, signal.SIGINT)
        ended(process)

    (seed,) = re.findall(r"seed (\d+): again after each save of mybot.py", about)
    result = rf" loss  seed {seed}  mybot 0 : \d+ greedy  greedy wins \(\w+\), turn \d+ \("
    assert re.search(result, first)
    assert f"seed {seed}" in second
    assert "mybot 0 :" not in second
    assert first[10:].rpartition(" (")[0] == third[10:].rpartition(" (")[0]


def test_the_newest_loss_of_a_folder_is_played_again_from_a_turn_in_the_same_seat(bot):
    folder = bot.parent / "replays"
    for seed, seats in ((3, ("greedy", bot.name)), (4, (bot.name, "greedy"))):
        options = ("--seed", seed, "--replay-dir", folder)
        botarena("play", "pyrat", *seats, *TINY, *options, cwd=bot.parent)
    newest = folder / "pyrat-3-1.journal.jsonl"
    os.utime(newest, ns=(2**62, 2**62))
    words = ("--watch-file", bot.name, "greedy", "--replay-dir", folder, "--from", 5)
    process = started("play", "pyrat", *words, cwd=bot.parent)
    try:
        about, result = process.stdout.readline(), process.stdout.readline()
    finally:
        os.kill(process.pid, signal.SIGINT)
        ended(process)

    assert about.startswith("match pyrat-3-1, seed 3: ")
    greedy = json.loads(newest.read_text().splitlines()[-1])["outcome"]["seats"][0]["score"]
    assert f"loss  seed 3  greedy {greedy:g} : 0 mybot" in result


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("greedy", "random"), "one of the players has to be your bot's file"),
        (("mybot.py", "greedy", "--games", 2), "leave --games and --swap"),
        (("mybot.py", "greedy", "--replay-dir", "empty"), "no journal of pyrat here in which"),
    ],
)
def test_what_cannot_be_played_again_is_refused_with_a_reason(bot, cli, words, why, monkeypatch):
    monkeypatch.chdir(bot.parent)
    ran = cli("play", "pyrat", "--watch-file", *words)

    assert ran.status != 0
    assert why in ran.err
