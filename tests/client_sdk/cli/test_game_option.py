"""`--game` where a verb takes one bot: a file that names its game needs no option."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_sdk.cli.arguments import game_of
from client_sdk.console import UserError
from client_sdk.errors import BadBot
from client_sdk.loading import load

SCAFFOLDS = Path(__file__).parents[3] / "client_sdk/api/scaffold"
AGENT = "def agent(observation, configuration):\n    return 0\n"


@pytest.mark.parametrize("game", sorted(file.parent.name for file in SCAFFOLDS.glob("*/bot.py")))
def test_what_new_bot_writes_names_its_game(game: str):
    assert game_of(str(SCAFFOLDS / game / "bot.py"), None) == game


def test_a_c_file_plays_the_game_of_c_files_and_is_not_compiled_for_that(tmp_path: Path):
    (tmp_path / "wrong.c").write_text("this is no C")

    assert game_of(str(tmp_path / "wrong.c"), None) == "botstack"


def test_a_named_game_is_taken_and_the_file_is_not_read():
    assert game_of("absent.py", "pyrat") == "pyrat"


@pytest.mark.parametrize("word", ["agent.py", "greedy", "lines:./mybot.py", "node mybot.py"])
def test_a_bot_that_names_no_game_needs_the_option(tmp_path: Path, monkeypatch, word: str):
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UserError, match="does not say which game it plays: add --game"):
        game_of(word, None)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(BadBot, match=r"absent\.py: there is no such file"):
        game_of("absent.py", None)


def test_another_game_than_the_files_own_is_refused():
    with pytest.raises(BadBot, match="plays pyrat, not botstack"):
        load(SCAFFOLDS / "pyrat/bot.py", "botstack")


def test_submit_says_at_once_that_the_file_plays_another_game(cli):
    ran = cli("submit", "http://127.0.0.1:1", SCAFFOLDS / "pyrat/bot.py", "--game", "botstack")

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "plays pyrat, not botstack: leave out --game" in ran.err


def test_check_bot_takes_the_game_from_the_file(cli):
    ran = cli("check-bot", SCAFFOLDS / "botstack/bot.py", "--quiet")

    assert ran.status == 0, ran.out + ran.err
    assert "ready for a match of botstack" in ran.out


def test_check_bot_says_that_the_game_is_another_one(cli):
    ran = cli("check-bot", SCAFFOLDS / "pyrat/bot.py", "--game", "botstack")

    assert ran.status == 1
    assert "plays pyrat, not botstack" in ran.out


def test_join_takes_the_game_from_the_file(cli, server: str):
    words = ("join", server, SCAFFOLDS / "botstack/bot.py", "--lobby")
    ran = cli(*words, "absent")
    named = cli(*words, "absent", "--game", "pyrat")

    assert ran.status == 3
    assert "no_such_lobby" in ran.err
    assert "plays botstack, not pyrat" in named.err


@pytest.mark.parametrize("words", [("agent.py",), ("agent.zip",), ("mine.py", "--entry", "sh a")])
def test_submit_asks_for_the_game_that_it_cannot_know(cli, server, tmp_path, monkeypatch, words):
    for name in ("agent.py", "agent.zip", "mine.py"):
        (tmp_path / name).write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    ran = cli("submit", server, *words)

    assert ran.status == 2
    assert "add --game" in ran.err


def test_submit_takes_the_game_from_the_file(cli, server):
    """It comes as far as the server, which asks for a key."""
    ran = cli("submit", server, SCAFFOLDS / "botstack/bot.py", "--game", "botstack")
    known = cli("submit", server, SCAFFOLDS / "botstack/bot.py")

    assert (known.status, known.err) == (ran.status, ran.err)
    assert known.status == 3


def test_play_for_takes_the_game_from_the_file(cli, server, tmp_path):
    (tmp_path / "agent.py").write_text(AGENT)
    unknown = cli("play-for", server, tmp_path / "agent.py", "--key", "k_none")

    assert unknown.status == 2
    assert "does not say which game it plays" in unknown.err
