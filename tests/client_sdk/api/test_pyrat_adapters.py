"""PyRat bots of the courses (RULES §10): what they receive and what their answers mean, on a
board drawn by hand."""

from __future__ import annotations

import math
import sys
from enum import Enum
from types import ModuleType

import pytest

from client_sdk.api.pyrat_adapters import OfFunctions, OfModule, OfPlayer
from client_sdk.api.pyrat_course import Action, Player
from client_sdk.bot import house, play_headless, start_of
from tests.client_sdk.api.test_pyrat import PYTHON, RAT, begun

# Rows from the top:   0 (0,1)   1 (1,1)   2 (2,1)
#                      3 (0,0)   4 (1,0)   5 (2,0)
# A wall between 3 and 4, mud of cost 3 between 1 and 4; the rat on 2, the python on 3, cheese on 0
# and 1.


def module(turn, **more):
    made = ModuleType("mine")
    vars(made).update(turn=turn, **more)
    return OfModule(made)


class Recorder(Player):
    """Answers what it was made to answer, and keeps what it was sent."""

    answer: object = Action.NOTHING

    def __init__(self):
        super().__init__()
        self.received = []

    def preprocessing(self, maze, game_state):
        self.maze = maze
        self.received.append(game_state)

    def turn(self, maze, game_state):
        self.received.append(game_state)
        return self.answer

    def postprocessing(self, maze, game_state, stats):
        self.received.append(game_state)
        self.stats = stats


def decided(bot, match=None, seat=RAT):
    match = match or begun()
    bot.on_start(start_of(match, seat, ["rat", "python"]))
    return list(bot.decide(match.view(seat)))


# --- the first course -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "move"), [("U", "UP"), ("R", "RIGHT"), ("D", "DOWN"), ("L", "LEFT")]
)
def test_a_letter_is_a_move(letter, move):
    assert [move] == decided(module(lambda *_: letter))


@pytest.mark.parametrize("answer", [None, ""])
def test_no_letter_stays(answer, caplog):
    assert decided(module(lambda *_: answer)) == ["STAY"]
    assert caplog.records == []


@pytest.mark.parametrize("answer", ["u", "UP", 2, ["U"]])
def test_an_invalid_answer_of_a_module_stays_with_a_warning(answer, caplog):
    assert decided(module(lambda *_: answer)) == ["STAY"]
    assert f"expected one of U, R, D, L, got {answer!r}" in caplog.text


def test_a_module_gets_the_maze_as_dicts_in_our_coordinates():
    received = []
    bot = module(
        lambda *about: received.append(about) or "U",
        preprocessing=lambda *about: received.append(about),
    )
    decided(bot)

    (maze, *before), (again, *now) = received
    assert maze[2, 1] == {(1, 1): 1, (2, 0): 1}
    assert (maze[0, 0], maze[1, 0]) == ({(0, 1): 1}, {(2, 0): 1, (1, 1): 3})
    assert again is maze
    assert before[:-1] == [3, 2, (2, 1), (0, 0), [(0, 1), (1, 1)]]
    assert now[:-1] == [3, 2, (2, 1), (0, 0), 0, 0, [(0, 1), (1, 1)]]
    assert {tuple} == {type(cell) for cell in (*maze, *maze[0, 0], *now[2:4], *now[-2])}
    assert 9 < before[-1] <= 10
    assert 0.5 < now[-1] <= 1


def test_without_a_limit_a_modules_time_is_infinite():
    received = []
    decided(module(lambda *about: received.append(about) or "U"), begun(move_timeout_ms=0))

    assert math.inf == received[0][-1]


def test_a_module_gets_the_end_like_a_turn():
    received = []
    bot = module(lambda *_: "L", postprocessing=lambda *about: received.append(about))
    match = begun()
    play_headless(match, [bot, house("pyrat", "greedy")])

    ((_, width, height, here, _, mine, theirs, cheese, _),) = received
    assert [seat.score for seat in match.outcome.seats] == [mine, theirs]
    assert (3, 2, [*match.view(RAT)["rat"]["position"]], match.view(RAT)["cheese"]) == (
        width,
        height,
        [*here],
        [[*cell] for cell in cheese],
    )


