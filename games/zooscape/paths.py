"""The ways of zookeepers: the shortest without portals, and which of several (RULES §5.5)."""

from __future__ import annotations

from collections import deque
from typing import Final

from games.zooscape.board import Cell
from games.zooscape.maze import DOWN, IDLE, LEFT, RIGHT, UP, Direction, Maze

REMEMBERED: Final = 10_000
"""First steps that a maze remembers before it forgets them all."""


def first_step(maze: Maze, start: Cell, goal: Cell) -> Direction | None:
    """The direction in which `path` leaves the start; IDLE at the goal, None without a way.

    Most often a single neighbour of the start lies on shortest ways, and nothing is left to choose.
    A flood from the goal, a whole ring of cells in a few operations on bits, tells which do."""
    if not maze.walkable[goal]:
        return None
    if start == goal:
        return IDLE
    here, ring, stride = maze.bit(start), maze.bit(goal), maze.stride
    near = here >> 1 | here << 1 | here >> stride | here << stride
    dry = maze.bits ^ ring
    while not ring & near:
        twice = ring | ring << stride - 1  # so that two of the four neighbours take one shift
        ring = (twice << 1 | twice >> stride) & dry
        if not ring:
            return None
        dry ^= ring
    reached = ring & near
    if reached & reached - 1:
        return _chosen(maze, start, goal)
    if reached == here << 1:
        return RIGHT
    if reached == here << stride:
        return DOWN
    return LEFT if reached == here >> 1 else UP


def _chosen(maze: Maze, start: Cell, goal: Cell) -> Direction:
    """The first step where several are equally good."""
    key = start * maze.area + goal
    known = maze.first_steps.get(key)
    if known is None:
        way = path(maze, start, goal)
        assert way is not None
        known = {-1: LEFT, 1: RIGHT, -maze.width: UP, maze.width: DOWN}[way[1] - start]
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
        fresh: list[tuple[deque[Cell], Cell]] = []
        cheaper: list[Cell] = []
        for other in beside[cell]:
            before = known[other]
            if before == 1:
                away = abs(xs[other] - goal_x) + abs(ys[other] - goal_y)
                fresh.append((queue if length + away == total else later, other))
            elif before > length:
                cheaper.append(other)
            else:
                continue
            known[other] = length
            parent[other] = cell
        if fresh:
            place, other = fresh[0]
            place.appendleft(other)
        for other in sorted(cheaper, key=later.index) if cheaper else ():
            later.remove(other)
            queue.append(other)
        for place, other in fresh[1:]:
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
