"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Buildable: TypeAlias = Literal["wall", "shelter", "monument"]
Resource: TypeAlias = Literal["food", "materials", "f", "m"]


class EndTurn(TypedDict):
    """Ends the turn."""

    cmd: Literal["end_turn"]


class AtTile(TypedDict):
    """A unit does something to a tile, or to what stands there."""

    cmd: Literal["move", "attack", "convert", "deconstruct", "harvest"]
    unit: int
    x: int
    y: int


class ChangeJob(TypedDict):
    """A unit learns another job."""

    cmd: Literal["change_job"]
    unit: int
    job: Literal["soldier", "gatherer", "builder", "missionary"]


class Construct(TypedDict):
    """A builder builds on a tile."""

    cmd: Literal["construct"]
    unit: int
    x: int
    y: int
    type: Buildable


class Rest(TypedDict):
    """A unit rests."""

    cmd: Literal["rest"]
    unit: int


class Carry(TypedDict):
    """A unit drops something on a tile or picks it up there. `amount` 0: as much as it can."""

    cmd: Literal["drop", "pickup"]
    unit: int
    x: int
    y: int
    resource: Resource
    amount: NotRequired[int]


Command: TypeAlias = EndTurn | AtTile | ChangeJob | Construct | Rest | Carry


class Player(TypedDict):
    """A seat's food and what it eats. `cat` is the id of its overlord."""

    seat: int
    food: int
    upkeep: int
    cat: int


class Unit(TypedDict):
    """`owner` null: neutral. `squad`: the ids of those that fight together."""

    id: int
    owner: int | None
    job: str
    x: int
    y: int
    energy: float
    moves: int
    acted: bool
    food: int
    materials: int
    starving: bool
    turns_to_die: int
    movement_target: tuple[int, int] | None
    squad: list[int]


class Structure(TypedDict):
    """`owner` null: no player's."""

    id: int
    type: str
    owner: int | None
    x: int
    y: int
    materials: int
    effect_radius: int


class Tile(TypedDict):
    """A tile on which something lies or grows; others are left out."""

    x: int
    y: int
    harvest_rate: int
    turns_to_harvest: int
    food: int
    materials: int


class Result(TypedDict):
    """How the match ended by the rules."""

    winner: int
    reason: str
    via: str | None


class Map(TypedDict):
    """The size, and the rows that are roads."""

    width: int
    height: int
    road_rows: list[int]


class Job(TypedDict):
    """What a unit of a job can do."""

    moves: int
    action_cost: int
    regen_rate: int
    carry_limit: int
    upkeep: int


class StructureType(TypedDict):
    """What a kind of structure costs, and how far it works."""

    materials: int
    effect_radius: int


class View(TypedDict):
    """What all see. `map`, `jobs` and `structure_types` may come in the start message only."""

    turn: int
    current_player: int
    next_id: int
    players: list[Player]
    units: list[Unit]
    structures: list[Structure]
    tiles: list[Tile]
    result: Result | None
    map: NotRequired[Map]
    jobs: NotRequired[dict[str, Job]]
    structure_types: NotRequired[dict[str, StructureType]]
