"""Bots that import from their folder, from those above it, and from the root of their
repository."""

from __future__ import annotations

import ast
import os
import pickle
import sys
from pathlib import Path

import pytest

from client_sdk.bot import house, load, play_headless
from client_sdk.bot_files import copied, everything
from client_sdk.bot_roots import FILES, imports
from client_sdk.bounds import Bounds
from client_sdk.errors import BadBot
from client_sdk.isolated import Isolated
from games import GAMES
from games.core.match import Match
from tests.client_sdk.files import PYRAT_CLASS, PYRAT_MODULE

NEAREST = """
from helpers_of_this_test.ways import first_step
from pyrat import Action, Player
from players.base_of_this_test import Base


class Nearest(Base):
    def turn(self, maze, game_state):
        here = game_state.player_locations[self.name]
        return maze.locations_to_action(here, first_step(maze, here, game_state.cheese))
"""
WAYS = """
from constants_of_this_test import NONE


def first_step(maze, here, cheese):
    todo, before = [here], {here: NONE}
    for cell in todo:
        if cell in cheese:
            while before[cell] not in (here, NONE):
                cell = before[cell]
            return cell
        for near in maze.get_neighbors(cell):
            if near not in before:
                before[near] = cell
                todo.append(near)
    return here
"""


@pytest.fixture(autouse=True)
def path(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])


def repository(top: Path, **files: str) -> Path:
    """A repository of a student, with a bot two folders below its root."""
    texts = {
        "players/search/nearest.py": NEAREST,
        "players/base_of_this_test.py": "from pyrat import Player\nclass Base(Player): pass\n",
        "helpers_of_this_test/ways.py": WAYS,
        "constants_of_this_test.py": "NONE = None\n",
        "unused.txt": "x",
    }
    for name, text in (texts | files).items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top / "players" / "search" / "nearest.py"


def won(bot):
    match = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, seed=4)
    play_headless(match, [bot, house("pyrat", "random")])
    return match.outcome.winner == 0


@pytest.mark.parametrize("cloned", [True, False])
def test_a_bot_imports_from_every_folder_up_to_the_root(cloned, tmp_path: Path, caplog):
    file = repository(tmp_path / "work")
    if cloned:
        (tmp_path / "work" / ".git").mkdir()

    assert won(load(file, "pyrat"))
    assert caplog.records == []


def test_such_a_bot_plays_in_a_process_of_its_own(tmp_path: Path):
    file = repository(tmp_path / "work")

    with Isolated(file, GAMES["pyrat"], tmp_path / "log") as bot:
        assert bot.name == "Nearest"
        assert won(bot)


def test_a_bot_may_put_a_folder_beside_its_own_on_the_path(tmp_path: Path):
    text = (
        "import os, sys\n"
        "here = os.path.dirname(os.path.realpath(__file__))\n"
        "sys.path.append(os.path.join(here, '..', 'tools'))\n"
        "import tool_of_this_test\n" + NEAREST
    )
    file = repository(
        tmp_path / "work",
        **{"players/search/nearest.py": text, "players/tools/tool_of_this_test.py": ""},
    )

    assert won(load(file, "pyrat"))
    assert "tool_of_this_test" not in sys.modules
    with Isolated(file, GAMES["pyrat"], tmp_path / "log") as bot:
        assert won(bot)


def test_what_it_imports_is_copied_and_nothing_else_of_the_repository(tmp_path: Path):
    file = repository(tmp_path / "work")
    copy = copied(file, tmp_path / "copy", everything(file))
    top = copy.parents[2]

    assert sorted(path.relative_to(top).as_posix() for path in top.rglob("*.*")) == [
        "constants_of_this_test.py",
        "helpers_of_this_test/ways.py",
        "players/base_of_this_test.py",
        "players/search/nearest.py",
    ]


SPY = """
import rival_of_this_test
from botarena.pyrat import Bot, Direction


class Spy(Bot):
    def think(self, state, ctx):
        return Direction.STAY
"""


