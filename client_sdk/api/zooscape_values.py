"""The values of Zooscape's views: actions, contents of cells, positions."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from client_sdk.api.zooscape_paths import STEPS


class Action(IntEnum):
    """The commands of an animal."""

    UP = 1
    DOWN = 2
    LEFT = 3
    RIGHT = 4
    USE_ITEM = 5
    """Use the power-up that is held. The animal also moves on in its direction."""


BotAction = Action

DIRECTIONS: Final = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
"""By their places in STEPS."""


class CellContent(IntEnum):
    """What a cell holds; as text the digit on the map."""

    EMPTY = 0
    WALL = 1
    PELLET = 2
    ZOOKEEPER_SPAWN = 3
    ANIMAL_SPAWN = 4
    """A cage: it cannot be entered; only the animal that starts or was put there leaves it."""
    POWER_PELLET = 5
    CHAMELEON_CLOAK = 6
    SCAVENGER = 7
    BIG_MOOSE_JUICE = 8


class PowerUpType(IntEnum):
    POWER_PELLET = 0
    """Never held: it is eaten at once."""
    CHAMELEON_CLOAK = 1
    SCAVENGER = 2
    BIG_MOOSE_JUICE = 3


class Position(NamedTuple):
    """A place on the board; equal to the plain pair (x, y)."""

    x: int
    y: int


class Cell(NamedTuple):
    """A place on the board and what it holds."""

    x: int
    y: int
    content: CellContent


class Way(NamedTuple):
    """A shortest way."""

    target: Position
    distance: int
    """Steps, one per tick; 0 on the target itself."""
    action: Action | None
    """The first step; None on the target itself."""
    cells: list[Position]
    """The cells of the way, without the start."""


assert len(DIRECTIONS) == len(STEPS)
