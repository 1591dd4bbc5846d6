"""The boards to search on: each plays what its game plays, step by step, and takes everything
back."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games import GAMES
from games.core.contract import AnyGame, Json, Rejected, Seat
from games.core.dice import Seeded
from games.core.match import Match
from games.every import OURS
from tests.games.boards import BOARDS, Board, without
from tests.games.entries import ENTRIES

STEPS = 300
"""As many are played at least, in as many matches as that takes."""

CASES = [
    pytest.param(name, config, id=f"{name}-{number}")
    for name, board in BOARDS.items()
    for number, config in enumerate((*ENTRIES[name].configs, *board.configs))
]


def of(board: Board, state: Any, seed: int) -> Any:
    return board.scratch.of(state, Seeded(seed)) if board.chance else board.scratch.of(state)


def tried(scratch: Any, moves: tuple[Any, ...]) -> tuple[Any, str | None]:
    """The undo token of the moves, or the code with which they were rejected."""
    try:
        return scratch.make(*moves), getattr(scratch, "refused", None)
    except Rejected as fault:
        return None, fault.code


@pytest.mark.parametrize(("name", "config"), CASES)
def test_a_board_plays_what_the_match_plays_and_takes_it_back(
    name: str, config: Mapping[str, Json]
) -> None:
    played = seed = 0
    while played < STEPS:
        played += played_alike(name, config, seed)
        seed += 1


def played_alike(name: str, config: Mapping[str, Json], seed: int) -> int:
    """The steps of a match that was played on a board too, and taken back there."""
    game, board, chance = GAMES[name], BOARDS[name], Random(seed)
    match, dice = Match.begin(game, config, seed), Seeded(seed)
    board.begin(match, chance)
    state = match.state
    scratch = of(board, state, seed)
    before, trail = scratch.freeze(), []
    while game.outcome(state) is None and len(trail) < STEPS:
        undo, _ = tried(scratch, board.moves(chance, state))
        if undo is not None:
            scratch.unmake(undo)
        assert repr(scratch.freeze()) == repr(before)

        moves = board.moves(chance, state)
        state, code = board.play(state, moves, dice.at(board.step(state)))
        undo, refused = tried(scratch, moves)
        assert refused == code
        if undo is not None:
            trail.append((before, undo))
        before, kept = scratch.freeze(), board.kept(state)
        assert before == kept
        assert repr(before) == repr(kept)
        assert scratch.over is (game.outcome(state) is not None)
        assert scratch.outcome() == game.outcome(kept)
        assert set(scratch.acting) == (set() if scratch.over else set(awaited(game, state)))
    for before, undo in reversed(trail):
        scratch.unmake(undo)
        assert scratch.freeze() == before
    return len(trail)


def awaited(game: AnyGame, state: Any) -> frozenset[Seat]:
    """Who is to move: in a turn of PyRat in which both are in mud, no one is asked, but both have
    their moves."""
    return frozenset((0, 1)) if game.name == "pyrat" else game.awaited(state)


@pytest.mark.parametrize(("name", "config"), CASES)
def test_a_board_from_a_view_shows_that_view_and_plays_on(
    name: str, config: Mapping[str, Json]
) -> None:
    game, board, chance = GAMES[name], BOARDS[name], Random(1)
    match = Match.begin(game, config, 1)
    board.begin(match, chance)
    state, dice = match.state, Seeded(1)
    looked = 0
    for step in range(STEPS // 2):
        if game.outcome(state) is not None:
            break
        for seat in range(match.seats) if step < 10 or step % 4 == 0 else ():
            view = game.view(state, seat)
            scratch = board.scratch.from_view(match.rules, view)
            again = game.view(scratch.freeze(), seat)
            assert without(again, board.shown) == without(view, board.shown)
            for _ in range(3):
                if not scratch.over:
                    tried(scratch, board.moves(chance, scratch.freeze()))
            looked += 1
        state, _ = board.play(state, board.moves(chance, state), dice.at(board.step(state)))
    assert looked > 5


@pytest.mark.parametrize(("name", "config"), CASES)
def test_every_legal_move_is_played_and_a_copy_is_independent(
    name: str, config: Mapping[str, Json]
) -> None:
    game, board, chance = GAMES[name], BOARDS[name], Random(2)
    match = Match.begin(game, config, 2)
    board.begin(match, chance)
    scratch = of(board, match.state, 2)
    for _ in range(60):
        if scratch.over:
            break
        moves = tuple(chance.choice(scratch.legal(seat)) for seat in scratch.acting)
        other = scratch.copy()
        assert other.key == scratch.key
        undo, refused = tried(other, moves)
        assert (undo is None, refused) == (False, None)
        assert scratch.freeze() != other.freeze()
        assert scratch.key != other.key
        scratch = other
    assert all(not scratch.legal(seat) for seat in range(2)) or not scratch.over


def test_every_game_of_this_project_has_a_board_to_search_on() -> None:
    assert set(BOARDS) == set(OURS)
