"""Eats what lies ahead, else goes for the nearest pellet, and is nowhere that a zookeeper could be
first (RULES §13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from client_sdk.api.zooscape import Action, Bot, CellContent, GameState, PowerUpType
from client_sdk.api.zooscape_paths import STEPS, Grid, Number

AHEAD = 9
"""Steps that it looks ahead along every way."""
WIDTH = 24
"""Number of ways it follows at a time."""
PATIENCE = 0.9
"""What a pellet is worth a step later."""
FEAR = 9
"""Steps to the farthest zookeeper that it minds."""
CROWD = 40
"""Pellets in its square that are worth a scavenger."""
FEAST = 4
"""Pellets in the next five steps that are worth juice."""
LAST = 25
"""Last ticks of the match, in which every item is used."""

WORTH: Mapping[CellContent, float] = {CellContent.PELLET: 1.0, CellContent.POWER_PELLET: 10.0}
WORTH_HOLDING: Mapping[CellContent, float] = {
    CellContent.SCAVENGER: 8.0,
    CellContent.BIG_MOOSE_JUICE: 6.0,
    CellContent.CHAMELEON_CLOAK: 1.0,
}
"""In pellets. An item that is picked up while another one is held or in effect takes its place."""

DIRECTIONS = (Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT)
"""By their places in STEPS."""


class Greedy(Bot):
    name = "greedy"

    def on_state(self, state: GameState) -> Action | None:
        if state.me.queue_length:  # a slow tick has left a command there: let it go first
            return None
        plan = Plan(state)
        if plan.item_helps():
            return Action.USE_ITEM
        # A command that stands acts before a newer one, and so wins a pellet that two reach at
        # once: nothing is said twice.
        return None if plan.action == state.me.direction else plan.action


class Ahead(NamedTuple):
    """A way that the bot thinks of."""

    worth: float
    turns: int
    """Of its first step."""
    place: int
    """Its first step, by its place in DIRECTIONS."""
    meal: int
    """Pellets on its first five steps."""
    cells: tuple[Number, ...]
    """The own cell first."""


class Plan:
    """What to do in one state."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.grid: Grid = state.grid
        self.here = state.number(*state.me.position)
        self.threat = self.grid.reach(
            [state.number(*keeper.position) for keeper in state.zookeepers], FEAR
        )
        self.values = self._values()
        self.meal = 0
        """Of the way that was chosen."""
        self.action = self._ahead() or self._afar() or self._away()

    def item_helps(self) -> bool:
        """Whether this is the tick for the item that is held. Using it moves on as before: nothing
        is lost if we want that."""
        me, left = self.state.me, self.state.max_ticks - self.state.tick
        if me.held_power_up is None or (self.action != me.direction and left > LAST):
            return False
        match me.held_power_up:
            case PowerUpType.SCAVENGER:
                return left <= LAST or self._crowd() >= CROWD
            case PowerUpType.BIG_MOOSE_JUICE:
                return left <= LAST or (me.streak_multiplier > 3 and self.meal >= FEAST)
            case _:
                return self.threat.get(self.here, FEAR) <= 4

    def _values(self) -> list[float]:
        """What every cell is worth, in pellets, by its digit."""
        me = self.state.me
        worth = dict(WORTH)
        if me.held_power_up is None and me.active_power_up is None:
            worth |= WORTH_HOLDING
        by_digit = {ord("0") + content: worth.get(content, 0.0) for content in CellContent}
        return [by_digit[digit] for digit in self.state.contents]

    def _ahead(self) -> Action | None:
        """The first step of the best way of AHEAD steps; None if nothing lies on any."""
        ways = [
            Ahead(0.0, self._turns(place), place, 0, (self.here,))
            for place in range(len(DIRECTIONS))
        ]
        for steps in range(1, AHEAD + 1):
            further = [way for known in ways for way in self._further(known, steps)]
            if not further:
                break
            ways = sorted(further, key=lambda way: (-way.worth, way.turns))[:WIDTH]
        best: dict[int, Ahead] = {}
        for way in ways:
            if way.worth:
                best.setdefault(way.place, way)
        if not best:
            return None
        # Two on one cell that want the same go the same way for good, and one of them eats it all.
        rank = sum(
            other.position == self.state.me.position
            for other in self.state.animals[: self.state.me.seat]
        )
        chosen = [*best.values()][min(rank, len(best) - 1)]
        self.meal = chosen.meal
        return DIRECTIONS[chosen.place]

    def _further(self, way: Ahead, steps: int) -> Iterator[Ahead]:
        """The way with one more step, everywhere it can go on without turning back."""
        *_, here = way.cells
        around = self.grid.around[here]
        for step in around if steps > 1 else (around[way.place],):
            if (
                step is None
                or step == way.cells[-2:][0]
                or self.threat.get(step, FEAR + AHEAD) <= steps
            ):
                continue
            value = 0.0 if step in way.cells else self.values[step]
            meal = way.meal + (value >= 1 and steps <= 5)
            yield Ahead(
                way.worth + value * PATIENCE**steps, way.turns, way.place, meal, (*way.cells, step)
            )

    def _turns(self, place: int) -> int:
        """Quarter turns from the present direction."""
        going = self.state.me.direction
        if going is None:
            return 0
        (dx, dy), (to_x, to_y) = STEPS[DIRECTIONS.index(going)], STEPS[place]
        return 1 - dx * to_x - dy * to_y

    def _afar(self) -> Action | None:
        """Towards the nearest thing that is worth something, where nothing lies ahead; zookeepers
        are given a berth."""
        first = (
            None if self.state.me.direction is None else DIRECTIONS.index(self.state.me.direction)
        )
        found = self.grid.nearest(self.here, self.values, self._berth(), first)
        return None if found is None or not found.cells else self._towards(found.cells[0])

    def _berth(self) -> list[Number]:
        return [cell for cell, steps in self.threat.items() if steps <= 3]

    def _away(self) -> Action | None:
        """Where the nearest zookeeper is farthest."""
        open_ = [step for step in self.grid.around[self.here] if step is not None]
        return (
            self._towards(max(open_, key=lambda step: self.threat.get(step, FEAR + 1)))
            if open_
            else None
        )

    def _towards(self, step: Number) -> Action:
        return DIRECTIONS[self.grid.around[self.here].index(step)]

    def _crowd(self) -> int:
        """Pellets in the scavenger's square."""
        x, y = self.state.me.position
        rows = self.state.map[max(0, y - 5) : y + 6]
        return sum(row.count("2", max(0, x - 5), x + 6) for row in rows)


if __name__ == "__main__":
    Greedy().run()