def test_a_team_name_is_the_bots_name():
    assert module(lambda *_: "U", TEAM_NAME="Old Hands").name == "Old Hands"


def test_a_modules_cheese_list_is_its_own():
    received = []
    bot = module(lambda *about: received.append(about[-2]) or about[-2].clear() or "U")
    match = begun()
    bot.on_start(start_of(match, RAT))
    bot.decide(match.view(RAT))
    bot.decide(match.view(RAT))

    assert received == [[], []]
    assert received[0] is not received[1]


def leaves(*_):
    sys.exit("enough")


def fails(*_):
    return [].pop()


@pytest.mark.parametrize(
    ("failing", "said"), [(leaves, "RuntimeError: the bot called"), (fails, "IndexError: pop")]
)
def test_an_exception_or_exit_of_a_module_ends_only_its_call(failing, said, caplog):
    bot = module(failing, preprocessing=failing, postprocessing=failing)
    match = begun(max_turns=3)
    play_headless(match, [bot, house("pyrat", "random")])

    assert match.outcome.seats[0].details["stayed"] == match.turn
    assert caplog.text.count(said) == match.turn + 2


# --- functions of 2022 and 2023 -------------------------------------------------------------------


def functions(turn, **more):
    made = ModuleType("theirs")
    vars(made).update(turn=turn, __file__="/bots/theirs.py", **more)
    return OfFunctions(made)


@pytest.mark.parametrize(
    ("word", "move"),
    [("north", "UP"), ("east", "RIGHT"), ("south", "DOWN"), ("west", "LEFT"), ("nothing", "STAY")],
)
def test_a_possible_action_is_a_move(word, move):
    assert [move] == decided(functions(lambda *about: about[9][about[9].index(word)]))


@pytest.mark.parametrize("answer", [None, "", "NORTH", 1])
def test_an_impossible_action_stays_with_a_warning(answer, caplog):
    assert decided(functions(lambda *_: answer)) == ["STAY"]
    assert f"expected one of nothing, north, east, south, west, got {answer!r}" in caplog.text


def test_functions_get_the_match_by_names():
    received = []
    bot = functions(
        lambda *about: received.append(about) or "nothing",
        preprocessing=lambda *about: received.append(about),
        postprocessing=lambda *about: received.append(about),
    )
    match = begun(max_turns=1)
    play_headless(match, [bot, house("pyrat", "random")])

    before, now, last = received
    actions = ["nothing", "north", "east", "south", "west"]
    teams, places = {"rat": ["theirs"], "python": ["random"]}, {"theirs": 2, "random": 3}
    free = {"target": None, "count": 0}
    maze, memory = before[0], before[-1]
    assert maze[1] == {0: 1, 2: 1, 4: 3}
    assert before == (maze, 3, 2, "theirs", teams, places, [0, 1], actions, memory)
    assert now == (
        *before[:6],
        {"theirs": 0, "random": 0},
        {"theirs": free, "random": free},
        *before[6:],
    )
    assert (now[0] is maze, len(last), last[-1]["turns"]) == (True, 12, 1)


def test_the_memory_of_functions_lasts_for_the_match():
    def turn(*about):
        about[-1].turns.append(len(about[-1].turns))
        return "nothing"

    def preprocessing(*about):
        about[-1].turns = []

    bot = functions(turn, preprocessing=preprocessing)
    play_headless(begun(max_turns=3), [bot, house("pyrat", "random")])

    assert bot._memory.turns == [0, 1, 2]


# --- classes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "move"),
    [("NORTH", "UP"), ("EAST", "RIGHT"), ("SOUTH", "DOWN"), ("WEST", "LEFT"), ("NOTHING", "STAY")],
)
@pytest.mark.parametrize("actions", [Action, Enum("Theirs", "NORTH EAST SOUTH WEST NOTHING")])
def test_an_action_of_any_package_is_a_move(actions, action, move):
    class Mine(Recorder):
        answer = actions[action]

    assert [move] == decided(OfPlayer(Mine))


@pytest.mark.parametrize("answer", [None, "NORTH", 2, [Action.NORTH]])
def test_an_invalid_answer_of_a_player_stays_with_a_warning(answer, caplog):
    class Mine(Recorder):
        pass

    Mine.answer = answer

    assert decided(OfPlayer(Mine)) == ["STAY"]
    assert f"got {answer!r}" in caplog.text


