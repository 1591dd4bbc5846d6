"""Bots of PyRat's contest SDK, which import `pyrat_sdk`."""

from __future__ import annotations

import copy
import sys
from pathlib import Path

import pytest

from client_sdk.api import pyrat_sdk
from client_sdk.api.pyrat_sdk import Bot, Context, Direction, GameSim, MoveUndo, Player
from client_sdk.bot import HeadlessLink, house, load, play_headless, start_of
from client_sdk.errors import BadBot
from tests.client_sdk.api.test_pyrat import PYTHON, RAT, begun

SEARCH = """
import pyrat_sdk
from pyrat_sdk import Bot, Context, Direction, GameResult, GameSim, GameState, Spin
from pyrat_sdk.bot import Bot as SameBot
from pyrat_sdk.options import Check, Combo, Str
from pyrat_sdk.state import GameState as SameState, MoveUndo, PathResult, Player

assert SameBot is Bot and SameState is GameState and pyrat_sdk.__version__


class Search(Bot):
    name = "Search"
    author = "a student"
    depth = Spin(default=2, min=1, max=5)
    calm = Check(default=True)
    style = Combo(default="greedy", choices=["greedy", "calm"])
    note = Str(default="")

    def __init__(self):
        self.results = []

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self.hashes = {state.state_hash}

    def think(self, state: GameState, ctx: Context) -> Direction:
        nearest = state.nearest_cheese()
        if nearest is None:
            return Direction.STAY
        target, path, first_moves, cost = nearest
        sim = state.to_sim()
        undo = sim.make_move(int(first_moves[0]), 4)
        assert undo.turn == state.turn and undo.p1_pos == state.player1_position
        sim.unmake_move(undo)
        assert sim.recompute_state_hash() == state.state_hash
        self.hashes.add(state.state_hash)
        ctx.send_provisional(first_moves[0], player=state.my_player)
        ctx.send_info(player=state.my_player, target=target, depth=self.depth, pv=path)
        return first_moves[0]

    def on_game_over(self, result: GameResult, scores) -> None:
        score1, score2 = scores
        self.results.append((result, score1, score2))


if __name__ == "__main__":
    Search().run()
"""


def state_of(match, seat):
    class Watching(Bot):
        def think(self, state, ctx):
            self.seen = state, ctx
            return Direction.STAY

    bot = Watching()
    bot.on_start(start_of(match, seat))
    bot.decide(match.view(seat))
    return bot.seen


def test_a_bot_of_the_sdk_plays_a_whole_match_without_warnings(tmp_path: Path, caplog):
    path = tmp_path / "bot.py"
    path.write_text(SEARCH)
    bot = load(path, "pyrat")
    match = begun(cheese=[[0, 1]])
    play_headless(match, [house("pyrat", "random"), bot])

    assert (bot.name, bot.game, match.outcome.winner) == ("Search", "pyrat", PYTHON)
    assert bot.results == [(pyrat_sdk.GameResult.PLAYER1, 1.0, 0.0)]
    assert caplog.records == []
    assert not [name for name in sys.modules if name.partition(".")[0] == "pyrat_sdk"]


def test_our_sdk_goes_before_a_package_beside_the_bot(tmp_path: Path):
    (tmp_path / "pyrat_sdk").mkdir()
    (tmp_path / "pyrat_sdk" / "__init__.py").write_text("raise ImportError('it needs a build')\n")
    (tmp_path / "bot.py").write_text(SEARCH)

    assert load(tmp_path / "bot.py", "pyrat").name == "Search"


def test_a_bot_for_both_sides_is_refused_by_line(tmp_path: Path):
    path = tmp_path / "bot.py"
    path.write_text("from pyrat_sdk import HivemindBot\nclass Mine(HivemindBot): pass\n")

    with pytest.raises(BadBot, match=r"bot\.py, line 2: .*plays both sides"):
        load(path, "pyrat")


def test_a_path_is_a_tuple_of_four():
    state, _ = state_of(begun(), RAT)

    assert state.nearest_cheese() == ((1, 1), [Direction.LEFT], [Direction.LEFT], 1)
    assert [len(way) for way in state.nearest_cheeses()] == [4]
    assert state.shortest_path((0, 0), (0, 1)).cost == 1


def test_an_undo_has_the_values_before_the_move():
    state, _ = state_of(begun(), RAT)
    sim = state.to_sim()
    undo = sim.make_move(0, 3)

    assert isinstance(undo, MoveUndo)
    assert (undo.p1_pos, undo.p2_pos, undo.p1_mud, undo.p2_mud, undo.turn) == (
        (0, 0),
        (2, 1),
        0,
        0,
        0,
    )
    assert (undo.p1_score, undo.p2_score, undo.p1_misses, undo.p2_misses) == (0, 0, 0, 0)
    assert undo.collected_cheese == [(0, 1), (1, 1)]
    assert (sim.player1_score, sim.player2_score) == (1, 1)


def test_copies_of_a_board_are_boards_of_the_sdk():
    state, _ = state_of(begun(), RAT)
    sim = state.to_sim()
    one, other = sim.copy(), copy.copy(sim)
    one.make_move(Direction.UP, Direction.LEFT)

    assert type(one) is type(other) is GameSim
    assert other.state_hash == sim.state_hash == state.state_hash != one.state_hash
    assert isinstance(state.state_hash, int)


def test_messages_that_cannot_be_sent_raise_nothing(caplog):
    class Broken(HeadlessLink):
        def provisional(self, commands):
            raise OSError("gone")

        def info(self, data):
            raise OSError("gone")

    context = Context(Broken(), 0.0, None)
    context.send_provisional(Direction.UP, Player.PLAYER1)
    context.send_info(player=Player.PLAYER1)

    assert caplog.text.count("OSError: gone") == 2


def test_the_matrices_are_arrays_by_x_and_y():
    state, _ = state_of(begun(), RAT)

    assert state.cheese_matrix.shape == (3, 2)
    assert [state.cheese_matrix[0, 1], state.cheese_matrix[2, 0]] == [1, 0]
    assert state.movement_matrix.shape == (3, 2, 4)
    assert [*state.movement_matrix[1, 0]] == [3, 0, -1, -1]
