"""A state during a tick, what an animal does in one, and the two profiles as lists of its stages
(RULES §5, §12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

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
from games.zooscape.chance import pellet_delay
from games.zooscape.maze import IDLE
from games.zooscape.respawns import Respawns
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, NONE, USE_ITEM, Action, Animal, State, as_state

ITEMS: Final = frozenset(KINDS) - {POWER_PELLET}


class Tick:
    """The parts of a state, to be changed."""

    def __init__(self, state: State, dice: Dice, profile: Profile) -> None:
        self.state = state
        self.dice = dice
        self.profile = profile
        self.rules = state.rules
        self.maze = state.maze
        self.number = state.tick + 1
        self.cells = bytearray(state.cells)
        self.animals = [animal.at_next_tick() for animal in state.animals]
        self.zookeepers = list(state.zookeepers)
        self.watched = {zookeeper.cell for zookeeper in state.zookeepers}
        """Where zookeepers stand while the animals move."""
        self.fed: set[Seat] = set()
        """Whose animals took a pellet or power pellet."""
        self.respawns = Respawns(state)
        self.queues = list(state.queues)
        self.power_up_timer = state.power_up_timer
        self.zookeeper_timer = state.zookeeper_timer

    def freeze(self) -> State:
        state = self.state
        after = (
            self.rules,
            self.maze,
            self.number,
            bytes(self.cells),
            tuple(self.animals),
            tuple(self.zookeepers),
            self.respawns.freeze(),
            self.power_up_timer,
            self.zookeeper_timer,
            tuple(self.queues),
            state.first_command_seqs,
            state.next_seq,
            (),
            state.texts,
        )
        return as_state(after)


Stage: TypeAlias = Callable[[Tick, Seat, Animal], None]
"""What happens to one animal."""


class Profile(NamedTuple):
    """How a profile plays (RULES §12): its stages in their order, and its numbers."""

    item_again: tuple[Stage, ...]
    """A USE_ITEM that is continued."""
    visit: tuple[Stage, ...]
    """On the cell where an animal stands, if that is not its own spawn."""
    settle: tuple[Stage, ...]
    """After that, on every cell."""
    capture: tuple[Stage, ...]
    appear: tuple[Stage, ...]
    """An animal that stands where a zookeeper appears."""
    scavenge: Callable[[Tick, Seat, Animal, Cell], None]
    """A pellet or power pellet in reach of a scavenger."""
    juiced: Callable[[Rules, int, float], int]
    """The points of an award, by the cell's content, the streak multiplier and juice."""
    tie_keeps_target: bool
    """On a tie at the end of a period a zookeeper keeps its target; false: it has none."""
    spare_misses: int = 0
    """Misses beyond `streak_reset_ticks` before the streak ends."""
    spare_places: int = 0
    """Places in the queue beyond `command_queue_size`."""


# --- an animal's tick: steps 1 to 4 ---------------------------------------------------------------


def move_animals(tick: Tick) -> None:
    """Animals with a command move in the order of its seq, then the silent ones by seat."""
    moving: list[tuple[int, Seat, Action, bool]] = []
    silent: list[Seat] = []
    for seat, animal in enumerate(tick.animals):
        queue = tick.queues[seat]
        if queue:
            animal.last_command, tick.queues[seat] = queue[0], queue[1:]
        if animal.last_command is None:
            silent.append(seat)
        else:
            action, seq = animal.last_command
            moving.append((seq, seat, action, bool(queue)))
    moving.sort()
    for _, seat, action, fresh in moving:
        _act(tick, seat, tick.animals[seat], action, fresh)
    for seat in silent:
        _follow(tick, seat, tick.animals[seat])


def seize(tick: Tick, seat: Seat, animal: Animal) -> None:
    """A zookeeper comes to where an animal stands."""
    run(tick.profile.capture, tick, seat, animal)
    animal.ticks_on_spawn += 1


def run(stages: tuple[Stage, ...], tick: Tick, seat: Seat, animal: Animal) -> None:
    for stage in stages:
        stage(tick, seat, animal)


def _act(tick: Tick, seat: Seat, animal: Animal, action: Action, fresh: bool) -> None:
    if action != USE_ITEM:
        animal.direction = action
    elif fresh:
        animal.used_nothing = not animal.held
        _use_item(tick, seat, animal)
    else:
        run(tick.profile.item_again, tick, seat, animal)
    cell = tick.maze.steps[animal.direction][animal.cell]
    if cell != animal.cell:
        animal.cell = cell
        animal.distance_covered += 1
    _follow(tick, seat, animal)


def _follow(tick: Tick, seat: Seat, animal: Animal) -> None:
    """What happens to an animal where it is, and its active power-up there: steps 3.3 to 3.6."""
    spawn, profile = tick.maze.spawns[seat], tick.profile
    if animal.cell == spawn:
        animal.ticks_on_spawn += 1
    else:
        for stage in profile.visit:
            stage(tick, seat, animal)
    animal.is_viable = animal.cell != spawn
    for stage in profile.settle:
        stage(tick, seat, animal)


# --- stages ---------------------------------------------------------------------------------------


def _use_item(tick: Tick, seat: Seat, animal: Animal) -> None:
    if animal.held:
        animal.active = animal.held
        animal.ticks_remaining = getattr(tick.rules, f"{KINDS[animal.held]}_duration")
        animal.held = NONE
        animal.power_ups_used += 1


def _eat(tick: Tick, seat: Seat, animal: Animal) -> None:
    if tick.cells[animal.cell] in (PELLET, POWER_PELLET):
        _take(tick, seat, animal, animal.cell)


