"""A board to play on: moves are made and taken back. `advance` plays its turn on one, and bots
search with one."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from games.core.contract import Json, Outcome, Seat
from games.pyrat.board import MOVES, Move
from games.pyrat.outcome import Ending, ending, outcome
from games.pyrat.rules import Rules
from games.pyrat.state import (
    CHEESE,
    IN_MUD,
    LEFT_MUD,
    NOTHING,
    NOWHERE,
    PYTHON_CELL,
    RAT_CELL,
    ROLES,
    SEATS,
    Body,
    Maze,
    Position,
    State,
    body,
    border_costs,
    position,
)

_EATEN = b"\0"


class Scratch:
    """A maze and the position on it. `make` returns what `unmake` takes; undo in reverse order."""

    __slots__ = ("_rows", "maze", "now")

    def __init__(self, maze: Maze, now: Position) -> None:
        self.maze = maze
        self.now = now
        """The position: immutable, so keeping it is keeping a copy."""
        self._rows = maze.rows

    @classmethod
    def of(cls, state: State) -> Scratch:
        """A board in the position of a state."""
        return cls(state.maze, state.now)

    @classmethod
    def from_view(cls, rules: Rules, view: Json) -> Scratch:
        """A board in the position that a whole view shows. Nothing is hidden in this game."""
        maze = maze_from_view(view, rules.mud_timing)
        return cls(maze, position_from_view(maze, view))

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that `make` takes moves of: both; none if the match is over."""
        return () if self.over else SEATS

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.ending is not None

    def legal(self, seat: Seat) -> range:
        """The moves that this seat has: all, while the match goes on. One into a wall, or in mud,
        acts as STAY."""
        return range(0 if self.over else len(MOVES))

    def make(self, rat: Move, python: Move) -> Position:
        """Play one turn (RULES §5): both walk at once, then both eat. Returns the undo token.

        The two seats are written out: a call and a tuple for each would cost a third of the speed.
        A match that is over is the caller's to notice (`ending`)."""
        undo = self.now
        (
            turn,
            cell,
            mud,
            origin,
            half,
            misses,
            _,
            _,
            cell2,
            mud2,
            origin2,
            half2,
            misses2,
            _,
            _,
            cheese,
        ) = undo

        if mud:  # §5.2: the command is ignored
            mud -= 1
            misses += 1
            deed = IN_MUD
            if not mud:
                origin, deed = NOWHERE, LEFT_MUD
        else:  # §5.3, §5.4
            cell, mud, origin, missed, deed = self._rows[rat][cell]
            misses += missed
        if mud2:
            mud2 -= 1
            misses2 += 1
            deed2 = IN_MUD
            if not mud2:
                origin2, deed2 = NOWHERE, LEFT_MUD
        else:
            cell2, mud2, origin2, missed, deed2 = self._rows[python][cell2]
            misses2 += missed

        eats = cheese[cell] and not mud  # §5.6
        eats2 = cheese[cell2] and not mud2
        if eats or eats2:
            share = 1 if eats and eats2 and cell == cell2 else 2
            if eats:
                half += share
                cheese = cheese[:cell] + _EATEN + cheese[cell + 1 :]
            if eats2:
                half2 += share
                cheese = cheese[:cell2] + _EATEN + cheese[cell2 + 1 :]

        self.now = (
            turn + 1,
            cell,
            mud,
            origin,
            half,
            misses,
            rat,
            deed,
            cell2,
            mud2,
            origin2,
            half2,
            misses2,
            python,
            deed2,
            cheese,
        )
        return undo

    def unmake(self, undo: Position) -> None:
        """Take the last turn back, everything with it."""
        self.now = undo

    def body(self, seat: Seat) -> Body:
        """The player at this seat."""
        return body(self.now, seat)

    @property
    def ending(self) -> Ending | None:
        """Why the match is over here, or None."""
        return ending(self.maze, self.now)

    @property
    def state_hash(self) -> str:
        """RULES §7; for a search's tables `key` is faster."""
        return self.maze.state_hash(self.now)

    @property
    def key(self) -> tuple[int, int, int, int, int, int, int, bytes]:
        """What decides how the match goes on: on one maze, equal keys have equal state hashes and
        the other way round."""
        turn, cell, mud, _, half, _, _, _, cell2, mud2, _, half2, _, _, _, cheese = self.now
        return turn, cell, mud, half, cell2, mud2, half2, cheese

    def copy(self) -> Scratch:
        """A second board in this position; the maze is shared."""
        return Scratch(self.maze, self.now)

    def freeze(self) -> State:
        """A state in this position, its counters at zero."""
        return State(self.maze, self.now)

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())


def collected(before: Position, after: Position) -> tuple[int, ...]:
    """The cells whose cheese was taken in the turn between, sorted."""
    was, left = before[CHEESE], after[CHEESE]
    if was is left:
        return ()
    return tuple(
        sorted(
            {cell for cell in (after[RAT_CELL], after[PYTHON_CELL]) if was[cell] and not left[cell]}
        )
    )


def maze_from_view(view: Json, mud_timing: Literal["exact", "plus_one"]) -> Maze:
    """The maze that a whole view shows."""
    shown = view["maze"]
    height = shown["height"]

    def border(one: Json, other: Json) -> tuple[int, int]:
        first, second = sorted((one[0] * height + one[1], other[0] * height + other[1]))
        return first, second

    return _shared(
        shown["width"],
        height,
        border_costs(
            shown["width"],
            height,
            (border(one, other) for one, other in shown["walls"]),
            ((*border(one, other), cost) for one, other, cost in shown["mud"]),
        ),
        view["total_cheese"],
        view["max_turns"],
        mud_timing,
    )


_shared = lru_cache(maxsize=8)(Maze)
"""A maze is made again with every view, its tables only once."""


def position_from_view(maze: Maze, view: Json) -> Position:
    """The position that a view shows, but for what became of the last turn."""
    rat, python = (_standing(maze, view[role]) for role in ROLES)
    return position(view["turn"], rat, python, maze.cheese((x, y) for x, y in view["cheese"]))


def _standing(maze: Maze, seen: Json) -> Body:
    mud_from = seen["mud_from"]
    return Body(
        maze.cell(*seen["position"]),
        seen["mud_turns"],
        NOWHERE if mud_from is None else maze.cell(*mud_from),
        round(seen["score"] * 2),
        seen["misses"],
        MOVES.index(seen["last_move"]),
        NOTHING,
    )
