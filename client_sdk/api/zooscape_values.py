"""The values of Zooscape's views: actions, contents of cells, positions."""

from __future__ import annotations

import re
import uuid
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from client_sdk.api.zooscape_paths import STEPS

_OTHER_NAMES: Final = {"captured_counter": "captured_count", "nickname": "name"}
_NAMES: Final[dict[str, str]] = {}
"""By the contest's spelling: ours. It holds the names that bots have used."""


def _own_name(name: str) -> str:
    """Our name for one of the contest, in camel case, capitalised or with underscores."""
    found = _NAMES.get(name)
    if found is None:
        snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        found = _NAMES[name] = _OTHER_NAMES.get(snake, snake)
    return found


class Spelled:
    """Answers to the names of the contest's own messages, as attributes and as items, for bots that
    were written for those."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            own = name if name.startswith("_") else _own_name(name)
            if own != name and hasattr(type(self), own):
                return getattr(self, own)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        def __getitem__(self, key: Any) -> Any:
            if not isinstance(key, str):
                return super().__getitem__(key)
            if key in self:
                return getattr(self, key)
            raise KeyError(key)

        def __contains__(self, key: object) -> bool:
            if not isinstance(key, str):
                return super().__contains__(key)
            return not key.startswith("_") and hasattr(self, key)

        def get(self, key: str, default: Any = None) -> Any:
            """The item; the default if there is none."""
            return getattr(self, key) if key in self else default


def contest_id(match: str, kind: str, number: int) -> str:
    """The GUID of an animal or a zookeeper of a match, by its number."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{match}/{kind}/{number}"))


class Action(IntEnum):
    """A command of an animal."""

    UP = 1
    """Move up from now on."""
    DOWN = 2
    """Move down from now on."""
    LEFT = 3
    """Move left from now on."""
    RIGHT = 4
    """Move right from now on."""
    USE_ITEM = 5
    """Use the held power-up. The animal also moves on in its direction."""
    Up, Down, Left, Right, UseItem = UP, DOWN, LEFT, RIGHT, USE_ITEM  # as the contest spells them


BotAction = Action
"""The name of `Action` in the contest."""

DIRECTIONS: Final = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
"""By their places in STEPS."""


class CellContent(IntEnum):
    """What a cell holds. Its number is the digit on the map."""

    EMPTY = 0
    """Nothing."""
    WALL = 1
    """A wall, which cannot be entered."""
    PELLET = 2
    """A pellet."""
    ZOOKEEPER_SPAWN = 3
    """The cell where zookeepers appear."""
    ANIMAL_SPAWN = 4
    """A cage. It cannot be entered; an animal that starts or is put there can leave it."""
    POWER_PELLET = 5
    """A power-up: a power pellet."""
    CHAMELEON_CLOAK = 6
    """A power-up: a chameleon cloak."""
    SCAVENGER = 7
    """A power-up: a scavenger."""
    BIG_MOOSE_JUICE = 8
    """A power-up: big moose juice."""
    Empty, Wall, Pellet, ZookeeperSpawn, AnimalSpawn = range(5)  # as the contest spells them
    PowerPellet, ChameleonCloak, Scavenger, BigMooseJuice = range(5, 9)


class PowerUpType(IntEnum):
    """A kind of power-up."""

    POWER_PELLET = 0
    """Worth several pellets. It is eaten at once and never held."""
    CHAMELEON_CLOAK = 1
    """Hides the animal from zookeepers."""
    SCAVENGER = 2
    """Collects the pellets around the animal."""
    BIG_MOOSE_JUICE = 3
    """Multiplies the points of the animal."""
    PowerPellet, ChameleonCloak, Scavenger, BigMooseJuice = range(4)  # as the contest spells them


class Position(NamedTuple):
    """A cell of the board. It is equal to the plain pair (x, y)."""

    x: int
    """The column, from 0 at the left."""
    y: int
    """The row, from 0 at the top."""


class _Cell(NamedTuple):
    x: int
    """The column, from 0 at the left."""
    y: int
    """The row, from 0 at the top."""
    content: CellContent
    """What it holds."""


class Cell(Spelled, _Cell):
    """A cell of the board with its content."""

    __slots__ = ()


class Way(NamedTuple):
    """A shortest way."""

    target: Position
    """The cell that the way leads to."""
    distance: int
    """The steps, one per tick; 0 if the start is the target."""
    action: Action | None
    """The first step; None if the start is the target."""
    cells: list[Position]
    """The cells of the way, without the start."""


assert len(DIRECTIONS) == len(STEPS)
