"""A moment of PyRat, seen from one's own side: what is where, and ways through the maze."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from client_sdk.api.pyrat_sim import Bodies, GameSim
from client_sdk.api.pyrat_values import STEPS, Cell, Direction, PathResult, Player
from client_sdk.start import Start
from games.pyrat import paths
from games.pyrat.json_types import Player as PlayerView
from games.pyrat.json_types import View
from games.pyrat.scratch import Scratch, position_from_view
from games.pyrat.state import CHEESE, PYTHON, ROLES, Maze, Position

_DIRECTIONS: Final = {step: Direction(move) for move, step in enumerate(STEPS)}


class GameState(Bodies):
    """The match at the start of a turn, seen from the bot's side.

    Its properties have the names of the contest, hence their number.
    """

    def __init__(self, view: View, maze: Maze, start: Start) -> None:
        self.view = view
        """The view as JSON."""
        self.maze = maze
        """The maze, as the engine has it."""
        self.start = start
        """What the bot got before turn 1."""
        self.my_player = Player.PLAYER1 if view["you"] == ROLES[PYTHON] else Player.PLAYER2
        """The player that is the bot."""
        self._me: PlayerView = view["python"] if self.my_player == Player.PLAYER1 else view["rat"]
        self._opponent: PlayerView = (
            view["rat"] if self.my_player == Player.PLAYER1 else view["python"]
        )

    @cached_property
    def _now(self) -> Position:
        return position_from_view(self.maze, self.view)

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self.maze, self._now

    @property
    def my_position(self) -> Cell:
        """The bot's cell; in mud: the cell that it moves to."""
        return Cell(*self._me["position"])

    @property
    def opponent_position(self) -> Cell:
        """The opponent's cell; in mud: the cell that it moves to."""
        return Cell(*self._opponent["position"])

    @property
    def my_score(self) -> float:
        """The bot's score."""
        return self._me["score"]

    @property
    def opponent_score(self) -> float:
        """The opponent's score."""
        return self._opponent["score"]

    @property
    def my_mud_turns(self) -> int:
        """The turns that the bot still has to wait in mud; 0: it is free."""
        return self._me["mud_turns"]

    @property
    def opponent_mud_turns(self) -> int:
        """The turns that the opponent still has to wait in mud; 0: it is free."""
        return self._opponent["mud_turns"]

    @property
    def my_misses(self) -> int:
        """The number of turns in which the bot did not change its cell."""
        return self._me["misses"]

    @property
    def opponent_misses(self) -> int:
        """The number of turns in which the opponent did not change its cell."""
        return self._opponent["misses"]

    @property
    def my_last_move(self) -> Direction:
        """The bot's last move."""
        return Direction[self._me["last_move"]]

    @property
    def opponent_last_move(self) -> Direction:
        """The opponent's last move."""
        return Direction[self._opponent["last_move"]]

    @cached_property
    def cheese(self) -> list[Cell]:
        """The cells that have cheese, sorted."""
        return [Cell(x, y) for x, y in self.view["cheese"]]

    @cached_property
    def cheese_matrix(self) -> list[list[int]]:
        """`cheese_matrix[x][y]`: 1 if the cell has cheese, otherwise 0."""
        return paths.cheese_matrix(self.maze, self._now[CHEESE])

    @cached_property
    def movement_matrix(self) -> list[list[list[int]]]:
        """`movement_matrix[x][y][direction]`, for UP, RIGHT, DOWN and LEFT: -1 if there is a wall,
        0 if the way is free, N if it leads into mud of cost N."""
        return paths.movement_matrix(self.maze)

    @property
    def move_timeout_ms(self) -> int:
        """The time for a turn in ms; 0: no limit."""
        return self.start.clock.turn_ms

    @property
    def preprocessing_timeout_ms(self) -> int:
        """The time before turn 1 in ms; 0: there is none."""
        return self.start.clock.preprocessing_ms

    @property
    def state_hash(self) -> str:
        """The hash of the state, as in the record."""
        return self.view["state_hash"]

    def effective_moves(self, pos: tuple[int, int] | None = None) -> list[Direction]:
        """The directions from a cell that are not closed by a wall or the border; by default from
        the bot's own cell."""
        costs = self.maze.costs[self._number(pos)]
        return [Direction(move) for move, cost in enumerate(costs) if cost]

    def move_cost(self, direction: Direction, pos: tuple[int, int] | None = None) -> int | None:
        """The turns that a move takes: 1, or the cost of the mud; None if it is closed."""
        if direction == Direction.STAY:
            return 1
        return self.maze.costs[self._number(pos)][direction] or None

    def shortest_path(self, start: tuple[int, int], goal: tuple[int, int]) -> PathResult | None:
        """A shortest way from `start` to `goal`; None if there is none."""
        found = paths.shortest_path(self.maze, self._number(start), self._number(goal))
        return None if found is None else self._way(self._number(start), found)

    def nearest_cheese(self, pos: tuple[int, int] | None = None) -> PathResult | None:
        """A way to the nearest cheese, by default from the bot's own cell; with several, to the
        smallest cell. None if none can be reached."""
        return next(iter(self.nearest_cheeses(pos)), None)

    def nearest_cheeses(self, pos: tuple[int, int] | None = None) -> list[PathResult]:
        """Ways to all nearest cheeses, sorted by their cells."""
        start = self._number(pos)
        return [
            self._way(start, found)
            for found in paths.nearest_cheeses(self.maze, self._now[CHEESE], start)
        ]

    def distances_from(self, pos: tuple[int, int] | None = None) -> dict[Cell, int]:
        """The cost of the shortest way to every cell that can be reached."""
        distances = paths.distances_from(self.maze, self._number(pos))
        cells = _cells(self.maze.width, self.maze.height)
        return {
            cell: cost
            for cell, cost in zip(cells, distances, strict=True)
            if cost != paths.UNREACHABLE
        }

    def to_sim(self) -> GameSim:
        """A board in this position to search on."""
        return GameSim(Scratch(self.maze, self._now))

    def _number(self, pos: tuple[int, int] | None) -> int:
        x, y = self._me["position"] if pos is None else pos
        if not (0 <= x < self.maze.width and 0 <= y < self.maze.height):
            raise ValueError(
                f"expected a cell of a board of {self.maze.width}x{self.maze.height}, got {(x, y)}"
            )
        return self.maze.cell(x, y)

    def _way(self, start: int, found: paths.Path) -> PathResult:
        cells = [self._cell(cell) for cell in found.cells]
        moves, here = [], self._cell(start)
        for there in cells:
            moves.append(_DIRECTIONS[there.x - here.x, there.y - here.y])
            here = there
        return PathResult(
            self._cell(found.target),
            moves,
            [Direction(move) for move in found.first_moves],
            found.cost,
            cells,
        )


@lru_cache(maxsize=8)
def _cells(width: int, height: int) -> tuple[Cell, ...]:
    """The cells of a board, by their numbers."""
    return tuple(Cell(x, y) for x in range(width) for y in range(height))
