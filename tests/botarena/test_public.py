"""The public names of `botarena`: adding or removing one is a decision."""

from __future__ import annotations

import importlib
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import botarena
from botarena.pyrat import Bot, Direction
from client_sdk.bots import HOUSE
from games import GAMES
from tests.e2e.arena import QUICK

NAMES = {
    "GAMES",
    "BadBot",
    "BadSetup",
    "Bot",
    "BotarenaError",
    "ConnectionLost",
    "Game",
    "Match",
    "Moment",
    "Rejected",
    "Result",
    "ServerRefused",
    "Start",
    "Verdict",
    "house_bot",
    "load_bot",
    "play",
    "play_headless",
    "verify",
}


class Lazy(Bot):
    """Stays where it is."""

    def think(self, state: Any, ctx: Any) -> Direction:
        return Direction.STAY


class Broken(botarena.Bot):
    game = "pyrat"
    name = "broken"

    def decide(self, view: Any) -> list[Any]:
        raise ValueError("no idea")


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "program.py"
    file.write_text(code)
    return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=60)


def test_the_public_names_are_these():
    assert set(botarena.__all__) == NAMES
    assert set(dir(botarena)) >= NAMES
    for name in NAMES:
        assert getattr(botarena, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = botarena.nonsense


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_a_module_with_its_names(game):
    module = importlib.import_module(f"botarena.{game}")

    assert module.__all__
    assert all(hasattr(module, name) for name in module.__all__)
    assert module.__doc__


def test_the_package_imports_neither_a_game_nor_the_server(tmp_path):
    done = python(
        "import sys, botarena\n"
        "heavy = {'games.pyrat', 'client_sdk', 'server', 'httpx', 'websockets', 'asyncio', "
        "'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))\n",
        tmp_path,
    )

    assert done.stdout.strip() == "[]"


def test_every_exception_is_a_botarena_error():
    for name in ("BadBot", "BadSetup", "ConnectionLost", "Rejected", "ServerRefused"):
        assert issubclass(getattr(botarena, name), botarena.BotarenaError)


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_a_match_of_house_bots_is_played_and_verified(game, tmp_path):
    from games.core.parameters import configure

    config = QUICK.get(game, {})
    names = [next(iter(HOUSE[game]))] * GAMES[game].seats(configure(GAMES[game], config))

    result = botarena.play(game, *names, seed=3, config=config)
    again = botarena.play(game, *names, seed=3, config=config)
    file = tmp_path / "match.journal.jsonl"
    file.write_text(result.journal)

    assert result.outcome == again.outcome
    assert result.turns > 0
    assert result.winner == result.outcome["winner"]
    assert botarena.verify(file).kind == "ok"
    assert botarena.verify(str(file), head="0").kind == "differs"


def test_a_player_is_a_bot_a_class_a_file_or_a_name(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from botarena.pyrat import Bot, Direction\n\n\n"
        "class Mine(Bot):\n    def think(self, state, ctx):\n        return Direction.STAY\n"
    )

    for player in (Lazy, Lazy(), file, str(file)):
        result = botarena.play("pyrat", player, "greedy", seed=1, config={"preset": "tiny"})
        assert result.winner == 1


def test_a_player_is_what_names_a_program_on_the_command_line(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("for line in open(0):\n    print('[]', flush=True)\n")
    word = f"lines:{shlex.join([sys.executable, '-S', str(file)])}"
    config = {"preset": "tiny", "preprocessing_timeout_ms": 0}
    result = botarena.play("pyrat", word, "greedy", seed=1, config=config)

    assert (result.names, result.winner) == (("mine", "greedy"), 1)


def test_a_map_is_a_name_or_a_file(tmp_path):
    from games.core import maps

    name = maps.names("cookoff")[0]
    file = tmp_path / "mine.txt"
    file.write_text(maps.text("cookoff", name))

    by_name = botarena.play("cookoff", "greedy", "greedy", seed=1, map=name)
    by_file = botarena.play("cookoff", "greedy", "greedy", seed=1, map=file)

    assert by_name.outcome == by_file.outcome


def test_a_bots_fault_costs_its_turn_and_is_reported():
    result = botarena.play("pyrat", Broken(), "greedy", seed=1, config={"preset": "tiny"})

    assert result.winner == 1
    assert len(result.faults) == result.turns
    assert result.faults[0].startswith("seat 0, turn 0")
    assert "no idea" in result.faults[0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"game": "chess", "players": []}, "chess"),
        ({"game": "pyrat", "players": ["greedy"]}, "2 seats"),
        ({"game": "pyrat", "players": ["greedy", "unknown"]}, "unknown"),
        ({"game": "pyrat", "players": ["greedy", "missing.py"]}, "missing.py"),
        ({"game": "pyrat", "players": ["greedy", "greedy"], "map": "nowhere"}, "nowhere"),
        ({"game": "pyrat", "players": ["greedy", "greedy"], "config": {"width": -1}}, "width"),
        ({"game": "pyrat", "players": ["greedy", "greedy"], "seed": -1}, "seed"),
    ],
)
def test_a_match_that_cannot_be_played_raises_with_the_reason(arguments, says):
    with pytest.raises(botarena.BotarenaError, match=says):
        botarena.play(arguments.pop("game"), *arguments.pop("players"), **arguments)


@pytest.mark.parametrize("hiding", ["games.py", "games/__init__.py", "client_sdk.py"])
def test_a_module_that_shadows_ours_is_named_with_the_remedy(tmp_path, hiding):
    (tmp_path / hiding).parent.mkdir(exist_ok=True)
    (tmp_path / hiding).write_text("")

    done = python("from botarena.pyrat import Bot", tmp_path)

    assert done.returncode != 0
    assert f"ImportError: {tmp_path / hiding} hides the package" in done.stderr
    assert "give it another name" in done.stderr


@pytest.mark.parametrize("module", ["games", "maps", "server", "botarena", "client_sdk"])
def test_a_loaded_bot_gets_its_own_module_and_the_match_gets_ours(tmp_path, module):
    folder = tmp_path / module
    folder.mkdir()
    (folder / "__init__.py").write_text("MOVE = 'STAY'\n")
    base = "from client_sdk.api.pyrat" if module == "botarena" else "from botarena.pyrat"
    if module == "client_sdk":
        base = "from botarena.pyrat"
    file = tmp_path / "mine.py"
    file.write_text(
        f"{base} import Bot, Direction\nimport {module}\n\n\n"
        "class Mine(Bot):\n    def think(self, state, ctx):\n        return "
        f"Direction[{module}.MOVE]\n"
    )

    bot = botarena.load_bot(file, "pyrat")
    result = botarena.play("pyrat", bot, "greedy", seed=1, config={"preset": "tiny"})

    assert result.winner == 1
    assert not result.outcome["seats"][0]["score"]
    assert not hasattr(sys.modules.get(module), "MOVE")
