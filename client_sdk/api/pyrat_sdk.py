"""What bots of PyRat's contest SDK import as `pyrat_sdk`, `pyrat_sdk.bot`, `pyrat_sdk.state` and
`pyrat_sdk.options`: `botarena.pyrat` in the types of that SDK.

Paths are tuples of four, state hashes are numbers, and the matrices are arrays of numpy, which is
imported when one of them is read."""

from __future__ import annotations

import importlib
import logging
from functools import cached_property
from typing import Any, NamedTuple

from client_sdk.api import pyrat, pyrat_sim, pyrat_state, pyrat_values
from client_sdk.api.pyrat_values import Cell, Direction, GameResult, Player
from client_sdk.options import Check, Combo, Spin, Str
from client_sdk.version import installed

__all__ = [
    "Bot",
    "Check",
    "Combo",
    "Context",
    "Direction",
    "GameResult",
    "GameSim",
    "GameState",
    "HivemindBot",
    "MoveUndo",
    "PathResult",
    "Player",
    "Spin",
    "Str",
]


def __getattr__(name: str) -> str:
    """`__version__` is looked up when a bot asks for it: it takes longer than all the rest."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return installed() or "0"


__path__: list[str] = []

log = logging.getLogger("botarena")


class PathResult(NamedTuple):
    """A shortest way. A free passage costs 1, mud of cost N costs N."""

    target: Cell
    """The cell that the way leads to."""
    path: list[Direction]
    """The moves, one for each passage."""
    first_moves: list[Direction]
    """All moves that a shortest way begins with."""
    cost: int
    """The turns that the way takes."""


class MoveUndo(pyrat_sim.Undo):
    """A move that `unmake_move` can take back. Its values are those before the move."""

    __slots__ = ()

    @property
    def p1_pos(self) -> Cell:
        """The cell of player 1."""
        return self.player1_position

    @property
    def p2_pos(self) -> Cell:
        """The cell of player 2."""
        return self.player2_position

    @property
    def p1_mud(self) -> int:
        """The turns that player 1 still has to wait in mud."""
        return self.player1_mud_turns

    @property
    def p2_mud(self) -> int:
        """The turns that player 2 still has to wait in mud."""
        return self.player2_mud_turns

    @property
    def p1_score(self) -> float:
        """The score of player 1."""
        return self.player1_score

    @property
    def p2_score(self) -> float:
        """The score of player 2."""
        return self.player2_score

    @property
    def p1_misses(self) -> int:
        """The number of turns in which player 1 did not change its cell."""
        return self.player1_misses

    @property
    def p2_misses(self) -> int:
        """The number of turns in which player 2 did not change its cell."""
        return self.player2_misses


class GameSim(pyrat_sim.GameSim):
    """A board to search on. `state.to_sim()` and `copy()` make one."""

    __slots__ = ()

    def make_move(self, p1: int, p2: int) -> MoveUndo:
        """Play one turn with the moves of both players, directions or plain numbers."""
        before = self.scratch.make(Direction(p2), Direction(p1))
        return MoveUndo(self.scratch.maze, before, self.scratch.now)

    def copy(self) -> GameSim:
        """An independent board in the same position."""
        return GameSim(self.scratch.copy())

    __copy__ = copy

    @property
    def state_hash(self) -> int:  # type: ignore[override]  # a number in that SDK
        """The hash of the position."""
        return int(self.scratch.state_hash, 16)

    def recompute_state_hash(self) -> int:
        """The same; it is always up to date."""
        return self.state_hash


class GameState(pyrat_state.GameState):
    """The match at the start of a turn, seen from the bot's side."""

    @cached_property
    def cheese_matrix(self) -> Any:
        """`cheese_matrix[x, y]`: 1 if the cell has cheese, otherwise 0."""
        return importlib.import_module("numpy").array(super().cheese_matrix, dtype="uint8")

    @cached_property
    def movement_matrix(self) -> Any:
        """`movement_matrix[x, y, direction]`: -1 if there is a wall, 0 if the way is free, N if it
        leads into mud of cost N."""
        return importlib.import_module("numpy").array(super().movement_matrix, dtype="int16")

    @property
    def state_hash(self) -> int:  # type: ignore[override]  # a number in that SDK
        """The hash of the state."""
        return int(self.view["state_hash"], 16)

    def to_sim(self) -> GameSim:
        """A board in this position to search on."""
        return GameSim(super().to_sim().scratch)

    def _way(self, *about: Any) -> Any:
        found: pyrat_values.PathResult = super()._way(*about)
        return PathResult(found.target, found.path, found.first_moves, found.cost)


class Context(pyrat.Context):
    """The time of one turn, and messages that a bot sends while it thinks. They raise nothing."""

    def send_provisional(self, direction: Direction, player: Player | None = None) -> None:
        """Send the best move so far. It counts if no answer comes in time."""
        try:
            super().send_provisional(direction)
        except Exception:
            log.exception("a provisional move could not be sent")

    def send_info(self, **shown: Any) -> None:
        """Show viewers what the bot thinks; the arguments are those of `pyrat.Context`."""
        try:
            super().send_info(**shown)
        except Exception:
            log.exception("an info could not be sent")


class Bot(pyrat.Bot):
    """The base class of a bot: it defines `think(state, ctx)`, which returns a Direction."""

    state_type = GameState
    context_type = Context


class HivemindBot:
    """A bot that plays both sides, which no match here has."""

    def __init_subclass__(cls) -> None:
        raise NotImplementedError(
            f"{cls.__name__}: a HivemindBot plays both sides; a match has a bot for each: "
            "derive it from Bot"
        )
