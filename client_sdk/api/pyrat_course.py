"""What a PyRat bot of the course's second kind (RULES §10) gets its classes from.

    from client_sdk.api.pyrat_course import Action, Player

    class Mine(Player):
        def turn(self, maze, game_state):
            here = game_state.player_locations[self.name]
            return maze.locations_to_action(here, maze.get_neighbors(here)[0])

Where no package called `pyrat` is installed, a bot's file that imports it gets this module. It has
what stands here and no more. Cells are numbers, row by row from the top left corner: cell = row *
width + column. A bot is not asked while it is in mud."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

__all__ = ["Action", "GameState", "Maze", "Player"]


class Action(Enum):
    """What a turn answers."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    NOTHING = "nothing"


_STEPS: Final = {
    (-1, 0): Action.NORTH,
    (0, 1): Action.EAST,
    (1, 0): Action.SOUTH,
    (0, -1): Action.WEST,
    (0, 0): Action.NOTHING,
}


class Maze:
    """Which cells are joined, and how many turns each passage takes: 1, or the cost of its mud."""

    def __init__(self, width: int, height: int, costs: Mapping[int, Mapping[int, int]]) -> None:
        self.width = width
        self.height = height
        self._costs = costs

    @property
    def vertices(self) -> list[int]:
        """All cells."""
        return [*self._costs]

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All passages, each once, the smaller cell first."""
        return [(one, other) for one, near in self._costs.items() for other in near if one < other]

    def get_neighbors(self, cell: int) -> list[int]:
        """The cells that one step leads to."""
        return [*self._costs[cell]]

    def has_edge(self, one: int, other: int) -> bool:
        return other in self._costs[one]

    def get_weight(self, one: int, other: int) -> int:
        """The turns that this passage takes. Raises ValueError if there is none."""
        if not self.has_edge(one, other):
            raise ValueError(f"there is no passage from {one} to {other}")
        return self._costs[one][other]

    def as_dict(self) -> dict[int, dict[int, int]]:
        """Cell: its neighbours with their costs; a copy."""
        return {cell: dict(near) for cell, near in self._costs.items()}

    def i_to_rc(self, cell: int) -> tuple[int, int]:
        """Row, from the top, and column of a cell."""
        return divmod(cell, self.width)

    def rc_to_i(self, row: int, column: int) -> int:
        return row * self.width + column

    def locations_to_action(self, source: int, target: int) -> Action:
        """The step to a cell beside this one, or to stay. Raises ValueError for any other cell;
        walls are not looked at."""
        (row, column), (to_row, to_column) = self.i_to_rc(source), self.i_to_rc(target)
        step = (to_row - row, to_column - column)
        if step not in _STEPS:
            raise ValueError(f"cell {target} is not beside cell {source}")
        return _STEPS[step]


@dataclass(frozen=True, slots=True)
class GameState:
    """A moment of the match. Players are known by their names; a bot's own is `self.name`."""

    turn: int
    """Turns played so far."""
    player_locations: dict[str, int]
    """In mud: the cell that the player comes from."""
    score_per_player: dict[str, float]
    muds: dict[str, dict[str, int | None]]
    """`target`: the cell that the player gets to, None if it is free; `count`: turns still to
    wait."""
    cheese: list[int]
    """The cheese that is left, sorted."""

    def is_in_mud(self, name: str) -> bool:
        return self.muds[name]["target"] is not None


class Player:
    """The base of a bot: it has to define `turn(maze, game_state)`, which returns an Action."""

    name: str = ""

    def __init__(self, name: str | None = None, *_: Any, **__: Any) -> None:
        """Without a name the bot is called after its class."""
        self.name = name or type(self).__name__

    def get_name(self) -> str:
        return self.name

    def preprocessing(self, maze: Maze, game_state: GameState) -> None:
        """Before turn 1."""

    def postprocessing(self, maze: Maze, game_state: GameState, stats: dict[str, Any]) -> None:
        """The match is over. `stats`: `{"turns": …, "players": {name: {"score": …, "outcome":
        "win", "misses": …}}}`."""