@pytest.fixture
def spy(tmp_path: Path) -> Path:
    """A bot that imports the folder of another one beside its own."""
    rival = tmp_path / "bots" / "rival_of_this_test"
    rival.mkdir(parents=True)
    (rival / "secret.py").write_text("PLAN = 7\n")
    file = tmp_path / "bots" / "spy" / "spy.py"
    file.parent.mkdir()
    file.write_text(SPY)
    return file


def test_a_bot_with_bounds_gets_no_folder_by_importing_it(spy: Path, tmp_path: Path):
    with pytest.raises(BadBot, match="rival_of_this_test"):
        Isolated(spy, GAMES["pyrat"], tmp_path / "log", bounds=Bounds())


def test_what_a_bot_with_bounds_imports_from_its_repository_is_not_copied(
    spy: Path, tmp_path: Path
):
    (tmp_path / "bots" / ".git").mkdir()

    with pytest.raises(BadBot, match="rival_of_this_test"):
        Isolated(spy, GAMES["pyrat"], tmp_path / "log", bounds=Bounds())


def test_a_file_that_exhausts_the_parser_is_a_bad_bot(tmp_path: Path):
    file = tmp_path / "deep.py"
    file.write_text(f"x = {'-' * 200_000}1\n")

    with pytest.raises(BadBot):
        load(file, "pyrat")


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes with a name")
@pytest.mark.timeout(20)
def test_what_is_no_regular_file_is_not_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe_of_this_test.py")
    file = tmp_path / "mine.py"
    file.write_text("import pipe_of_this_test\n")

    assert imports(file).names == ()


def test_a_bounded_number_of_files_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "package_of_this_test"
    package.mkdir()
    for number in range(2 * FILES):
        (package / f"module{number}.py").write_text("")
    file = tmp_path / "bots" / "mine.py"
    file.parent.mkdir()
    file.write_text("import package_of_this_test\n")
    parsed: list[bytes] = []
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda text: parsed.append(text) or parse(text))

    assert imports(file).names == (package,)
    assert len(parsed) <= FILES


def test_what_only_a_neighbour_imports_is_not_the_bots(tmp_path: Path):
    (tmp_path / "helper_of_this_test.py").write_text("")
    file = tmp_path / "bots" / "mine.py"
    file.parent.mkdir()
    file.write_text("")
    (file.parent / "theirs.py").write_text("import helper_of_this_test\n")

    assert imports(file).names == ()


def test_a_file_that_fails_leaves_no_module(tmp_path: Path):
    file = tmp_path / "broken.py"
    file.write_text("import joueur\n")
    before = set(sys.modules)

    for _ in range(2):
        with pytest.raises(BadBot):
            load(file, "catastrophe")

    assert {name for name in set(sys.modules) - before if name.startswith("botarena_bot_")} == set()


def test_nothing_above_a_repository_is_looked_at(tmp_path: Path):
    file = repository(tmp_path / "work", **{"players/.git/config": ""})

    assert imports(file).folders == (tmp_path / "work" / "players",)


def test_modules_above_two_bots_are_their_own(tmp_path: Path):
    one, other = (
        load(
            repository(
                tmp_path / name, **{"constants_of_this_test.py": f"NONE = None\nMARK = {name!r}\n"}
            ),
            "pyrat",
        )
        for name in ("one", "other")
    )
    constants = [
        type(bot._player).turn.__globals__["first_step"].__globals__["NONE"] for bot in (one, other)
    ]

    assert constants == [None, None]
    assert not [name for name in sys.modules if name.endswith("_of_this_test")]
    assert type(one._player).__mro__[1] is not type(other._player).__mro__[1]