def _replace_item(tick: Tick, seat: Seat, animal: Animal) -> None:
    """An item takes the place of the one that is held, and ends the one that is active."""
    if tick.cells[animal.cell] in ITEMS:
        animal.active = animal.ticks_remaining = animal.held = NONE
        _pick_up(tick, seat, animal)


def _pick_up(tick: Tick, seat: Seat, animal: Animal) -> None:
    """An item is left lying while another one is held."""
    if tick.cells[animal.cell] in ITEMS and not animal.held:
        animal.held = tick.cells[animal.cell]
        tick.cells[animal.cell] = EMPTY


def _meet(tick: Tick, seat: Seat, animal: Animal) -> None:
    if animal.cell in tick.watched and tick.rules.captures == "contact":
        run(tick.profile.capture, tick, seat, animal)


def _run_effect(tick: Tick, seat: Seat, animal: Animal) -> None:
    if not animal.active:
        return
    if animal.active == SCAVENGER:
        _scavenge(tick, seat, animal)
    elif animal.active == CHAMELEON_CLOAK:
        animal.is_viable = False
    animal.ticks_remaining -= 1
    if animal.ticks_remaining == 0:
        animal.active = NONE


def _miss_without_meal(tick: Tick, seat: Seat, animal: Animal) -> None:
    """A tick in which an animal took no pellet is a miss, wherever it is."""
    if seat not in tick.fed:
        _miss(tick, seat, animal)


def _miss_off_pellets(tick: Tick, seat: Seat, animal: Animal) -> None:
    """A cell without a normal pellet is a miss, before a power pellet there is eaten."""
    if tick.cells[animal.cell] != PELLET:
        _miss(tick, seat, animal)


def _lose(tick: Tick, seat: Seat, animal: Animal) -> None:
    """The animal is back in its cage, with less of everything."""
    animal.score = int(animal.score * (100 - tick.rules.score_loss_percentage) / 100.0)
    animal.captured_count += 1
    animal.cell = tick.maze.spawns[seat]
    tick.queues[seat] = ()
    animal.last_command = None
    animal.streak_multiplier = 1.0
    animal.streak_missed = 0


def _halt(tick: Tick, seat: Seat, animal: Animal) -> None:
    """The animal stands still, and is no target at once."""
    animal.direction = IDLE
    animal.is_viable = False


# --- how ------------------------------------------------------------------------------------------


def _take(tick: Tick, seat: Seat, animal: Animal, cell: Cell) -> None:
    """Award a pellet or power pellet and take it off the board; a pellet comes back."""
    _award(tick, seat, animal, cell)
    content, tick.cells[cell] = tick.cells[cell], EMPTY
    if content == PELLET and tick.rules.pellets_respawn:
        tick.respawns.add(tick.number + pellet_delay(tick.rules, tick.dice), cell)


def _award(tick: Tick, seat: Seat, animal: Animal, cell: Cell) -> None:
    rules, content, streak = tick.rules, tick.cells[cell], animal.streak_multiplier
    if animal.active == BIG_MOOSE_JUICE:
        animal.score += tick.profile.juiced(rules, content, streak)
    else:
        animal.score += int(_worth(rules, content) * streak)
    animal.streak_multiplier = min(streak + rules.streak_growth, float(rules.streak_max))
    animal.streak_missed = 0
    tick.fed.add(seat)


def _worth(rules: Rules, content: int) -> int:
    """The points of a pellet or power pellet without a streak."""
    return rules.points_per_pellet * (rules.power_pellet_value if content == POWER_PELLET else 1)


def _times_juice(rules: Rules, content: int, streak: float) -> int:
    """Juice multiplies the whole award."""
    return int(_worth(rules, content) * streak * rules.big_moose_juice_multiplier)


def _plus_juice(rules: Rules, content: int, streak: float) -> int:
    """Juice adds an award without the streak."""
    worth = _worth(rules, content)
    factor = (
        rules.power_pellet_value if content == POWER_PELLET else rules.big_moose_juice_multiplier
    )
    return int(worth * factor) + int(worth * streak)


def _miss(tick: Tick, seat: Seat, animal: Animal) -> None:
    animal.streak_missed += 1
    if animal.streak_missed >= tick.rules.streak_reset_ticks + tick.profile.spare_misses:
        animal.streak_multiplier = 1.0
        animal.streak_missed = 0


def _scavenge(tick: Tick, seat: Seat, animal: Animal) -> None:
    """Column by column, each from the top."""
    maze, radius, scavenge = tick.maze, tick.rules.scavenger_radius, tick.profile.scavenge
    x, y = maze.xy(animal.cell)
    top, bottom = max(y - radius, 0), min(y + radius, maze.height - 1)
    for column in range(max(x - radius, 0), min(x + radius, maze.width - 1) + 1):
        for cell in range(column + top * maze.width, column + bottom * maze.width + 1, maze.width):
            if tick.cells[cell] in (PELLET, POWER_PELLET):
                scavenge(tick, seat, animal, cell)


PROFILES: Final[Mapping[str, Profile]] = {
    "seed": Profile(
        item_again=(),
        visit=(_eat, _replace_item, _meet),
        settle=(_run_effect, _miss_without_meal),
        capture=(_lose, _halt),
        appear=(seize,),
        scavenge=_take,
        juiced=_times_juice,
        tie_keeps_target=True,
    ),
    "reference": Profile(
        item_again=(_use_item,),
        visit=(_miss_off_pellets, _eat, _pick_up, _meet),
        settle=(_run_effect,),
        capture=(_lose,),
        appear=(),
        scavenge=_award,
        juiced=_plus_juice,
        tie_keeps_target=False,
        spare_misses=1,
        spare_places=1,
    ),
}
