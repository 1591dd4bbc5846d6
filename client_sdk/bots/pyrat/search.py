"""Searches the game of both players, cheese by cheese.

A move of this search is not a step but a whole way to a cheese. The player that arrives first
chooses its next cheese; the search looks a few choices ahead for both, with alpha and beta, and
finishes the game from there with the nearest cheese that is not lost, again for both."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from client_sdk.api.pyrat import Context, Direction, GameState
from client_sdk.bots.pyrat.greedy import Greedy

DEPTH: Final = 4
"""Choices that it looks ahead, of both players together."""
WIDTH: Final = 4
"""Cheeses that a player considers: the nearest that it does not lose."""
WIN: Final = 10.0
"""What more than half of the cheese is worth, in cheeses."""


class Place(NamedTuple):
    """Where a player is or arrives, and when."""

    steps: Sequence[float]
    """To every cheese, by its number."""
    time: float


class Search(Greedy):
    name = "search"

    def think(self, state: GameState, ctx: Context) -> Direction:
        mine = self._distances(state, state.my_position)
        theirs = self._distances(state, state.opponent_position)
        cheeses = [cell for cell in state.cheese if cell in mine]
        if not cheeses or not all(cell in self._ways for cell in cheeses):
            return super().think(state, ctx)  # no time for the distances: no search
        self._steps = [[self._ways[one].get(two, inf) for two in cheeses] for one in cheeses]
        self._half = (state.total_cheese) / 2
        me = Place([mine[cell] for cell in cheeses], 0)
        other = Place([theirs.get(cell, inf) for cell in cheeses], state.opponent_mud_turns)
        left = list(range(len(cheeses)))
        best, target = -inf, -1
        for choice in self._choices(me, other, left, WIDTH):
            value = self._after(
                choice, me, other, left, state.my_score, state.opponent_score, DEPTH - 1, best, inf
            )
            if value > best:
                best, target = value, choice
        if target < 0:
            return super().think(state, ctx)
        return self._step(state, state.my_position, cheeses[target])

    def _choices(self, who: Place, other: Place, left: Sequence[int], most: int) -> list[int]:
        """The nearest cheeses that the other does not reach before."""
        late = who.time - other.time
        steps, its = who.steps, other.steps
        open_ = [cheese for cheese in left if steps[cheese] + late <= its[cheese]]
        return sorted(open_, key=lambda cheese: steps[cheese])[:most]

    def _after(
        self,
        choice: int,
        who: Place,
        other: Place,
        left: Sequence[int],
        score: float,
        its: float,
        depth: int,
        alpha: float,
        beta: float,
    ) -> float:
        """The value for `who` once it has gone for this cheese."""
        time = who.time + who.steps[choice]
        both = time == other.time + other.steps[choice]
        rest = [cheese for cheese in left if cheese != choice]
        there = Place(self._steps[choice], time)
        if both:
            score, its = score + 0.5, its + 0.5
        else:
            score += 1
        return self._value(there, other, rest, score, its, depth, alpha, beta)

    def _value(
        self,
        who: Place,
        other: Place,
        left: Sequence[int],
        score: float,
        its: float,
        depth: int,
        alpha: float,
        beta: float,
    ) -> float:
        """The value for `who` of a position in which either may be the next to choose."""
        if not left or score > self._half or its > self._half:
            return score - its + WIN * ((score > self._half) - (its > self._half))
        if other.time < who.time:
            return -self._value(other, who, left, its, score, depth, -beta, -alpha)
        choices = self._choices(who, other, left, WIDTH if depth > 0 else 1)
        if not choices:  # all is lost to it: it waits until the other has moved on
            if other.time == inf:
                return score - its
            later = Place(who.steps, other.time + 1)
            if not self._choices(other, who, left, 1):
                return score - its
            return -self._value(other, later, left, its, score, depth, -beta, -alpha)
        best = -inf
        for choice in choices:
            value = self._after(choice, who, other, left, score, its, depth - 1, alpha, beta)
            best, alpha = max(best, value), max(alpha, value)
            if alpha >= beta:
                break
        return best


if __name__ == "__main__":
    Search().run()
