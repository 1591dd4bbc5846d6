"""Plans its next cheeses as one tour, and leaves out those that the opponent reaches first.

Greedy looks at one cheese at a time and so walks past the end of a row, or away from a cluster.
This bot tries the orders in which it could collect the cheeses around it, and takes the first step
of the best order."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

from client_sdk.api.pyrat import Cell, Context, Direction, GameState
from client_sdk.bots.pyrat.greedy import Greedy

LENGTH: Final = 5
"""Cheeses of a tour."""
WIDTH: Final = 5
"""Cheeses that it tries next from every one: the nearest."""
PATIENCE: Final = 0.93
"""What a cheese is worth a turn later."""


class Tour(Greedy):
    name = "tour"

    def think(self, state: GameState, ctx: Context) -> Direction:
        here = state.my_position
        mine = self._distances(state, here)
        cheeses = [cell for cell in state.cheese if cell in mine]
        if not cheeses or not all(cell in self._ways for cell in cheeses):
            return super().think(state, ctx)  # no time for the distances: no tours
        their = self._their_times(state, cheeses)
        _, order = self._best(mine, cheeses, their, 0, LENGTH)
        return self._step(state, here, order[0]) if order else super().think(state, ctx)

    def _their_times(self, state: GameState, cheeses: Sequence[Cell]) -> dict[Cell, float]:
        """When the opponent reaches each cheese if it always takes the nearest."""
        times, now = {}, float(state.opponent_mud_turns)
        steps, left = self._distances(state, state.opponent_position), list(cheeses)
        while left:
            cheese = min(left, key=lambda cell: steps.get(cell, inf))
            now += steps.get(cheese, inf)
            times[cheese] = now
            left.remove(cheese)
            steps = self._ways[cheese]
        return times

    def _best(
        self,
        steps: dict[Cell, int],
        left: Sequence[Cell],
        their: dict[Cell, float],
        now: int,
        length: int,
    ) -> tuple[float, list[Cell]]:
        """What the best order from a place is worth, and the order. `steps` are the distances from
        there; a cheese that both reach at the same time counts half."""
        if not length:
            return 0.0, []
        best: tuple[float, list[Cell]] = (0.0, [])
        open_ = [cell for cell in left if now + steps[cell] <= their[cell]]
        for cheese in sorted(open_, key=lambda cell: steps[cell])[:WIDTH]:
            then = now + steps[cheese]
            rest = [cell for cell in open_ if cell != cheese]
            later, order = self._best(self._ways[cheese], rest, their, then, length - 1)
            worth = later + PATIENCE**then * (1.0 if then < their[cheese] else 0.5)
            if worth > best[0]:
                best = worth, [cheese, *order]
        return best


if __name__ == "__main__":
    Tour().run()
