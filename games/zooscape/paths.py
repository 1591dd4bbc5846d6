"""The ways of zookeepers: the shortest without portals, and which of several (RULES §5.5)."""

from __future__ import annotations

from collections import deque
from typing import Final

from games.zooscape.board import Cell
from games.zooscape.maze import DIRECTIONS, DOWN, IDLE, LEFT, RIGHT, UP, Direction, Maze

REMEMBERED: Final = 10_000
"""First steps that a maze remembers before it forgets them all."""


def first_step(maze: Maze, start: Cell, goal: Cell) -> Direction | None:
    """The direction in which `path` leaves the start; IDLE at the goal, None without a way.

    Most often a single neighbour of the start lies on shortest ways, and nothing is left to choose.
    That is noted, because the next step may follow from it; otherwise a flood tells."""
    if not maze.walkable[goal]:
        return None
    if start == goal:
        return IDLE
    direction = _onward(maze, start, goal)
    if direction is None:
        here = maze.bit(start)
        reached = _flooded(maze, start, goal, here)
        if not reached:
            return None
        if reached & reached - 1:
            return _chosen(maze, start, goal)
        direction = _direction(reached.bit_length() - here.bit_length(), maze.stride)
    maze.sole_steps[start] = goal * len(DIRECTIONS) + direction
    return direction


def _onward(maze: Maze, start: Cell, goal: Cell) -> Direction | None:
    """The way on for who comes through a corridor; None: that is not known.

    The start has two neighbours. From the one behind, the step to the start was the only one on
    shortest ways, to this goal or one beside it. Distances to the goal have changed by one at most
    since, so that the way back is still at least two longer than the way ahead."""
    ends = [cell for cell in maze.beside[start] if maze.walkable[cell]]
    if len(ends) != 2:
        return None
    for behind, ahead in (ends, ends[::-1]):
        before, direction = divmod(maze.sole_steps[behind], len(DIRECTIONS))
        came = maze.steps[direction][behind] == start != before
        if came and (before == goal or before in maze.beside[goal]):
            return _direction(ahead - start, maze.width)
    return None


def _flooded(maze: Maze, start: Cell, goal: Cell, here: int) -> int:
    """The bits of the start's neighbours that are nearest to the goal; 0: there is no way.

    The water rises from the goal, a whole ring of cells in a few operations on bits. It cannot be
    beside the start before it has come as far as without walls, and then after every other ring: a
    step changes the colour of the cell, as on a chessboard."""
    ring, stride = maze.bit(goal), maze.stride
    near = here >> 1 | here << 1 | here >> stride | here << stride
    dry = maze.bits ^ ring
    rings = abs(maze.xs[start] - maze.xs[goal]) + abs(maze.ys[start] - maze.ys[goal]) - 1
    while True:
        for _ in range(rings):
            twice = ring | ring << stride - 1  # so that two of the four neighbours take one shift
            ring = (twice << 1 | twice >> stride) & dry
            dry ^= ring
        if ring & near or not ring:
            return ring & near
        rings = 2


def _direction(shift: int, row: int) -> Direction:
    """The direction of a step by its shift, where a row takes this much."""
    return {-1: LEFT, 1: RIGHT, -row: UP, row: DOWN}[shift]


def _chosen(maze: Maze, start: Cell, goal: Cell) -> Direction:
    """The first step where several are equally good."""
    key = start * maze.area + goal
    known = maze.first_steps.get(key)
    if known is None:
        way = path(maze, start, goal)
        assert way is not None
        known = _direction(way[1] - start, maze.width)
        if len(maze.first_steps) >= REMEMBERED:
            maze.first_steps.clear()
        maze.first_steps[key] = known
    return known


def path(maze: Maze, start: Cell, goal: Cell) -> list[Cell] | None:
    """The way from start to goal, both included; None without one.

    A* over the Manhattan distance. Of equally promising open cells the first in the list is next,
    so where a cell stands there decides among equally short ways. The list is kept as RULES §5.5
    says, in two queues: a step keeps the sum of way and distance, or adds two. No closed cell is
    reached by a shorter way later, so none needs to be passed over."""
    if not maze.walkable[goal]:
        return None
    xs, ys, beside, goal_x, goal_y = maze.xs, maze.ys, maze.beside, maze.xs[goal], maze.ys[goal]
    known = list(maze.walkable)  # by cell: 0 a wall, 1 not seen yet, else 2 and the way's length
    known[start] = 2
    total = 2 + abs(xs[start] - goal_x) + abs(ys[start] - goal_y)
    parent: dict[Cell, Cell] = {}
    queue, later = deque([start]), deque[Cell]()
    while queue:
        cell = queue.popleft()
        if cell == goal:
            return _way(parent, cell)
        length = known[cell] + 1
        first = True
        cheaper: list[Cell] = []
        fresh: list[tuple[deque[Cell], Cell]] = []  # all but the first
        for other in beside[cell]:
            before = known[other]
            if before == 1:
                away = abs(xs[other] - goal_x) + abs(ys[other] - goal_y)
                place = queue if length + away == total else later
                if first:
                    place.appendleft(other)
                    first = False
                else:
                    fresh.append((place, other))
            elif before > length:
                cheaper.append(other)
            else:
                continue
            known[other] = length
            parent[other] = cell
        if cheaper:
            for other in sorted(cheaper, key=later.index):
                later.remove(other)
                queue.append(other)
        for place, other in fresh:
            place.append(other)
        if not queue:
            queue, later = later, queue
            total += 2
    return None


def _way(parent: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    """The cells that led here, from the start."""
    way = [cell]
    while cell in parent:
        cell = parent[cell]
        way.append(cell)
    return way[::-1]