def test_a_package_games_of_the_repository_is_the_bots(tmp_path: Path):
    file = repository(
        tmp_path / "work",
        **{
            "games/__init__.py": "",
            "games/settings.py": "WIDTH = 15\n",
            "players/search/nearest.py": "from games.settings import WIDTH\n" + NEAREST,
        },
    )

    assert won(load(file, "pyrat"))
    assert hasattr(sys.modules["games"], "GAMES")


def test_a_clone_called_pyrat_is_not_the_package(tmp_path: Path):
    (tmp_path / "pyrat" / ".git").mkdir(parents=True)
    (tmp_path / "pyrat" / "mybot.py").write_text(PYRAT_CLASS)
    (tmp_path / "pyrat" / "pyrat").mkdir()

    assert won(load(tmp_path / "pyrat" / "mybot.py", "pyrat"))


def test_a_contest_module_that_lacks_a_library_is_replaced(tmp_path: Path):
    (tmp_path / "pyrat.py").write_text("import a_library_that_is_missing\n")
    (tmp_path / "mybot.py").write_text(PYRAT_CLASS)

    assert won(load(tmp_path / "mybot.py", "pyrat"))


def test_a_bot_gets_the_classes_of_a_package_beside_it(tmp_path: Path):
    (tmp_path / "pyrat.py").write_text(
        "from enum import Enum\n"
        "Action = Enum('Action', 'NOTHING NORTH EAST SOUTH WEST')\n"
        "class Maze: pass\nclass GameState: pass\n"
        "class Player:\n"
        "    name = 'mine'\n"
        "    def preprocessing(self, maze, game_state):\n"
        "        self.seen = isinstance(maze, Maze), isinstance(game_state, GameState)\n"
    )
    (tmp_path / "mybot.py").write_text(
        "from pyrat import Action, Player\nclass Mine(Player):\n"
        "    def turn(self, maze, game_state): return Action.NORTH\n"
    )
    bot = load(tmp_path / "mybot.py", "pyrat")
    won(bot)

    assert bot._player.seen == (True, True)


FIRST_COURSE = f"""
import player
from pathlib import Path
from imports_of_this_test.parameters import LIMIT
import helper_of_this_test

assert __name__ == "player" and player.__file__ == __file__


class Memory:
    pass


memory = Memory()
{PYRAT_MODULE}

def preprocessing(*about):
    import pickle, player
    assert isinstance(player.memory, Memory)
    assert isinstance(pickle.loads(pickle.dumps(memory)), Memory)
    memory.calls = [LIMIT, helper_of_this_test.LIMIT]
"""


def first_course(top: Path) -> Path:
    for name, text in {
        "imports_of_this_test/parameters.py": "LIMIT = 1\n",
        "AIs/helper_of_this_test.py": "from imports_of_this_test.parameters import LIMIT\n",
        "AIs/hands.py": FIRST_COURSE,
    }.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top / "AIs" / "hands.py"


def test_a_module_of_the_first_course_is_called_player_and_imports_from_above(
    tmp_path: Path, caplog
):
    file = first_course(tmp_path / "work")
    one, other = load(file, "pyrat"), load(file, "pyrat")

    assert won(one)
    assert won(other)
    assert caplog.records == []
    assert one._functions["memory"].calls == [1, 1]
    assert one._functions["memory"] is not other._functions["memory"]
    assert "player" not in sys.modules
    with pytest.raises(pickle.PicklingError):  # outside its calls there may be several of them
        pickle.dumps(one._functions["memory"])


def test_a_module_of_the_first_course_plays_in_a_process_of_its_own(tmp_path: Path):
    with Isolated(first_course(tmp_path / "work"), GAMES["pyrat"], tmp_path / "log") as bot:
        assert won(bot)


def test_a_user_without_a_home_folder_loads_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    file = tmp_path / "deep" / "mine.py"
    file.parent.mkdir()
    (tmp_path / "helper.py").write_text("NUMBER = 7\n")
    file.write_text("import helper\n")

    assert tmp_path / "helper.py" in imports(file).names
