"""How the views of a game become arrays, and numbers of actions commands. All numbers are as in the
view, without a scale; what a seat sees of itself comes before what it sees of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.core.contract import Json, Seat

Array: TypeAlias = NDArray[np.float32]
ArrayObservation: TypeAlias = dict[str, Array]


class Encoding(Protocol):
    """The arrays and actions of one game, with the sizes of one configuration."""

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The arrays of an observation by name, each of 32-bit floats."""
        ...

    @property
    def actions(self) -> int:
        """The number of actions."""
        ...

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        """The view of this seat as arrays."""
        ...

    def command(self, view: Json, action: int) -> Json:
        """The command that the action stands for now; None: it stands for nothing."""
        ...

    def numbers(self, view: Json, commands: Iterable[Json]) -> list[int]:
        """The actions that stand for these commands, in the spelling of `Game.legal`."""
        ...


class FixedActions:
    """Actions that stand for the same commands at all times."""

    def __init__(self, commands: Sequence[Json]) -> None:
        self.commands = list(commands)
        self.actions = len(self.commands)
        self._number = {str(command): number for number, command in enumerate(self.commands)}

    def command(self, view: Json, action: int) -> Json:
        return self.commands[action]

    def numbers(self, view: Json, commands: Iterable[Json]) -> list[int]:
        return [self._number[str(command)] for command in commands]


def vector(numbers: Iterable[float]) -> Array:
    return np.fromiter(numbers, np.float32)
