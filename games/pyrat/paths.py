"""Ways through a maze: distances, shortest paths and the matrices that bots know (RULES §7).

A free passage costs 1, mud of cost N costs N. Cells are numbers, x*height + y (`Maze.cell`)."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from games.core.contract import Seat
from games.pyrat.board import STAY, Move
from games.pyrat.state import Maze, Position, body

UNREACHABLE: Final = -1

T = TypeVar("T")


class Path(NamedTuple):
    """A shortest way: `cells` without the start; `first_moves` of all shortest ways."""

    target: int
    cost: int
    first_moves: tuple[Move, ...]
    cells: tuple[int, ...]


def distances_from(maze: Maze, start: int) -> list[int]:
    """The cost of the shortest way to every cell, or UNREACHABLE. Mud costs the same both ways."""
    passages = maze.passages
    distances = [UNREACHABLE] * maze.cells
    due: dict[int, list[int]] = {
        0: [start]
    }  # by distance: costs are small whole numbers, so no heap is needed
    distance, waiting = 0, 1
    while waiting:
        for cell in (reached := due.pop(distance, [])):
            if distances[cell] != UNREACHABLE:
                continue
            distances[cell] = distance
            for near, cost in passages[cell]:
                if distances[near] == UNREACHABLE:
                    due.setdefault(distance + cost, []).append(near)
                    waiting += 1
        waiting -= len(reached)
        distance += 1
    return distances


def shortest_path(maze: Maze, start: int, target: int) -> Path | None:
    """The shortest way, of several by the smallest move code; None if there is none."""
    to_target = distances_from(maze, target)
    if to_target[start] == UNREACHABLE:
        return None
    cells, cell = [], start
    while cell != target:
        cell = maze.near(cell, _optimal(maze, cell, to_target)[0])
        cells.append(cell)
    return Path(target, to_target[start], _optimal(maze, start, to_target), tuple(cells))


def nearest_cheeses(maze: Maze, cheese: bytes, start: int) -> list[Path]:
    """The ways to the nearest cheese, all ties, sorted by target; empty if none can be reached."""
    distances = distances_from(maze, start)
    reachable = [
        cell for cell, there in enumerate(cheese) if there and distances[cell] != UNREACHABLE
    ]
    best = min((distances[cell] for cell in reachable), default=None)
    paths = (shortest_path(maze, start, cell) for cell in reachable if distances[cell] == best)
    return [path for path in paths if path is not None]


def _optimal(maze: Maze, cell: int, to_target: list[int]) -> tuple[Move, ...]:
    """The moves that begin a shortest way; none on the target itself."""
    left = to_target[cell]
    return tuple(
        move
        for move, cost in enumerate(maze.costs[cell])
        if cost and cost + to_target[maze.near(cell, move)] == left
    )


def movement_matrix(maze: Maze) -> list[list[list[int]]]:
    """[x][y][UP, RIGHT, DOWN, LEFT]: -1 closed, 0 free, N the cost of mud."""
    shown = [
        [-1 if cost == 0 else 0 if cost == 1 else cost for cost in costs] for costs in maze.costs
    ]
    return _columns(maze, shown)


def cheese_matrix(maze: Maze, cheese: bytes) -> list[list[int]]:
    """[x][y]: 1 where there is cheese."""
    return _columns(maze, list(cheese))


def effective_actions(maze: Maze, now: Position, seat: Seat) -> list[Move]:
    """By move code, the move it comes to: STAY in closed directions, and for every move in mud."""
    player = body(now, seat)
    if player.mud:
        return [STAY] * 5
    return [move if cost else STAY for move, cost in enumerate(maze.costs[player.cell])] + [STAY]


def _columns(maze: Maze, values: list[T]) -> list[list[T]]:
    return [values[start : start + maze.height] for start in range(0, maze.cells, maze.height)]
