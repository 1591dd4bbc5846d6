"""One tick (RULES §5): animals, zookeepers, power-ups, pellets, one more zookeeper, each after the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import compress
from math import isqrt
from typing import Final

from games.core.contract import Seat
from games.core.dice import Dice
from games.zooscape.board import (
    BIG_MOOSE_JUICE,
    CHAMELEON_CLOAK,
    EMPTY,
    PELLET,
    POWER_PELLET,
    SCAVENGER,
    Cell,
)
from games.zooscape.chance import pellet_delay, power_up_cell, power_up_interval, power_up_kind, zookeeper_interval
from games.zooscape.maze import IDLE, Maze
from games.zooscape.paths import first_step
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, NONE, USE_ITEM, Action, Animal, Kind, State, Zookeeper

_FREE: Final = bytes(content in (EMPTY, PELLET) for content in range(256))
"""Where a power-up may appear, by content."""


def advance(state: State, dice: Dice) -> State:
    """Play one tick."""
    tick = Tick(state, dice)
    tick.move_animals()
    tick.move_zookeepers()
    tick.spawn_power_up()
    tick.respawn_pellets()
    tick.spawn_zookeeper()
    return tick.freeze()


class Body:
    """An animal during a tick: the fields of `Animal`, to be changed."""

    __slots__ = (
        "active",
        "ate",
        "captured_count",
        "cell",
        "direction",
        "distance_covered",
        "held",
        "is_viable",
        "last_command",
        "power_ups_used",
        "score",
        "seat",
        "streak_missed",
        "streak_multiplier",
        "ticks_on_spawn",
        "ticks_remaining",
        "used_nothing",
    )

    def __init__(self, seat: Seat, animal: Animal) -> None:
        self.seat = seat
        (
            self.cell,
            self.direction,
            self.score,
            self.streak_multiplier,
            self.streak_missed,
            self.captured_count,
            self.ticks_on_spawn,
            self.distance_covered,
            self.is_viable,
            self.held,
            self.active,
            self.ticks_remaining,
            self.power_ups_used,
            self.last_command,
            _,
        ) = animal
        self.used_nothing = False
        self.ate = False
        """It took a pellet or power pellet in this tick."""

    def freeze(self) -> Animal:
        return Animal(
            self.cell,
            self.direction,
            self.score,
            self.streak_multiplier,
            self.streak_missed,
            self.captured_count,
            self.ticks_on_spawn,
            self.distance_covered,
            self.is_viable,
            self.held,
            self.active,
            self.ticks_remaining,
            self.power_ups_used,
            self.last_command,
            self.used_nothing,
        )


class Tick:
    """A state while a tick is played on it: mutable and private. The steps of RULES §5 are its methods, in order."""

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.rules = rules = state.rules
        self.profile = rules.profile
        self.maze = state.maze
        self.tick = state.tick + 1
        self.cells = bytearray(state.cells)
        self.bodies = [Body(seat, animal) for seat, animal in enumerate(state.animals)]
        self.zookeepers = list(state.zookeepers)
        self.watched = {zookeeper.cell for zookeeper in state.zookeepers}
        """Where zookeepers stand while the animals move."""
        self.respawns = list(state.respawns)
        self.queues = list(state.queues)
        self.power_up_timer = state.power_up_timer
        self.zookeeper_timer = state.zookeeper_timer

    def freeze(self) -> State:
        state = self.state
        return State(
            self.rules,
            self.maze,
            self.tick,
            bytes(self.cells),
            tuple([body.freeze() for body in self.bodies]),
            tuple(self.zookeepers),
            tuple(self.respawns),
            self.power_up_timer,
            self.zookeeper_timer,
            tuple(self.queues),
            state.first_command_seqs,
            state.next_seq,
        )

    # --- animals: steps 1 to 4 ---------------------------------------------------------------------------------------------

    def move_animals(self) -> None:
        """Those with a command in the order of its seq, then the silent ones in that of their seats."""
        moving: list[tuple[int, Seat, Action, bool]] = []
        silent: list[Body] = []
        for body in self.bodies:
            seat = body.seat
            queue = self.queues[seat]
            if queue:
                body.last_command, self.queues[seat] = queue[0], queue[1:]
            if body.last_command is None:
                silent.append(body)
            else:
                action, seq = body.last_command
                moving.append((seq, seat, action, bool(queue)))
        moving.sort()
        for _, seat, action, fresh in moving:
            self._act(self.bodies[seat], action, fresh)
        for body in silent:
            self._follow(body)

    def _act(self, body: Body, action: Action, fresh: bool) -> None:
        if action != USE_ITEM:
            body.direction = action
        elif fresh or self.profile.use_item_repeats:
            self._use_item(body, fresh)
        cell = self.maze.steps[body.direction][body.cell]
        if cell != body.cell:
            body.cell = cell
            body.distance_covered += 1
        self._follow(body)

    def _use_item(self, body: Body, fresh: bool) -> None:
        if body.held:
            body.active, body.ticks_remaining = body.held, duration(self.rules, body.held)
            body.held = NONE
            body.power_ups_used += 1
        elif fresh:
            body.used_nothing = True

    def _follow(self, body: Body) -> None:
        """What happens to an animal where it is, and what its active power-up does there: steps 3.3 to 3.6."""
        spawn = self.maze.spawns[body.seat]
        if body.cell == spawn:
            body.ticks_on_spawn += 1
        else:
            self._take(body)
            if body.cell in self.watched:
                self._capture(body)
        body.is_viable = body.cell != spawn
        if body.active:
            self._run_effect(body)
        if self.profile.misses_everywhere and not body.ate:
            self._miss(body)

    def _take(self, body: Body) -> None:
        cell = body.cell
        content = self.cells[cell]
        if content == PELLET:
            self._eat(body, cell, content)
            return
        if not self.profile.misses_everywhere:
            self._miss(body)
        if content == POWER_PELLET:
            self._eat(body, cell, content)
        elif content in KINDS:
            if self.profile.pick_up_replaces:
                body.active = body.ticks_remaining = NONE
            elif body.held:
                return
            body.held = content
            self.cells[cell] = EMPTY

    def _eat(self, body: Body, cell: Cell, content: int) -> None:
        self._award(body, content)
        self.cells[cell] = EMPTY
        if content == PELLET:
            area = self.maze.area
            due = self.tick + pellet_delay(self.rules, self.dice)
            self.respawns.insert(bisect_left(self.respawns, (due + 1) * area), due * area + cell)

    def _award(self, body: Body, content: int) -> None:
        rules = self.rules
        base = rules.points_per_pellet
        if content == POWER_PELLET:
            base *= rules.power_pellet_value
        streak = body.streak_multiplier
        if body.active != BIG_MOOSE_JUICE:
            body.score += int(base * streak)
        elif self.profile.juice_multiplies:
            body.score += int(base * streak * rules.big_moose_juice_multiplier)
        else:
            factor = rules.power_pellet_value if content == POWER_PELLET else rules.big_moose_juice_multiplier
            body.score += int(base * factor) + int(base * streak)
        body.streak_multiplier = min(streak + rules.streak_growth, float(rules.streak_max))
        body.streak_missed = 0
        body.ate = True

    def _miss(self, body: Body) -> None:
        body.streak_missed += 1
        if body.streak_missed >= self.rules.streak_reset_ticks + self.profile.spare_misses:
            body.streak_multiplier = 1.0
            body.streak_missed = 0

    def _run_effect(self, body: Body) -> None:
        if body.active == SCAVENGER:
            self._scavenge(body)
        elif body.active == CHAMELEON_CLOAK:
            body.is_viable = False
        body.ticks_remaining -= 1
        if body.ticks_remaining == 0:
            body.active = NONE

    def _scavenge(self, body: Body) -> None:
        """Column by column, each from the top."""
        maze, radius = self.maze, self.rules.scavenger_radius
        x, y = maze.xy(body.cell)
        top, bottom = max(y - radius, 0), min(y + radius, maze.height - 1)
        for column in range(max(x - radius, 0), min(x + radius, maze.width - 1) + 1):
            for cell in range(column + top * maze.width, column + bottom * maze.width + 1, maze.width):
                content = self.cells[cell]
                if content in (PELLET, POWER_PELLET):
                    if self.profile.scavenger_takes:
                        self._eat(body, cell, content)
                    else:
                        self._award(body, content)

    def _capture(self, body: Body) -> None:
        body.score = int(body.score * (100 - self.rules.score_loss_percentage) / 100.0)
        body.captured_count += 1
        body.cell = self.maze.spawns[body.seat]
        self.queues[body.seat] = ()
        body.last_command = None
        body.streak_multiplier = 1.0
        body.streak_missed = 0
        if self.profile.capture_stops:
            body.direction = IDLE
            body.is_viable = False

    # --- zookeepers: steps 5 and 8 -----------------------------------------------------------------------------------------

    def move_zookeepers(self) -> None:
        """One completely after the other, in the order of their appearance."""
        for number, before in enumerate(self.zookeepers):
            self.zookeepers[number] = moved = self._chase(before)
            self._capture_all(moved.cell)

    def _chase(self, zookeeper: Zookeeper) -> Zookeeper:
        cell, _, target, chased, due = zookeeper
        if target is None or due:
            target = self._choose(cell, target if self.profile.tie_keeps_target else None)
            due = False
        if target is None or not self.bodies[target].is_viable:
            return Zookeeper(cell, IDLE, None, chased, due)
        direction = first_step(self.maze, cell, self.bodies[target].cell)
        if direction is None:
            return Zookeeper(cell, IDLE, None, chased, due)
        chased += 1
        if chased == self.rules.zookeeper_retarget_ticks:
            chased, due = 0, True
        return Zookeeper(self.maze.steps[direction][cell], direction, target, chased, due)

    def _choose(self, cell: Cell, kept: Seat | None) -> Seat | None:
        """The nearest viable animal, walls or not. On a tie the one that is kept; that it is viable is for the caller to see."""
        xs, ys = self.maze.xs, self.maze.ys
        x, y = xs[cell], ys[cell]
        nearest: list[Seat] = []
        least = self.maze.area
        for body in self.bodies:
            if body.is_viable:
                distance = abs(xs[body.cell] - x) + abs(ys[body.cell] - y)
                if distance < least:
                    least, nearest = distance, [body.seat]
                elif distance == least:
                    nearest.append(body.seat)
        if len(nearest) == 1:
            return nearest[0]
        return kept

    def _capture_all(self, cell: Cell) -> None:
        for body in self.bodies:
            if body.cell == cell:
                self._capture(body)
                body.ticks_on_spawn += 1

    def spawn_zookeeper(self) -> None:
        """One more on the zookeeper spawn, where more may come and the timer says so."""
        if self.zookeeper_timer is None or len(self.zookeepers) >= self.rules.zookeepers_max:
            return
        self.zookeeper_timer -= 1
        if self.zookeeper_timer <= 0:
            self.zookeepers.append(Zookeeper(self.maze.centre))
            if self.profile.appearance_captures:
                self._capture_all(self.maze.centre)
            self.zookeeper_timer = zookeeper_interval(self.rules, self.dice)

    # --- things: steps 6 and 7 ---------------------------------------------------------------------------------------------

    def spawn_power_up(self) -> None:
        """Where the timer says so, a power-up on one of the candidates. Then the timer starts again in any case."""
        if self.power_up_timer is None or not self.rules.power_up_spawning:
            return
        self.power_up_timer -= 1
        if self.power_up_timer > 0:
            return
        candidates = power_up_candidates(self.rules, self.maze, self.cells, [body.cell for body in self.bodies])
        cell = power_up_cell(candidates, self.dice)
        if cell is not None:
            self.cells[cell] = power_up_kind(self.rules, self.dice)
        self.power_up_timer = power_up_interval(self.rules, self.dice)

    def respawn_pellets(self) -> None:
        """Those that are due, on cells that are empty and without an animal; the others are lost, or wait if the rules say so."""
        area = self.maze.area
        due = bisect_left(self.respawns, (self.tick + 1) * area)
        if not due:
            return
        occupied = {body.cell for body in self.bodies}
        blocked: list[int] = []
        for respawn in self.respawns[:due]:
            cell = respawn % area
            if self.cells[cell] == EMPTY and cell not in occupied:
                self.cells[cell] = PELLET
            else:
                blocked.append(respawn)
        self.respawns[:due] = blocked if self.rules.respawn_blocked_pellets else ()


def duration(rules: Rules, kind: Kind) -> int:
    """Ticks that this kind is active, the one in which it is used included."""
    return {
        CHAMELEON_CLOAK: rules.chameleon_cloak_duration,
        SCAVENGER: rules.scavenger_duration,
        BIG_MOOSE_JUICE: rules.big_moose_juice_duration,
    }[kind]


def power_up_candidates(rules: Rules, maze: Maze, cells: bytes | bytearray, animals: Sequence[Cell]) -> list[Cell]:
    """The cells on which a power-up may appear, row by row: empty or with a pellet, far from every animal and every power-up."""
    free = bytearray(cells.translate(_FREE))
    radius, reach = rules.power_up_distance_from_animals, rules.power_up_distance_from_power_ups
    for animal in animals:
        for down in range(-min(radius, maze.height), min(radius, maze.height) + 1):
            _bar(free, maze, animal, isqrt(radius * radius - down * down), down)
    for power_up in [cell for cell, content in enumerate(cells) if content in KINDS]:
        for down in range(-min(reach, maze.height), min(reach, maze.height) + 1):
            _bar(free, maze, power_up, reach, down)
    return list(compress(range(maze.area), free))


def _bar(free: bytearray, maze: Maze, cell: Cell, width: int, down: int) -> None:
    """No power-up on the row so far below the cell, up to `width` cells to each side."""
    y = maze.ys[cell] + down
    if 0 <= y < maze.height:
        left, right = max(maze.xs[cell] - width, 0), min(maze.xs[cell] + width, maze.width - 1)
        start = y * maze.width
        free[start + left : start + right + 1] = bytes(right - left + 1)
