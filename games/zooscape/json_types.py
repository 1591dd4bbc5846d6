"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

PowerUp: TypeAlias = Literal["power_pellet", "chameleon_cloak", "scavenger", "big_moose_juice"]
Name: TypeAlias = Literal[
    "up",
    "down",
    "left",
    "right",
    "use_item",
    "skip",
    "UP",
    "DOWN",
    "LEFT",
    "RIGHT",
    "USE_ITEM",
    "SKIP",
]


class Command(TypedDict):
    """An action by name or number. A name may be written in any case."""

    action: Name | Literal[1, 2, 3, 4, 5]
    """The name or the number of the action."""


class ActivePowerUp(TypedDict):
    """A power-up that works."""

    kind: PowerUp
    """Its kind."""
    ticks_remaining: int
    """The ticks that are left."""
    value: float
    """The radius of a scavenger, the factor of big moose juice, 0 for a cloak."""


class Animal(TypedDict):
    """What all viewers see of an animal."""

    seat: int
    """The seat of its player."""
    x: int
    """Its column."""
    y: int
    """Its row."""
    spawn_x: int
    """The column of its cage."""
    spawn_y: int
    """The row of its cage."""
    score: float
    """Its score."""
    captured_count: int
    """How often it was captured."""
    distance_covered: int
    """The steps that it has made."""
    is_viable: bool
    """Zookeepers may chase it."""
    held_power_up: PowerUp | None
    """The power-up that it holds."""
    active_power_up: ActivePowerUp | None
    """The power-up that works."""


class Zookeeper(TypedDict):
    """A zookeeper."""

    id: int
    """Its number, in the order of appearance."""
    name: str
    """Its name."""
    x: int
    """Its column."""
    y: int
    """Its row."""
    spawn_x: int
    """The column where it appeared."""
    spawn_y: int
    """The row where it appeared."""


class You(TypedDict):
    """What only this seat knows of its animal."""

    seat: int
    """The seat."""
    direction: Literal["idle", "up", "down", "left", "right"]
    """The direction in which the animal moves on."""
    streak_multiplier: float
    """The factor for the next pellet."""
    ticks_on_spawn: int
    """The ticks that it has spent in its cage."""
    power_ups_used: int
    """The power-ups that it has used."""
    queue_length: int
    """The commands that wait."""
    events: list[Literal["no_item"]]
    """What happened to the commands of the last tick."""


class View(TypedDict):
    """What a seat or a viewer sees."""

    tick: int
    """The number of ticks played."""
    max_ticks: int
    """The match ends after this tick."""
    game_over: bool
    """Whether the match is over."""
    width: NotRequired[int]
    """The width of the board in cells; it may come in the start message only."""
    height: NotRequired[int]
    """The height of the board in cells; it may come in the start message only."""
    map: list[str]
    """The rows of the board, from the top, with a digit for each cell."""
    animals: list[Animal]
    """All animals, by seat."""
    zookeepers: list[Zookeeper]
    """All zookeepers, by id."""
    you: NotRequired[You]
    """Seats only: what no other seat knows."""
