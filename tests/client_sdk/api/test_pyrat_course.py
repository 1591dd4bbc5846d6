"""The stand-in for the package `pyrat`: its graphs, mazes and values in both spellings."""

from __future__ import annotations

import copy

import pytest

from client_sdk.api import pyrat_course as course
from client_sdk.api.pyrat_course import (
    Action,
    FixedPlayer,
    Game,
    GameMode,
    GameState,
    Graph,
    MazeFromDict,
    MazeFromMatrix,
    Player,
    PlayerSkin,
    PyRatException,
    RandomMaze,
)

# 0 1 2
# 3 . 5
COSTS = {0: {1: 1, 3: 4}, 1: {0: 1, 2: 1}, 2: {1: 1, 5: 1}, 3: {0: 4}, 5: {2: 1}}


def triangle():
    graph = Graph()
    for vertex in (0, 1, 2):
        graph.add_vertex(vertex)
    graph.add_edge(0, 1, 5, symmetric=True)
    graph.add_edge(1, 2, 2, symmetric=True)
    graph.add_edge(2, 0, 3)
    return graph


def test_the_actions_are_in_the_packages_order():
    assert [action.name for action in Action] == ["NOTHING", "NORTH", "EAST", "SOUTH", "WEST"]


@pytest.mark.parametrize(
    "name",
    ["vertices", "edges", "nb_vertices", "nb_edges", "width", "height"],
)
def test_a_value_of_a_maze_is_an_attribute_and_a_method_with_and_without_get(name):
    maze = MazeFromDict(COSTS)
    value = getattr(maze, name)

    assert value == value() == getattr(maze, f"get_{name}")()


def test_a_maze_of_a_dict_has_its_size_and_its_holes():
    maze = MazeFromDict(COSTS)

    assert (maze.width, maze.height, maze.nb_vertices, maze.nb_edges) == (3, 2, 5, 4)
    assert [maze.i_exists(cell) for cell in range(7)] == [True] * 4 + [False, True, False]
    assert [maze.rc_exists(*cell) for cell in ((1, 1), (1, 2), (0, 3), (-1, 0))] == [
        False,
        True,
        False,
        False,
    ]


def test_a_maze_of_a_matrix_is_that_of_a_dict():
    matrix = [[COSTS.get(one, {}).get(other, 0) for other in range(6)] for one in range(6)]

    assert MazeFromMatrix(matrix).as_dict() == MazeFromDict(COSTS).as_dict()


def test_a_difference_is_row_and_column_of_the_first_less_the_second():
    assert MazeFromDict(COSTS).coords_difference(5, 0) == (1, 2)


def test_a_path_becomes_its_actions():
    maze = MazeFromDict(COSTS)

    assert maze.locations_to_actions([3, 0, 1, 2, 5]) == [
        Action.NORTH,
        Action.EAST,
        Action.EAST,
        Action.SOUTH,
    ]
    assert maze.locations_to_actions([3]) == []


def test_a_graph_counts_an_edge_of_both_ways_once():
    graph = triangle()

    assert graph.edges == [(0, 1), (1, 2), (2, 0)]
    assert (graph.edge_is_symmetric(0, 1), graph.edge_is_symmetric(2, 0)) == (True, False)
    assert (graph.has_edge(0, 2), graph.has_edge(2, 0), graph.has_edge(7, 0)) == (
        False,
        True,
        False,
    )


def test_a_graph_without_an_edge_is_not_connected():
    graph = triangle()
    assert graph.is_connected()

    graph.remove_edge(0, 1, symmetric=True)
    assert not graph.is_connected()

    graph.remove_vertex(0)
    assert graph.as_dict() == {1: {2: 2}, 2: {1: 2}}
    assert graph.is_connected()


def test_a_graph_refuses_vertices_that_it_has_or_lacks():
    graph = triangle()

    with pytest.raises(ValueError, match="a vertex 1 already"):
        graph.add_vertex(1)
    with pytest.raises(ValueError, match="no vertex 9"):
        graph.add_edge(1, 9)


