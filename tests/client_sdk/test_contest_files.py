"""Files of Catastrophe's contest in the folders of their repository, loaded unchanged."""

from __future__ import annotations

import gc
import sys

import pytest

import games
from client_sdk.bot import house, load, play_headless
from client_sdk.errors import BadBot
from client_sdk.isolated import Isolated
from games import GAMES
from games.core.match import Match

PLAIN = """
from typing import List
from joueur.base_ai import BaseAI


class AI(BaseAI):
    def get_name(self):
        return "plain"

    def start(self):
        self.units = self.player.units

    def run_turn(self) -> bool:
        assert self.player is self.game.players[0] and len(self.units) == len(self.player.units)
        return True
"""

RELATIVE = """
from .tactics import Tactics
from . import numbers_of_mine as numbers


class AI:
    def __init__(self, game):
        self.tactics = Tactics(game)

    def get_name(self):
        return "relative"

    def run_turn(self):
        return self.tactics.play(self.player) >= numbers.ZERO
"""

ABSOLUTE = """
import games.catastrophe.tactics as tactics
import games.catastrophe.tile
from joueur.base_ai import BaseAI
from games.catastrophe.game import Game
from games.catastrophe.unit import Unit
from strategy.early import first


class AI(BaseAI):
    def __init__(self, game: Game = None):
        super().__init__(game)
        self.tactics = tactics.Tactics(game)

    def get_name(self):
        return "absolute"

    def run_turn(self):
        from games.catastrophe.numbers_of_mine import ZERO
        import numbers_of_mine

        assert numbers_of_mine.ZERO is ZERO
        assert isinstance(self.player.cat, Unit)
        assert isinstance(self.player.cat.tile, games.catastrophe.tile.Tile)
        assert isinstance(self.game, Game)
        return first(self.tactics.play(self.player)) >= ZERO
"""

STYLES = {"plain": PLAIN, "relative": RELATIVE, "absolute": ABSOLUTE}

TACTICS = """
from games.catastrophe.unit import Unit
from .numbers_of_mine import ZERO


class Tactics:
    def __init__(self, game):
        self.game = game

    def play(self, player):
        return ZERO + sum(isinstance(unit, Unit) for unit in player.units)
"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Writes the file into a repository whose client is broken: it must not be read."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "games" / "catastrophe"
    files = {
        folder / "tactics.py": TACTICS,
        folder / "numbers_of_mine.py": "ZERO = 10 ** 9 - 10 ** 9\n",
        folder / "__init__.py": "raise ImportError('not to be read')\n",
        folder / "unit.py": "raise ImportError('not to be read')\n",
        folder / "game.py": "raise ImportError('not to be read')\n",
        tmp_path / "games" / "__init__.py": "raise ImportError('not to be read')\n",
        tmp_path / "joueur" / "base_ai.py": "raise ImportError('not to be read')\n",
        tmp_path / "strategy" / "__init__.py": "",
        tmp_path / "strategy" / "early.py": "def first(number):\n    return number\n",
    }
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def write(text):
        (folder / "ai.py").write_text(text)
        return folder / "ai.py"

    return write


@pytest.mark.parametrize("style", STYLES)
def test_a_file_plays_from_its_repository(repository, style, caplog):
    bot = load(repository(STYLES[style]), "catastrophe")
    match = Match.begin(GAMES["catastrophe"], {"max_turns": 6}, 3)
    play_headless(match, [bot, house("catastrophe", "gatherers")])

    assert bot.name == style
    assert match.outcome is not None
    assert caplog.records == []


@pytest.mark.parametrize("style", ["plain", "absolute"])
def test_the_game_of_such_a_file_is_inferred(repository, style):
    assert load(repository(STYLES[style])).game == "catastrophe"


def test_a_file_without_its_repository_gets_what_the_client_gives(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "mine.py"
    file.write_text(PLAIN)

    assert load(file, "catastrophe").name == "plain"


def test_our_packages_stay_what_they_are(repository):
    before = {name: sys.modules[name] for name in sys.modules if name.startswith("games")}
    load(repository(ABSOLUTE), "catastrophe")

    assert sys.modules["games"] is games
    assert before.items() <= sys.modules.items()
    assert "joueur" not in sys.modules


def test_two_bots_share_none_of_their_modules(repository):
    path = repository(RELATIVE.replace("self.tactics = ", "numbers.ZERO += 1; self.tactics = "))
    match = Match.begin(GAMES["catastrophe"], {"max_turns": 4}, 3)
    one, other = load(path, "catastrophe"), load(path, "catastrophe")
    play_headless(match, [one, other])

    assert type(one._ai) is not type(other._ai)
    assert sys.modules[type(one._ai).__module__].numbers.ZERO == 1


def test_the_modules_of_a_bot_are_forgotten_with_it(repository):
    bot = load(repository(ABSOLUTE), "catastrophe")
    package = bot._cls.__module__.partition(".")[0]
    del bot
    gc.collect()

    assert [name for name in sys.modules if name.startswith(f"{package}.")] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "\nfrom joueur.teleport import Beam\n",
            "line 2: ModuleNotFoundError: No module named 'jou",
        ),
        ("from .nothing import x\n", "No module named 'games.catastrophe.nothing'"),
        ("from joueur.base_ai import BaseAI\nraise ValueError('x')\n", "line 2: ValueError: x"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(repository, text, why):
    path = repository(text)
    with pytest.raises(BadBot) as refused:
        load(path, "catastrophe")

    assert str(refused.value).startswith(f"{path}, line ")
    assert why in str(refused.value)
    assert "botarena_bot" not in str(refused.value)


@pytest.mark.parametrize("style", STYLES)
def test_a_file_plays_in_a_process_of_its_own(repository, style, tmp_path, caplog):
    path = repository(STYLES[style])
    match = Match.begin(GAMES["catastrophe"], {"max_turns": 4}, 3)
    with Isolated(path, GAMES["catastrophe"], tmp_path / "log.txt") as bot:
        play_headless(match, [bot, house("catastrophe", "gatherers")])

    assert bot.name == style
    assert caplog.records == []
