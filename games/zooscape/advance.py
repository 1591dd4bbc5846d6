"""One tick (RULES §5), in order: animals, zookeepers, power-ups, pellets, one more zookeeper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from math import isqrt
from typing import Final, TypeAlias

from games.core.contract import Seat
from games.core.dice import Dice
from games.zooscape.board import EMPTY, PELLET, Cell
from games.zooscape.chance import (
    power_up_cell,
    power_up_interval,
    power_up_kind,
    zookeeper_interval,
)
from games.zooscape.maze import IDLE, Maze
from games.zooscape.paths import first_step
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, State, Zookeeper
from games.zooscape.tick import PROFILES, Stage, Tick, move_animals, run, seize

_FREE: Final = bytes(content in (EMPTY, PELLET) for content in range(256))
"""Where a power-up may appear, by content."""
_POWER_UP: Final = bytes(content in KINDS for content in range(256))
"""Where one lies."""


def advance(state: State, dice: Dice) -> State:
    """Play one tick."""
    tick = Tick(state, dice, PROFILES[state.rules.rules_profile])
    for phase in (
        move_animals,
        _move_zookeepers,
        _spawn_power_up,
        _respawn_pellets,
        _spawn_zookeeper,
        _capture,
    ):
        phase(tick)
    return tick.freeze()


def _move_zookeepers(tick: Tick) -> None:
    """Steps 5 and 8: one completely after the other, in the order of their appearance."""
    for number, before in enumerate(tick.zookeepers):
        tick.zookeepers[number] = moved = _chase(tick, before)
        _arrive(tick, moved.cell, (seize,))


def _chase(tick: Tick, zookeeper: Zookeeper) -> Zookeeper:
    cell, _, target, chased, due = zookeeper
    if tick.rules.zookeeper_retarget == "game":
        chooses = (tick.number - 1) % tick.rules.zookeeper_retarget_ticks == 0
    else:
        chooses = target is None or due
    if chooses:
        target = _choose(tick, cell, target if tick.profile.tie_keeps_target else None)
        due = False
    if target is None or not tick.animals[target].is_viable:
        return Zookeeper(cell, IDLE, None, chased, due)
    direction = first_step(tick.maze, cell, tick.animals[target].cell)
    if direction is None:
        return Zookeeper(cell, IDLE, None, chased, due)
    chased += 1
    if chased == tick.rules.zookeeper_retarget_ticks:
        chased, due = 0, True
    return Zookeeper(tick.maze.steps[direction][cell], direction, target, chased, due)


def _choose(tick: Tick, cell: Cell, kept: Seat | None) -> Seat | None:
    """The nearest viable animal, walls or not. On a tie the one that is kept; the caller sees
    whether it is viable."""
    xs, ys = tick.maze.xs, tick.maze.ys
    x, y = xs[cell], ys[cell]
    nearest: list[Seat] = []
    least = tick.maze.area
    for seat, animal in enumerate(tick.animals):
        if animal.is_viable:
            distance = abs(xs[animal.cell] - x) + abs(ys[animal.cell] - y)
            if distance < least:
                least, nearest = distance, [seat]
            elif distance == least:
                nearest.append(seat)
    return nearest[0] if len(nearest) == 1 else kept


def _arrive(tick: Tick, cell: Cell, stages: tuple[Stage, ...]) -> None:
    """A zookeeper comes to a cell: what happens to the animals there."""
    if tick.rules.captures == "tick_end":
        return
    for seat, animal in enumerate(tick.animals):
        if animal.cell == cell:
            run(stages, tick, seat, animal)


def _spawn_zookeeper(tick: Tick) -> None:
    """One more on the zookeeper spawn, if more may come and the timer says so."""
    if tick.zookeeper_timer is None or len(tick.zookeepers) >= tick.rules.zookeepers_max:
        return
    tick.zookeeper_timer -= 1
    if tick.zookeeper_timer <= 0:
        tick.zookeepers.append(Zookeeper(tick.maze.centre))
        _arrive(tick, tick.maze.centre, tick.profile.appear)
        tick.zookeeper_timer = zookeeper_interval(tick.rules, tick.dice)


def _capture(tick: Tick) -> None:
    """Where captures wait for the end of the tick: the animals that stand with a zookeeper."""
    if tick.rules.captures == "tick_end":
        watched = {zookeeper.cell for zookeeper in tick.zookeepers}
        for seat, animal in enumerate(tick.animals):
            if animal.cell in watched:
                seize(tick, seat, animal)


def _spawn_power_up(tick: Tick) -> None:
    """A power-up on one of the candidates if the timer says so. Then the timer starts again."""
    if tick.power_up_timer is None or not tick.rules.power_up_spawning:
        return
    tick.power_up_timer -= 1
    if tick.power_up_timer > 0:
        return
    candidates = power_up_candidates(
        tick.rules, tick.maze, tick.cells, [animal.cell for animal in tick.animals]
    )
    cell = power_up_cell(candidates, tick.dice)
    if cell is not None:
        tick.cells[cell] = power_up_kind(tick.rules, tick.dice)
    tick.power_up_timer = power_up_interval(tick.rules, tick.dice)


def _respawn_pellets(tick: Tick) -> None:
    """Pellets that are due, on cells that are empty and without an animal; the others are lost, or
    wait if the rules say so."""
    due = tick.respawns.due(tick.number)
    if not due:
        return
    occupied = {animal.cell for animal in tick.animals}
    blocked: list[int] = []
    for respawn in due:
        cell = respawn % tick.maze.area
        if tick.cells[cell] == EMPTY and cell not in occupied:
            tick.cells[cell] = PELLET
        else:
            blocked.append(respawn)
    tick.respawns.drop(due, blocked if tick.rules.respawn_blocked_pellets else [])


def power_up_candidates(
    rules: Rules, maze: Maze, cells: bytes | bytearray, animals: Sequence[Cell]
) -> list[Cell]:
    """The cells on which a power-up may appear, row by row: empty or with a pellet, far from every
    animal and every power-up."""
    free = bytearray(cells.translate(_FREE))
    circle = _circle(rules.power_up_distance_from_animals, maze.height)
    square = _square(rules.power_up_distance_from_power_ups, maze.height)
    for animal in animals:
        _bar(free, maze, animal, circle)
    for power_up in compress(range(maze.area), cells.translate(_POWER_UP)):
        _bar(free, maze, power_up, square)
    return list(compress(range(maze.area), free))


Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Cells around one, on a board of some height: of each row how far below it is, and how far it goes
to each side."""


@lru_cache
def _circle(radius: int, height: int) -> Shape:
    rows = min(radius, height)
    return tuple((down, isqrt(radius * radius - down * down)) for down in range(-rows, rows + 1))


@lru_cache
def _square(reach: int, height: int) -> Shape:
    rows = min(reach, height)
    return tuple((down, reach) for down in range(-rows, rows + 1))


def _bar(free: bytearray, maze: Maze, cell: Cell, shape: Shape) -> None:
    """No power-up on the board's cells of a shape around this one."""
    x, y, width, height = maze.xs[cell], maze.ys[cell], maze.width, maze.height
    for down, reach in shape:
        if 0 <= y + down < height:
            left = x - reach if x > reach else 0
            right = x + reach + 1 if x + reach < width else width
            start = cell - x + down * width
            free[start + left : start + right] = bytes(right - left)
