"""The entries of a map's lists: what each holds, and how one is read and written (RULES §3, §4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.catastrophe.rules import JOBS, MONUMENT, NEUTRAL, SEATS, SHELTER, WALL
from games.core.contract import BadSetup, Seat

Place: TypeAlias = tuple[int, int]
"""x, y."""


class TilePlan(NamedTuple):
    """A tile that is not bare."""

    x: int
    y: int
    harvest_rate: int = 0
    turns_to_harvest: int = 0
    food: int = 0
    materials: int = 0


class StructurePlan(NamedTuple):
    """A structure; without `materials` it has those of a new one."""

    type: str
    owner: Seat | None
    x: int
    y: int
    materials: int | None = None


class UnitPlan(NamedTuple):
    """A unit; without `energy` and `moves` it is rested."""

    job: str
    owner: Seat | None
    x: int
    y: int
    energy: float | None = None
    moves: int | None = None
    acted: bool = False
    food: int = 0
    materials: int = 0
    starving: bool = False
    turns_to_die: int = -1
    movement_target: Place | None = None


Plan: TypeAlias = TilePlan | StructurePlan | UnitPlan


class Field(NamedTuple):
    expected: str
    reads: Callable[[Any, int, int], bool]
    """Whether this is a value of the field, on a map of this width and height."""


def _whole(low: int, high: int = 10**6) -> Field:
    expected = f"a whole number, {low} to {high}"
    return Field(expected, lambda value, width, height: is_whole(value, low, high))


def _word(*words: str) -> Field:
    expected = f"one of {', '.join(words)}"
    return Field(expected, lambda value, width, height: isinstance(value, str) and value in words)


def _or_null(field: Field) -> Field:
    return Field(
        f"{field.expected} or null",
        lambda value, width, height: value is None or field.reads(value, width, height),
    )


def _is_energy(value: Any, width: int, height: int) -> bool:
    return type(value) in (int, float) and 0 <= value <= 10**6


def _is_place(value: Any, width: int, height: int) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and is_whole(value[0], 0, width - 1)
        and is_whole(value[1], 0, height - 1)
    )


_X: Final = Field("a column of the map", lambda value, width, height: is_whole(value, 0, width - 1))
_Y: Final = Field("a row of the map", lambda value, width, height: is_whole(value, 0, height - 1))
_SEAT: Final = Field("a seat", lambda value, width, height: is_whole(value, 0, SEATS - 1))
_FLAG: Final = Field("true or false", lambda value, width, height: isinstance(value, bool))


class Kind(NamedTuple):
    """The entries of one list: the code of a faulty one, what an entry becomes, its fields, and
    those of them that it must have."""

    code: str
    plan: type[Any]
    fields: Mapping[str, Field]
    needed: tuple[str, ...]


KINDS: Final[Mapping[str, Kind]] = {
    "tiles": Kind(
        "bad_tile",
        TilePlan,
        {
            "x": _X,
            "y": _Y,
            "harvest_rate": _whole(0),
            "turns_to_harvest": _whole(0),
            "food": _whole(0),
            "materials": _whole(0),
        },
        ("x", "y"),
    ),
    "structures": Kind(
        "bad_structure",
        StructurePlan,
        {
            "type": _word(SHELTER, MONUMENT, WALL, NEUTRAL),
            "owner": _or_null(_SEAT),
            "x": _X,
            "y": _Y,
            "materials": _whole(1),
        },
        ("type", "x", "y"),
    ),
    "units": Kind(
        "bad_unit",
        UnitPlan,
        {
            "job": _word(*JOBS),
            "owner": _or_null(_SEAT),
            "x": _X,
            "y": _Y,
            "energy": Field(f"a number, 0 to {10**6}", _is_energy),
            "moves": _whole(0),
            "acted": _FLAG,
            "food": _whole(0),
            "materials": _whole(0),
            "starving": _FLAG,
            "turns_to_die": _whole(-1),
            "movement_target": _or_null(Field("[x, y] of a tile of the map,", _is_place)),
        },
        ("job", "x", "y"),
    ),
}
"""By the name of the list."""


def read(where: str, raw: Any, kind: Kind, width: int, height: int) -> Any:
    """One entry. Raises BadSetup."""
    code, plan, fields, needed = kind
    if not isinstance(raw, dict):
        raise fault(code, f"{where}: expected an object, got {shown(raw)}")
    if surplus := sorted(raw.keys() - fields.keys()):
        raise fault(code, f"{where}: expected {', '.join(fields)}, got {shown(surplus[0])}")
    for name in needed:
        if name not in raw:
            raise fault(code, f"{where}.{name}: expected {fields[name].expected}, got nothing")
    for name, value in raw.items():
        expected, reads = fields[name]
        if not reads(value, width, height):
            raise fault(code, f"{where}.{name}: expected {expected}, got {shown(value)}")
    values = {
        name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()
    }
    if "owner" in fields:
        values.setdefault("owner", None)
    return plan(**values)


def written(plan: Any, kind: Kind) -> str:
    """An entry's JSON; what has its start value is left out."""
    fields = {
        name: value
        for name, value in plan._asdict().items()
        if name in kind.needed or value != plan._field_defaults.get(name)
    }
    if fields.get("owner", 0) is None:
        del fields["owner"]
    return json.dumps(fields)


def fault(code: str, why: str) -> BadSetup:
    return BadSetup(code, why, field="map")


def is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def shown(value: Any) -> str:
    """A wrong value as its author wrote it, cut to a readable length."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."
