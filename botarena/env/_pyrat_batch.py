"""Many matches of PyRat that numpy plays at once, by the rules of `games.pyrat.scratch`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from botarena.env._arrays import ArrayEnv
from botarena.env._encoding import Array, ArrayObservation
from games.core.match import Match
from games.pyrat.board import MOVES
from games.pyrat.state import CHEESE, SEATS, State, body


class PyRatMatches:
    """N matches: per match and seat a cell, turns of mud and half points, (N, 2)."""

    def __init__(self, like: ArrayEnv, matches: int) -> None:
        self._like = like
        maze = like.match.state.maze
        self._to = np.zeros((matches, maze.cells, len(MOVES)), np.int32)
        """By cell and move: the cell that a free player comes to."""
        self._wait = np.zeros_like(self._to)
        """The turns that it then waits in mud."""
        self._cheese = np.zeros((matches, maze.cells), np.bool_)
        self._total, self._turn, self._last = np.zeros((3, matches), np.int32)
        self._cell, self._mud, self._half = np.zeros((3, matches, len(SEATS)), np.int32)
        self._board = np.zeros((matches, len(SEATS), *like.shapes["board"]), np.float32)

    def begin(self, number: int, seed: int) -> None:
        like = self._like
        state: State = Match.begin(like.game, like.config, seed, like.map_text).state
        maze, now = state.maze, state.now
        rows = np.array(maze.rows)
        self._to[number], self._wait[number] = rows[:, :, 0].T, rows[:, :, 1].T
        self._cheese[number] = np.frombuffer(now[CHEESE], np.uint8)
        self._total[number], self._last[number] = maze.total_cheese, maze.max_turns
        self._turn[number] = 0
        players = [body(now, seat) for seat in SEATS]
        self._cell[number] = [player.cell for player in players]
        self._mud[number] = [player.mud for player in players]
        self._half[number] = [player.half_points for player in players]
        costs = np.array(maze.costs, np.float32).T
        self._board[number, :, : len(costs)] = costs.reshape(len(costs), maze.width, maze.height)

    @property
    def done(self) -> NDArray[np.bool_]:
        majority = (self._half > self._total[:, None]).any(axis=1)
        ended: NDArray[np.bool_] = majority | ~self._cheese.any(axis=1) | (self._turn >= self._last)
        return ended

    @property
    def awaited(self) -> NDArray[np.bool_]:
        awaited: NDArray[np.bool_] = (self._mud == 0) & ~self.done[:, None]
        return awaited

    def act(self, actions: NDArray[np.integer[Any]], running: NDArray[np.bool_]) -> Array:
        """Play a turn, and those that follow while both players are in mud."""
        going = np.flatnonzero(running)
        while len(going):
            self._walk(going, actions)
            self._eat(going)
            self._turn[going] += 1
            stuck = (self._mud[going] > 0).all(axis=1) & ~self.done[going]
            going = going[stuck]
        ahead = np.sign(self._half[:, 0] - self._half[:, 1]) * (self.done & running)
        return np.stack((ahead, -ahead), axis=1).astype(np.float32)

    def _walk(self, going: NDArray[np.intp], actions: NDArray[np.integer[Any]]) -> None:
        cell, mud, match = self._cell[going], self._mud[going], going[:, None]
        free, moves = mud == 0, actions[going]
        self._cell[going] = np.where(free, self._to[match, cell, moves], cell)
        self._mud[going] = np.where(free, self._wait[match, cell, moves], mud - 1)

    def _eat(self, going: NDArray[np.intp]) -> None:
        cell, match = self._cell[going], going[:, None]
        eats = self._cheese[match, cell] & (self._mud[going] == 0)
        shared = eats.all(axis=1) & (cell[:, 0] == cell[:, 1])
        self._half[going] += eats * np.where(shared, 1, 2)[:, None]
        rows, seats = np.nonzero(eats)
        self._cheese[going[rows], cell[rows, seats]] = False

    def seen(self) -> tuple[ArrayObservation, NDArray[np.int8]]:
        matches = len(self._turn)
        board = self._board.copy()
        flat = board.reshape(matches, len(SEATS), board.shape[2], -1)
        flat[:, :, 4] = self._cheese[:, None]
        every = np.arange(matches)
        for seat in SEATS:
            flat[every, seat, 5, self._cell[:, seat]] = 1
            flat[every, seat, 6, self._cell[:, 1 - seat]] = 1
        score = self._half / 2
        both: list[NDArray[Any]] = [self._mud, self._mud[:, ::-1], score, score[:, ::-1]]
        times: list[NDArray[Any]] = [
            np.broadcast_to(time[:, None], score.shape) for time in (self._turn, self._last)
        ]
        numbers = np.stack([*both, *times], axis=2).astype(np.float32)
        legal = ~self.done[:, None, None]
        mask = np.broadcast_to(legal, (matches, len(SEATS), len(MOVES))).astype(np.int8)
        return {"board": board, "numbers": numbers}, mask
