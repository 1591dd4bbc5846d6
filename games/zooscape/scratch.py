"""A board to search on: ticks are played and taken back, several times faster than in the match.

Chance is the caller's. Without dice nothing is drawn: pellets that are collected do not come back,
and the timers stand still, so that neither power-ups nor zookeepers appear. With dice everything
happens as in a match; a tick that is played again after it was taken back draws the same."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final, TypeAlias

from games.core.contract import Json, Outcome, Seat
from games.core.dice import Source
from games.zooscape.board import PELLET, from_rows
from games.zooscape.chance import (
    power_up_interval,
    zookeeper_interval,
)
from games.zooscape.maze import DIRECTIONS, DOWN, IDLE, LEFT, RIGHT, UP, maze_of
from games.zooscape.outcome import Ending, outcome
from games.zooscape.rules import Rules
from games.zooscape.scratch_tick import (
    DIRECTION,
    LAST_COMMAND,
    ON_SPAWN,
    STREAK,
    USED,
    Beast,
    ScratchTick,
    Table,
    nearest,
)
from games.zooscape.state import KINDS, NONE, SKIP, USE_ITEM, Action, Animal, State, Zookeeper

ACTIONS: Final = (UP, DOWN, LEFT, RIGHT, USE_ITEM, SKIP)
"""What each seat may do in each tick; SKIP sends no command: the animal moves on."""

Position: TypeAlias = tuple[
    int,  # tick
    bytearray,  # cells
    list[Beast],  # animals, by seat
    list[Any],  # zookeepers
    tuple[int, ...],  # respawns
    int | None,  # power_up_timer
    int | None,  # zookeeper_timer
    tuple[Any, ...],  # queues
    tuple[int | None, ...],  # first_command_seqs
    int,  # next_seq
]
"""All that changes: the fields of a `State`, in their order."""


class Scratch:
    """The table, the dice, and the position in play. `make` returns what `unmake` takes;
    undo in reverse order."""

    __slots__ = ("dice", "now", "table")

    def __init__(self, table: Table, now: Position, dice: Source | None) -> None:
        self.table = table
        """The rules and the maze."""
        self.now = now
        """The position. `make` replaces it and never writes into the old one."""
        self.dice = dice
        """Asked for the draws of each tick: `dice.at(tick)`; None: nothing is drawn."""

    @classmethod
    def of(cls, state: State, dice: Source | None = None) -> Scratch:
        """A board in the position of a state."""
        now = (
            state.tick,
            bytearray(state.cells),
            [[getattr(animal, name) for name in _FIELDS] for animal in state.animals],
            list(state.zookeepers),
            state.respawns,
            state.power_up_timer,
            state.zookeeper_timer,
            state.queues,
            state.first_command_seqs,
            state.next_seq,
        )
        return cls(Table(state.rules, state.maze), now, dice)

    @classmethod
    def from_view(cls, rules: Rules, view: Json, dice: Source | None = None) -> Scratch:
        """A board in the position that a seat sees, in a whole view.

        What the view does not tell is taken to be so: no queue has a command, no pellet is about to
        come back, every zookeeper has just chosen the nearest animal. The other animals have no
        streak and do not move on by themselves. With dice the timers start with this tick."""
        board = from_rows(view["map"])
        width, maze = board.width, maze_of(board, rules.portals)
        animals = [_beast(one, width) for one in view["animals"]]
        you = view["you"]
        own = animals[you["seat"]]
        own[DIRECTION] = DIRECTIONS.index(you["direction"])
        own[STREAK] = you["streak_multiplier"]
        own[ON_SPAWN], own[USED] = you["ticks_on_spawn"], you["power_ups_used"]
        own[LAST_COMMAND] = (own[DIRECTION], 0) if own[DIRECTION] != IDLE else None
        timers: list[int | None] = [None, None]
        if dice is not None:
            drawn = dice.at(view["tick"])
            timers[0] = power_up_interval(rules, drawn) if rules.power_up_spawning else None
            timers[1] = zookeeper_interval(rules, drawn) if rules.zookeepers_max > 1 else None
        keepers = [
            (cell, IDLE, nearest(maze, animals, cell, None), 0, False)
            for cell in (one["x"] + one["y"] * width for one in view["zookeepers"])
        ]
        seats = len(animals)
        firsts: tuple[int | None, ...] = (None,) * seats
        now = (
            view["tick"],
            bytearray(board.cells),
            animals,
            keepers,
            (),
            timers[0],
            timers[1],
            ((),) * seats,
            firsts,
            1,
        )
        return cls(Table(rules, maze), now, dice)

    @property
    def acting(self) -> range:
        """The seats that the next tick takes actions of: all; none if the match is over."""
        return range(0 if self.over else len(self.now[2]))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.ending is not None

    @property
    def ending(self) -> Ending | None:
        """Why the match is over here, or None."""
        tick, cells = self.now[:2]
        if tick and PELLET not in cells:
            return "no_pellets"
        return "max_ticks" if tick >= self.table.rules.max_ticks else None

    def legal(self, seat: Seat) -> Sequence[Action]:
        """The actions that this seat has: all, always, while the match goes on."""
        return () if self.over else ACTIONS

    def make(self, *actions: Action) -> Position:
        """Send one action of each seat, in the order of the seats, and play the tick. Returns the
        undo token. A match that is over is the caller's to notice (`over`)."""
        undo = self.now
        (
            number,
            cells,
            before,
            zookeepers,
            respawns,
            power_timer,
            keeper_timer,
            queues,
            firsts,
            seq,
        ) = undo
        animals = [animal.copy() for animal in before]
        number += 1
        dice = None if self.dice is None else self.dice.at(number)
        tick = ScratchTick(
            self.table, number, dice, cells.copy(), animals, respawns, queues, firsts, seq
        )
        if self.table.rules.captures == "contact":
            tick.watched = {zookeeper[0] for zookeeper in zookeepers}
        tick.move_animals(actions)
        tick.move_zookeepers(zookeepers)
        if dice is not None and power_timer is not None and self.table.rules.power_up_spawning:
            power_timer = tick.count_to_power_up(power_timer, dice)
        if tick.respawns and tick.respawns[0] < (tick.number + 1) * self.table.maze.area:
            tick.respawn()
        if dice is not None and keeper_timer is not None:
            keeper_timer = tick.count_to_zookeeper(keeper_timer, dice)
        if self.table.rules.captures == "tick_end":
            tick.capture()
        self.now = (
            tick.number,
            tick.cells,
            tick.animals,
            tick.zookeepers,
            tick.respawns,
            power_timer,
            keeper_timer,
            tick.queues,
            tick.firsts,
            tick.next_seq,
        )
        return undo

    def unmake(self, undo: Position) -> None:
        """Take the last tick back, everything with it."""
        self.now = undo

    @property
    def key(self) -> Hashable:
        """What decides how the match goes on, but for the dice. Equal positions have equal keys."""
        now = self.now
        animals = tuple([tuple(animal) for animal in now[2]])
        return now[0], bytes(now[1]), animals, tuple(now[3]), *now[4:]

    def copy(self) -> Scratch:
        """A second board in this position. Its dice are the same."""
        return Scratch(self.table, self.now, self.dice)

    def freeze(self) -> State:
        """A state in this position."""
        now = self.now
        return State(
            self.table.rules,
            self.table.maze,
            now[0],
            bytes(now[1]),
            tuple([Animal(*animal) for animal in now[2]]),
            tuple([Zookeeper(*zookeeper) for zookeeper in now[3]]),
            *now[4:],
        )

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())


_FIELDS: Final = tuple(Animal.__slots__)


def _beast(seen: Json, width: int) -> Beast:
    """The fields of an animal that a view tells; the others as at the start."""
    active, held = seen["active_power_up"], seen["held_power_up"]
    animal = Animal(
        seen["x"] + seen["y"] * width,
        score=seen["score"],
        captured_count=seen["captured_count"],
        distance_covered=seen["distance_covered"],
        is_viable=seen["is_viable"],
        held=NONE if held is None else _KINDS[held],
        active=NONE if active is None else _KINDS[active["kind"]],
        ticks_remaining=0 if active is None else active["ticks_remaining"],
    )
    return [getattr(animal, name) for name in _FIELDS]


_KINDS: Final = {name: kind for kind, name in KINDS.items()}