def test_a_players_maze_numbers_cells_by_row_from_the_top():
    bot = OfPlayer(Recorder)
    decided(bot)
    maze = bot._player.maze

    assert (maze.width, maze.height, maze.vertices) == (3, 2, [0, 1, 2, 3, 4, 5])
    assert maze.as_dict() == {
        0: {1: 1, 3: 1},
        1: {0: 1, 2: 1, 4: 3},
        2: {1: 1, 5: 1},
        3: {0: 1},
        4: {1: 3, 5: 1},
        5: {2: 1, 4: 1},
    }
    assert maze.edges == [(0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (4, 5)]
    assert (maze.get_neighbors(0), maze.has_edge(1, 4), maze.has_edge(3, 4)) == (
        [1, 3],
        True,
        False,
    )
    assert (maze.get_weight(1, 4), maze.i_to_rc(4), maze.rc_to_i(1, 1)) == (3, (1, 1), 4)


def test_only_a_step_to_an_adjacent_cell_is_an_action():
    bot = OfPlayer(Recorder)
    decided(bot)
    maze = bot._player.maze

    assert [maze.locations_to_action(4, cell) for cell in (1, 5, 3, 4)] == [
        Action.NORTH,
        Action.EAST,
        Action.WEST,
        Action.NOTHING,
    ]
    assert maze.locations_to_action(1, 4) == Action.SOUTH
    for cell in (0, 2):
        with pytest.raises(ValueError, match="not beside"):
            maze.locations_to_action(4, cell)
    with pytest.raises(ValueError, match="no passage"):
        maze.get_weight(3, 4)


def test_a_player_sees_all_players_by_name():
    bot = OfPlayer(Recorder)
    decided(bot)
    seen = bot._player.received[-1]

    assert (
        seen.turn,
        seen.player_locations,
        seen.score_per_player,
        seen.cheese,
    ) == (1, {"Recorder": 2, "python": 3}, {"Recorder": 0, "python": 0}, [0, 1])
    assert not seen.is_in_mud("Recorder")


def test_an_opponent_of_the_same_name_has_another_key():
    bot = OfPlayer(Recorder)
    bot.on_start(start_of(begun(), PYTHON, ["Recorder", "Recorder"]))

    assert bot._player.received[-1].player_locations == {"Recorder (opponent)": 2, "Recorder": 3}


def test_a_player_in_mud_stands_at_its_origin_and_is_not_asked():
    match = begun(rat_start=[1, 0], cheese=[[0, 1], [2, 1]])
    north, watching = (
        OfPlayer(type("North", (Recorder,), {"answer": Action.NORTH})),
        OfPlayer(Recorder),
    )
    play_headless(match, [north, watching], ["north", "watching"])

    _, first, second, third, fourth, *_ = watching._player.received
    assert [seen.player_locations["north"] for seen in (first, second, third, fourth)] == [
        4,
        4,
        4,
        1,
    ]
    assert [seen.muds["north"]["target"] for seen in (first, second, third, fourth)] == [
        None,
        1,
        1,
        None,
    ]
    assert [seen.muds["north"]["count"] for seen in (first, second, third, fourth)] == [0, 2, 1, 0]
    assert [seen.turn for seen in north._player.received[1:4]] == [1, 4, 5]


def test_a_player_gets_the_end_with_everyones_result():
    match = begun()
    bot = OfPlayer(Recorder)
    play_headless(match, [house("pyrat", "greedy"), bot])
    player = bot._player

    assert match.turn == player.received[-1].turn == player.stats["turns"]
    assert {"greedy", "Recorder"} == player.stats["players"].keys()
    assert (
        player.stats["players"]["Recorder"]["outcome"],
        player.stats["players"]["Recorder"]["score"],
    ) == ("loss", 0)


def test_optional_methods_of_a_player_can_be_missing():
    class Mine:
        def turn(self, maze, game_state):
            return Action.SOUTH

    match = begun()
    play_headless(match, [OfPlayer(Mine), house("pyrat", "random")])

    assert OfPlayer(Mine).name == "Mine"
    assert match.outcome is not None


def test_an_exit_of_a_player_ends_only_its_call(caplog):
    class Leaves(Recorder):
        preprocessing = turn = postprocessing = leaves

    match = begun(max_turns=3)
    play_headless(match, [OfPlayer(Leaves), house("pyrat", "random")])

    assert match.outcome.seats[0].details["stayed"] == match.turn
    assert caplog.text.count("RuntimeError: the bot called sys.exit") == match.turn + 2


def test_an_action_that_does_not_exist_stays(caplog):
    class Stays(Recorder):
        def turn(self, maze, game_state):
            return Action.STAY

    assert decided(OfPlayer(Stays)) == ["STAY"]
    assert "STAY" in caplog.text


def test_preprocessing_is_turn_0_and_the_first_turn_is_1():
    bot = OfPlayer(Recorder)
    match = begun(max_turns=2)
    play_headless(match, [bot, house("pyrat", "random")])

    assert [int(seen.turn) for seen in bot._player.received] == [0, 1, 2, 2]
    assert [seen.game_over() for seen in bot._player.received] == [False, False, False, True]


def test_a_player_gets_everyones_actions_and_its_own_durations():
    class North(Recorder):
        answer = Action.SOUTH

    bot = OfPlayer(North)
    play_headless(begun(max_turns=3), [bot, house("pyrat", "random")])
    mine, theirs = (bot._player.stats["players"][name] for name in ("North", "random"))

    assert (mine["team"], theirs["team"]) == ("rat", "python")
    assert mine["actions"] == {
        "mud": 0, "wall": 2, "nothing": 0, "north": 0, "east": 0, "south": 1, "west": 0,
    }  # fmt: skip
    assert (len(mine["turn_durations"]), mine["preprocessing_duration"] > 0) == (3, True)
    assert theirs["turn_durations"] == []


def test_a_constructor_may_require_a_name_and_a_skin():
    class Mine(Player):
        def __init__(self, name, skin):
            super().__init__(name, skin)

        def turn(self, maze, game_state):
            return Action.SOUTH

    assert OfPlayer(Mine).name == "Mine"
    assert OfPlayer(Mine)._player.skin.name == "RAT"


# --- a package `pyrat` that is installed ----------------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """A package whose player checks what it gets, and whose classes need to be built its own
    way."""
    package = ModuleType("pyrat")
    text = """
from abc import ABC, abstractmethod
from enum import Enum

Action = Enum("Action", "NOTHING NORTH EAST SOUTH WEST")
PlayerSkin = Enum("PlayerSkin", "RAT PYTHON")


class Maze(ABC):
    def __init__(self, width, height, algorithm):
        self.__width = width

    def get_width(self):
        return self.__width

    @property
    def vertices(self):
        return self.__vertices

    @abstractmethod
    def _create(self): ...


class GameState:
    def __init__(self):
        self.__turn = 0

    @property
    def turn(self):
        return self.__turn


class Player(ABC):
    def __init__(self, name=None, skin=PlayerSkin.RAT):
        self.__name = name or type(self).__name__

    def get_name(self):
        return self.__name

    def preprocessing(self, maze, game_state):
        assert isinstance(maze, Maze) and isinstance(game_state, GameState)
        self.early = maze.get_width(), game_state.turn, maze.vertices
"""
    monkeypatch.setitem(sys.modules, "pyrat", package)
    exec(text, vars(package))
    for cls in ("Action", "GameState", "Maze", "Player", "PlayerSkin"):
        getattr(package, cls).__module__ = "pyrat"
    return package


def test_a_bot_of_an_installed_package_gets_its_classes(installed, caplog):
    class Mine(installed.Player):
        def turn(self, maze, game_state):
            assert isinstance(maze, installed.Maze)
            assert isinstance(game_state, installed.GameState)
            here = game_state.player_locations[self.get_name()]
            action = maze.locations_to_action(here, maze.get_neighbors(here)[0])
            assert isinstance(action, installed.Action)
            return action

    bot = OfPlayer(Mine)
    assert decided(bot) == ["LEFT"]
    assert (bot.name, bot._player.early) == ("Mine", (3, 0, [0, 1, 2, 3, 4, 5]))
    assert caplog.records == []
