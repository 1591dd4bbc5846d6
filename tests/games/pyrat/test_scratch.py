"""RULES §3: the board to play on and take back; and what every state owes the match core."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.match import Match
from games.pyrat import GAME
from games.pyrat.board import STAY
from games.pyrat.scratch import Scratch, collected
from games.pyrat.state import SEATS, State
from tests.games.pyrat.table import DICE, ODD_CONFIGS, mud_turns, random_states, table, turn

joint_moves = st.lists(st.tuples(st.integers(0, STAY), st.integers(0, STAY)), max_size=60)
configs = st.sampled_from(ODD_CONFIGS)
seeds = st.integers(0, 10_000)


def begun(config: dict[str, object], seed: int) -> State:
    state: State = Match.begin(GAME, config, seed).state
    return state


@given(configs, seeds, joint_moves)
def test_the_scratch_board_and_advance_play_the_same_game(
    config: dict[str, object], seed: int, moves: list[tuple[int, int]]
) -> None:
    state = begun(config, seed)
    board = Scratch.of(state)
    for rat, python in moves:
        board.unmake(board.make(python, rat))
        undo = board.make(rat, python)
        for seat, move in zip(SEATS, (rat, python), strict=True):
            state, _ = GAME.apply(state, seat, move, DICE)
        state = GAME.advance(state, DICE)
        assert board.now == state.now
        assert collected(undo, board.now) == state.collected
        assert (board.ending is None) is (GAME.outcome(state) is None)


def test_a_frozen_board_plays_on_as_a_match_does() -> None:
    state = table("R*P", "***")
    board = Scratch.of(state)
    board.make(1, 4)

    assert (
        turn(board.freeze(), "DOWN", "LEFT").now
        == turn(turn(state, "RIGHT", "STAY"), "DOWN", "LEFT").now
    )


@given(configs, joint_moves, joint_moves)
def test_keys_are_equal_exactly_if_state_hashes_are(
    config: dict[str, object], one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    board = Scratch.of(begun(config, 1))
    met = {board.key: board.state_hash}
    for moves in (one, other):
        undone = [board.make(rat, python) for rat, python in moves]
        for undo in reversed(undone):
            assert met.setdefault(board.key, board.state_hash) == board.state_hash
            board.unmake(undo)

    assert len(set(met.values())) == len(met)


def test_the_search_considers_mud_and_the_end() -> None:
    board = Scratch.of(table("R*P", "...", mud=(((2, 0), (2, 1), 3),)))
    board.make(1, 2)

    assert (
        board.body(1).mud
        == mud_turns(turn(table("R*P", "...", mud=(((2, 0), (2, 1), 3),)), "RIGHT", "DOWN"), 1)
        == 2
    )
    assert board.ending == "majority"


@pytest.mark.parametrize("config", ODD_CONFIGS, ids=str)
def test_a_state_is_immutable(config: dict[str, object]) -> None:
    kept = [
        (state, repr(state), pickle.dumps(state))
        for state in random_states(config | {"max_turns": 25}, 7)
    ]

    for state, shown, pickled in kept:
        assert repr(state) == shown
        assert pickle.dumps(state) == pickled


def test_a_pickled_state_is_equal() -> None:
    for state in random_states({"preset": "tiny", "max_turns": 20}, 3):
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert repr(again) == repr(state)
        assert GAME.view(again, 0) == GAME.view(state, 0)
        assert hash(again) == hash(state)


def test_the_repr_has_everything_that_changes_and_not_the_maze() -> None:
    state = table("R*P", "***")
    sealed, _ = GAME.apply(state, 0, 1, DICE)
    shown = [
        repr(one)
        for one in (state, sealed, turn(state), turn(state, "STAY", None), turn(state, "UP", "UP"))
    ]

    assert len(set(shown)) == len(shown)
    assert "Maze" not in shown[0]
    for one in (sealed, *random_states({"max_turns": 10}, 1)):
        assert repr(one) == f"State{one[1:]!r}"
        assert len(repr(one)) < 2500


def test_equal_mazes_are_equal_and_others_are_not() -> None:
    one, same, other = (begun({"preset": "tiny"}, seed).maze for seed in (1, 1, 2))

    assert one == same != other
    assert hash(one) == hash(same)
    assert one != "maze"


def test_random_play_of_every_board_ends() -> None:
    chance = Random(1)
    for config in ODD_CONFIGS:
        *_, last = random_states(config | {"max_turns": 60}, chance.randrange(1000))
        assert GAME.outcome(last) is not None
