"""What a moment of a match is (RULES §3).

Flat on purpose: matches spend most of their time here. What changes is in plain tuples and bytes;
`view` gives it names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from games.core.contract import Seat
from games.core.shared import Texts
from games.zooscape.board import BIG_MOOSE_JUICE, CHAMELEON_CLOAK, POWER_PELLET, SCAVENGER, Cell
from games.zooscape.maze import IDLE, Direction, Maze
from games.zooscape.rules import Rules

ROLES: Final = ("top_left", "bottom_left", "top_right", "bottom_right")
"""A seat is a cage."""

Kind: TypeAlias = int
"""A power-up, by its digit on the board."""

NONE: Final[Kind] = 0
KINDS: Final[dict[Kind, str]] = {
    POWER_PELLET: "power_pellet",
    CHAMELEON_CLOAK: "chameleon_cloak",
    SCAVENGER: "scavenger",
    BIG_MOOSE_JUICE: "big_moose_juice",
}

Action: TypeAlias = int
"""A direction or one of the two below: what a command asks for."""
USE_ITEM: Final[Action] = 5
SKIP: Final[Action] = 6

Numbered: TypeAlias = tuple[Action, int]
"""A command in a queue and its seq."""


@dataclass(slots=True, repr=False)
class Animal:
    """One animal. Its seat is its place among the others; its own spawn stands in the maze.

    `advance` changes copies of its own; an animal that stands in a state is never written to.
    """

    cell: Cell
    direction: Direction = IDLE
    score: int = 0
    streak_multiplier: float = 1.0
    streak_missed: int = 0
    """Ticks in a row without a pellet."""
    captured_count: int = 0
    ticks_on_spawn: int = 0
    distance_covered: int = 0
    is_viable: bool = False
    """A zookeeper may choose it as its target."""
    held: Kind = NONE
    active: Kind = NONE
    ticks_remaining: int = 0
    """Of the active power-up, this tick included."""
    power_ups_used: int = 0
    last_command: Numbered | None = None
    used_nothing: bool = False
    """In the last tick it used an item and held none."""

    def __repr__(self) -> str:
        """As a dataclass has it, in half the time: every tick's hash is taken of four."""
        return (
            f"Animal(cell={self.cell!r}, direction={self.direction!r}, score={self.score!r}, "
            f"streak_multiplier={self.streak_multiplier!r}, streak_missed={self.streak_missed!r}, "
            f"captured_count={self.captured_count!r}, ticks_on_spawn={self.ticks_on_spawn!r}, "
            f"distance_covered={self.distance_covered!r}, is_viable={self.is_viable!r}, "
            f"held={self.held!r}, active={self.active!r}, "
            f"ticks_remaining={self.ticks_remaining!r}, power_ups_used={self.power_ups_used!r}, "
            f"last_command={self.last_command!r}, used_nothing={self.used_nothing!r})"
        )

    def at_next_tick(self) -> Animal:
        """A copy to play the next tick with."""
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
        )


class Zookeeper(NamedTuple):
    """One zookeeper. Its id is its place among the others, in the order of appearance."""

    cell: Cell
    direction: Direction = IDLE
    target: Seat | None = None
    ticks_since_retarget: int = 0
    retarget_due: bool = False


class State(NamedTuple):
    """A match between two verbs. Its repr, hashed every tick, leaves out what never changes."""

    rules: Rules
    maze: Maze
    tick: int
    """Ticks played."""
    cells: bytes
    """One ASCII digit per cell, row by row from the top (RULES §3)."""
    animals: tuple[Animal, ...]
    zookeepers: tuple[Zookeeper, ...]
    respawns: tuple[int, ...]
    """Collected pellets that will come back: due tick * area + cell, ordered by due tick, then by
    when they were collected."""
    power_up_timer: int | None
    zookeeper_timer: int | None
    queues: tuple[tuple[Numbered, ...], ...]
    """By seat: the commands that wait, the oldest first."""
    first_command_seqs: tuple[int | None, ...]
    """By seat: the seq of its first command of the match; None: it has sent none."""
    next_seq: int = 1
    answered: tuple[Seat, ...] = ()
    """The seats that have sent something since the last tick, sorted; kept only where a match goes
    without its clock."""

    texts: Texts = Texts()
    """Of the respawns."""

    def __repr__(self) -> str:
        respawns = self.texts.of(RESPAWNS, self.respawns)
        return (
            f"State({self.tick!r}, b'{self.cells.decode()}', {self.animals!r}, "
            f"{self.zookeepers!r}, {respawns}, {repr(self[7:13])[1:]}"
        )


as_state: Final[Callable[[tuple[Any, ...]], State]] = partial(tuple.__new__, State)
"""A state of all its fields in their order, in a third of the time that `State` takes."""

QUEUES: Final = State._fields.index("queues")
"""Their place in a state."""

RESPAWNS: Final = "respawns"
"""Their place in `State.texts`."""
