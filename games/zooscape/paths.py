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
    so where a cell stands there decides among equally short ways: the list is kept as RULES §5.5
    says, cut into one queue for each sum of way and distance."""
    walkable, beside = maze.walkable, maze.beside
    if not walkable[goal]:
        return None
    xs, ys, goal_x, goal_y = maze.xs, maze.ys, maze.xs[goal], maze.ys[goal]
    nearest = abs(xs[start] - goal_x) + abs(ys[start] - goal_y)
    cost = {start: 0}
    parent: dict[Cell, Cell] = {}
    closed: set[Cell] = set()
    queues = [deque([start])]
    """By sum: the smallest possible, then steps of two, as a detour has a step back too."""
    rank = 0
    while rank < len(queues):
        queue = queues[rank]
        if not queue:
            rank += 1
            continue
        cell = queue.popleft()
        if cell == goal:
            return _way(parent, cell)
        closed.add(cell)
        length = cost[cell] + 1
        fresh: list[tuple[int, Cell]] = []
        cheaper: list[tuple[int, int, int, Cell]] = []
        for other in beside[cell]:
            if not walkable[other] or other in closed:
                continue
            before = cost.get(other)
            if before is not None and before <= length:
                continue
            place = (length + abs(xs[other] - goal_x) + abs(ys[other] - goal_y) - nearest) // 2
            if before is None:
                fresh.append((place, other))
            else:
                old = place + (before - length) // 2
                cheaper.append((old, queues[old].index(other), place, other))
            cost[other] = length
            parent[other] = cell
        while len(queues) < rank + 2:
            queues.append(deque())
        if fresh:
            place, other = fresh[0]
            queues[place].appendleft(other)
        for old, _, place, other in sorted(cheaper):
            queues[old].remove(other)
            queues[place].append(other)
        for place, other in fresh[1:]:
            queues[place].append(other)
    return None


def _way(parent: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    """The cells that led here, from the start."""
    way = [cell]
    while cell in parent:
        cell = parent[cell]
        way.append(cell)
    return way[::-1]
