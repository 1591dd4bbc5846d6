"""Who may see what: the board with all that is on it, and each seat its counters (RULES §7)."""

from __future__ import annotations

from typing import Final

from games.core.contract import Json, Seat, Viewer
from games.zooscape.board import BIG_MOOSE_JUICE, SCAVENGER
from games.zooscape.maze import DIRECTIONS, Maze
from games.zooscape.outcome import ending
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, NONE, Animal, State, Zookeeper

CONSTANT_FIELDS: Final = ("width", "height")


def start_only(rules: Rules) -> tuple[str, ...]:
    """The board's size is sent in the start message."""
    return CONSTANT_FIELDS


def view(state: State, viewer: Viewer) -> Json:
    """The public view; for a seat `you` follows."""
    seen = _public(state)
    return seen if viewer is None else seen | private_fields(state, viewer)


def private_fields(state: State, seat: Seat) -> dict[str, Json]:
    """What only this seat may know."""
    animal = state.animals[seat]
    return {
        "you": {
            "seat": seat,
            "direction": DIRECTIONS[animal.direction],
            "streak_multiplier": animal.streak_multiplier,
            "ticks_on_spawn": animal.ticks_on_spawn,
            "power_ups_used": animal.power_ups_used,
            "queue_length": len(state.queues[seat]),
            "events": ["no_item"] if animal.used_nothing else [],
        }
    }


def _public(state: State) -> dict[str, Json]:
    rules, maze = state.rules, state.maze
    return {
        "tick": state.tick,
        "max_ticks": rules.max_ticks,
        "game_over": ending(state) is not None,
        "width": maze.width,
        "height": maze.height,
        "map": maze.rows(state.cells),
        "animals": [
            _animal(rules, maze, seat, animal) for seat, animal in enumerate(state.animals)
        ],
        "zookeepers": [
            _zookeeper(maze, number, zookeeper) for number, zookeeper in enumerate(state.zookeepers)
        ],
    }


def _animal(rules: Rules, maze: Maze, seat: Seat, animal: Animal) -> dict[str, Json]:
    spawn = maze.spawns[seat]
    return {
        "seat": seat,
        "x": maze.xs[animal.cell],
        "y": maze.ys[animal.cell],
        "spawn_x": maze.xs[spawn],
        "spawn_y": maze.ys[spawn],
        "score": animal.score,
        "captured_count": animal.captured_count,
        "distance_covered": animal.distance_covered,
        "is_viable": animal.is_viable,
        "held_power_up": None if animal.held == NONE else KINDS[animal.held],
        "active_power_up": None if animal.active == NONE else _active(rules, animal),
    }


def _active(rules: Rules, animal: Animal) -> dict[str, Json]:
    values = {SCAVENGER: rules.scavenger_radius, BIG_MOOSE_JUICE: rules.big_moose_juice_multiplier}
    return {
        "kind": KINDS[animal.active],
        "ticks_remaining": animal.ticks_remaining,
        "value": values.get(animal.active, 0),
    }


def _zookeeper(maze: Maze, number: int, zookeeper: Zookeeper) -> dict[str, Json]:
    return {
        "id": number,
        "name": f"zk{number}",
        "x": maze.xs[zookeeper.cell],
        "y": maze.ys[zookeeper.cell],
        "spawn_x": maze.xs[maze.centre],
        "spawn_y": maze.ys[maze.centre],
    }