def test_a_minimum_spanning_tree_has_the_least_weights():
    graph = triangle()
    graph.add_edge(0, 2, 3)

    assert graph.minimum_spanning_tree().as_dict() == {0: {2: 3}, 1: {2: 2}, 2: {1: 2, 0: 3}}


def test_a_mazes_matrix_has_a_row_for_every_cell():
    import numpy

    matrix = MazeFromDict(COSTS).as_numpy_ndarray()

    assert (matrix.shape, matrix[0, 3], matrix[3, 0], matrix[4].sum()) == ((6, 6), 4, 4, 0)
    assert isinstance(matrix, numpy.ndarray)


def state():
    return GameState(
        turn=3,
        player_locations={"a": 1, "b": 2},
        score_per_player={"a": 1.5, "b": 0},
        muds={"a": {"target": 2, "count": 1}, "b": {"target": None, "count": 0}},
        teams={"rat": ["a"], "python": ["b"]},
        cheese=[0, 5],
    )


@pytest.mark.parametrize(
    "name",
    [
        "turn",
        "player_locations",
        "score_per_player",
        "score_per_team",
        "muds",
        "teams",
        "cheese",
    ],
)
def test_a_value_of_a_game_state_is_an_attribute_and_a_method(name):
    value = getattr(state(), name)

    assert value == value() == getattr(state(), f"get_{name}")()


def test_a_game_state_has_players_opponents_and_scores_of_teams():
    now = state()

    assert (now.get_players(), now.get_players("python")) == (["a", "b"], ["b"])
    assert (now.get_opponents("a"), now.get_score_per_team()) == (["b"], {"rat": 1.5, "python": 0})
    assert (now.is_in_mud("a"), now.is_in_mud("b"), now.game_over()) == (True, False, False)


def test_mazes_and_states_can_be_copied():
    maze, now = copy.deepcopy((MazeFromDict(COSTS), state()))

    assert (maze.as_dict(), now.turn, now.cheese) == (COSTS, 3, [0, 5])


def test_an_unknown_attribute_is_an_attribute_error():
    for thing in (MazeFromDict(COSTS), state(), Player()):
        for name in ("teleport", "get_teleport"):
            with pytest.raises(AttributeError, match="teleport"):
                getattr(thing, name)


def test_settings_of_a_game_may_have_any_name():
    assert (PlayerSkin.RAT.name, PlayerSkin.DRAGON, GameMode.BLITZ) == (
        "RAT",
        PlayerSkin.RAT,
        GameMode.MATCH,
    )
    with pytest.raises(AttributeError):
        PlayerSkin.dragon  # noqa: B018


def test_a_game_of_the_package_plays_nothing(caplog):
    caplog.set_level("INFO", "botarena")
    game = Game(mode=GameMode.MATCH)
    game.add_player(FixedPlayer([Action.NORTH], name="fixed"), team="one")

    assert game.start() == {"turns": 0, "players": {"fixed": {"score": 0.0, "actions": {}}}}
    assert "botarena play" in caplog.text


def test_a_random_maze_says_that_there_is_none():
    with pytest.raises(PyRatException, match="MazeFromDict"):
        RandomMaze(cell_percentage=80)


def test_a_star_import_gives_the_names_of_typing_and_numpy():
    names = {}
    exec("from client_sdk.api.pyrat_course import *", names)

    assert {"Union", "Dict", "List", "Optional", "Self", "numpy", "Player"} <= names.keys()
    assert names["Union"][names["numpy"].ndarray, int]


def test_without_numpy_its_array_can_still_be_named(monkeypatch):
    monkeypatch.setattr(course.importlib.util, "find_spec", lambda name: None)

    assert not isinstance({}, course.numpy.ndarray)
    with pytest.raises(AttributeError):
        course.numpy.zeros  # noqa: B018
