"""A board of PyRat to search on: a position, its players' values, moves that are made and taken
back."""

from __future__ import annotations

from client_sdk.api.pyrat_values import SEATS, Cell, Direction, Player
from games.pyrat.scratch import Scratch, collected
from games.pyrat.state import CHEESE, TURN, Body, Maze, Position, body


class Bodies:
    """The raw `player1_*` and `player2_*` fields of a position."""

    __slots__ = ()

    @property
    def _at(self) -> tuple[Maze, Position]:
        raise NotImplementedError

    def _body(self, player: Player) -> Body:
        return body(self._at[1], SEATS[player])

    def _cell(self, cell: int) -> Cell:
        return Cell(*divmod(cell, self._at[0].height))

    @property
    def player1_position(self) -> Cell:
        return self._cell(self._body(Player.PLAYER1).cell)

    @property
    def player2_position(self) -> Cell:
        return self._cell(self._body(Player.PLAYER2).cell)

    @property
    def player1_score(self) -> float:
        return self._body(Player.PLAYER1).half_points / 2

    @property
    def player2_score(self) -> float:
        return self._body(Player.PLAYER2).half_points / 2

    @property
    def player1_mud_turns(self) -> int:
        return self._body(Player.PLAYER1).mud

    @property
    def player2_mud_turns(self) -> int:
        return self._body(Player.PLAYER2).mud

    @property
    def player1_misses(self) -> int:
        return self._body(Player.PLAYER1).misses

    @property
    def player2_misses(self) -> int:
        return self._body(Player.PLAYER2).misses

    @property
    def player1_last_move(self) -> Direction:
        return Direction(self._body(Player.PLAYER1).last_move)

    @property
    def player2_last_move(self) -> Direction:
        return Direction(self._body(Player.PLAYER2).last_move)

    @property
    def turn(self) -> int:
        """Turns played so far."""
        return self._at[1][TURN]

    @property
    def max_turns(self) -> int:
        return self._at[0].max_turns

    @property
    def width(self) -> int:
        return self._at[0].width

    @property
    def height(self) -> int:
        return self._at[0].height

    @property
    def total_cheese(self) -> int:
        """The number of cheese at the start."""
        return self._at[0].total_cheese


class Undo(Bodies):
    """What `unmake_move` takes: the position before a move, with its values, and the cheese that
    the move took."""

    __slots__ = ("_after", "_before", "_maze")

    def __init__(self, maze: Maze, before: Position, after: Position) -> None:
        self._maze = maze
        self._before = before
        self._after = after

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self._maze, self._before

    @property
    def collected_cheese(self) -> list[Cell]:
        return [self._cell(cell) for cell in collected(self._before, self._after)]


class GameSim(Bodies):
    """A board to search on: moves are made and, in reverse order, taken back. `copy.copy` gives an
    independent one."""

    __slots__ = ("scratch",)

    def __init__(self, scratch: Scratch) -> None:
        self.scratch = scratch
        """The engine's own board: faster, in its own terms (`games.pyrat.scratch`)."""

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self.scratch.maze, self.scratch.now

    def make_move(self, p1: Direction, p2: Direction) -> Undo:
        """Play one turn: the move of player 1, the move of player 2. Moves into walls and in mud
        act as STAY."""
        scratch = self.scratch
        before = scratch.make(p2, p1)
        return Undo(scratch.maze, before, scratch.now)

    def unmake_move(self, undo: Undo) -> None:
        self.scratch.unmake(undo._before)

    def copy(self) -> GameSim:
        return GameSim(self.scratch.copy())

    __copy__ = copy

    @property
    def cheese_positions(self) -> list[Cell]:
        return [Cell(x, y) for x, y in self.scratch.maze.listed(self.scratch.now[CHEESE])]

    @property
    def is_game_over(self) -> bool:
        return self.scratch.ending is not None

    @property
    def state_hash(self) -> str:
        return self.scratch.state_hash
