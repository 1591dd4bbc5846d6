"""One tick on a board to search on: the rules of `tick` and `advance` once more, for speed on plain
lists that are written into."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from games.core.contract import Seat
from games.core.dice import Dice
from games.zooscape.advance import power_up_candidates
from games.zooscape.board import (
    BIG_MOOSE_JUICE,
    CHAMELEON_CLOAK,
    EMPTY,
    PELLET,
    POWER_PELLET,
    SCAVENGER,
    Cell,
)
from games.zooscape.chance import (
    pellet_delay,
    power_up_cell,
    power_up_interval,
    power_up_kind,
    zookeeper_interval,
)
from games.zooscape.maze import IDLE, Maze
from games.zooscape.paths import first_step
from games.zooscape.rules import Rules
from games.zooscape.state import NONE, SKIP, USE_ITEM, Action
from games.zooscape.tick import ITEMS

REMEMBERED: Final = 100_000
"""First steps of zookeepers that are kept for a maze before all are forgotten."""

Beast: TypeAlias = list[Any]
"""The fields of an `Animal`, in their order."""
(
    CELL,
    DIRECTION,
    SCORE,
    STREAK,
    MISSED,
    CAPTURED,
    ON_SPAWN,
    DISTANCE,
    VIABLE,
    HELD,
    ACTIVE,
    REMAINING,
    USED,
    LAST_COMMAND,
    USED_NOTHING,
) = range(15)


class Table:
    """What never changes on a board, and what is looked up in it."""

    __slots__ = ("durations", "longest", "maze", "reference", "rules", "ways")

    def __init__(self, rules: Rules, maze: Maze) -> None:
        self.rules = rules
        self.maze = maze
        self.reference = rules.rules_profile == "reference"
        self.longest = rules.command_queue_size + self.reference
        """The commands that a queue holds."""
        self.durations = {
            CHAMELEON_CLOAK: rules.chameleon_cloak_duration,
            SCAVENGER: rules.scavenger_duration,
            BIG_MOOSE_JUICE: rules.big_moose_juice_duration,
        }
        self.ways = _ways(maze)
        """The first steps of zookeepers that are known: start * area + goal -> direction."""


class ScratchTick:
    """A tick in play, of which `Scratch.make` makes the next position. It has a part for each of
    that, hence their number."""

    __slots__ = (
        "animals",
        "cells",
        "dice",
        "firsts",
        "next_seq",
        "number",
        "queues",
        "respawns",
        "table",
        "watched",
        "zookeepers",
    )

    def __init__(
        self,
        table: Table,
        number: int,
        dice: Dice | None,
        cells: bytearray,
        animals: list[Beast],
        respawns: tuple[int, ...],
        queues: tuple[Any, ...],
        firsts: tuple[int | None, ...],
        next_seq: int,
    ) -> None:
        self.table = table
        self.number = number
        self.dice = dice
        self.cells = cells
        self.animals = animals
        self.respawns = respawns
        self.queues = queues
        self.firsts = firsts
        self.next_seq = next_seq
        self.zookeepers: list[Any] = []
        self.watched: set[Cell] | tuple[()] = ()

    def move_animals(self, actions: Sequence[Action]) -> None:
        """The actions arrive as commands; then RULES §5, steps 1 to 4."""
        table, animals, steps = self.table, self.animals, self.table.maze.steps
        order: list[tuple[int, Seat, bool]] = []
        silent: list[Seat] = []
        for seat, action in enumerate(actions):
            animal, queue = animals[seat], self.queues[seat]
            animal[USED_NOTHING] = False
            if action != SKIP:
                if len(queue) < table.longest:
                    queue = (*queue, (action, self.next_seq))
                    if self.firsts[seat] is None:
                        self.firsts = _with(self.firsts, seat, self.next_seq)
                self.next_seq += 1
            if queue:
                animal[LAST_COMMAND] = queue[0]
                if queue[1:] != self.queues[seat]:
                    self.queues = _with(self.queues, seat, queue[1:])
            if animal[LAST_COMMAND] is None:
                silent.append(seat)
            else:
                order.append((animal[LAST_COMMAND][1], seat, bool(queue)))
        order.sort()
        for _, seat, fresh in order:
            animal = animals[seat]
            action = animal[LAST_COMMAND][0]
            if action != USE_ITEM:
                animal[DIRECTION] = action
            elif fresh or table.reference:
                if animal[HELD]:
                    animal[ACTIVE] = animal[HELD]
                    animal[REMAINING] = table.durations[animal[HELD]]
                    animal[HELD] = NONE
                    animal[USED] += 1
                elif fresh:
                    animal[USED_NOTHING] = True
            cell = steps[animal[DIRECTION]][animal[CELL]]
            if cell != animal[CELL]:
                animal[CELL] = cell
                animal[DISTANCE] += 1
            self._stay(seat, animal)
        for seat in silent:
            self._stay(seat, animals[seat])

    def _stay(self, seat: Seat, animal: Beast) -> None:
        """What happens to an animal on its cell: RULES §5, steps 3.3 to 3.6."""
        table, cells, cell, fed = self.table, self.cells, animal[CELL], False
        spawn = table.maze.spawns[seat]
        if cell == spawn:
            animal[ON_SPAWN] += 1
        else:
            content = cells[cell]
            if table.reference and content != PELLET:
                self._miss(animal, 1)
            if content in (PELLET, POWER_PELLET):
                self._take(animal, cell)
                fed = True
            elif content in ITEMS:
                if not table.reference:
                    animal[ACTIVE] = animal[REMAINING] = animal[HELD] = NONE
                if not animal[HELD]:
                    animal[HELD] = content
                    cells[cell] = EMPTY
            if cell in self.watched:
                self._lose(seat, animal)
        animal[VIABLE] = animal[CELL] != spawn
        if animal[ACTIVE]:
            if animal[ACTIVE] == SCAVENGER:
                fed = self._scavenge(animal) or fed
            elif animal[ACTIVE] == CHAMELEON_CLOAK:
                animal[VIABLE] = False
            animal[REMAINING] -= 1
            if animal[REMAINING] == 0:
                animal[ACTIVE] = NONE
        if not fed and not table.reference:
            self._miss(animal, 0)

    def move_zookeepers(self, zookeepers: Sequence[Any]) -> None:
        """RULES §5, steps 5 and 8."""
        table, animals = self.table, self.animals
        rules, maze, ways = table.rules, table.maze, table.ways
        period = rules.zookeeper_retarget_ticks
        by_game = rules.zookeeper_retarget == "game"
        contact = rules.captures == "contact"
        places = [animal[CELL] for animal in animals]
        for zookeeper in zookeepers:
            cell, _, target, chased, due = zookeeper
            if (self.number - 1) % period == 0 if by_game else target is None or due:
                target = nearest(maze, animals, cell, None if table.reference else target)
                due = False
            direction = None
            if target is not None and animals[target][VIABLE]:
                key = cell * maze.area + animals[target][CELL]
                direction = ways.get(key, UNKNOWN)
                if direction == UNKNOWN:
                    direction = first_step(maze, cell, animals[target][CELL])
                    if len(ways) >= REMEMBERED:
                        ways.clear()
                    ways[key] = direction
            if direction is None:
                self.zookeepers.append((cell, IDLE, None, chased, due))
            else:
                cell = maze.steps[direction][cell]
                chased += 1
                if chased == period:
                    chased, due = 0, True
                self.zookeepers.append((cell, direction, target, chased, due))
            if contact and cell in places:
                self._seize(cell)
                places = [animal[CELL] for animal in animals]

    def count_to_power_up(self, timer: int, dice: Dice) -> int:
        """RULES §5, step 6."""
        if timer > 1:
            return timer - 1
        table = self.table
        places = [animal[CELL] for animal in self.animals]
        candidates = power_up_candidates(table.rules, table.maze, self.cells, places)
        cell = power_up_cell(candidates, dice)
        if cell is not None:
            self.cells[cell] = power_up_kind(table.rules, dice)
        return power_up_interval(table.rules, dice)

    def respawn(self) -> None:
        """RULES §5, step 7: the pellets that are due."""
        area = self.table.maze.area
        due = bisect_left(self.respawns, (self.number + 1) * area)
        occupied = {animal[CELL] for animal in self.animals}
        blocked = []
        for respawn in self.respawns[:due]:
            cell = respawn % area
            if self.cells[cell] == EMPTY and cell not in occupied:
                self.cells[cell] = PELLET
            else:
                blocked.append(respawn)
        waiting = blocked if self.table.rules.respawn_blocked_pellets else ()
        self.respawns = (*waiting, *self.respawns[due:])

    def count_to_zookeeper(self, timer: int, dice: Dice) -> int:
        """RULES §5, step 8: one more zookeeper."""
        table = self.table
        if len(self.zookeepers) >= table.rules.zookeepers_max:
            return timer
        if timer > 1:
            return timer - 1
        centre = table.maze.centre
        self.zookeepers.append((centre, IDLE, None, 0, False))
        if table.rules.captures == "contact" and not table.reference:
            self._seize(centre)
        return zookeeper_interval(table.rules, dice)

    def capture(self) -> None:
        """Where captures wait for the end of the tick."""
        for cell in {zookeeper[0] for zookeeper in self.zookeepers}:
            self._seize(cell)

    def _seize(self, cell: Cell) -> None:
        """A zookeeper stands here: it captures the animals that do."""
        for seat, animal in enumerate(self.animals):
            if animal[CELL] == cell:
                self._lose(seat, animal)
                animal[ON_SPAWN] += 1

    def _lose(self, seat: Seat, animal: Beast) -> None:
        table = self.table
        animal[SCORE] = int(animal[SCORE] * (100 - table.rules.score_loss_percentage) / 100.0)
        animal[CAPTURED] += 1
        animal[CELL] = table.maze.spawns[seat]
        animal[LAST_COMMAND] = None
        animal[STREAK] = 1.0
        animal[MISSED] = 0
        if self.queues[seat]:
            self.queues = _with(self.queues, seat, ())
        if not table.reference:
            animal[DIRECTION] = IDLE
            animal[VIABLE] = False

    def _miss(self, animal: Beast, spare: int) -> None:
        animal[MISSED] += 1
        if animal[MISSED] >= self.table.rules.streak_reset_ticks + spare:
            animal[STREAK] = 1.0
            animal[MISSED] = 0

    def _take(self, animal: Beast, cell: Cell) -> None:
        """Award a pellet or power pellet and take it off the board."""
        table = self.table
        content = self.cells[cell]
        self._award(animal, content)
        self.cells[cell] = EMPTY
        if self.dice is not None and content == PELLET and table.rules.pellets_respawn:
            area = table.maze.area
            due = self.number + pellet_delay(table.rules, self.dice)
            place = bisect_left(self.respawns, (due + 1) * area)
            self.respawns = (*self.respawns[:place], due * area + cell, *self.respawns[place:])

    def _award(self, animal: Beast, content: int) -> None:
        table, streak = self.table, animal[STREAK]
        rules = table.rules
        times = rules.power_pellet_value if content == POWER_PELLET else 1
        worth = rules.points_per_pellet * times
        if animal[ACTIVE] != BIG_MOOSE_JUICE:
            animal[SCORE] += int(worth * streak)
        elif table.reference:
            juice = times if content == POWER_PELLET else rules.big_moose_juice_multiplier
            animal[SCORE] += int(worth * juice) + int(worth * streak)
        else:
            animal[SCORE] += int(worth * streak * rules.big_moose_juice_multiplier)
        animal[STREAK] = min(streak + rules.streak_growth, float(rules.streak_max))
        animal[MISSED] = 0

    def _scavenge(self, animal: Beast) -> bool:
        """Column by column, each from the top. Whether there was something in reach."""
        table, cells, found = self.table, self.cells, False
        maze, radius = table.maze, table.rules.scavenger_radius
        x, y = maze.xy(animal[CELL])
        top, bottom = max(y - radius, 0), min(y + radius, maze.height - 1)
        for column in range(max(x - radius, 0), min(x + radius, maze.width - 1) + 1):
            end = column + bottom * maze.width + 1
            for cell in range(column + top * maze.width, end, maze.width):
                if cells[cell] in (PELLET, POWER_PELLET):
                    found = True
                    if table.reference:
                        self._award(animal, cells[cell])
                    else:
                        self._take(animal, cell)
        return found


UNKNOWN: Final = -1
"""Stands for a first step that is not in the table; None there: there is no way."""


@lru_cache(maxsize=16)
def _ways(maze: Maze) -> dict[int, int | None]:
    """The first steps that are known, start * area + goal: all boards on a maze share them."""
    return {}


def _with(values: tuple[Any, ...], seat: Seat, value: Any) -> tuple[Any, ...]:
    """The values by seat, with this one replaced."""
    return (*values[:seat], value, *values[seat + 1 :])


def nearest(maze: Maze, animals: Sequence[Beast], cell: Cell, kept: Seat | None) -> Seat | None:
    """The nearest viable animal, walls or not; on a tie the one that is kept."""
    xs, ys = maze.xs, maze.ys
    x, y = xs[cell], ys[cell]
    nearest, least, tie = kept, maze.area, True
    for seat, animal in enumerate(animals):
        if animal[VIABLE]:
            distance = abs(xs[animal[CELL]] - x) + abs(ys[animal[CELL]] - y)
            if distance < least:
                nearest, least, tie = seat, distance, False
            elif distance == least:
                tie = True
    return kept if tie else nearest
