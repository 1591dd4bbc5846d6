"""Files of Catastrophe's contest (RULES §10): a class AI that inherits from nothing of ours."""

from __future__ import annotations

import sys

import pytest

from client_sdk.api.catastrophe import AI
from client_sdk.api.catastrophe_adapters import OfAI
from client_sdk.bot import house, load, play_headless, start_of
from client_sdk.errors import BadBot
from games import GAMES
from games.core.match import Match
from tests.client_sdk.files import CATASTROPHE_AI

CATASTROPHE = GAMES["catastrophe"]


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])

    def load_text(text):
        file = tmp_path / "mybot.py"
        file.write_text(text, encoding="utf-8")
        return load(file, "catastrophe")

    return load_text


def test_a_class_ai_plays_a_match_unchanged(loaded):
    bot = loaded(CATASTROPHE_AI)
    match = Match.begin(CATASTROPHE, {"max_turns": 6}, 3)
    play_headless(match, [bot, house("catastrophe", "gatherers")])
    calls = bot._ai.calls

    won = match.outcome.winner == 0
    assert (bot.game.current_turn, bot.name) == (5, "contest")
    assert calls[:2] == ["start", 0]
    assert calls[-1] == (won, match.outcome.reason, won)
    assert {unit.job.title for unit in bot.player.units} == {"cat overlord", "gatherer"}
    assert [message for message in calls if isinstance(message, str)] == ["start"]


def test_missing_methods_are_added_and_existing_ones_kept(loaded):
    own = "    def get_setting(self, key):\n        return 'own ' + key\n"
    bot = loaded("class AI:\n" + own + "    def run_turn(self):\n        return True\n")
    bot.on_start(start_of(Match.begin(CATASTROPHE, {}, 3), 0))

    assert bot._ai.get_setting("x") == "own x"
    assert bot._ai.game is bot.game
    assert bot._ai.find_path(bot.player.cat.tile, bot.game.road_tiles)[-1] in bot.game.road_tiles
    assert bot.name == "mybot"


def test_an_invalid_call_is_reported_to_an_ai(loaded, caplog):
    bot = loaded(
        CATASTROPHE_AI + "    def run_turn(self):\n        return self.player.cat.rest() or True\n"
    )
    match = Match.begin(CATASTROPHE, {}, 3)
    bot.on_start(start_of(match, 0))
    list(bot.decide(match.view(0)))

    assert "energy_full" in bot._ai.calls[-1]
    assert "energy_full" in caplog.text


def test_our_class_called_ai_is_not_a_second_bot(loaded):
    text = (
        "from client_sdk.api.catastrophe import AI as Base\nclass AI(Base):\n    def "
        "run_turn(self):\n        return True\n"
    )
    bot = loaded(text)

    assert isinstance(bot, AI)
    assert not isinstance(bot, OfAI)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class AI:\n    def start(self):\n        pass\n", "the bot needs run_turn()"),
        (
            "class AI:\n    def run_turn(self, game):\n        pass\n",
            "expected run_turn(), got run_turn(game)",
        ),
    ],
)
def test_missing_methods_are_reported(loaded, text, message):
    with pytest.raises(BadBot) as refused:
        loaded(text)

    assert message in str(refused.value)


def test_a_constructor_that_needs_the_game_gets_it(loaded):
    bot = loaded(
        "class AI:\n    def __init__(self, game):\n        self._turn = game.current_turn\n        "
        "self._game = game\n\n    @property\n    def game(self):\n        return self._game\n\n    "
        "def get_name(self):\n        return 'late'\n\n    def run_turn(self):\n        "
        "return True\n"
    )
    bot.on_start(start_of(Match.begin(CATASTROPHE, {}, 3), 0))

    assert bot.name == "late"
    assert (bot._ai.game, bot._ai.player, bot._ai._turn) == (bot.game, bot.player, 0)
