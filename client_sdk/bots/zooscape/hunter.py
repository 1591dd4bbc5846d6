"""Eats as greedy does, and on the way draws near to the power-ups that it reaches first.

Greedy sees what is at most nine steps away. This bot adds a potential to every cell: the worth of
the best power-up, less the longer the way to it. A step is worth what it eats and what it gains in
potential; so a detour past pellets costs nothing, and one past empty cells costs what it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client_sdk.api.zooscape import Action, CellContent, GameState
from client_sdk.api.zooscape_paths import UNREACHABLE, Number
from client_sdk.bots.zooscape.greedy import Ahead, Greedy, Plan

PULL: Final = 0.95
"""What a power-up is worth a step later."""
PRIZES: Final[Mapping[CellContent, float]] = {
    CellContent.POWER_PELLET: 10.0,
    CellContent.SCAVENGER: 20.0,
    CellContent.BIG_MOOSE_JUICE: 6.0,
}
"""In pellets; the last two only for empty hands."""


class Hunter(Greedy):
    name = "hunter"

    def prepare(self, state: GameState) -> None:
        self.steps: dict[Number, list[int]] = {}
        """From every cell that has had a power-up, to all cells; the walls stay."""

    def on_state(self, state: GameState) -> Action | None:
        if state.me.queue_length:
            return None
        plan = Hunt(state, self.steps)
        if plan.item_helps():
            return Action.USE_ITEM
        return None if plan.action == state.me.direction else plan.action


class Hunt(Plan):
    """A plan with prizes."""

    def __init__(self, state: GameState, steps: dict[Number, list[int]]) -> None:
        self.steps = steps
        self.prizes = [
            (worth, self._steps_to(state, cell), cell)
            for cell, worth in self._wanted(state)
            if self._is_first(state, cell)
        ]
        super().__init__(state)

    def _wanted(self, state: GameState) -> Iterator[tuple[Number, float]]:
        """The power-ups that are worth a way."""
        free = state.me.held_power_up is None and state.me.active_power_up is None
        for content, worth in PRIZES.items():
            if free or content == CellContent.POWER_PELLET:
                for position in state.find(content):
                    yield state.number(*position), worth

    def _steps_to(self, state: GameState, cell: Number) -> list[int]:
        if cell not in self.steps:
            self.steps[cell] = state.grid.distances([cell])
        return self.steps[cell]

    def _is_first(self, state: GameState, cell: Number) -> bool:
        """Whether no other animal is nearer."""
        steps = self._steps_to(state, cell)
        own = steps[state.number(*state.me.position)]
        others = [
            steps[state.number(*animal.position)]
            for animal in state.animals
            if animal.seat != state.me.seat
        ]
        return own != UNREACHABLE and all(own <= other for other in others if other != UNREACHABLE)

    def _potential(self, cell: Number) -> float:
        """What the best power-up is worth from here."""
        return max(
            (worth * PULL ** steps[cell] for worth, steps, at in self.prizes if at != cell),
            default=0.0,
        )

    def _further(self, way: Ahead, steps: int) -> Iterator[Ahead]:
        before = self._potential(way.cells[-1])
        for further in super()._further(way, steps):
            gain = self._potential(further.cells[-1]) - before
            yield further._replace(worth=further.worth + gain)


if __name__ == "__main__":
    Hunter().run()
