"""The collected pellets that will come back, during a tick, and their text.

Of hundreds a tick changes a few. So that the hash of a tick need not write them all, their text is
changed with them, if that of the last tick is known."""

from __future__ import annotations

from bisect import bisect_left

from games.zooscape.board import Cell
from games.zooscape.state import RESPAWNS, State


class Respawns:
    """`State.respawns`, to be changed."""

    __slots__ = ("_area", "_numbers", "_text", "_texts")

    def __init__(self, state: State) -> None:
        self._area = state.maze.area
        self._numbers = list(state.respawns)
        self._texts = state.texts
        self._text = state.texts.kept(RESPAWNS, state.respawns)
        """The repr of the tuple of at least two; None: not known."""

    def add(self, due: int, cell: Cell) -> None:
        """A pellet of this cell will be due at this tick."""
        numbers, number = self._numbers, due * self._area + cell
        place = bisect_left(numbers, (due + 1) * self._area)
        if len(numbers) < 2:
            self._text = None
        elif self._text is not None:
            if place == len(numbers):
                self._text = f"{self._text[:-1]}, {number})"
            else:
                start = self._start(self._text, place)
                self._text = f"{self._text[:start]}{number}, {self._text[start:]}"
        numbers.insert(place, number)

    def due(self, tick: int) -> list[int]:
        """Those that are due in this tick or were before, the first ones."""
        return self._numbers[: bisect_left(self._numbers, (tick + 1) * self._area)]

    def drop(self, due: list[int], blocked: list[int]) -> None:
        """Those that were due are gone, but for the blocked ones."""
        if blocked or len(self._numbers) - len(due) < 2:
            self._text = None
        elif self._text is not None:
            self._text = f"({self._text[self._start(self._text, len(due)) :]}"
        self._numbers[: len(due)] = blocked

    def freeze(self) -> tuple[int, ...]:
        """Those of the next state."""
        after = tuple(self._numbers)
        if self._text is not None:
            self._texts.keep(RESPAWNS, after, self._text)
        return after

    def _start(self, text: str, place: int) -> int:
        """Where the number at this place begins in the text. It is the first one that begins with
        its digits: those before it are due in the same tick at the latest, so that none is ten
        times as large."""
        return 1 if place == 0 else text.index(f" {self._numbers[place]}") + 1
