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


class ActivePowerUp(TypedDict):
    """An item that works. `value`: its radius or its multiplier; 0 for an item without one."""

    kind: PowerUp
    ticks_remaining: int
    value: float


class Animal(TypedDict):
    """What all see of an animal."""

    seat: int
    x: int
    y: int
    spawn_x: int
    spawn_y: int
    score: float
    captured_count: int
    distance_covered: int
    is_viable: bool
    held_power_up: PowerUp | None
    active_power_up: ActivePowerUp | None


class Zookeeper(TypedDict):
    """A zookeeper and where it began."""

    id: int
    name: str
    x: int
    y: int
    spawn_x: int
    spawn_y: int


class You(TypedDict):
    """What only this seat knows."""

    seat: int
    direction: Literal["idle", "up", "down", "left", "right"]
    streak_multiplier: float
    ticks_on_spawn: int
    power_ups_used: int
    queue_length: int
    events: list[Literal["no_item"]]


class View(TypedDict):
    """What a seat or a viewer sees. `map` has a row of digits for each row of cells, from the top.
    `width` and `height` may come in the start message only; `you` is for seats."""

    tick: int
    max_ticks: int
    game_over: bool
    width: NotRequired[int]
    height: NotRequired[int]
    map: list[str]
    animals: list[Animal]
    zookeepers: list[Zookeeper]
    you: NotRequired[You]
