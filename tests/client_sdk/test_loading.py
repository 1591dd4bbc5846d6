"""Methods of a bot that are missing or misspelt are found when its file is loaded."""

from pathlib import Path

import pytest

from client_sdk.bot import load
from client_sdk.errors import BadBot
from client_sdk.loading import misspelt

OURS = """\
from botarena.{game} import Bot


class Mine(Bot):
    def {method}:
        return None
"""
CLASS = "class {name}:\n    def {method}:\n        return None\n"


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        (
            "pyrat",
            OURS.format(game="pyrat", method="thnk(self, state, ctx)"),
            "Mine has no method think(state, ctx). Is thnk meant to be think?",
        ),
        (
            "pyrat",
            OURS.format(game="pyrat", method="think(self, state)"),
            "Mine.think: expected think(state, ctx), got think(state)",
        ),
        (
            "zooscape",
            OURS.format(game="zooscape", method="onstate(self, state)"),
            "Mine has no method on_state(state). Is onstate meant to be on_state?",
        ),
        (
            "botstack",
            OURS.format(game="botstack", method="item(self, me, other, gun)"),
            "Mine has no method action(me, other, gun, next_bullet)",
        ),
        (
            "catastrophe",
            CLASS.format(name="AI", method="run_trun(self)"),
            "there is AI, but the bot needs run_turn(). Is run_trun meant to be run_turn?",
        ),
        (
            "cookoff",
            CLASS.format(name="BotPlayer", method="play_trn(self, controller)"),
            "Is play_trn meant to be play_turn?",
        ),
        (
            "zooscape",
            CLASS.format(name="Mine", method="proces_state(self, state)"),
            "Is proces_state meant to be process_state?",
        ),
        (
            "pyrat",
            "def trun(*about):\n    return 'U'\n",
            "Is trun meant to be turn?",
        ),
    ],
)
def test_a_missing_or_misspelt_method_is_reported_with_the_nearest_name(
    tmp_path: Path, game: str, text: str, why: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(BadBot) as refused:
        load(file, game)
    assert str(refused.value).endswith(why)


def test_a_bot_may_answer_views_instead_of_its_games_calls(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OURS.format(game="pyrat", method="decide(self, view)"), encoding="utf-8")

    assert load(file, "pyrat").name == "mine"


def test_a_method_that_is_nearly_called_as_a_hook_is_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    text = OURS.format(game="pyrat", method="think(self, state, ctx)")
    text += "\n    def preproces(self, state, ctx):\n        pass\n"
    text += "\n    def plan(self):\n        pass\n"
    file.write_text(text, encoding="utf-8")

    assert [*misspelt(load(file, "pyrat"))] == [("preproces", "preprocess")]
