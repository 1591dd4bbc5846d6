"""Existing bots: which files are recognised as one, and how faults in the others are reported."""

from __future__ import annotations

import sys

import pytest

from client_sdk.api.adapters import ADAPTERS, STAND_INS
from client_sdk.bot import house, load, play_headless
from client_sdk.errors import BadBot
from client_sdk.local.players import opened, player_spec
from games import GAMES
from games.core.match import Match
from tests.client_sdk.files import (
    BOTSTACK_FUNCTIONS,
    BOTSTACK_PLAYER1,
    FILES,
    PYRAT_CLASS,
    PYRAT_MODULE,
)

OURS = """
from botarena import Bot
class Mine(Bot):
    def decide(self, view):
        return []
"""
ACTION = "def action(me, other, gun, next_bullet): return 1\n"
TURN = "class Mine:\n    def turn(self, maze, game_state): pass\n"
every_kind = pytest.mark.parametrize("kind", sorted(FILES))


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(text, name="mybot.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def played(game, *bots, **config):
    match = Match.begin(GAMES[game], config, seed=4)
    play_headless(match, bots)
    return match


@every_kind
def test_a_bot_of_every_kind_plays_a_whole_match_without_warnings(written, kind, caplog):
    game, text = FILES[kind]
    path = written(text)

    match = played(game, load(path, game), load(path, game))

    assert match.outcome.kind in ("win", "draw", "both_lost")
    assert caplog.records == []
    assert match.turn > 10


@every_kind
def test_the_game_can_be_inferred(written, kind):
    game, text = FILES[kind]

    assert game == load(written(text)).game


def test_every_game_with_adapters_exists():
    assert ADAPTERS.keys() <= GAMES.keys()


def test_a_class_without_a_base_can_be_a_player(written):
    answer = TURN.replace("pass", "return type('North', (), {'name': 'NORTH'})")
    match = Match.begin(GAMES["pyrat"], {"preset": "open"}, seed=4)
    play_headless(match, [house("pyrat", "greedy"), load(written(answer), "pyrat")])

    assert match.outcome.seats[1].details["blocked"] > 0


def test_optional_callbacks_can_be_missing(written):
    played("botstack", load(written(ACTION), "botstack"), house("botstack", "trivial"))


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (
            "botstack",
            "",
            "no bot in this file; a bot is a class that inherits from a Bot of botarena, or the "
            "functions",
        ),
        (
            "pyrat",
            "\n",
            "or the functions preprocessing, turn and postprocessing, or a class with "
            "preprocessing, turn and",
        ),
        (
            None,
            "x = 1\n",
            "or the functions abstain, item and action, or the functions player1_abstain",
        ),
        ("botstack", OURS + ACTION, "2 bots in this file (Mine, the functions action)"),
        (
            "botstack",
            BOTSTACK_FUNCTIONS + BOTSTACK_PLAYER1,
            "2 bots in this file (the functions abstain, item, action,",
        ),
        (
            "pyrat",
            PYRAT_MODULE + TURN,
            "2 bots in this file (the functions preprocessing, turn and postprocessing, Mine)",
        ),
        ("pyrat", TURN + TURN.replace("Mine", "Other"), "2 bots in this file (Mine, Other)"),
        (
            "botstack",
            "def abstain(me, other, gun, request): return 0\n",
            "there is abstain, but the bot needs action(me, other,",
        ),
        (
            "botstack",
            "def player1_item(a, b, c): return 0\n",
            "there is player1_item, but the bot needs player1_action(self,",
        ),
        (
            "botstack",
            "def action(me): return 1\n",
            "action: expected action(me, other, gun, next_bullet), got action(me)",
        ),
        (
            "botstack",
            ACTION + "item = 3\n",
            "item: expected a function, item(me, other, gun), got 3",
        ),
        (
            "botstack",
            ACTION + "def on_end(): pass\n",
            "on_end: expected on_end(result), got on_end()",
        ),
        ("pyrat", "def turn(mazeMap): return 'U'\n", "turn: expected turn(mazeMap, mazeWidth,"),
        (
            "pyrat",
            "def turn(maze, width, height, name, teams, at, scores, muds, cheese, memory): pass\n",
            "turn: expected turn(mazeMap, mazeWidth,",
        ),
        (
            "pyrat",
            "def turn(a, b, c, d, e, f, g, h, i, j, k, l): return 'north'\n",
            "turn: expected turn(maze, maze_width, maze_height, name, teams, player_locations,",
        ),
        (
            "pyrat",
            "def preprocessing(*_): pass\n",
            "there is preprocessing, but the bot needs turn(mazeMap,",
        ),
        (
            "pyrat",
            TURN.replace("maze, ", ""),
            "turn: expected turn(maze, game_state), got turn(game_state)",
        ),
        (
            "pyrat",
            "class Mine:\n    turn = 'U'\n",
            "turn: expected a function, turn(maze, game_state), got 'U'",
        ),
        (
            "pyrat",
            "from pyrat import Player\nclass Mine(Player): pass\n",
            "but the bot needs turn(maze, game_state)",
        ),
        (
            "pyrat",
            "from pyrat import Teleport\n",
            "line 1: ImportError: cannot import name 'Teleport' from",
        ),
        ("pyrat", TURN + "    def __init__(self): 1 / 0\n", "line 3: ZeroDivisionError"),
    ],
)
def test_a_fault_in_such_a_file_is_reported(written, game, text, message):
    with pytest.raises(BadBot) as refused:
        load(written(text), game)

    assert message in str(refused.value)
    assert "mybot.py" in str(refused.value)


