"""A board of PyRat to search on: a position, its players' values, moves made and taken back."""

from __future__ import annotations

from client_sdk.api.pyrat_values import SEATS, Cell, Direction, Player
from games.pyrat.scratch import Scratch, collected
from games.pyrat.state import CHEESE, TURN, Body, Maze, Position, body


class Bodies:
    """The values of both players in a position."""

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
        """The cell of player 1; in mud: the cell that it moves to."""
        return self._cell(self._body(Player.PLAYER1).cell)

    @property
    def player2_position(self) -> Cell:
        """The cell of player 2; in mud: the cell that it moves to."""
        return self._cell(self._body(Player.PLAYER2).cell)

    @property
    def player1_score(self) -> float:
        """The score of player 1."""
        return self._body(Player.PLAYER1).half_points / 2

    @property
    def player2_score(self) -> float:
        """The score of player 2."""
        return self._body(Player.PLAYER2).half_points / 2

    @property
    def player1_mud_turns(self) -> int:
        """The turns that player 1 still has to wait in mud; 0: it is free."""
        return self._body(Player.PLAYER1).mud

    @property
    def player2_mud_turns(self) -> int:
        """The turns that player 2 still has to wait in mud; 0: it is free."""
        return self._body(Player.PLAYER2).mud

    @property
    def player1_misses(self) -> int:
        """The number of turns in which player 1 did not change its cell."""
        return self._body(Player.PLAYER1).misses

    @property
    def player2_misses(self) -> int:
        """The number of turns in which player 2 did not change its cell."""
        return self._body(Player.PLAYER2).misses

    @property
    def player1_last_move(self) -> Direction:
        """The last move of player 1."""
        return Direction(self._body(Player.PLAYER1).last_move)

    @property
    def player2_last_move(self) -> Direction:
        """The last move of player 2."""
        return Direction(self._body(Player.PLAYER2).last_move)

    @property
    def turn(self) -> int:
        """The number of turns played."""
        return self._at[1][TURN]

    @property
    def max_turns(self) -> int:
        """The maximum of turns."""
        return self._at[0].max_turns

    @property
    def width(self) -> int:
        """The width of the board in cells."""
        return self._at[0].width

    @property
    def height(self) -> int:
        """The height of the board in cells."""
        return self._at[0].height

    @property
    def total_cheese(self) -> int:
        """The number of cheeses at the start."""
        return self._at[0].total_cheese


class Undo(Bodies):
    """A move that `unmake_move` can take back. Its values are those before the move."""

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
        """The cells whose cheese the move collected."""
        return [self._cell(cell) for cell in collected(self._before, self._after)]


class GameSim(Bodies):
    """A board to search on. Moves are made, and taken back in reverse order."""

    __slots__ = ("scratch",)

    def __init__(self, scratch: Scratch) -> None:
        self.scratch = scratch
        """The engine's own board: faster, in its own terms (`games.pyrat.scratch`)."""

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self.scratch.maze, self.scratch.now

    def make_move(self, p1: Direction, p2: Direction) -> Undo:
        """Play one turn with both players' moves. A move into a wall, or in mud, acts as STAY."""
        scratch = self.scratch
        before = scratch.make(p2, p1)
        return Undo(scratch.maze, before, scratch.now)

    def unmake_move(self, undo: Undo) -> None:
        """Take back the last move that was made."""
        self.scratch.unmake(undo._before)

    def copy(self) -> GameSim:
        """An independent board in the same position. `copy.copy` makes one too."""
        return GameSim(self.scratch.copy())

    __copy__ = copy

    @property
    def cheese_positions(self) -> list[Cell]:
        """The cells that have cheese, sorted."""
        return [Cell(x, y) for x, y in self.scratch.maze.listed(self.scratch.now[CHEESE])]

    @property
    def is_game_over(self) -> bool:
        """Whether the match is over in this position."""
        return self.scratch.ending is not None

    @property
    def state_hash(self) -> str:
        """The hash of the state, as in the record."""
        return self.scratch.state_hash