@pytest.mark.parametrize("text", ["def action(one): return one\n", "item = 3\n", TURN])
def test_helper_classes_that_resemble_a_bot_are_allowed(written, text):
    assert type(load(written(text.replace("Mine", "Helper") + OURS))).__name__ == "Mine"


def test_of_several_bots_the_one_that_is_called_as_the_file_plays(written):
    path = written(TURN + TURN.replace("Mine", "BestFirst"), "best_first.py")

    assert load(path, "pyrat").name == "BestFirst"


# --- bots in one process --------------------------------------------------------------------------


@every_kind
def test_two_bots_of_one_file_share_no_state(written, kind):
    game, text = FILES[kind]
    path = written(text + "\nmarks = []\n")
    one, other = load(path, game), load(path, game)

    names = [
        name
        for name in sys.modules
        if name.startswith("botarena_bot_") and sys.modules[name].__file__ == str(path)
    ]
    first, second = (sys.modules[name] for name in names)
    first.marks.append(1)

    assert second.marks == []
    assert one is not other


def test_each_game_of_a_run_starts_with_fresh_globals(written):
    player = player_spec("botstack", str(written(BOTSTACK_FUNCTIONS)))

    for _ in range(2):
        with opened(GAMES["botstack"], player) as bot:
            played("botstack", bot, house("botstack", "trivial"))
            assert bot._functions["news"].count("start") == 1


def test_a_closed_bot_leaves_no_module_behind(written):
    path = written(BOTSTACK_PLAYER1)
    before = len(sys.modules)

    for _ in range(5):
        load(path, "botstack")

    assert before == len(sys.modules)


def test_each_bot_has_its_own_modules_beside_its_file(written):
    text = (
        "import my_tools_for_this_test as tools\ndef action(*_):\n    tools.calls.append(1)\n    "
        "return tools.ANSWER\n"
    )
    for folder, answer in (("one", 0), ("other", 1)):
        written(f"ANSWER = {answer}\ncalls = []\n", f"{folder}/my_tools_for_this_test.py")
    one, other = (
        load(written(text, f"{folder}/mybot.py"), "botstack") for folder in ("one", "other")
    )
    again = load(written(text, "one/mybot.py"), "botstack")

    answers = [bot.action(None, None, None, None) for bot in (one, other, again, one)]

    assert answers == [0, 1, 0, 0]
    assert [len(bot._functions["tools"].calls) for bot in (one, other, again)] == [2, 1, 1]


# --- what such a file imports ---------------------------------------------------------------------


def test_a_missing_contest_package_is_replaced_by_a_stub_and_removed_again(written):
    load(written(PYRAT_CLASS), "pyrat")

    assert not STAND_INS.keys() & sys.modules.keys()


def test_a_package_beside_the_file_takes_precedence_over_the_stub(written):
    written("class Player:\n    mark = 'its own'\n", "pyrat.py")
    bot = load(
        written(
            "from pyrat import Player\nclass Mine(Player):\n    def turn(self, maze, state): pass\n"
        ),
        "pyrat",
    )

    assert bot._player.mark == "its own"


def test_modules_beside_a_file_get_the_same_stub(written):
    written("from pyrat import Action\nHOME = Action.NOTHING\n", "my_actions_for_this_test.py")
    text = (
        "from pyrat import Action\nfrom my_actions_for_this_test import HOME\nassert HOME is "
        "Action.NOTHING\n"
    )

    load(written(text + PYRAT_CLASS), "pyrat")


def test_an_import_during_the_match_finds_the_stub(written):
    text = (
        "class Mine:\n    def turn(self, maze, state):\n        from pyrat import Action\n        "
        "return Action.NOTHING\n"
    )

    match = played("pyrat", load(written(text), "pyrat"), house("pyrat", "greedy"), preset="tiny")

    assert match.turn == match.outcome.seats[0].details["stayed"]
    sys.modules.pop("pyrat")
